"""A server of this process's own, reached over its standard input and output."""

from __future__ import annotations

import atexit
import os
import select
import struct
import subprocess
import threading
import time
import weakref
from collections import deque
from typing import Any, Callable, Sequence

from .command import server_command
from .errors import KesselError, NoServer
from .process import ServerProcess

PIPE = "pipe"
"""The address of such a server."""

_LENGTHS = struct.Struct("<II")
_NO_DATA = 0xFFFFFFFF
_CHUNK = 1 << 20
_MOST_UNREAD = 32_768
"""Bytes of requests without a read reply at most: a pipe holds 64 KiB, and a server that writes does not read."""

Message = tuple[bytes, "bytes | None"]


class PipeServer(ServerProcess):
    """The program ``kessel serve --pipe``, shared by all links of this process. It ends when its input is closed, so also when
    this process is killed.

    A request and its reply take two switches between processes and no thread in between. One request is carried out at a time.
    """

    def __init__(self, server: str | Sequence[str] | None = None, args: Sequence[str] = ()) -> None:
        command = [*server_command(server), "serve", "--pipe", *args]
        super().__init__(command, bufsize=0)
        assert self.process.stdin is not None and self.process.stdout is not None
        self.lock = threading.RLock()
        self.broken = False
        """A message was cut in two, or the server has ended."""
        self._in = self.process.stdin.fileno()
        self._out = self.process.stdout.fileno()
        self._poll: Callable[[float], Any] = _poller(self._out)
        self._read = bytearray()
        self._waiting: deque[tuple[weakref.ref[PipeLink], int]] = deque()
        """Who sent the requests whose replies have not been read, and their bytes: replies come in the order of requests."""
        self._unread = 0
        atexit.register(self.stop)

    @property
    def alive(self) -> bool:
        return not self.broken and self.process.poll() is None

    def cpu_seconds(self) -> float | None:
        """Processor time of the server so far; ``None`` where the system doesn't say, or it has ended."""
        try:
            with open(f"/proc/{self.process.pid}/stat", encoding="latin-1") as file:
                fields = file.read().rpartition(")")[2].split()
            return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
        except (OSError, ValueError, IndexError):
            return None

    def send(self, link: PipeLink, header: bytes, data: Any) -> None:
        body = b"" if data is None else memoryview(data).cast("B").tobytes()
        message = _LENGTHS.pack(len(header), _NO_DATA if data is None else len(body)) + header + body
        with self.lock:
            if self.broken:  # the number of its file may be another's by now
                raise self._ended()
            while self._waiting and self._unread + len(message) > _MOST_UNREAD:
                self._read_one(None)
            left = memoryview(message)
            try:
                while left:
                    left = left[os.write(self._in, left) :]
            except OSError as e:
                raise self._ended() from e
            except BaseException:
                self.broken = self.broken or len(left) < len(message)
                raise
            self._waiting.append((weakref.ref(link), len(message)))
            self._unread += len(message)

    def receive(self, link: PipeLink, timeout_ms: float) -> bool:
        """Reads one reply, whosever it is, unless ``link`` has one by now. Returns whether it has."""
        with self.lock:
            return bool(link.inbox) or (self._read_one(timeout_ms) and bool(link.inbox))

    def _read_one(self, timeout_ms: float | None) -> bool:
        while not self._take():
            if self.broken:
                raise self._ended()
            if timeout_ms is not None and not self._poll(timeout_ms):
                return False
            chunk = os.read(self._out, _CHUNK)
            if not chunk:
                raise self._ended()
            self._read += chunk
        return True

    def _take(self) -> bool:
        read = self._read
        if len(read) < _LENGTHS.size:
            return False
        header, told = _LENGTHS.unpack_from(read)
        begin = _LENGTHS.size + header
        end = begin if told == _NO_DATA else begin + told
        if len(read) < end:
            return False
        owner, size = self._waiting.popleft()
        self._unread -= size
        link = owner()
        if link is not None:
            with memoryview(read) as view:
                data = None if told == _NO_DATA else bytes(view[begin:end])
                link.inbox.append((bytes(view[_LENGTHS.size : begin]), data))
        del read[:end]
        return True

    def _ended(self) -> NoServer:
        self.broken = True
        return NoServer("no-server", f"the server of this process has ended; its log ends:\n{self.log() or '(empty)'}")

    def stop(self) -> None:
        """Stops the server. Does nothing in a forked child."""
        if os.getpid() != self.owner:
            return
        self.broken = True
        for pipe in (self.process.stdin, self.process.stdout):
            if pipe is not None and not pipe.closed:
                pipe.close()
        try:
            self.process.wait(2)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        if not self._log.closed:
            self._log.close()
        atexit.unregister(self.stop)


def _poller(fd: int) -> Callable[[float], Any]:
    if not hasattr(select, "poll"):  # Windows can't wait for a pipe: the read does
        return lambda timeout: True
    poll = select.poll()
    poll.register(fd, select.POLLIN)
    return poll.poll


class PipeLink:
    """The link of one client to the server of this process; what :class:`kessel.client.link.Link` is to any other."""

    local = True
    breaks = 0

    def __init__(self) -> None:
        self.server = shared_pipe()
        self.inbox: deque[Message] = deque()
        self._closed = False
        self.heard = 0.0
        """When the server was last seen at work: it can't answer a ping meanwhile."""
        self._used = 0.0

    @property
    def state(self) -> str:
        return "closed" if self._closed else "up" if self.server.alive else "down"

    def send(self, header: bytes, data: Any) -> None:
        if self._closed:
            raise KesselError("closed", "this client is closed")
        self.server.send(self, header, data)

    def receive(self, timeout_ms: int) -> Message | None:
        """The next reply's header and data; ``None`` when none comes in that time."""
        inbox = self.inbox
        if not inbox and not self.server.receive(self, timeout_ms):
            return None
        return inbox.popleft()

    def await_answer(self) -> None:
        """Called as long as a client waits for a reply; see ``heard``."""
        used = self.server.cpu_seconds()
        if used is None or used > self._used:
            self._used, self.heard = used or 0.0, time.monotonic()

    def add(self, batch: Any) -> None:
        """Batches here have no lease that could end."""

    def reached(self) -> None:
        """It was from the start."""

    def close(self) -> None:
        self._closed = True


_shared: PipeServer | None = None
_lock = threading.Lock()


def pipe_or(address: str | None) -> str:
    """The address of one environment or search: ``address``, or the environment variable ``KESSEL_ADDRESS``, or the
    pipe."""
    return address or os.environ.get("KESSEL_ADDRESS") or PIPE


def shared_pipe() -> PipeServer:
    """The server behind the address ``pipe``; started on first use, and again in a forked child."""
    global _shared
    with _lock:
        if _shared is None or _shared.owner != os.getpid() or not _shared.alive:
            _shared = PipeServer()
        return _shared
