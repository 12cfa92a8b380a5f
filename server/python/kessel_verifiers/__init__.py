"""Games of Kessel as a taskset and an environment of ``verifiers``, under the id ``kessel-verifiers``:

    vf-eval kessel-verifiers --env.taskset.game pocket-stalingrad --env.taskset.seat german -n 20 --no-push \\
      -m MODEL --client.base-url http://127.0.0.1:8000/v1

The game plays the user: each answer of the model is its action, the next observation comes back as the user's turn, and the end of
the game ends the conversation. Reward: the return of the seat; with ``shaping`` or ``reward="progress"`` the sum of the turns' rewards, each of
which is in ``trace.info["rewards"]``. See :func:`kessel.text.load_environment`.
"""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Iterator
from typing import Any, Literal

import verifiers.v1 as vf
from pydantic import Field

from kessel.text import TextBatch, ToolServer, load_environment

__all__ = ["KesselEnv", "KesselTaskset", "load_environment"]

ANSWER = "Answer each decision with the number or the name of a legal action; end with one line: Action: NUMBER"


class KesselConfig(vf.TasksetConfig):
    game: str = "pocket-stalingrad"
    seat: str | None = None
    """The side that is played; needed in games for two."""
    opponent: str | None = None
    """An agent as `kessel agents GAME` names it; by default the strongest."""
    options: dict[str, Any] = Field(default_factory=dict)
    """Options of the game."""
    rules: Literal["none", "short", "medium", "long"] = "short"
    """How much of the rules is in the system prompt."""
    retries: int = 3
    """Illegal answers in a row that are forgiven."""
    then: Literal["lose", "random"] = "lose"
    shaping: str | None = None
    """A potential of the game that shapes rewards."""
    gamma: float = 1.0
    reward: Literal["return", "progress"] = "return"
    """What is scored: the return, or by how much the side's progress grew (`kessel.text.TextBatch`)."""
    first_seed: int = 0


class KesselData(vf.TaskData):
    game: dict[str, Any]
    """Arguments of `kessel.text.TextBatch`."""
    seed: int


class KesselTask(vf.Task[KesselData, vf.State, vf.TaskConfig]):
    pass


class KesselTaskset(vf.Taskset[KesselTask, KesselConfig]):
    """One task a seed, without end."""

    INFINITE = True

    def load(self) -> Iterator[KesselTask]:
        config = self.config
        chosen = config.model_dump(
            include={"game", "seat", "opponent", "options", "retries", "then", "shaping", "gamma", "reward"}
        )
        rules = ""
        if config.rules != "none":
            server = ToolServer()
            try:
                rules = server.call("rules", game=config.game, length=config.rules).text + "\n"
            finally:
                server.close()
        for seed in itertools.count(config.first_seed):
            data = KesselData(
                name=f"{config.game}#{seed}", system_prompt=f"{rules}{ANSWER}", prompt=None, game=chosen, seed=seed
            )
            yield KesselTask(data, config.task)


PLAYER: dict[str, Any] = {"harness": {"id": "null"}, "runtime": {"type": "subprocess"}}
"""The model alone, without tools, in a process of this machine: nothing of what it says is run."""


class KesselEnvConfig(vf.EnvConfig):
    player: vf.AgentConfig = vf.AgentConfig.model_validate(PLAYER)


class KesselEnv(vf.Env[KesselEnvConfig]):
    """Conversations share one server; each is a game of its own."""

    _server: ToolServer | None = None

    async def start(self) -> None:
        chosen = self.config.taskset.model_dump()
        reads = chosen.get("shaping") is not None or chosen.get("reward") == "progress"
        self._server = await asyncio.to_thread(ToolServer, potentials=reads)

    async def stop(self) -> None:
        if self._server is not None:
            await asyncio.to_thread(self._server.close)
            self._server = None

    async def run(self, task: KesselTask, agents: Any) -> None:
        chosen = dict(task.data.game)
        batch = TextBatch(chosen.pop("game"), 1, server=self._server, **chosen)
        (text,) = await asyncio.to_thread(batch.reset, task.data.seed)
        rewards: list[float] = []
        async with agents.player.interaction(task) as interaction:
            segment = await interaction.turn(text)
            while not segment.terminated:
                texts, gained, over = await asyncio.to_thread(batch.step, [segment.last_reply])
                rewards.append(gained[0])
                if over[0]:
                    break
                segment = await interaction.turn(texts[0])
        trace = interaction.trace
        trace.info["rewards"] = rewards
        trace.record_reward(task.data.game["reward"], sum(rewards), 1.0)
        trace.record_metric("illegal", float(batch.illegal[0]))
        trace.record_metric("finished", float(batch.over[0]))
