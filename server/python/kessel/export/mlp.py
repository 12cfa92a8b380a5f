"""Dense layers as Kessel models."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import Any, Callable, Mapping, Sequence

import numpy as np

from ..envs.spaces import TENSORS, flatten
from .situations import Source, situations
from .tag import OPSET, tag

Layers = Sequence[tuple[Any, Any]]
"""Dense layers, first to last: weights ``[inputs, outputs]`` and bias ``[outputs]``, convertible to numpy arrays."""

IR_VERSION = 8

ACTIVATIONS: Mapping[str, tuple[tuple[str, ...], Callable[[np.ndarray], np.ndarray]]] = {
    "tanh": (("Tanh",), np.tanh),
    "relu": (("Relu",), lambda x: np.maximum(x, 0)),
    "silu": (("Sigmoid", "Mul"), lambda x: x / (1 + np.exp(-x))),
}
"""By name: the ONNX operators (a second one takes the first's result and the input), and the numpy function."""


def from_mlp(
    target: str | os.PathLike[str],
    envs: Any,
    *,
    policy: Layers,
    value: Layers,
    trunk: Layers = (),
    activation: str = "tanh",
    seats: Sequence[str] | None = None,
    trained: Mapping[str, Any] | None = None,
) -> None:
    """Writes dense layers, such as those of a JAX or Flax policy, as a Kessel model with golden pairs.

    The input is one array ``[B, n]`` as :class:`kessel.FlatVector` makes it; ``trunk`` is followed by ``policy`` and by
    ``value``, with the activation after each layer but the last of these two. For other nets of JAX, write them
    with jax2onnx and pass the file to :func:`tag`.

    Args:
        policy, value, trunk: layers; the last of ``policy`` gives A logits, the last of ``value`` one number.
        activation: ``tanh``, ``relu`` or ``silu``.
        target, envs, seats, trained: as of :func:`from_torch`.

    Raises:
        ValueError: sizes do not match each other or the game.
    """
    import onnx
    from onnx import TensorProto, helper, numpy_helper

    if activation not in ACTIVATIONS:
        raise ValueError(f"activation is {', '.join(ACTIVATIONS)}, not {activation!r}")
    source, golden = Source(envs), situations(envs)
    operators, act = ACTIVATIONS[activation]
    nodes: list[Any] = []
    constants: list[Any] = []

    def constant(array: np.ndarray) -> str:
        constants.append(numpy_helper.from_array(array, f"c{len(constants)}"))
        return str(constants[-1].name)

    def node(operator: str, inputs: Sequence[str], output: str | None = None, **attributes: Any) -> str:
        name = output or f"n{len(nodes)}"
        nodes.append(helper.make_node(operator, inputs, [name], **attributes))
        return name

    def dense(
        x: tuple[str, np.ndarray], layers: Layers, what: str, output: str | None = None
    ) -> tuple[str, np.ndarray]:
        name, array = x
        for k, (weights, bias) in enumerate(layers):
            w, b = np.asarray(weights, np.float32), np.asarray(bias, np.float32)
            if w.ndim != 2 or w.shape[0] != array.shape[1] or b.shape != w.shape[1:]:
                raise ValueError(
                    f"layer {k} of {what} has weights {list(w.shape)} and bias {list(b.shape)}; weights [{array.shape[1]}, m] and bias [m] fit here"
                )
            last = output if k == len(layers) - 1 else None
            name, array = node("Gemm", (name, constant(w), constant(b)), last), array @ w + b
            if last is None:
                before = name
                for j, operator in enumerate(operators):
                    name = node(operator, (name,) if j == 0 else (before, name))
                array = act(array)
        return name, array

    parts = [node("Flatten", (t,), axis=1) for t in TENSORS]
    x = node("Concat", parts, axis=1), flatten({t: golden[t] for t in TENSORS}, 1)
    body = dense(x, trunk, "trunk")
    for name, layers, size in (("policy", policy, len(source.description["actions"])), ("value", value, 1)):
        golden[name] = dense(body, layers, name, name)[1].astype(np.float32)
        if not layers or golden[name].shape[1] != size:
            raise ValueError(f"{name} ends in {golden[name].shape[1]} numbers; {source.description['id']} needs {size}")
    info = helper.make_tensor_value_info
    graph = helper.make_graph(
        nodes,
        "policy",
        [info(t, TensorProto.FLOAT, ["batch", *source.description["shapes"][t]]) for t in TENSORS],
        [info(name, TensorProto.FLOAT, ["batch", golden[name].shape[1]]) for name in ("policy", "value")],
        constants,
    )
    with tempfile.TemporaryDirectory() as folder:
        plain = Path(folder) / "plain.onnx"
        onnx.save(
            helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=IR_VERSION), str(plain)
        )
        tag(plain, target, source.description, seats=seats or source.seats, trained=trained, golden=golden)
