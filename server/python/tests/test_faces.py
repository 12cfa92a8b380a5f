"""Gymnasium's and PettingZoo's own tests, unchanged, on every game and seat of the server in KESSEL_ADDRESS."""

from __future__ import annotations

import contextlib
import io
import unittest
import warnings
from types import SimpleNamespace
from typing import Any, Callable, Iterator

from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, max_cycles_test, parallel_api_test, parallel_seed_test, seed_test
from pettingzoo.utils import parallel_to_aec

import kessel
from kessel.envs.registration import VERSIONS

SHORT = {"night-fight", "strike-counterstrike"}
"""Games that can be lost before the four decisions that ``max_cycles_test`` wants to see (as can one side of a toy)."""


def games() -> list[dict[str, Any]]:
    with kessel.Client() as client:
        return [client.describe(g["id"]) for g in client.games()]


def seatings() -> Iterator[tuple[str, dict[str, Any]]]:
    """Every game with all seats the caller's, and with each seat alone against random play."""
    for game in games():
        yield game["id"], {}
        if len(game["players"]) > 1:
            for player in game["players"]:
                yield game["id"], {"seat": player}


class FacesTest(unittest.TestCase):
    def each(self, test: Callable[[str, dict[str, Any]], None], **more: Any) -> None:
        for game, args in seatings():
            with self.subTest(game=game, **args), warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
                warnings.simplefilter("ignore")
                test(game, {**args, **more})

    def test_registered_versions_are_those_of_the_games(self) -> None:
        served = {g["id"]: g["version"] for g in games()}
        if not any(game.startswith("toy-") for game in served):
            self.assertEqual({game: served.get(game) for game in VERSIONS}, VERSIONS)

    def test_check_env(self) -> None:
        def check(game: str, args: dict[str, Any]) -> None:
            env = kessel.make(game, render_mode="ansi", **args)
            check_env(env)
            env.close()

        for illegal in ("lose", "random"):  # it draws actions that no mask allows
            self.each(check, illegal=illegal)

    def test_flat_check_env(self) -> None:
        def check(game: str, args: dict[str, Any]) -> None:
            env = kessel.Flat(kessel.make(game, **args))
            check_env(env)
            env.close()

        self.each(check, illegal="lose")

    def test_aec_api(self) -> None:
        self.each(lambda game, args: api_test(kessel.aec_env(game, **args), num_cycles=300))

    def test_aec_seed(self) -> None:
        self.each(lambda game, args: seed_test(lambda: kessel.aec_env(game, **args), num_cycles=100))

    def test_parallel_api(self) -> None:
        def check(game: str, args: dict[str, Any]) -> None:
            env = kessel.parallel_env(game, **args)
            parallel_api_test(env, num_cycles=300)
            env.close()

        self.each(check)

    def test_parallel_seed(self) -> None:
        self.each(
            lambda game, args: parallel_seed_test(lambda: kessel.parallel_env(game, **args), num_cycles=100),
            illegal="random",
        )

    def test_max_cycles(self) -> None:
        def check(game: str, args: dict[str, Any]) -> None:
            def parallel(max_cycles: int) -> Any:
                return kessel.parallel_env(game, max_cycles=max_cycles, **args)

            if not (game in SHORT or (game.startswith("toy-") and "seat" in args)):
                max_cycles_test(
                    SimpleNamespace(parallel_env=parallel, env=lambda max_cycles: parallel_to_aec(parallel(max_cycles)))
                )

        self.each(check, illegal="random")


if __name__ == "__main__":
    unittest.main()
