"""Public names of :mod:`kessel.envs.env`."""

from .envs.env import Env, make

__all__ = ["Env", "make"]
