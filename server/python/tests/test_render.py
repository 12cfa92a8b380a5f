"""Boards as text, drawings and pixels, against the server in KESSEL_ADDRESS."""

from __future__ import annotations

import unittest
import xml.etree.ElementTree
from typing import Any

import gymnasium
import numpy as np
from gymnasium.wrappers import RenderCollection

import kessel

FRAME = (720, 960, 3)


class RenderTest(unittest.TestCase):
    def opened(self, env: Any) -> Any:
        self.addCleanup(env.close)
        return env

    def test_every_environment_names_its_modes(self) -> None:
        for env in (
            kessel.make("toy-race"),
            kessel.make_vec("toy-race", 2),
            kessel.aec_env("toy-race"),
            kessel.parallel_env("toy-race"),
        ):
            self.opened(env)
            self.assertEqual(env.metadata["render_modes"], ["ansi", "svg", "rgb_array"])

    def test_an_unknown_mode_is_refused_with_those_there_are(self) -> None:
        for make in (kessel.make, kessel.make_vec, kessel.aec_env, kessel.parallel_env):
            with self.assertRaisesRegex(ValueError, "'ansi', 'svg', 'rgb_array', not 'human'"):
                make("toy-race", render_mode="human")

    def test_svg_is_a_drawing_as_text(self) -> None:
        for make in (kessel.make, kessel.aec_env, kessel.parallel_env):
            env = self.opened(make("toy-ambush", render_mode="svg"))
            env.reset(seed=1)
            root = xml.etree.ElementTree.fromstring(env.render())
            self.assertEqual((root.tag, root.get("width")), ("{http://www.w3.org/2000/svg}svg", "960"))

    def test_rgb_array_has_the_same_shape_in_every_frame(self) -> None:
        env = self.opened(kessel.make("toy-ambush", render_mode="rgb_array"))
        _, info = env.reset(seed=1)
        frames = [env.render()]
        over = False
        while not over:
            _, _, terminated, truncated, info = env.step(int(info["action_mask"].argmax()))
            frames.append(env.render())
            over = terminated or truncated
        for frame in frames:
            self.assertEqual((frame.shape, frame.dtype), (FRAME, np.uint8))
        self.assertTrue((frames[0] != frames[-1]).any(), "the picture follows the game")

    def test_wrappers_of_gymnasium_take_it(self) -> None:
        env = self.opened(RenderCollection(kessel.make("toy-race", render_mode="rgb_array")))
        self.assertIsInstance(env.unwrapped, gymnasium.Env)
        _, info = env.reset(seed=1)
        env.step(int(info["action_mask"].argmax()))
        self.assertEqual([f.shape for f in env.render()], [FRAME, FRAME])

    def test_a_vector_renders_each_environment(self) -> None:
        envs = self.opened(kessel.make_vec("toy-race", 3, render_mode="rgb_array"))
        envs.reset(seed=1)
        self.assertEqual([f.shape for f in envs.render()], [FRAME] * 3)
        self.assertIsNone(self.opened(kessel.make_vec("toy-race", 1, render_mode=None)).render())

    def test_a_seat_and_a_width_can_be_named(self) -> None:
        batch = self.opened(kessel.make_vec("toy-ambush", 2)).batch
        batch.reset(seed=1)
        self.assertEqual(batch.pixels(1, seat="spectator", width=400).shape, (300, 400, 3))
        self.assertNotEqual(batch.svg(1, seat=batch.players[0]), batch.svg(1, seat=batch.players[1]))
        with self.assertRaises(kessel.KesselError) as caught:
            batch.svg(0, width=10)
        self.assertEqual(caught.exception.code, "bad-option")


if __name__ == "__main__":
    unittest.main()
