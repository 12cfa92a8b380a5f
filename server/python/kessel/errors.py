"""Public names of :mod:`kessel.client.errors`."""

from .client.errors import BatchLost, ConnectionLost, KesselError, NoServer, TimedOut

__all__ = ["BatchLost", "ConnectionLost", "KesselError", "NoServer", "TimedOut"]
