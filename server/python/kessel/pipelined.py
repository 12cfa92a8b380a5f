"""Environments in groups, so that some step while the caller thinks about others."""

from __future__ import annotations

from collections import deque
from typing import Any

import numpy as np

from .vector import Received, Result, VectorEnv, make_vec


class PipelinedVectorEnv(Received):
    """B environments in equal groups, each a batch of its own, stepped independently. Made by :func:`make_pipelined`.

    ``recv`` gives whichever group is ready first, ``send`` hands its actions back. Where agents of the server take their time,
    :func:`make_async` waits for none of them.

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
        self._ids = [np.arange(k * self.group_size, (k + 1) * self.group_size, dtype=np.int32) for k in range(len(groups))]
        self._waiting: deque[tuple[int, int]] = deque()
        """Group and request, in the order in which they were sent."""

    def async_reset(self, seed: int | str | None = None) -> None:
        """Starts new episodes everywhere; results come by :meth:`recv`. Environment i of all has the stream ``seed/g/i``."""
        while self._waiting:
            self.recv()
        for g, group in enumerate(self.groups):
            self._waiting.append((g, group.send_reset(None if seed is None else f"{seed}/{g}")))

    def send(self, actions: Any, env_id: np.ndarray) -> None:
        """Actions int ``[K]`` for the group whose ``env_id`` came with :meth:`recv`."""
        g = int(env_id[0]) // self.group_size
        if any(waiting == g for waiting, _ in self._waiting):
            raise ValueError(f"group {g} is stepping; receive it first")
        self._waiting.append((g, self.groups[g].send_step(actions)))

    def recv(self) -> Result:
        """Observations, rewards, terminations, truncations, info of the group that is ready first, all ``[K, ...]``.

        ``info["env_id"]`` int32 ``[K]`` says which environments they are; rewards and flags are 0 after a reset.
        """
        if not self._waiting:
            raise ValueError("nothing is on its way: send actions, or reset")
        client = self.groups[0].client
        ready = client.first([id for _, id in self._waiting])
        k = next(k for k, (_, id) in enumerate(self._waiting) if id == ready)
        g, id = self._waiting[k]
        del self._waiting[k]
        result = self.groups[g].receive(id)
        result[4]["env_id"] = self._ids[g]
        return result

    def close(self) -> None:
        for group in self.groups:
            group.batch.close()
        self.groups[0].client.close()


def make_pipelined(game: str, num_envs: int, *, groups: int = 2, **args: Any) -> PipelinedVectorEnv:
    """Environments in ``groups`` of ``num_envs / groups``; further arguments as of :func:`kessel.make_vec`."""
    if groups < 1 or num_envs % groups:
        raise ValueError(f"{num_envs} environments don't make {groups} equal groups")
    first = make_vec(game, num_envs // groups, **args)
    try:
        return PipelinedVectorEnv([first, *(first.another() for _ in range(groups - 1))])
    except BaseException:
        first.close()
        raise
