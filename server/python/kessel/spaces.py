"""Public names of :mod:`kessel.envs.spaces`."""

from .envs.spaces import TENSORS, bounds, flatten, observation_space

__all__ = ["TENSORS", "bounds", "flatten", "observation_space"]
