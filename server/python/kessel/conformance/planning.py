"""Checks of privileged batches, resampling, outcomes, positions and views."""

from __future__ import annotations

import json

import numpy as np

from .wire import TENSORS, ServerChecks, legal


class PlanningChecks(ServerChecks):
    """Each method is a check; its docstring is the promise."""

    def saves_load(self) -> None:
        """a privileged batch saves and loads; a modified state is refused; privileged replies are marked"""
        rng = np.random.default_rng(5)
        batch = self.make(3, privileged=True)
        _, t = self.wire.ask("reset", batch=batch, seed=1)
        header, saved = self.wire.ask("save", batch=batch)
        assert header["privileged"] is True
        states = saved["states"]
        actions = legal(t, rng)
        _, one = self.wire.ask("step", actions, batch=batch)
        self.wire.ask("load", states.tobytes(), batch=batch)
        _, two = self.wire.ask("step", actions, batch=batch)
        assert all((one[k] == two[k]).all() for k in ("units", "mask", "rewards", "actors"))
        touched = states.copy()
        touched[0, -1] ^= 1
        self.wire.refused("bad-state", "load", touched.tobytes(), batch=batch)
        header, _ = self.wire.ask("position", batch=batch, whole=True)
        assert header["privileged"] is True and len(header["positions"]) == 3

    def clones(self) -> None:
        """clone copies states between environments, which then evolve alike"""
        batch = self.make(3, privileged=True)
        t = self.forward(batch, self.wire.ask("reset", batch=batch, seed=2)[1], 5, 1)
        _, t = self.wire.ask("clone", batch=batch, **{"from": [0, 0], "to": [1, 2]})
        for name in (*TENSORS, "mask", "actors"):
            assert (t[name][1:] == t[name][0]).all(), name
        _, t = self.wire.ask(
            "step", np.repeat(np.frombuffer(legal(t, np.random.default_rng(1)), "<i4")[:1], 3).tobytes(), batch=batch
        )
        assert all((t[name][1:] == t[name][0]).all() for name in (*TENSORS, "mask", "actors"))

    def resamples(self) -> None:
        """resampled states look the same to the acting player; without privilege they cannot be loaded"""
        batch, twin = self.make(4), self.make(4, privileged=True)
        for b in (batch, twin):
            t = self.forward(b, self.wire.ask("reset", batch=b, seed=3)[1], 12, 1)
        while (t["actors"] < 0).any():  # every environment needs an acting player
            for b in (batch, twin):
                t = self.forward(b, t, 1, 2)
        header, dealt = self.wire.ask("resample", batch=batch, seed="again")
        assert "privileged" not in header and header["exact"] and all(isinstance(e, bool) for e in header["exact"])
        assert (dealt["states"] == self.wire.ask("resample", batch=batch, seed="again")[1]["states"]).all(), (
            "the same seed deals the same"
        )
        assert self.wire.ask("resample", batch=batch, seed="again", which=[2])[1]["states"].shape == (
            1,
            dealt["states"].shape[1],
        )
        self.wire.refused("not-privileged", "load", dealt["states"].tobytes(), batch=batch)
        _, seen = self.wire.ask("load", dealt["states"].tobytes(), batch=twin)
        for name in (*TENSORS, "mask", "actors"):
            assert (seen[name] == t[name]).all(), f"{name} tells a dealt situation from the true one"
        for i in range(4):
            drawn = [self.wire.ask("render", batch=b, env=i, format="svg")[0]["text"] for b in (batch, twin)]
            assert drawn[0] == drawn[1], "a drawing tells a dealt situation from the true one"
            pixels = [self.wire.ask("render", batch=b, env=i, format="rgb")[1]["pixels"] for b in (batch, twin)]
            assert (pixels[0] == pixels[1]).all(), "pixels tell a dealt situation from the true one"

    def nodes_are_searched(self) -> None:
        """nodes continue as environments would, new dice differ, and nodes without privilege hold sampled states"""
        batch = self.make(2, privileged=True, nodes=8)
        _, t = self.wire.ask("reset", batch=batch, seed=7)

        def rows(*parts: list[int]) -> bytes:
            return np.array(parts, "<i4").tobytes()

        _, copied = self.wire.ask("expand", rows([0, 1], [4, 5], [-1, -1]), batch=batch, environments=True)
        for name in (*TENSORS, "mask", "actors"):
            assert (copied[name] == t[name]).all(), name
        actions = legal(t, np.random.default_rng(7))
        chosen = np.frombuffer(actions, "<i4").tolist()
        _, played = self.wire.ask("expand", rows([4, 5], [5, -1], chosen), batch=batch)
        _, stepped = self.wire.ask("step", actions, batch=batch)
        for name in (*TENSORS, "mask", "actors", "rewards", "terminated"):
            assert (played[name] == stepped[name]).all(), f"{name}: a node plays on otherwise than its environment"
        one = self.wire.ask("expand", rows([4] * 6, [-1] * 6, chosen[:1] * 6), batch=batch, seed=1)[1]
        two = self.wire.ask("expand", rows([4] * 6, [-1] * 6, chosen[:1] * 6), batch=batch, seed=1)[1]
        assert all((one[name] == two[name]).all() for name in one), "the same seed deals the same dice"
        _, lean = self.wire.ask("expand", rows([4], [-1], [-1]), batch=batch, tensors=["mask"])
        assert set(lean) == {"mask"} and (lean["mask"][0] == t["mask"][0]).all()
        _, out = self.wire.ask("playout", batch=batch, nodes=[4, 4, 5], seed=2)
        assert out["terminated"].all() and out["returns"].shape == (3, len(self.about["players"]))
        assert (self.wire.ask("playout", batch=batch, nodes=[4, 4, 5], seed=2)[1]["returns"] == out["returns"]).all()
        _, cut = self.wire.ask("playout", batch=batch, nodes=[4], depth=1, seed=2)
        assert cut["decisions"][0] == 1 and t["mask"][0][cut["actions"][0]] == 1, "the first choice is a legal one"
        _, back = self.wire.ask("clone", batch=batch, **{"from": [4, 4], "to": [0, 1]}, nodes=True, seed=1)
        assert all((back[name][k] == t[name][0]).all() for name in (*TENSORS, "mask") for k in range(2))
        self.wire.refused("bad-option", "expand", rows([7], [0], [-1]), batch=batch)
        self.wire.refused("bad-action", "expand", rows([4], [0], [len(self.about["actions"])]), batch=batch)
        self.wire.refused("illegal-action", "expand", rows([4], [0], [int(t["mask"][0].argmin())]), batch=batch)
        self.wire.refused("bad-action", "expand", b"\0" * 8, batch=batch)
        self.wire.refused("unsupported", "playout", batch=self.make(1), nodes=[0])
        plain = self.make(1, nodes=4)
        _, t = self.wire.ask("reset", batch=plain, seed=7)
        self.wire.refused("not-privileged", "expand", rows([0], [0], [-1]), batch=plain, environments=True)
        self.wire.refused("bad-seed", "expand", rows([0], [0], [-1]), batch=plain, environments=True, resample=True)
        header, dealt = self.wire.ask(
            "expand", rows([0] * 4, [0, 1, 2, 3], [-1] * 4), batch=plain, environments=True, resample=True, seed=1
        )
        assert "privileged" not in header and dealt["exact"].shape == (4,)
        for name in (*TENSORS, "mask", "actors"):
            assert (dealt[name] == t[name][0]).all(), f"{name} tells an imagined world from the true one"

    def outcomes_are_weighed(self) -> None:
        """outcomes of an action are states with probabilities that sum to 1; the number of samples is as requested"""
        batch = self.make(1, privileged=True)
        _, t = self.wire.ask("reset", batch=batch, seed=1)
        action = int(t["mask"][0].argmax())
        before = self.wire.ask("save", batch=batch)[1]["states"]
        header, found = self.wire.ask("outcomes", batch=batch, env=0, action=action, samples=7, seed=5)
        assert (
            header["privileged"] is True
            and found["states"].shape == (7, before.shape[1])
            and found["probabilities"].dtype == np.float64
        )
        _, every = self.wire.ask("outcomes", batch=batch, env=0, action=action)
        for one in (found, every):
            assert (one["probabilities"] > 0).all() and abs(one["probabilities"].sum() - 1) < 1e-9
        assert (self.wire.ask("save", batch=batch)[1]["states"] == before).all(), "looking ahead moves nothing"
        self.wire.ask("load", every["states"][:1].tobytes(), batch=batch)
        self.wire.ask("load", before.tobytes(), batch=batch)
        self.wire.refused("bad-action", "outcomes", batch=batch, env=0, action=len(self.about["actions"]))
        self.wire.refused("illegal-action", "outcomes", batch=batch, env=0, action=int(t["mask"][0].argmin()))

    def positions_start_games(self) -> None:
        """a complete position restores the same state, and an invalid one is refused"""
        batch = self.make(2, privileged=True)
        self.forward(batch, self.wire.ask("reset", batch=batch, seed=4)[1], 3, 1)
        header, _ = self.wire.ask("position", batch=batch, whole=True)
        assert header["privileged"] is True
        _, t = self.wire.ask("reset", batch=batch, seed=9, positions=header["positions"])
        assert self.wire.ask("position", batch=batch, whole=True)[0]["positions"] == header["positions"]
        assert t["mask"].any(axis=1).all()
        self.wire.refused("bad-position", "reset", batch=batch, seed=9, positions=[{"no such key": 1}, {}])
        self.wire.refused("bad-position", "reset", batch=batch, seed=9, positions=header["positions"][:1])
        self.wire.refused("not-privileged", "reset", batch=self.make(2), seed=9, positions=header["positions"])

    def seats_look(self) -> None:
        """observe, position and render show a seat's view, which agrees with the tensors"""
        batch = self.make(3)
        _, t = self.wire.ask("reset", batch=batch, seed=5)
        for i in range(3):
            seat = self.about["players"][int(t["actors"][i])]
            _, seen = self.wire.ask("observe", batch=batch, seat=seat, which=[i])
            for name in TENSORS:
                assert seen[name].shape == (1, *self.about["shapes"][name]) and (seen[name][0] == t[name][i]).all(), (
                    name
                )
            header, _ = self.wire.ask("position", batch=batch, which=[i])
            assert (
                header["positions"] == self.wire.ask("position", batch=batch, which=[i], seat=seat)[0]["positions"]
                and "privileged" not in header
            )
            text = self.wire.ask("render", batch=batch, env=i)[0]["text"]
            assert (
                isinstance(text, str)
                and text == self.wire.ask("render", batch=batch, env=i, seat=seat)[0]["text"] != ""
            )
            drawing = self.wire.ask("render", batch=batch, env=i, format="svg")[0]["text"]
            assert (
                drawing.startswith("<svg")
                and drawing == self.wire.ask("render", batch=batch, env=i, seat=seat, format="svg")[0]["text"]
            ), "a drawing is an SVG document as the acting seat sees the board"
            for more, shape in (({}, (720, 960, 3)), ({"width": 400}, (300, 400, 3))):
                pixels = self.wire.ask("render", batch=batch, env=i, format="rgb", **more)[1]["pixels"]
                assert pixels.shape == shape and pixels.dtype == np.uint8 and pixels.std() > 0, "pixels show something"
        self.wire.refused("bad-message", "render", batch=batch, env=0, format="gif")
        self.wire.refused("bad-message", "render", batch=batch, env=0, format="rgb", width=100_000)
        self.wire.ask("observe", batch=batch, seat="spectator")
        json.dumps(self.wire.ask("position", batch=batch, seat="spectator")[0]["positions"])
        self.wire.refused("bad-seat", "observe", batch=batch, seat="nobody")
        self.wire.refused("bad-option", "render", batch=batch, env=3)
        self.wire.refused("bad-option", "legal", batch=batch, which=[1, 1])

    def replays_are_kept(self) -> None:
        """with record a batch keeps its episodes: whole ones for privileged batches, a seat's view of those that are
        over"""
        known, plain = self.make(1, privileged=True, record=True), self.make(1, record=True, maxDecisions=4)
        self.forward(known, self.wire.ask("reset", batch=known, seed=6)[1], 3, 1)
        header, _ = self.wire.ask("replay", batch=known, env=0)
        assert header["privileged"] is True and len(header["replay"]["actions"]) >= 3
        assert set(header["replay"]["actions"]) <= set(self.about["actions"])
        seat = self.about["players"][0]
        _, t = self.wire.ask("reset", batch=plain, seed=6)
        self.wire.refused("not-privileged", "replay", batch=plain, env=0)
        self.wire.refused("not-privileged", "replay", batch=plain, env=0, seat=seat)
        while not (t["terminated"] | t["truncated"])[0]:
            t = self.forward(plain, t, 1, 1)
        lines = self.wire.ask("replay", batch=plain, env=0, seat=seat)[0]["lines"]
        assert len(lines) > 0 and all(set(line) == {"action", "view"} for line in lines)
        t = self.forward(plain, t, 1, 1)
        assert self.wire.ask("replay", batch=plain, env=0, seat=seat, last=True)[0]["lines"] == lines
        other = self.make(1, privileged=True)
        self.wire.ask("reset", batch=other, seed=6)
        self.wire.refused("unsupported", "replay", batch=other, env=0)
