"""A family of 200 small policies as ONNX files, each with golden pairs that ONNX Runtime computed in Python: ways to make
logits, ways to use the mask, what else is an output, and versions of ONNX.

Run as ``graphs.py DIR`` with the description of a game (``Client.describe``) as JSON on the standard input.
"""

from __future__ import annotations

import itertools
import json
import sys
from pathlib import Path
from typing import Any, Callable, Mapping

import numpy as np
import onnxruntime
from onnx import ModelProto, NodeProto, TensorProto, helper, numpy_helper

from kessel.envs.spaces import TENSORS
from kessel.export.tag import MOST_IR, OPSET, tag

ROWS = 9
VERSIONS = ((3, 11), (7, 13), (8, OPSET), (9, 20), (10, 21), (MOST_IR, 25))
"""IR version and opset."""

Nodes = list[NodeProto]
node = helper.make_node


class Graph:
    """A graph under construction, for the game of ``description``."""

    def __init__(self, description: Mapping[str, Any], seed: int) -> None:
        self.rng = np.random.default_rng(seed)
        self.A = len(description["actions"])
        self.shapes: dict[str, list[int]] = {t: description["shapes"][t] for t in TENSORS}
        self.nodes: Nodes = []
        self.constants: list[TensorProto] = []
        self.trunk = ("globals", self.size("globals"))

    def size(self, *tensors: str) -> int:
        return sum(int(np.prod(self.shapes[t])) for t in tensors)

    def constant(self, array: Any) -> str:
        name = f"c{len(self.constants)}"
        self.constants.append(numpy_helper.from_array(np.asarray(array), name))
        return name

    def weights(self, *shape: int) -> str:
        return self.constant(self.rng.normal(size=shape).astype(np.float32) / 2)

    def add(self, op: str, *inputs: str, out: str | None = None, **attributes: Any) -> str:
        out = out or f"t{len(self.nodes)}"
        self.nodes.append(node(op, list(inputs), [out], **attributes))
        return out

    def dense(self, x: str, n: int, m: int) -> str:
        return self.add("Gemm", x, self.weights(n, m), self.weights(m))

    def joined(self, *tensors: str) -> str:
        parts = [self.add("Flatten", t, axis=1) if len(self.shapes[t]) == 2 else t for t in tensors]
        return self.add("Concat", *parts, axis=1)


def of_all(g: Graph, order: tuple[str, ...] = TENSORS) -> str:
    g.trunk = (g.add("Tanh", g.dense(g.joined(*order), g.size(*TENSORS), 8)), 8)
    return g.dense(*g.trunk, g.A)


def by_attention(g: Graph) -> str:
    n, f = g.shapes["units"]
    scores = g.add("Softmax", g.add("MatMul", "units", g.weights(f, 1)), axis=1)
    pooled = g.add("MatMul", g.add("Transpose", scores, perm=[0, 2, 1]), "units")
    return g.dense(g.add("Flatten", pooled, axis=1), f, g.A)


def by_normal(g: Graph) -> str:
    centred = g.add("Sub", "decision", g.add("ReduceMean", "decision", keepdims=1))
    return g.dense(g.add("Relu", centred), g.size("decision"), g.A)


LOGITS: Mapping[str, Callable[[Graph], str]] = {
    "dense": lambda g: g.dense("globals", g.size("globals"), g.A),
    "priorities": lambda g: g.weights(g.A),
    "row-of-priorities": lambda g: g.weights(1, g.A),
    "all": of_all,
    "all-and-again": lambda g: g.add("Add", of_all(g), g.dense("decision", g.size("decision"), g.A)),
    "all-in-another-order": lambda g: of_all(g, (*TENSORS[1:], TENSORS[0])),
    "some": lambda g: g.dense(g.joined("units", "decision"), g.size("units", "decision"), g.A),
    "attention": by_attention,
    "normal": by_normal,
    "number": lambda g: g.add("MatMul", "globals", g.weights(g.size("globals"), 1)),
}
"""Ways to make logits: some only broadcast to the shape of the policy."""


def where(g: Graph, logits: str, other: Any) -> str:
    return g.add("Where", g.add("Cast", "mask", to=TensorProto.BOOL), logits, g.constant(other))


MASKS: Mapping[str, Callable[[Graph, str], str]] = {
    "unmasked": lambda g, x: g.add(
        "Add", x, g.add("Mul", g.add("Cast", "mask", to=TensorProto.FLOAT), g.constant(np.float32(0)))
    ),
    "hidden": lambda g, x: where(g, x, np.float32(-1e9)),
    "hidden-by-a-row": lambda g, x: where(g, x, np.full((1, g.A), -np.inf, np.float32)),
    "softmax": lambda g, x: g.add("Softmax", where(g, x, np.float32(-np.inf)), axis=-1),
    "through-names": lambda g, x: g.add("Identity", g.add("Identity", where(g, x, np.float32(-1e9)))),
}

OUTPUTS = ("alone", "beside-logits", "beside-inner", "of-policy")
"""What else is made: nothing; the logits as an output; a tensor inside and the best action as outputs; a value that is
computed from the masked policy."""


def build(description: Mapping[str, Any], seed: int, logits: str, mask: str, outputs: str) -> ModelProto:
    """The graph number ``seed``."""
    ir, opset = VERSIONS[seed % len(VERSIONS)]
    g = Graph(description, seed)
    x = LOGITS[logits](g)
    inner = [n.output[0] for n in g.nodes][:1]
    policy = g.add("Identity", MASKS[mask](g, x), out="policy")
    if outputs == "of-policy":
        clipped = g.add("Clip", policy, g.constant(np.float32(-3)), g.constant(np.float32(3)))
        g.add("Tanh", g.add("MatMul", clipped, g.weights(g.A, 1)), out="value")
    else:
        g.add("Tanh", g.dense(*g.trunk, 1), out="value")
    info = helper.make_tensor_value_info
    made = [info("policy", TensorProto.FLOAT, ["batch", g.A]), info("value", TensorProto.FLOAT, ["batch", 1])]
    if outputs == "beside-logits" and not any(c.name == x for c in g.constants):
        made.append(info(x, TensorProto.FLOAT, None))
    if outputs == "beside-inner":
        made += [info(name, TensorProto.FLOAT, None) for name in inner]
        made.append(info(g.add("ArgMax", policy, axis=1, keepdims=0), TensorProto.INT64, ["batch"]))
    read = {name for n in g.nodes for name in n.input}
    given = [info(t, TensorProto.FLOAT, ["batch", *g.shapes[t]]) for t in TENSORS if t in read]
    given += [info("mask", TensorProto.UINT8, ["batch", g.A])] if "mask" in read else []
    if ir < 4:  # constants are inputs with a default there
        given += [info(c.name, c.data_type, list(c.dims)) for c in g.constants]
    graph = helper.make_graph(g.nodes, "policy", given, made, g.constants)
    return helper.make_model(graph, ir_version=ir, opset_imports=[helper.make_opsetid("", opset)])


def main(folder: Path, description: Mapping[str, Any]) -> None:
    rng = np.random.default_rng(0)
    A = len(description["actions"])
    shapes = {t: description["shapes"][t] for t in TENSORS}
    rows = {t: rng.uniform(0, 1, (ROWS, *shapes[t])).astype(np.float32) for t in TENSORS}
    rows["mask"] = (rng.uniform(size=(ROWS, A)) < 0.5).astype(np.uint8)
    rows["mask"][:, 0] = 1
    for seed, parts in enumerate(itertools.product(LOGITS, MASKS, OUTPUTS)):
        model = build(description, seed, *parts)
        session = onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
        read = {i.name: rows[i.name] for i in session.get_inputs()}
        policy, value = session.run(["policy", "value"], read)
        plain = folder / "plain"
        plain.write_bytes(model.SerializeToString())
        tag(plain, folder / f"{'-'.join(parts)}.onnx", description, golden={**rows, "policy": policy, "value": value})
        plain.unlink()


if __name__ == "__main__":
    main(Path(sys.argv[1]), json.load(sys.stdin))
