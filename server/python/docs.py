"""Writes the API reference of the package to the folder that its argument names, from the docstrings (pdoc)."""

import sys
from pathlib import Path

import pdoc

import kessel

MODULES = [
    "kessel",
    "kessel.text",
    "kessel.conformance",
    "!kessel.rl.rllib",
    "!kessel.text.openenv",
    "!kessel.text.textarena",
]

# sb3 needs libraries of several GB; pdoc finds only what is in the module, and kessel brings its parts when they are used
kessel.__all__ = [name for name in kessel.__all__ if name != "sb3"]
for name in kessel.__all__:
    setattr(kessel, name, getattr(kessel, name))

pdoc.render.configure(docformat="google", show_source=False)
pdoc.pdoc(*MODULES, output_directory=Path(sys.argv[1]))
