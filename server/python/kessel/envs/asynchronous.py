"""Environments that return whichever are ready first, as in EnvPool's asynchronous mode."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Any

import numpy as np

from ..client.checks import checked
from ..client.errors import BadInput
from ..client.inputs import choice_of
from .arguments import VecArguments, spelled_out
from .vector import Result, SendRecvEnvs, VectorEnv, make_vec, result_of


class AsyncEnvs(SendRecvEnvs):
    """B environments; ``recv`` returns the K that are ready first. Made by :func:`make_async`.

    Slow environments, in which the server's agents have many decisions to make, delay no others. Equal seeds and equal
    actions give equal episodes.

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
        self._in_flight: deque[int] = deque()

    def async_reset(self, seed: int | str | None = None) -> None:
        """Resets all environments; :meth:`recv` returns the results. Environment i has the random stream ``seed/i``.

        Gives up what was asked before.
        """
        while self._in_flight:
            self._envs.client.give_up(self._in_flight.popleft())
        self._in_flight.append(self._envs.send_reset(seed))

    def send(self, actions: Any, env_id: Any) -> None:
        """Sends actions int ``[n]`` for environments int ``[n]`` that :meth:`recv` returned: for all of them, or for a
        part.

        The server refuses (at the next :meth:`recv`, with ``bad-action`` or ``illegal-action``) environments that the
        caller does not hold, and a number that leaves the server with fewer than K.
        """
        self._in_flight.append(self.batch.send_some(actions, env_id))

    def recv(self) -> Result:
        """Returns observations, rewards, terminations, truncations, info of K environments, all ``[K, ...]``.

        ``info["env_id"]`` int32 ``[K]`` identifies them; rewards and flags are 0 after a reset.
        """
        if not self._in_flight:
            raise ValueError("no request is in flight: send actions, or reset")
        tensors = self.batch.receive(self._in_flight.popleft()).tensors
        while len(self._in_flight) < self.ahead:
            self._in_flight.append(self.batch.send_some(_EMPTY, _EMPTY))
        env_id = tensors["environments"]
        result = result_of(tensors, self._envs.own, self._actors[env_id], self._envs.mask_in_obs)
        self._actors[env_id] = tensors["actors"]
        result[4]["env_id"] = env_id
        return result

    def close(self) -> None:
        self._envs.close()


if TYPE_CHECKING:
    from typing_extensions import Unpack

_EMPTY = np.zeros(0, np.int32)


@spelled_out(VecArguments)
def make_async(game: str, num_envs: int, batch_size: int, *, ahead: int = 0, **args: Unpack[VecArguments]) -> AsyncEnvs:
    """Environments whose results arrive ``batch_size`` at a time, in the order in which they are ready.

    Args:
        num_envs: B; two to four times ``batch_size`` is best: more environments mean less waiting for agents.
        batch_size: K.
        ahead: number of further results requested before the current ones are answered, so that the server works while
            the policy computes. The caller then holds up to ``(ahead + 1) * batch_size`` environments.
        args: as of :func:`kessel.make_vec`; ``autoreset`` is ``next-step`` or ``same-step``, ``illegal`` is ``raise``.
    """
    own = checked({"num_envs": num_envs, "batch_size": batch_size, "ahead": ahead})
    choice_of("illegal", args.get("illegal", "raise"), ("raise",))  # environments are not all there at once
    held = (own["ahead"] + 1) * own["batch_size"]
    if held > own["num_envs"]:
        raise BadInput(
            "bad-option",
            f"num_envs is {num_envs}, and with batch_size {batch_size} and ahead {ahead} the caller would hold {held}",
        )
    return AsyncEnvs(make_vec(game, num_envs, _ready=batch_size, **args), batch_size, ahead)
