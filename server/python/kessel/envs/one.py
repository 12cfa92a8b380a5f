"""One environment on a server, the common part of the Gymnasium and PettingZoo interfaces."""

from __future__ import annotations

from typing import Any, Mapping, Sequence

import numpy as np

from ..client.batch import Batch
from ..client.checks import checked, known
from ..client.client import borrow, give_back
from ..client.errors import IllegalAction, KesselError
from ..client.frames import Tensors
from ..client.inputs import action_of, options_of
from ..client.pipe import pipe_or
from .human import Window
from .render import METADATA_OF_ONE, rendered
from .seats import seats_from
from .spaces import TENSORS, check_version

ARGUMENTS = (
    *("address", "seat", "opponent", "seats", "options", "skip_forced", "max_decisions", "privileged", "potentials"),
    *("record", "dtype", "data", "timeout", "server_key", "keys", "illegal", "version"),
)
"""Keywords of :func:`kessel.make`, :func:`kessel.aec_env` and :func:`kessel.parallel_env` besides their own."""

_PETTINGZOO = ("render_mode", "max_cycles", "flat", "mask_in_obs")
OWN = {
    "make": ("render_mode", "autoreset", "mask_in_obs"),
    "aec_env": _PETTINGZOO,
    "parallel_env": (*_PETTINGZOO, "idle_mask"),
}
"""Their own, which never reach :class:`OneGame`."""


class OneGame:
    """A batch of one environment without autoreset.

    Args:
        human: a page shows the board after every reset and step.
    """

    def __init__(self, game: str, args: Mapping[str, Any], function: str = "make", human: bool = False) -> None:
        known(function, args, (*OWN[function], *ARGUMENTS))
        given = checked({"game": game, **args})
        self.illegal: str = given.get("illegal", "raise")
        self.dtype: str = given.get("dtype", "float32")
        self.made: dict[str, Any] = {}
        """Arguments of :meth:`kessel.Client.make` for the batch."""
        self.client = borrow(
            self, pipe_or(given.get("address")), given.get("timeout", 60.0), given.get("server_key"), given.get("keys")
        )
        try:
            self.description = self.client.describe(game, given.get("options"), given.get("data"))
            check_version(self.description, given.get("version"))
            seats = (given.get(name) for name in ("seat", "opponent", "seats"))
            self.made = dict(
                game=game,
                size=1,
                seats=seats_from(self.description["players"], *seats),
                autoreset="disabled",
                dtype=self.dtype,
                **{_WIRE_NAMES.get(name, name): given[name] for name in _MADE if name in given},
            )
            self.batch: Batch = self.client.make(**self.made)
        except BaseException:
            give_back(self, self.client)
            raise
        self.players: list[str] = self.batch.players
        self.seats: list[str] = self.batch.external
        self.actions: list[str] = self.description["actions"]
        self.terminated = False
        self.truncated = False
        self.rewards = np.zeros(len(self.players), np.float32)
        self._tensors: Tensors = {}
        self._asked: dict[str, int] = {}
        """Requests that :meth:`observation_of` will receive, by seat."""
        self._human = human
        self._window: Window | None = None

    def reset(self, seed: int | None, options: Mapping[str, Any] | None = None) -> None:
        """Starts an episode in which the caller has a decision; skips episodes that opponents end before that.

        Args:
            options: ``position``: a document to start from (privileged).
        """
        self._forget()
        position = options_of(options, ("position",)).get("position")
        self._update(self.batch.reset(seed=seed, positions=None if position is None else [position]))
        for _ in range(1000):
            if not self.over:
                self._show()
                return
            self._update(self.batch.reset())
        raise KesselError("bad-seat", f"{' and '.join(self.seats)} had no decision in 1000 episodes")

    def step(self, action: Any, rng: np.random.Generator, seats: Sequence[str] = ()) -> bool:
        """Plays an action of the acting player. Returns whether it was illegal.

        Args:
            seats: also fetches what these see afterwards, for :meth:`observation_of`.
        """
        action = action_of(action)
        self._forget()
        if not self._tensors or self.over:
            raise KesselError("not-reset", "the episode is over; reset first" if self._tensors else "reset first")
        illegal = not (0 <= action < len(self.actions) and self.mask[action])
        if illegal and self.illegal == "lose":
            self._tensors = {
                name: t.copy() for name, t in self._tensors.items()
            }  # arrays that were returned belong to the caller
            self.terminated = True
            self.rewards = np.full(len(self.players), 1.0, np.float32)
            self.rewards[self.actor] = -1.0
            self._show()
            return True
        if illegal and self.illegal == "random":
            action = int(rng.choice(np.flatnonzero(self.mask)))

        def step() -> Tensors:
            sent = self.batch.send_step([action])
            self._asked = {seat: self.batch.send("observe", seat=seat) for seat in seats}
            return self.batch.receive(sent).tensors

        try:
            self._update(self.batch.stepped(step))
        except IllegalAction as e:
            raise e.advised(_ADVICE) from None
        self._show()
        return illegal

    def load(self, saved: np.ndarray) -> None:
        """Takes over a saved state (privileged)."""
        self._forget()
        self.batch.reset()
        self._update(self.batch.load(saved))
        self._show()

    def _forget(self) -> None:
        """Gives up requests whose replies nobody has read: they are outdated, or repeat that the connection broke."""
        for request in self._asked.values():
            self.client.give_up(request)
        self._asked = {}

    def _update(self, t: Tensors) -> None:
        self._tensors = t
        self.terminated = bool(t["terminated"][0])
        self.truncated = bool(t["truncated"][0])
        self.rewards = t["rewards"][0]

    @property
    def over(self) -> bool:
        return self.terminated or self.truncated

    @property
    def actor(self) -> int:
        """Index of the acting player; -1 when the episode is over."""
        return int(self._tensors["actors"][0])

    @property
    def mask(self) -> np.ndarray:
        """int8 ``[A]``; all 0 when the episode is over."""
        mask = self._tensors["mask"][0].view(np.int8)
        return np.zeros_like(mask) if self.over else mask

    @property
    def decisions(self) -> int:
        return int(self._tensors["decisions"][0])

    @property
    def potentials(self) -> dict[str, float] | None:
        """The game's potentials by name, of the first player; ``None`` unless made with ``potentials=True``."""
        if "potentials" not in self._tensors:
            return None
        return dict(zip(self.description["potentials"], map(float, self._tensors["potentials"][0])))

    def observation(self) -> dict[str, np.ndarray]:
        """As the acting player sees it; after the end, the last one."""
        return {t: self._tensors[t][0] for t in TENSORS}

    def observation_of(self, seat: str) -> dict[str, np.ndarray]:
        """As one of the caller's seats sees it."""
        asked = self._asked.pop(seat, None)
        t = self.batch.observe(seat) if asked is None else self.batch.receive(asked).tensors
        return {name: t[name][0] for name in TENSORS}

    def render(self, mode: str | None) -> Any:
        """Returns nothing in ``human`` mode: the page has the board already."""
        return None if mode == "human" else rendered(self.batch, 0, mode)

    def _show(self) -> None:
        """Brings the page of ``human`` mode up to date, and opens it at first."""
        if not self._human:
            return
        if self._window is None:
            self._window = Window(METADATA_OF_ONE["render_fps"])
        if self.over:
            results = ", ".join(f"{p} {r:+g}" for p, r in zip(self.players, self.rewards))
            now = f"the game is cut off: {results}" if self.truncated else f"the game is over: {results}"
        else:
            now = f"{self.players[self.actor]} decides"
        self._window.show(self.batch.svg(0), f"{self.description['title']}, decisions so far: {self.decisions}, {now}")

    def close(self) -> None:
        if self._window is not None:
            self._window.close()
        self.batch.close()
        give_back(self, self.client)


_ADVICE = (
    'choose by the action mask, or make the environment with illegal="random" (a legal action is played) or "lose"'
)
_MADE = ("options", "skip_forced", "max_decisions", "privileged", "potentials", "record", "data")
_WIRE_NAMES = {"skip_forced": "skipForced", "max_decisions": "maxDecisions"}
