"""Environments of which the caller gets whichever are ready first, as in EnvPool's asynchronous mode."""

from __future__ import annotations

from collections import deque
from typing import Any

import numpy as np

from .vector import Received, Result, VectorEnv, make_vec, result_of


class AsyncEnvs(Received):
    """B environments, of which ``recv`` gives the K that are ready first. Made by :func:`make_async`.

    Nobody waits for the slowest: environments in which the server's agents have many decisions to make come later, and the
    agents are asked for all of them at once. The same seed and the same actions give the same play.

        >>> envs = kessel.make_async("pocket-stalingrad", num_envs=1024, batch_size=256, opponent="onnx:pocket-stalingrad/commander.onnx")
        >>> envs.async_reset(seed=7)
        >>> while training:
        ...     obs, reward, terminated, truncated, info = envs.recv()
        ...     envs.send(policy(obs, info["action_mask"]), info["env_id"])
    """

    def __init__(self, envs: VectorEnv, batch_size: int, ahead: int) -> None:
        super().__init__(envs)
        self._envs = envs
        self.batch = envs.batch
        self.batch_size = batch_size
        self.ahead = ahead
        self.num_envs = envs.num_envs
        self._actors: np.ndarray = np.zeros(envs.num_envs, np.int32)
        self._waiting: deque[int] = deque()

    def async_reset(self, seed: int | str | None = None) -> None:
        """Starts new episodes everywhere; results come by :meth:`recv`. Environment i has the stream ``seed/i``."""
        while self._waiting:
            self.batch.receive(self._waiting.popleft())
        self._waiting.append(self._envs.send_reset(seed))

    def send(self, actions: Any, env_id: Any) -> None:
        """Actions int ``[n]`` for environments int ``[n]`` that came with :meth:`recv`: all of them, or some now and others later.

        The server refuses (at the next :meth:`recv`, with ``bad-action`` or ``illegal-action``) environments that the caller
        has not in hand, and a number that leaves it with fewer than K.
        """
        self._waiting.append(self.batch.send_some(actions, env_id))

    def recv(self) -> Result:
        """Observations, rewards, terminations, truncations, info of K environments, all ``[K, ...]``.

        ``info["env_id"]`` int32 ``[K]`` says which they are; rewards and flags are 0 after a reset.
        """
        if not self._waiting:
            raise ValueError("nothing is on its way: send actions, or reset")
        tensors = self.batch.receive(self._waiting.popleft()).tensors
        while len(self._waiting) < self.ahead:
            self._waiting.append(self.batch.send_some(_NONE, _NONE))
        env_id = tensors["environments"]
        result = result_of(tensors, self._envs.own, self._actors[env_id])
        self._actors[env_id] = tensors["actors"]
        result[4]["env_id"] = env_id
        return result

    def close(self) -> None:
        self._envs.close()


_NONE = np.zeros(0, np.int32)


def make_async(game: str, num_envs: int, batch_size: int, *, ahead: int = 0, **args: Any) -> AsyncEnvs:
    """Environments whose results come ``batch_size`` at a time, those first that are ready first.

    Args:
        num_envs: B, best twice to four times ``batch_size``: the more, the less waits for agents.
        batch_size: K.
        ahead: results that are asked for before the ones in hand are answered, so that the server works while the caller
            thinks; takes ``(ahead + 1) * batch_size`` of the environments out of the server's hands.
        args: as of :func:`kessel.make_vec`; ``autoreset`` is ``next-step`` or ``same-step``.
    """
    if ahead < 0 or (ahead + 1) * batch_size > num_envs:
        raise ValueError(f"{num_envs} environments are too few for {ahead + 1} times {batch_size} in the caller's hands")
    return AsyncEnvs(make_vec(game, num_envs, _ready=batch_size, **args), batch_size, ahead)
