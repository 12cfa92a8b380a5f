"""``python -m kessel serve|play|arena|...``: Kessel's command line, with the server that ``server_command`` finds."""

from __future__ import annotations

import os
import subprocess
import sys

from .client.command import server_command
from .client.errors import NoServer


def main() -> int:
    """Runs the command line in this process's place, or on Windows as its child. Returns the exit status."""
    try:
        command = [*server_command(), *sys.argv[1:]]
    except NoServer as e:
        print(f"kessel: {e.message}", file=sys.stderr)
        return 2
    sys.stdout.flush()
    if os.name == "nt":  # exec there ends the process that the shell waits for
        return subprocess.call(command)
    try:
        os.execvp(command[0], command)
    except OSError as e:
        print(f"kessel: cannot run {command[0]}: {e.strerror}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
