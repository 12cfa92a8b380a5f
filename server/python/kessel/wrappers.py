"""Public names of :mod:`kessel.envs.wrappers`."""

from .envs.wrappers import Flat, FlatVector, flat_space

__all__ = ["Flat", "FlatVector", "flat_space"]
