"""States that a search in Python walks through, with the methods of OpenSpiel's ``State``."""

from __future__ import annotations

import json
import os
import secrets
from typing import Any, Mapping, NamedTuple, Sequence

import numpy as np

from ..client.batch import Batch
from ..client.checks import checked, names, refused, whole
from ..client.client import Client
from ..client.errors import BadInput, IllegalAction, KesselError
from ..client.frames import Tensors
from ..client.inputs import action_of, actions_of, choice_of, listed
from ..client.pipe import pipe_or
from .seats import EXTERNAL
from .spaces import TENSORS, flatten

CHANCE = -1
"""``current_player`` of a state in which dice decide."""
TERMINAL = -4
"""``current_player`` of a state that is over."""
CHANCES = ("sampled", "explicit")
"""What an action with dice leads to: ``sampled``, one of its results, a new one each time; ``explicit``, a chance
node with all results and their probabilities."""

_LEAN = ("mask", "actors", "rewards")


class Expansion(NamedTuple):
    """What :meth:`Game.expand` returns."""

    states: list[State]
    tensors: Tensors
    """Row by row, as of :meth:`kessel.Batch.expand`."""


class Game:
    """A game to search in: it knows the true state, so agents that must not see it get :meth:`State.resampled` ones.

    Made by :func:`load_game`. Its states are on the server, which drops a state when nothing refers to it here any more.
    States of one game share a connection; one thread at a time may use them.
    """

    def __init__(
        self,
        id: str,
        client: Client,
        batch: Batch,
        actions: list[str],
        chance: str,
        samples: int | None,
        capacity: int,
    ) -> None:
        self.id = id
        self.client = client
        self.batch = batch
        self.actions = actions
        self.players = batch.players
        self.chance = chance
        self.samples = samples
        self.capacity = capacity
        self._free = list(range(capacity - 1, -1, -1))
        self._at: _Node | None = None
        """The node that the batch's environment is a copy of."""
        self._seed = secrets.token_hex(16)
        self._drawn = 0

    def num_players(self) -> int:
        return len(self.players)

    def num_distinct_actions(self) -> int:
        return len(self.actions)

    def new_initial_state(self, seed: int | str | None = None) -> State:
        """A start of the game. ``seed`` decides what the set-up leaves to chance, and all later dice: the same seed and the
        same calls give the same states."""
        self._at = None
        self.batch.reset(seed=seed)
        if seed is not None:
            self._seed, self._drawn = str(seed), 0
        return self._here()

    def state_from(self, position: Mapping[str, Any]) -> State:
        """The state of a complete position document (``Batch.position(whole=True)``)."""
        self._at = None
        self.batch.reset(positions=[position])
        return self._here()

    def expand(self, states: Sequence[State], actions: Any, *, tensors: Sequence[str] | None = None) -> Expansion:
        """Plays ``actions[k]`` in ``states[k]``, all in one round trip. Each row gets new dice.

        Args:
            states: decisions of players.
            actions: int ``[n]``.
            tensors: what to return besides the states, see :meth:`kessel.Batch.expand`; default all: observations,
                masks, policy and value of the net.
        """
        found = _states(states)
        chosen = actions_of(actions, len(found))
        return self._expanded(found, chosen, self._next_seed(), tensors)

    def resample(self, state: State, count: int, *, seed: int | str | None = None) -> list[State]:
        """Samples ``count`` states that fit what the acting player of ``state`` knows. Everything else is random,
        dice too."""
        if not isinstance(state, State):
            raise refused("state", "a State", state)
        most = len(self._free)
        if whole(1)("count", count) > most:
            raise KesselError("limit", f"count is {count}, and {most} states are free; load the game with more nodes")
        wanted = self._next_seed() if seed is None else seed
        return self._expanded([state] * int(count), None, wanted, _LEAN, resample=True).states

    def playout(
        self,
        states: Sequence[State],
        *,
        policy: str = "random",
        depth: int | None = None,
        seed: int | str | None = None,
    ) -> np.ndarray:
        """Plays copies of states to their end on the server; see :meth:`kessel.Batch.playout`.

        Returns:
            the returns, float32 ``[n, players]``.
        """
        numbers = [s._number() for s in _states(states)]
        wanted = self._next_seed() if seed is None else seed
        returns: np.ndarray = self.batch.playout(numbers, policy=policy, depth=depth, seed=wanted)["returns"]
        return returns

    def close(self) -> None:
        self.batch.close()
        self.client.close()

    def _next_seed(self) -> str:
        self._drawn += 1
        return f"{self._seed}/{self._drawn}"

    def _here(self) -> State:
        """The situation of the batch's environment."""
        return self._expanded([0], None, None, _LEAN, environments=True).states[0]

    def _expanded(
        self,
        sources: Sequence[State | int],
        actions: Any,
        seed: int | str | None,
        tensors: Sequence[str] | None,
        *,
        environments: bool = False,
        resample: bool = False,
    ) -> Expansion:
        source = [s._number() if isinstance(s, State) else s for s in sources]
        nodes = [_Node(self) for _ in source]
        t = self.batch.expand(
            source,
            [n.number for n in nodes],
            actions,
            environments=environments,
            resample=resample,
            reseed=seed,
            tensors=None if tensors is None else [*dict.fromkeys((*_LEAN, *(names("tensors", tensors) or ())))],
        )
        masks, actors, rewards = t["mask"].copy(), t["actors"].tolist(), t["rewards"].tolist()
        states = [State(self, n, a, m, r) for n, a, m, r in zip(nodes, actors, masks, rewards)]
        return Expansion(states, t)

    def _go(self, node: _Node) -> None:
        """Brings the batch's environment into the situation of a node."""
        if self._at is not node:
            self._at = None
            self.batch.clone([node.number], [0], nodes=True)
            self._at = node


class _Node:
    """A node of the batch; its number is free again when nothing refers to it."""

    __slots__ = ("number", "_free")

    def __init__(self, game: Game) -> None:
        self._free = game._free
        if not self._free:
            raise KesselError(
                "limit", f"all {game.capacity} states are in use; drop some, or load the game with more nodes"
            )
        self.number = self._free.pop()

    def __del__(self) -> None:
        if hasattr(self, "number"):
            self._free.append(self.number)


class State:
    """A moment of a game: a decision of a player, or the end; with explicit chance also a throw of dice (a chance node).

    With sampled chance an action leads to one of its results, drawn again each time. With explicit chance an action whose
    result depends on dice leads to a chance node, whose outcomes are all results with their probabilities; a chance node has
    no information state and is nobody's decision.
    """

    __slots__ = ("game", "_node", "_actor", "_mask", "_returns", "_legal", "_outcomes", "__weakref__")

    def __init__(
        self,
        game: Game,
        node: _Node | None,
        actor: int,
        mask: np.ndarray | None,
        returns: list[float],
        outcomes: tuple[np.ndarray, np.ndarray] | None = None,
    ) -> None:
        self.game = game
        self._node = node
        self._actor = actor
        self._mask = mask
        self._returns = returns
        self._legal: list[int] | None = None
        self._outcomes = outcomes

    def current_player(self) -> int:
        """Index of the player to decide, :data:`CHANCE` or :data:`TERMINAL`."""
        if self._outcomes is not None:
            return CHANCE
        return TERMINAL if self._actor < 0 else self._actor

    def is_terminal(self) -> bool:
        return self._outcomes is None and self._actor < 0

    def is_chance_node(self) -> bool:
        return self._outcomes is not None

    def legal_actions(self) -> list[int]:
        """Of a chance node, the numbers of its outcomes."""
        return list(self._options())

    def legal_actions_mask(self) -> list[int]:
        legal = set(self._options())
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
        names = self.game.actions
        number = whole(0, len(names if self._outcomes is None else self._outcomes[1]) - 1)("action", action)
        return names[number] if self._outcomes is None else f"outcome {number}"

    def string_to_action(self, text: str) -> int:
        try:
            return self.game.actions.index(text)
        except ValueError:
            raise refused("text", "the name of an action", text) from None

    def child(self, action: Any) -> State:
        """The state after an action, or after an outcome of a chance node."""
        chosen = action_of(action)
        legal = self._options()
        if chosen not in legal:
            raise self._illegal(chosen, len(legal))
        game = self.game
        if self._outcomes is not None:
            return self._outcome(self._outcomes[0][chosen])
        if game.chance == "sampled":
            return game._expanded([self], [chosen], game._next_seed(), _LEAN).states[0]
        game._go(self._place())
        states, probabilities = game.batch.outcomes(0, chosen, game.samples, game._next_seed())
        if len(states) == 1:
            return self._outcome(states[0])
        return State(game, None, CHANCE, None, [], (np.array(states), np.array(probabilities)))

    def _illegal(self, chosen: int, legal: int) -> KesselError:
        if self._outcomes is not None:
            return KesselError("illegal-action", f"outcome {chosen} does not exist; there are {legal}")
        game = self.game
        if self._actor < 0:
            return IllegalAction("illegal-action", f"{game.id}: the game is over; {chosen} was rejected")
        if not 0 <= chosen < len(game.actions):
            return KesselError("bad-action", f"actions of {game.id} are 0 to {len(game.actions) - 1}, not {chosen}")
        name, counted = game.actions[chosen], "1 action is" if legal == 1 else f"{legal} actions are"
        return IllegalAction(
            "illegal-action", f'{game.id}: "{name}" is not legal for {game.players[self._actor]}; {counted}'
        )

    def apply_action(self, action: Any) -> None:
        """As :meth:`child`, in place."""
        after = self.child(action)
        for name in ("_node", "_actor", "_mask", "_returns", "_legal", "_outcomes"):
            setattr(self, name, getattr(after, name))

    def clone(self, reseed: int | str | None = None) -> State:
        """A copy of the state. Children draw new dice anyway; ``reseed`` replaces the dice in the state itself,
        which :meth:`save` shows."""
        if reseed is None:
            twin = State(self.game, self._node, self._actor, self._mask, self._returns, self._outcomes)
            twin._legal = self._legal
            return twin
        return self.game._expanded([self], None, reseed, _LEAN).states[0]

    def resampled(self, seed: int | str) -> State:
        """A random state that fits what the acting player knows. Everything else is random, dice too."""
        return self.game.resample(self, 1, seed=seed)[0]

    def playout(self, policy: str = "random", depth: int | None = None, seed: int | str | None = None) -> list[float]:
        """The returns of a game that is played on from here, see :meth:`Game.playout`."""
        returns: list[float] = self.game.playout([self], policy=policy, depth=depth, seed=seed)[0].tolist()
        return returns

    def save(self) -> np.ndarray:
        """The state as int32 words that :meth:`kessel.Batch.load` takes."""
        self.game._go(self._place())
        return np.array(self.game.batch.save()[0])

    def information_state_string(self, player: int | None = None) -> str:
        """What a player knows, as text. It is equal in all states that the player cannot tell apart. Default: the
        acting player."""
        return json.dumps(self.game.batch.position([0], self._seat(player))[0], sort_keys=True)

    def observation_tensor(self, player: int | None = None) -> np.ndarray:
        """What a player sees, float32 ``[n]``: ``globals``, ``map``, ``units``, ``decision``."""
        seen = self.game.batch.observe(self._seat(player))
        return flatten({name: seen[name][0] for name in TENSORS})

    def _repr_svg_(self) -> str | None:
        """The board as the acting player sees it, for notebooks."""
        if self._outcomes is not None:
            return None
        self.game._go(self._place())
        return self.game.batch.svg()

    def __str__(self) -> str:
        if self._outcomes is not None:
            return f"chance node of {len(self._outcomes[1])} outcomes"
        self.game._go(self._place())
        return self.game.batch.render()

    def _options(self) -> list[int]:
        if self._legal is None:
            if self._outcomes is not None:
                self._legal = list(range(len(self._outcomes[1])))
            else:
                assert self._mask is not None
                self._legal = np.flatnonzero(self._mask).tolist()
                self._mask = None
        return self._legal

    def _outcome(self, words: np.ndarray) -> State:
        game = self.game
        game._at = None
        game.batch.load(np.array(words)[None])
        return game._here()

    def _seat(self, player: int | None) -> str:
        node = self._place()
        players = len(self.game.players)
        actor = self.current_player() if player is None else whole(0, players - 1)("player", player)
        if actor < 0:
            raise KesselError("bad-seat", "nobody acts at the end of a game; say whose view is meant")
        self.game._go(node)
        return self.game.players[actor]

    def _place(self) -> _Node:
        if self._node is None:
            raise KesselError(
                "unsupported", "a chance node is no situation that anybody sees; take one of its outcomes"
            )
        return self._node

    def _number(self) -> int:
        return self._place().number


def _states(states: Any) -> list[State]:
    found: list[Any] = listed(states, "states", "a list of States")
    for state in found:
        if not isinstance(state, State):
            raise refused("states", "a list of States", states)
    if not found:
        raise refused("states", "a list of at least one State", states)
    return found


def load_game(
    game: str,
    *,
    address: str | None = None,
    options: Mapping[str, Any] | None = None,
    chance: str = "sampled",
    samples: int | None = None,
    skip_forced: bool = True,
    nodes: int = 65_536,
    net: str | None = None,
    timeout: float = 60.0,
    server_key: str | None = None,
    keys: str | os.PathLike[str] | None = None,
) -> Game:
    """A game to search in.

    Args:
        chance: see :data:`CHANCES`.
        samples: limit of outcomes of an explicit chance node, drawn at random, for actions with more than the server
            lists; default: all.
        nodes: limit of states in use at a time. The server keeps memory for them, a few hundred bytes to some kilobytes
            each.
        net: an agent of the server with a model, such as ``onnx:FILE`` or ``commander``: :meth:`Game.expand` then returns
            its policy and value.
        address: of a running server; default: one of this process's own, over a pipe.
        options, skip_forced: as of :func:`kessel.make_vec`.
        timeout, server_key, keys: as of :class:`kessel.Client`.
    """
    checked(locals())
    choice_of("chance", chance, CHANCES)
    if samples is not None and chance != "explicit":
        raise BadInput("bad-option", 'samples are outcomes of chance nodes, which there are with chance="explicit"')
    client = Client(pipe_or(address), timeout, server_key, keys)
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
            nodes=nodes,
            net=net,
        )
    except BaseException:
        client.close()
        raise
    return Game(game, client, batch, about["actions"], chance, samples, nodes)
