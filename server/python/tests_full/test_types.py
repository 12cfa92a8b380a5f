"""The package's types are enough for programs that are checked strictly."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

PACKAGE = Path(__file__).resolve().parent.parent
EXAMPLES = ("mcts.py", "offline.py", "random_play.py")


class TypesTest(unittest.TestCase):
    def test_the_package_is_strictly_typed(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            command = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", folder, "--package", "kessel"]
            done = subprocess.run(command, cwd=PACKAGE, capture_output=True, text=True, timeout=600)
        self.assertEqual(done.returncode, 0, done.stdout[-3000:] + done.stderr[-1000:])

    def test_examples_are_strictly_typed(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            for name in EXAMPLES:
                (Path(folder) / name).write_text(
                    (PACKAGE / "examples" / name).read_text(encoding="utf-8"), encoding="utf-8"
                )
            settings = {"include": [*EXAMPLES], "extraPaths": [str(PACKAGE)], "typeCheckingMode": "strict"}
            (Path(folder) / "pyrightconfig.json").write_text(json.dumps(settings), encoding="utf-8")
            command = [sys.executable, "-m", "pyright", "--pythonpath", sys.executable, "-p", folder]
            done = subprocess.run(command, capture_output=True, text=True, timeout=600)
            self.assertEqual(done.returncode, 0, done.stdout[-3000:] + done.stderr[-1000:])


if __name__ == "__main__":
    unittest.main()
