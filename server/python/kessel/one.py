"""Public names of :mod:`kessel.envs.one`."""

from .envs.one import ILLEGAL, OneGame

__all__ = ["ILLEGAL", "OneGame"]
