"""The protocol, message by message: :class:`Client` is a connection, :class:`Batch` a batch of environments."""

from __future__ import annotations

import itertools
import os
import time
import weakref
from typing import Any, Callable, Iterable, Mapping, Sequence

import msgpack
import numpy as np
import zmq

from .errors import BatchLost, ConnectionLost, KesselError, NoServer, TimedOut
from .frames import Layout, Memory, Tensors
from .link import Link, connector
from .local import LocalServer, shared_server

PROTOCOL = 1

READS = frozenset(("hello", "list", "describe", "legal", "observe", "position", "render", "replay", "outcomes", "resample", "save", "ping", "stats", "close"))
"""Requests that may be repeated when it isn't known whether they were carried out."""

TICK_MS = 250
"""How often a waiting client looks whether its connection still stands."""


class Reply:
    """A reply's header and its tensors (views into the received frame, valid as long as anything refers to them)."""

    __slots__ = ("header", "tensors")

    def __init__(self, header: dict[str, Any], tensors: Tensors) -> None:
        self.header = header
        self.tensors = tensors


def _asked(op: str, exchange: Callable[[], Reply]) -> Reply:
    """One exchange; once more for what only reads, when the connection breaks meanwhile."""
    try:
        return exchange()
    except ConnectionLost:
        if op not in READS:
            raise
        return exchange()


class Client:
    """A connection to a server.

    Args:
        address: such as ``tcp://127.0.0.1:7557``; default: the environment variable ``KESSEL_ADDRESS``, else a server
            that is started on this machine and stopped when this process ends.
        server_key: public key of a server on another machine; default: the environment variable ``KESSEL_SERVER_KEY``.
        keys: the caller's key pair for such a server, a file that ``kessel keys`` wrote; default: ``KESSEL_KEYS``.
        timeout: seconds after which a request without an answer raises :class:`kessel.TimedOut`.

    One thread at a time may use a client and its batches. Several requests may be on their way: ``send`` now,
    ``receive`` later. A connection that breaks is made again; see :class:`kessel.ConnectionLost` for what was on its way.
    """

    def __init__(self, address: str | None = None, timeout: float = 60.0, server_key: str | None = None, keys: str | os.PathLike[str] | None = None) -> None:
        self._server: LocalServer | None = None
        address = address or os.environ.get("KESSEL_ADDRESS") or None
        if address is None:
            self._server = shared_server()
            address = self._server.address
        self.address = address
        self.timeout = timeout
        self._pid = os.getpid()
        self._ids = itertools.count(1)
        self._arrived: dict[int, Reply | KesselError] = {}
        self._sent: dict[int, tuple[str, int, Layout | None]] = {}
        """Of requests on their way: what it was, how often the connection had broken, what the reply's frame holds."""
        self._link = Link(connector(address, server_key or os.environ.get("KESSEL_SERVER_KEY"), keys or os.environ.get("KESSEL_KEYS")))
        self._socket = self._link.socket
        self._socket.rcvtimeo = TICK_MS
        self._socket.sndtimeo = int(timeout * 1000)
        self._finish = weakref.finalize(self, self._link.close)
        try:
            self.hello: dict[str, Any] = self.request("hello", protocol=PROTOCOL).header
            self._link.reached()
        except BaseException:
            self.close()
            raise

    # -- requests ---------------------------------------------------------------------------------------------------

    def send(self, op: str, frame: Any = None, layout: Layout | None = None, /, **args: Any) -> int:
        """Sends a request, perhaps with a data frame, and returns its id, for :meth:`receive`. Arguments that are ``None`` are left out."""
        if os.getpid() != self._pid:
            raise KesselError("closed", "this client was made before a fork; make one in each process")
        id = next(self._ids)
        header = {"op": op, "id": id}
        for key, value in args.items():
            if value is not None:
                header[key] = value
        packed = msgpack.packb(header, default=_plain)
        try:
            if frame is None:
                self._socket.send(packed)
            else:
                self._socket.send(packed, zmq.SNDMORE)
                self._socket.send(frame)
        except zmq.Again:
            raise self._timed_out(op) from None
        except zmq.ZMQError as e:
            raise self._closed(e) from None
        self._sent[id] = op, self._link.breaks, layout
        return id

    def receive(self, id: int) -> Reply:
        """Waits for the reply to request ``id``.

        Raises:
            KesselError: the server's refusal.
            TimedOut, ConnectionLost, NoServer: there is no reply.
        """
        while id not in self._arrived:
            self._arrive(id)
        reply = self._arrived.pop(id)
        if isinstance(reply, KesselError):
            raise reply
        return reply

    def first(self, ids: Iterable[int]) -> int:
        """Waits until one of several requests is answered, and says which; :meth:`receive` then has its reply at once."""
        wanted = list(ids)
        while True:
            for id in wanted:
                if id in self._arrived:
                    return id
            self._arrive(wanted[0])

    def _arrive(self, awaited: int) -> None:
        """Takes in one reply, or the end of hope for some."""
        deadline = time.monotonic() + self.timeout
        breaks = self._link.breaks
        while True:
            try:
                head = self._socket.recv(copy=False)
                frame = self._socket.recv(copy=False) if head.more else None
            except zmq.Again:  # what had come before the connection broke is taken in by now
                op, since, _ = self._sent.get(awaited, ("request", 0, None))
                if since < breaks:
                    return self._lose(breaks)
                breaks = self._link.breaks
                if self._server is not None and not self._server.alive:
                    raise NoServer("no-server", f"the server at {self.address} has ended; its log ends:\n{self._server.log()}") from None
                if time.monotonic() >= deadline:
                    raise self._timed_out(op) from None
                continue
            except zmq.ZMQError as e:
                raise self._closed(e) from None
            header = msgpack.unpackb(head.buffer)
            came, error = header["id"], header.get("error")
            _, _, layout = self._sent.pop(came, _NOTHING)
            if error is not None:
                refusal = (BatchLost if error["code"] == "batch-lost" else KesselError)(error["code"], error["message"])
                if came is None:  # the server couldn't read the id of something sent here
                    raise refusal
                self._arrived[came] = refusal
            elif frame is None:
                self._arrived[came] = Reply(header, {})
            else:
                entries = header.get("tensors")
                self._arrived[came] = Reply(header, (layout if entries is None and layout is not None else Layout(entries)).of_frame(frame))
            return

    def request(self, op: str, frame: Any = None, /, **args: Any) -> Reply:
        """:meth:`send`, then :meth:`receive`; once more for what only reads, when the connection breaks meanwhile."""
        return _asked(op, lambda: self.receive(self.send(op, frame, **args)))

    def _lose(self, breaks: int) -> None:
        """Gives up requests that were on their way when the connection broke."""
        for id, (op, since, _) in list(self._sent.items()):
            if since < breaks:
                del self._sent[id]
                says = f"the connection to {self.address} broke while {op!r} was on its way, so it may have been carried out or not; it is being made again. "
                self._arrived[id] = ConnectionLost("disconnected", says + "If the server still runs, its batches are as they were; put them where you know with load(save) or reset()")

    def _timed_out(self, op: str) -> TimedOut:
        waited = f"{self.timeout:g} s"
        why = {
            "new": f"no Kessel server was reached at {self.address} in {waited}; is one running there (kessel serve), and is the address right?",
            "refused": f"the server at {self.address} refuses the connection; does it want keys (server_key, keys), and is your public key among its clients?",
            "down": f"the connection to {self.address} broke and could not be made again in {waited}; when the server is back, make the batches again, reset() and load(save)",
            "up": f"{self.address} is connected but has not answered {op!r} for {waited}; agents that think long need a greater timeout",
        }
        return TimedOut("timeout", why[self._link.state])

    def _closed(self, e: zmq.ZMQError) -> KesselError:
        return KesselError("closed", f"this client of {self.address} is closed ({e})")

    @property
    def connected(self) -> bool:
        """Whether the connection stands; one that broke is made again as soon as the server answers."""
        return self._link.state == "up"

    # -- what can be asked ------------------------------------------------------------------------------------------

    def games(self) -> list[dict[str, Any]]:
        """The games on offer: id, title, credits, version, reconstructed."""
        games: list[dict[str, Any]] = self.request("list").header["games"]
        return games

    def describe(self, game: str, options: Mapping[str, Any] | None = None, data: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """Everything static about a game: actions, features with their ranges, places, options."""
        about: dict[str, Any] = self.request("describe", game=game, options=options, data=data).header["game"]
        return about

    def make(self, game: str, size: int, **args: Any) -> Batch:
        """A batch of ``size`` environments; further arguments as PROTOCOL.md has them for ``make``."""
        args.setdefault("lease", 120)
        args.setdefault("shared", True)
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
        """Closes the connection; its batches are closed by the server when nobody comes back for them."""
        self._finish()

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class Batch:
    """B environments of one game on the server. Made by :meth:`Client.make`.

    ``reset``, ``step`` and ``load`` return tensors by name: ``globals [B, G]``, ``map [B, N, Fm]``, ``units [B, U, Fu]``,
    ``decision [B, D]`` (float32, or uint8 if so made), ``mask [B, A]`` uint8, ``actors [B]`` int32 (-1: the episode is
    over), ``rewards [B, players]`` float32, ``terminated [B]`` and ``truncated [B]`` uint8, ``decisions [B]`` and
    ``episodes [B]`` int32; with autoreset ``same-step``, when episodes ended, ``final_rows [K]`` and ``final_globals``
    ... of those; with pools of agents ``opponents [B, players]`` int32.
    """

    def __init__(self, client: Client, header: Mapping[str, Any]) -> None:
        self.client = client
        self.token: str = header["batch"]
        self.size: int = header["size"]
        self.players: list[str] = header["players"]
        self.external: list[str] = header["external"]
        self.autoreset: str = header["autoreset"]
        self.schema: str = header["schema"]
        self.lease: float = header["lease"]
        self.privileged: bool = header["privileged"]
        self.closed = False
        self._freed: list[int] = []
        self._layout = Layout(header["tensors"])
        self._memory: Memory | None = None
        self.reachable = True
        if "memory" in header:
            try:
                self._memory = Memory(header["memory"], self._freed)
            except OSError:
                self.reachable = False
        self._made = time.monotonic()

    def send(self, op: str, frame: Any = None, /, **args: Any) -> int:
        """Sends a request about this batch; :meth:`receive` takes its id."""
        free = self._freed[:]
        del self._freed[: len(free)]
        return self.client.send(op, frame, self._layout, batch=self.token, free=free or None, **args)

    def receive(self, id: int) -> Reply:
        """As :meth:`Client.receive`; raises :class:`kessel.BatchLost` when the server knows the batch no more."""
        try:
            reply = self.client.receive(id)
        except KesselError as e:
            if e.code == "unknown-batch" and not self.closed:
                raise self._lost() from None
            raise
        slot = reply.header.get("slot")
        if slot is not None:
            if self._memory is None:
                self._freed.append(slot)
            else:
                entries = reply.header.get("tensors")
                reply.tensors = (self._layout if entries is None else Layout(entries)).of_memory(self._memory.part(slot))
        return reply

    def request(self, op: str, frame: Any = None, /, **args: Any) -> Reply:
        """As :meth:`Client.request`."""
        return _asked(op, lambda: self.receive(self.send(op, frame, **args)))

    def _lost(self) -> BatchLost:
        uptime = self.client.stats()["uptime"]
        restarted = uptime < time.monotonic() - self._made
        why = f"the server was started anew {uptime:.0f} s ago" if restarted else f"it was closed from elsewhere, or unused for its lease of {self.lease:g} s"
        return BatchLost("unknown-batch", f"the batch is gone: {why}. Make it again with the same arguments and reset() it; load(save) then puts it where it was")

    def reset(
        self,
        seed: int | str | None = None,
        seeds: Sequence[int | str] | None = None,
        which: Iterable[int] | None = None,
        positions: Sequence[Mapping[str, Any]] | None = None,
    ) -> Tensors:
        """Starts new episodes.

        Args:
            seed: one seed for all of them (environment i then gets ``seed/i/0``, ``seed/i/1``, ...).
            seeds: or one seed per environment, used as they are.
            which: environments to reset; default all.
            positions: documents to start from (privileged batches).
        """
        return self.request("reset", seed=seed, seeds=_listed(seeds), which=_listed(which), positions=_listed(positions)).tensors

    def step(self, actions: Any) -> Tensors:
        """Plays one action per environment: int ``[B]``. Raises ``illegal-action`` and leaves all as it was."""
        return self.receive(self.send_step(actions)).tensors

    def send_step(self, actions: Any) -> int:
        return self.send("step", np.ascontiguousarray(actions, _INT32))

    def save(self, which: Iterable[int] | None = None) -> np.ndarray:
        """Whole situations, int32 ``[K, words]`` (privileged batches)."""
        return self.request("save", which=_listed(which)).tensors["states"]

    def load(self, states: np.ndarray, which: Iterable[int] | None = None) -> Tensors:
        """Puts saved situations into environments (privileged batches)."""
        return self.request("load", np.ascontiguousarray(states, _INT32), which=_listed(which)).tensors

    def clone(self, source: Iterable[int], target: Iterable[int]) -> Tensors:
        """Copies situations from environments to others (privileged batches)."""
        return self.request("clone", **{"from": _listed(source), "to": _listed(target)}).tensors

    def resample(self, seed: int | str, which: Iterable[int] | None = None) -> np.ndarray:
        """Situations that fit what the deciding player of each environment knows, with dice of their own; as ``save``."""
        return self.request("resample", seed=seed, which=_listed(which)).tensors["states"]

    def legal(self, which: Iterable[int] | None = None) -> list[list[str]]:
        """Names of the legal actions of each environment."""
        names: list[list[str]] = self.request("legal", which=_listed(which)).header["legal"]
        return names

    def observe(self, seat: str, which: Iterable[int] | None = None) -> Tensors:
        """The four observation tensors as one of the caller's seats (or ``spectator``) sees them now, ``[K, ...]``."""
        return self.request("observe", seat=seat, which=_listed(which)).tensors

    def position(self, which: Iterable[int] | None = None, seat: str | None = None, whole: bool = False) -> list[dict[str, Any]]:
        """Position documents as ``seat`` (default: who decides) sees them, or whole (privileged batches)."""
        documents: list[dict[str, Any]] = self.request("position", which=_listed(which), seat=seat, whole=whole or None).header["positions"]
        return documents

    def render(self, env: int = 0, seat: str | None = None) -> str:
        """The board of one environment as text, as ``seat`` (default: who decides) sees it."""
        text: str = self.request("render", env=env, seat=seat).header["text"]
        return text

    def outcomes(self, env: int, action: int, samples: int | None = None, seed: int | str | None = None) -> tuple[np.ndarray, np.ndarray]:
        """What an action can lead to (privileged batches).

        Returns:
            states int32 ``[K, words]`` as of :meth:`save`, and their probabilities float64 ``[K]``: all of them, or with
            ``samples`` so many random ones.
        """
        t = self.request("outcomes", env=env, action=action, samples=samples, seed=seed).tensors
        return t["states"], t["probabilities"]

    def replay(self, env: int = 0, last: bool = False) -> dict[str, Any]:
        """The current episode (or the one before) as a document for ``kessel replay`` (privileged, made with ``record``)."""
        document: dict[str, Any] = self.request("replay", env=env, last=last or None).header["replay"]
        return document

    def seen(self, seat: str, env: int = 0, last: bool = False) -> list[dict[str, Any]]:
        """A finished episode as ``seat`` saw it: ``[{"action": ..., "view": ...}, ...]`` (batches made with ``record``)."""
        lines: list[dict[str, Any]] = self.request("replay", env=env, seat=seat, last=last or None).header["lines"]
        return lines

    def close(self) -> None:
        """Frees the batch. Where the server can't be reached, it does so itself when the lease runs out."""
        if not self.closed:
            self.closed = True
            try:
                if self.client.connected:
                    self.request("close")
            except KesselError as e:
                if e.code not in ("unknown-batch", "disconnected", "closed", "no-server", "timeout"):
                    raise


_NOTHING: tuple[str, int, None] = ("", 0, None)
_INT32 = np.dtype("<i4")


def _listed(values: Iterable[Any] | None) -> list[Any] | None:
    return None if values is None else [v.item() if isinstance(v, np.generic) else v for v in values]


def _plain(value: Any) -> Any:
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, np.ndarray):
        return value.tolist()
    raise TypeError(f"{type(value).__name__} cannot be sent")
