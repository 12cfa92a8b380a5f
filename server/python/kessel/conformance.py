"""Is it a Kessel server? ``python -m kessel.conformance ADDRESS [GAME]`` asks it everything PROTOCOL.md promises.

Written against the protocol alone (raw frames, not :class:`kessel.Client`), so that any other server, and this page as
a model for any other client, can be tested by it. Prints a line a check; the exit status is 1 when one failed.
"""

from __future__ import annotations

import itertools
import struct
import sys
import traceback
from typing import Any, Callable

import msgpack
import numpy as np
import zmq

DTYPES = {"float32": "<f4", "float64": "<f8", "int32": "<i4", "uint8": "u1"}
TENSORS = ("globals", "map", "units", "decision")


class Wire:
    """One DEALER connection, frame by frame."""

    def __init__(self, address: str) -> None:
        self.socket: zmq.Socket[bytes] = zmq.Context.instance().socket(zmq.DEALER)
        self.socket.linger = 0
        self.socket.rcvtimeo = 30_000
        self.socket.connect(address)
        self.ids = itertools.count(1)
        self.layouts: dict[str, list[Any]] = {}  # of a batch's frames, as `make` told it
        self.asked: dict[int, Any] = {}  # the batch of each request on its way

    def put(self, op: str, data: bytes | None = None, **args: Any) -> int:
        id = next(self.ids)
        self.asked[id] = args.get("batch")
        self.raw(msgpack.packb({"op": op, "id": id, **args}), *([] if data is None else [data]))
        return id

    def raw(self, *frames: bytes) -> None:
        self.socket.send_multipart(frames)

    def take(self) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
        frames = self.socket.recv_multipart()
        header = msgpack.unpackb(frames[0])
        of = self.asked.pop(header["id"], None)
        if "batch" in header:
            self.layouts[header["batch"]] = header["tensors"]
            return header, {}
        assert "tensors" not in header or len(frames) == 2, "tensors without a data frame"
        tensors = {}
        for name, dtype, shape, offset in header.get("tensors") or self.layouts[of] if len(frames) == 2 else []:
            assert offset % 64 == 0, f"{name} lies at {offset}"
            count = int(np.prod(shape))
            tensors[name] = np.frombuffer(frames[1], DTYPES[dtype], count, offset).reshape(shape)
        return header, tensors

    def ask(self, op: str, data: bytes | None = None, **args: Any) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
        id = self.put(op, data, **args)
        header, tensors = self.take()
        assert header["id"] == id, f"asked {id}, answered {header['id']}"
        assert "error" not in header, f"{op}: {header.get('error')}"
        return header, tensors

    def refused(self, code: str, op: str, data: bytes | None = None, **args: Any) -> None:
        id = self.put(op, data, **args)
        self.refusal(code, id)

    def refusal(self, code: str, id: int | None) -> None:
        header, _ = self.take()
        assert header["id"] == id and header.get("error", {}).get("code") == code, f"expected {code} for {id}, got {header}"
        assert isinstance(header["error"]["message"], str) and "\n" not in header["error"]["message"]


def legal(t: dict[str, np.ndarray], rng: np.random.Generator) -> bytes:
    return np.array([rng.choice(np.flatnonzero(m)) if m.any() else 0 for m in t["mask"]], "<i4").tobytes()


class Checks:
    """Each method is a check; its docstring says what is promised."""

    def __init__(self, address: str, game: str | None) -> None:
        self.address = address
        self.wire = Wire(address)
        self.hello, _ = self.wire.ask("hello", protocol=1)
        self.game = game or self.hello["games"][0]
        self.about = self.wire.ask("describe", game=self.game)[0]["game"]

    def make(self, size: int = 4, **args: Any) -> str:
        return self.wire.ask("make", game=self.game, size=size, **args)[0]["batch"]

    def hello_says_who(self) -> None:
        """hello names protocol, operations, limits and games; another protocol is refused"""
        assert self.hello["protocol"] == 1 and self.hello["games"] and self.hello["limits"]["messageBytes"] > 0
        assert {"hello", "list", "describe", "make", "reset", "step", "legal", "position", "close", "ping"} <= set(self.hello["operations"])
        self.wire.refused("bad-version", "hello", protocol=2)

    def describe_fits(self) -> None:
        """describe has unique action names, and shapes that agree with its features"""
        about = self.about
        assert len(set(about["actions"])) == len(about["actions"]) > 1
        o = about["observation"]
        assert about["shapes"] == {"globals": [len(o["globals"])], "map": [len(o["mapRows"]), len(o["map"])], "units": [len(o["unitRows"]), len(o["units"])], "decision": [len(o["decision"])]}

    def tensors_fit(self) -> None:
        """tensors have the shapes and types of the page, values in range, and no mask is empty while somebody decides"""
        rng = np.random.default_rng(1)
        batch = self.make(5)
        _, t = self.wire.ask("reset", batch=batch, seed=3)
        A, P = len(self.about["actions"]), len(self.about["players"])
        for _ in range(60):
            for name in TENSORS:
                assert t[name].dtype == np.float32 and t[name].shape == (5, *self.about["shapes"][name]), name
                low, high = (np.array([f["range"][k] for f in self.about["observation"][name]], np.float32) for k in (0, 1))
                assert ((t[name] >= low) & (t[name] <= high)).all(), f"{name} out of range"
            for name, dtype, shape in (("mask", np.uint8, (5, A)), ("actors", np.int32, (5,)), ("rewards", np.float32, (5, P)), ("terminated", np.uint8, (5,)), ("truncated", np.uint8, (5,)), ("decisions", np.int32, (5,)), ("episodes", np.int32, (5,))):
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
        same = lambda a, b: all((x[k] == y[k]).all() for x, y in zip(a, b) for k in x)  # noqa: E731
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
                    _, t = self.wire.ask("reset", batch=batch, seeds=[str(i) for i in np.flatnonzero(over)], which=np.flatnonzero(over).tolist())
                else:
                    episodes = t["episodes"].copy()
                    _, t = self.wire.ask("step", legal(t, rng), batch=batch)
                    assert (t["episodes"][over] == episodes[over] + 1).all() and not t["rewards"][over].any()
                assert (t["decisions"][over] < 6).all()

    def seats_are_kept_apart(self) -> None:
        """agents of the server play their seats, and no request shows them"""
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

    def saves_load(self) -> None:
        """a privileged batch saves and loads; what was touched is refused; privileged replies say so"""
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

    def refusals(self) -> None:
        """what is wrong is refused with its code, and the batch is as it was"""
        batch = self.make(2)
        self.wire.refused("not-reset", "step", struct.pack("<2i", 0, 0), batch=batch)
        _, t = self.wire.ask("reset", batch=batch, seed=1)
        A = len(self.about["actions"])
        illegal = int(np.flatnonzero(t["mask"][1] == 0)[0])
        good = int(t["mask"][0].argmax())
        for code, data in {"illegal-action": struct.pack("<2i", good, illegal), "bad-action": struct.pack("<2i", good, A)}.items():
            self.wire.refused(code, "step", data, batch=batch)
        self.wire.refused("bad-action", "step", b"\0" * 7, batch=batch)
        self.wire.refused("bad-message", "step", batch=batch)
        self.wire.refused("bad-message", "reset", batch=batch, seed=1, speed=2)
        self.wire.refused("bad-message", "dance")
        self.wire.refused("bad-seed", "reset", batch=batch, seed="")
        self.wire.refused("unknown-batch", "reset", batch="0" * 32, seed=1)
        self.wire.refused("unknown-game", "make", game="no such game", size=1)
        self.wire.refused("bad-option", "make", game=self.game, size=1, options={"no such option": 1})
        self.wire.refused("bad-seat", "make", game=self.game, size=1, seats={"nobody": "random"})
        if len(self.about["players"]) > 1:
            self.wire.refused("bad-agent", "make", game=self.game, size=1, seats={self.about["players"][0]: "no such agent"})
        for junk in (b"", b"\xc1", b"{}", b"\x81\xa1x\xdd\xff\xff\xff\xff", b"\x81\xa1x" + b"\x91" * 100_000 + b"\1"):
            self.wire.raw(junk)
            header, _ = self.wire.take()
            assert header["id"] is None and header["error"]["code"] in ("bad-message", "limit")
        assert self.wire.ask("legal", batch=batch)[0]["legal"]
        self.wire.ask("step", legal(t, np.random.default_rng(1)), batch=batch)

    def a_plain_req_works(self) -> None:
        """a REQ socket is served"""
        req: zmq.Socket[bytes] = zmq.Context.instance().socket(zmq.REQ)
        req.linger = 0
        req.rcvtimeo = 30_000
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

    def every(self) -> list[Callable[[], None]]:
        own = [v for k, v in vars(Checks).items() if callable(v) and v.__doc__ and not k.startswith("_") and k not in ("make", "every")]
        return [v.__get__(self) for v in own]


def main(argv: list[str]) -> int:
    if len(argv) not in (1, 2):
        print("usage: python -m kessel.conformance ADDRESS [GAME]", file=sys.stderr)
        return 2
    checks = Checks(argv[0], argv[1] if len(argv) > 1 else None)
    failed = 0
    for check in checks.every():
        try:
            check()
            print(f"ok      {check.__doc__}")
        except Exception:
            failed += 1
            checks.wire = Wire(argv[0])
            print(f"FAILED  {check.__doc__}\n{traceback.format_exc()}")
    print(f"{len(checks.every()) - failed} passed, {failed} failed, {checks.game} at {argv[0]}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
