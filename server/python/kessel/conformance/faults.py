"""Checks of refusals, limits and leases."""

from __future__ import annotations

import struct
import time

import numpy as np
import zmq

from .wire import ServerChecks, Wire, legal


class FaultChecks(ServerChecks):
    """Each method is a check; its docstring is the promise.

    Not covered, since a client cannot cause them: ``closed``, ``internal``, ``batch-lost``.
    """

    def refusals(self) -> None:
        """wrong requests are refused with their code and leave the batch unchanged"""
        batch = self.make(2)
        self.wire.refused("not-reset", "step", struct.pack("<2i", 0, 0), batch=batch)
        _, t = self.wire.ask("reset", batch=batch, seed=1)
        A = len(self.about["actions"])
        illegal = int(np.flatnonzero(t["mask"][1] == 0)[0])
        good = int(t["mask"][0].argmax())
        for code, data in {
            "illegal-action": struct.pack("<2i", good, illegal),
            "bad-action": struct.pack("<2i", good, A),
        }.items():
            self.wire.refused(code, "step", data, batch=batch)
        self.wire.refused("bad-action", "step", b"\0" * 7, batch=batch)
        self.wire.refused("bad-message", "step", batch=batch)
        self.wire.refused("bad-message", "reset", batch=batch, seed=1, speed=2)
        self.wire.refused("bad-message", "dance")
        self.wire.refused("bad-seed", "reset", batch=batch, seed="")
        self.wire.refused("bad-seed", "reset", batch=batch, seed=1, seeds=[1, 2])
        self.wire.refused("unknown-batch", "reset", batch="0" * 32, seed=1)
        self.wire.refused("unknown-batch", "ping", batches=["0" * 32])
        self.wire.refused("unknown-game", "make", game="no such game", size=1)
        self.wire.refused("bad-option", "make", game=self.game, size=1, options={"no such option": 1})
        self.wire.refused("bad-seat", "make", game=self.game, size=1, seats={"nobody": "random"})
        if len(self.about["players"]) > 1:
            for code, agent in (("bad-agent", "no such agent"), ("bad-model", "onnx:no-such-file.onnx")):
                self.wire.refused(code, "make", game=self.game, size=1, seats={self.about["players"][0]: agent})
        self.wire.refused(
            "bad-seat", "make", game=self.game, size=1, seats=dict.fromkeys(self.about["players"], "random")
        )
        if self.about["reconstructed"]:  # such a game has data files that owners replace
            self.wire.refused("bad-data", "describe", game=self.game, data={"no such file": {}})
        self.wire.refused("limit", "make", game=self.game, size=self.hello["limits"]["environments"] + 1)
        for junk in (b"", b"\xc1", b"{}", b"\x81\xa1x\xdd\xff\xff\xff\xff", b"\x81\xa1x" + b"\x91" * 100_000 + b"\1"):
            self.wire.raw(junk)
            header, _ = self.wire.take()
            assert header["id"] is None and header["error"]["code"] in ("bad-message", "limit")
        assert self.wire.ask("legal", batch=batch)[0]["legal"]
        self.wire.ask("step", legal(t, np.random.default_rng(1)), batch=batch)

    def leases_end(self) -> None:
        """a batch is closed when its lease ends; a ping renews it"""
        idle, kept = (self.make(1, lease=2) for _ in range(2))
        end = time.monotonic() + 5
        while time.monotonic() < end:
            time.sleep(0.5)
            self.wire.ask("ping", batches=[kept])
        self.wire.refused("unknown-batch", "reset", batch=idle, seed=1)
        self.wire.ask("reset", batch=kept, seed=1)

    def freed_memory_is_used_again(self) -> None:
        """replies name slots of shared memory; freed slots are reused, others are not written"""
        batch = self.make(2)
        rng = np.random.default_rng(8)
        header, t = self.wire.ask("reset", batch=batch, seed=1)
        kept = {name: a.copy() for name, a in t.items()}
        slots = []
        for _ in range(40):
            free = [header["slot"]] if "slot" in header else None
            header, t = self.wire.ask("step", legal(t, rng), batch=batch, **({"free": free} if free else {}))
            slots.append(header.get("slot"))
        assert len({s for s in slots if s is not None}) <= 4, "a client that frees is served from the same memory"
        again, _ = self.wire.ask("reset", batch=batch, seed=1)[::-1]
        assert all((again[name] == kept[name]).all() for name in kept)

    def a_slow_reader(self) -> None:
        """a client that does not read its replies gets busy or nothing; others are served, and so is it once it
        reads"""
        row = 4 * sum(int(np.prod(s)) for s in self.about["shapes"].values())
        batch = self.make(max(1, 65_536 // row))
        slow = Wire(self.address, unread=1)
        slow.layouts = self.wire.layouts
        asked = [slow.put("reset", batch=batch, seed=1) for _ in range(400)]
        taken, before = 1.0, 0.0
        began = time.monotonic()
        # until the server has handled all of them, but no longer than a connection that answers no heartbeat lasts
        while taken > 0 and time.monotonic() < began + 10:
            time.sleep(1)
            count = self.wire.ask("stats")[0]["stats"]["requests"]
            taken, before = count - before - 1, count
        answered, busy = [], 0
        slow.socket.rcvtimeo = 3000
        try:
            while True:
                header, _ = slow.take()
                busy += header.get("error", {}).get("code") == "busy"
                answered.append(header["id"])
        except zmq.Again:
            pass  # nothing more comes
        assert busy > 0 and len(set(answered)) == len(answered) and set(answered) <= set(asked)
        until = time.monotonic() + 30
        served = False
        while not served:
            assert time.monotonic() < until, "a client that reads again is not served"
            again = slow.put("reset", batch=batch, seed=1)
            try:
                header, _ = slow.take()
                while header["id"] != again:  # what had to wait before
                    header, _ = slow.take()
                served = "error" not in header
                assert served or header["error"]["code"] == "busy", header["error"]
            except zmq.Again:
                pass  # the server had given the connection up: it asks again over the next
        slow.socket.close()
