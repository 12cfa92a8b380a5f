"""What a client says and does when its connection breaks, its server is restarted, or there is none."""

from __future__ import annotations

import os
import pickle
import signal
import socket
import threading
import time
import unittest
from typing import Any

import numpy as np

import kessel
from kessel.client.link import Link, connector


class Lease:
    token = "some-batch"
    lease = 0.1
    closed = False


class Proxy:
    """Stands between a client and the server in KESSEL_ADDRESS; swallows what the client says, holds back what the
    server says while ``through`` is not set, or cuts the connection."""

    def __init__(self) -> None:
        host, port = os.environ["KESSEL_ADDRESS"].removeprefix("tcp://").rsplit(":", 1)
        self.target = host, int(port)
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.address = f"tcp://127.0.0.1:{self.listener.getsockname()[1]}"
        self.swallow = False
        self.taken = 0
        self.only: int | None = None
        """Number of the connection that ``through`` is about; ``None``: all."""
        self.through = threading.Event()
        self.through.set()
        self.open: list[socket.socket] = []
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        while True:
            try:
                near, _ = self.listener.accept()
            except OSError:
                return
            far = socket.create_connection(self.target)
            self.open += [near, far]
            for a, b in ((near, far), (far, near)):
                threading.Thread(target=self._pump, args=(a, b, a is near, self.taken), daemon=True).start()
            self.taken += 1

    def _pump(self, a: socket.socket, b: socket.socket, from_client: bool, number: int) -> None:
        try:
            while data := a.recv(1 << 16):
                if not from_client and self.only in (None, number):
                    self.through.wait()
                if not (from_client and self.swallow):
                    b.sendall(data)
        except OSError:
            pass  # cut

    def cut(self) -> None:
        """Breaks all connections; new ones are taken."""
        self.swallow = False
        for s in self.open:
            try:
                s.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass  # the other end was quicker
            s.close()
        self.open.clear()

    def close(self) -> None:
        if self.listener.fileno() >= 0:
            self.listener.shutdown(socket.SHUT_RDWR)  # without, the waiting accept would take one more
            self.listener.close()
        self.through.set()
        self.cut()


def first_id(result: Any) -> int:
    return int(result[4]["env_id"][0])


class BrokenConnectionTest(unittest.TestCase):
    def setUp(self) -> None:
        self.proxy = Proxy()
        self.addCleanup(self.proxy.close)
        self.client = kessel.Client(self.proxy.address)
        self.addCleanup(self.client.close)
        self.batch = self.client.make("toy-race", 4, privileged=True)
        self.t = self.batch.reset(seed=1)

    def test_an_idle_connection_that_breaks_is_made_again(self) -> None:
        self.proxy.cut()
        names = self.batch.legal()
        self.assertEqual([len(n) for n in names], self.t["mask"].sum(axis=1).tolist())
        self.batch.step(kessel.sample(self.t["mask"]))

    def test_a_step_in_flight(self) -> None:
        saved = self.batch.save()
        self.proxy.swallow = True
        step = self.batch.send_step(kessel.sample(self.t["mask"]))
        time.sleep(0.2)
        self.proxy.cut()
        with self.assertRaisesRegex(kessel.ConnectionLost, r"'step' was in flight.*load\(save\)") as caught:
            self.batch.receive(step)
        self.assertEqual(caught.exception.code, "disconnected")
        self.assertIsInstance(caught.exception, ConnectionError)
        t = self.batch.load(saved)
        for name in ("globals", "map", "units", "mask", "actors"):
            np.testing.assert_array_equal(t[name], self.t[name])

    def test_a_broken_connection_is_told_of_once(self) -> None:
        env = kessel.parallel_env("toy-race", address=self.proxy.address)
        self.addCleanup(env.close)
        _, infos = env.reset(seed=1)
        actions = {agent: int(infos[agent]["action_mask"].argmax()) for agent in env.agents}
        for go_on in (lambda: env.step(actions), lambda: env.reset(seed=1)):
            env.reset(seed=1)
            threading.Timer(0.3, self.proxy.cut).start()
            self.proxy.swallow = True
            with self.assertRaises(kessel.ConnectionLost):
                env.step(actions)
            go_on()

    def test_a_reset_goes_on_after_a_break_whatever_was_asked_before(self) -> None:
        for make in (
            lambda: kessel.make_async("toy-race", 6, 1, ahead=2, address=self.proxy.address),
            lambda: kessel.make_pipelined("toy-race", 6, groups=3, address=self.proxy.address),
        ):
            envs = make()
            self.addCleanup(envs.close)
            envs.async_reset(seed=1)
            first = [envs.recv() for _ in range(3)]
            self.proxy.swallow = True
            for _, _, _, _, info in first:
                envs.send(kessel.sample(info["action_mask"]), info["env_id"])
            time.sleep(0.2)
            self.proxy.cut()
            with self.assertRaises(kessel.ConnectionLost):
                for _ in range(3):  # what was asked ahead was answered
                    envs.recv()
            envs.async_reset(seed=1)
            again = [envs.recv() for _ in range(3)]
            for (obs, *_), (expected, *_) in zip(sorted(again, key=first_id), sorted(first, key=first_id)):
                for name, tensor in expected.items():
                    np.testing.assert_array_equal(obs[name], tensor)

    def test_what_only_reads_is_asked_again(self) -> None:
        self.proxy.swallow = True
        threading.Timer(0.3, self.proxy.cut).start()
        self.assertEqual(len(self.batch.legal()), 4)

    def test_what_is_not_in_flight_is_not_awaited(self) -> None:
        self.proxy.cut()
        self.batch.legal()
        received = self.batch.send("legal")
        self.batch.receive(received)
        coming = self.batch.send("legal")
        for wait in (self.client.receive, lambda id: self.client.first([coming, id])):
            for id in (received, coming + 1):
                with self.assertRaisesRegex(kessel.KesselError, f"not-in-flight: request {id} is not in flight"):
                    wait(id)
        self.assertEqual(len(self.batch.receive(coming).header["legal"]), 4)

    def test_a_reply_that_comes_too_late_is_dropped(self) -> None:
        client = kessel.Client(self.proxy.address, timeout=1.0)
        self.addCleanup(client.close)
        batch = client.make("toy-race", 4)
        self.proxy.through.clear()
        with self.assertRaises(kessel.TimedOut):
            batch.reset(seed=1)
        self.proxy.through.set()
        client.timeout = 60.0
        batch.legal()  # answered after what came too late
        self.assertEqual(client._replies, {})
        replies = [batch.receive(batch.send_reset(seed=1)) for _ in range(8)]
        self.assertEqual([r.header.get("slot") for r in replies], [*range(8)], "a slot stays taken")

    def test_an_answer_to_what_was_given_up_at_a_break_is_dropped(self) -> None:
        batch = self.client.make("toy-race", 4, shared=False)
        self.proxy.through.clear()
        reset = batch.send_reset(seed=1)
        self.client._link.breaks += 1  # noticed only when the request was on its way over the next connection
        with self.assertRaises(kessel.ConnectionLost):
            batch.receive(reset)
        self.proxy.through.set()
        self.assertEqual(len(batch.legal()), 4)
        self.assertEqual(self.client._replies, {})

    def test_a_server_that_answers_pings_is_waited_for(self) -> None:
        client = kessel.Client(self.proxy.address, timeout=1.5)
        self.addCleanup(client.close)
        batch = client.make("toy-race", 4)
        self.proxy.only = self.proxy.taken - 1
        self.proxy.through.clear()
        threading.Timer(5, self.proxy.through.set).start()
        began = time.monotonic()
        batch.reset(seed=1)
        self.assertGreater(time.monotonic() - began, 4)

    def test_a_break_is_known_at_once(self) -> None:
        self.proxy.swallow = True
        step = self.batch.send_step(kessel.sample(self.t["mask"]))
        cut = [0.0]

        def end() -> None:
            cut[0] = time.monotonic()
            self.proxy.cut()

        threading.Timer(0.5, end).start()
        with self.assertRaises(kessel.ConnectionLost):
            self.batch.receive(step)
        self.assertLess(time.monotonic() - cut[0], 1)

    def test_an_interrupted_step_shifts_nothing(self) -> None:
        env = kessel.make("toy-race", address=self.proxy.address)
        envs = kessel.make_vec("toy-race", 2, address=self.proxy.address)
        for e in (env, envs):
            self.addCleanup(e.close)
            _, info = e.reset(seed=1)
            actions = info["action_mask"].argmax(axis=-1)
            self.proxy.through.clear()
            main = threading.main_thread().ident
            assert main is not None
            threading.Timer(0.5, signal.pthread_kill, (main, signal.SIGINT)).start()
            with self.assertRaises(KeyboardInterrupt):
                e.step(actions)
            self.proxy.through.set()
            for _ in range(2):
                with self.assertRaisesRegex(kessel.KesselError, "not-reset: a step was interrupted"):
                    e.step(actions)
            obs, info = e.reset(seed=1)
            again = e.step(info["action_mask"].argmax(axis=-1))[0]
            e.reset(seed=1)
            expected = e.step(info["action_mask"].argmax(axis=-1))[0]
            for name, tensor in expected.items():
                np.testing.assert_array_equal(again[name], tensor)

    def test_threads_share_a_connection(self) -> None:
        def play(batch: kessel.Batch, steps: int) -> list[float]:
            t, seen = batch.reset(seed=3), []
            for _ in range(steps):
                t = batch.step(t["mask"].argmax(axis=1))
                seen += [*map(float, t["globals"].ravel())]
            return seen

        expected = play(self.batch, 200)
        batches = [self.client.make("toy-race", 4) for _ in range(4)]
        found: dict[int, list[float]] = {}
        threads = [
            threading.Thread(target=lambda k=k: found.update({k: play(batches[k], 200)})) for k in range(len(batches))
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(60)
        self.assertEqual([found.get(k) for k in range(len(batches))], [expected] * len(batches))

    def test_more_environments_than_sockets(self) -> None:
        envs = [kessel.make("toy-race", address=self.proxy.address) for _ in range(400)]
        seen = [int(env.reset(seed=k)[1]["decisions"]) for k, env in enumerate(envs)]
        self.assertEqual(len(seen), 400)
        clients = {env.batch.client for env in envs}
        self.assertLess(len(clients), 10)
        for env in envs:
            env.close()
        self.assertFalse(any(client.connected for client in clients), "a connection is left open")

    def test_a_server_that_is_silent(self) -> None:
        client = kessel.Client(self.proxy.address, timeout=1.0)
        self.addCleanup(client.close)
        self.proxy.swallow = True
        with self.assertRaisesRegex(
            kessel.TimedOut, rf"{self.proxy.address} is connected but has not answered 'ping' for 1 s"
        ):
            client.ping()
        self.proxy.close()
        with self.assertRaisesRegex(
            kessel.TimedOut, f"the connection to {self.proxy.address} broke and was not re-established in 1 s"
        ):
            for _ in range(2):  # the first may still see that the connection breaks
                client.ping()
        start = time.monotonic()
        self.client.close()
        self.assertLess(time.monotonic() - start, 5)


class RestartTest(unittest.TestCase):
    def test_a_server_that_is_restarted(self) -> None:
        with socket.create_server(("127.0.0.1", 0)) as s:
            port = str(s.getsockname()[1])
        first = kessel.LocalServer(args=["--port", port])
        self.addCleanup(first.stop)
        envs = kessel.make_vec("pocket-stalingrad", 3, address=first.address, privileged=True)
        self.addCleanup(envs.close)
        rng = np.random.default_rng(1)
        _, info = envs.reset(seed=1)
        for _ in range(20):
            _, _, _, _, info = envs.step(kessel.sample(info["action_mask"], rng))
        saved, actions = envs.batch.save(), kessel.sample(info["action_mask"], rng)
        expected = envs.step(actions)[0]
        first.process.kill()
        first.process.wait()
        second = kessel.LocalServer(args=["--port", port])
        self.addCleanup(second.stop)
        with self.assertRaises(kessel.KesselError) as caught:
            for _ in range(2):  # the first may see that the connection breaks
                try:
                    envs.step(actions)
                except kessel.ConnectionLost:
                    continue
        self.assertIsInstance(caught.exception, kessel.BatchLost)
        self.assertRegex(caught.exception.message, r"the server was restarted \d+ s ago.*load\(save\)")
        again = envs.another()
        self.addCleanup(again.close)
        again.reset()
        again.batch.load(saved)
        for name, tensor in again.step(actions)[0].items():
            np.testing.assert_array_equal(tensor, expected[name])

    def test_heartbeats_wait_for_no_server(self) -> None:
        before = threading.enumerate()
        link = Link(connector("tcp://127.0.0.1:9", None, None))  # where nobody is
        self.addCleanup(link.close)
        thread = next(t for t in threading.enumerate() if t.name == "kessel-link" and t not in before)
        leases = [Lease() for _ in range(2000)]  # more than a socket keeps until there is a connection
        for lease in leases:
            link.add(lease)
        time.sleep(1)
        link.close()
        thread.join(5)
        self.assertFalse(thread.is_alive(), "the thread that watches the connection hangs")

    def test_a_lease_that_ran_out(self) -> None:
        client = kessel.Client()
        self.addCleanup(client.close)
        batch = client.make("toy-race", 1)
        other = kessel.Client()
        self.addCleanup(other.close)
        other.request("close", batch=batch.token)
        with self.assertRaisesRegex(kessel.BatchLost, "closed by another client, or unused for its lease of 120 s"):
            batch.reset(seed=1)

    def test_the_log_of_a_server_of_ones_own(self) -> None:
        with self.assertRaisesRegex(kessel.NoServer, "cannot run .*no-such-program"):
            kessel.LocalServer("no-such-program")
        with self.assertRaisesRegex(kessel.NoServer, "did not start; its log ends:\n.*unknown option"):
            kessel.LocalServer(args=["--no-such-option"])
        with self.assertRaisesRegex(kessel.NoServer, r"was not ready within 0\.5 s; its log ends:\n\(empty\)"):
            kessel.LocalServer("node -e setTimeout(()=>{},1e6)", timeout=0.5)
        with self.assertRaisesRegex(
            kessel.TimedOut, "no Kessel server was reached at tcp://127.0.0.1:9 in 1 s; is one running there"
        ):
            kessel.Client("tcp://127.0.0.1:9", timeout=1)

    def test_errors_travel_between_processes(self) -> None:
        for kind in (kessel.KesselError, kessel.BatchLost, kessel.ConnectionLost, kessel.TimedOut, kessel.NoServer):
            error = pickle.loads(pickle.dumps(kind("some-code", "what")))
            self.assertEqual((type(error), error.code, error.message), (kind, "some-code", "what"))


if __name__ == "__main__":
    unittest.main()
