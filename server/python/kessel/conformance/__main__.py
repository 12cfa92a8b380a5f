"""``python -m kessel.conformance ADDRESS [GAME]``: prints one line per check; exit status 1 if any failed."""

from __future__ import annotations

import sys
import traceback
from typing import Callable

import zmq

from .faults import FaultChecks
from .planning import PlanningChecks
from .play import PlayChecks
from .twins import TwinChecks
from .wire import ServerChecks, Wire


class Checks(PlayChecks, PlanningChecks, TwinChecks, FaultChecks):
    """All checks, in order of definition."""

    def every(self) -> list[Callable[[], None]]:
        return [
            getattr(self, name)
            for part in (PlayChecks, PlanningChecks, TwinChecks, FaultChecks)
            for name in vars(part)
            if not name.startswith("_") and name not in vars(ServerChecks)
        ]


def main(argv: list[str]) -> int:
    if len(argv) not in (1, 2):
        print("usage: python -m kessel.conformance ADDRESS [GAME]", file=sys.stderr)
        return 2
    try:
        checks = Checks(argv[0], argv[1] if len(argv) > 1 else None)
    except zmq.Again:
        print(f"no server answered at {argv[0]} within 30 s", file=sys.stderr)
        return 1
    except (zmq.ZMQError, AssertionError) as e:
        print(f"{argv[0]}: {e}", file=sys.stderr)
        return 1
    failed = 0
    for check in checks.every():
        promise = " ".join((check.__doc__ or "").split())
        try:
            check()
            print(f"ok      {promise}")
        except Exception:
            failed += 1
            checks.wire = Wire(argv[0])
            print(f"FAILED  {promise}\n{traceback.format_exc()}")
    print(f"{len(checks.every()) - failed} passed, {failed} failed, {checks.game} at {argv[0]}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
