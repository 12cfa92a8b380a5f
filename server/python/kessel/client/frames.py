"""Tensors in received frames, and in memory that the server shares."""

from __future__ import annotations

import mmap
import os
from typing import Any, Mapping, Sequence

import numpy as np
import zmq

Tensors = dict[str, np.ndarray]

_DTYPES = {name: np.dtype(name).newbyteorder("<") for name in ("float32", "float64", "int32", "uint8")}
_BYTE = np.dtype(np.uint8)

_COPY_BELOW = 65536
"""Frames below this size in bytes are copied out of ZeroMQ's memory, which is cheaper than keeping the frame."""


class Layout:
    """Names, types, shapes and offsets of the tensors in a reply's data."""

    __slots__ = ("_names", "_dtype")

    def __init__(self, entries: Sequence[tuple[str, str, list[int], int]]) -> None:
        self._names = [name for name, _, _, _ in entries]
        formats = [(_DTYPES[dtype], tuple(shape)) for _, dtype, shape, _ in entries]
        self._dtype = np.dtype(
            {"names": self._names, "formats": formats, "offsets": [offset for _, _, _, offset in entries]}
        )

    def of_frame(self, frame: zmq.Frame) -> Tensors:
        """:meth:`views` of a received frame."""
        data: Any = frame.bytes if len(frame) < _COPY_BELOW else frame.buffer
        if np.frombuffer(data, _BYTE, 1).__array_interface__["data"][0] % 8:
            data = bytes(data)
        return self.views(data)

    def views(self, data: Any) -> Tensors:
        """Tensors by name, in the memory of ``data``, whose address is divisible by 8."""
        record: np.ndarray = np.ndarray((), self._dtype, data)
        return {name: record[name] for name in self._names}


class _SharedArray(np.ndarray):
    """The bytes of one reply in shared memory. Its tensors keep it alive; when the last is deleted, the server may
    reuse the slot."""

    slot: int
    freed: list[int]

    def __del__(self) -> None:
        self.freed.append(self.slot)


class SharedMemory:
    """Shared memory to which a server on this machine writes the replies of a batch.

    Args:
        about: ``path`` of a file and ``slotBytes``, bytes from one slot to the next.
        freed: receives the numbers of slots that are no longer referenced.

    Raises:
        OSError: the file does not exist or is not accessible: the server runs on another machine.
    """

    def __init__(self, about: Mapping[str, Any], freed: list[int]) -> None:
        file = os.open(about["path"], os.O_RDWR)
        try:
            self._map = mmap.mmap(file, 0)
        finally:
            os.close(file)
        os.unlink(about["path"])  # the memory lives as long as it is mapped
        self._bytes: int = about["slotBytes"]
        self._freed = freed

    def slot(self, slot: int) -> np.ndarray:
        """The contents of a slot, uint8 ``[slotBytes]``."""
        array = _SharedArray((self._bytes,), _BYTE, self._map, slot * self._bytes)
        array.slot = slot
        array.freed = self._freed
        return array


class Reader:
    """Reads the tensors of replies, from data frames or from shared memory. It knows nothing of its batch, so that
    requests in flight keep no batch alive.

    Args:
        layout: of replies that bring none.
        freed: receives the numbers of slots that are no longer referenced.
    """

    def __init__(self, layout: Layout, freed: list[int], memory: SharedMemory | None = None) -> None:
        self.layout = layout
        self.freed = freed
        self.memory = memory

    def tensors(self, header: Mapping[str, Any], frame: zmq.Frame | bytes | None) -> Tensors:
        slot, entries = header.get("slot"), header.get("tensors")
        layout = self.layout if entries is None else Layout(entries)
        if frame is not None:  # also where memory is shared, when the server has no space left for the slot
            if slot is not None:
                self.freed.append(slot)
            return layout.views(frame) if isinstance(frame, bytes) else layout.of_frame(frame)
        if slot is None or self.memory is None:
            return {}
        return layout.views(self.memory.slot(slot))
