"""Datasets of played games, for offline learning and behaviour cloning.

>>> from kessel import data
>>> data.record("pocket-stalingrad", {"soviet": "heuristic:greedy", "german": "commander"}, 100, "runs/greedy")
>>> import minari
>>> dataset = minari.MinariDataset("runs/greedy")

:func:`play` needs only numpy. :func:`record` writes Minari's format and needs ``kessel[minari]``. Minari's format has named
tensors with their spaces, can recreate the environment, and has a viewer and loaders in offline libraries. Its files are HDF5,
or Arrow (``data_format="arrow"``), Parquet's format in memory. RLDS would need TensorFlow.
"""

from __future__ import annotations

import json
import os
from typing import Any, Callable, Iterator, Mapping, NamedTuple

import numpy as np

from .client.batch import Batch
from .client.checks import checked, mapping, refused, whole
from .client.client import Client
from .client.errors import BadInput
from .client.inputs import seed_of
from .client.pipe import pipe_or
from .envs.seats import EXTERNAL
from .envs.spaces import TENSORS, observation_space

Policy = Callable[[dict[str, np.ndarray], np.ndarray], Any]
"""Takes observations ``[n, ...]`` by name and masks int8 ``[n, A]``; returns actions int ``[n]``."""

GAMES_AT_ONCE = 64


class Episode(NamedTuple):
    """The decisions of one side in one game, in their order; T of them."""

    game: int
    """Number of the game; its seed is ``SEED/game``."""
    seat: str
    agent: str
    """Who decided; ``python`` for a function."""
    observations: dict[str, np.ndarray]
    """The four tensors ``[T + 1, ...]``, as this side saw them; the last row after the end."""
    masks: np.ndarray
    """int8 ``[T + 1, A]``: legal actions; the last row is 0."""
    actions: np.ndarray
    """int32 ``[T]``"""
    rewards: np.ndarray
    """float32 ``[T]``: 0 but at the end."""
    decisions: np.ndarray
    """int32 ``[T + 1]``: decisions of all sides in the game before each."""
    terminated: bool
    truncated: bool


def play(
    game: str,
    agents: Mapping[str, str | Policy],
    episodes: int,
    *,
    seats: Any = None,
    seed: int | str = 0,
    options: Mapping[str, Any] | None = None,
    skip_forced: bool = True,
    max_decisions: int | None = None,
    address: str | None = None,
    timeout: float = 60.0,
) -> Iterator[Episode]:
    """Plays games, and yields the episodes of each recorded side.

    Args:
        game: its id.
        agents: by side, an agent of the server (``heuristic:greedy``, ``onnx:FILE``, ``commander``, ``random``) or a
            function, see :data:`Policy`.
        episodes: games.
        seats: sides that are recorded; default: all.
        seed: of dice and agents: the same one plays the same games.
        options, skip_forced, max_decisions, address, timeout: as of :func:`kessel.make`.
    """
    return _Recording(
        game, agents, episodes, seats, seed, options, skip_forced, max_decisions, address, timeout
    ).episodes()


class _Game:
    """A game that is played: what each side saw and did so far."""

    def __init__(self, number: int, sides: int) -> None:
        self.number = number
        self.steps: list[list[tuple[dict[str, np.ndarray], np.ndarray, int, int]]] = [[] for _ in range(sides)]


class _Recording:
    def __init__(
        self,
        game: str,
        agents: Any,
        episodes: int,
        seats: Any,
        seed: int | str,
        options: Mapping[str, Any] | None,
        skip_forced: bool,
        max_decisions: int | None,
        address: str | None,
        timeout: float,
    ) -> None:
        given = checked(
            dict(
                game=game,
                options=options,
                skip_forced=skip_forced,
                max_decisions=max_decisions,
                address=address,
                timeout=timeout,
            )
        )
        self.count: int = whole(1)("episodes", episodes)
        self.seed = seed_of(seed)
        self.size = min(self.count, GAMES_AT_ONCE)
        self.client = Client(pipe_or(given["address"]), given["timeout"])
        try:
            self.about = self.client.describe(game, given["options"])
            self.players: list[str] = self.about["players"]
            self.agents = self._agents(agents)
            self.seats = self._seats(seats)
            self.batch: Batch = self.client.make(
                game,
                self.size,
                options=given["options"],
                seats=dict.fromkeys(self.players, EXTERNAL),
                autoreset="disabled",
                skipForced=given["skip_forced"],
                maxDecisions=given["max_decisions"],
                privileged=True,
                nodes=self.size,
            )
        except BaseException:
            self.client.close()
            raise

    def _agents(self, agents: Any) -> list[str | Policy]:
        if not isinstance(agents, Mapping) or set(agents) != set(self.players):
            raise refused("agents", f"a mapping from {' and '.join(map(repr, self.players))} to agents", agents)
        for side, agent in agents.items():
            if not isinstance(agent, str) and not callable(agent):
                raise refused(f"agents[{side!r}]", "the name of an agent or a function", agent)
        return [agents[p] for p in self.players]

    def _seats(self, seats: Any) -> list[str]:
        wanted = self.players if seats is None else [seats] if isinstance(seats, str) else seats
        if not isinstance(wanted, (list, tuple)) or not wanted or not all(s in self.players for s in wanted):
            raise refused("seats", f"a list of {' and '.join(map(repr, self.players))}", seats)
        return list(wanted)

    def episodes(self) -> Iterator[Episode]:
        try:
            batch, started = self.batch, self.size
            games = [_Game(i, len(self.players)) for i in range(self.size)]
            t = batch.reset(seeds=[f"{self.seed}/{g.number}" for g in games])
            while True:
                over = t["actors"] < 0
                ended = [int(i) for i in np.flatnonzero(over) if games[i].number >= 0]
                for i in ended:
                    yield from self._ended(games[i], i, t)
                    games[i] = _Game(started if started < self.count else -1, len(self.players))
                    started += games[i].number >= 0
                fresh = [i for i in ended if games[i].number >= 0]
                if fresh:
                    t = batch.reset(seeds=[f"{self.seed}/{games[i].number}" for i in fresh], which=fresh)
                    continue
                if all(g.number < 0 for g in games):
                    return
                if over.any():  # environments that nobody plays in any more would refuse a step
                    idle = [int(i) for i in np.flatnonzero(over)]
                    t = batch.reset(seeds=["idle"] * len(idle), which=idle)
                actions = self._choose(games, t)
                for i, game in enumerate(games):
                    if game.number >= 0:
                        seen = {name: t[name][i].copy() for name in TENSORS}
                        step = (seen, t["mask"][i].copy(), int(actions[i]), int(t["decisions"][i]))
                        game.steps[int(t["actors"][i])].append(step)
                t = batch.step(actions)
        finally:
            self.batch.close()
            self.client.close()

    def _choose(self, games: list[_Game], t: Mapping[str, np.ndarray]) -> np.ndarray:
        """An action for each environment; any for those where no game is played."""
        actions: np.ndarray = t["mask"].argmax(axis=1).astype(np.int32)
        at_turn = np.where(t["actors"] >= 0, t["actors"], -1)
        playing = np.array([g.number >= 0 for g in games])
        for side, agent in enumerate(self.agents):
            rows = np.flatnonzero(playing & (at_turn == side))
            if not rows.size:
                continue
            if not isinstance(agent, str):
                seen = {name: t[name][rows] for name in TENSORS}
                actions[rows] = agent(seen, t["mask"][rows].view(np.int8))
                continue
            self.batch.expand(rows, rows, environments=True, tensors=["actors"])
            moment = "/".join(f"{games[i].number}.{t['decisions'][i]}" for i in rows)
            seed = f"{self.seed}/{side}/{moment}"
            chosen = self.batch.playout(rows, policy=agent, depth=1, seed=_short(seed))["actions"]
            actions[rows] = chosen
        return actions

    def _ended(self, game: _Game, i: int, t: Mapping[str, np.ndarray]) -> Iterator[Episode]:
        for side, seat in enumerate(self.players):
            steps = game.steps[side]
            if seat not in self.seats or not steps:
                continue
            last = self.batch.observe(seat, [i])
            agent = self.agents[side]
            rewards = np.zeros(len(steps), np.float32)
            rewards[-1] = t["rewards"][i, side]
            yield Episode(
                game.number,
                seat,
                agent if isinstance(agent, str) else "python",
                {n: np.stack([*(s[0][n] for s in steps), last[n][0].copy()]) for n in TENSORS},
                np.stack([*(s[1] for s in steps), np.zeros_like(steps[0][1])]).view(np.int8),
                np.array([s[2] for s in steps], np.int32),
                rewards,
                np.array([*(s[3] for s in steps), t["decisions"][i]], np.int32),
                bool(t["terminated"][i]),
                bool(t["truncated"][i]),
            )


def _short(seed: str) -> str:
    """A seed of any length as one that a request may carry."""
    import hashlib

    return hashlib.sha256(seed.encode()).hexdigest()


def record(
    game: str,
    agents: Mapping[str, str | Policy],
    episodes: int,
    path: str | os.PathLike[str],
    *,
    seats: Any = None,
    seed: int | str = 0,
    options: Mapping[str, Any] | None = None,
    skip_forced: bool = True,
    max_decisions: int | None = None,
    address: str | None = None,
    timeout: float = 60.0,
    data_format: str = "hdf5",
    description: Mapping[str, Any] | None = None,
) -> Any:
    """Plays games and writes them as a Minari dataset: an episode for each recorded side of each game.

    Observations are those of an environment with ``mask_in_obs=True``: the four tensors and ``action_mask``. ``infos`` have
    ``decisions`` and ``actor`` (index of the side). The dataset's metadata have the game, version, schema, options,
    agents and seed; ``recover_environment`` makes the environment of the first recorded side.

    Args:
        path: a folder that does not exist yet; ``minari.MinariDataset(path)`` reads it.
        data_format: ``hdf5`` or ``arrow``, as Minari knows them.
        description: more metadata, such as author and licence.
        game, agents, episodes and the others: as of :func:`play`.

    Returns:
        the ``minari.MinariDataset``.

    Raises:
        ImportError: without Minari.
        BadInput: for an argument that does not fit, or a folder that exists already.
    """
    try:
        from minari import MinariDataset
        from minari import __version__ as minari_version
        from minari.data_collector.episode_buffer import EpisodeBuffer
        from minari.dataset.minari_storage import MinariStorage
    except ModuleNotFoundError as e:
        raise ImportError(f"kessel.data.record needs {e.name}; install it with: pip install 'kessel[minari]'") from e
    from gymnasium import spaces

    from .envs.registration import spec_of

    if data_format not in ("hdf5", "arrow"):
        raise refused("data_format", "'hdf5' or 'arrow'", data_format)
    more = {} if description is None else mapping("description", description)
    folder = os.fspath(path)
    if os.path.exists(folder):
        raise BadInput("bad-option", f"path is a folder that is not there yet; {folder!r} is")
    recording = _Recording(game, agents, episodes, seats, seed, options, skip_forced, max_decisions, address, timeout)
    about, names = recording.about, {p: a if isinstance(a, str) else "python" for p, a in agents.items()}
    seat = recording.seats[0]
    opponents = {p: a for p, a in names.items() if p != seat and a != "python"}
    spec = spec_of(
        game,
        {
            "seats": {seat: EXTERNAL, **{p: opponents.get(p, "random") for p in names if p != seat}},
            "options": dict(options) if options else None,
            "skip_forced": bool(skip_forced),
            "max_decisions": max_decisions,
            "mask_in_obs": True,
        },
    )
    os.makedirs(os.path.join(folder, "data"))
    storage = MinariStorage.new(
        os.path.join(folder, "data"),
        observation_space=observation_space(about, mask=True),
        action_space=spaces.Discrete(len(about["actions"])),
        env_spec=spec,
        data_format=data_format,
    )
    facts = {
        "game": game,
        "version": about["version"],
        "schema": about["schema"],
        "options": about["chosen"],
        "agents": names,
        "seats": recording.seats,
        "seed": str(seed),
    }
    storage.update_metadata(
        {
            "dataset_id": f"kessel/{game}/{os.path.basename(os.path.normpath(folder))}-v0",
            "minari_version": minari_version,
            "algorithm_name": json.dumps(names),
            "kessel": json.dumps(facts),
            "actions": json.dumps(about["actions"]),
            **more,
        }
    )
    for number, episode in enumerate(recording.episodes()):
        side, T = recording.players.index(episode.seat), len(episode.actions)
        infos = {"decisions": episode.decisions, "actor": np.full(T + 1, side, np.int32)}
        if data_format == "arrow":  # its reader expects a row for each step
            infos = {name: column[:, None] for name, column in infos.items()}
        storage.update_episodes(
            [
                EpisodeBuffer(
                    id=number,
                    options={"seat": episode.seat, "agent": episode.agent, "game": episode.game},
                    observations={**episode.observations, "action_mask": episode.masks},
                    actions=list(episode.actions.astype(np.int64)),
                    rewards=list(episode.rewards),
                    terminations=[k == T - 1 and episode.terminated for k in range(T)],
                    truncations=[k == T - 1 and episode.truncated for k in range(T)],
                    infos=infos,
                )
            ]
        )
    return MinariDataset(os.path.join(folder, "data"))
