"""Who plays what."""

from __future__ import annotations

from typing import Any, Mapping, Sequence

EXTERNAL = "external"

Agent = str
Pool = Sequence[Mapping[str, Any]]
Seats = Mapping[str, "Agent | Pool"]


def seats_from(players: Sequence[str], seat: str | None, opponent: Agent | Pool | None, seats: Seats | None) -> dict[str, Any] | None:
    """Seats for ``make`` from what a caller gave.

    Args:
        players: the sides of the game.
        seat: the side the caller plays; ``None``: all of them (unless there is an opponent: then the first).
        opponent: the agent of the other sides, or a pool ``[{"agent": ..., "weight": ...}, ...]``; ``random`` when only
            ``seat`` is given.
        seats: or everything by side.
    """
    if seats is not None:
        if seat is not None or opponent is not None:
            raise ValueError("give either seats, or seat and opponent")
        return dict(seats)
    if seat is None and opponent is None:
        return None
    mine = seat if seat is not None else players[0]
    if mine not in players:
        raise ValueError(f"{mine!r} is no side of this game; sides are {', '.join(players)}")
    return {p: EXTERNAL if p == mine else (opponent if opponent is not None else "random") for p in players}
