"""A connection and its messages by PROTOCOL.md alone, independent of :class:`kessel.Client`."""

from __future__ import annotations

import itertools
from typing import Any

import msgpack
import numpy as np
import zmq

DTYPES = {"float32": "<f4", "float64": "<f8", "int32": "<i4", "uint8": "u1"}
TENSORS = ("globals", "map", "units", "decision")
Tensors = dict[str, np.ndarray]


class Wire:
    """One DEALER connection, frame by frame."""

    def __init__(self, address: str, unread: int | None = None) -> None:
        self.socket: zmq.Socket[bytes] = zmq.Context.instance().socket(zmq.DEALER)
        if unread is not None:  # messages that ZeroMQ queues
            self.socket.set(zmq.RCVHWM, unread)
            self.socket.set(zmq.RCVBUF, 65_536)
        self.socket.set(zmq.LINGER, 0)
        self.socket.set(zmq.RCVTIMEO, 30_000)
        self.socket.set(zmq.IPV6, "[" in address)
        self.socket.connect(address)
        self.ids = itertools.count(1)
        self.layouts: dict[str, list[Any]] = {}  # tensors of each batch's frames, from the reply to `make`
        self.in_flight: dict[int, Any] = {}  # the batch of each request in flight

    def put(self, op: str, frame: bytes | None = None, /, **args: Any) -> int:
        id = next(self.ids)
        self.in_flight[id] = args.get("batch")
        self.raw(msgpack.packb({"op": op, "id": id, **args}), *([] if frame is None else [frame]))
        return id

    def raw(self, *frames: bytes) -> None:
        self.socket.send_multipart(frames)

    def take(self) -> tuple[dict[str, Any], Tensors]:
        frames = self.socket.recv_multipart()
        header = msgpack.unpackb(frames[0])
        of = self.in_flight.pop(header["id"], None)
        if "batch" in header:
            self.layouts[header["batch"]] = header["tensors"]
            return header, {}
        assert "tensors" not in header or len(frames) == 2, "tensors without a data frame"
        tensors = {}
        for name, dtype, shape, offset in header.get("tensors") or self.layouts[of] if len(frames) == 2 else []:
            assert offset % 64 == 0, f"{name} is at {offset}"
            count = int(np.prod(shape))
            tensors[name] = np.frombuffer(frames[1], DTYPES[dtype], count, offset).reshape(shape)
        return header, tensors

    def ask(self, op: str, frame: bytes | None = None, /, **args: Any) -> tuple[dict[str, Any], Tensors]:
        id = self.put(op, frame, **args)
        header, tensors = self.take()
        assert header["id"] == id, f"asked {id}, answered {header['id']}"
        assert "error" not in header, f"{op}: {header.get('error')}"
        return header, tensors

    def refused(self, code: str, op: str, frame: bytes | None = None, /, **args: Any) -> None:
        id = self.put(op, frame, **args)
        self.refusal(code, id)

    def refusal(self, code: str, id: int | None) -> None:
        header, _ = self.take()
        assert header["id"] == id and header.get("error", {}).get("code") == code, (
            f"expected {code} for {id}, got {header}"
        )
        assert isinstance(header["error"]["message"], str) and "\n" not in header["error"]["message"]


def legal(t: Tensors, rng: np.random.Generator) -> bytes:
    return np.array([rng.choice(np.flatnonzero(m)) if m.any() else 0 for m in t["mask"]], "<i4").tobytes()


class ServerChecks:
    """Base of the checks: a connection, a game, batches of it."""

    def __init__(self, address: str, game: str | None) -> None:
        self.address = address
        self.wire = Wire(address)
        self.hello, _ = self.wire.ask("hello", protocol=1)
        self.game = game or self.hello["games"][0]
        self.about = self.wire.ask("describe", game=self.game)[0]["game"]

    def make(self, size: int = 4, **args: Any) -> str:
        token: str = self.wire.ask("make", game=self.game, size=size, **args)[0]["batch"]
        return token

    def forward(self, batch: str, t: Tensors, steps: int, seed: int) -> Tensors:
        """Plays at random."""
        rng = np.random.default_rng(seed)
        for _ in range(steps):
            _, t = self.wire.ask("step", legal(t, rng), batch=batch)
        return t
