"""Public names of :mod:`kessel.envs.seats`."""

from .envs.seats import EXTERNAL, Agent, Pool, Seats, seats_from

__all__ = ["EXTERNAL", "Agent", "Pool", "Seats", "seats_from"]
