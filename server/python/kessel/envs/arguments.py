"""Keywords that functions pass on to :func:`kessel.make_vec`, for programs that check types."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any, TypedDict

from .seats import Agent, Pool, Seats


class VecArguments(TypedDict, total=False):
    """Keywords of :func:`kessel.make_vec`, for functions that pass them on."""

    address: str | None
    seat: str | None
    opponent: Agent | Pool | None
    seats: Seats | None
    options: Mapping[str, Any] | None
    autoreset: Any
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
