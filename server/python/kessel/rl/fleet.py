"""Which server of several a worker uses."""

from __future__ import annotations

from typing import Sequence


def address_of(addresses: str | Sequence[str] | None, worker: int, vector: int = 0, per_worker: int = 1) -> str | None:
    """The address for one of many environments, so that the servers get equal shares.

    Args:
        addresses: one, or several in a list or with commas between; ``None`` or nothing: no address, so that
            :class:`kessel.Client` finds or starts a server itself.
        worker: number of the process: RLlib's ``worker_index``, a rank. Workers that train count from 1 in RLlib; its 0 is
            the driver.
        vector: number of the environment within its worker.
        per_worker: environments of each worker, when those of one worker are to be spread too.

    Returns:
        the address, the same for the same numbers; a worker with ``vector`` 0 has one server.
    """
    if worker < 0 or vector < 0 or per_worker < 1:
        raise ValueError(f"worker and vector are from 0, per_worker from 1, not {worker}, {vector}, {per_worker}")
    listed = addresses.split(",") if isinstance(addresses, str) else list(addresses or ())
    known = [a.strip() for a in listed if a.strip()]
    return known[(max(worker - 1, 0) * per_worker + vector) % len(known)] if known else None
