"""A policy as an agent that Kessel asks: ``kessel arena GAME --agents external:tcp://127.0.0.1:7600,heuristic:greedy``.

    >>> from kessel.agent import serve
    >>> serve(lambda obs: kessel.sample(obs["mask"]))
"""

from __future__ import annotations

from typing import Any, Callable, Mapping

import msgpack
import numpy as np
import zmq

from .frames import Layout

Policy = Callable[[dict[str, np.ndarray]], Any]
"""Tensors of n decisions in, n actions out."""


def serve(policy: Policy, address: str = "tcp://127.0.0.1:7600", game: str | None = None, ready: Callable[[str], None] = print) -> None:
    """Answers for a seat until the process is interrupted.

    Args:
        policy: called with ``globals [n, G]``, ``map [n, N, Fm]``, ``units [n, U, Fu]``, ``decision [n, D]`` (float32),
            ``mask [n, A]`` (uint8, 1 is legal) and ``actors [n]`` (int32, the player who decides); returns ``n`` legal actions.
        address: where to listen. Whoever reaches it may ask, so keep to this machine or a network you trust.
        game: the game that the policy plays; asked to play another, it refuses.
        ready: called with the address once it can be asked.
    """
    socket: zmq.Socket[bytes] = zmq.Context.instance().socket(zmq.ROUTER)
    socket.linger = 1000
    try:
        socket.bind(address)
        ready(socket.getsockopt_string(zmq.LAST_ENDPOINT).rstrip("\0"))
        while True:
            frames = socket.recv_multipart(copy=False)
            socket.send_multipart([frames[0], *_answer(policy, game, frames[1:])])
    finally:
        socket.close()


def _answer(policy: Policy, game: str | None, frames: list[zmq.Frame]) -> list[bytes]:
    id = None
    try:
        header: Mapping[str, Any] = msgpack.unpackb(frames[0].bytes)
        id = header["id"]
        if header["op"] == "open":
            asked = header["game"]["id"]
            if game is not None and asked != game:
                raise ValueError(f"this agent plays {game}, not {asked}")
            return [msgpack.packb({"id": id})]
        if header["op"] != "act":
            raise ValueError(f"agents are asked to open or act, not {header['op']!r}")
        tensors = Layout(header["tensors"]).of_frame(frames[1])
        actions = np.ascontiguousarray(policy(tensors), dtype="<i4")
        if actions.shape != tensors["actors"].shape:
            raise ValueError(f"the policy gave actions of shape {actions.shape} for {len(tensors['actors'])} decisions")
        return [msgpack.packb({"id": id}), actions.tobytes()]
    except Exception as e:  # whatever the policy raises belongs to whoever asked
        return [msgpack.packb({"id": id, "error": {"code": "bad-agent", "message": f"{type(e).__name__}: {e}"}})]
