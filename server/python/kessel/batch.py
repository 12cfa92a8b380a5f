"""Public names of :mod:`kessel.client.batch`."""

from .client.batch import Batch, Reply

__all__ = ["Batch", "Reply"]
