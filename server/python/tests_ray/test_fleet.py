"""Fleets of servers on a cluster of several nodes, all on this machine; nodes and servers are killed meanwhile."""

from __future__ import annotations

import logging
import os
import signal
import threading
import time
import unittest
from collections import Counter
from typing import Any, Callable

import numpy as np
import ray
from ray.cluster_utils import Cluster
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.rl_module.rl_module import RLModuleSpec

import kessel
from kessel.rl import Fleet, address_here, fleet
from kessel.rl.fleet import Server
from kessel.rl.rllib import KesselEnvRunner, MaskedMLP

GAME = "pocket-stalingrad"
STORE = 80_000_000
"""Bytes of each node's object store; 75 MiB is the least that Ray allows."""
AGAINST = {"seat": "soviet", "opponent": "random"}


def first_legal(obs: Any, mask: np.ndarray) -> np.ndarray:
    return mask.argmax(1)


def until(true: Callable[[], Any], what: str, seconds: float = 60) -> Any:
    """Waits for it."""
    end = time.monotonic() + seconds
    while not (got := true()):
        if time.monotonic() > end:
            raise AssertionError(f"in {seconds:g} s it never came that {what}")
        time.sleep(0.1)
    return got


def runs(process: int) -> bool:
    """Is it a process that has not ended?"""
    try:
        with open(f"/proc/{process}/stat") as file:
            return file.read().rsplit(")", 1)[1].split()[0] != "Z"
    except FileNotFoundError:
        return False


class FleetTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        cls.cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 0, "object_store_memory": STORE})
        cls.addClassCleanup(cls.cluster.shutdown)
        cls.nodes = [cls.cluster.add_node(num_cpus=2, object_store_memory=STORE) for _ in range(2)]
        ray.init(address=cls.cluster.address, log_to_driver=False, logging_level=logging.ERROR)
        cls.addClassCleanup(ray.shutdown)

    def setUp(self) -> None:
        while len(self.nodes) < 2:
            self.nodes.append(self.cluster.add_node(num_cpus=2, object_store_memory=STORE))
        self.cluster.wait_for_nodes()

    def kill_node(self) -> str:
        """Kills one, and returns its id."""
        node = self.nodes.pop()
        self.cluster.remove_node(node, allow_graceful=False)
        return node.node_id

    def fleet(self, *args: Any, **named: Any) -> Fleet:
        made = Fleet(*args, **named)
        self.addCleanup(made.close)
        return made

    def server_on(self, fleet: Fleet, node: str) -> Server:
        """The first server of a node."""
        return until(lambda: [s for s in fleet.servers() if s.node == node], "the node has a server")[0]

    def config(self, fleet: Fleet, seed: int | None = None) -> PPOConfig:
        """Two runners of 8 environments, 1024 decisions an iteration."""
        return (
            PPOConfig()
            .environment("kessel", env_config={"game": GAME, "fleet": fleet.name, **AGAINST})
            .env_runners(
                env_runner_cls=KesselEnvRunner,
                num_env_runners=2,
                num_envs_per_env_runner=8,
                rollout_fragment_length=64,
            )
            .rl_module(rl_module_spec=RLModuleSpec(module_class=MaskedMLP, model_config={"hidden": [32]}))
            .training(train_batch_size_per_learner=1024, minibatch_size=256, num_epochs=1)
            .debugging(seed=seed, log_level="ERROR")
        )

    def test_nodes_with_cores_have_a_server_each_or_one_for_so_many_cores(self) -> None:
        expected = {n.node_id for n in self.nodes}
        for cores, count in ((None, 1), (1, 2), (64, 1)):
            with self.subTest(cores=cores), Fleet(cores) as fleet:
                found = fleet.servers()
                self.assertEqual(Counter(s.node for s in found), dict.fromkeys(expected, count))
                self.assertEqual(len({s.address for s in found}), 2 * count)
                for server in found:
                    self.assertTrue(runs(server.process) and runs(server.keeper))
                    with kessel.Client(server.address) as client:
                        self.assertIn(GAME, [g["id"] for g in client.games()])

    def test_workers_get_servers_of_their_own_node_in_turn(self) -> None:
        made = self.fleet(cores=1)

        @ray.remote(num_cpus=1)
        def ask(name: str) -> tuple[str, list[str]]:
            return ray.get_runtime_context().get_node_id(), [address_here(name)[0] for _ in range(4)]

        for node in (n.node_id for n in self.nodes):
            told, addresses = ray.get(ask.options(scheduling_strategy=fleet._on(node)).remote(made.name))
            self.assertEqual(told, node)
            self.assertEqual(Counter(addresses), {s.address: 2 for s in made.servers() if s.node == node})

    def test_who_asks_again_is_told_how_often(self) -> None:
        made = self.fleet()
        lives = [address_here(made.name, worker)[1] for worker in ("a", "b", "a", "a", "b")]
        self.assertEqual(lives, [0, 0, 1, 2, 1])

    def test_lost_servers_are_started_again(self) -> None:
        made = self.fleet()
        lost, other = (self.server_on(made, n.node_id) for n in self.nodes)
        os.kill(lost.process, signal.SIGKILL)
        again = until(lambda: (s := self.server_on(made, lost.node)) != lost and s, "the server is another")
        self.assertEqual(again.keeper, lost.keeper)
        self.assertEqual(again.address, lost.address)
        os.kill(again.keeper, signal.SIGKILL)
        until(lambda: not runs(again.process), "a server ends with its actor")
        third = until(lambda: (s := self.server_on(made, lost.node)) != again and s, "the actor is another")
        self.assertTrue(runs(third.process) and third.keeper != again.keeper)
        self.assertEqual(self.server_on(made, other.node), other)

    def test_workers_that_ask_wait_for_no_look(self) -> None:
        made = self.fleet()

        @ray.remote(num_cpus=1)
        def ask(name: str, process: int) -> float:
            os.kill(process, signal.SIGKILL)
            until(lambda: not runs(process), "it has ended")
            address, _ = address_here(name)
            with kessel.Client(address) as client:
                return client.stats()["uptime"]

        before = self.server_on(made, self.nodes[0].node_id)
        time.sleep(5)
        on_it = fleet._on(before.node)
        uptime = ray.get(ask.options(scheduling_strategy=on_it).remote(made.name, before.process))
        self.assertLess(uptime, 5)

    def test_nodes_come_and_go(self) -> None:
        made = self.fleet()
        kept, lost = (self.server_on(made, n.node_id) for n in self.nodes)
        self.kill_node()
        until(lambda: lost not in made.servers(), "a lost node is forgotten")
        until(lambda: not runs(lost.keeper) and not runs(lost.process), "its server has ended")
        self.setUp()
        came = self.server_on(made, self.nodes[-1].node_id)
        self.assertCountEqual(made.servers(), [kept, came])

    def test_servers_end_with_their_fleet(self) -> None:
        made = Fleet()
        processes = [p for s in made.servers() for p in (s.process, s.keeper)]
        self.assertEqual(len(processes), 4)
        made.close()
        made.close()
        until(lambda: not any(map(runs, processes)), "they have ended")
        with self.assertRaisesRegex(LookupError, "no fleet .*closed"):
            address_here(made.name)

    def test_a_server_that_does_not_start_says_why(self) -> None:
        with self.assertRaisesRegex(kessel.NoServer, "--models.*nowhere|nowhere.*folder|/nowhere"):
            Fleet(args=["--keys", "/nowhere/keys.json"])
        for cores in (0, -1):
            with self.assertRaisesRegex(ValueError, f"cores is at least 1, not {cores}"):
                Fleet(cores)

    def test_an_evaluation_is_the_same_whatever_is_lost(self) -> None:
        made = self.fleet()
        games = 2 * fleet.TASK_GAMES + 88
        calm = made.evaluate(first_legal, GAME, games, **AGAINST)
        self.assertEqual((calm["episodes"], calm["wins"] + calm["draws"] + calm["losses"]), (games, games))
        self.assertTrue(0 < calm["low"] < calm["win_rate"] < calm["high"] < 1, calm)
        self.assertEqual(made.evaluate(first_legal, GAME, 20, **AGAINST)["episodes"], 20)
        other = made.evaluate(first_legal, GAME, games, seed=5, **AGAINST)
        self.assertNotEqual(other, calm)

        def slow(obs: Any, mask: np.ndarray) -> np.ndarray:
            time.sleep(0.05)
            return first_legal(obs, mask)

        results: list[dict[str, float]] = []
        thread = threading.Thread(target=lambda: results.append(made.evaluate(slow, GAME, games, **AGAINST)))
        servers = [self.server_on(made, n.node_id).process for n in self.nodes]
        thread.start()
        time.sleep(2.5)
        self.assertTrue(thread.is_alive(), "it ended before anything was killed")
        os.kill(servers[0], signal.SIGKILL)
        self.kill_node()
        thread.join(240)
        self.assertEqual(results, [calm])

    def test_refusals_of_the_server_reach_the_caller_and_are_not_repeated(self) -> None:
        made = self.fleet()
        with self.assertRaises(kessel.KesselError) as refused:
            made.evaluate(first_legal, "chess", 4)
        self.assertEqual(refused.exception.code, "unknown-game")

    def test_training_goes_on_without_a_node_and_counts_nothing_twice(self) -> None:
        made = self.fleet()
        config = self.config(made, seed=3).fault_tolerance(
            restart_failed_sub_environments=True, restart_failed_env_runners=True
        )
        algorithm = config.build_algo()
        self.addCleanup(algorithm.stop)
        chunks: list[tuple[str, int, int]] = []  # what was learnt from: episode, first and last decision
        finished: list[str] = []
        update = algorithm.learner_group.update

        def noted(*args: Any, episodes: Any, **named: Any) -> Any:
            for e in episodes:
                name = e.get_infos(-1)["episode"]
                chunks.append((name, e.t_started, e.t))
                if e.is_done:
                    finished.append(name)
            return update(*args, episodes=episodes, **named)

        algorithm.learner_group.update = noted
        algorithm.train()
        placed = algorithm.env_runner_group.foreach_env_runner(
            lambda _: ray.get_runtime_context().get_node_id(), local_env_runner=False
        )
        self.assertEqual(set(placed), {n.node_id for n in self.nodes}, "a runner on each node")
        killer = threading.Timer(0.3, self.kill_node)
        killer.start()
        algorithm.train()
        killer.join()
        result: dict[str, Any] = {}

        def trains() -> bool:
            nonlocal result
            result = algorithm.train()
            return result["env_runners"]["num_env_steps_sampled"] >= 1024

        until(trains, "both runners sample again", 180)
        os.kill(self.server_on(made, self.nodes[0].node_id).process, signal.SIGKILL)
        trains()
        until(trains, "both runners sample again", 180)
        self.assertGreater(len(finished), 20)
        self.assertEqual([n for n, count in Counter(finished).items() if count > 1], [])
        self.assertEqual(result["env_runners"]["num_episodes_lifetime"], len(finished))
        decisions = Counter((name, t) for name, first, last in chunks for t in range(first, last))
        self.assertEqual(max(decisions.values()), 1)

    def test_environments_that_are_made_again_play_other_dice(self) -> None:
        made = self.fleet()

        def play(runner: KesselEnvRunner) -> list[float]:
            assert runner.env is not None
            obs, _ = runner.env.reset(seed=11)
            seen = []
            for _ in range(60):
                obs = runner.env.step(obs["action_mask"].argmax(1))[0]
                seen.append(float(obs["observations"].sum()))
            return seen

        def runner(fleet: Fleet) -> KesselEnvRunner:
            return KesselEnvRunner(config=self.config(fleet), worker_index=1)

        first = runner(made)
        self.addCleanup(first.stop)
        lives = [play(first)]
        first.make_env()
        lives.append(play(first))
        second = runner(made)  # as Ray makes it on another node
        self.addCleanup(second.stop)
        lives.append(play(second))
        self.assertEqual(len({tuple(life) for life in lives}), 3)
        anew = runner(self.fleet())
        self.addCleanup(anew.stop)
        self.assertEqual(play(anew), lives[0])


if __name__ == "__main__":
    unittest.main()
