"""``python -m kessel.sizing GAME --learner 50000``: what a rate of decisions needs, from measurements on this machine.

It measures the processor time of a decision in a server and in a loop that receives it, and the memory of environments.
It prints the servers, cores and memory that a learner of that rate needs, and what limits it.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import sys
import time
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from .client.checks import number
from .client.errors import KesselError
from .client.local import LocalServer
from .envs.arguments import SharedArguments, spelled_out
from .envs.masks import sample
from .envs.vector import make_vec

if TYPE_CHECKING:
    from typing_extensions import Unpack

GIB = 2.0**30


class Measured(NamedTuple):
    """What decisions and environments cost on this machine."""

    server: float
    """Decisions a second of one core of a server."""
    runner: float
    """Decisions a second of one core of a loop that receives observations and sends random actions."""
    bytes_a_decision: float
    """What a decision brings."""
    bytes_an_environment: float
    bytes_a_server: float
    """Of a server with the measured environments."""
    environments: int


class Plan(NamedTuple):
    """What a rate takes."""

    servers: int
    """Of ``cores_a_server`` cores each."""
    cores_a_server: int
    server_cores: float
    runner_cores: float
    memory: float
    """Bytes of all servers."""
    gigabits: float
    """Gbit/s from servers to learners where those are on other machines."""
    fits: bool
    """On the machine that was measured, beside a learner that takes a core."""
    limit: str


@spelled_out(SharedArguments)
def measure(
    game: str,
    *,
    seconds: float = 3.0,
    warm: float = 6.0,
    num_envs: int = 256,
    **args: Unpack[SharedArguments],
) -> Measured:
    """Measures this machine with a server of its own.

    Args:
        seconds: duration. ``warm`` seconds before it don't count, because V8 is still compiling the rules.
        num_envs: environments of the batch.
        args: ``seat``, ``opponent``, ``options``, ``dtype``, as of :func:`kessel.make_vec`.
    """
    seconds, warm = number(0, above=True)("seconds", seconds), number(0)("warm", warm)
    server = LocalServer()
    try:
        envs = make_vec(game, num_envs, address=server.address, **args)
        rng = np.random.default_rng(1)
        obs, info = envs.reset(seed=1)
        client = envs.client
        arrays = (*obs.values(), info["action_mask"])

        def play(until: float) -> int:
            nonlocal info
            count = 0
            while time.perf_counter() < until:
                for _ in range(8):
                    count += int(np.count_nonzero(info["actor"] >= 0))
                    info = envs.step(sample(info["action_mask"], rng))[4]
            return count

        play(time.perf_counter() + warm)
        before, own = client.stats(), time.process_time()
        decisions = play(time.perf_counter() + seconds)
        after, own = client.stats(), time.process_time() - own
        envs.close()
        return Measured(
            server=decisions / max(1e-9, after["cpuSeconds"] - before["cpuSeconds"]),
            runner=decisions / max(1e-9, own),
            bytes_a_decision=sum(a.nbytes for a in arrays) / num_envs,
            bytes_an_environment=after["batchBytes"] / num_envs,
            bytes_a_server=after["processBytes"],
            environments=num_envs,
        )
    finally:
        server.stop()


def plan(found: Measured, rate: float, environments: int, cores: int, memory: float, cores_a_server: int = 4) -> Plan:
    """What ``rate`` decisions a second need, with ``environments`` environments in all.

    Args:
        cores, memory: of the machine that was measured.
    """
    server_cores, runner_cores = rate / found.server, rate / found.runner
    servers = max(1, math.ceil(server_cores / cores_a_server))
    each = found.bytes_a_server - found.environments * found.bytes_an_environment
    needed = servers * max(each, 0) + environments * found.bytes_an_environment
    wanted = server_cores + runner_cores + 1
    fits = wanted <= cores and needed <= memory
    if needed > memory and wanted <= cores:
        limit = f"memory: {needed / GIB:.1f} GiB are wanted and {memory / GIB:.1f} are here"
    elif not fits:
        most = max(0.0, cores - 1) / (1 / found.server + 1 / found.runner)
        limit = f"cores: {wanted:.1f} are wanted with one for the learner, {cores} are here, which carry {most:,.0f} decisions/s"
    else:
        share = server_cores / (server_cores + runner_cores)
        limit = (
            f"the learner; of what it is fed by, servers take {share:.0%} and the loops that receive {1 - share:.0%}"
        )
    return Plan(
        servers,
        cores_a_server,
        server_cores,
        runner_cores,
        needed,
        rate * found.bytes_a_decision * 8 / 1e9,
        fits,
        limit,
    )


def _memory() -> float:
    try:
        return float(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"))
    except (AttributeError, OSError, ValueError):
        return math.inf


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m kessel.sizing", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("game")
    parser.add_argument("--learner", type=float, required=True, metavar="RATE", help="decisions a second that it takes")
    parser.add_argument("--environments", type=int, default=1024, help="in all (default 1024)")
    parser.add_argument("--seat", help="the learner's side; default: all")
    parser.add_argument("--opponent", help="an agent of the server for the other sides")
    parser.add_argument("--dtype", choices=("float32", "uint8"), default="float32")
    parser.add_argument("--seconds", type=float, default=3.0, help="length of the measurement")
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args(argv)
    if args.learner <= 0 or args.environments < 1 or args.seconds <= 0:
        parser.error("rates, environments and seconds are above 0")
    try:
        found = measure(args.game, seconds=args.seconds, seat=args.seat, opponent=args.opponent, dtype=args.dtype)
    except KesselError as e:
        print(f"kessel.sizing: {e.message}", file=sys.stderr)
        return 2
    cores, memory = os.cpu_count() or 1, _memory()
    wanted = plan(found, args.learner, args.environments, cores, memory)
    if args.json:
        print(json.dumps({"measured": found._asdict(), "plan": wanted._asdict(), "cores": cores, "memory": memory}))
        return 0
    print(f"{args.game}, measured here with {found.environments} environments, in processor time:")
    print(f"  a core of a server plays         {found.server:>10,.0f} decisions/s")
    print(
        f"  a core of a receiving loop takes {found.runner:>10,.0f} decisions/s, of {found.bytes_a_decision:,.0f} bytes each"
    )
    print(
        f"  an environment takes {found.bytes_an_environment / 1024:,.1f} KiB, a server {found.bytes_a_server / GIB:.2f} GiB"
    )
    print(f"{args.learner:,.0f} decisions/s with {args.environments:,} environments take:")
    one = wanted.servers == 1
    servers = (
        f"{wanted.servers} server{'' if one else 's'}, of up to {wanted.cores_a_server} cores{'' if one else ' each'}"
    )
    print(f"  {wanted.server_cores:.1f} cores for servers: {servers}")
    print(f"  {wanted.runner_cores:.1f} cores for the loops that receive (more with a net in them)")
    print(
        f"  {wanted.memory / GIB:.2f} GiB for servers; {wanted.gigabits:.1f} Gbit/s where learners are on other machines"
    )
    print(f"limit: {wanted.limit}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
