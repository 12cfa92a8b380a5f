"""A socket that monitors its connection and renews leases."""

from __future__ import annotations

import json
import os
import threading
import time
import weakref
from typing import Any, Callable, Protocol

import msgpack
import zmq
from zmq.utils.monitor import recv_monitor_message

from .errors import BadInput

Socket = zmq.Socket[bytes]

REFUSED = zmq.EVENT_HANDSHAKE_FAILED_AUTH | zmq.EVENT_HANDSHAKE_FAILED_NO_DETAIL | zmq.EVENT_HANDSHAKE_FAILED_PROTOCOL
WATCHED = zmq.EVENT_HANDSHAKE_SUCCEEDED | zmq.EVENT_DISCONNECTED | zmq.EVENT_MONITOR_STOPPED | REFUSED
POLL_SECONDS = 0.25
"""Interval of checks whether a lease needs renewal; leases last at least a second."""
PING_SECONDS = 1.0
"""Interval of pings while a client waits for an answer."""


class Leased(Protocol):
    """The lease of a batch."""

    token: str
    lease: float
    closed: bool


class Link:
    """A DEALER socket, and a thread that watches its connection and keeps batches leased while this process lives.

    Args:
        connect: makes connected sockets, see :func:`connector`.

    Attributes:
        breaks: number of times the connection broke.
        state: ``new`` (not connected yet), ``up``, ``down`` (reconnecting), ``refused`` (wrong keys) or ``closed``.
        heard: when the server last answered anything on the connection for pings, by ``time.monotonic``.
    """

    local = False

    def __init__(self, connect: Callable[[], Socket], send_seconds: float = 60.0) -> None:
        self.breaks = 0
        self.state = "new"
        self.heard = 0.0
        self._awaited = 0.0
        self._connect = connect
        self._batches: weakref.WeakSet[Any] = weakref.WeakSet()
        self._lock = threading.Lock()
        self._pid = os.getpid()
        self._waits = -1
        self.socket = connect()
        self.socket.sndtimeo = int(send_seconds * 1000)
        self._monitor = self.socket.get_monitor_socket(WATCHED)
        threading.Thread(target=self._run, name="kessel-link", daemon=True).start()

    def send(self, header: bytes, data: Any) -> None:
        if data is None:
            self.socket.send(header)
        else:
            self.socket.send(header, zmq.SNDMORE)
            self.socket.send(data)

    def receive(self, timeout_ms: int) -> tuple[Any, zmq.Frame | None] | None:
        """The next reply's header and data; ``None`` after that time without a reply."""
        if timeout_ms != self._waits:
            self.socket.rcvtimeo = self._waits = timeout_ms
        try:
            head = self.socket.recv(copy=False)
            return head.buffer, self.socket.recv(copy=False) if head.more else None
        except zmq.Again:
            return None

    def await_answer(self) -> None:
        """Call this while a client waits for a reply: the link pings the server, and ``heard`` says when it answered."""
        self._awaited = time.monotonic()

    def add(self, batch: Leased) -> None:
        """Renews the lease of a batch until it is closed or no longer referenced."""
        with self._lock:
            self._batches.add(batch)

    def reached(self) -> None:
        """Call this after the first reply: the connection is up, even if the thread has not seen the event yet."""
        if self.state == "new":
            self.state = "up"

    def close(self) -> None:
        if not self.socket.closed and os.getpid() == self._pid:
            self.socket.disable_monitor()  # which ends the thread
            self.socket.close()
            self.state = "closed"

    def _run(self) -> None:
        heartbeats: Socket | None = None
        renewed = pinged = time.monotonic()
        while self._watch():
            now = time.monotonic()
            if heartbeats is not None:
                self._hear(heartbeats, now)
            if now - self._awaited < PING_SECONDS and now - pinged >= PING_SECONDS:
                pinged = now
                heartbeats = heartbeats or self._connect()
                self._tell(heartbeats, {"op": "ping", "id": 0})
            with self._lock:
                batches = [b for b in self._batches if not b.closed]
            if not batches or now - renewed < min(b.lease for b in batches) / 4:
                continue
            renewed = now
            heartbeats = heartbeats or self._connect()
            for id, batch in enumerate(batches):
                if not self._tell(heartbeats, {"op": "ping", "id": id, "batches": [batch.token]}):
                    break  # waiting, the thread would not see the server come back
        self._monitor.close()
        if heartbeats is not None:
            heartbeats.close()

    def _watch(self) -> bool:
        """Handles one event of the connection, or times out. Returns whether to continue."""
        if not self._monitor.poll(int(POLL_SECONDS * 1000)):
            return True
        event = recv_monitor_message(self._monitor)["event"]
        if event == zmq.EVENT_MONITOR_STOPPED:
            return False
        if event == zmq.EVENT_HANDSHAKE_SUCCEEDED:
            self.state = "up"
        elif event & REFUSED:
            self.state = "refused"
        elif self.state == "up":
            self.breaks += 1
            self.state = "down"
        return True

    def _hear(self, heartbeats: Socket, now: float) -> None:
        while heartbeats.poll(0):  # what they say doesn't matter: the next request about a batch reports what is wrong
            heartbeats.recv_multipart()
            self.heard = now

    def _tell(self, heartbeats: Socket, message: dict[str, Any]) -> bool:
        """Returns false when the server is away and the queue full."""
        try:
            heartbeats.send(msgpack.packb(message), zmq.NOBLOCK)
            return True
        except zmq.Again:
            return False


def connector(address: str, server_key: str | None, keys: str | os.PathLike[str] | None) -> Callable[[], Socket]:
    """Makes connected sockets, encrypted and authenticated when there is a server key."""
    if (server_key is None) != (keys is None):
        raise ValueError("server_key and keys go together")
    pair: dict[str, str] = {}
    if keys is not None:
        with open(keys, encoding="utf-8") as file:
            pair = json.load(file)

    def connect() -> Socket:
        socket: Socket = zmq.Context.instance().socket(zmq.DEALER)
        socket.linger = 0
        # not for every address: a name would then mean its IPv6 address first
        socket.ipv6 = "[" in address
        if server_key is not None:
            socket.curve_serverkey = server_key.encode()
            socket.curve_publickey = pair["publicKey"].encode()
            socket.curve_secretkey = pair["secretKey"].encode()
        try:
            socket.connect(address)
        except zmq.ZMQError as e:
            socket.close()
            raise BadInput(
                "bad-address", f"{address!r} is no ZeroMQ address such as tcp://127.0.0.1:7557: {e}"
            ) from None
        return socket

    return connect
