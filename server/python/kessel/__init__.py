"""Kessel: Eastern Front board wargames as environments for machine learning.

    >>> import kessel
    >>> envs = kessel.make_vec("pocket-stalingrad", num_envs=256, opponent="random")
    >>> obs, info = envs.reset(seed=7)

``make`` needs Gymnasium, ``aec_env`` and ``parallel_env`` need PettingZoo; everything else needs neither. ``kessel.rl``
has parts for training loops, ``kessel.export`` writes trained policies as models.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .client.batch import Batch, Reply
from .client.client import Client
from .client.errors import BadInput, BatchLost, ConnectionLost, IllegalAction, KesselError, NoServer, TimedOut
from .client.local import LocalServer
from .envs.asynchronous import AsyncEnvs, make_async
from .envs.masks import sample
from .envs.pipelined import PipelinedVectorEnv, make_pipelined
from .envs.vector import HAVE_GYMNASIUM, VectorEnv, make_vec

if TYPE_CHECKING:
    from . import data, export, rl, sb3, search
    from .envs.env import Env, make
    from .envs.shaping import PotentialShaping, PotentialShapingVector
    from .envs.starts import StartVector, play_for_positions, positions_of
    from .envs.wrappers import Flat, FlatVector
    from .envs.zoo import aec_env, parallel_env

__all__ = [
    "AsyncEnvs",
    "BadInput",
    "Batch",
    "BatchLost",
    "Client",
    "ConnectionLost",
    "Env",
    "Flat",
    "FlatVector",
    "IllegalAction",
    "KesselError",
    "LocalServer",
    "NoServer",
    "PipelinedVectorEnv",
    "PotentialShaping",
    "PotentialShapingVector",
    "Reply",
    "TimedOut",
    "StartVector",
    "VectorEnv",
    "aec_env",
    "data",
    "export",
    "make",
    "make_async",
    "make_pipelined",
    "make_vec",
    "parallel_env",
    "play_for_positions",
    "positions_of",
    "rl",
    "sample",
    "sb3",
    "search",
]
__version__ = "0.2.0"

_LAZY = {
    "Env": "env",
    "make": "env",
    "Flat": "wrappers",
    "FlatVector": "wrappers",
    "StartVector": "starts",
    "play_for_positions": "starts",
    "positions_of": "starts",
    "PotentialShaping": "shaping",
    "PotentialShapingVector": "shaping",
    "aec_env": "zoo",
    "parallel_env": "zoo",
}
"""Names that need an optional package, with their module in ``kessel.envs``."""


if HAVE_GYMNASIUM:
    from .envs.registration import register

    register()


def __getattr__(name: str) -> Any:
    from importlib import import_module

    if name in ("data", "export", "rl", "search"):
        return import_module(f".{name}", __name__)
    if name == "sb3":
        try:
            return import_module(".sb3", __name__)
        except ModuleNotFoundError as e:
            raise ImportError(f"kessel.sb3 needs {e.name}; install it with: pip install 'kessel[sb3]'") from e
    if name not in _LAZY:
        raise AttributeError(f"module 'kessel' has no attribute {name!r}")
    try:
        return getattr(import_module(f".envs.{_LAZY[name]}", __name__), name)
    except ModuleNotFoundError as e:
        extra = "pettingzoo" if _LAZY[name] == "zoo" else "gymnasium"
        raise ImportError(f"kessel.{name} needs {e.name}; install it with: pip install 'kessel[{extra}]'") from e
