"""A wheel that carries the server fits one platform; one of the Python sources alone fits all."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class PlatformWheel(BuildHookInterface):  # type: ignore[type-arg]
    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        platform = os.environ.get("KESSEL_WHEEL_PLATFORM")
        if platform and (Path(self.root) / "kessel" / "_server").is_dir():
            build_data["pure_python"] = False
            build_data["tag"] = f"py3-none-{platform}"
