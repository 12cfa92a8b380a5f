"""The connection to a server: requests and replies, batches, servers on this machine, errors."""

from .batch import Batch, Reply
from .client import PROTOCOL, Client
from .errors import BadInput, BatchLost, ConnectionLost, IllegalAction, KesselError, NoServer, TimedOut
from .local import LocalServer

__all__ = [
    "PROTOCOL",
    "BadInput",
    "Batch",
    "BatchLost",
    "Client",
    "ConnectionLost",
    "IllegalAction",
    "KesselError",
    "LocalServer",
    "NoServer",
    "Reply",
    "TimedOut",
]
