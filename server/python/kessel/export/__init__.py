"""Writes policies as Kessel models, which play as the agent ``onnx:FILE``.

    kessel.export.from_torch(net, "mine.onnx", envs)                             # a torch.nn.Module
    kessel.export.from_mlp("mine.onnx", envs, trunk=..., policy=..., value=...)  # weights from JAX, numpy, ...
    kessel.export.golden("net.onnx", "mine.onnx", envs)                          # any ONNX file, with golden pairs
    kessel.export.tag("net.onnx", "mine.onnx", envs.description)                 # the same, with pairs of your own or none

The graph reads any of ``globals [B, G]``, ``map [B, N, Fm]``, ``units [B, U, Fu]``, ``decision [B, D]`` (float32) and
``mask [B, A]`` (uint8 or bool), with B dynamic, and returns ``policy [B, A]`` (logits; the mask is applied when the
model plays) and ``value [B, 1]`` (the expected return of the acting player), float32. A server plays models of its
model folder (``kessel serve --models DIR``), ``kessel arena`` any file.
"""

from .golden import golden, outputs_of
from .mlp import from_mlp
from .situations import situations
from .tag import tag
from .torch import from_torch

__all__ = ["from_mlp", "from_torch", "golden", "outputs_of", "situations", "tag"]
