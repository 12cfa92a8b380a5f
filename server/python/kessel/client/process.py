"""A server program that this process has started."""

from __future__ import annotations

import os
import shlex
import subprocess
import tempfile
from typing import Any, Sequence

from .errors import NoServer


class ServerProcess:
    """The program, with its input and output open to this process and its log in a file.

    It stops when its standard input closes, so also when this process is killed.

    Args:
        command: the program and its arguments.
        how: further arguments of :class:`subprocess.Popen`.

    Raises:
        NoServer: it can't be run.
    """

    def __init__(self, command: Sequence[str], **how: Any) -> None:
        self.owner = os.getpid()
        """The process that started it: a forked child leaves it alone."""
        self._log = tempfile.TemporaryFile(mode="w+", encoding="utf-8", errors="replace")
        pipe = subprocess.PIPE
        try:
            self.process = subprocess.Popen(
                command, stdin=pipe, stdout=pipe, stderr=self._log, start_new_session=True, **how
            )
        except OSError as e:
            self._log.close()
            raise NoServer("no-server", f"cannot run {shlex.join(command)}: {e}") from None

    def log(self, most: int = 4000) -> str:
        """The end of the server's log."""
        if self._log.closed:
            return ""
        self._log.seek(0)
        return self._log.read()[-most:].strip()
