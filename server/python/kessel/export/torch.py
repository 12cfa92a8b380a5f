"""PyTorch policies as Kessel models."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import Any, Mapping, Sequence

from ..envs.spaces import TENSORS
from .situations import Source, situations
from .tag import OPSET, tag


def from_torch(
    net: Any,
    target: str | os.PathLike[str],
    envs: Any,
    *,
    flat: bool = False,
    seats: Sequence[str] | None = None,
    trained: Mapping[str, Any] | None = None,
) -> None:
    """Writes a PyTorch policy as a Kessel model, with golden pairs that Kessel compares when it loads the model.

    Args:
        net: a ``torch.nn.Module``. It is called with ``globals``, ``map``, ``units``, ``decision`` (float32, batch
            first) or, if ``flat``, with one array ``[B, n]`` as :class:`kessel.FlatVector` makes it; it returns logits
            ``[B, A]`` and values ``[B]`` or ``[B, 1]``. It is not modified.
        target: path of the model, ``.onnx``.
        envs: environments of the game, of any interface; the golden pairs are from random play of their game.
        flat: see ``net``.
        seats: sides that the model can play; default: the caller's sides in ``envs``.
        trained: facts about its training, JSON-serialisable.

    Raises:
        ValueError: the outputs do not fit the game.
    """
    import torch

    class PolicyAndValue(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.net = net

        def forward(
            self, globals: torch.Tensor, map: torch.Tensor, units: torch.Tensor, decision: torch.Tensor
        ) -> tuple[torch.Tensor, torch.Tensor]:
            tensors = (globals, map, units, decision)
            policy, value = self.net(torch.cat([t.flatten(1) for t in tensors], 1)) if flat else self.net(*tensors)
            return policy, value if value.dim() == 2 else value.unsqueeze(1)

    source, golden, outputs = Source(envs), situations(envs), ("policy", "value")
    device = next((p.device for p in net.parameters()), torch.device("cpu"))
    inputs = tuple(torch.from_numpy(golden[t]).to(device) for t in TENSORS)
    was_training, module = net.training, PolicyAndValue().eval()
    try:
        with torch.no_grad(), tempfile.TemporaryDirectory() as folder:
            for name, tensor in zip(outputs, module(*inputs)):
                golden[name] = tensor.float().cpu().numpy()
            plain = Path(folder) / "plain.onnx"
            torch.onnx.export(
                module,
                inputs,
                str(plain),
                input_names=list(TENSORS),
                output_names=list(outputs),
                dynamic_axes={name: {0: "batch"} for name in (*TENSORS, *outputs)},
                opset_version=OPSET,
                dynamo=False,
            )
            tag(plain, target, source.description, seats=seats or source.seats, trained=trained, golden=golden)
    finally:
        net.train(was_training)
