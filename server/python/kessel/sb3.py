"""Public names of :mod:`kessel.envs.sb3`."""

from .envs.sb3 import KesselVecEnv, make_vec_env

__all__ = ["KesselVecEnv", "make_vec_env"]
