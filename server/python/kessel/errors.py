"""Public names of :mod:`kessel.client.errors`."""

from .client.errors import BadInput, BatchLost, ConnectionLost, IllegalAction, KesselError, NoServer, TimedOut

__all__ = ["BadInput", "BatchLost", "ConnectionLost", "IllegalAction", "KesselError", "NoServer", "TimedOut"]
