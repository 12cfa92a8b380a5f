"""A client on another machine, from PROTOCOL.md alone: pyzmq, msgpack and NumPy, nothing of the package but the server's
start. It plays a game to its end over an encrypted connection."""

from __future__ import annotations

import json
import tempfile
import unittest
from pathlib import Path
from typing import Any

import msgpack
import numpy as np
import zmq

import kessel

DTYPES = {"float32": "<f4", "float64": "<f8", "int32": "<i4", "uint8": "u1"}


class Remote:
    """DEALER, CURVE, one request at a time."""

    def __init__(self, address: str, server_key: bytes, pair: tuple[bytes, bytes]) -> None:
        self.socket = zmq.Context.instance().socket(zmq.DEALER)
        self.socket.linger = 0
        self.socket.rcvtimeo = 60_000
        self.socket.curve_serverkey = server_key
        self.socket.curve_publickey, self.socket.curve_secretkey = pair
        self.socket.connect(address)
        self.id = 0
        self.tensors: list[Any] = []

    def ask(self, op: str, *data: bytes, **args: Any) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
        self.id += 1
        self.socket.send_multipart([msgpack.packb({"op": op, "id": self.id, **args}), *data])
        head, *frames = self.socket.recv_multipart()
        header = msgpack.unpackb(head)
        if "error" in header:
            raise RuntimeError(header["error"]["code"])
        assert header["id"] == self.id
        if op == "make":
            self.tensors = header["tensors"]
        if not frames:
            return header, {}
        read = {}
        for name, dtype, shape, offset in header.get("tensors", self.tensors):
            read[name] = np.frombuffer(frames[0], DTYPES[dtype], int(np.prod(shape)), offset).reshape(shape)
        return header, read


class RemoteTest(unittest.TestCase):
    server_pair: tuple[bytes, bytes]
    pair: tuple[bytes, bytes]
    server: kessel.LocalServer

    @classmethod
    def setUpClass(cls) -> None:
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.server_pair, cls.pair = zmq.curve_keypair(), zmq.curve_keypair()
        keys, clients = Path(folder.name, "server.json"), Path(folder.name, "clients.txt")
        public, secret = (key.decode() for key in cls.server_pair)
        keys.write_text(json.dumps({"publicKey": public, "secretKey": secret}))
        clients.write_text(cls.pair[0].decode() + "\n")
        cls.server = kessel.LocalServer(timeout=120, args=["--keys", str(keys), "--clients", str(clients)])
        cls.addClassCleanup(cls.server.stop)

    def connect(self, pair: tuple[bytes, bytes]) -> Remote:
        remote = Remote(self.server.address, self.server_pair[0], pair)
        self.addCleanup(remote.socket.close)
        return remote

    def test_plays_a_game(self) -> None:
        remote = self.connect(self.pair)
        hello, _ = remote.ask("hello", protocol=1)
        self.assertGreaterEqual(hello["limits"]["inFlight"], 1)
        game = remote.ask("describe", game="pocket-stalingrad")[0]["game"]
        made, _ = remote.ask("make", game=game["id"], size=2, privileged=True, autoreset="disabled", record=True)
        self.assertEqual([name for name, *_ in made["tensors"][:4]], ["globals", "map", "units", "decision"])
        batch = made["batch"]
        header, t = remote.ask("reset", batch=batch, seed=7)
        while not (t["terminated"] | t["truncated"]).any():
            for name in ("globals", "map", "units", "decision"):
                low, high = np.array([feature["range"] for feature in game["observation"][name]]).T
                self.assertTrue(((t[name] >= low) & (t[name] <= high)).all(), name)
            free = [header["slot"]] if "slot" in header else []
            actions = t["mask"].argmax(axis=1).astype("<i4").tobytes()
            header, t = remote.ask("step", actions, batch=batch, free=free)
        ended = int(np.flatnonzero(t["terminated"] | t["truncated"])[0])
        self.assertEqual(sorted(t["rewards"][ended].tolist()), [-1, 1])
        replay = remote.ask("replay", batch=batch, env=ended)[0]["replay"]
        self.assertEqual((replay["format"], replay["game"], replay["version"]), (1, game["id"], game["version"]))
        self.assertLessEqual(set(replay["actions"]), set(game["actions"]))
        other = 1 - ended
        position = remote.ask("position", batch=batch, which=[other], whole=True)[0]["positions"]
        remote.ask("reset", batch=batch, which=[ended], positions=position)
        same = remote.ask("position", batch=batch, which=[ended], whole=True)[0]["positions"]
        self.assertEqual(same, position)
        with self.assertRaisesRegex(RuntimeError, "bad-action"):
            remote.ask("step", np.array([9999, 0], "<i4").tobytes(), batch=batch)
        remote.ask("close", batch=batch)

    def test_a_stranger_is_never_answered(self) -> None:
        stranger = self.connect(zmq.curve_keypair())
        stranger.socket.rcvtimeo = 1500
        with self.assertRaises(zmq.Again):
            stranger.ask("hello", protocol=1)


if __name__ == "__main__":
    unittest.main()
