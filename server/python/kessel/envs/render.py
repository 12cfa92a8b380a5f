"""Render modes of every kind of environment."""

from __future__ import annotations

from typing import Any, Callable, Mapping

from ..client.batch import Batch
from ..client.inputs import choice_of

MODES: Mapping[str, Callable[[Batch, int], Any]] = {"ansi": Batch.render, "svg": Batch.svg, "rgb_array": Batch.pixels}
"""``ansi``: the board in letters; ``svg``: a drawing as text; ``rgb_array``: the drawing as uint8 ``[720, 960, 3]``. Each
shows what the acting player may see; after the end, what the last of the caller's seats that acted sees."""

METADATA: dict[str, Any] = {"render_modes": list(MODES), "render_fps": 2}
"""What every environment says of itself; boards are looked at for longer than frames of a film."""

METADATA_OF_ONE: dict[str, Any] = {**METADATA, "render_modes": [*MODES, "human"]}
"""What single environments say: a page follows each (:class:`kessel.envs.human.Window`)."""


def check_mode(mode: str | None, metadata: Mapping[str, Any] = METADATA) -> str | None:
    """Returns ``mode``. Raises ``BadInput`` for one that ``metadata`` doesn't name."""
    return None if mode is None else choice_of("render_mode", mode, metadata["render_modes"])


def rendered(batch: Batch, env: int, mode: str | None) -> Any:
    """The board of one environment in a mode, or ``None`` without one."""
    return None if mode is None else MODES[mode](batch, env)
