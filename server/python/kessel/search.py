"""Public names of :mod:`kessel.envs.search`."""

from .envs.search import CHANCE, CHANCES, TERMINAL, Expansion, Game, State, load_game

__all__ = ["CHANCE", "CHANCES", "TERMINAL", "Expansion", "Game", "State", "load_game"]
