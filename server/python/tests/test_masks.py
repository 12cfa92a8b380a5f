"""kessel.sample: random legal actions of masks."""

import unittest

import numpy as np

import kessel


class SampleTest(unittest.TestCase):
    def test_every_legal_action_of_a_row_is_equally_likely_and_no_other_comes(self) -> None:
        mask = np.array([[0, 1, 0, 1, 1], [1, 0, 0, 0, 0], [0, 0, 0, 0, 1]], np.uint8)
        rng = np.random.default_rng(5)
        n = 3000
        drawn = np.stack([kessel.sample(mask, rng) for _ in range(n)])
        self.assertEqual(drawn.dtype, np.int32)
        counts = np.bincount(drawn[:, 0], minlength=5)
        self.assertEqual([int(c) for c in counts[[0, 2]]], [0, 0])
        for c in counts[[1, 3, 4]]:
            self.assertLess(abs(c - n / 3), 5 * (n * 2 / 9) ** 0.5)  # five standard deviations
        self.assertTrue((drawn[:, 1] == 0).all() and (drawn[:, 2] == 4).all())

    def test_a_row_without_any_gets_0_wherever_it_stands(self) -> None:
        for empty in ([0], [1], [2], [0, 2], [0, 1, 2]):
            mask = np.ones((3, 4), np.int8)
            mask[:, 0] = 0
            mask[empty] = 0
            actions = kessel.sample(mask, np.random.default_rng(1))
            for row in range(3):
                self.assertEqual(int(actions[row]) == 0, row in empty)

    def test_a_mask_may_be_a_part_of_a_larger_array(self) -> None:
        part = np.zeros((6, 8), np.uint8)[::2, 1:7]
        part[np.arange(3), [5, 0, 2]] = 1
        self.assertEqual([int(a) for a in kessel.sample(part)], [5, 0, 2])


if __name__ == "__main__":
    unittest.main()
