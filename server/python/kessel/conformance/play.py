"""Checks of the operations that every client uses."""

from __future__ import annotations

import msgpack
import numpy as np
import zmq

from .wire import TENSORS, ServerChecks, Tensors, Wire, legal

OPERATIONS = set(
    "hello list describe make reset step legal observe position render replay outcomes resample save load clone close ping stats".split()
)


class PlayChecks(ServerChecks):
    """Each method is a check; its docstring is the promise."""

    def hello_says_who(self) -> None:
        """hello names protocol, operations, limits and games; another protocol is refused"""
        assert self.hello["protocol"] == 1 and self.hello["games"] and self.hello["limits"]["messageBytes"] > 0
        assert OPERATIONS <= set(self.hello["operations"]) and {"float32", "uint8"} <= set(self.hello["dtypes"])
        self.wire.refused("bad-version", "hello", protocol=2)

    def lists_and_counts(self) -> None:
        """list has the games of hello with their credits; stats counts requests, batches and environments"""
        games = self.wire.ask("list")[0]["games"]
        assert [g["id"] for g in games] == self.hello["games"] and all(g["title"] and g["version"] for g in games)
        before = self.wire.ask("stats")[0]["stats"]
        batch = self.make(3)
        after = self.wire.ask("stats")[0]["stats"]
        assert after["environments"] > 0 and after["batches"] > 0 and after["batchBytes"] > 0
        assert after["requests"] > before["requests"] and after["uptime"] >= before["uptime"]
        self.wire.ask("close", batch=batch)

    def describe_fits(self) -> None:
        """describe has unique action names, and shapes that agree with its features"""
        about = self.about
        assert len(set(about["actions"])) == len(about["actions"]) > 1
        o = about["observation"]
        assert about["shapes"] == {
            "globals": [len(o["globals"])],
            "map": [len(o["mapRows"]), len(o["map"])],
            "units": [len(o["unitRows"]), len(o["units"])],
            "decision": [len(o["decision"])],
        }

    def tensors_fit(self) -> None:
        """tensors have the documented shapes and types, values in range, and masks are empty only after the end"""
        rng = np.random.default_rng(1)
        batch = self.make(5)
        _, t = self.wire.ask("reset", batch=batch, seed=3)
        A, P = len(self.about["actions"]), len(self.about["players"])
        for _ in range(60):
            for name in TENSORS:
                assert t[name].dtype == np.float32 and t[name].shape == (5, *self.about["shapes"][name]), name
                low, high = (
                    np.array([f["range"][k] for f in self.about["observation"][name]], np.float32) for k in (0, 1)
                )
                assert ((t[name] >= low) & (t[name] <= high)).all(), f"{name} out of range"
            for name, dtype, shape in (
                ("mask", np.uint8, (5, A)),
                ("actors", np.int32, (5,)),
                ("rewards", np.float32, (5, P)),
                ("terminated", np.uint8, (5,)),
                ("truncated", np.uint8, (5,)),
                ("decisions", np.int32, (5,)),
                ("episodes", np.int32, (5,)),
            ):
                assert t[name].dtype == dtype and t[name].shape == shape, name
            assert ((t["actors"] >= 0) == t["mask"].any(axis=1)).all() and (np.abs(t["rewards"]) <= 1).all()
            _, t = self.wire.ask("step", legal(t, rng), batch=batch)

    def seeds_repeat(self) -> None:
        """the same seed and actions give the same tensors; another seed gives others"""
        runs = []
        for seed in (7, 7, 8):
            rng = np.random.default_rng(2)
            batch = self.make()
            header, t = self.wire.ask("reset", batch=batch, seed=seed)
            seen = [t]
            for _ in range(30):
                _, t = self.wire.ask("step", legal(t, rng), batch=batch)
                seen.append(t)
            runs.append(seen)

        def same(a: list[Tensors], b: list[Tensors]) -> bool:
            return all(bool((x[k] == y[k]).all()) for x, y in zip(a, b) for k in x)

        assert same(runs[0], runs[1]) and not same(runs[0], runs[2])

    def autoreset_modes(self) -> None:
        """next-step, same-step and disabled treat the end of an episode as promised"""
        for mode in ("next-step", "same-step", "disabled"):
            rng = np.random.default_rng(3)
            batch = self.make(8, autoreset=mode, maxDecisions=6)
            _, t = self.wire.ask("reset", batch=batch, seed=1)
            for _ in range(30):
                header, t = self.wire.ask("step", legal(t, rng), batch=batch)
                over = (t["terminated"] | t["truncated"]).astype(bool)
                if not over.any():
                    assert "final_rows" not in t
                    continue
                if mode == "same-step":
                    assert t["final_rows"].tolist() == np.flatnonzero(over).tolist() and t["mask"].any(axis=1).all()
                    assert t["final_units"].shape == (over.sum(), *self.about["shapes"]["units"])
                    continue
                assert (t["actors"][over] == -1).all() and not t["mask"][over].any()
                if mode == "disabled":
                    self.wire.refused("not-reset", "step", legal(t, rng), batch=batch)
                    _, t = self.wire.ask(
                        "reset",
                        batch=batch,
                        seeds=[str(i) for i in np.flatnonzero(over)],
                        which=np.flatnonzero(over).tolist(),
                    )
                else:
                    episodes = t["episodes"].copy()
                    _, t = self.wire.ask("step", legal(t, rng), batch=batch)
                    assert (t["episodes"][over] == episodes[over] + 1).all() and not t["rewards"][over].any()
                assert (t["decisions"][over] < 6).all()

    def seats_are_kept_apart(self) -> None:
        """agents of the server play their seats, whose views are refused"""
        players = self.about["players"]
        if len(players) < 2:
            return
        rng = np.random.default_rng(4)
        header, _ = self.wire.ask("make", game=self.game, size=4, seats={players[0]: "random"})
        assert header["external"] == players[1:]
        batch = header["batch"]
        _, t = self.wire.ask("reset", batch=batch, seed=1)
        for _ in range(30):
            assert (t["actors"] != 0).all()
            _, t = self.wire.ask("step", legal(t, rng), batch=batch)
        self.wire.refused("bad-seat", "observe", batch=batch, seat=players[0])
        self.wire.refused("bad-seat", "position", batch=batch, seat=players[0])
        for op in ("save", "clone"):
            self.wire.refused("not-privileged", op, batch=batch, **({"from": [0], "to": [1]} if op == "clone" else {}))
        self.wire.refused("not-privileged", "position", batch=batch, whole=True)

    def ends_are_shown_to_whom_they_concern(self) -> None:
        """an episode truncated in an agent's turn is shown from the client's seat"""
        players = self.about["players"]
        if len(players) < 2:
            return
        rng = np.random.default_rng(5)
        for seat, other in (players[:2], players[1::-1]):
            batch = self.make(16, seats={other: "random"}, maxDecisions=9, skipForced=False)
            _, t = self.wire.ask("reset", batch=batch, seed=2)
            cut = 0
            for _ in range(20):
                _, seen = self.wire.ask("observe", batch=batch, seat=seat)
                over = t["truncated"] == 1
                cut += over.sum()
                assert all((t[name][over] == seen[name][over]).all() for name in TENSORS)
                _, t = self.wire.ask("step", legal(t, rng), batch=batch)
            assert cut > 0

    def ready_ones_come_first(self) -> None:
        """a batch made with ready replies with that many environments, each as if all were stepped together"""
        batch, every = self.make(6, ready=2), self.make(6)
        _, t = self.wire.ask("reset", batch=every, seed=4)
        shown = []
        for _ in range(12):
            shown.append(t)
            _, t = self.wire.ask("step", t["mask"].argmax(1).astype("<i4").tobytes(), batch=every)
        _, t = self.wire.ask("reset", batch=batch, seed=4)
        seen = [0] * 6
        while max(seen) < 12:
            assert t["environments"].shape == (2,) and len(set(t["environments"])) == 2
            for k, i in enumerate(t["environments"]):
                assert all((t[name][k] == a[i]).all() for name, a in shown[seen[i]].items())
                seen[i] += 1
            actions = t["mask"].argmax(1)
            held = set(t["environments"])
            away = next(i for i in range(6) if i not in held)
            self.wire.refused("bad-action", "step", np.array([away, 0], "<i4").tobytes(), batch=batch)
            self.wire.refused("bad-action", "legal", batch=batch, which=[away])
            _, t = self.wire.ask("step", np.array([*t["environments"], *actions], "<i4").tobytes(), batch=batch)
        assert min(seen) > 6
        self.wire.refused("unsupported", "reset", batch=batch, which=[0])
        for wrong in ({"ready": 7}, {"ready": 2, "autoreset": "disabled"}):
            self.wire.refused("bad-option", "make", game=self.game, size=6, **wrong)

    def bytes_are_scaled(self) -> None:
        """uint8 observations are the float32 ones, scaled by each feature's range"""
        _, f = self.wire.ask("reset", batch=self.make(), seed=6)
        _, b = self.wire.ask("reset", batch=self.make(dtype="uint8"), seed=6)
        for name in TENSORS:
            low, high = (np.array([x["range"][k] for x in self.about["observation"][name]], np.float32) for k in (0, 1))
            scale = np.where(high > low, high - low, 1)
            assert b[name].dtype == np.uint8 and (np.abs(b[name] - (f[name] - low) / scale * 255) <= 0.51).all(), name

    def names_and_numbers_agree(self) -> None:
        """legal names are those of the mask"""
        batch = self.make()
        _, t = self.wire.ask("reset", batch=batch, seed=1)
        names = [[a for a, m in zip(self.about["actions"], row) if m] for row in t["mask"]]
        assert self.wire.ask("legal", batch=batch)[0]["legal"] == names

    def requests_in_flight(self) -> None:
        """many requests at once get one answer each, those of a batch in order"""
        batch = self.make()
        self.wire.ask("reset", batch=batch, seed=1)
        ids = [self.wire.put("legal", batch=batch) for _ in range(20)]
        assert [self.wire.take()[0]["id"] for _ in ids] == ids

    def a_plain_req_works(self) -> None:
        """a REQ socket is served"""
        req: zmq.Socket[bytes] = zmq.Context.instance().socket(zmq.REQ)
        req.linger = 0
        req.rcvtimeo = 30_000
        req.ipv6 = "[" in self.address
        req.connect(self.address)
        req.send(msgpack.packb({"op": "ping", "id": 5}))
        assert msgpack.unpackb(req.recv()) == {"id": 5}
        req.close()

    def other_connections(self) -> None:
        """a batch may be used from another connection, and is gone when closed"""
        batch = self.make()
        self.wire.ask("reset", batch=batch, seed=1)
        other = Wire(self.address)
        assert other.ask("legal", batch=batch)[0]["legal"]
        other.ask("close", batch=batch)
        self.wire.refused("unknown-batch", "legal", batch=batch)
        other.socket.close()

    def options_count(self) -> None:
        """a game's options have values and a default; describe says which are chosen; another choice is another game,
        or the same"""
        for option in self.about["options"]:
            assert option["default"] in option["values"] and self.about["chosen"][option["id"]] == option["default"]
            for value in option["values"]:
                about = self.wire.ask("describe", game=self.game, options={option["id"]: value})[0]["game"]
                assert about["chosen"][option["id"]] == value
                self.wire.ask("close", batch=self.make(1, options={option["id"]: value}))

    def some_environments_start_anew(self) -> None:
        """a reset of some environments leaves the others unchanged; the first reset must be of all"""
        batch = self.make(4)
        self.wire.refused("not-reset", "reset", batch=batch, seed=1, which=[1])
        t = self.forward(batch, self.wire.ask("reset", batch=batch, seed=1)[1], 2, 1)
        others = [i for i in (0, 2, 3) if t["actors"][i] >= 0]
        _, after = self.wire.ask("reset", batch=batch, seeds=["one"], which=[1])
        assert after["decisions"][1] <= 1 and all(
            (after[name][others] == t[name][others]).all() for name in (*TENSORS, "mask", "decisions")
        )
        _, alone = self.wire.ask("reset", batch=self.make(1), seeds=["one"])
        assert all((after[name][1] == alone[name][0]).all() for name in (*TENSORS, "mask"))
