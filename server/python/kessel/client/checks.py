"""Arguments of public functions: what each may be, checked by its name before a server is asked."""

from __future__ import annotations

import math
import operator
import os
from collections.abc import Mapping, Sequence
from typing import Any, Callable

import numpy as np

from .errors import BadInput
from .inputs import choice_of, listed, shown

AUTORESETS = ("next-step", "same-step", "disabled")
DTYPES = ("float32", "uint8")

Check = Callable[[str, Any], Any]
"""Takes the name of an argument and its value; returns the value as requests carry it, or raises ``BadInput``."""


def refused(name: str, wanted: str, value: Any) -> BadInput:
    return BadInput("bad-option", f"{name} is {wanted}, not {shown(value)}")


def text(name: str, value: Any) -> str:
    if not isinstance(value, str):
        raise refused(name, "a string", value)
    return str(value)


def word(name: str, value: Any) -> str:
    """A string that isn't empty."""
    if text(name, value) == "":
        raise refused(name, "a string that is not empty", value)
    return str(value)


def flag(name: str, value: Any) -> bool:
    if not isinstance(value, (bool, np.bool_)):
        raise refused(name, "True or False", value)
    return bool(value)


def whole(least: int = 0, most: int = 2**53 - 1) -> Check:
    """A whole number, Python's or NumPy's."""

    def check(name: str, value: Any) -> int:
        try:
            if isinstance(value, (bool, np.bool_)):
                raise TypeError
            number = operator.index(value)
        except TypeError:
            raise refused(name, "a whole number", value) from None
        if not least <= number <= most:
            raise refused(
                name, f"a whole number from {least} to {most}" if most < 2**53 - 1 else f"at least {least}", value
            )
        return number

    return check


def seconds(name: str, value: Any) -> float:
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, (int, float, np.integer, np.floating)):
        raise refused(name, "a number of seconds", value)
    if not 0 < value < 1e6:
        raise refused(name, "a number of seconds above 0, a million at most", value)
    return float(value)


def number(least: float, most: float = math.inf, *, above: bool = False, below: bool = False) -> Check:
    """A number, Python's or NumPy's, between bounds that belong to it unless ``above`` or ``below`` says otherwise."""
    wanted = f"a number {'above' if above else 'from'} {least:g}"
    wanted += "" if most == math.inf else f" to {'below ' if below else ''}{most:g}"

    def check(name: str, value: Any) -> float:
        if isinstance(value, (bool, np.bool_)) or not isinstance(value, (int, float, np.integer, np.floating)):
            raise refused(name, wanted, value)
        fits = (value > least if above else value >= least) and (value < most if below else value <= most)
        if not fits:
            raise refused(name, wanted, value)
        return float(value)

    return check


def array(name: str, value: Any, kinds: str, wanted: str) -> np.ndarray:
    """An array of one or more dimensions whose type is of NumPy's ``kinds``."""
    try:
        found = np.asarray(value)
    except (TypeError, ValueError, RuntimeError):  # ragged lists; tensors on a GPU or with a gradient
        raise refused(name, wanted, value) from None
    if found.dtype.kind not in kinds or found.ndim < 1:
        raise refused(name, wanted, value)
    return found


def function(name: str, value: Any) -> Any:
    if not callable(value):
        raise refused(name, "a function", value)
    return value


def dtype(name: str, value: Any) -> str:
    """A word, NumPy's type or its dtype."""
    try:
        word = value if isinstance(value, str) else np.dtype(value).name
    except TypeError:
        word = ""
    if value is None or word not in DTYPES:
        raise refused(name, " or ".join(map(repr, DTYPES)), value)
    return str(word)


def one_of(choices: Sequence[str]) -> Check:
    return lambda name, value: choice_of(name, value, choices)


def path(name: str, value: Any) -> Any:
    if not isinstance(value, (str, os.PathLike)):
        raise refused(name, "a path", value)
    return value


def plain(name: str, value: Any, depth: int = 32) -> Any:
    """What JSON has, NumPy's scalars and arrays as Python's."""
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, np.ndarray):
        value = value.tolist()
    if value is None or isinstance(value, (str, bool, int)):
        return value
    if isinstance(value, float) and math.isfinite(value):
        return value
    if depth > 0 and isinstance(value, Mapping) and all(isinstance(key, str) for key in value):
        return {str(key): plain(f"{name}[{key!r}]", inner, depth - 1) for key, inner in value.items()}
    if depth > 0 and isinstance(value, (list, tuple)):
        return [plain(f"{name}[{k}]", inner, depth - 1) for k, inner in enumerate(value)]
    raise refused(name, "what JSON can hold", value)


def mapping(name: str, value: Any) -> dict[str, Any]:
    if not isinstance(value, Mapping):
        raise refused(name, "a mapping", value)
    for key in value:
        if not isinstance(key, str):
            raise refused(name, "a mapping whose keys are strings", value)
    found: dict[str, Any] = plain(name, value)
    return found


def agent(name: str, value: Any) -> Any:
    """The name of an agent, or a pool of them."""
    if isinstance(value, str):
        return word(name, value)
    if not isinstance(value, (list, tuple)) or not value:
        raise refused(name, 'the name of an agent or a list of {"agent": ..., "weight": ...}', value)
    pool = []
    for k, entry in enumerate(value):
        if not isinstance(entry, Mapping) or set(entry) != {"agent", "weight"}:
            raise refused(f"{name}[{k}]", '{"agent": ..., "weight": ...}', entry)
        weight = entry["weight"]
        if (
            isinstance(weight, (bool, str))
            or not isinstance(weight, (int, float, np.number))
            or not 0 < float(weight) < 1e9
        ):
            raise refused(f"{name}[{k}]['weight']", "a number above 0", weight)
        pool.append({"agent": text(f"{name}[{k}]['agent']", entry["agent"]), "weight": float(weight)})
    return pool


def by_seat(name: str, value: Any) -> dict[str, Any]:
    if not isinstance(value, Mapping) or not all(isinstance(key, str) for key in value):
        raise refused(name, "a mapping from sides to agents", value)
    return {str(side): agent(f"{name}[{side!r}]", one) for side, one in value.items()}


ILLEGAL = ("raise", "random", "lose")
"""Effects of an action outside the mask.

- ``raise``, everywhere the default: an :class:`kessel.IllegalAction`, and no environment has moved. Such an action is an error of
  the program around it.
- ``random`` plays a random legal action in its place, for agents without masks. ``make_async`` can't.
- ``lose`` ends the episode with -1 for its actor and +1 for the others, as PettingZoo's ``TerminateIllegalWrapper``. Single
  environments alone (``make``, ``aec_env``, ``parallel_env``), as a batch can't end one of its episodes by itself.
"""

CHECKS: Mapping[str, Check] = {
    "game": word,
    "num_envs": whole(1),
    "n_envs": whole(1),
    "size": whole(1),
    "batch_size": whole(1),
    "ahead": whole(0),
    "groups": whole(1),
    "address": text,
    "seat": word,
    "opponent": agent,
    "seats": by_seat,
    "options": mapping,
    "autoreset": one_of(AUTORESETS),
    "skip_forced": flag,
    "max_decisions": whole(1),
    "privileged": flag,
    "potentials": flag,
    "record": flag,
    "dtype": dtype,
    "data": mapping,
    "timeout": seconds,
    "server_key": text,
    "keys": path,
    "illegal": one_of(ILLEGAL),
    "version": whole(0),
    "max_cycles": whole(1),
    "flat": flag,
    "idle_mask": whole(0, 1),
    "mask_in_obs": flag,
    "nodes": whole(1),
    "env": whole(0),
    "action": whole(0),
    "unit": text,
    "order": text,
    "width": whole(320, 1920),
    "last": flag,
    "whole": flag,
    "environments": flag,
    "resample": flag,
    "policy": word,
    "depth": whole(1),
    "net": word,
    "samples": whole(1),
}
OPTIONAL = frozenset(
    (
        *("address", "seat", "opponent", "seats", "options", "max_decisions", "data", "server_key", "keys"),
        *("version", "max_cycles", "net", "samples", "mask_in_obs", "unit", "order", "width", "depth"),
    )
)
"""Those that may be ``None``."""


def checked(given: Mapping[str, Any]) -> dict[str, Any]:
    """Arguments as the rest of the package takes them.

    Raises:
        BadInput: for one of another type or beyond its bounds; it names the argument as the caller wrote it.
    """
    return {
        name: value if name not in CHECKS or (value is None and name in OPTIONAL) else CHECKS[name](name, value)
        for name, value in given.items()
    }


def documents(name: str, value: Any) -> list[Any] | None:
    """Position documents."""
    if value is None:
        return None
    return [mapping(f"{name}[{k}]", one) for k, one in enumerate(listed(value, name, "a list of position documents"))]


def names(name: str, value: Any) -> list[str] | None:
    if value is None:
        return None
    return [word(f"{name}[{k}]", one) for k, one in enumerate(listed(value, name, "a list of names"))]


def known(function: str, given: Mapping[str, Any], names: Sequence[str]) -> None:
    """Raises ``TypeError`` for a keyword that a function does not have."""
    for name in given:
        if name not in names:
            raise TypeError(f"{function}() got an unexpected keyword argument {name!r}; there are {', '.join(names)}")
