"""Games as ``gymnasium.make`` and ``gymnasium.make_vec`` know them: ``kessel/pocket-stalingrad-v1``."""

from __future__ import annotations

from typing import Any

VERSIONS = {
    "night-fight": 2,
    "pocket-stalingrad": 1,
    "savage-streets": 1,
    "streets-of-stalingrad": 5,
    "strike-counterstrike": 1,
}
"""The version of each game. An id names it, and a server with another version refuses to make the environment."""


def id_of(game: str) -> str:
    return f"kessel/{game}-v{VERSIONS[game]}"


def register() -> None:
    """Registers every game with Gymnasium; importing :mod:`kessel` does it."""
    import gymnasium

    for game, version in VERSIONS.items():
        if id_of(game) not in gymnasium.registry:
            gymnasium.register(
                id_of(game),
                entry_point="kessel.envs.env:Env",
                vector_entry_point="kessel.envs.vector:make_vec",
                kwargs={"game": game, "version": version},
            )


def spec_of(game: str, arguments: dict[str, Any]) -> Any:
    """The specification of an environment that was made without Gymnasium's ``make``: what would make it again.

    ``None`` for a game that isn't registered, such as one of the caller's own.
    """
    import copy

    import gymnasium

    if game not in VERSIONS:
        return None
    spec = copy.deepcopy(gymnasium.spec(id_of(game)))
    spec.kwargs.update({name: value for name, value in arguments.items() if value is not None})
    return spec
