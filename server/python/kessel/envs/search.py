"""States that a search in Python walks through, with the methods of OpenSpiel's ``State``."""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from ..client.batch import Batch
from ..client.client import Client
from ..client.errors import KesselError
from ..client.frames import Tensors
from ..client.inputs import action_of
from .seats import EXTERNAL
from .spaces import TENSORS, flatten

CHANCE = -1
"""``current_player`` of a state in which dice decide."""
TERMINAL = -4
"""``current_player`` of a state that is over."""


class Game:
    """A game to search in: it knows the true state, so agents that must not see it get :meth:`State.resampled` ones.

    Made by :func:`load_game`. States of one game share a connection; one thread at a time may use them.
    """

    def __init__(self, client: Client, batch: Batch, actions: list[str], samples: int | None) -> None:
        self.client = client
        self.batch = batch
        self.actions = actions
        self.players = batch.players
        self.samples = samples
        self._at: bytes | None = None
        """The state that the batch is in."""
        self._tensors: Tensors = {}

    def num_players(self) -> int:
        return len(self.players)

    def num_distinct_actions(self) -> int:
        return len(self.actions)

    def new_initial_state(self, seed: int | str | None = None) -> State:
        """A start of the game; ``seed`` decides what its set-up leaves to chance."""
        self._tensors = self.batch.reset(seed=seed)
        return self._state()

    def state_from(self, position: dict[str, Any]) -> State:
        """The state of a complete position document (``Batch.position(whole=True)``)."""
        self._tensors = self.batch.reset(positions=[position])
        return self._state()

    def close(self) -> None:
        self.batch.close()
        self.client.close()

    def _state(self) -> State:
        words = np.array(self.batch.save()[0])
        self._at = words.tobytes()
        return State(self, words)

    def _go(self, words: np.ndarray) -> Tensors:
        """Brings the batch into a state."""
        if self._at is None:
            self.batch.reset()
        key = words.tobytes()
        if self._at != key:
            self._at = b""
            self._tensors = self.batch.load(words[None])
            self._at = key
        return self._tensors


class State:
    """A moment of a game: a decision of a player, a throw of dice (a chance node), or the end.

    An action whose result depends on dice leads to a chance node, whose outcomes are all results with their
    probabilities; a chance node has no information state and is nobody's decision.
    """

    def __init__(
        self, game: Game, words: np.ndarray | None, outcomes: tuple[np.ndarray, np.ndarray] | None = None
    ) -> None:
        self.game = game
        self._words = words
        self._outcomes = outcomes
        self._actor: int | None = None
        self._legal: list[int] = []
        self._returns: list[float] = []

    def current_player(self) -> int:
        """Index of the player to decide, :data:`CHANCE` or :data:`TERMINAL`."""
        if self._outcomes is not None:
            return CHANCE
        if self._actor is None:
            t = self._tensors()
            self._actor = int(t["actors"][0])
            self._legal = [int(a) for a in np.flatnonzero(t["mask"][0])]
            self._returns = [float(r) for r in t["rewards"][0]]
        return TERMINAL if self._actor < 0 else self._actor

    def is_terminal(self) -> bool:
        return self.current_player() == TERMINAL

    def is_chance_node(self) -> bool:
        return self._outcomes is not None

    def legal_actions(self) -> list[int]:
        """Of a chance node, the numbers of its outcomes."""
        if self._outcomes is not None:
            return list(range(len(self._outcomes[1])))
        self.current_player()
        return list(self._legal)

    def legal_actions_mask(self) -> list[int]:
        legal = set(self.legal_actions())
        return [int(a in legal) for a in range(len(self.game.actions))]

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Numbers of the outcomes of a chance node, with their probabilities."""
        if self._outcomes is None:
            raise KesselError("unsupported", "only a chance node has outcomes; this state is a decision or the end")
        return [(k, float(p)) for k, p in enumerate(self._outcomes[1])]

    def returns(self) -> list[float]:
        """The result for each player; zeros until the end."""
        return list(self._returns) if self.is_terminal() else [0.0] * len(self.game.players)

    def action_to_string(self, action: int) -> str:
        return f"outcome {action}" if self._outcomes is not None else self.game.actions[action]

    def string_to_action(self, text: str) -> int:
        return self.game.actions.index(text)

    def child(self, action: Any) -> State:
        """The state after an action, or after an outcome of a chance node."""
        chosen = action_of(action)
        if chosen not in self.legal_actions():
            raise KesselError(
                "illegal-action", f"{chosen} is none of the {len(self.legal_actions())} legal actions here"
            )
        game = self.game
        if self._outcomes is not None:
            return State(game, np.array(self._outcomes[0][chosen]))
        self._tensors()
        states, probabilities = game.batch.outcomes(0, chosen, game.samples, None if game.samples is None else 0)
        if len(states) == 1:
            return State(game, np.array(states[0]))
        return State(game, None, (np.array(states), np.array(probabilities)))

    def apply_action(self, action: Any) -> None:
        """As :meth:`child`, in place."""
        after = self.child(action)
        self._words, self._outcomes, self._actor = after._words, after._outcomes, None

    def clone(self) -> State:
        return State(self.game, self._words, self._outcomes)

    def resampled(self, seed: int | str) -> State:
        """A random state that fits what the acting player knows: all he doesn't know is dealt anew, dice too."""
        self._tensors()
        return State(self.game, np.array(self.game.batch.resample(seed)[0]))

    def information_state_string(self, player: int | None = None) -> str:
        """What a player knows, as text: equal in all states that he can't tell apart. Default: the acting player."""
        return json.dumps(self.game.batch.position([0], self._seat(player))[0], sort_keys=True)

    def observation_tensor(self, player: int | None = None) -> np.ndarray:
        """What a player sees, float32 ``[n]``: ``globals``, ``map``, ``units``, ``decision``."""
        seen = self.game.batch.observe(self._seat(player))
        return flatten({name: seen[name][0] for name in TENSORS})

    def __str__(self) -> str:
        if self._outcomes is not None:
            return f"chance node of {len(self._outcomes[1])} outcomes"
        self._tensors()
        return self.game.batch.render()

    def _seat(self, player: int | None) -> str:
        self._tensors()
        actor = self.current_player() if player is None else player
        if actor < 0:
            raise KesselError("bad-seat", "nobody acts at the end of a game; say whose view is meant")
        return self.game.players[actor]

    def _tensors(self) -> Tensors:
        if self._words is None:
            raise KesselError(
                "unsupported", "a chance node is no situation that anybody sees; take one of its outcomes"
            )
        return self.game._go(self._words)


def load_game(
    game: str,
    *,
    address: str | None = None,
    options: dict[str, Any] | None = None,
    samples: int | None = None,
    skip_forced: bool = True,
    **connection: Any,
) -> Game:
    """A game to search in.

    Args:
        samples: chance nodes hold so many random outcomes, for actions with more than the server lists; default: all.
        address, options, skip_forced: as of :func:`kessel.make_vec`.
        connection: as of :class:`kessel.Client`.
    """
    client = Client(address, **connection)
    try:
        about = client.describe(game, options)
        batch = client.make(
            game,
            1,
            options=options,
            seats=dict.fromkeys(about["players"], EXTERNAL),
            autoreset="disabled",
            skipForced=skip_forced,
            privileged=True,
        )
    except BaseException:
        client.close()
        raise
    return Game(client, batch, about["actions"], samples)
