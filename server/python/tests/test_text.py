"""Games as text, against a real ``kessel tools``."""

import importlib
import sys
import unittest
from unittest.mock import patch

import gymnasium
from gymnasium.utils.env_checker import check_env
from tool_case import ToolTestCase

import kessel.text
from kessel.client.errors import KesselError
from kessel.text import TextBatch, ToolServer, make_text


class TextTest(ToolTestCase):
    def batch(self, size: int = 4, **more: object) -> TextBatch:
        return TextBatch("pocket-stalingrad", size, "german", "random", server=self.server, **more)  # type: ignore[arg-type]

    def test_gymnasium_accepts_it(self) -> None:
        env = make_text("pocket-stalingrad", "german", "random", server=self.server)
        check_env(env, skip_render_check=True)

    def test_a_whole_game(self) -> None:
        env = make_text("pocket-stalingrad", "german", "random", server=self.server)
        text, info = env.reset(seed=3)
        self.assertIn("The map:", text)
        self.assertIsInstance(env.observation_space, gymnasium.spaces.Text)
        over, reward, steps = False, 0.0, 0
        while not over:
            self.assertTrue(env.observation_space.contains(text))
            self.assertEqual(reward, 0)
            text, reward, over, _, info = env.step(f"I take Action: {info['legal']}")
            steps += 1
        self.assertIn(reward, (-1.0, 0.0, 1.0))
        self.assertIn("The game is over.", text)
        self.assertEqual(info["illegal"], 0)
        self.assertGreater(steps, 20)

    def test_equal_seeds_give_equal_games(self) -> None:
        games = []
        for seed in (5, 5, 6):
            batch = self.batch(3)
            texts = [batch.reset(seed)]
            for _ in range(12):
                texts.append(batch.step(["1"] * 3)[0])
            games.append(texts)
        self.assertEqual(games[0], games[1])
        self.assertNotEqual(games[0], games[2])

    def test_shaping_sums_to_the_potential_of_the_start_and_leaves_texts_alone(self) -> None:
        server = ToolServer(potentials=True)
        self.addCleanup(server.close)
        plain = self.batch(1)
        more = {"shaping": "material", "gamma": 1.0, "server": server}
        shaped = TextBatch("pocket-stalingrad", 1, "german", "random", **more)  # type: ignore[arg-type]
        self.assertEqual(plain.reset(4), shaped.reset(4))
        start = shaped._phi[0]
        sums, seen, over = [0.0, 0.0], set(), False
        while not over:
            texts, rewards, done = plain.step(["1"])
            others, gained, _ = shaped.step(["1"])
            self.assertEqual(texts, others)
            sums = [sums[0] + rewards[0], sums[1] + gained[0]]
            seen.add(gained[0])
            over = done[0]
        self.assertAlmostEqual(sums[1], sums[0] - start, places=9)
        self.assertGreater(len(seen), 3)

    def test_shaping_needs_a_server_that_tells_potentials(self) -> None:
        self.assertNotIn("potentials", self.server.call("new_game", game="night-fight").facts)
        with self.assertRaisesRegex(KesselError, "potentials=True"):
            self.batch(1, shaping="captured")
        with self.assertRaisesRegex(KesselError, "gamma must be in 0..1"):
            self.batch(1, gamma=2)
        server = ToolServer(potentials=True)
        self.addCleanup(server.close)
        with self.assertRaisesRegex(KesselError, "'luck' is no potential; there are .*captured"):
            TextBatch("pocket-stalingrad", 1, "german", "random", shaping="luck", server=server).reset(1)

    def test_rewards_by_progress(self) -> None:
        """Each turn's reward is the side's progress. Over an episode they sum to its total, from an equal start."""
        batch = TextBatch("pocket-stalingrad", 2, "german", "random", reward="progress")
        self.addCleanup(batch.close)
        batch.reset(3)
        sums, turns = [0.0, 0.0], set()
        while not all(batch.over):
            _, rewards, _ = batch.step(["1", "1"])
            turns.update(rewards)
            sums = [a + b for a, b in zip(sums, rewards)]
        self.assertGreater(len(turns), 3)
        for i, session in enumerate(batch.sessions):
            facts = batch.server.call("result", session=session).facts
            won = facts["returns"]["german"] > 0
            self.assertEqual(facts["progress"] == 100, won)
            self.assertLessEqual(abs(sums[i]), 1)

    def test_who_gives_up_has_no_progress_left(self) -> None:
        batch = TextBatch("pocket-stalingrad", 1, "german", "random", reward="progress", retries=0)
        self.addCleanup(batch.close)
        batch.reset(1)
        _, (reward,), (over,) = batch.step(["fly to the moon"])
        self.assertTrue(over)
        self.assertLess(reward, -0.3)

    def test_progress_needs_a_server_that_tells_it(self) -> None:
        self.assertNotIn("progress", self.server.call("new_game", game="night-fight").facts)
        for words, more in (
            ('reward="progress" reads the true state; make the server with potentials=True', {"reward": "progress"}),
            ("shaping adds to the return", {"reward": "progress", "shaping": "captured"}),
            ('reward is "return" or "progress", not "score"', {"reward": "score"}),
        ):
            with self.assertRaisesRegex(KesselError, words.replace('"score"', "'score'")):
                self.batch(1, **more)

    def test_without_gymnasium_it_says_what_to_install(self) -> None:
        modules = {name: None for name in ("gymnasium", "gymnasium.spaces")}
        with patch.dict(sys.modules, modules):
            for name in [n for n in sys.modules if n.startswith("kessel.text")]:
                del sys.modules[name]
            with self.assertRaisesRegex(
                ImportError, r"kessel.text needs gymnasium; install it with: pip install 'kessel\[text\]'"
            ):
                importlib.import_module("kessel.text")

    def test_a_library_that_is_missing_is_named_with_its_version(self) -> None:
        for name, package in {
            "load_environment": "verifiers==",
            "openenv_app": "openenv-core==",
            "text_arena": "textarena==",
        }.items():
            with self.subTest(name), self.assertRaisesRegex(KesselError, f"missing-library: {name} needs {package}"):
                # as where none of them is installed
                with patch.dict(
                    sys.modules, {"verifiers": None, "verifiers.v1": None, "openenv": None, "textarena": None}
                ):
                    getattr(kessel.text, name)("pocket-stalingrad", "german")

    def test_64_games_at_once(self) -> None:
        batch = self.batch(64)
        batch.reset(1)
        for _ in range(400):
            if all(batch.step(["1"] * 64)[2]):
                break
        self.assertTrue(all(batch.over))
        self.assertEqual(len(set(batch.sessions)), 64)

    def test_illegal_answers_are_explained_and_then_lose(self) -> None:
        batch = self.batch(2, retries=2)
        batch.reset(1)
        for _ in range(2):
            texts, rewards, over = batch.step(["fly to the moon", "1"])
            self.assertIn("names no legal action; give a number from 1 to", texts[0])
            self.assertEqual((rewards, over), ([0, 0], [False, False]))
        texts, rewards, over = batch.step(["fly to the moon", "1"])
        self.assertEqual((rewards[0], over), (-1, [True, False]))
        self.assertIn("gave up", texts[0])
        self.assertEqual(batch.illegal, [3, 0])

    def test_illegal_answers_may_become_random_ones(self) -> None:
        batch = self.batch(1, retries=0, then="random")
        batch.reset(1)
        while not batch.over[0]:
            (text,), _, _ = batch.step(["fly"])
            self.assertIn("names no legal action", text)
            self.assertIn("You chose: ", text)
        self.assertGreater(batch.illegal[0], 20)

    def test_a_legal_answer_forgives_earlier_ones(self) -> None:
        batch = self.batch(1, retries=1)
        batch.reset(1)
        for answer in ("fly", "1", "fly", "1"):
            _, _, over = batch.step([answer])
            self.assertEqual(over, [False])
        self.assertEqual(batch.illegal, [2])

    def test_bad_arguments_say_what_would_be_right(self) -> None:
        for more, says in (
            ({"seat": "us"}, "seats are soviet or german"),
            ({"seat": None}, "say which seat"),
            ({"opponent": "onnx:/etc/passwd"}, "nobody called"),
            ({"options": {"x": 1}}, 'no option "x"'),
        ):
            given = {"seat": "german", "opponent": "random", **more}
            batch = TextBatch("pocket-stalingrad", 1, server=self.server, **given)  # type: ignore[arg-type]
            with self.assertRaisesRegex(KesselError, says):
                batch.reset()
        with self.assertRaisesRegex(KesselError, "not-reset"):
            self.batch().step(["1"] * 4)
        with self.assertRaisesRegex(KesselError, "there is no game"):
            TextBatch("chess", 1, server=self.server).reset()
        batch = self.batch(2)
        batch.reset(1)
        with self.assertRaisesRegex(KesselError, "step takes 2 texts"):
            batch.step(["1"])
        for wrong in ({"size": 0}, {"size": 1, "retries": -1}, {"size": 1, "then": "cry"}):
            with self.assertRaisesRegex(KesselError, "bad-config"):
                self.batch(**wrong)  # type: ignore[arg-type]

    def test_a_server_that_ends_is_told(self) -> None:
        server = ToolServer()
        batch = TextBatch("pocket-stalingrad", 1, "german", "random", server=server)
        batch.reset(1)
        server._process.kill()
        with self.assertRaisesRegex(KesselError, "kessel tools has ended"):
            for _ in range(100):
                batch.step(["1"])


if __name__ == "__main__":
    unittest.main()
