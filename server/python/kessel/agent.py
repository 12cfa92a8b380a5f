"""Serves a policy as an agent of Kessel: ``kessel arena GAME --agents external:tcp://127.0.0.1:7600,heuristic:greedy``.

>>> from kessel.agent import serve
>>> serve(lambda obs: kessel.sample(obs["mask"]))
"""

from __future__ import annotations

from typing import Any, Callable, Mapping

import msgpack
import numpy as np
import zmq

from .client.frames import Layout

Policy = Callable[[dict[str, np.ndarray]], Any]
"""Maps tensors of n decisions to n actions."""


def serve(
    policy: Policy, address: str = "tcp://127.0.0.1:7600", game: str | None = None, ready: Callable[[str], None] = print
) -> None:
    """Answers requests for actions until the process is interrupted.

    Args:
        policy: called with ``globals [n, G]``, ``map [n, N, Fm]``, ``units [n, U, Fu]``, ``decision [n, D]`` (float32),
            ``mask [n, A]`` (uint8, 1 is legal) and ``actors [n]`` (int32, the acting player); returns ``n`` legal
            actions.
        address: address to listen on. Requests are not authenticated, so use this machine or a trusted network.
        game: the game of the policy; requests for others are refused.
        ready: called with the address once the agent is ready.
    """
    socket: zmq.Socket[bytes] = zmq.Context.instance().socket(zmq.ROUTER)
    socket.linger = 1000
    socket.ipv6 = "[" in address
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
            raise ValueError(f"the operations of agents are open and act, not {header['op']!r}")
        tensors = Layout(header["tensors"]).of_frame(frames[1])
        actions = np.ascontiguousarray(policy(tensors), dtype="<i4")
        if actions.shape != tensors["actors"].shape:
            raise ValueError(
                f"the policy returned actions of shape {actions.shape} for {len(tensors['actors'])} decisions"
            )
        return [msgpack.packb({"id": id}), actions.tobytes()]
    except Exception as e:  # errors of the policy are reported to the requester
        return [msgpack.packb({"id": id, "error": {"code": "bad-agent", "message": f"{type(e).__name__}: {e}"}})]
