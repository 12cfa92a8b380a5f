"""Makes Kessel models, which play as ``onnx:FILE`` wherever an agent is named, of policies trained in Python.

    kessel.export.from_torch(net, "mine.onnx", envs)                             # a torch.nn.Module
    kessel.export.from_mlp("mine.onnx", envs, trunk=..., policy=..., value=...)  # weights from JAX, numpy, ...
    kessel.export.tag("net.onnx", "mine.onnx", envs.description)                 # an ONNX file, whatever wrote it

The graph reads any of ``globals [B, G]``, ``map [B, N, Fm]``, ``units [B, U, Fu]``, ``decision [B, D]`` (float32) and
``mask [B, A]`` (uint8 or bool), with B dynamic, and gives ``policy [B, A]`` (logits; the mask is applied when the model
plays) and ``value [B, 1]`` (the expected return of whoever decides), float32. A server plays models of its model folder
(``kessel serve --models DIR``), ``kessel arena`` any file.
"""

from .mlp import from_mlp
from .situations import situations
from .tag import tag
from .torch import from_torch

__all__ = ["from_mlp", "from_torch", "situations", "tag"]
