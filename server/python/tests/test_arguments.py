"""Every argument of every public function, given what it is not made for: a typed error that names it, or it works."""

from __future__ import annotations

import inspect
import os
import unittest
from typing import Any, Callable, Iterator, Mapping

import numpy as np

import kessel
from kessel import rl
from kessel.client.checks import ILLEGAL
from kessel.envs.arguments import VecArguments
from kessel.search import load_game
from kessel.sizing import measure

ADDRESS = os.environ.get("KESSEL_ADDRESS", "")

JUNK: tuple[Any, ...] = (
    *(None, True, 0, 1, -1, 2**31, 2**63, 10**30, 0.5, float("nan"), float("inf")),
    *("", "junk", "random", b"junk", [], [1], ["junk"], [None], [[0]], {}, {"junk": 1}, {1: 2}, (), set()),
    *(object(), len, np.int64(1), np.float32(0.5), np.bool_(True), np.array(1), np.zeros(3), np.array(["a"])),
    *(np.array([0, 1]), np.array([[0]]), np.datetime64("2020-01-01"), lambda: None, Ellipsis, int),
)
"""What somebody may pass by mistake: each is wrong for most arguments, and right for some."""

NAMED_BY = {
    "agents": "agents?",
    "actions": "actions?|whole number",
    "action": "action",
    "seed": "seeds?",
    "seeds": "seeds?",
    "opponent": "opponent|agents?",
    "env": "env|environments?",
    "policy": "policy|agent",
    "reseed": "reseed|seed",
    "last": "last|record",
    "unit": "unit|sent",
    "net": "net|agent",
    "num_envs": "num_envs|environments",
    "games": "games|environments",
    "options": "options?",
}
"""Other words by which an error may name an argument."""


def makers() -> Iterator[tuple[str, Callable[..., Any], dict[str, Any]]]:
    """Functions that make something, with arguments that work."""
    yield "make", kessel.make, {"game": "toy-race"}
    yield "make_vec", kessel.make_vec, {"game": "toy-race", "num_envs": 2}
    yield "make_async", kessel.make_async, {"game": "toy-race", "num_envs": 4, "batch_size": 2}
    yield "make_pipelined", kessel.make_pipelined, {"game": "toy-race", "num_envs": 4}
    yield "aec_env", kessel.aec_env, {"game": "toy-race"}
    yield "parallel_env", kessel.parallel_env, {"game": "toy-race"}
    yield "load_game", load_game, {"game": "toy-race", "nodes": 8}
    yield "Client", kessel.Client, {"address": ADDRESS}


def needed(parameters: Mapping[str, inspect.Parameter]) -> list[str]:
    return [name for name, p in parameters.items() if p.default is p.empty]


def closed(found: Any) -> None:
    close = getattr(found, "close", None)
    if callable(close):
        close()


class ArgumentsTest(unittest.TestCase):
    def judge(self, where: str, name: str, value: Any, call: Callable[[], Any]) -> None:
        """It works, or a typed error names the argument."""
        try:
            closed(call())
        except (TypeError, ValueError, kessel.KesselError) as e:
            said = str(e)
            self.assertNotIn("\n", said, where)
            self.assertRegex(said, rf"(?i)\b({NAMED_BY.get(name, name)})\b", f"{where}({name}={value!r}): {said}")
        except Exception as e:  # whatever else is no answer to a wrong argument
            self.fail(f"{where}({name}={value!r}): {type(e).__name__}: {e}")

    def test_functions_that_make_something(self) -> None:
        for where, function, good in makers():
            parameters = {n: p for n, p in inspect.signature(function).parameters.items() if p.kind != p.VAR_KEYWORD}
            names = [*parameters]
            if where in ("make_async", "make_pipelined"):
                names += [n for n in VecArguments.__annotations__ if n not in names]
            for name in names:
                if name.startswith("_"):
                    continue
                for value in JUNK:
                    if name == "address" and isinstance(value, (str, type(None))):
                        continue  # a name may be that of a machine, which takes long to find out
                    with self.subTest(function=where, name=name, value=repr(value)):
                        self.judge(where, name, value, lambda: function(**{**good, name: value}))

    def test_explicit_signatures(self) -> None:
        one = (kessel.make, kessel.aec_env, kessel.parallel_env, kessel.make_vec, load_game)
        batch = (kessel.make_async, kessel.make_pipelined, rl.evaluate, rl.Fleet.evaluate, measure)
        for function in (*one, *batch):
            parameters = inspect.signature(function).parameters
            self.assertNotIn(inspect.Parameter.VAR_KEYWORD, {p.kind for p in parameters.values()}, function.__name__)
            with self.assertRaisesRegex(
                TypeError, rf"{function.__name__}\(\) got an unexpected keyword argument 'frameskip'"
            ):
                function(**{**dict.fromkeys(needed(parameters), "toy-race"), "frameskip": 4})
        self.assertIn("opponent", inspect.signature(rl.evaluate).parameters)
        for function in (rl.evaluate, rl.Fleet.evaluate, measure):
            self.assertNotIn("autoreset", inspect.signature(function).parameters)
        keywords = set(inspect.signature(kessel.make_vec).parameters) - {"game", "num_envs", "_ready"}
        self.assertEqual(keywords, set(VecArguments.__annotations__))

    def test_parts_of_training_loops(self) -> None:
        rng, logits, mask = np.random.default_rng(1), np.zeros((2, 3), np.float32), np.ones((2, 3), np.int8)
        envs = kessel.make_vec("toy-race", 2)
        self.addCleanup(envs.close)

        def choose(_: Any, masks: np.ndarray) -> np.ndarray:
            return kessel.sample(masks, rng)

        calls: list[tuple[Callable[..., Any], dict[str, Any]]] = [
            (rl.log_softmax, {"logits": logits, "mask": mask}),
            (rl.sample, {"logits": logits, "mask": mask, "rng": rng}),
            (rl.greedy, {"logits": logits, "mask": mask}),
            (rl.entropy, {"logits": logits, "mask": mask}),
            (rl.wilson, {"score": 0.5, "n": 10}),
            (rl.address_of, {"addresses": ["tcp://a:1", "tcp://b:1"], "worker": 1}),
            (rl.Ladder, {"opponents": ["random"]}),
            (rl.EpisodeStatistics, {"envs": envs}),
            (rl.evaluate, {"choose": choose, "game": "toy-race", "games": 2, "opponent": "random"}),
        ]
        for function, good in calls:
            names = [n for n, p in inspect.signature(function).parameters.items() if p.kind is not p.VAR_KEYWORD]
            for name in names:
                if name in VecArguments.__annotations__:
                    continue  # passed on as it is
                for value in JUNK:
                    if name == "choose" and callable(value):
                        continue  # what it raises is its own
                    with self.subTest(function=function.__name__, name=name, value=repr(value)):
                        self.judge(function.__name__, name, value, lambda: function(**{**good, name: value}))

    def test_fleets_refuse_arguments_before_they_look_for_ray(self) -> None:
        for cores in (0, -1, 0.5, "2", True):
            with self.assertRaisesRegex(kessel.BadInput, "cores is "):
                rl.Fleet(cores)  # type: ignore[arg-type]
        with self.assertRaisesRegex(kessel.BadInput, "timeout is a number above 0, not 0"):
            rl.Fleet(timeout=0)

    def test_shapes_of_logits_and_masks(self) -> None:
        logits = np.zeros((4, 3), np.float32)
        for mask in (np.ones(3, np.int8), np.ones((4, 2), np.int8), np.ones((1, 3), np.int8)):
            for function in (rl.log_softmax, rl.greedy, rl.entropy):
                with self.assertRaisesRegex(kessel.BadInput, r"mask is of the shape of logits, \[4, 3\], not"):
                    function(logits, mask)
        with self.assertRaisesRegex(kessel.BadInput, "temperature is a number above 0, not 0"):
            rl.sample(logits, np.ones((4, 3), np.int8), np.random.default_rng(1), 0)

    def test_methods(self) -> None:
        client = kessel.Client()
        self.addCleanup(client.close)
        batch = client.make("toy-race", 2, privileged=True, record=True, nodes=8)
        envs = kessel.make_vec("toy-race", 2, autoreset="disabled", privileged=True)
        env = kessel.make("toy-race", address=ADDRESS)
        game = load_game("toy-race", nodes=4096)
        for opened in (envs, env, game):
            self.addCleanup(opened.close)
        t = batch.reset(seed=1)
        batch.expand([0, 1], [0, 1], environments=True)
        envs.reset(seed=1)
        env.reset(seed=1)
        state = game.new_initial_state(seed=1)
        legal = t["mask"].argmax(axis=1)
        seat = batch.players[0]
        calls: list[tuple[str, Callable[..., Any], dict[str, Any]]] = [
            ("Client.describe", client.describe, {"game": "toy-race"}),
            ("Batch.reset", batch.reset, {}),
            ("Batch.legal", batch.legal, {}),
            ("Batch.observe", batch.observe, {"seat": seat}),
            ("Batch.position", batch.position, {}),
            ("Batch.render", batch.render, {}),
            ("Batch.svg", batch.svg, {}),
            ("Batch.pixels", batch.pixels, {"width": 320}),
            ("Batch.orders", batch.orders, {}),
            ("Batch.save", batch.save, {}),
            ("Batch.resample", batch.resample, {"seed": 1}),
            ("Batch.clone", batch.clone, {"source": [0], "target": [1]}),
            ("Batch.outcomes", batch.outcomes, {"env": 0, "action": int(legal[0]), "samples": 2}),
            ("Batch.replay", batch.replay, {}),
            ("Batch.seen", batch.seen, {"seat": seat}),
            ("Batch.expand", batch.expand, {"source": [0, 1], "target": [2, 3]}),
            ("Batch.playout", batch.playout, {"nodes": [0], "seed": 1}),
            ("VectorEnv.reset", envs.reset, {}),
            ("VectorEnv.step", envs.step, {"actions": legal}),
            ("Env.reset", env.reset, {}),
            ("Env.step", env.step, {"action": 0}),
            ("Game.new_initial_state", game.new_initial_state, {}),
            ("Game.expand", game.expand, {"states": [state], "actions": [state.legal_actions()[0]]}),
            ("Game.resample", game.resample, {"state": state, "count": 2}),
            ("Game.playout", game.playout, {"states": [state]}),
            ("State.child", state.child, {"action": 0}),
            ("State.clone", state.clone, {}),
            ("State.resampled", state.resampled, {"seed": 1}),
            ("State.playout", state.playout, {}),
            ("State.observation_tensor", state.observation_tensor, {}),
            ("State.action_to_string", state.action_to_string, {"action": 0}),
            ("State.string_to_action", state.string_to_action, {"text": game.actions[0]}),
            ("sample", kessel.sample, {"mask": t["mask"]}),
        ]
        for where, function, good in calls:
            for name in inspect.signature(function).parameters:
                for value in JUNK:
                    with self.subTest(function=where, name=name, value=repr(value)):
                        self.judge(where, name, value, lambda: function(**{**good, name: value}))
                        batch.reset(seed=1)
                        envs.reset(seed=1)
                        env.reset(seed=1)

    def test_what_is_meant_by_another_type_works(self) -> None:
        from gymnasium.vector import AutoresetMode

        for more in (
            *({"dtype": d} for d in (np.uint8, np.dtype("float32"), "uint8")),
            *({"autoreset": mode} for mode in AutoresetMode),
            *({"num_envs": n} for n in (np.int64(2), np.uint8(3), np.array(2))),
            {"max_decisions": np.int32(50), "skip_forced": np.bool_(False), "timeout": np.float32(30)},
        ):
            envs = kessel.make_vec("toy-race", **{"num_envs": 2, **more})
            envs.reset(seed=np.uint16(3))
            envs.close()
        with self.assertRaisesRegex(
            TypeError, r"make\(\) got an unexpected keyword argument 'frameskip'; there are .*render_mode, .*seat"
        ):
            kessel.Env("toy-race", frameskip=4)  # as gymnasium.make calls it
        for illegal in ILLEGAL:
            kessel.make("toy-race", illegal=illegal, max_decisions=np.int64(9)).close()

    def test_errors_name_arguments_as_the_caller_wrote_them(self) -> None:
        for words, call in (
            ("max_decisions is at least 1, not 0", lambda: kessel.make("toy-race", max_decisions=0)),
            ("num_envs is at least 1, not 0", lambda: kessel.make_vec("toy-race", 0)),
            ("skip_forced is True or False, not 1", lambda: kessel.make_vec("toy-race", skip_forced=1)),
            ("dtype is 'float32' or 'uint8', not 'float16'", lambda: kessel.make("toy-race", dtype="float16")),
            (
                r"opponent\[0\]\['weight'\] is a number above 0",
                lambda: kessel.make("toy-race", opponent=[{"agent": "random", "weight": 0}]),
            ),
            (
                "autoreset is 'next-step', 'same-step', 'disabled', not 'never'",
                lambda: kessel.make("toy-race", autoreset="never"),
            ),
        ):
            with self.assertRaisesRegex(kessel.BadInput, words):
                call()


if __name__ == "__main__":
    unittest.main()
