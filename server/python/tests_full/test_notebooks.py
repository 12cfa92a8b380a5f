"""The notebooks run from top to bottom, and show boards."""

from __future__ import annotations

import os
import tempfile
import unittest
from pathlib import Path

import nbformat
from nbclient import NotebookClient

PACKAGE = Path(__file__).resolve().parent.parent
SHORTER = {"ENVS, STEPS, UPDATES = 128, 128, 60": "ENVS, STEPS, UPDATES = 16, 128, 1", "GAMES = 400": "GAMES = 10"}
"""Words of the notebooks in whose place shorter ones are tried."""


class NotebooksTest(unittest.TestCase):
    def executed(self, name: str) -> nbformat.NotebookNode:
        notebook = nbformat.read(PACKAGE / "examples" / f"{name}.ipynb", as_version=4)
        nbformat.validate(notebook)
        for cell in notebook.cells:
            self.assertEqual(cell.get("outputs", []), [], "notebooks are kept without outputs")
            for words, others in SHORTER.items():
                cell.source = cell.source.replace(words, others)
        with tempfile.TemporaryDirectory() as folder:
            os.environ["PYTHONPATH"] = str(PACKAGE)
            NotebookClient(
                notebook, timeout=300, kernel_name="python3", resources={"metadata": {"path": folder}}
            ).execute()
            self.assertEqual((Path(folder) / "linear.onnx").is_file(), name == "first_agent")
        return notebook

    def boards(self, notebook: nbformat.NotebookNode) -> list[str]:
        outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
        return ["".join(o.data["image/svg+xml"]) for o in outputs if "image/svg+xml" in o.get("data", {})]

    def test_first_agent(self) -> None:
        boards = self.boards(self.executed("first_agent"))
        self.assertEqual(len(boards), 3)
        self.assertEqual(len(set(boards)), 3, "each shows another moment")

    def test_hidden_information(self) -> None:
        notebook = self.executed("hidden_information")
        board, german, soviet = self.boards(notebook)
        self.assertNotEqual(german, soviet, "each side sees its own")
        told = "".join(o.get("text", "") for cell in notebook.cells for o in cell.get("outputs", []))
        self.assertIn("area 2 in truth:", told)
        self.assertRegex(told, r"(?m)^ +\d+ % of the worlds have ")


if __name__ == "__main__":
    unittest.main()
