"""TextArena: its registry, its wrapper of observations, and its loop with one scripted agent and with two."""

from __future__ import annotations

import re
import unittest

import textarena
from textarena.wrappers import LLMObservationWrapper

import kessel.text
from kessel.client.errors import KesselError


class Last(textarena.Agent):
    """Plays the last legal action in the text."""

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

    def test_two_agents_play_each_other_and_neither_reads_what_is_told_to_the_other(self) -> None:
        env = kessel.text.text_arena("savage-streets")
        self.addCleanup(env.end)
        plays = [Last(), Last()]
        for wrapped in (False, True):
            loop = LLMObservationWrapper(env=env) if wrapped else env
            loop.reset(num_players=2, seed=7)
            done, turns, said = False, [0, 0], 0
            while not done:
                player_id, observation = loop.get_observation()
                if not wrapped:
                    self.assertLessEqual({sender for sender, _, _ in observation}, {textarena.GAME_ID, player_id})
                    said += sum(sender == player_id for sender, _, _ in observation)
                    kinds = [kind.name for _, _, kind in observation if kind.name != "PLAYER_ACTION"]
                    self.assertEqual(kinds, ["GAME_BOARD" if turns[player_id] else "PROMPT"])
                    observation = "".join(text for _, text, _ in observation)
                turns[player_id] += 1
                done, info = loop.step(action=plays[player_id](observation))
                self.assertEqual(info["illegal"], 0)
            rewards, game_info = loop.close()
            self.assertEqual(sorted(rewards.values()), [-1.0, 1.0])
            self.assertEqual([game_info[p]["turn_count"] for p in (0, 1)], turns)
            self.assertGreater(min(turns), 20)
            if not wrapped:
                self.assertEqual(said, sum(turns) - 2)  # the last answers come with the result
        for player in (0, 1):
            self.assertIn("The game is over.", env.state.observations[player][-1][1])

    def test_illegal_answers_of_two_are_marked_and_counted_for_each(self) -> None:
        env = kessel.text.text_arena("pocket-stalingrad", retries=1)
        self.addCleanup(env.end)
        env.reset(num_players=2, seed=1)
        clumsy, _ = env.get_observation()
        done, info = env.step("Hurrah!")
        self.assertEqual((done, info["illegal"]), (False, 1))
        player, ((_, said, _), (_, told, kind)) = env.get_observation()
        self.assertEqual((player, said, kind), (clumsy, "Hurrah!", textarena.core.ObservationType.GAME_ADMIN))
        self.assertIn("names no legal action", told)
        done, info = env.step("Hurrah!")
        rewards, game_info = env.close()
        self.assertTrue(done)
        self.assertEqual((rewards[clumsy], rewards[1 - clumsy]), (-1.0, 1.0))
        self.assertEqual([game_info[p]["invalid_move"] for p in (clumsy, 1 - clumsy)], [True, False])
        self.assertNotIn("Hurrah", str(env.state.observations[1 - clumsy]))

    def test_players_that_the_game_has_no_seats_for_are_refused(self) -> None:
        for game, seat, players, says in (
            ("pocket-stalingrad", None, 3, "or two against each other, not 3"),
            ("strike-counterstrike", None, 2, "strike-counterstrike has 1 seat, not 2"),
            ("pocket-stalingrad", "german", 2, "name no seat and no opponent"),
            ("pocket-stalingrad", None, 1, "say which seat"),
        ):
            env = kessel.text.text_arena(game, seat)
            self.addCleanup(env.end)
            with self.subTest(says), self.assertRaisesRegex(KesselError, says):
                env.reset(num_players=players, seed=1)


if __name__ == "__main__":
    unittest.main()
