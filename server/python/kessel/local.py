"""Public names of :mod:`kessel.client.local`."""

from .client.command import server_command
from .client.local import LocalServer, shared_server

__all__ = ["LocalServer", "server_command", "shared_server"]
