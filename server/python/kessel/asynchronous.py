"""Public names of :mod:`kessel.envs.asynchronous`."""

from .envs.asynchronous import AsyncEnvs, make_async

__all__ = ["AsyncEnvs", "make_async"]
