"""The protocol, message by message: :class:`Client` is a connection, :class:`Batch` a batch of environments."""

from __future__ import annotations

import itertools
import json
import os
import threading
import time
import weakref
from typing import Any, Callable, Iterable, Mapping, Sequence

import msgpack
import numpy as np
import zmq

from .errors import KesselError
from .local import LocalServer, shared_server

PROTOCOL = 1

Tensors = dict[str, np.ndarray]


class Reply:
    """A reply's header and its tensors (views into the received frame, valid as long as anything refers to them)."""

    __slots__ = ("header", "tensors")

    def __init__(self, header: dict[str, Any], tensors: Tensors) -> None:
        self.header = header
        self.tensors = tensors


class Client:
    """A connection to a server.

    Args:
        address: such as ``tcp://127.0.0.1:7557``; default: the environment variable ``KESSEL_ADDRESS``, else a server
            that is started on this machine and stopped when this process ends.
        server_key: public key of a server on another machine; default: the environment variable ``KESSEL_SERVER_KEY``.
        keys: the caller's key pair for such a server, a file that ``kessel keys`` wrote; default: ``KESSEL_KEYS``.
        timeout: seconds after which a request without an answer raises :class:`KesselError` ``timeout``.

    One thread at a time may use a client and its batches. Several requests may be on their way: ``send`` now,
    ``receive`` later.
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
        self._layouts: dict[int, _Layout] = {}
        """What the frames of replies hold that are on their way, where the reply itself doesn't say."""
        self._connect = _connector(address, server_key or os.environ.get("KESSEL_SERVER_KEY"), keys or os.environ.get("KESSEL_KEYS"))
        self._socket = self._connect()
        self._socket.rcvtimeo = 1000
        self._socket.sndtimeo = int(timeout * 1000)
        self._beats: _Heartbeats | None = None
        try:
            self.hello: dict[str, Any] = self.request("hello", protocol=PROTOCOL).header
        except BaseException:
            self._socket.close()
            raise

    # -- requests ---------------------------------------------------------------------------------------------------

    def send(self, op: str, data: Any = None, layout: _Layout | None = None, **args: Any) -> int:
        """Sends a request and returns its id, for :meth:`receive`. Arguments that are ``None`` are left out."""
        if os.getpid() != self._pid:
            raise KesselError("closed", "this client was made before a fork; make one in each process")
        id = next(self._ids)
        header = {"op": op, "id": id}
        for key, value in args.items():
            if value is not None:
                header[key] = value
        packed = msgpack.packb(header, default=_plain)
        try:
            if data is None:
                self._socket.send(packed)
            else:
                self._socket.send(packed, zmq.SNDMORE)
                self._socket.send(data)
        except zmq.Again:
            raise KesselError("timeout", f"{self.address} takes no messages") from None
        except zmq.ZMQError as e:
            raise KesselError("closed", f"the connection to {self.address} is closed ({e})") from None
        if layout is not None:
            self._layouts[id] = layout
        return id

    def receive(self, id: int) -> Reply:
        """Waits for the reply to request ``id``.

        Raises:
            KesselError: the server's refusal, or ``timeout``, or ``no-server`` when the server that was started here
                has ended.
        """
        while id not in self._arrived:
            self._arrive()
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
            self._arrive()

    def _arrive(self) -> None:
        """Takes in one reply."""
        deadline = time.monotonic() + self.timeout - 1.0
        while True:
            try:
                head = self._socket.recv(copy=False)
                frame = self._socket.recv(copy=False) if head.more else None
            except zmq.Again:
                self._check(deadline)
                continue
            except zmq.ZMQError as e:
                raise KesselError("closed", f"the connection to {self.address} is closed ({e})") from None
            header = msgpack.unpackb(head.buffer)
            came, error = header["id"], header.get("error")
            layout = self._layouts.pop(came, None)
            if error is not None:
                refusal = KesselError(error["code"], error["message"])
                if came is None:  # the server couldn't read the id of something sent here
                    raise refusal
                self._arrived[came] = refusal
            elif frame is None:
                self._arrived[came] = Reply(header, {})
            else:
                entries = header.get("tensors")
                self._arrived[came] = Reply(header, (layout if entries is None and layout is not None else _Layout(entries)).tensors(frame))
            return

    def request(self, op: str, data: Any = None, **args: Any) -> Reply:
        """:meth:`send`, then :meth:`receive`."""
        return self.receive(self.send(op, data, **args))

    def _check(self, deadline: float) -> None:
        if self._server is not None and not self._server.alive:
            raise KesselError("no-server", f"the server at {self.address} has ended; its log ends:\n{self._server.log()}")
        if time.monotonic() >= deadline:
            raise KesselError("timeout", f"{self.address} has not answered for {self.timeout:g} s")

    # -- what can be asked ------------------------------------------------------------------------------------------

    def games(self) -> list[dict[str, Any]]:
        """The games on offer: id, title, credits, version, reconstructed."""
        return self.request("list").header["games"]

    def describe(self, game: str, options: Mapping[str, Any] | None = None, data: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """Everything static about a game: actions, features with their ranges, places, options."""
        return self.request("describe", game=game, options=options, data=data).header["game"]

    def make(self, game: str, size: int, **args: Any) -> Batch:
        """A batch of ``size`` environments; further arguments as PROTOCOL.md has them for ``make``."""
        args.setdefault("lease", 120)
        batch = Batch(self, self.request("make", game=game, size=size, **args).header)
        if self._beats is None:
            self._beats = _Heartbeats(self._connect)
        self._beats.add(batch)
        return batch

    def stats(self) -> dict[str, float]:
        return self.request("stats").header["stats"]

    def ping(self) -> float:
        """Round trip in seconds."""
        start = time.perf_counter()
        self.request("ping")
        return time.perf_counter() - start

    def close(self) -> None:
        """Closes the connection; its batches are closed by the server when nobody comes back for them."""
        if self._beats is not None:
            self._beats.stop()
            self._beats = None
        if not self._socket.closed and os.getpid() == self._pid:
            self._socket.close()

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
        self._received: list[int] = []
        self._layout = _Layout(header["tensors"])

    def send(self, op: str, data: Any = None, **args: Any) -> int:
        """Sends a request about this batch; :meth:`receive` takes its id."""
        free, self._received = self._received, []
        return self.client.send(op, data, self._layout, batch=self.token, free=free or None, **args)

    def receive(self, id: int) -> Reply:
        reply = self.client.receive(id)
        slot = reply.header.get("slot")
        if slot is not None:
            self._received.append(slot)
        return reply

    def request(self, op: str, data: Any = None, **args: Any) -> Reply:
        return self.receive(self.send(op, data, **args))

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
        return self.request("legal", which=_listed(which)).header["legal"]

    def observe(self, seat: str, which: Iterable[int] | None = None) -> Tensors:
        """The four observation tensors as one of the caller's seats (or ``spectator``) sees them now, ``[K, ...]``."""
        return self.request("observe", seat=seat, which=_listed(which)).tensors

    def position(self, which: Iterable[int] | None = None, seat: str | None = None, whole: bool = False) -> list[dict[str, Any]]:
        """Position documents as ``seat`` (default: who decides) sees them, or whole (privileged batches)."""
        return self.request("position", which=_listed(which), seat=seat, whole=whole or None).header["positions"]

    def render(self, env: int = 0, seat: str | None = None) -> str:
        """The board of one environment as text, as ``seat`` (default: who decides) sees it."""
        return self.request("render", env=env, seat=seat).header["text"]

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
        return self.request("replay", env=env, last=last or None).header["replay"]

    def seen(self, seat: str, env: int = 0, last: bool = False) -> list[dict[str, Any]]:
        """A finished episode as ``seat`` saw it: ``[{"action": ..., "view": ...}, ...]`` (batches made with ``record``)."""
        return self.request("replay", env=env, seat=seat, last=last or None).header["lines"]

    def close(self) -> None:
        if not self.closed:
            self.closed = True
            try:
                self.request("close")
            except KesselError as e:
                if e.code not in ("unknown-batch", "closed", "no-server", "timeout"):
                    raise


class _Heartbeats:
    """Keeps batches leased while this process lives, even when it does other things for a long time."""

    def __init__(self, connect: Callable[[], zmq.Socket[bytes]]) -> None:
        self._connect = connect
        self._batches: weakref.WeakSet[Batch] = weakref.WeakSet()
        self._lock = threading.Lock()
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._run, name="kessel-heartbeats", daemon=True)
        self._thread.start()

    def add(self, batch: Batch) -> None:
        with self._lock:
            self._batches.add(batch)

    def stop(self) -> None:
        self._stopped.set()

    def _run(self) -> None:
        socket: zmq.Socket[bytes] | None = None
        id = 0
        while not self._stopped.wait(self._pause()):
            with self._lock:
                tokens = [b.token for b in self._batches if not b.closed]
            if not tokens:
                continue
            if socket is None:
                socket = self._connect()
            while socket.poll(0):  # answers are of no interest, not even refusals: whoever uses the batch will see
                socket.recv_multipart()
            for token in tokens:
                id += 1
                socket.send(msgpack.packb({"op": "ping", "id": id, "batches": [token]}))
        if socket is not None:
            socket.close()

    def _pause(self) -> float:
        with self._lock:
            return min((b.lease for b in self._batches), default=4.0) / 4


def _connector(address: str, server_key: str | None, keys: str | os.PathLike[str] | None) -> Callable[[], zmq.Socket[bytes]]:
    """Makes connected sockets, encrypted and authenticated when there is a server key."""
    if (server_key is None) != (keys is None):
        raise ValueError("server_key and keys go together")
    pair: dict[str, str] = {}
    if keys is not None:
        with open(keys, encoding="utf-8") as file:
            pair = json.load(file)

    def connect() -> zmq.Socket[bytes]:
        socket = zmq.Context.instance().socket(zmq.DEALER)
        socket.linger = 0
        if server_key is not None:
            socket.curve_serverkey = server_key.encode()
            socket.curve_publickey = pair["publicKey"].encode()
            socket.curve_secretkey = pair["secretKey"].encode()
        socket.connect(address)
        return socket

    return connect


_COPIED = 65536
"""Bytes below which a frame is copied out of ZeroMQ's memory, which is then cheaper than to keep it."""


class _Layout:
    """Where tensors lie in a frame."""

    __slots__ = ("_names", "_dtype")

    def __init__(self, entries: Sequence[tuple[str, str, list[int], int]]) -> None:
        self._names = [name for name, _, _, _ in entries]
        formats = [(_DTYPES[dtype], tuple(shape)) for _, dtype, shape, _ in entries]
        self._dtype = np.dtype({"names": self._names, "formats": formats, "offsets": [offset for _, _, _, offset in entries]})

    def tensors(self, frame: zmq.Frame) -> Tensors:
        """Views of the frame's memory by name."""
        data: Any = frame.bytes if len(frame) < _COPIED else frame.buffer
        record: np.ndarray = np.ndarray((), self._dtype, data)
        if record.__array_interface__["data"][0] % 8:
            record = np.ndarray((), self._dtype, bytes(data))
        return {name: record[name] for name in self._names}


_INT32 = np.dtype("<i4")
_DTYPES = {name: np.dtype(name).newbyteorder("<") for name in ("float32", "float64", "int32", "uint8")}


def _listed(values: Iterable[Any] | None) -> list[Any] | None:
    return None if values is None else [v.item() if isinstance(v, np.generic) else v for v in values]


def _plain(value: Any) -> Any:
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, np.ndarray):
        return value.tolist()
    raise TypeError(f"{type(value).__name__} cannot be sent")
