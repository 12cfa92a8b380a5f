"""Twin worlds: what a seat hears of situations that it can't tell apart, byte by byte."""

from __future__ import annotations

from typing import Any

import numpy as np

from .wire import ServerChecks, Tensors, Wire, legal

ROWS = 4
ROUNDS = 6


class Twin:
    """One of two worlds: a privileged batch, for ``load``, on a connection of its own."""

    def __init__(self, address: str, game: str, size: int) -> None:
        self.wire = Wire(address)
        self.token: str = self.wire.ask("make", game=game, size=size, privileged=True)[0]["batch"]
        self.wire.ask("reset", batch=self.token, seed=1)

    def hear(self, op: str, frame: bytes | None = None, /, **args: Any) -> list[bytes]:
        """All frames of the reply; only the name of the batch is taken out."""
        self.wire.put(op, frame, batch=self.token, **args)
        return [f.replace(self.token.encode(), b"") for f in self.wire.socket.recv_multipart()]


class TwinChecks(ServerChecks):
    """Each method is a check; its docstring is the promise."""

    def twin_worlds_sound_alike(self) -> None:
        """whole replies of twin worlds are the same bytes to who can't tell them apart: headers, frames, errors"""
        truth = self.make(ROWS, privileged=True)
        _, t = self.wire.ask("reset", batch=truth, seed=11)
        twins = [Twin(self.address, self.game, ROWS) for _ in range(2)]
        for k in range(ROUNDS):
            t = self.forward(truth, t, 3 + 4 * k, k)
            while (t["actors"] < 0).any():
                t = self.forward(truth, t, 1, k)
            worlds = [
                self.wire.ask("save", batch=truth)[1]["states"],
                self.wire.ask("resample", batch=truth, seed=f"twins/{k}")[1]["states"],
            ]
            first, second = (x.hear("load", s.tobytes()) for x, s in zip(twins, worlds))
            assert first == second, f"load: {_parting(first, second)}"
            for row in range(ROWS):
                self._ask(twins, row, self._players()[int(t["actors"][row])])
            self._step(twins, t, np.random.default_rng(k))

    def _players(self) -> list[str]:
        players: list[str] = self.about["players"]
        return players

    def _ask(self, twins: list[Twin], row: int, own: str) -> None:
        """What a seat and a spectator may ask of one environment, and requests that are refused."""
        for seat in (own, "spectator"):
            requests: list[tuple[str, dict[str, Any]]] = [
                ("observe", {"seat": seat, "which": [row]}),
                ("position", {"seat": seat, "which": [row]}),
                ("replay", {"seat": seat, "env": row}),
                *(("render", {"seat": seat, "env": row, "format": f}) for f in ("text", "svg")),
                ("legal", {"which": [row]}),
                ("observe", {"seat": seat, "which": [ROWS]}),
                ("observe", {"seat": "nobody"}),
                ("outcomes", {"env": row, "action": 1_000_000}),
            ]
            for op, args in requests:
                one, two = (x.hear(op, **args) for x in twins)
                assert one == two, f"{op} for {seat}: {_parting(one, two)}"
        one, two = (x.hear("step", np.full(ROWS, 1_000_000, "<i4").tobytes()) for x in twins)
        assert one == two, f"a refused step: {_parting(one, two)}"

    def _step(self, twins: list[Twin], t: Tensors, rng: np.random.Generator) -> None:
        """A step in both; dice are other ones, so replies are compared only while all who acted still see the same."""
        actions = legal(t, rng)
        one, two = (x.hear("step", actions) for x in twins)
        players = self._players()
        after = [x.wire.ask("position", batch=x.token, seat=p)[0]["positions"] for x in twins for p in players]
        if after[: len(players)] == after[len(players) :]:
            assert one == two, f"step: {_parting(one, two)}"


def _parting(one: list[bytes], two: list[bytes]) -> str:
    if len(one) != len(two):
        return f"{len(one)} and {len(two)} frames"
    for k, (a, b) in enumerate(zip(one, two)):
        at = next((i for i, (x, y) in enumerate(zip(a, b)) if x != y), min(len(a), len(b)))
        if a != b:
            return (
                f"frame {k} of {len(a)} and {len(b)} bytes parts at {at}: {a[at : at + 20]!r} and {b[at : at + 20]!r}"
            )
    return "nowhere"
