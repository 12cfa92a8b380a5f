"""What ``copy.deepcopy`` and ``pickle`` make of environments."""

from __future__ import annotations

from typing import Any, Callable, Mapping

import numpy as np

from ..client.batch import Batch


class Copied:
    """Environments live on a server; a copy is another environment there, made with the same arguments.

    After the first reset a copy also gets the state of the game, which only a privileged batch can save; otherwise
    copying raises ``TypeError``. Random streams of the server's agents start again in the copy.
    """

    batch: Batch
    begun: bool
    """Whether there was a reset."""
    recipe: tuple[Callable[..., Any], Mapping[str, Any]] | None
    """The function that made it, and its arguments."""

    def _loaded(self, saved: np.ndarray) -> None:
        """Takes over a saved state."""
        raise NotImplementedError

    def _reduced(self) -> tuple[Callable[..., Any], Mapping[str, Any], np.ndarray | None]:
        if self.recipe is None:
            raise TypeError("these environments share a connection with others; copy those that make_vec returned")
        if not self.begun:
            return *self.recipe, None
        if not self.batch.privileged:
            raise TypeError(
                "an environment under way is copied with its state, which holds what players must not know: make it with "
                "privileged=True, or copy it before its first reset; Batch.clone copies environments within a batch"
            )
        return *self.recipe, np.array(self.batch.save())

    def __deepcopy__(self, memo: dict[int, Any]) -> Any:
        return _revived(*self._reduced())

    def __reduce__(self) -> tuple[Any, ...]:
        return _revived, self._reduced()


def _revived(make: Callable[..., Any], arguments: Mapping[str, Any], saved: np.ndarray | None) -> Any:
    copy = make(**arguments)
    if saved is not None:
        copy._loaded(saved)
    return copy
