"""A game whose seats are all taken by models."""

from __future__ import annotations

from typing import Any, Mapping

from ..client.errors import KesselError
from .illegal import IllegalAnswers
from .server import Answer, ToolServer, refused


class TextTable:
    """One game between models. Your loop plays every seat: two of them, or one in a solitaire game.

        >>> table = TextTable("savage-streets")
        >>> table.reset(seed=7)
        >>> while not table.over:
        ...     player, text = table.observe()
        ...     table.step(models[player](text))
        >>> table.returns

    A player reads what its own seat may know: the map and the situation in full before its first decision, then what
    has happened and changed since its own last one. It never reads the texts and answers of the others.

    An illegal answer changes nothing, and the same player is asked again and reads what was wrong. After ``retries``
    illegal answers in a row it loses the game (``then="lose"``), or a legal action is drawn for it (``then="random"``).
    They are counted for each player.

    Args:
        game: id of a game.
        options: options of the game.
        retries: illegal answers in a row that are allowed for each player.
        then: ``"lose"`` or ``"random"``.
        server: a :class:`ToolServer` to share; by default one is started and closed with this object.

    Attributes:
        seats: names of the sides, in the order of the players' numbers; empty before the first reset.
        over: whether the game is over, as it is before the first reset.
        returns: of each player at the end, 0 before.
        player: the number of the player to move; at the end, of the one who moved last.
        legal: legal actions of the pending decision, 0 at the end.

    Raises:
        KesselError: ``unknown-game``, ``bad-option``, at the first ``reset``; ``bad-config`` for arguments that don't fit.
    """

    def __init__(
        self,
        game: str,
        *,
        options: Mapping[str, Any] | None = None,
        retries: int = 3,
        then: str = "lose",
        server: ToolServer | None = None,
    ) -> None:
        IllegalAnswers(1, retries, then)  # refuses what doesn't fit before a server is started
        self.game = game
        self._retries, self._then = retries, then
        self._wanted = {} if options is None else {"options": dict(options)}
        self._own = server is None
        self.server = ToolServer() if server is None else server
        self.seats: list[str] = []
        self.over = True
        self.returns: list[float] = []
        self.player = 0
        self.legal = 0
        self._sessions: list[str] = []
        self._answers = IllegalAnswers(0, retries, then)
        self._heard: list[list[str]] = []
        self._text = ""
        self._closing: list[str] = []

    @property
    def illegal(self) -> list[int]:
        """Illegal answers of each player since the reset."""
        return self._answers.count

    def reset(self, seed: int | None = None) -> None:
        """Starts the game again. Equal seeds and answers give equal games."""
        seeds = {} if seed is None else {"seed": str(seed)}
        self._give_up()
        begun = self.server.call("new_game", game=self.game, all_seats=True, **self._wanted, **seeds)
        if begun.error:
            raise refused(begun)
        sessions: Mapping[str, str] = begun.facts["sessions"]
        self.seats, self._sessions = list(sessions), list(sessions.values())
        self.returns = [0.0] * len(self.seats)
        self._heard = [[] for _ in self.seats]
        self._answers = IllegalAnswers(len(self.seats), self._retries, self._then)
        self._answers.reset(seed)
        self.over = False
        self._turn(begun.facts["actor"])

    def observe(self) -> tuple[int, str]:
        """The player to decide, and what it reads; the same until it has answered.

        Raises:
            KesselError: ``not-reset`` before a reset and after the end.
        """
        self._check()
        return self.player, self._text

    def step(self, answer: str) -> bool:
        """Answers for the player of :meth:`observe`.

        Returns:
            whether the game is over.

        Raises:
            KesselError: ``not-reset`` before a reset and after the end; ``bad-message`` for an answer that is no text.
        """
        self._check()
        if not isinstance(answer, str):
            raise KesselError("bad-message", f"an answer is a text, not {type(answer).__name__}")
        player, session = self.player, self._sessions[self.player]
        said = self.server.call("act", session=session, action=answer, brief=True)
        if self._answers.forgives(player, said):
            self._text = said.text
            return False
        self._heard[player].append(said.text)
        if said.error:
            said = self._answers.in_place(player, self.server, session, self.legal, brief=True)
            if self._then == "random":
                self._heard[player].append(said.text)
        if said.facts["over"]:
            self._end(said)
        else:
            self._turn(said.facts["actor"])
        return self.over

    def closing(self) -> list[str]:
        """What each player reads at the end: what has happened since its last decision, and the result.

        Raises:
            KesselError: ``not-reset`` while the game goes on.
        """
        if not self.over or not self._sessions:
            raise KesselError("not-reset", "the closing texts come when the game is over")
        return list(self._closing)

    def close(self) -> None:
        """Ends the server if it was started here; otherwise ends the game on it."""
        if self._own:
            self.server.close()
        else:
            self._give_up()

    def _give_up(self) -> None:
        """Ends a game that goes on: the server keeps it nowhere, so it would take its room for good."""
        if not self.over:
            self.over = True
            self.server.call("resign", session=self._sessions[self.player])

    def _check(self) -> None:
        if self.over:
            raise KesselError("not-reset", "the game is over; call reset" if self._sessions else "call reset first")

    def _turn(self, side: str) -> None:
        self.player = self.seats.index(side)
        self._text, facts = self._tell(self.player)
        self.legal = int(facts["legal"])

    def _end(self, said: Answer) -> None:
        self.over, self.legal = True, 0
        self.returns = [float(said.facts["returns"][side]) for side in self.seats]
        self._closing = [self._tell(player)[0] for player in range(len(self.seats))]

    def _tell(self, player: int) -> tuple[str, Mapping[str, Any]]:
        """What the player has not read yet, after what was said to its own answers."""
        told = self.server.call("observe", session=self._sessions[player], changes=True)
        if told.error:
            raise refused(told)
        heard, self._heard[player] = self._heard[player], []
        return "\n".join([*heard, told.text]), told.facts
