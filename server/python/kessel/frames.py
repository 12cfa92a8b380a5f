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

_COPIED = 65536
"""Bytes below which a frame is copied out of ZeroMQ's memory, which is then cheaper than to keep it."""


class Layout:
    """Where tensors lie in a reply's data."""

    __slots__ = ("_names", "_dtype")

    def __init__(self, entries: Sequence[tuple[str, str, list[int], int]]) -> None:
        self._names = [name for name, _, _, _ in entries]
        formats = [(_DTYPES[dtype], tuple(shape)) for _, dtype, shape, _ in entries]
        self._dtype = np.dtype({"names": self._names, "formats": formats, "offsets": [offset for _, _, _, offset in entries]})

    def of_frame(self, frame: zmq.Frame) -> Tensors:
        """:meth:`views` of a received frame."""
        data: Any = frame.bytes if len(frame) < _COPIED else frame.buffer
        if np.frombuffer(data, _BYTE, 1).__array_interface__["data"][0] % 8:
            data = bytes(data)
        return self.views(data)

    def views(self, data: Any) -> Tensors:
        """Tensors by name, in the memory of ``data``, whose address is divisible by 8."""
        record: np.ndarray = np.ndarray((), self._dtype, data)
        return {name: record[name] for name in self._names}


class _Part(np.ndarray):
    """The bytes of one reply in shared memory. Tensors keep it; when the last of them is gone, the server may write there again."""

    slot: int
    freed: list[int]

    def __del__(self) -> None:
        self.freed.append(self.slot)


class Memory:
    """Memory of this machine that a server writes the replies of a batch to.

    Args:
        about: ``path`` of a file and ``slotBytes``, bytes from one slot to the next.
        freed: gets the numbers of slots that nothing refers to any more.

    Raises:
        OSError: the file isn't there, or isn't for this user: the server runs elsewhere.
    """

    def __init__(self, about: Mapping[str, Any], freed: list[int]) -> None:
        file = os.open(about["path"], os.O_RDWR)
        try:
            self._map = mmap.mmap(file, 0)
        finally:
            os.close(file)
        os.unlink(about["path"])  # the memory stays while it is mapped, and is never left behind
        self._bytes: int = about["slotBytes"]
        self._freed = freed

    def part(self, slot: int) -> np.ndarray:
        """What the server wrote to a slot."""
        part = _Part((self._bytes,), _BYTE, self._map, slot * self._bytes)
        part.slot = slot
        part.freed = self._freed
        return part
