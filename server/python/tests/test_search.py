"""States to search through: the same game as the batch plays, chance with its probabilities, and no more knowledge than a
player's."""

from __future__ import annotations

import json
import random
import unittest

import kessel
from kessel.search import CHANCE, TERMINAL, load_game


class SearchTest(unittest.TestCase):
    def setUp(self) -> None:
        self.game = load_game("toy-race")
        self.addCleanup(self.game.close)
        self.random = random.Random(1)

    def test_a_game_to_its_end_with_dice_that_are_thrown(self) -> None:
        state, results = self.game.new_initial_state(seed=1), []
        while not state.is_terminal():
            self.assertEqual(state.returns(), [0.0] * self.game.num_players())
            self.assertFalse(state.is_chance_node())
            state = state.child(state.legal_actions()[-1])
            results.append(state.information_state_string(0))
        self.assertEqual(sorted(state.returns()), [-1.0, 1.0])
        again = self.game.new_initial_state(seed=1)
        for result in results:
            again.apply_action(again.legal_actions()[-1])
            self.assertEqual(again.information_state_string(0), result, "the same seed and calls, the same dice")

    def test_an_action_has_another_result_each_time(self) -> None:
        state = self.game.new_initial_state(seed=3)
        action = state.legal_actions()[0]
        children = [state.child(action) for _ in range(30)]
        self.assertGreater(len({c.information_state_string(0) for c in children}), 1)
        self.assertEqual(len({c.information_state_string(0) for c in [state.clone() for _ in range(5)]}), 1)

    def test_many_at_once(self) -> None:
        start = self.game.new_initial_state(seed=4)
        states = self.game.resample(start, 50)
        while not all(s.is_terminal() for s in states):
            going = [s for s in states if not s.is_terminal()]
            states, tensors = self.game.expand(going, [self.random.choice(s.legal_actions()) for s in going])
            self.assertEqual(len(states), len(going))
            for state, actor, mask in zip(states, tensors["actors"], tensors["mask"]):
                self.assertEqual(state.current_player(), TERMINAL if actor < 0 else actor)
                self.assertEqual(state.legal_actions_mask(), mask.tolist())
        ends = self.game.playout([start] * 20, seed=1)
        self.assertEqual(ends.shape, (20, 2))
        self.assertTrue((abs(ends) == 1).all() and (ends.sum(axis=1) == 0).all())
        self.assertEqual(start.playout(seed=1), ends[0].tolist())

    def test_states_that_nobody_needs_are_forgotten(self) -> None:
        game = load_game("toy-race", nodes=3)
        self.addCleanup(game.close)
        state = game.new_initial_state(seed=1)
        for _ in range(20):
            state.child(state.legal_actions()[0])
        kept = [state.child(state.legal_actions()[0]) for _ in range(2)]
        with self.assertRaisesRegex(kessel.KesselError, "all 3 states are in use"):
            state.child(state.legal_actions()[0])
        del kept[0]
        state.child(state.legal_actions()[0])

    def test_a_saved_state_is_loaded_by_any_privileged_batch(self) -> None:
        state = self.game.new_initial_state(seed=1)
        state.apply_action(state.legal_actions()[0])
        batch = self.game.client.make("toy-race", 1, privileged=True, autoreset="disabled")
        batch.reset()
        batch.load(state.save()[None])
        self.assertEqual(batch.observe(self.game.players[0])["globals"].shape[0], 1)
        there = batch.position([0], seat=self.game.players[0])[0]
        self.assertEqual(json.dumps(there, sort_keys=True), state.information_state_string(0))

    def test_a_game_to_its_end(self) -> None:
        game = load_game("toy-race", chance="explicit")
        self.addCleanup(game.close)
        state, throws = game.new_initial_state(seed=1), 0
        while not state.is_terminal():
            self.assertEqual(state.returns(), [0.0] * game.num_players())
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
        game = load_game("toy-race", chance="explicit", samples=5)
        self.addCleanup(game.close)
        state = game.new_initial_state(seed=1)
        while not state.is_chance_node():
            state.apply_action(state.legal_actions()[0])
        self.assertEqual(len(state.chance_outcomes()), 5)

    def test_worlds_that_a_player_cannot_tell_apart(self) -> None:
        game = load_game("toy-ambush")
        self.addCleanup(game.close)
        state, worlds = game.new_initial_state(seed=1), set()
        for world in [*(state.resampled(seed) for seed in range(10)), *game.resample(state, 10)]:
            self.assertEqual(world.information_state_string(), state.information_state_string())
            self.assertEqual(world.legal_actions(), state.legal_actions())
            worlds.add(world.information_state_string(1 - world.current_player()))
        self.assertGreater(len(worlds), 1, "what the other side knows is sampled")

    def test_what_is_illegal(self) -> None:
        state = self.game.new_initial_state(seed=1)
        with self.assertRaisesRegex(kessel.KesselError, "bad-action: actions of toy-race are 0 to"):
            state.child(self.game.num_distinct_actions())
        with self.assertRaisesRegex(kessel.BadInput, "whole number"):
            state.child(0.0)
        with self.assertRaisesRegex(kessel.KesselError, "only a chance node"):
            state.chance_outcomes()
        with self.assertRaisesRegex(kessel.BadInput, "chance is 'sampled', 'explicit', not 'lazy'"):
            load_game("toy-race", chance="lazy")
        with self.assertRaisesRegex(kessel.BadInput, "samples"):
            load_game("toy-race", samples=5)


if __name__ == "__main__":
    unittest.main()
