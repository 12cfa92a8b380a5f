"""Public names of :mod:`kessel.client.frames`."""

from .client.frames import Layout, Tensors

__all__ = ["Layout", "Tensors"]
