"""Public names of :mod:`kessel.envs.search`."""

from .envs.search import CHANCE, TERMINAL, Game, State, load_game

__all__ = ["CHANCE", "TERMINAL", "Game", "State", "load_game"]
