"""Public names of :mod:`kessel.client.local`."""

from .client.local import LocalServer, server_command, shared_server

__all__ = ["LocalServer", "server_command", "shared_server"]
