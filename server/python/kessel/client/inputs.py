"""Arguments as requests carry them. What has another type, shape or size is refused, never rounded or wrapped around."""

from __future__ import annotations

import enum
import operator
import secrets
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
    try:
        given = np.asarray(actions)
    except ValueError:
        raise BadInput(code, f"{what} are whole numbers, not {shown(actions)}") from None
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
        raise BadInput("bad-action", f"an action is one whole number, not {shown(action)}") from None


def choice_of(name: str, value: Any, choices: Sequence[str]) -> str:
    """``value``, if it is one of ``choices``: words, or an enumeration's members of such names (``NEXT_STEP``).

    Raises:
        BadInput: for anything else; it names the argument.
    """
    word = value.name.lower().replace("_", "-") if isinstance(value, enum.Enum) else value
    if not isinstance(word, str) or word not in choices:
        raise BadInput("bad-option", f"{name} is {', '.join(map(repr, choices))}, not {shown(value)}")
    return str(word)


def seed_of(seed: Any, what: str = "seed") -> int | str | None:
    """A seed as a request carries it: a string, or a whole number that a double holds exactly."""
    if seed is None or isinstance(seed, str):
        return seed
    try:
        if isinstance(seed, (bool, np.bool_)):
            raise TypeError
        number = operator.index(seed)
    except TypeError:
        raise BadInput("bad-seed", f"{what} is a whole number or a string, not {shown(seed)}") from None
    if not 0 <= number <= GREATEST_SEED:
        raise BadInput(
            "bad-seed", f"{what}, where it is a number, must be in 0..2^53-1, but is {number}; pass it as a string"
        )
    return number


def number_of(seed: Any) -> int | None:
    """A seed that is a whole number, as Gymnasium's environments take them."""
    found = seed_of(seed)
    if isinstance(found, str):
        raise BadInput("bad-seed", f"seed is a whole number, not {shown(seed)}")
    return found


def seeds_of(seeds: Any) -> list[int | str] | None:
    """One seed for each environment; one that is ``None`` is drawn here."""
    if seeds is None:
        return None
    found = [seed_of(s) for s in listed(seeds, "seeds", "a list of seeds", "bad-seed")]
    return [secrets.token_hex(16) if s is None else s for s in found]


def listed(values: Any, what: str, wanted: str, code: str = "bad-option") -> list[Any]:
    """What can be iterated over, but for text and mappings."""
    try:
        if isinstance(values, (str, bytes, Mapping)):
            raise TypeError
        return list(values)
    except TypeError:
        raise BadInput(code, f"{what} is {wanted}, not {shown(values)}") from None


def rows_of(rows: Any, what: str = "which", needed: bool = False) -> list[int] | None:
    """Environments or nodes by number.

    Args:
        needed: ``None`` and an empty list are refused.
    """
    wanted = f"a list of {'one or more ' if needed else ''}whole numbers"
    if rows is None and not needed:
        return None
    try:
        found = [operator.index(_no_bool(r)) for r in listed(rows, what, wanted)]
    except TypeError:
        raise BadInput("bad-option", f"{what} is {wanted}, not {shown(rows)}") from None
    if needed and not found:
        raise BadInput("bad-option", f"{what} is {wanted}, not an empty one")
    return found


def _no_bool(value: Any) -> Any:
    if isinstance(value, (bool, np.bool_)):
        raise TypeError
    return value


def states_of(states: Any) -> np.ndarray:
    """Saved states, int32 ``[K, words]``."""
    given = np.asarray(states)
    if given.dtype != INT32 or given.ndim != 2:
        raise BadInput(
            "bad-state", f"states are int32 [K, words], as save gave them, not {given.dtype} {list(given.shape)}"
        )
    return np.ascontiguousarray(given)


def options_of(options: Mapping[str, Any] | None, known: Iterable[str]) -> Mapping[str, Any]:
    """Options of ``reset``. Raises ``BadInput`` for one that is not known."""
    given = options if options is not None else {}
    if not isinstance(given, Mapping):
        raise BadInput("bad-option", f"options is a mapping, not {shown(options)}")
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


def shown(value: Any) -> str:
    """A value as a message quotes it, with its type."""
    text = repr(value)
    return f"{text if len(text) <= 60 else text[:57] + '...'} ({type(value).__name__})"
