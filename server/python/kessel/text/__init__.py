"""Games as text, for language models: the texts of ``kessel tools`` as a Gymnasium environment, as a batch, and as
environments of libraries that train and measure language models.

    >>> import kessel.text
    >>> env = kessel.text.make_text("pocket-stalingrad", seat="german", opponent="greedy")
    >>> text, info = env.reset(seed=7)
    >>> text, reward, terminated, truncated, info = env.step("I think that it is best to pass. Action: 3")

Two models play each other at a :class:`TextTable`, each reading what its own seat may know.

All texts are made by the server (``server/text`` of the repository), so they are the same for every client. Needs
Gymnasium; the server is started by this module and ends with it. ``load_environment`` needs verifiers, ``openenv_app``
openenv-core, ``text_arena`` TextArena.
"""

from __future__ import annotations

from typing import Any

try:
    import gymnasium  # noqa: F401
except ModuleNotFoundError as e:
    raise ImportError(f"kessel.text needs {e.name}; install it with: pip install 'kessel[text]'") from e

from ..client.errors import KesselError
from .games import TextBatch, TextEnv, make_text
from .server import Answer, ToolServer
from .table import TextTable

__all__ = [
    "Answer",
    "TextBatch",
    "TextEnv",
    "TextTable",
    "ToolServer",
    "load_environment",
    "make_text",
    "openenv_app",
    "text_arena",
]


def load_environment(game: str, seat: str | None = None, opponent: str | None = None, **more: Any) -> Any:
    """A game as an environment of ``verifiers``: one conversation of many turns, scored by the return at its end.

    Args:
        game, seat, opponent: as for :class:`TextBatch`; so are ``options``, ``retries``, ``then``, ``shaping``, ``gamma`` and
            ``reward``.
        more: also ``rules``, how much of the rules is in the system prompt (``"none"``, ``"short"``, ``"medium"``,
            ``"long"``), and ``player``, the configuration of the agent: ``{"max_turns": 200}``.

    Returns:
        a ``verifiers.v1.Env``; its taskset is endless, one task a seed.

    Raises:
        KesselError: ``missing-library`` without verifiers (Python 3.11 or later).
    """
    try:
        import verifiers.v1 as vf

        from kessel_verifiers import PLAYER
    except ImportError as e:
        raise _missing("load_environment", "verifiers==0.4.0", "'kessel[verifiers]'", e) from None
    player = {**PLAYER, **more.pop("player", {})}
    chosen = {k: v for k, v in {"game": game, "seat": seat, "opponent": opponent, **more}.items() if v is not None}
    config: dict[str, Any] = {"taskset": {"id": "kessel-verifiers", **chosen}}
    return vf.load_environment(vf.resolve_env_config({**config, "player": player}))


def openenv_app(game: str, seat: str | None = None, opponent: str | None = None, **more: Any) -> Any:
    """A game as an OpenEnv server: an ASGI application, for ``uvicorn.run(app)``. Each connection plays a game of its own.

    Args:
        game, seat, opponent: as for :class:`TextBatch`.
        more: its other arguments.

    Raises:
        KesselError: ``missing-library`` without openenv-core.
    """
    try:
        from .openenv import make_app
    except ImportError as e:
        raise _missing("openenv_app", "openenv-core==0.3.0", "openenv-core==0.3.0", e) from None
    return make_app(game, seat, opponent, **more)


def text_arena(game: str, seat: str | None = None, opponent: str | None = None, **more: Any) -> Any:
    """A game as an environment of TextArena: for one player against an agent, or for two against each other.

        >>> env.reset(num_players=2, seed=7)
        >>> done = False
        >>> while not done:
        ...     player_id, observation = env.get_observation()
        ...     done, info = env.step(agents[player_id](observation))
        >>> rewards, game_info = env.close()

    With ``num_players=1`` the other seat is ``opponent``'s, as in :class:`TextBatch`; with 2 both seats are players, as in
    :class:`TextTable`, and neither is named.

    Args:
        game, seat, opponent: as for :class:`TextBatch`.
        more: its other arguments; ``shaping`` is for one player.

    Raises:
        KesselError: ``missing-library`` without TextArena.
    """
    try:
        from .textarena import TextArenaGame
    except ImportError as e:
        raise _missing("text_arena", "textarena==0.7.4", "textarena==0.7.4", e) from None
    return TextArenaGame(game, seat, opponent, **more)


def _missing(what: str, package: str, installed: str, error: ImportError) -> KesselError:
    return KesselError("missing-library", f"{what} needs {package}: pip install {installed} ({error})")
