"""Environments in groups: some step while the policy computes actions for others."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Any

import numpy as np

from ..client.checks import checked
from ..client.errors import BadInput
from .arguments import VecArguments, spelled_out
from .vector import Result, SendRecvEnvs, VectorEnv, make_vec

if TYPE_CHECKING:
    from typing_extensions import Unpack


class PipelinedVectorEnv(SendRecvEnvs):
    """B environments in equal groups, each a batch of its own, stepped independently. Made by :func:`make_pipelined`.

    ``recv`` returns the group that is ready first, ``send`` sends its actions. With slow agents on the server,
    :func:`make_async` is better.

        >>> envs = kessel.make_pipelined("pocket-stalingrad", num_envs=512, groups=2)
        >>> envs.async_reset(seed=7)
        >>> while training:
        ...     obs, reward, terminated, truncated, info = envs.recv()
        ...     envs.send(policy(obs, info["action_mask"]), info["env_id"])
    """

    def __init__(self, groups: list[VectorEnv]) -> None:
        super().__init__(groups[0])
        self.groups = groups
        self.group_size = groups[0].num_envs
        self.num_envs = self.group_size * len(groups)
        self._ids = [
            np.arange(k * self.group_size, (k + 1) * self.group_size, dtype=np.int32) for k in range(len(groups))
        ]
        self._in_flight: deque[tuple[int, int]] = deque()
        """Group and request id, in the order of sending."""

    def async_reset(self, seed: int | str | None = None) -> None:
        """Resets all environments; :meth:`recv` returns the results. Environment i of group g has the stream
        ``seed/g/i``.

        Gives up what was asked before.
        """
        while self._in_flight:
            self.groups[0].client.give_up(self._in_flight.popleft()[1])
        for g, group in enumerate(self.groups):
            self._in_flight.append((g, group.send_reset(None if seed is None else f"{seed}/{g}")))

    def send(self, actions: Any, env_id: np.ndarray) -> None:
        """Sends actions int ``[K]`` for the group whose ``env_id`` :meth:`recv` returned."""
        g = int(env_id[0]) // self.group_size
        if any(waiting == g for waiting, _ in self._in_flight):
            raise ValueError(f"group {g} is stepping; receive it first")
        self._in_flight.append((g, self.groups[g].send_step(actions)))

    def recv(self) -> Result:
        """Returns observations, rewards, terminations, truncations, info of the group that is ready first, all ``[K,
        ...]``.

        ``info["env_id"]`` int32 ``[K]`` identifies the environments; rewards and flags are 0 after a reset.
        """
        if not self._in_flight:
            raise ValueError("no request is in flight: send actions, or reset")
        client = self.groups[0].client
        ready = client.first([id for _, id in self._in_flight])
        k = next(k for k, (_, id) in enumerate(self._in_flight) if id == ready)
        g, id = self._in_flight[k]
        del self._in_flight[k]
        result = self.groups[g].receive(id)
        result[4]["env_id"] = self._ids[g]
        return result

    def close(self) -> None:
        for group in self.groups:
            group.close()


@spelled_out(VecArguments)
def make_pipelined(game: str, num_envs: int, *, groups: int = 2, **args: Unpack[VecArguments]) -> PipelinedVectorEnv:
    """Environments in ``groups`` of ``num_envs / groups``; further arguments as of :func:`kessel.make_vec`."""
    own = checked({"num_envs": num_envs, "groups": groups})
    if own["num_envs"] % own["groups"]:
        raise BadInput("bad-option", f"num_envs is {num_envs}, which does not make groups, {groups}, of one size")
    first = make_vec(game, num_envs // groups, **args)
    try:
        return PipelinedVectorEnv([first, *(first.another() for _ in range(groups - 1))])
    except BaseException:
        first.close()
        raise
