"""Public names of :mod:`kessel.envs.vector`."""

from .envs.vector import HAVE_GYMNASIUM, Observation, Result, VectorEnv, make_vec

__all__ = ["HAVE_GYMNASIUM", "Observation", "Result", "VectorEnv", "make_vec"]
