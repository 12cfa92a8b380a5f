"""Public names of :mod:`kessel.client.errors`."""

from .client.errors import BadInput, BatchLost, ConnectionLost, KesselError, NoServer, TimedOut

__all__ = ["BadInput", "BatchLost", "ConnectionLost", "KesselError", "NoServer", "TimedOut"]
