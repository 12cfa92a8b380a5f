"""Arguments as requests carry them. What has another type, shape or size is refused, never rounded or wrapped around."""

from __future__ import annotations

import enum
import operator
from typing import Any, Iterable, Mapping, Sequence

import numpy as np

from .errors import BadInput

INT32 = np.dtype("<i4")
GREATEST_SEED = 2**53 - 1


def actions_of(actions: Any, count: int | None = None, what: str = "actions", code: str = "bad-action") -> np.ndarray:
    """Whole numbers as int32 ``[count]``; ``None`` takes any number of them.

    Raises:
        BadInput: for another type, shape, or a number that int32 does not hold.
    """
    given = np.asarray(actions)
    if given.dtype.kind not in "iu" and given.size > 0:
        raise BadInput(code, f"{what} are whole numbers, not {given.dtype}; argmax or astype(int) makes them")
    if given.ndim != 1 or (count is not None and len(given) != count):
        wanted = "[n]" if count is None else f"[{count}], one for each environment"
        raise BadInput(code, f"{what} have the shape {wanted}, not {list(given.shape)}")
    if given.dtype == INT32:
        return np.ascontiguousarray(given)
    narrow = given.astype(INT32)
    if given.itemsize > 3 and (narrow != given).any():
        raise BadInput(code, f"{what} are indices; {given[narrow != given][0]} is beyond int32")
    return narrow


def action_of(action: Any) -> int:
    """One whole number, as Python's int or as NumPy's."""
    try:
        if isinstance(action, (bool, np.bool_)):
            raise TypeError
        return operator.index(action)
    except TypeError:
        raise BadInput("bad-action", f"an action is one whole number, not {_shown(action)}") from None


def choice_of(name: str, value: Any, choices: Sequence[str]) -> str:
    """``value``, if it is one of ``choices``: words, or an enumeration's members whose values are such words.

    Raises:
        BadInput: for anything else; it names the argument.
    """
    word = value.value if isinstance(value, enum.Enum) else value
    if not isinstance(word, str) or word not in choices:
        raise BadInput("bad-option", f"{name} is {', '.join(map(repr, choices))}, not {_shown(value)}")
    return str(word)


def seed_of(seed: Any) -> int | str | None:
    """A seed as a request carries it: a string, or a whole number that a double holds exactly."""
    if seed is None or isinstance(seed, str):
        return seed
    try:
        if isinstance(seed, (bool, np.bool_)):
            raise TypeError
        number = operator.index(seed)
    except TypeError:
        raise BadInput("bad-seed", f"a seed is a whole number or a string, not {_shown(seed)}") from None
    if not 0 <= number <= GREATEST_SEED:
        raise BadInput(
            "bad-seed", f"a seed that is a number lies in 0..2^53-1, and {number} does not; str() of it will do"
        )
    return number


def seeds_of(seeds: Iterable[Any] | None) -> list[int | str | None] | None:
    return None if seeds is None else [seed_of(s) for s in seeds]


def options_of(options: Mapping[str, Any] | None, known: Iterable[str]) -> Mapping[str, Any]:
    """Options of ``reset``. Raises ``BadInput`` for one that is not known."""
    given = options if options is not None else {}
    names = list(known)
    for name in given:
        if name not in names:
            raise BadInput("bad-option", f"reset takes the options {', '.join(names)}, not {name!r}")
    return given


def mask_of(mask: Any, size: int) -> np.ndarray:
    """Option ``reset_mask``: bool ``[B]``."""
    given = np.asarray(mask)
    if given.dtype != np.bool_ or given.shape != (size,):
        raise BadInput("bad-option", f"reset_mask is bool [{size}], not {given.dtype} {list(given.shape)}")
    return given


def _shown(value: Any) -> str:
    text = repr(value)
    return f"{text if len(text) <= 60 else text[:57] + '...'} ({type(value).__name__})"
