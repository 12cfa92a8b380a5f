"""What can go wrong."""

from __future__ import annotations


class KesselError(Exception):
    """A request that the server refused, or a server that doesn't answer.

    Attributes:
        code: a stable word such as ``illegal-action``, ``unknown-batch``, ``timeout``; PROTOCOL.md lists them.
    """

    def __init__(self, code: str, message: str) -> None:
        super().__init__(f"{code}: {message}")
        self.code = code
        self.message = message

    def __reduce__(self) -> tuple[type[KesselError], tuple[str, str]]:
        return KesselError, (self.code, self.message)
