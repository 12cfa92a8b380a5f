"""Servers for many workers: addresses of a list, and a fleet of servers on the nodes of a Ray cluster.

    with Fleet(cores=8) as fleet:
        config.environment("kessel", env_config={"game": "pocket-stalingrad", "seat": "german", "opponent": "random",
                                                 "fleet": fleet.name})
        ...
        fleet.evaluate(choose, "pocket-stalingrad", 10_000, seat="german", opponent="random")

Each server is on the loopback address of its node, so only that node's workers reach it, without keys and through shared
memory. Only samples and weights cross the network, by Ray. A server that ends is started again, at the same address
if that is free. A node that joins gets servers. When a node is lost, so is what was played on its servers, and its
workers continue with other dice.
"""

from __future__ import annotations

import asyncio
import os
import uuid
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Callable, Sequence

from ..client.checks import function, names, number, whole
from ..client.errors import BatchLost, ConnectionLost, NoServer, TimedOut
from ..client.inputs import seed_of
from ..client.local import LocalServer
from ..envs.arguments import SharedArguments, spelled_out
from .evaluate import Choose, first_episodes, rated
from .statistics import Episode

if TYPE_CHECKING:
    from typing_extensions import Unpack

NAMESPACE = "kessel"
"""Ray's namespace of the actors here."""

WATCH_SECONDS = 2.0
"""Interval at which nodes and servers are looked at; a worker that asks has its own looked at at once."""

TASK_GAMES = 256
"""Games of one task of an evaluation, in one batch."""

TASK_RETRIES = 10
"""How often a task is started again whose node or server was lost."""

LOST = (BatchLost, ConnectionLost, NoServer, TimedOut)
"""What a client raises whose server has ended."""


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

    Raises:
        BadInput: for an argument of the wrong type or beyond its bounds, which it names.
    """
    worker, vector, per_worker = (
        whole()("worker", worker),
        whole()("vector", vector),
        whole(1)("per_worker", per_worker),
    )
    listed = addresses.split(",") if isinstance(addresses, str) else names("addresses", addresses) or ()
    known = [a.strip() for a in listed if a.strip()]
    return known[(max(worker - 1, 0) * per_worker + vector) % len(known)] if known else None


@dataclass(frozen=True)
class Server:
    """A server of a fleet."""

    node: str
    """Id of its node in Ray."""
    address: str
    process: int
    """Its process id on that node."""
    keeper: int
    """Process id of the actor that started it, with which it ends."""


class Fleet:
    """Servers on the nodes of the current Ray cluster, until this process ends.

    Args:
        cores: processor cores of a server: a node that Ray gives n has ``n // cores`` servers, at least one, which step
            with ``cores`` threads. Default: one server a node, with the threads that ``kessel serve`` takes by itself.
            Ray reserves nothing for servers, so give Ray fewer cores than a node has. A node without cores has no
            server unless a worker there asks for one.
        server: as for :class:`kessel.LocalServer`; default: what each node's package finds.
        args: further arguments of ``kessel serve``; files that they name must be on every node.
        timeout: seconds until a server must be ready.

    Attributes:
        name: for workers: ``env_config={"fleet": fleet.name, ...}``, :func:`address_here`.

    Raises:
        BadInput: for cores or a timeout that are no number above 0.
        ImportError: without Ray.
        RuntimeError: if Ray has not been started (``ray.init()``).
        NoServer: if a server does not start; with its log.
    """

    def __init__(
        self,
        cores: int | None = None,
        *,
        server: str | Sequence[str] | None = None,
        args: Sequence[str] = (),
        timeout: float = 120.0,
    ) -> None:
        cores = None if cores is None else whole(1)("cores", cores)
        timeout = number(0, above=True)("timeout", timeout)
        ray = _ray()
        if not ray.is_initialized():
            raise RuntimeError("a fleet needs a Ray cluster; start or join one with ray.init() first")
        self.name = f"fleet-{uuid.uuid4().hex[:12]}"
        threads = [] if cores is None else ["--workers", str(cores)]
        self._dispatcher = (
            ray.remote(_Dispatcher)
            .options(
                name=self.name,
                namespace=NAMESPACE,
                num_cpus=0,
                scheduling_strategy=_on(ray.get_runtime_context().get_node_id()),
            )
            .remote(cores, server, [*threads, *args], timeout)
        )
        self._closed = False
        try:
            _get(self._dispatcher.watch.remote())
        except BaseException:
            self.close()
            raise

    def servers(self) -> list[Server]:
        """The servers at the last check; there is one every 2 seconds."""
        found: list[Server] = _get(self._dispatcher.servers.remote())
        return found

    @spelled_out(SharedArguments)
    def evaluate(
        self,
        choose: Choose,
        game: str,
        games: int = 10_000,
        *,
        seed: int | str = 10_000,
        **args: Unpack[SharedArguments],
    ) -> dict[str, float]:
        """As :func:`kessel.rl.evaluate`, by Ray tasks on all nodes.

        Each task plays up to 256 games on a server of its node, with dice of its own. If its node or server is lost, Ray
        starts the task again, on another node if necessary. It plays the same games, and none of them has counted yet.
        So a deterministic policy gives the same numbers on every cluster, whatever is lost meanwhile.

        Args:
            choose: as for :func:`kessel.rl.evaluate`; it is pickled, with the net it calls.
            game, games, seed, args: as for :func:`kessel.rl.evaluate`, without ``address``.

        Returns:
            as :func:`kessel.rl.evaluate`.

        Raises:
            BadInput: for an argument of the wrong type or beyond its bounds, which it names.
        """
        function("choose", choose)
        games, seed = whole(1)("games", games), seed_of(seed) or 0
        ray = _ray()
        task = ray.remote(_play).options(
            num_cpus=1, scheduling_strategy="SPREAD", max_retries=TASK_RETRIES, retry_exceptions=list(LOST)
        )
        shared = ray.put(choose)
        sizes = [min(TASK_GAMES, games - first) for first in range(0, games, TASK_GAMES)]
        parts = _get([task.remote(self.name, shared, game, n, f"{seed}/{t}", args) for t, n in enumerate(sizes)])
        return rated([e for episodes, _ in parts for e in episodes], parts[0][1])

    def close(self) -> None:
        """Stops all servers."""
        if self._closed:
            return
        self._closed = True
        ray = _ray()
        try:
            _get(self._dispatcher.stop.remote())
            ray.kill(self._dispatcher)
        except ray.exceptions.RayError:
            pass  # it has ended, and the servers with it

    def __enter__(self) -> Fleet:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def address_here(fleet: str, worker: str | None = None) -> tuple[str, int]:
    """For a process on one of the cluster's nodes: a server of that node, which is started if it has ended.

    Args:
        fleet: :attr:`Fleet.name`.
        worker: a name of the caller that stays the same when it is started again, such as its rank.

    Returns:
        the address, and the number of earlier requests of ``worker``, 0 at first. A worker that asks again has lost its
        games, and should not continue with the same dice.

    Raises:
        LookupError: if the fleet is closed, or unknown to this cluster.
    """
    ray = _ray()
    try:
        dispatcher = ray.get_actor(fleet, NAMESPACE)
    except ValueError:
        raise LookupError(f"this Ray cluster has no fleet {fleet!r}; it is closed, or its process has ended") from None
    found: tuple[str, int] = _get(dispatcher.address.remote(ray.get_runtime_context().get_node_id(), worker))
    return found


class _Host:
    """An actor that keeps one server on its node running."""

    def __init__(self, server: str | Sequence[str] | None, args: Sequence[str], timeout: float) -> None:
        self._start: Callable[..., LocalServer] = lambda *more: LocalServer(server, timeout, [*args, *more])
        self._server: LocalServer | None = None

    def look(self) -> tuple[str, int, int]:
        """The server's address, its process and this one. Starts it at first, and when it has ended."""
        if self._server is None:
            self._server = self._start()
        elif not self._server.alive:
            self._server.stop()
            port = self._server.address.rsplit(":", 1)[1]
            try:  # so that clients find it again at once, and learn that their batches are lost
                self._server = self._start("--port", port)
            except NoServer:
                self._server = self._start()
        return self._server.address, self._server.process.pid, os.getpid()

    def stop(self) -> None:
        if self._server is not None:
            self._server.stop()


class _Dispatcher:
    """The actor that knows the servers of a fleet. It is on its driver's node, and ends with the driver."""

    def __init__(
        self, cores: int | None, server: str | Sequence[str] | None, args: Sequence[str], timeout: float
    ) -> None:
        self._cores = cores
        self._start = (server, args, timeout)
        self._hosts: dict[str, list[Any]] = {}
        """Actors by node."""
        self._asked: dict[str, int] = {}
        """By node: how often a server was asked for; they take turns."""
        self._lives: dict[str, int] = {}
        """By worker: how often it asked."""
        self._seen: list[Server] = []
        self._watching: asyncio.Task[None] | None = None

    async def watch(self) -> None:
        """Starts the servers, and looks after them from now on."""
        await self._look()
        self._watching = asyncio.create_task(self._watch())

    async def _watch(self) -> None:
        while True:
            await asyncio.sleep(WATCH_SECONDS)
            try:
                await self._look()
            except Exception as e:  # a node that can't start its server must not keep the others from theirs
                print(e, flush=True)

    async def _look(self) -> None:
        """Forgets nodes that are lost, and sees to it that the servers of the others run."""
        alive = _nodes()
        for node in [n for n in self._hosts if n not in alive]:
            del self._hosts[node]
        wanted = [
            (n, k) for n, cores in alive.items() if cores >= 1 or n in self._hosts for k in range(self._count(cores))
        ]
        found = await asyncio.gather(*(self._server(n, k) for n, k in wanted), return_exceptions=True)
        self._seen = [s for s in found if isinstance(s, Server)]
        still = _nodes()
        for (node, _), failed in zip(wanted, found):
            if isinstance(failed, BaseException) and node in still:
                raise failed

    def servers(self) -> list[Server]:
        return self._seen

    async def address(self, node: str, worker: str | None) -> tuple[str, int]:
        turn = self._asked.get(node, 0)
        self._asked[node] = turn + 1
        life = 0
        if worker is not None:
            life = self._lives.get(worker, 0)
            self._lives[worker] = life + 1
        return (await self._server(node, turn % self._count(_nodes().get(node, 0)))).address, life

    async def stop(self) -> None:
        if self._watching is not None:
            self._watching.cancel()
        hosts = [h for of_node in self._hosts.values() for h in of_node]
        await asyncio.gather(*(h.stop.remote() for h in hosts), return_exceptions=True)
        for host in hosts:
            _ray().kill(host)

    def _count(self, cores: float) -> int:
        return 1 if self._cores is None else max(1, int(cores // self._cores))

    async def _server(self, node: str, k: int) -> Server:
        """A node's server ``k``. Its actor is made at first, and again when it has died."""
        ray = _ray()
        died: Exception | None = None
        for _ in range(2):
            hosts = self._hosts.setdefault(node, [])
            while len(hosts) <= k:
                hosts.append(ray.remote(_Host).options(num_cpus=0, scheduling_strategy=_on(node)).remote(*self._start))
            host = hosts[k]
            try:
                return Server(node, *(await host.look.remote()))
            except ray.exceptions.RayTaskError as e:
                raise e.cause if isinstance(e.cause, NoServer) else e from None
            except ray.exceptions.RayError as e:  # the actor or its node is gone
                died = e
                if k < len(hosts) and hosts[k] is host:  # else another request has seen it before
                    del hosts[k]
        raise NoServer("no-server", f"node {node} keeps no server: {died}")


def _play(
    fleet: str, choose: Choose, game: str, games: int, seed: str, args: dict[str, Any]
) -> tuple[list[Episode], int]:
    """A task: the first episodes of some environments."""
    address, _ = address_here(fleet)
    return first_episodes(choose, game, games, seed=seed, address=address, **args)


def _nodes() -> dict[str, float]:
    """The cores that Ray gives, by node."""
    return {n["NodeID"]: n["Resources"].get("CPU", 0) for n in _ray().nodes() if n["Alive"]}


def _on(node: str) -> Any:
    from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

    return NodeAffinitySchedulingStrategy(node, soft=False)


def _get(refs: Any) -> Any:
    """``ray.get``, with the errors of this package as they were raised."""
    ray = _ray()
    try:
        return ray.get(refs)
    except ray.exceptions.RayTaskError as e:
        raise e.cause if isinstance(e.cause, Exception) else e from None


def _ray() -> Any:
    try:
        import ray
    except ModuleNotFoundError as e:
        raise ImportError(f"a fleet needs {e.name}; install it with: pip install 'kessel[ray]'") from e
    return ray
