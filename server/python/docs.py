"""Writes the API reference of the package to the folder that its argument names, from the docstrings (pdoc)."""

import sys
import typing
from pathlib import Path

import pdoc

import kessel

MODULES = [
    "kessel",
    "kessel.text",
    "kessel.conformance",
    "!kessel.rl.jax",
    "!kessel.rl.rllib",
    "!kessel.text.openenv",
    "!kessel.text.textarena",
]

# sb3 needs libraries of several GB. pdoc finds only what is in the module, and kessel imports its parts on first use.
kessel.__all__ = [name for name in kessel.__all__ if name != "sb3"]
for name in kessel.__all__:
    setattr(kessel, name, getattr(kessel, name))

# pdoc looks for the types of a NamedTuple's fields in a module that isn't there: they are looked up here
for module in [m for name, m in sys.modules.items() if name.split(".")[0] == "kessel"]:
    for found in vars(module).values():
        if isinstance(found, type) and issubclass(found, tuple) and hasattr(found, "_fields"):
            found.__new__.__annotations__ = typing.get_type_hints(found)

pdoc.render.configure(docformat="google", show_source=False)
pdoc.pdoc(*MODULES, output_directory=Path(sys.argv[1]))
