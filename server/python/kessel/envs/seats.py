"""Assignment of agents to seats."""

from __future__ import annotations

import warnings
from typing import Any, Mapping, Sequence

from ..client.errors import BadInput

EXTERNAL = "external"

Agent = str
Pool = Sequence[Mapping[str, Any]]
Seats = Mapping[str, "Agent | Pool"]


def seats_from(
    players: Sequence[str], seat: str | None, opponent: Agent | Pool | None, seats: Seats | None
) -> dict[str, Any] | None:
    """Seats for ``make`` from the arguments of the caller.

    Args:
        players: the sides of the game.
        seat: the caller's side; ``None``: all sides, or, with a warning that names it, the first if there is an opponent.
        opponent: the agent of the other sides, or a pool ``[{"agent": ..., "weight": ...}, ...]``; ``random`` when only
            ``seat`` is given.
        seats: agents by side, instead of the two above.
    """
    if seats is not None:
        if seat is not None or opponent is not None:
            raise BadInput("bad-seat", "give either seats, or seat and opponent")
        return dict(seats)
    if seat is None and opponent is None:
        return None
    if seat is None:
        warnings.warn(
            f"opponent= without seat=: you play {players[0]}, and the opponent {' and '.join(players[1:]) or 'nobody'}; "
            f"seat= chooses, and env.seat says",
            stacklevel=4,
        )
    own = seat if seat is not None else players[0]
    if own not in players:
        raise BadInput("bad-seat", f"seat is a side of this game, {', '.join(map(repr, players))}, not {own!r}")
    return {p: EXTERNAL if p == own else (opponent if opponent is not None else "random") for p in players}
