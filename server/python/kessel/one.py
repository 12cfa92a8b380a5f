"""Public names of :mod:`kessel.envs.one`."""

from .client.checks import ILLEGAL
from .envs.one import OneGame

__all__ = ["ILLEGAL", "OneGame"]
