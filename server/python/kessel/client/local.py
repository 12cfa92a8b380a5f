"""Servers on this machine, started and stopped by this process."""

from __future__ import annotations

import atexit
import json
import os
import shlex
import subprocess
import threading
from typing import Sequence

from .command import server_command
from .errors import NoServer
from .process import ServerProcess

SERVE = ("serve", "--port", "0", "--json", "--stop-with-input")


class LocalServer(ServerProcess):
    """A server process on a free port of the loopback address.

    Args:
        server: as for :func:`server_command`.
        timeout: seconds until it must be ready.
        args: further arguments of ``kessel serve``.

    Raises:
        NoServer: with the end of its log if it does not start.
    """

    def __init__(
        self, server: str | Sequence[str] | None = None, timeout: float = 60.0, args: Sequence[str] = ()
    ) -> None:
        command = [*server_command(server), *SERVE, *args]
        super().__init__(command, text=True)
        line: list[str] = []
        reader = threading.Thread(target=lambda: line.append(self.process.stdout.readline()), daemon=True)  # type: ignore[union-attr]
        reader.start()
        reader.join(timeout)
        try:
            self.address: str = json.loads(line[0])["address"]
        except (IndexError, ValueError, KeyError, TypeError):
            why = f"was not ready within {timeout:g} s" if not line else "did not start"
            log = self.log()
            self.stop()
            other = (
                "\nFor another server give address=..., or set KESSEL_SERVER to a Kessel repository or a command"
                if "npx" in os.path.basename(command[0])
                else ""
            )
            raise NoServer(
                "no-server", f"{shlex.join(command)} {why}; its log ends:\n{log or '(empty)'}{other}"
            ) from None
        atexit.register(self.stop)

    @property
    def alive(self) -> bool:
        return self.process.poll() is None

    def stop(self) -> None:
        """Stops the server. Does nothing in a forked child."""
        if os.getpid() != self.owner:
            return
        if self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(5)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout, self._log):
            if pipe is not None and not pipe.closed:
                pipe.close()
        atexit.unregister(self.stop)


_shared: LocalServer | None = None
_lock = threading.Lock()


def shared_server() -> LocalServer:
    """The server for clients of this process that have no address; started on first use."""
    global _shared
    with _lock:
        if _shared is None or not _shared.alive:
            _shared = LocalServer()
        return _shared
