"""Public names of :mod:`kessel.envs.pipelined`."""

from .envs.pipelined import PipelinedVectorEnv, make_pipelined

__all__ = ["PipelinedVectorEnv", "make_pipelined"]
