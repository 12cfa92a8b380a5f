"""What can go wrong."""

from __future__ import annotations


class KesselError(Exception):
    """A request that the server refused, or a server that doesn't answer.

    Attributes:
        code: a stable word such as ``illegal-action``; PROTOCOL.md lists those of servers. The client's own are ``timeout``,
            ``disconnected``, ``no-server`` and ``closed``.
        message: what happened and what would help.
    """

    def __init__(self, code: str, message: str) -> None:
        super().__init__(f"{code}: {message}")
        self.code = code
        self.message = message

    def __reduce__(self) -> tuple[type[KesselError], tuple[str, str]]:
        return type(self), (self.code, self.message)


class NoServer(KesselError):
    """``no-server``: there is none to start, or the one that was started here has ended. The message has the end of its log."""


class TimedOut(KesselError, TimeoutError):
    """``timeout``: no answer in time. The message tells whether the server was ever reached."""


class ConnectionLost(KesselError, ConnectionError):
    """``disconnected``: the connection broke while a request was on its way that may or may not have been carried out.

    The client connects again by itself, and its batches are where they were if the server still runs. Reading requests
    are repeated without a word; after a lost ``step`` only a ``reset`` or ``load`` makes sure where the batch stands.
    """


class BatchLost(KesselError):
    """The server has lost what stood in a batch; ``save`` in good time, and ``load`` puts it back.

    ``unknown-batch`` for one that this client made and has not closed: the server was restarted, or the lease ran out. Make
    it again (:meth:`kessel.VectorEnv.another` does, on the same connection), reset it and ``load`` what ``save`` gave.

    ``batch-lost``: the part of the server that played it has ended. Reset it and ``load``.
    """
