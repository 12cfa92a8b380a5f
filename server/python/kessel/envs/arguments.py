"""Keywords that functions pass on to :func:`kessel.make_vec`: their types, and signatures that spell them out."""

from __future__ import annotations

import functools
import inspect
import os
from collections.abc import Mapping
from typing import Any, Callable, ParamSpec, TypedDict, TypeVar, get_type_hints

from ..client.checks import known
from .seats import Agent, Pool, Seats
from .vector import make_vec

P = ParamSpec("P")
R = TypeVar("R")


class SharedArguments(TypedDict, total=False):
    """Keywords of :func:`kessel.make_vec` but for ``address`` and ``autoreset``."""

    seat: str | None
    opponent: Agent | Pool | None
    seats: Seats | None
    options: Mapping[str, Any] | None
    skip_forced: bool
    max_decisions: int | None
    privileged: bool
    potentials: bool
    record: bool
    dtype: Any
    data: Mapping[str, Any] | None
    timeout: float
    server_key: str | None
    keys: str | os.PathLike[str] | None
    render_mode: str | None
    illegal: str
    version: int | None
    mask_in_obs: bool


class EpisodeArguments(SharedArguments, total=False):
    """Keywords of :func:`kessel.make_vec` but for ``autoreset``, for functions that choose that themselves."""

    address: str | None


class VecArguments(EpisodeArguments, total=False):
    """Keywords of :func:`kessel.make_vec`."""

    autoreset: Any


def spelled_out(taken: Any, **defaults: Any) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """For a function with ``**args: Unpack[taken]``: ``help`` and ``inspect.signature`` show every keyword with its default,
    and one that it does not have is a ``TypeError`` that names the function.

    Args:
        taken: one of the classes above.
        defaults: where they are not those of :func:`kessel.make_vec`.
    """
    of_make_vec, types = inspect.signature(make_vec).parameters, get_type_hints(make_vec)

    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        own = [p for p in inspect.signature(function).parameters.values() if p.kind is not p.VAR_KEYWORD]
        more = [of_make_vec[name] for name in of_make_vec if name in taken.__annotations__]
        more = [p.replace(default=defaults.get(p.name, p.default), annotation=types[p.name]) for p in more]
        names = [p.name for p in (*own, *more)]

        @functools.wraps(function)
        def checked(*args: P.args, **given: P.kwargs) -> R:
            known(function.__name__, given, names)
            return function(*args, **given)

        signature = inspect.signature(function).replace(parameters=[*own, *more])
        checked.__signature__ = signature  # type: ignore[attr-defined]
        return checked

    return decorate
