"""The package has no import circles between its modules or folders, and its public names stay where they were."""

from __future__ import annotations

import ast
import importlib
import tempfile
import unittest
from pathlib import Path

PACKAGE = Path(__file__).resolve().parent.parent / "kessel"

PUBLIC = {
    "kessel": (
        "AsyncEnvs BadInput Batch BatchLost Client ConnectionLost Env Flat FlatVector KesselError LocalServer NoServer "
        "PipelinedVectorEnv Reply TimedOut VectorEnv aec_env export make make_async make_pipelined make_vec "
        "parallel_env rl sample"
    ),
    "kessel.agent": "Policy serve",
    "kessel.asynchronous": "AsyncEnvs make_async",
    "kessel.batch": "Batch Reply",
    "kessel.client": "PROTOCOL Client",
    "kessel.env": "Env make",
    "kessel.errors": "BatchLost ConnectionLost KesselError NoServer TimedOut",
    "kessel.export": "from_mlp from_torch situations tag",
    "kessel.frames": "Layout Tensors",
    "kessel.local": "LocalServer server_command shared_server",
    "kessel.masks": "sample",
    "kessel.one": "ILLEGAL OneGame",
    "kessel.pipelined": "PipelinedVectorEnv make_pipelined",
    "kessel.rl": "Episode EpisodeStatistics address_of entropy evaluate greedy log_softmax sample wilson",
    "kessel.seats": "EXTERNAL Agent Pool Seats seats_from",
    "kessel.spaces": "TENSORS bounds flatten observation_space",
    "kessel.vector": "HAVE_GYMNASIUM Observation Result VectorEnv make_vec",
    "kessel.wrappers": "Flat FlatVector flat_space",
    "kessel.zoo": "KesselAEC KesselParallel aec_env parallel_env",
}
"""Names of version 0.1 by module."""

Module = tuple[str, ...]


def imports(package: Path) -> set[tuple[Module, Module]]:
    """Pairs of importing and imported module of a package, each as its path below the package.

    Imports inside functions and for type checking count too.
    """
    modules = {tuple(p.relative_to(package).with_suffix("").parts) for p in package.rglob("*.py")}
    found = set()
    for module in modules:
        tree = ast.parse((package.joinpath(*module).with_suffix(".py")).read_text(encoding="utf-8"))
        for node in ast.walk(tree):
            if not isinstance(node, ast.ImportFrom) or node.level == 0:
                continue
            base = module[: len(module) - node.level]
            target = (*base, *(node.module.split(".") if node.module else ()))
            for name in node.names:
                for candidate in (
                    (*target, name.name),
                    target,
                    (*target, name.name, "__init__"),
                    (*target, "__init__"),
                ):
                    if candidate in modules:
                        found.add((module, candidate))
                        break
    return found


def circles(edges: set[tuple[Module, Module]]) -> list[str]:
    """Circles between the entries of each folder, where a subfolder counts as one entry: ``client/: batch -> client``."""
    folders: dict[Module, dict[str, set[str]]] = {}
    for a, b in edges:
        k = next((i for i, (x, y) in enumerate(zip(a, b)) if x != y), None)
        if k is not None:
            folders.setdefault(a[:k], {}).setdefault(a[k], set()).add(b[k])
    result = []
    for folder, graph in folders.items():
        for start in graph:
            reached, todo = set(), list(graph[start])
            while todo:
                entry = todo.pop()
                if entry not in reached:
                    reached.add(entry)
                    todo.extend(graph.get(entry, ()))
            if start in reached:
                result.append(f"{'/'.join(folder)}/: {start} imports itself through others")
    return sorted(result)


class ImportsTest(unittest.TestCase):
    def test_there_are_no_circles(self) -> None:
        edges = imports(PACKAGE)
        self.assertIn((("envs", "vector"), ("client", "client")), edges)
        self.assertGreater(len(edges), 50)
        self.assertEqual(circles(edges), [])

    def test_planted_circles_are_found(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder)
            for name, text in {
                "__init__.py": "from .a.one import x\n",
                "a/__init__.py": "",
                "a/one.py": "from .two import y\n",
                "a/two.py": "def f():\n    from . import one\n",
                "a/three.py": "from ..b import four\n",
                "b/__init__.py": "",
                "b/four.py": "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from ..a.two import y\n",
            }.items():
                (root / name).parent.mkdir(exist_ok=True)
                (root / name).write_text(text, encoding="utf-8")
            found = circles(imports(root))
        self.assertEqual([line.split(" imports")[0] for line in found], ["/: a", "/: b", "a/: one", "a/: two"])

    def test_public_names_are_where_they_were(self) -> None:
        for module, names in PUBLIC.items():
            for name in names.split():
                with self.subTest(f"{module}.{name}"):
                    self.assertTrue(hasattr(importlib.import_module(module), name))

    def test_a_name_is_one_object(self) -> None:
        import kessel
        from kessel.client.errors import KesselError
        from kessel.errors import KesselError as moved

        self.assertIs(kessel.KesselError, KesselError)
        self.assertIs(moved, KesselError)
