"""States to search through: the same game as the batch plays, chance with its probabilities, and no more knowledge than a
player's."""

from __future__ import annotations

import random
import unittest

import kessel
from kessel.search import CHANCE, TERMINAL, load_game


class SearchTest(unittest.TestCase):
    def setUp(self) -> None:
        self.game = load_game("toy-race")
        self.addCleanup(self.game.close)
        self.random = random.Random(1)

    def test_a_game_to_its_end(self) -> None:
        state, throws = self.game.new_initial_state(seed=1), 0
        while not state.is_terminal():
            self.assertEqual(state.returns(), [0.0] * self.game.num_players())
            if state.is_chance_node():
                throws += 1
                self.assertEqual(state.current_player(), CHANCE)
                numbers, chances = zip(*state.chance_outcomes())
                self.assertGreater(len(numbers), 1)
                self.assertAlmostEqual(sum(chances), 1)
                self.assertEqual(state.legal_actions(), list(numbers))
                with self.assertRaisesRegex(kessel.KesselError, "nobody|nobody sees|no situation"):
                    state.information_state_string(0)
                state = state.child(self.random.choices(numbers, chances)[0])
            else:
                names = [state.action_to_string(a) for a in state.legal_actions()]
                self.assertEqual([state.string_to_action(n) for n in names], state.legal_actions())
                state.apply_action(self.random.choice(state.legal_actions()))
        self.assertGreater(throws, 0)
        self.assertEqual((state.current_player(), state.legal_actions()), (TERMINAL, []))
        self.assertEqual(sorted(state.returns()), [-1.0, 1.0])

    def test_children_leave_their_parent_alone(self) -> None:
        state = self.game.new_initial_state(seed=2)
        before = (state.legal_actions(), state.information_state_string(), state.observation_tensor().tolist())
        for action in state.legal_actions():
            after = state.child(action)
            (after.child(0) if after.is_chance_node() else after).returns()
        twin = state.clone()
        twin.apply_action(twin.legal_actions()[0])
        self.assertEqual(
            before, (state.legal_actions(), state.information_state_string(), state.observation_tensor().tolist())
        )

    def test_samples_instead_of_all_outcomes(self) -> None:
        game = load_game("toy-race", samples=5)
        self.addCleanup(game.close)
        state = game.new_initial_state(seed=1)
        while not state.is_chance_node():
            state.apply_action(state.legal_actions()[0])
        self.assertEqual(len(state.chance_outcomes()), 5)

    def test_worlds_that_a_player_cannot_tell_apart(self) -> None:
        game = load_game("toy-ambush")
        self.addCleanup(game.close)
        state, worlds = game.new_initial_state(seed=1), set()
        for seed in range(20):
            world = state.resampled(seed)
            self.assertEqual(world.information_state_string(), state.information_state_string())
            self.assertEqual(world.legal_actions(), state.legal_actions())
            worlds.add(world.information_state_string(1 - world.current_player()))
        self.assertGreater(len(worlds), 1, "what the other side knows is dealt anew")

    def test_what_is_illegal(self) -> None:
        state = self.game.new_initial_state(seed=1)
        with self.assertRaisesRegex(kessel.KesselError, "none of the"):
            state.child(self.game.num_distinct_actions())
        with self.assertRaisesRegex(kessel.BadInput, "whole number"):
            state.child(0.0)
        if not state.is_chance_node():
            with self.assertRaisesRegex(kessel.KesselError, "only a chance node"):
                state.chance_outcomes()


if __name__ == "__main__":
    unittest.main()
