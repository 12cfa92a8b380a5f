"""OpenEnv: its validator and its client against a served game."""

from __future__ import annotations

import threading
import time
import unittest

import uvicorn
from openenv import GenericEnvClient
from openenv.cli._validation import validate_running_environment

import kessel.text


class OpenEnvTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        app = kessel.text.openenv_app("strike-counterstrike", then="random")
        cls.server = uvicorn.Server(uvicorn.Config(app, host="127.0.0.1", port=0, log_level="critical"))
        threading.Thread(target=cls.server.run, daemon=True).start()
        while not cls.server.started:
            time.sleep(0.05)
        port = cls.server.servers[0].sockets[0].getsockname()[1]
        cls.url = f"http://127.0.0.1:{port}"

    @classmethod
    def tearDownClass(cls) -> None:
        cls.server.should_exit = True

    def test_its_validator_finds_nothing_wrong(self) -> None:
        report = validate_running_environment(self.url)
        failed = [c for c in report["criteria"] if not c["passed"]]
        self.assertEqual(failed, [])

    def test_its_client_plays_a_whole_game(self) -> None:
        with GenericEnvClient(base_url=self.url).sync() as client:
            result = client.reset(seed=7)
            self.assertIn("The map:", result.observation["text"])
            total, steps = 0.0, 0
            while not result.done:
                result = client.step({"text": f"Action: {result.observation['legal']}"})
                total += result.reward
                steps += 1
            self.assertIn("The game is over.", result.observation["text"])
            self.assertEqual(client.state()["step_count"], steps)
        self.assertTrue(-1 <= total <= 1)
        self.assertGreater(steps, 2)

    def test_connections_play_games_of_their_own(self) -> None:
        with GenericEnvClient(base_url=self.url).sync() as one, GenericEnvClient(base_url=self.url).sync() as other:
            texts = [c.reset(seed=3).observation["text"] for c in (one, other)]
            self.assertEqual(texts[0], texts[1])
            self.assertEqual(one.step({"text": "nonsense"}).observation["illegal"], 1)
            self.assertEqual(other.step({"text": "1"}).observation["illegal"], 0)


if __name__ == "__main__":
    unittest.main()
