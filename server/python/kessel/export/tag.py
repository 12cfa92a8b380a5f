"""The metadata that makes an ONNX file a Kessel model."""

from __future__ import annotations

import base64
import json
import os
import zlib
from typing import Any, Mapping, Sequence

import numpy as np

from ..envs.spaces import TENSORS

OPSET = 17
"""ONNX operator set version."""
MOST_IR, MOST_OPSET = 13, 26
"""Newest versions of ONNX that Kessel's runtime (onnxruntime-node) reads."""


def tag(
    source: str | os.PathLike[str],
    target: str | os.PathLike[str],
    description: Mapping[str, Any],
    *,
    seats: Sequence[str] | None = None,
    trained: Mapping[str, Any] | None = None,
    golden: Mapping[str, np.ndarray] | None = None,
    temperature: float = 0,
    names: Mapping[str, str] | None = None,
) -> None:
    """Writes ``source`` to ``target`` with the metadata of a Kessel model.

    Numbers that ``source`` keeps in another file are written into ``target``. Versions of ONNX that Kessel's runtime does
    not read yet are lowered.

    Args:
        source: an ONNX file.
        target: path of the model.
        description: of the game: ``envs.description`` or ``Client.describe``.
        seats: sides that the model can play; default: all.
        trained: facts about its training, JSON-serialisable.
        golden: golden pairs: recorded inputs and outputs of the trained net, by name, n rows each (``globals``,
            ``map``, ``units``, ``decision``, ``mask``, ``policy``, ``value``): Kessel compares them when it loads the
            model.
        temperature: 0 to 100: the default temperature of ``onnx:FILE``. At 0 the agent takes the best action; above 0 it
            draws actions in proportion to exp(logit / temperature).
        names: new names of inputs and outputs by their names in ``source``: ``{"output_0": "policy"}``.

    Raises:
        ValueError: the graph does not fit the game or has none of ``names``, its operators exist only in a newer ONNX, or
            the temperature is none.
    """
    import onnx

    model = _lowered(renamed(onnx.load(os.fspath(source)), names or {}))
    _check(model, description)
    seats = list(description["players"]) if seats is None else list(seats)
    unknown = [s for s in seats if s not in description["players"]]
    if unknown or not seats:
        raise ValueError(f"seats are among {', '.join(description['players'])}, not {unknown or 'none'}")
    if not 0 <= temperature <= 100:
        raise ValueError(f"temperature is a number from 0 to 100, not {temperature}")
    meta = {"kessel.game": description["id"], "kessel.schema": description["schema"], "kessel.seats": json.dumps(seats)}
    if trained is not None:
        meta["kessel.trained"] = json.dumps(trained)
    if golden is not None:
        meta["kessel.golden"] = _golden(golden)
    if temperature > 0:
        meta["kessel.temperature"] = f"{temperature:.6f}"
    others = [(p.key, p.value) for p in model.metadata_props if p.key not in meta and not p.key.startswith("kessel.")]
    del model.metadata_props[:]
    for key, value in [*others, *meta.items()]:
        model.metadata_props.add(key=key, value=value)
    onnx.save(model, os.fspath(target))


def renamed(model: Any, names: Mapping[str, str]) -> Any:
    """The model with other names of its inputs and outputs."""
    graph = model.graph
    has = {value.name for value in (*graph.input, *graph.output)}
    unknown = [name for name in names if name not in has]
    if unknown:
        raise ValueError(f"names are of the graph's inputs and outputs, {', '.join(sorted(has))}, not {unknown[0]!r}")
    inner = {value.name: f"{value.name}_" for value in _values(graph) if value.name in names.values()}
    _rename(graph, {**inner, **names})
    return model


def _values(graph: Any) -> list[Any]:
    """What a graph gives names to."""
    import onnx

    made = [onnx.ValueInfoProto(name=name) for node in graph.node for name in node.output]
    return [*graph.input, *graph.initializer, *made]


def _rename(graph: Any, names: Mapping[str, str]) -> None:
    for value in (*graph.input, *graph.output, *graph.initializer, *graph.value_info):
        value.name = names.get(value.name, value.name)
    for node in graph.node:
        for used in (node.input, node.output):
            used[:] = [names.get(name, name) for name in used]
        for attribute in node.attribute:
            for body in (attribute.g, *attribute.graphs):
                _rename(body, names)


def _lowered(model: Any) -> Any:
    """The model in versions of ONNX that Kessel reads."""
    import onnx.version_converter

    opset = max((o.version for o in model.opset_import if o.domain in ("", "ai.onnx")), default=0)
    if opset > MOST_OPSET:
        try:
            model = onnx.version_converter.convert_version(model, MOST_OPSET)
        except Exception as e:
            raise ValueError(
                f"the operators are of opset {opset}; Kessel reads up to {MOST_OPSET}, and they could not be converted "
                f"({e}); export with a lower opset"
            ) from e
    model.ir_version = min(model.ir_version, MOST_IR)
    return model


def _check(model: Any, description: Mapping[str, Any]) -> None:
    from onnx import TensorProto

    A = len(description["actions"])
    known = {t: ([TensorProto.FLOAT], description["shapes"][t]) for t in TENSORS} | {
        "mask": ([TensorProto.UINT8, TensorProto.BOOL], [A])
    }
    made = {"policy": ([TensorProto.FLOAT], [A]), "value": ([TensorProto.FLOAT], [1])}
    constants = {i.name for i in model.graph.initializer}
    inputs = [v for v in model.graph.input if v.name not in constants]
    if not inputs:
        raise ValueError(f"the graph has no inputs; they are among {', '.join(known)}")
    for what, values, expected in (("input", inputs, known), ("output", model.graph.output, made)):
        for v in values:
            if v.name not in expected:
                if what == "output":
                    continue
                raise ValueError(f"the graph has an input {v.name!r}; inputs are among {', '.join(expected)}")
            types, shape = expected[v.name]
            tensor = v.type.tensor_type
            if tensor.elem_type not in types:
                raise ValueError(
                    f"{what} {v.name} is {TensorProto.DataType.Name(tensor.elem_type)}, not {' or '.join(map(TensorProto.DataType.Name, types))}"
                )
            dims: list[int | str] = [
                d.dim_value if d.HasField("dim_value") else d.dim_param or "?" for d in tensor.shape.dim
            ]
            if (
                len(dims) != len(shape) + 1
                or any(isinstance(d, int) and d != n for d, n in zip(dims[1:], shape))
                or isinstance(dims[0], int)
            ):
                raise ValueError(
                    f"{what} {v.name} has shape {dims}; {description['id']} needs {['batch', *shape]} with a dynamic batch"
                )
    missing = set(made) - {v.name for v in model.graph.output}
    if missing:
        raise ValueError(f"the graph has no output {' and '.join(sorted(missing))}")


def _golden(golden: Mapping[str, np.ndarray]) -> str:
    names = (*TENSORS, "mask", "policy", "value")
    if set(golden) != set(names):
        raise ValueError(f"golden pairs have {', '.join(names)}, not {', '.join(golden)}")
    if len({len(golden[n]) for n in names}) != 1:
        raise ValueError("golden pairs have the same number of rows in each array")

    def text(name: str) -> str:
        array = np.ascontiguousarray(golden[name], np.uint8 if name == "mask" else "<f4")
        return base64.b64encode(zlib.compress(array.tobytes())).decode()

    return json.dumps({"size": len(golden["mask"]), **{n: text(n) for n in names}})
