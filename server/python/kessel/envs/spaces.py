"""Observation tensors of a game and their Gymnasium spaces."""

from __future__ import annotations

from typing import Any, Mapping

import numpy as np

from ..client.errors import KesselError

TENSORS = ("globals", "map", "units", "decision")


def flatten(observation: Mapping[str, np.ndarray], batch_dims: int = 0) -> np.ndarray:
    """The four tensors as one array, ``[..., n]`` with the leading ``batch_dims`` kept."""
    return np.concatenate([observation[t].reshape(*observation[t].shape[:batch_dims], -1) for t in TENSORS], axis=-1)


def bounds(description: Mapping[str, Any], tensor: str) -> tuple[np.ndarray, np.ndarray]:
    """Least and greatest value of each cell of a tensor, float32, in its shape without the batch."""
    spec = description["observation"]
    shape = tuple(description["shapes"][tensor])
    low, high = (np.array([f["range"][k] for f in spec[tensor]], np.float32) for k in (0, 1))
    return np.broadcast_to(low, shape).copy(), np.broadcast_to(high, shape).copy()


def observation_space(description: Mapping[str, Any], dtype: str = "float32", mask: bool = False) -> Any:
    """``gymnasium.spaces.Dict`` of the four tensors, and of ``action_mask`` if that is in observations too."""
    from gymnasium import spaces

    def box(tensor: str) -> spaces.Box:
        if dtype == "uint8":
            return spaces.Box(0, 255, tuple(description["shapes"][tensor]), np.uint8)
        low, high = bounds(description, tensor)
        return spaces.Box(low, high, dtype=np.float32)

    found: dict[str, spaces.Space[Any]] = {t: box(t) for t in TENSORS}
    if mask:
        found["action_mask"] = spaces.Box(0, 1, (len(description["actions"]),), np.int8)
    return spaces.Dict(found)


def check_version(description: Mapping[str, Any], version: int | None) -> None:
    """Raises ``KesselError`` when the server's game has another version than the wanted one."""
    if version is not None and description["version"] != version:
        raise KesselError(
            "unknown-game",
            f"version {version} of {description['id']} is wanted, and this server has version {description['version']}",
        )
