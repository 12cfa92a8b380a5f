"""Boards as text, drawings and pixels, against the server in KESSEL_ADDRESS."""

from __future__ import annotations

import json
import unittest
import xml.etree.ElementTree
from concurrent.futures import Future
from io import StringIO
from threading import Thread
from typing import Any
from unittest import mock
from urllib.error import HTTPError
from urllib.request import Request, urlopen

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
            kessel.aec_env("toy-race"),
            kessel.parallel_env("toy-race"),
        ):
            self.opened(env)
            self.assertEqual(env.metadata["render_modes"], ["ansi", "svg", "rgb_array", "human"])
        envs = self.opened(kessel.make_vec("toy-race", 2))
        self.assertEqual(envs.metadata["render_modes"], ["ansi", "svg", "rgb_array"])

    def test_an_unknown_mode_is_refused_with_those_there_are(self) -> None:
        for make in (kessel.make, kessel.aec_env, kessel.parallel_env):
            with self.assertRaisesRegex(ValueError, "'ansi', 'svg', 'rgb_array', 'human', not 'pygame'"):
                make("toy-race", render_mode="pygame")
        with self.assertRaisesRegex(ValueError, "'ansi', 'svg', 'rgb_array', not 'human'"):
            kessel.make_vec("toy-race", render_mode="human")

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

    def test_human_opens_a_page_that_follows_the_environment(self) -> None:
        for make in (kessel.make, kessel.aec_env, kessel.parallel_env):
            with self.subTest(make=make.__name__), mock.patch("webbrowser.open", return_value=True) as browser:
                env = self.opened(make("toy-ambush", render_mode="human"))
                env.reset(seed=1)
                ((address,), _) = browser.call_args
                page = urlopen(address, timeout=20).read().decode()
                self.assertIn('id="board"', page)
                first = json.load(urlopen(address + "board?after=0", timeout=20))
                self.assertEqual(first["svg"], env.batch.svg(0))
                actor = env.batch.players[env.game.actor]
                self.assertEqual(first["caption"], f"Ambush, decisions so far: 0, {actor} decides")

                waiting: Future[Any] = Future()
                asked = address + f"board?after={first['number']}"
                Thread(target=lambda: waiting.set_result(json.load(urlopen(asked, timeout=60)))).start()
                action = int(env.game.mask.argmax())
                env.step({actor: action} if make is kessel.parallel_env else action)
                after = waiting.result(60)
                self.assertEqual((after["number"], after["svg"]), (first["number"] + 1, env.batch.svg(0)))
                self.assertIn("decisions so far: 1,", after["caption"])
                self.assertIsNone(env.render())
                browser.assert_called_once()
                env.close()
                with self.assertRaises(OSError):
                    urlopen(address, timeout=20)

    def test_a_page_is_for_its_own_reader(self) -> None:
        with mock.patch("webbrowser.open", return_value=False), mock.patch("sys.stderr", StringIO()) as said:
            env = self.opened(kessel.make("toy-race", render_mode="human"))
            env.reset(seed=1)
        address = said.getvalue().split()[-1]  # for a browser elsewhere, where none opened here
        self.assertRegex(address, r"^http://127\.0\.0\.1:\d+/[\w-]{20,}/$")
        other = Request(address, headers={"Host": "example.org"})
        for asked, status in ((other, 403), (address.rsplit("/", 2)[0] + "/", 404), (address + "elsewhere", 404)):
            with self.assertRaises(HTTPError) as refused:
                urlopen(asked, timeout=20)
            self.assertEqual(refused.exception.code, status)

    def test_human_shows_how_a_game_ended(self) -> None:
        with mock.patch("webbrowser.open", return_value=True) as browser, mock.patch("time.sleep") as slept:
            env = self.opened(kessel.make("toy-race", render_mode="human"))
            _, info = env.reset(seed=1)
            over = False
            while not over:
                _, _, terminated, truncated, info = env.step(int(info["action_mask"].argmax()))
                over = terminated or truncated
        ((address,), _) = browser.call_args
        shown = json.load(urlopen(address + "board", timeout=20))
        self.assertRegex(shown["caption"], r", the game is over: \w+ [+-]?[01], \w+ [+-]?[01]$")
        waits = [call.args[0] for call in slept.call_args_list]
        self.assertTrue(any(0.3 < wait <= 0.5 for wait in waits), "each board is seen for half a second")

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
