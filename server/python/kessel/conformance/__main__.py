"""``python -m kessel.conformance ADDRESS [GAME]``: prints a line a check; the exit status is 1 when one failed."""

from __future__ import annotations

import sys
import traceback
from typing import Callable

from .faults import Faults
from .play import Play
from .whatif import WhatIf
from .wire import Asker, Wire


class Checks(Play, WhatIf, Faults):
    """All checks, in the order in which they stand."""

    def every(self) -> list[Callable[[], None]]:
        return [getattr(self, name) for part in (Play, WhatIf, Faults) for name in vars(part) if not name.startswith("_") and name not in vars(Asker)]


def main(argv: list[str]) -> int:
    if len(argv) not in (1, 2):
        print("usage: python -m kessel.conformance ADDRESS [GAME]", file=sys.stderr)
        return 2
    checks = Checks(argv[0], argv[1] if len(argv) > 1 else None)
    failed = 0
    for check in checks.every():
        try:
            check()
            print(f"ok      {check.__doc__}")
        except Exception:
            failed += 1
            checks.wire = Wire(argv[0])
            print(f"FAILED  {check.__doc__}\n{traceback.format_exc()}")
    print(f"{len(checks.every()) - failed} passed, {failed} failed, {checks.game} at {argv[0]}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
