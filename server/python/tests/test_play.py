"""Play through each face against a server of toy games, whose address is in KESSEL_ADDRESS."""

from __future__ import annotations

import unittest

import gymnasium
import numpy as np

import kessel


class PlayTest(unittest.TestCase):
    def test_masks_where_each_library_looks(self) -> None:
        env = kessel.make("toy-race")
        obs, info = env.reset(seed=3)
        np.testing.assert_array_equal(env.action_masks(), info["action_mask"].astype(bool))
        self.assertTrue(info["action_mask"][env.action_space.sample(info["action_mask"])])
        env.close()
        aec = kessel.aec_env("toy-race")
        aec.reset(seed=3)
        obs, _, _, _, info = aec.last()
        np.testing.assert_array_equal(obs["action_mask"], info["action_mask"])
        self.assertTrue(obs["action_mask"].any())
        aec.close()

    def test_an_illegal_action(self) -> None:
        for illegal in ("lose", "random", "raise"):
            env = kessel.make("toy-race", illegal=illegal)
            _, info = env.reset(seed=3)
            action = int(np.flatnonzero(info["action_mask"] == 0)[0])
            if illegal == "raise":
                with self.assertRaises(kessel.KesselError) as caught:
                    env.step(action)
                self.assertEqual(caught.exception.code, "illegal-action")
            else:
                _, reward, terminated, _, info = env.step(action)
                self.assertEqual(
                    (terminated, reward, info["illegal_action"]),
                    (illegal == "lose", -1.0 if illegal == "lose" else 0.0, True),
                )
            env.close()

    def test_zero_sum_play_to_the_end(self) -> None:
        aec = kessel.aec_env("toy-ambush")
        for seed in range(5):
            aec.reset(seed=seed)
            totals = dict.fromkeys(aec.possible_agents, 0.0)
            for agent in aec.agent_iter():
                obs, reward, terminated, truncated, _ = aec.last()
                totals[agent] += reward
                aec.step(None if terminated or truncated else aec.action_space(agent).sample(obs["action_mask"]))
            self.assertEqual(sum(totals.values()), 0)
        aec.close()

    def test_what_was_seen_before_a_reset_or_a_load_is_not_shown_after_it(self) -> None:
        env = kessel.parallel_env("toy-race", privileged=True)
        self.addCleanup(env.close)
        first, infos = env.reset(seed=1)
        saved, mover = env.batch.save(), env._actor

        def play_on() -> None:
            """Until the other side acts, whose view was asked for with the step, and nobody looked at."""
            _, infos = env.reset(seed=2)
            while env._actor == mover:
                _, _, _, _, infos = env.step({a: int(infos[a]["action_mask"].argmax()) for a in env.agents})

        play_on()
        again, _ = env.reset(seed=1)
        play_on()
        env.game.load(saved)
        for agent in env.agents:
            expected = first[agent]["observation"]
            loaded = env.game.observation_of(agent)
            for name, tensor in expected.items():
                np.testing.assert_array_equal(again[agent]["observation"][name], tensor)
                np.testing.assert_array_equal(loaded[name], tensor)

    def test_what_was_seen_after_a_refused_step_is_not_shown_after_a_reset(self) -> None:
        env = kessel.parallel_env("toy-race")
        self.addCleanup(env.close)
        first, infos = env.reset(seed=1)
        _, _, _, _, infos = env.step({a: int(infos[a]["action_mask"].argmax()) for a in env.agents})
        with self.assertRaisesRegex(kessel.KesselError, "illegal-action"):
            env.step({a: int(infos[a]["action_mask"].argmin()) for a in env.agents})
        again, _ = env.reset(seed=1)
        for agent in env.agents:
            for name, tensor in first[agent]["observation"].items():
                np.testing.assert_array_equal(again[agent]["observation"][name], tensor)

    def test_vector_wrappers_of_gymnasium_work(self) -> None:
        envs = gymnasium.wrappers.vector.RecordEpisodeStatistics(kessel.FlatVector(kessel.make_vec("toy-race", 8)))
        obs, info = envs.reset(seed=1)
        self.assertIn(obs, envs.observation_space)
        episodes = 0
        for _ in range(200):
            obs, reward, terminated, truncated, info = envs.step(kessel.sample(info["action_mask"]))
            episodes += int(info["_episode"].sum()) if "_episode" in info else 0
        self.assertGreater(episodes, 8)
        envs.close()

    def test_pipelined_is_the_same_play(self) -> None:
        envs = kessel.make_pipelined("toy-race", 8, groups=2)
        rng = [np.random.default_rng(g) for g in range(2)]
        seen: list[list[np.ndarray]] = [[], []]
        envs.async_reset(seed=5)
        for _ in range(80):
            obs, reward, terminated, truncated, info = envs.recv()
            g = int(info["env_id"][0]) // 4
            seen[g].append(np.concatenate([obs["map"].ravel(), reward]))
            envs.send(kessel.sample(info["action_mask"], rng[g]), info["env_id"])
        with self.assertRaises(ValueError):
            envs.send(np.zeros(4, np.int32), info["env_id"])
        envs.close()
        for g in range(2):
            plain = kessel.make_vec("toy-race", 4)
            rng_g = np.random.default_rng(g)
            obs, info = plain.reset(seed=f"5/{g}")
            reward = np.zeros(4, np.float32)
            self.assertGreaterEqual(len(seen[g]), 20)
            for expected in seen[g]:
                np.testing.assert_array_equal(np.concatenate([obs["map"].ravel(), reward]), expected)
                obs, reward, _, _, info = plain.step(kessel.sample(info["action_mask"], rng_g))
            plain.close()

    def test_asynchronous_is_the_same_play(self) -> None:
        plain = kessel.make_vec("toy-ambush", 12)
        obs, info = plain.reset(seed=5)
        reward = np.zeros(12, np.float32)
        expected: list[list[np.ndarray]] = [[] for _ in range(12)]
        for _ in range(40):
            for i in range(12):
                expected[i].append(np.concatenate([obs["units"][i].ravel(), reward[i : i + 1]]))
            obs, reward, _, _, info = plain.step(info["action_mask"].argmax(1))
        plain.close()
        for ahead in range(3):
            envs = kessel.make_async("toy-ambush", 12, 4, ahead=ahead)
            seen = [0] * 12
            envs.async_reset(seed=5)
            for _ in range(100):
                obs, reward, _, _, info = envs.recv()
                self.assertEqual(len(set(info["env_id"])), 4)
                for k, i in enumerate(info["env_id"]):
                    np.testing.assert_array_equal(
                        np.concatenate([obs["units"][k].ravel(), reward[k : k + 1]]), expected[i][seen[i]]
                    )
                    seen[i] += 1
                envs.send(info["action_mask"].argmax(1), info["env_id"])
            self.assertGreater(min(seen), 30)
            envs.async_reset(seed=5)  # with results still on their way
            obs, _, _, _, info = envs.recv()
            np.testing.assert_array_equal(np.append(obs["units"][0].ravel(), 0), expected[info["env_id"][0]][0])
            envs.close()

    def test_asynchronous_refusals(self) -> None:
        with self.assertRaises(ValueError):
            kessel.make_async("toy-ambush", 12, 5, ahead=2)
        with self.assertRaisesRegex(ValueError, "illegal is 'raise'"):
            kessel.make_async("toy-ambush", 12, 4, illegal="random")
        with self.assertRaises(kessel.KesselError):
            kessel.make_async("toy-ambush", 12, 4, autoreset="disabled")
        envs = kessel.make_async("toy-ambush", 12, 4, seat="red", opponent="random", autoreset="same-step")
        with self.assertRaises(ValueError):
            envs.recv()
        envs.async_reset(seed=1)
        obs, reward, _, _, info = envs.recv()
        mine = info["env_id"].copy()
        other = next(i for i in range(12) if i not in mine)
        envs.send([0], [other])
        with self.assertRaisesRegex(kessel.KesselError, f"environment {other} is not the client's turn"):
            envs.recv()
        envs.send(kessel.sample(info["action_mask"]), mine)
        self.assertTrue((envs.recv()[4]["actor"] == 0).all())
        envs.close()


if __name__ == "__main__":
    unittest.main()
