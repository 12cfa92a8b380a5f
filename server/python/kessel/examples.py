"""``python -m kessel.examples [FOLDER]``: lists the examples of this package, or copies them to a folder.

Each example is one file, a program or a notebook, with what it needs beside Kessel on its first line.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent
_ELSEWHERE = {"'./server/python[": "'kessel[", "server/python/examples/": "", "npx kessel": "python -m kessel"}
"""What a line of a checkout is outside it."""


def folder() -> Path:
    """Where the examples are: in the package, or beside it in a checkout."""
    inside = _PACKAGE / "_examples"
    return inside if inside.is_dir() else _PACKAGE.parent / "examples"


def names() -> list[str]:
    """The files' names, sorted."""
    return sorted(file.name for file in folder().iterdir() if file.suffix in (".py", ".ipynb"))


def about(name: str) -> str:
    """What an example is, in one sentence."""
    text = (folder() / name).read_text(encoding="utf-8")
    if name.endswith(".ipynb"):
        heading = "".join(json.loads(text)["cells"][0]["source"]).splitlines()[0]
        return heading.lstrip("# ")
    return text.split('"""')[1].strip().splitlines()[0].rstrip(".:")


def copy(target: Path) -> list[Path]:
    """Copies all examples to a folder, which is made. Lines that say how to run them fit a wheel and that folder.

    Raises:
        FileExistsError: when a file of that name is there; nothing has been copied then.
    """
    there = [target / name for name in names()]
    taken = [file.name for file in there if file.exists()]
    if taken:
        raise FileExistsError(f"{target} has {', '.join(taken)} already; name another folder")
    target.mkdir(parents=True, exist_ok=True)
    for file in there:
        text = (folder() / file.name).read_text(encoding="utf-8")
        for here, elsewhere in _ELSEWHERE.items():
            text = text.replace(here, elsewhere)
        file.write_text(text, encoding="utf-8")
    return there


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m kessel.examples", description=__doc__.split("\n\n")[0])
    parser.add_argument("folder", nargs="?", type=Path, help="where to copy them; without: they are listed")
    target = parser.parse_args().folder
    if target is None:
        wide = max(map(len, names()))
        for name in names():
            print(f"{name:{wide}}  {about(name)}")
        return
    try:
        copied = copy(target)
    except OSError as e:
        sys.exit(str(e))
    print(f"copied {len(copied)} examples to {target}")


if __name__ == "__main__":
    main()
