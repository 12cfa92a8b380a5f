"""Episodes that start from positions of recorded games, such as late ones."""

from __future__ import annotations

from typing import Any, Callable, Mapping, Sequence

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode

from ..client.errors import BadInput
from .masks import sample
from .vector import Observation, make_vec

Choose = Callable[[Observation, np.ndarray], Any]


def positions_of(
    replays: Sequence[Mapping[str, Any]], late: tuple[float, float] = (0.5, 0.9), *, seed: int = 0, **args: Any
) -> list[dict[str, Any]]:
    """One complete position of each recorded game.

    Args:
        replays: documents of :meth:`kessel.Batch.replay`, or of ``kessel games show``'s files. All of one game.
        late: bounds of the part of its decisions that was played, from 0 to 1; each game draws its own.
        seed: of that draw.
        args: ``address``, ``data``, ``timeout``, ``server_key``, ``keys``, as of :func:`kessel.make_vec`.

    Raises:
        BadInput: for a replay whose dice do not follow from its seed.
        ValueError: for bounds that are no part of a game.
    """
    if not 0 <= late[0] <= late[1] <= 1:
        raise ValueError(f"late is a part of a game, two numbers that rise from 0 to 1, not {late}")
    rng = np.random.default_rng(seed)
    return [_position(replay, rng.uniform(*late), args) for replay in replays]


def _position(replay: Mapping[str, Any], part: float, args: Mapping[str, Any]) -> dict[str, Any]:
    if "dice" in replay:
        raise BadInput("bad-replay", "the replay's dice do not follow from its seed; play it with `kessel games show`")
    envs = make_vec(
        replay["game"],
        options=replay["options"],
        skip_forced=False,
        autoreset="disabled",
        privileged=True,
        version=replay["version"],
        **args,
    )
    try:
        start = {"positions": [replay["position"]]} if "position" in replay else None
        envs.reset(seed=[replay["seed"]], options=start)
        numbers = {name: k for k, name in enumerate(envs.actions)}
        for action in replay["actions"][: int(part * max(0, len(replay["actions"]) - 1))]:
            envs.step([numbers[action]])
        return envs.batch.position(whole=True)[0]
    finally:
        envs.close()


def play_for_positions(
    game: str,
    games: int = 64,
    late: tuple[float, float] = (0.5, 0.9),
    *,
    choose: Choose | None = None,
    seed: int = 0,
    **args: Any,
) -> list[dict[str, Any]]:
    """Plays games and returns a complete position of each, see :func:`positions_of`.

    Args:
        choose: takes observations and masks int8 ``[B, A]``, returns actions int ``[B]``; default: random ones.
        args: ``seat``, ``opponent``, ``options``, ``address`` etc., as of :func:`kessel.make_vec`.
    """
    rng = np.random.default_rng(seed)
    envs = make_vec(game, games, autoreset="next-step", privileged=True, record=True, **args)
    replays: dict[int, dict[str, Any]] = {}
    try:
        obs, info = envs.reset(seed=seed)
        while len(replays) < games:
            mask = info["action_mask"]
            obs, _, terminated, truncated, info = envs.step(sample(mask, rng) if choose is None else choose(obs, mask))
            for i in map(int, np.flatnonzero(terminated | truncated)):
                if i not in replays:
                    replays[i] = envs.batch.replay(i)
    finally:
        envs.close()
    server = {k: args[k] for k in ("address", "data", "timeout", "server_key", "keys") if k in args}
    return positions_of([replays[i] for i in range(games)], late, seed=seed, **server)


class StartVector(gymnasium.vector.VectorWrapper):
    """A :class:`kessel.VectorEnv` whose episodes start from positions; like one with autoreset ``same-step``.

    Args:
        env: made with ``privileged=True, autoreset="disabled"``.
        positions: complete ones, such as those of :func:`play_for_positions`. May be replaced at any time.
        share: part of the episodes that start from one; the others start from the beginning.

    Raises:
        ValueError: for another autoreset mode, no positions, or a share outside 0..1.
    """

    def __init__(
        self,
        env: gymnasium.vector.VectorEnv[Any, Any, Any],
        positions: Sequence[Mapping[str, Any]],
        share: float = 1.0,
    ) -> None:
        super().__init__(env)
        inner: Any = env
        if inner.batch.autoreset != "disabled":
            raise ValueError("episodes are started here; make the environments with autoreset='disabled'")
        if len(positions) == 0 or not 0 <= share <= 1:
            raise ValueError(f"it takes a position or more and a share from 0 to 1, not {len(positions)} and {share}")
        self.positions, self.share = positions, share
        self.metadata = {**env.metadata, "autoreset_mode": AutoresetMode.SAME_STEP}
        self.autoreset_mode = AutoresetMode.SAME_STEP
        self._rng = np.random.default_rng()

    def reset(self, *, seed: Any = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        if options:
            raise BadInput(
                "bad-option", f"episodes start from positions; reset takes no options, not {', '.join(options)}"
            )
        if seed is not None:
            self._rng = np.random.default_rng([*str(seed).encode()])
        obs, info = self.env.reset(seed=seed)
        return self._start(np.ones(self.num_envs, np.bool_), (obs, info))

    def step(self, actions: Any) -> tuple[Any, Any, Any, Any, dict[str, Any]]:
        obs, rewards, terminated, truncated, info = self.env.step(actions)
        over = terminated | truncated
        if over.any():
            final = np.full(self.num_envs, None, object)
            for i in np.flatnonzero(over):
                final[i] = {name: values[i] for name, values in obs.items()}
            obs, begun = self._start(over, self.env.reset(options={"reset_mask": over}))
            info = {**begun, "rewards": info["rewards"], "final_obs": final, "_final_obs": over}
        return obs, rewards, terminated, truncated, info

    def _start(self, new: np.ndarray, begun: tuple[Any, dict[str, Any]]) -> tuple[Any, dict[str, Any]]:
        """Moves some of the episodes that have begun to a position."""
        chosen = new & (self._rng.random(self.num_envs) < self.share)
        for _ in range(100):
            if not chosen.any():
                return begun
            drawn = [self.positions[k] for k in self._rng.integers(len(self.positions), size=int(chosen.sum()))]
            begun = self.env.reset(options={"reset_mask": chosen, "positions": drawn})
            chosen = chosen & (begun[1]["actor"] < 0)  # opponents ended it before there was anything to decide
        raise BadInput("bad-position", "opponents end the episodes from 100 positions in a row before any decision")
