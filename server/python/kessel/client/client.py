"""A connection to a server: requests, replies, reconnection."""

from __future__ import annotations

import itertools
import os
import threading
import time
import weakref
from typing import Any, Iterable, Mapping, NamedTuple

import msgpack
import numpy as np
import zmq

from .batch import Batch, Reply, with_retry
from .checks import checked
from .errors import BatchLost, ConnectionLost, IllegalAction, KesselError, NoServer, TimedOut
from .frames import Layout, Reader
from .link import Link, connector
from .local import LocalServer, shared_server
from .pipe import PIPE, PipeLink

PROTOCOL = 1

_SHARED_SIZE = 16
"""Smallest batch whose replies come in shared memory where requests go over a pipe."""

TICK_MS = 50
"""Interval at which a waiting client checks its connection."""

_WITHOUT_BATCH = Reader(Layout(()), [])


_TYPES = {"batch-lost": BatchLost, "illegal-action": IllegalAction}
"""Classes of errors that a server sends, by their code."""


class _Request(NamedTuple):
    op: str
    breaks: int
    """Of the connection, before it was sent."""
    reader: Reader


class Client:
    """A connection to a server.

    Args:
        address: such as ``tcp://127.0.0.1:7557``; default: the environment variable ``KESSEL_ADDRESS``, or a server
            that is started on this machine and stopped when this process ends. ``pipe``: a server for this process
            only, over a pipe, twice as fast for single environments; it handles one request at a time.
        server_key: public key of a server on another machine; default: the environment variable ``KESSEL_SERVER_KEY``.
        keys: the caller's key pair for such a server, a file that ``kessel keys`` wrote; default: ``KESSEL_KEYS``.
        timeout: seconds of silence after which a request raises :class:`kessel.TimedOut`. A server that answers pings
            (over a pipe: one that works) is not silent, and the client waits for it.

    Threads may use a client and its batches; while one waits for an answer, others get theirs too. Several requests may be in flight: ``send`` now,
    ``receive`` later. A broken connection is re-established; :class:`kessel.ConnectionLost` describes requests in
    flight.
    """

    def __init__(
        self,
        address: str | None = None,
        timeout: float = 60.0,
        server_key: str | None = None,
        keys: str | os.PathLike[str] | None = None,
    ) -> None:
        self._server: LocalServer | None = None
        checked({"address": address, "timeout": timeout, "server_key": server_key, "keys": keys})
        address = address or os.environ.get("KESSEL_ADDRESS") or None
        if address is None:
            self._server = shared_server()
            address = self._server.address
        self.address = address
        self.timeout = timeout
        self._pid = os.getpid()
        self._lock = threading.RLock()
        self._ids = itertools.count(1)
        self._replies: dict[int, Reply | KesselError] = {}
        self._in_flight: dict[int, _Request] = {}
        self._given_up: dict[int, _Request] = {}
        """Requests whose replies are dropped when they come."""
        self._link: Link | PipeLink
        if address == PIPE:
            self._link = PipeLink()
        else:
            self._link = Link(
                connector(
                    address, server_key or os.environ.get("KESSEL_SERVER_KEY"), keys or os.environ.get("KESSEL_KEYS")
                ),
                timeout,
            )
        self._finish = weakref.finalize(self, self._link.close)
        try:
            self.hello: dict[str, Any] = self.request("hello", protocol=PROTOCOL).header
            self._link.reached()
        except BaseException:
            self.close()
            raise

    # -- requests ---------------------------------------------------------------------------------------------------

    def send(self, op: str, frame: Any = None, reader: Reader = _WITHOUT_BATCH, /, **args: Any) -> int:
        """Sends a request, with an optional data frame. Returns its id, for :meth:`receive`. Omits arguments that are
        ``None``."""
        if os.getpid() != self._pid:
            raise KesselError("closed", "this client was made before a fork; make one in each process")
        with self._lock:
            return self._send(op, frame, reader, args)

    def _send(self, op: str, frame: Any, reader: Reader, args: Mapping[str, Any]) -> int:
        id = next(self._ids)
        header = {"op": op, "id": id}
        for key, value in args.items():
            if value is not None:
                header[key] = value
        packed = msgpack.packb(header, default=_plain)
        try:
            self._link.send(packed, frame)
        except zmq.Again:
            raise self._timed_out(op) from None
        except zmq.ZMQError as e:
            raise self._closed(e) from None
        self._in_flight[id] = _Request(op, self._link.breaks, reader)
        return id

    def receive(self, id: int) -> Reply:
        """Waits for the reply to request ``id``.

        Raises:
            KesselError: the server refused the request; or ``not-in-flight``.
            TimedOut, ConnectionLost, NoServer: there is no reply. After ``TimedOut`` a late reply is dropped.
        """
        if id not in self._replies:
            try:
                self._receive_any([id])
            except TimedOut:
                self.give_up(id)
                raise
        reply = self._replies.pop(id)
        if isinstance(reply, KesselError):
            raise reply
        return reply

    def first(self, ids: Iterable[int]) -> int:
        """Waits until one of several requests is answered and returns its id; :meth:`receive` then returns at once.

        Raises:
            KesselError: ``not-in-flight``.
            TimedOut, NoServer: none is answered.
        """
        return self._receive_any(list(ids))

    def give_up(self, id: int) -> None:
        """Announces that nobody will receive the reply to request ``id``. The client drops it."""
        self._replies.pop(id, None)
        if id in self._in_flight:
            self._given_up[id] = self._in_flight.pop(id)

    def _receive_any(self, awaited: list[int]) -> int:
        """Receives until one of several requests is answered, or given up because the connection broke. Returns its id."""
        began = time.monotonic()
        breaks = self._link.breaks
        while True:
            with self._lock:
                for id in awaited:
                    if id in self._replies:
                        return id
                try:
                    requests = [self._in_flight[id] for id in awaited]
                except KeyError as e:
                    raise KesselError(
                        "not-in-flight",
                        f"request {e.args[0]} is not in flight: it was never sent, or its reply was received or given up",
                    ) from None
                try:
                    message = self._link.receive(TICK_MS)
                except zmq.ZMQError as e:
                    raise self._closed(e) from None
                if message is not None:
                    self._take(msgpack.unpackb(message[0]), message[1])
                    continue
                if min(r.breaks for r in requests) < breaks:  # all replies from before the break have been received
                    self._lose(breaks)
                    continue
            breaks = self._link.breaks
            if self._server is not None and not self._server.alive:
                raise NoServer(
                    "no-server", f"the server at {self.address} has ended; its log ends:\n{self._server.log()}"
                ) from None
            self._link.await_answer()
            if time.monotonic() - max(began, self._link.heard) >= self.timeout:
                raise self._timed_out(requests[0].op) from None

    def _take(self, header: dict[str, Any], frame: zmq.Frame | bytes | None) -> None:
        """Keeps a reply for :meth:`receive`, or drops it."""
        id, error = header["id"], header.get("error")
        reply: Reply | KesselError | None = None
        if error is not None:
            reply = _TYPES.get(error["code"], KesselError)(error["code"], error["message"])
            if id is None:  # the server could not read the id of a request
                raise reply
        wanted = id in self._in_flight
        request = (self._in_flight if wanted else self._given_up).pop(id, None)
        if request is None:  # forgotten, as it was given up before the connection broke
            return
        if reply is None:
            reply = Reply(header, request.reader.tensors(header, frame))
        if wanted:
            self._replies[id] = reply  # else its tensors are deleted, which frees their slot

    def request(self, op: str, frame: Any = None, /, **args: Any) -> Reply:
        """:meth:`send`, then :meth:`receive`. Repeats an operation that changes nothing if the connection breaks."""
        return with_retry(op, lambda: self.receive(self.send(op, frame, **args)))

    def _lose(self, breaks: int) -> None:
        """Fails the requests that were in flight when the connection broke."""
        lost = {id: r for id, r in self._in_flight.items() if r.breaks < breaks}
        # Replies to these still come if they were sent over the next connection before the break was noticed.
        self._given_up = {id: r for id, r in self._given_up.items() if r.breaks >= breaks} | lost
        for id, request in lost.items():
            del self._in_flight[id]
            self._replies[id] = ConnectionLost(
                "disconnected",
                f"the connection to {self.address} broke while {request.op!r} was in flight, so it may or may not have been carried out; the client is reconnecting. "
                "If the server still runs, its batches exist; bring them into a known state with load(save) or reset()",
            )

    def _timed_out(self, op: str) -> TimedOut:
        waited = f"{self.timeout:g} s"
        why = {
            "new": f"no Kessel server was reached at {self.address} in {waited}; is one running there (kessel serve), and is the address right?",
            "refused": f"the server at {self.address} refuses the connection; does it want keys (server_key, keys), and is your public key among its clients?",
            "down": f"the connection to {self.address} broke and was not re-established in {waited}; when the server is back, make the batches again, reset() and load(save)",
            "up": f"{self.address} is connected but has not answered {op!r} for {waited}, nor pings; its machine or network may hang",
        }
        return TimedOut("timeout", why[self._link.state])

    def _closed(self, e: zmq.ZMQError) -> KesselError:
        return KesselError("closed", f"this client of {self.address} is closed ({e})")

    @property
    def connected(self) -> bool:
        """Whether the connection is up. A broken one is re-established as soon as the server answers."""
        return self._link.state == "up"

    # -- operations ------------------------------------------------------------------------------------------

    def games(self) -> list[dict[str, Any]]:
        """The games of the server: id, title, credits, version, reconstructed."""
        games: list[dict[str, Any]] = self.request("list").header["games"]
        return games

    def describe(
        self, game: str, options: Mapping[str, Any] | None = None, data: Mapping[str, Any] | None = None
    ) -> dict[str, Any]:
        """Everything static about a game: actions, features with their ranges, places, options."""
        given = checked({"game": game, "options": options, "data": data})
        about: dict[str, Any] = self.request("describe", **given).header["game"]
        return about

    def make(self, game: str, size: int, **args: Any) -> Batch:
        """A batch of ``size`` environments; further arguments as for ``make`` in PROTOCOL.md."""
        args.setdefault("lease", 120)
        # over a pipe small replies are sooner read than their memory
        args.setdefault("shared", not self._link.local or size >= _SHARED_SIZE)
        batch = Batch(self, self.request("make", game=game, size=size, **args).header)
        if not batch.reachable:
            batch.close()
            batch = Batch(self, self.request("make", game=game, size=size, **{**args, "shared": False}).header)
        self._link.add(batch)
        return batch

    def stats(self) -> dict[str, float]:
        numbers: dict[str, float] = self.request("stats").header["stats"]
        return numbers

    def ping(self) -> float:
        """Round trip in seconds."""
        start = time.perf_counter()
        self.request("ping")
        return time.perf_counter() - start

    def close(self) -> None:
        """Closes the connection. The server closes its batches when their leases end."""
        self._finish()

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


_BORROWERS = 128
"""Limit of borrowers of one connection. By default a server allows 256 batches for each connection."""

_lent: dict[tuple[Any, ...], list[tuple[Client, list[object]]]] = {}
_lending = threading.Lock()


def borrow(
    borrower: object,
    address: str | None,
    timeout: float,
    server_key: str | None,
    keys: str | os.PathLike[str] | None,
) -> Client:
    """A client that single environments of this process share, for each connection takes sockets, of which ZeroMQ and the
    system have few. Give it back with :func:`give_back`."""
    key = (os.getpid(), address or os.environ.get("KESSEL_ADDRESS"), timeout, server_key, keys and os.fspath(keys))
    with _lending:
        for client, users in _lent.setdefault(key, []):
            if len(users) < _BORROWERS and client.connected:
                users.append(id(borrower))
                return client
        client = Client(address, timeout, server_key, keys)
        _lent[key].append((client, [id(borrower)]))
        return client


def give_back(borrower: object, client: Client) -> None:
    """Closes a borrowed client with its last borrower."""
    with _lending:
        for key, clients in _lent.items():
            for entry in clients:
                if entry[0] is not client or id(borrower) not in entry[1]:
                    continue
                entry[1].remove(id(borrower))
                if not entry[1]:
                    clients.remove(entry)
                    client.close()
                    if not clients:
                        del _lent[key]
                return


def _plain(value: Any) -> Any:
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, np.ndarray):
        return value.tolist()
    raise TypeError(f"{type(value).__name__} cannot be sent")
