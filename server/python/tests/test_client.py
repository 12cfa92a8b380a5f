"""The client against a server of toy games, whose address is in KESSEL_ADDRESS."""

from __future__ import annotations

import os
import tempfile
import unittest
from unittest import mock

import numpy as np

import kessel
from kessel.client.frames import SharedMemory


class ClientTest(unittest.TestCase):
    def setUp(self) -> None:
        self.client = kessel.Client()
        self.addCleanup(self.client.close)

    def test_static_facts(self) -> None:
        self.assertIn("toy-race", [g["id"] for g in self.client.games()])
        game = self.client.describe("toy-race", {"target": 30})
        self.assertEqual(game["chosen"]["target"], 30)
        self.assertEqual(self.client.hello["protocol"], 1)
        self.assertLess(self.client.ping(), 10)

    def test_shapes_and_types(self) -> None:
        game = self.client.describe("toy-ambush")
        batch = self.client.make("toy-ambush", 6)
        t = batch.reset(seed=1)
        for name, shape in game["shapes"].items():
            self.assertEqual((t[name].shape, t[name].dtype), ((6, *shape), np.float32), name)
        self.assertEqual((t["mask"].shape, t["mask"].dtype), ((6, len(game["actions"])), np.uint8))
        self.assertEqual((t["rewards"].shape, t["actors"].dtype), ((6, 2), np.int32))
        legal = [[a for a, m in zip(game["actions"], row) if m] for row in t["mask"]]
        self.assertEqual(batch.legal(), legal)

    def test_received_arrays_stay_as_they_are(self) -> None:
        batch = self.client.make("toy-race", 64)
        rng = np.random.default_rng(1)
        t, kept = batch.reset(seed=1), []
        for _ in range(50):
            kept.append((t, {k: v.copy() for k, v in t.items()}))
            t = batch.step(kessel.sample(t["mask"], rng))
        for views, copies in kept:
            for name, copy in copies.items():
                np.testing.assert_array_equal(views[name], copy)

    @unittest.skipUnless(os.path.isdir("/dev/shm"), "there is no memory to share")
    def test_memory_is_used_again_when_nothing_refers_to_it(self) -> None:
        batch = self.client.make("toy-race", 8)
        t = batch.reset(seed=1)
        kept = t["map"]
        slots = []
        for _ in range(30):
            reply = batch.receive(batch.send_step(t["mask"].argmax(axis=1)))
            slots.append(reply.header.get("slot"))
            t = reply.tensors
        self.assertNotIn(None, slots)
        self.assertEqual(len(set(slots)), 2)
        np.testing.assert_array_equal(kept, batch.reset(seed=1)["map"])
        with open("/proc/self/maps", encoding="utf-8") as maps:
            mapped = [line for line in maps if "/dev/shm/kessel-" in line]
        self.assertTrue(mapped and all("(deleted)" in line for line in mapped), "a file was left where it can be found")

    def test_a_server_whose_memory_is_out_of_reach_sends(self) -> None:
        with mock.patch("kessel.client.batch.SharedMemory", side_effect=FileNotFoundError):
            batch = self.client.make("toy-race", 8)
        t = batch.reset(seed=1)
        t = batch.step(t["mask"].argmax(axis=1))
        self.assertEqual(t["actors"].shape, (8,))

    def test_data_that_a_server_without_space_for_more_memory_sends(self) -> None:
        expected = self.client.make("toy-race", 8).reset(seed=1)
        batch = self.client.make("toy-race", 8, shared=False)  # its replies name a slot and have a data frame
        with tempfile.NamedTemporaryFile(delete=False) as file:
            file.truncate(1 << 20)
        batch._reader.memory = SharedMemory({"path": file.name, "slotBytes": 1 << 16}, batch._freed)
        slots = []
        for _ in range(30):
            reply = batch.receive(batch.send_reset(seed=1))
            slots.append(reply.header.get("slot"))
            for name, tensor in expected.items():
                np.testing.assert_array_equal(reply.tensors[name], tensor)
        self.assertNotIn(None, slots, "not all were freed")

    def test_several_requests_in_flight(self) -> None:
        a, b = self.client.make("toy-race", 8), self.client.make("toy-race", 8)
        ids = [(x, x.send("reset", seed=5)) for x in (a, b, a, b)]
        got = [x.receive(id).tensors for x, id in reversed(ids)]
        for t in got[1:]:
            np.testing.assert_array_equal(t["map"], got[0]["map"])

    def test_errors_carry_the_code(self) -> None:
        batch = self.client.make("toy-race", 2)
        t = batch.reset(seed=1)
        illegal = int(np.flatnonzero(t["mask"][1] == 0)[0])
        for code, act in {
            "illegal-action": lambda: batch.step([int(t["mask"][0].argmax()), illegal]),
            "bad-action": lambda: batch.step([0]),
            "not-privileged": batch.save,
            "unknown-game": lambda: self.client.make("chess", 1),
            "bad-seed": lambda: batch.reset(seed=""),
        }.items():
            with self.subTest(code), self.assertRaises(kessel.KesselError) as caught:
                act()
            self.assertEqual(caught.exception.code, code)
        batch.step(kessel.sample(t["mask"]))
        batch.close()
        with self.assertRaises(kessel.KesselError) as caught:
            batch.legal()
        self.assertEqual(caught.exception.code, "unknown-batch")

    def test_a_batch_is_closed_before_the_watching_thread_knows_that_there_is_a_connection(self) -> None:
        with mock.patch("kessel.client.link.Link._run"):
            with kessel.Client() as client:
                batch = client.make("toy-race", 2)
                batch.close()
                with self.assertRaises(kessel.KesselError) as caught:
                    batch.request("legal")
                self.assertEqual(caught.exception.code, "unknown-batch")

    def test_save_load_clone_resample(self) -> None:
        batch = self.client.make("toy-ambush", 3, privileged=True)
        rng = np.random.default_rng(2)
        t = batch.reset(seed=4)
        states = batch.save()
        actions = kessel.sample(t["mask"], rng)
        one = batch.step(actions)
        batch.load(states)
        two = batch.step(actions)
        for name in ("units", "mask", "rewards", "actors"):
            np.testing.assert_array_equal(one[name], two[name])
        same = batch.clone([0, 0], [1, 2])
        np.testing.assert_array_equal(same["units"][1], same["units"][0])
        batch.reset(seed=4)
        seen = batch.load(batch.resample(seed=9))
        np.testing.assert_array_equal(seen["units"], t["units"])
        self.assertEqual(len(batch.position(whole=True)), 3)
        self.assertIsInstance(batch.render(1), str)

    def test_more_states_than_a_message_holds_are_loaded_in_several(self) -> None:
        batch = self.client.make("toy-ambush", 5, privileged=True)
        batch.reset(seed=4)
        states = batch.save()
        batch.reset(seed=5)
        sent: list[list[int] | None] = []
        request = batch.request
        batch.request = lambda op, *frames, **args: sent.append(args.get("which")) or request(op, *frames, **args)  # type: ignore[method-assign, func-returns-value]
        limits = self.client.hello["limits"]
        self.addCleanup(limits.update, messageBytes=limits["messageBytes"])
        limits["messageBytes"] = 2 * states[:1].nbytes
        batch.load(states)
        self.assertEqual(sent, [[0, 1], [2, 3], [4]])
        np.testing.assert_array_equal(batch.save(), states)
        batch.load(states[:3], which=[4, 2, 0])
        self.assertEqual(sent[-2:], [[4, 2], [0]])
        np.testing.assert_array_equal(batch.save()[[4, 2, 0]], states[:3])
        with self.assertRaises(kessel.KesselError):
            batch.load(states[:3])

    def test_data_of_ones_own_is_sent(self) -> None:
        message: dict[str, object] = {}
        send, self.client.send = (
            self.client.send,
            lambda op, *frames, **args: message.update(args) or send(op, *frames, **args),
        )  # type: ignore[method-assign, func-returns-value]
        self.client.describe("toy-race", data={"words": {"a": 1}})
        self.assertEqual(message["data"], {"words": {"a": 1}})
        kessel.make_vec("toy-race", 1, data={"words": {"a": 1}}).close()

    def test_no_server(self) -> None:
        with self.assertRaises(kessel.KesselError) as caught:
            kessel.Client("tcp://127.0.0.1:9", timeout=1.5)
        self.assertEqual(caught.exception.code, "timeout")
        with self.assertRaises(kessel.KesselError) as caught:
            kessel.LocalServer("node -e process.stderr.write('no-such-thing');process.exit(3)")
        self.assertIn("no-such-thing", caught.exception.message)


if __name__ == "__main__":
    unittest.main()
