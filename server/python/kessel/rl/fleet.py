"""Distribution of workers over several servers."""

from __future__ import annotations

from typing import Sequence


def address_of(addresses: str | Sequence[str] | None, worker: int, vector: int = 0, per_worker: int = 1) -> str | None:
    """The server address of an environment; servers get equal shares.

    Args:
        addresses: one address, a list, or several separated by commas; ``None`` or empty: :class:`kessel.Client` finds
            or starts a server itself.
        worker: number of the process: a rank or RLlib's ``worker_index``, where 0 is the driver and workers start at 1.
        vector: number of the environment within its worker.
        per_worker: environments of each worker, to distribute those of one worker too.

    Returns:
        the address, a function of the arguments.
    """
    if worker < 0 or vector < 0 or per_worker < 1:
        raise ValueError(
            f"worker and vector are at least 0 and per_worker at least 1, not {worker}, {vector}, {per_worker}"
        )
    listed = addresses.split(",") if isinstance(addresses, str) else list(addresses or ())
    known = [a.strip() for a in listed if a.strip()]
    return known[(max(worker - 1, 0) * per_worker + vector) % len(known)] if known else None
