"""A socket that knows how its connection fares."""

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

Socket = zmq.Socket[bytes]

REFUSED = zmq.EVENT_HANDSHAKE_FAILED_AUTH | zmq.EVENT_HANDSHAKE_FAILED_NO_DETAIL | zmq.EVENT_HANDSHAKE_FAILED_PROTOCOL
WATCHED = zmq.EVENT_HANDSHAKE_SUCCEEDED | zmq.EVENT_DISCONNECTED | zmq.EVENT_MONITOR_STOPPED | REFUSED
LOOK = 0.25
"""Seconds between looks whether a lease is to be renewed; leases are of a second or more."""


class Leased(Protocol):
    """A batch as far as its lease goes."""

    token: str
    lease: float
    closed: bool


class Link:
    """A DEALER socket, and a thread that watches its connection and keeps batches leased while this process lives.

    Args:
        connect: makes connected sockets, see :func:`connector`.

    Attributes:
        socket: for whoever made the link.
        breaks: how often the connection has broken.
        state: ``new`` (not reached so far), ``up``, ``down`` (being reached again) or ``refused`` (by its keys).
    """

    def __init__(self, connect: Callable[[], Socket]) -> None:
        self.breaks = 0
        self.state = "new"
        self._connect = connect
        self._batches: weakref.WeakSet[Any] = weakref.WeakSet()
        self._lock = threading.Lock()
        self._pid = os.getpid()
        self.socket = connect()
        self._monitor = self.socket.get_monitor_socket(WATCHED)
        threading.Thread(target=self._run, name="kessel-link", daemon=True).start()

    def add(self, batch: Leased) -> None:
        """Renews the lease of a batch from now on, until it is closed or nobody refers to it any more."""
        with self._lock:
            self._batches.add(batch)

    def reached(self) -> None:
        """A reply has come: the connection stands, though the thread may not have heard of it yet."""
        if self.state == "new":
            self.state = "up"

    def close(self) -> None:
        if not self.socket.closed and os.getpid() == self._pid:
            self.socket.disable_monitor()  # which ends the thread
            self.socket.close()

    def _run(self) -> None:
        beats: Socket | None = None
        renewed = time.monotonic()
        while self._watch():
            with self._lock:
                batches = [b for b in self._batches if not b.closed]
            now = time.monotonic()
            if not batches or now - renewed < min(b.lease for b in batches) / 4:
                continue
            renewed = now
            if beats is None:
                beats = self._connect()
            self._renew(beats, [b.token for b in batches])
        self._monitor.close()
        if beats is not None:
            beats.close()

    def _watch(self) -> bool:
        """Takes in one thing that happens to the connection, or nothing for a while. Returns whether to go on."""
        if not self._monitor.poll(int(LOOK * 1000)):
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

    def _renew(self, beats: Socket, tokens: list[str]) -> None:
        while beats.poll(0):  # answers are of no interest, not even refusals: whoever uses the batch will see
            beats.recv_multipart()
        for id, token in enumerate(tokens):
            beats.send(msgpack.packb({"op": "ping", "id": id, "batches": [token]}))


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
        if server_key is not None:
            socket.curve_serverkey = server_key.encode()
            socket.curve_publickey = pair["publicKey"].encode()
            socket.curve_secretkey = pair["secretKey"].encode()
        socket.connect(address)
        return socket

    return connect
