"""Golden pairs of any ONNX file: situations of the game with the outputs of the file."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import Any, Mapping, Sequence

import numpy as np

from ..envs.spaces import TENSORS
from .situations import ROWS, Source, situations
from .tag import renamed, tag


def outputs_of(file: str | os.PathLike[str], inputs: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
    """The outputs of a model: ``policy`` float32 ``[n, A]`` and ``value`` float32 ``[n, 1]``. Needs ``onnxruntime``.

    Args:
        inputs: ``globals``, ``map``, ``units``, ``decision`` and ``mask`` by name; those that the file reads are taken.
    """
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.log_severity_level = 3
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(os.fspath(file), options, providers=["CPUExecutionProvider"])
    feeds: dict[str, np.ndarray] = {}
    for wanted in session.get_inputs():
        if wanted.name not in (*TENSORS, "mask"):
            raise ValueError(
                f"the graph has an input {wanted.name!r}; inputs are among {', '.join((*TENSORS, 'mask'))}"
            )
        dtype = {"tensor(bool)": np.bool_, "tensor(uint8)": np.uint8}.get(wanted.type, np.float32)
        feeds[wanted.name] = np.ascontiguousarray(inputs[wanted.name], dtype)
    names = {output.name for output in session.get_outputs()}
    if not {"policy", "value"} <= names:
        raise ValueError(f"the graph has the outputs {', '.join(sorted(names))}; it needs policy and value")
    policy, value = session.run(["policy", "value"], feeds)
    return {"policy": np.asarray(policy, np.float32), "value": np.asarray(value, np.float32)}


def golden(
    source: str | os.PathLike[str],
    target: str | os.PathLike[str],
    envs: Any,
    *,
    seats: Sequence[str] | None = None,
    trained: Mapping[str, Any] | None = None,
    rows: int = ROWS,
    temperature: float = 0,
    names: Mapping[str, str] | None = None,
) -> None:
    """Writes any ONNX file as a Kessel model with golden pairs, whatever made it: jax2onnx, tf2onnx, Keras, by hand.

    The pairs have the outputs of the ONNX Runtime on this machine, so that Kessel notices if its own runtime differs. They
    can't show that the file matches the net that was trained. For that, give :func:`tag` the net's own outputs.

    Args:
        source, target, seats, trained, temperature, names: as of :func:`tag`.
        envs: environments of the game, of any interface.
        rows: number of pairs.

    Raises:
        ValueError: the graph does not fit the game.
    """
    import onnx

    game, pairs = Source(envs), situations(envs, rows)
    with tempfile.TemporaryDirectory() as folder:
        plain = Path(folder) / "plain.onnx"
        onnx.save(renamed(onnx.load(os.fspath(source)), names or {}), str(plain))
        found = outputs_of(plain, pairs)
        pairs.update(found, value=found["value"].reshape(len(found["value"]), -1))
        tag(
            plain,
            target,
            game.description,
            seats=seats or game.seats,
            trained=trained,
            golden=pairs,
            temperature=temperature,
        )
