"""verifiers: its loader, its checks, and conversations with a scripted model."""

from __future__ import annotations

import asyncio
import os
import re
import shlex
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from typing import Any

import verifiers.v1 as vf

import kessel.text

from .scripted import Script, ScriptedModel

BIN = Path(sys.executable).parent
os.environ["PATH"] = f"{BIN}{os.pathsep}{os.environ['PATH']}"  # uv, which runs the harness


def played(
    script: Script,
    max_turns: int | None = None,
    game: str = "pocket-stalingrad",
    seat: str | None = "german",
    opponent: str | None = "random",
    **taskset: Any,
) -> tuple[vf.Trace, ScriptedModel]:
    """One conversation, as verifiers runs it."""
    model = ScriptedModel(script)
    env = kessel.text.load_environment(game, seat, opponent, player={"max_turns": max_turns}, **taskset)
    context = vf.ModelContext(model="scripted", client=vf.EvalClientConfig(base_url=model.url, api_key_var="NONE"))

    async def run() -> vf.Episode:
        async with env.serving():
            (task,) = env.taskset.take(1)
            return await env.run_episode(task, context)

    try:
        episode = asyncio.run(run())
    finally:
        model.close()
    assert episode.ok, episode.errors + [e for t in episode.traces for e in t.errors]
    (trace,) = episode.traces
    return trace, model


class VerifiersTest(unittest.TestCase):
    def test_its_own_check_of_a_taskset(self) -> None:
        with tempfile.TemporaryDirectory() as out:
            command = [str(BIN / "vf-validate"), "kessel-verifiers", "--taskset.seat", "german", "--select.limit", "2"]
            more = ["--runtime.type", "subprocess", "--rich", "False", "-o", out]
            ran = subprocess.run([*command, *more], capture_output=True, text=True, timeout=300)
            self.assertEqual(ran.returncode, 0, ran.stderr[-2000:] + ran.stdout[-2000:])

    def test_the_documented_line(self) -> None:
        """As it is in the README, with this model's address and fewer, shorter games."""
        readme = (Path(__file__).resolve().parents[2] / "tools" / "README.md").read_text(encoding="utf-8")
        (line,) = re.findall(r"^vf-eval (?:.*\\\n)*.*", readme, re.M)
        model = ScriptedModel(lambda _: "Action: 1")
        self.addCleanup(model.close)
        with tempfile.TemporaryDirectory() as out:
            words = shlex.split(line.replace("\\\n", " "))
            for given, own in (("http://127.0.0.1:8000/v1", model.url), ("20", "2")):
                words[words.index(given)] = own
            command = [str(BIN / words[0]), *words[1:], "--env.player.max-turns", "3", "-o", out]
            ran = subprocess.run(command, capture_output=True, text=True, timeout=300)
            self.assertEqual(ran.returncode, 0, ran.stderr[-2000:] + ran.stdout[-2000:])
        self.assertEqual(len(model.seen), 6)
        self.assertIn("progress", ran.stdout)

    def test_progress_as_reward(self) -> None:
        trace, _ = played(lambda _: "Hurrah!", retries=1, reward="progress")
        self.assertLess(trace.rewards["progress"].score, -0.3)
        self.assertEqual(trace.rewards["progress"].score, sum(trace.info["rewards"]))

    def test_a_conversation_of_several_turns(self) -> None:
        trace, model = played(lambda _: "I think so.\nAction: 1", max_turns=3)
        self.assertEqual(len(model.seen), 3)
        system, user, *_ = model.seen[0]
        self.assertIn("street fighting in Stalingrad", system["content"])
        self.assertRegex(user["content"], r"The map:[\s\S]*Legal actions, \d+:")
        self.assertEqual(
            [m["role"] for m in model.seen[2]], ["system", "user", "assistant", "user", "assistant", "user"]
        )
        self.assertEqual(trace.rewards["return"].score, 0)
        self.assertEqual(trace.metrics["finished"], 0)

    def test_a_whole_game(self) -> None:
        def last(messages: list[dict[str, Any]]) -> str:
            return "Action: " + re.findall(r"Legal actions, (\d+):", messages[-1]["content"])[-1]

        trace, model = played(last, game="strike-counterstrike", seat=None, opponent=None)
        self.assertEqual((trace.metrics["illegal"], trace.metrics["finished"]), (0, 1))
        self.assertEqual(len(trace.info["rewards"]), len(model.seen))
        self.assertIn(trace.rewards["return"].score, (-1, 0, 1))

    def test_the_return_is_the_reward(self) -> None:
        trace, model = played(lambda _: "Hurrah!", retries=1)
        self.assertEqual(len(model.seen), 2)
        self.assertIn("names no legal action", model.seen[1][-1]["content"])
        self.assertEqual(trace.rewards["return"].score, -1)
        self.assertEqual((trace.metrics["illegal"], trace.metrics["finished"]), (2, 1))

    def test_shaping_changes_the_rewards_of_turns_and_not_the_texts(self) -> None:
        script = lambda _: "Action: 1"  # noqa: E731
        plain, first = played(script, max_turns=4)
        shaped, second = played(script, max_turns=4, shaping="captured", gamma=0.5)
        self.assertEqual(first.seen, second.seen)
        self.assertEqual(len(shaped.info["rewards"]), len(plain.info["rewards"]))


if __name__ == "__main__":
    unittest.main()
