"""Twin worlds: what a seat hears of situations that it can't tell apart, byte by byte."""

from __future__ import annotations

from typing import Any

import numpy as np

from .wire import ServerChecks, Tensors, Wire, legal

ROWS = 4
ROUNDS = 6
NODES = 3


class Twin:
    """One of two worlds: a privileged batch, for ``load``, on a connection of its own."""

    def __init__(self, address: str, game: str, size: int) -> None:
        self.wire = Wire(address)
        self.token: str = self.wire.ask("make", game=game, size=size, privileged=True, nodes=NODES)[0]["batch"]
        self.wire.ask("reset", batch=self.token, seed=1)

    def hear(self, op: str, frame: bytes | None = None, /, **args: Any) -> list[bytes]:
        """All frames of the reply; only the name of the batch is taken out."""
        self.wire.put(op, frame, batch=self.token, **args)
        return [f.replace(self.token.encode(), b"") for f in self.wire.socket.recv_multipart()]


READY = 3


class ReadyTwin(Twin):
    """One of two worlds that answers with the environments that are ready first; it begins in positions."""

    def __init__(self, address: str, game: str, size: int) -> None:
        self.wire = Wire(address)
        made = self.wire.ask("make", game=game, size=size, ready=READY, privileged=True)[0]
        self.token = made["batch"]


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

    def twin_worlds_sound_alike_where_some_are_ready(self) -> None:
        """with ready too, and each row is that of the environment it names: tensors, mask, actor"""
        truth = self.make(ROWS, privileged=True)
        _, t = self.wire.ask("reset", batch=truth, seed=12)
        whole = Twin(self.address, self.game, ROWS)
        for k in range(ROUNDS):
            t = self.forward(truth, t, 3 + 4 * k, k)
            while (t["actors"] < 0).any():
                t = self.forward(truth, t, 1, k)
            resampled = self.wire.ask("resample", batch=truth, seed=f"ready/{k}")[1]["states"]
            whole.wire.ask("load", resampled.tobytes(), batch=whole.token)
            worlds = [
                x.ask("position", batch=token, whole=True)[0]["positions"]
                for x, token in ((self.wire, truth), (whole.wire, whole.token))
            ]
            twins = [ReadyTwin(self.address, self.game, ROWS) for _ in range(2)]
            first, second = (x.hear("reset", seed=k, positions=p) for x, p in zip(twins, worlds))
            assert first == second, f"reset: {_parting(first, second)}"
            for x, p in zip(twins, worlds):
                self._check_rows(x, x.wire.ask("reset", batch=x.token, seed=k, positions=p)[1], k)
                x.wire.ask("close", batch=x.token)

    def _check_rows(self, x: ReadyTwin, t: Tensors, k: int) -> None:
        """Plays a few steps, and compares each row with the reply for its environment alone."""
        rng = np.random.default_rng(k)
        for _ in range(4):
            rows = [int(i) for i in t["environments"]]
            names = x.wire.ask("legal", batch=x.token, which=rows)[0]["legal"]
            for row, i in enumerate(rows):
                if t["actors"][row] < 0:
                    continue
                seat = self._players()[int(t["actors"][row])]
                told = x.wire.ask("observe", batch=x.token, seat=seat, which=[i])[1]
                for name, cells in told.items():
                    assert (cells[0] == t[name][row]).all(), f"{name} of row {row} is not that of environment {i}"
                shown = [a for a, m in zip(self.about["actions"], t["mask"][row]) if m]
                assert shown == names[row], f"mask of row {row} is not that of environment {i}"
            actions = np.frombuffer(legal(t, rng), "<i4")
            _, t = x.wire.ask("step", np.array([*rows, *actions], "<i4").tobytes(), batch=x.token)

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
                *(("orders", {"env": row, "order": o}) for o in (self.about["actions"][0], "end phase!", "fly")),
                ("observe", {"seat": seat, "which": [ROWS]}),
                ("observe", {"seat": "nobody"}),
                ("outcomes", {"env": row, "action": 1_000_000}),
            ]
            for op, args in requests:
                one, two = (x.hear(op, **args) for x in twins)
                assert one == two, f"{op} for {seat}: {_parting(one, two)}"
        for frame, args in (
            (np.array([[row] * NODES, range(NODES), [-1] * NODES], "<i4"), {"environments": True, "resample": True}),
            (np.array([range(NODES), range(NODES), [1_000_000] * NODES], "<i4"), {}),
        ):
            one, two = (x.hear("expand", frame.tobytes(), seed=row, **args) for x in twins)
            assert one == two, f"expand: {_parting(one, two)}"
        one, two = (x.hear("playout", nodes=[*range(NODES)], seed=row, depth=20) for x in twins)
        assert one == two, f"playout of imagined worlds: {_parting(one, two)}"
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
