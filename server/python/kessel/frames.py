"""Tensors in received frames."""

from __future__ import annotations

from typing import Any, Sequence

import numpy as np
import zmq

Tensors = dict[str, np.ndarray]

_DTYPES = {name: np.dtype(name).newbyteorder("<") for name in ("float32", "float64", "int32", "uint8")}

_COPIED = 65536
"""Bytes below which a frame is copied out of ZeroMQ's memory, which is then cheaper than to keep it."""


class Layout:
    """Where tensors lie in a frame."""

    __slots__ = ("_names", "_dtype")

    def __init__(self, entries: Sequence[tuple[str, str, list[int], int]]) -> None:
        self._names = [name for name, _, _, _ in entries]
        formats = [(_DTYPES[dtype], tuple(shape)) for _, dtype, shape, _ in entries]
        self._dtype = np.dtype({"names": self._names, "formats": formats, "offsets": [offset for _, _, _, offset in entries]})

    def tensors(self, frame: zmq.Frame) -> Tensors:
        """Views of the frame's memory by name."""
        data: Any = frame.bytes if len(frame) < _COPIED else frame.buffer
        record: np.ndarray = np.ndarray((), self._dtype, data)
        if record.__array_interface__["data"][0] % 8:
            record = np.ndarray((), self._dtype, bytes(data))
        return {name: record[name] for name in self._names}
