"""Kessel: Eastern Front board wargames as environments for machine learning.

    >>> import kessel
    >>> envs = kessel.make_vec("pocket-stalingrad", num_envs=256, opponent="random")
    >>> obs, info = envs.reset(seed=7)
"""

from .client import Batch, Client, Reply
from .errors import KesselError
from .local import LocalServer
from .masks import sample
from .vector import VectorEnv, make_vec

__all__ = ["Batch", "Client", "KesselError", "LocalServer", "Reply", "VectorEnv", "make_vec", "sample"]
__version__ = "0.1.0"
