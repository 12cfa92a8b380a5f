"""PyTorch policies as Kessel models."""

from __future__ import annotations

import contextlib
import importlib.util
import io
import math
import os
import tempfile
import warnings
from pathlib import Path
from typing import Any, Mapping, Sequence

import numpy as np

from ..client.checks import flag, whole
from ..envs.spaces import TENSORS
from .golden import outputs_of
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
    dynamo: bool | None = None,
    opset: int | None = None,
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
        dynamo: which of PyTorch's exporters writes it: ``False`` the one that traces, ``True`` the one of ``torch.export``
            (which needs ``onnxscript``). Default: the first; the second if the first fails, or if its file gives other
            numbers or takes only one batch size.
        opset: version of ONNX's operators; default: 17, and of the second exporter its own.

    Raises:
        ValueError: the outputs do not fit the game.
        RuntimeError: no exporter could write the net; the message has what each said.
    """
    import torch

    if dynamo is not None:
        flag("dynamo", dynamo)
    if opset is not None:
        opset = whole(7)("opset", opset)

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
    fast = torch.backends.mha.get_fastpath_enabled()
    torch.backends.mha.set_fastpath_enabled(False)  # its operators are PyTorch's alone
    try:
        with torch.no_grad(), tempfile.TemporaryDirectory() as folder:
            for name, tensor in zip(outputs, module(*inputs)):
                golden[name] = tensor.float().cpu().numpy()
            plain = Path(folder) / "plain.onnx"
            said: list[str] = []
            for exporter in (False, True) if dynamo is None else (dynamo,):
                try:
                    _write(module, inputs, plain, exporter, opset)
                    _compare(plain, golden)
                    tag(plain, target, source.description, seats=seats or source.seats, trained=trained, golden=golden)
                    return
                except Exception as e:  # each exporter has its own errors
                    if dynamo is not None or isinstance(e, ValueError):
                        raise
                    said.append(f"dynamo={exporter}: {type(e).__name__}: {str(e).strip().splitlines()[0][:300]}")
            raise RuntimeError("PyTorch's exporters can't write this net; " + "; ".join(said))
    finally:
        net.train(was_training)
        torch.backends.mha.set_fastpath_enabled(fast)


def _write(module: Any, inputs: tuple[Any, ...], file: Path, dynamo: bool, opset: int | None) -> None:
    import torch

    names: dict[str, Any] = {"input_names": list(TENSORS), "output_names": ["policy", "value"]}
    quiet = io.StringIO()  # an exporter that fails prints all of its graph
    with warnings.catch_warnings(), contextlib.redirect_stdout(quiet), contextlib.redirect_stderr(quiet):
        warnings.simplefilter("ignore")  # of what the exporters will do in later versions
        if dynamo:
            shapes = {name: {0: torch.export.Dim("batch", min=1)} for name in TENSORS}
            version: dict[str, Any] = {} if opset is None else {"opset_version": opset}
            torch.onnx.export(
                module, inputs, str(file), **names, **version, dynamic_shapes=shapes, dynamo=True, verbose=False
            )
        else:
            axes = {name: {0: "batch"} for name in (*TENSORS, "policy", "value")}
            torch.onnx.export(
                module, inputs, str(file), **names, dynamic_axes=axes, opset_version=opset or OPSET, dynamo=False
            )


def _compare(file: Path, golden: Mapping[str, np.ndarray]) -> None:
    """Raises ``RuntimeError`` when what was written does not give what the net gives, at two sizes of a batch."""
    if importlib.util.find_spec("onnxruntime") is None:
        return  # Kessel compares the golden pairs when it loads the model
    for rows in (len(golden["mask"]), 3):
        some = {name: array[:rows] for name, array in golden.items()}
        for name, array in outputs_of(file, some).items():
            wrong = np.abs(array - some[name]).max() if array.shape == some[name].shape else math.inf
            if not wrong <= 1e-3 * max(1.0, float(np.abs(some[name]).max())):
                raise RuntimeError(f"the file gives another {name} than the net for a batch of {rows}")
