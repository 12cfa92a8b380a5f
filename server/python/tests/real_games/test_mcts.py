"""The example of a tree search plays whole games in worlds that its player imagines."""

from __future__ import annotations

import contextlib
import importlib.util
import io
import sys
import unittest
from pathlib import Path
from unittest import mock

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "mcts.py"


class MctsTest(unittest.TestCase):
    def test_a_few_games(self) -> None:
        spec = importlib.util.spec_from_file_location("mcts", EXAMPLE)
        assert spec is not None and spec.loader is not None
        mcts = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(mcts)
        out = io.StringIO()
        few = ["mcts.py", "--games", "4", "--simulations", "12", "--worlds", "2", "--opponent", "random"]
        with mock.patch.object(sys, "argv", few), contextlib.redirect_stdout(out):
            mcts.main()
        told = out.getvalue().splitlines()
        self.assertEqual(len(told), 2)
        for side, line in zip(("soviet", "german"), told):
            self.assertRegex(
                line, rf"^{side}: (75|100)\.0% of the points \[.*\] in 4 games against random; [\d,]+ simulations/s$"
            )
        self.assertLessEqual(len(EXAMPLE.read_text(encoding="utf-8").splitlines()), 160)


if __name__ == "__main__":
    unittest.main()
