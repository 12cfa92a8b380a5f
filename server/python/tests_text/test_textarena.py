"""TextArena: its registry, its wrapper of observations, and its loop with a scripted agent."""

from __future__ import annotations

import re
import unittest

import textarena
from textarena.wrappers import LLMObservationWrapper

import kessel.text


class Last(textarena.Agent):
    """Takes the last legal action that it is told of."""

    def __call__(self, observation: str) -> str:
        counts = re.findall(r"Legal actions, (\d+):", observation)
        return f"I take Action: {counts[-1]}"


class TextArenaTest(unittest.TestCase):
    def test_its_loop_plays_a_whole_game(self) -> None:
        textarena.register("Kessel-v0", kessel.text.text_arena, game="strike-counterstrike")
        env = LLMObservationWrapper(env=textarena.make("Kessel-v0"))
        agents = {0: Last()}
        for seed in (7, 7):
            env.reset(num_players=1, seed=seed)
            done, turns = False, 0
            while not done:
                player_id, observation = env.get_observation()
                self.assertIsInstance(observation, str)
                done, info = env.step(action=agents[player_id](observation))
                self.assertEqual(info["illegal"], 0)
                turns += 1
            rewards, game_info = env.close()
            self.assertIn(rewards[0], (-1.0, 0.0, 1.0))
            self.assertEqual(game_info[0]["turn_count"], turns)
            self.assertFalse(game_info[0]["invalid_move"])
        env.end()

    def test_an_illegal_answer_is_told_and_marked(self) -> None:
        env = kessel.text.text_arena("strike-counterstrike", retries=0)
        env.reset(num_players=1, seed=1)
        env.get_observation()
        done, info = env.step("Hurrah!")
        self.assertTrue(done)
        _, ((_, said, _), (_, told, kind)) = env.get_observation()
        self.assertEqual(said, "Hurrah!")
        self.assertIn("names no legal action", told)
        self.assertEqual(kind, textarena.core.ObservationType.GAME_ADMIN)
        rewards, game_info = env.close()
        self.assertEqual(rewards, {0: -1.0})
        self.assertTrue(game_info[0]["invalid_move"])
        env.end()


if __name__ == "__main__":
    unittest.main()
