"""Exceptions."""

from __future__ import annotations


class KesselError(Exception):
    """A request that the server refused, or a server that does not answer.

    Attributes:
        code: a stable word such as ``illegal-action``; PROTOCOL.md lists those of servers. The client's own are
            ``timeout``, ``disconnected``, ``no-server``, ``closed`` and ``not-in-flight``.
        message: what happened and how to fix it.
    """

    def __init__(self, code: str, message: str) -> None:
        super().__init__(f"{code}: {message}")
        self.code = code
        self.message = message

    def __reduce__(self) -> tuple[type[KesselError], tuple[str, str]]:
        return type(self), (self.code, self.message)


class NoServer(KesselError):
    """``no-server``: no server could be started, or the local server has ended. The message contains the end of its
    log."""


class TimedOut(KesselError, TimeoutError):
    """``timeout``: no reply in time. The message says whether the server was ever reached."""


class ConnectionLost(KesselError, ConnectionError):
    """``disconnected``: the connection broke while a request was in flight, which may or may not have been carried out.

    The client reconnects by itself, and its batches still exist if the server runs. Requests that change nothing are
    repeated automatically. After a lost ``step``, ``reset`` or ``load`` brings the batch into a known state.
    """


class BatchLost(KesselError):
    """The server has lost the state of a batch. ``load`` restores a state that ``save`` returned earlier.

    ``unknown-batch`` for one that this client made and has not closed: the server was restarted, or the lease ran out.
    Make it again (:meth:`kessel.VectorEnv.another` does, on the same connection), reset it and ``load`` the saved
    state.

    ``batch-lost``: the worker thread of the batch has ended. Reset the batch and ``load``.
    """


class IllegalAction(KesselError, ValueError):
    """``illegal-action``: an action outside the mask. The message names the environment (of a batch), the game, the action,
    who acts, and how many actions are legal. No environment has moved; play another action, or reset."""

    def advised(self, advice: str) -> IllegalAction:
        """The same with what else the caller may do."""
        return IllegalAction(self.code, f"{self.message}; {advice}")


class BadInput(KesselError, ValueError):
    """An argument that the client refuses before it asks the server, with the code the server would refuse it with:
    ``bad-action``, ``bad-seed`` or ``bad-option``; ``bad-address`` for one that ZeroMQ doesn't know."""
