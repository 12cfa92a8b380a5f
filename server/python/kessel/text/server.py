"""The process of ``kessel tools`` that all texts come from."""

from __future__ import annotations

import atexit
import json
import subprocess
import threading
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any, Mapping, Sequence

from ..client.command import server_command
from ..client.errors import KesselError, NoServer

PROTOCOL = "2025-06-18"


@dataclass(frozen=True)
class Answer:
    """What a tool answered.

    Attributes:
        text: the words for the model.
        error: the answer is an error, which says what would be right.
        facts: ``session``, ``seat``, ``actor`` (the side that decides, ``None`` at the end), ``over``, ``returns`` by player and ``legal`` (number of legal actions) and ``potentials`` where the tool has them.
    """

    text: str
    error: bool
    facts: Mapping[str, Any]


class ToolServer:
    """A process of ``kessel tools`` that takes seeds and keeps nothing on disk. Threads may share it.

    Args:
        server: as for :func:`kessel.local.server_command`.
        potentials: facts hold the values of the game's potentials, which read the true state. For rewards, not for models.

    Raises:
        NoServer: when it does not start.
    """

    def __init__(self, server: str | Sequence[str] | None = None, *, potentials: bool = False) -> None:
        self.potentials = potentials
        more = ["--potentials"] if potentials else []
        command = [*server_command(server), "tools", "--seeds", "--no-keep", "--all-seats", *more]
        try:
            self._process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8"
            )
        except OSError as e:
            raise NoServer("no-server", f"cannot run {command[0]}: {e}") from None
        self._lock = threading.Lock()
        self._waiting: dict[int, Future[dict[str, Any]]] = {}
        self._last = 0
        self._log: list[str] = []
        self._threads = [threading.Thread(target=t, daemon=True) for t in (self._read, self._listen)]
        for thread in self._threads:
            thread.start()
        atexit.register(self.close)
        about = {"protocolVersion": PROTOCOL, "capabilities": {}, "clientInfo": {"name": "kessel.text", "version": "1"}}
        self._request("initialize", about).result()
        self._send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def call(self, tool: str, **arguments: Any) -> Answer:
        """Calls one tool."""
        return self.call_all(tool, [arguments])[0]

    def call_all(self, tool: str, calls: Sequence[Mapping[str, Any]]) -> list[Answer]:
        """Calls one tool several times at once; answers come in the order of ``calls``.

        Raises:
            NoServer: when the server has ended.
        """
        futures = [self._request("tools/call", {"name": tool, "arguments": dict(c)}) for c in calls]
        return [_answer(f.result()) for f in futures]

    def close(self) -> None:
        """Ends the server."""
        atexit.unregister(self.close)
        if self._process.poll() is None:
            self._process.stdin.close()  # type: ignore[union-attr]
            try:
                self._process.wait(5)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
            for thread in self._threads:
                thread.join(5)
            for pipe in (self._process.stdout, self._process.stderr):
                pipe.close()  # type: ignore[union-attr]

    def _request(self, method: str, params: Mapping[str, Any]) -> Future[dict[str, Any]]:
        future: Future[dict[str, Any]] = Future()
        with self._lock:
            self._last += 1
            self._waiting[self._last] = future
            number = self._last
        self._send({"jsonrpc": "2.0", "id": number, "method": method, "params": params})
        return future

    def _send(self, message: Mapping[str, Any]) -> None:
        try:
            with self._lock:
                self._process.stdin.write(json.dumps(message) + "\n")  # type: ignore[union-attr]
                self._process.stdin.flush()  # type: ignore[union-attr]
        except (OSError, ValueError):
            raise self._gone() from None

    def _read(self) -> None:
        for line in self._process.stdout:  # type: ignore[union-attr]
            message = json.loads(line)
            with self._lock:
                future = self._waiting.pop(message.get("id"), None)
            if future is None:
                continue
            if "error" in message:
                future.set_exception(KesselError("bad-message", str(message["error"].get("message"))))
            else:
                future.set_result(message["result"])
        self._process.wait()
        with self._lock:
            lost = list(self._waiting.values())
            self._waiting.clear()
        for future in lost:
            future.set_exception(self._gone())

    def _listen(self) -> None:
        for line in self._process.stderr:  # type: ignore[union-attr]
            self._log = [*self._log[-20:], line]

    def _gone(self) -> NoServer:
        return NoServer("no-server", f"kessel tools has ended; its log ends:\n{''.join(self._log) or '(empty)'}")


def _answer(result: Mapping[str, Any]) -> Answer:
    return Answer(result["content"][0]["text"], result.get("isError") is True, result.get("structuredContent") or {})


def refused(answer: Answer) -> KesselError:
    code, _, message = answer.text.partition(": ")
    return KesselError(code, message)
