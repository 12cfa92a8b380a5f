"""Public names of :mod:`kessel.envs.masks`."""

from .envs.masks import sample

__all__ = ["sample"]
