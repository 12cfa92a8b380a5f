"""Public names of :mod:`kessel.envs.zoo`."""

from .envs.zoo import KesselAEC, KesselParallel, aec_env, parallel_env

__all__ = ["KesselAEC", "KesselParallel", "aec_env", "parallel_env"]
