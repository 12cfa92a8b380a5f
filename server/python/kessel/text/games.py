"""Games as text, as a Gymnasium environment or as a batch."""

from __future__ import annotations

from typing import Any, Mapping, Sequence

import gymnasium

from ..client.errors import KesselError
from .illegal import IllegalAnswers
from .server import Answer, ToolServer, refused

CHARACTERS = frozenset(map(chr, [9, 10, 13, *range(32, 127), *range(160, 1423), *range(0x2000, 0x2300)]))
"""Characters of observations and of sampled actions."""


class TextBatch:
    """Several games at once, each its own conversation. ``reset`` and ``step`` take and return lists.

    Illegal answers: a text that names no legal action, or more than one, changes nothing; the next observation says what
    was wrong. After ``retries`` of them in a row the game is lost (``then="lose"``) or a legal action is drawn
    (``then="random"``). ``illegal`` counts them per game since its reset.

    Args:
        game: id of a game.
        size: number of games.
        seat: the side that is played; needed in games for two.
        opponent: an agent as ``kessel agents GAME`` names it; by default the strongest.
        options: options of the game.
        retries: illegal answers in a row that are allowed.
        then: ``"lose"`` or ``"random"``.
        shaping: a potential of the game; every reward then has ``gamma * phi(s') - phi(s)`` added, with phi 0 after the end, as
            :class:`kessel.PotentialShaping` does. Potentials read the true state; texts stay as they are.
        gamma: the learner's discount.
        reward: ``"return"``, or ``"progress"``: the reward of a turn is the growth of the seat's progress, in
            hundredths, so that an episode sums to the progress toward victory that it made, from -1 to 1. Progress is 0
            to 100, from the game's standing: 50 when both sides are equally close, 100 for the winner, 0 for a side
            that lost by illegal answers. It reads the true state, as potentials do.
        server: a :class:`ToolServer` to share; by default one is started and closed with this object.

    Raises:
        KesselError: ``unknown-game``, ``bad-seat``, ``bad-agent``, ``bad-option``, at the first ``reset``;
            ``bad-config`` for arguments that don't fit.
    """

    def __init__(
        self,
        game: str,
        size: int,
        seat: str | None = None,
        opponent: str | None = None,
        *,
        options: Mapping[str, Any] | None = None,
        retries: int = 3,
        then: str = "lose",
        shaping: str | None = None,
        gamma: float = 1.0,
        reward: str = "return",
        server: ToolServer | None = None,
    ) -> None:
        if reward not in ("return", "progress"):
            raise KesselError("bad-config", f'reward is "return" or "progress", not {reward!r}')
        if reward == "progress" and shaping is not None:
            raise KesselError("bad-config", 'shaping adds to the return; with reward="progress" leave it out')
        if not 0 <= gamma <= 1:
            raise KesselError("bad-config", f"gamma must be in 0..1, not {gamma}")
        reads = shaping is not None or reward == "progress"
        if reads and server is not None and not server.potentials:
            wanted = "shaping" if shaping is not None else 'reward="progress"'
            raise KesselError("bad-config", f"{wanted} reads the true state; make the server with potentials=True")
        if size < 1:
            raise KesselError("bad-config", f"size is at least 1, not {size}")
        self._answers = IllegalAnswers(size, retries, then)
        self.game, self.size = game, size
        given = {"seat": seat, "opponent": opponent, "options": None if options is None else dict(options)}
        self._wanted = {k: v for k, v in given.items() if v is not None}
        self._seat = seat
        self._own = server is None
        self.server = ToolServer(potentials=reads) if server is None else server
        self._shaping, self._gamma = shaping, 1.0 if reward == "progress" else gamma
        self._by_progress = reward == "progress"
        self._phi = [0.0] * size
        self.sessions: list[str] = [""] * size
        self.over = [True] * size
        self.legal = [0] * size

    @property
    def illegal(self) -> list[int]:
        """Illegal answers of each game since its reset."""
        return self._answers.count

    def reset(self, seed: int | None = None) -> list[str]:
        """Starts all games again. Equal seeds and answers give equal games.

        Returns:
            the map and the first decision of each.
        """
        self._answers.reset(seed)
        seeds = [{} if seed is None else {"seed": f"{seed}/{i}"} for i in range(self.size)]
        self._give_up()
        answers = self.server.call_all("new_game", [{"game": self.game, **self._wanted, **s} for s in seeds])
        for i, answer in enumerate(answers):
            if answer.error:
                raise refused(answer)
            self.sessions[i] = answer.facts["session"]
            self._note(i, answer)
        # the session's id is different each time and means nothing to a model
        return [a.text.partition("\n")[2] for a in answers]

    def step(self, answers: Sequence[str]) -> tuple[list[str], list[float], list[bool]]:
        """Answers each game's decision. Games that are over ignore the answer.

        Returns:
            texts, rewards (the return of the seat at the end, otherwise 0, plus shaping; or as ``reward="progress"``
            says), and which games are over.

        Raises:
            KesselError: ``not-reset``; ``bad-message`` for a wrong number of answers, or one that is no text.
        """
        if not any(self.sessions):
            raise KesselError("not-reset", "call reset first")
        if len(answers) != self.size or not all(isinstance(a, str) for a in answers):
            raise KesselError("bad-message", f"step takes {self.size} texts")
        live = [i for i in range(self.size) if not self.over[i]]
        texts, rewards = ["The game is over."] * self.size, [0.0] * self.size
        said = self.server.call_all("act", [{"session": self.sessions[i], "action": answers[i]} for i in live])
        for i, answer in zip(live, said):
            if self._answers.forgives(i, answer):
                texts[i] = answer.text
                continue
            gave_up = answer.error and self._answers.then == "lose"
            if answer.error:
                given = self._answers.in_place(i, self.server, self.sessions[i], self.legal[i])
                answer = Answer(f"{answer.text}\n{given.text}", False, given.facts)
            before = self._phi[i]
            self._note(i, answer)
            texts[i] = answer.text
            if gave_up and self._by_progress:
                self._phi[i] = 0.0
            rewards[i] = self._gamma * self._phi[i] - before
            if self.over[i] and not self._by_progress:
                rewards[i] += self._return(answer)
        return texts, rewards, list(self.over)

    def close(self) -> None:
        """Ends the server if it was started here; otherwise ends the games on it."""
        if self._own:
            self.server.close()
        else:
            self._give_up()

    def _give_up(self) -> None:
        """Ends games that go on: the server keeps them nowhere, so they would take its room for good."""
        left = [s for s, over in zip(self.sessions, self.over) if s and not over]
        self.over = [True] * self.size
        self.server.call_all("resign", [{"session": s} for s in left])

    def _note(self, i: int, answer: Answer) -> None:
        self.over[i], self.legal[i] = bool(answer.facts["over"]), int(answer.facts["legal"])
        if self._by_progress:
            self._phi[i] = float(answer.facts["progress"]) / 100
        if self._shaping is not None:
            potentials: Mapping[str, float] = answer.facts["potentials"]
            if self._shaping not in potentials:
                raise KesselError("bad-option", f"{self._shaping!r} is no potential; there are {', '.join(potentials)}")
            self._phi[i] = float(potentials[self._shaping])

    def _return(self, answer: Answer) -> float:
        returns: Mapping[str, float] = answer.facts["returns"]
        if len(returns) == 1:
            return float(next(iter(returns.values())))
        return float(returns[answer.facts["seat"]])


class TextEnv(gymnasium.Env[str, str]):
    """One game as text. Observations and actions are texts; see :class:`TextBatch` for what an illegal answer does.

    ``info`` has ``legal`` (number of legal actions) and ``illegal`` (illegal answers since the reset).
    """

    metadata: dict[str, Any] = {"render_modes": ["ansi"]}

    def __init__(self, batch: TextBatch, render_mode: str | None = None) -> None:
        if batch.size != 1:
            raise KesselError("bad-config", f"an environment is one game, not {batch.size}")
        if render_mode not in (None, "ansi"):
            raise KesselError("bad-config", f'render_mode is None or "ansi", not {render_mode!r}')
        self.batch = batch
        self.render_mode = render_mode
        self.observation_space = gymnasium.spaces.Text(1_000_000, min_length=0, charset=CHARACTERS)
        self.action_space = gymnasium.spaces.Text(10_000, min_length=0, charset=CHARACTERS)
        self._text = ""

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[str, dict[str, Any]]:
        super().reset(seed=seed)
        if options:
            raise KesselError("bad-option", "reset takes no options; give them to make_text")
        if seed is None:
            seed = int(self.np_random.integers(2**31))
        (self._text,) = self.batch.reset(seed)
        return self._text, self._info()

    def step(self, action: str) -> tuple[str, float, bool, bool, dict[str, Any]]:
        texts, rewards, over = self.batch.step([action])
        self._text = texts[0]
        return self._text, rewards[0], over[0], False, self._info()

    def render(self) -> str | None:
        return self._text if self.render_mode == "ansi" else None

    def close(self) -> None:
        self.batch.close()

    def _info(self) -> dict[str, Any]:
        batch = self.batch
        return {"legal": batch.legal[0], "illegal": batch.illegal[0]}


def make_text(
    game: str,
    seat: str | None = None,
    opponent: str | None = None,
    *,
    options: Mapping[str, Any] | None = None,
    retries: int = 3,
    then: str = "lose",
    shaping: str | None = None,
    gamma: float = 1.0,
    reward: str = "return",
    render_mode: str | None = None,
    server: ToolServer | None = None,
) -> TextEnv:
    """One game as a Gymnasium environment of texts; arguments as for :class:`TextBatch`."""
    batch = TextBatch(
        game,
        1,
        seat,
        opponent,
        options=options,
        retries=retries,
        then=then,
        shaping=shaping,
        gamma=gamma,
        reward=reward,
        server=server,
    )
    return TextEnv(batch, render_mode)
