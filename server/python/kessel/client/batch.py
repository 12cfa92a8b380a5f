"""A batch of environments on a server."""

from __future__ import annotations

import time
from typing import Any, Callable, Iterable, Mapping, Protocol, Sequence, TypeVar

import numpy as np

from .checks import checked, documents, flag, names, word
from .errors import BadInput, BatchLost, ConnectionLost, KesselError
from .frames import Layout, Reader, SharedMemory, Tensors
from .inputs import INT32, actions_of, rows_of, seed_of, seeds_of, states_of

RETRIED = frozenset(
    (
        "hello",
        "list",
        "describe",
        "legal",
        "orders",
        "observe",
        "position",
        "render",
        "replay",
        "outcomes",
        "resample",
        "save",
        "playout",
        "ping",
        "stats",
        "close",
    )
)
"""Operations that change nothing, so that a request may be repeated when its reply was lost."""


Result = TypeVar("Result")


class Reply:
    """A reply's header and its tensors (views into the received frame, valid as long as they are referenced)."""

    __slots__ = ("header", "tensors")

    def __init__(self, header: dict[str, Any], tensors: Tensors) -> None:
        self.header = header
        self.tensors = tensors


def with_retry(op: str, exchange: Callable[[], Reply]) -> Reply:
    """Performs an exchange; repeats it once if the connection broke and the operation changes nothing."""
    try:
        return exchange()
    except ConnectionLost:
        if op not in RETRIED:
            raise
        return exchange()


class Connection(Protocol):
    """What a batch needs of its :class:`kessel.Client`."""

    hello: dict[str, Any]

    @property
    def connected(self) -> bool: ...

    def send(self, op: str, frame: Any = None, reader: Reader = ..., /, **args: Any) -> int: ...

    def receive(self, id: int) -> Reply: ...

    def stats(self) -> dict[str, float]: ...


class Batch:
    """B environments of one game on the server. Made by :meth:`Client.make`.

    ``reset``, ``step`` and ``load`` return tensors by name: ``globals [B, G]``, ``map [B, N, Fm]``, ``units [B, U,
    Fu]``, ``decision [B, D]`` (float32, or uint8 if so made), ``mask [B, A]`` uint8, ``actors [B]`` int32 (-1: the
    episode is over), ``rewards [B, players]`` float32, ``terminated [B]`` and ``truncated [B]`` uint8, ``decisions
    [B]`` and ``episodes [B]`` int32. With autoreset ``same-step``, when episodes ended, they also return ``final_rows [K]``
    and ``final_globals``, ... of those episodes; with pools of agents ``opponents [B, players]`` int32. In a batch made
    with ``ready=K`` all have K rows, and ``environments [K]`` int32 names the environments.
    """

    def __init__(self, client: Connection, header: Mapping[str, Any]) -> None:
        self.client = client
        self.token: str = header["batch"]
        self.size: int = header["size"]
        self.players: list[str] = header["players"]
        self.external: list[str] = header["external"]
        self.autoreset: str = header["autoreset"]
        self.schema: str = header["schema"]
        self.lease: float = header["lease"]
        self.privileged: bool = header["privileged"]
        self.closed = False
        self.actors: np.ndarray = np.zeros(self.size, np.int32)
        """Those of the last ``reset``, ``step``, ``load`` or ``clone`` whose reply was received."""
        self.mask: np.ndarray | None = None
        """That of the same reply; ``None`` before the first."""
        self.interrupted = False
        """A step was sent, and its result was not waited for."""
        self._freed: list[int] = []
        self._reader = Reader(Layout(header["tensors"]), self._freed)
        self.reachable = True
        if "memory" in header:
            try:
                self._reader.memory = SharedMemory(header["memory"], self._freed)
            except OSError:
                self.reachable = False
        self._made = time.monotonic()

    def send(self, op: str, frame: Any = None, /, **args: Any) -> int:
        """Sends a request about this batch. Returns its id, for :meth:`receive`."""
        free = self._freed[:]
        del self._freed[: len(free)]
        return self.client.send(op, frame, self._reader, batch=self.token, free=free or None, **args)

    def receive(self, id: int) -> Reply:
        """As :meth:`Client.receive`; raises :class:`kessel.BatchLost` when the server no longer has the batch."""
        try:
            reply = self.client.receive(id)
        except KesselError as e:
            if e.code == "unknown-batch" and not self.closed:
                raise self._lost() from None
            raise
        if "mask" in reply.tensors and "episodes" in reply.tensors:
            self.actors, self.mask = reply.tensors["actors"], reply.tensors["mask"]
        return reply

    def request(self, op: str, frame: Any = None, /, **args: Any) -> Reply:
        """As :meth:`Client.request`."""
        return with_retry(op, lambda: self.receive(self.send(op, frame, **args)))

    def _lost(self) -> BatchLost:
        uptime = self.client.stats()["uptime"]
        restarted = uptime < time.monotonic() - self._made
        why = (
            f"the server was restarted {uptime:.0f} s ago"
            if restarted
            else f"it was closed by another client, or unused for its lease of {self.lease:g} s"
        )
        return BatchLost(
            "unknown-batch",
            f"the batch is lost: {why}. Make it again with the same arguments and reset() it; load(save) restores it",
        )

    def reset(
        self,
        seed: int | str | None = None,
        seeds: Sequence[int | str] | None = None,
        which: Iterable[int] | None = None,
        positions: Sequence[Mapping[str, Any]] | None = None,
    ) -> Tensors:
        """Starts new episodes.

        Args:
            seed: one seed for all of them (environment i then gets ``seed/i/0``, ``seed/i/1``, ...).
            seeds: or one seed per environment, used as they are.
            which: environments to reset; default all.
            positions: documents to start from (privileged batches).
        """
        return self.receive(self.send_reset(seed, seeds, which, positions)).tensors

    def send_reset(
        self,
        seed: int | str | None = None,
        seeds: Sequence[int | str] | None = None,
        which: Iterable[int] | None = None,
        positions: Sequence[Mapping[str, Any]] | None = None,
    ) -> int:
        """Sends the request of :meth:`reset`. Returns its id, for :meth:`receive`."""
        if which is None:
            self.interrupted = False
        return self.send(
            "reset",
            seed=seed_of(seed),
            seeds=seeds_of(seeds),
            which=rows_of(which),
            positions=documents("positions", positions),
        )

    def step(self, actions: Any) -> Tensors:
        """Plays one action per environment, int ``[B]``. After an ``illegal-action`` error no environment has moved.

        Raises:
            KesselError: ``not-reset`` after a step that was interrupted (such as by Ctrl-C) before its result arrived.
        """
        return self.stepped(lambda: self.receive(self.send_step(actions)).tensors)

    def stepped(self, step: Callable[[], Result]) -> Result:
        """Calls a function that sends a step and receives its result. If it is interrupted, nobody knows whether the
        environments have moved, so steps are refused until :meth:`reset` or :meth:`load`."""
        try:
            return step()
        except Exception:
            raise
        except BaseException:
            self.interrupted = True
            raise

    def send_step(self, actions: Any) -> int:
        if self.interrupted:
            raise KesselError(
                "not-reset",
                "a step was interrupted before its result came, and may have been carried out: reset, or load",
            )
        return self.send("step", actions_of(actions, self.size))

    def send_some(self, actions: Any, which: Any) -> int:
        """For a batch made with ``ready``: sends actions int ``[n]`` for the environments ``which``, int ``[n]``, of
        earlier replies."""
        environments = actions_of(which, what="environments")
        count = len(environments)
        data = np.empty(2 * count, INT32)
        data[:count] = environments
        data[count:] = actions_of(actions, count)
        return self.send("step", data)

    def save(self, which: Iterable[int] | None = None) -> np.ndarray:
        """Complete states, int32 ``[K, words]`` (privileged batches)."""
        return self.request("save", which=rows_of(which)).tensors["states"]

    def load(self, states: np.ndarray, which: Iterable[int] | None = None) -> Tensors:
        """Restores saved states (privileged batches).

        If one message can't hold all states (``hello["limits"]["messageBytes"]``), the client sends several. After an error
        of a later message the states of the earlier ones are loaded.
        """
        data, rows = states_of(states), rows_of(which)
        if rows is None:
            self.interrupted = False
        most = max(1, self.client.hello["limits"]["messageBytes"] // max(1, data[:1].nbytes))
        if len(data) <= most or (rows is None and len(data) != self.size) or (rows and len(rows) != len(data)):
            return self.request("load", data, which=rows).tensors
        into = list(range(self.size)) if rows is None else rows
        for at in range(0, len(data), most):
            tensors = self.request("load", data[at : at + most], which=into[at : at + most]).tensors
        return tensors

    def clone(
        self, source: Iterable[int], target: Iterable[int], *, nodes: bool = False, reseed: int | str | None = None
    ) -> Tensors:
        """Copies states between environments (privileged batches).

        Args:
            source: environments, or with ``nodes`` nodes.
            target: environments, the same number.
            reseed: seed for new dice; by default a copy throws the same dice as its original.
        """
        rows = rows_of(source, "source", needed=True)
        into = rows_of(target, "target", needed=True)
        if rows is None or into is None or len(rows) != len(into):
            raise BadInput("bad-option", "source and target are of one length")
        return self.request(
            "clone",
            **{"from": rows, "to": into},
            nodes=flag("nodes", nodes) or None,
            seed=seed_of(reseed, "reseed"),
        ).tensors

    def expand(
        self,
        source: Any,
        target: Any,
        actions: Any = None,
        *,
        environments: bool = False,
        resample: bool = False,
        reseed: int | str | None = None,
        tensors: Sequence[str] | None = None,
    ) -> Tensors:
        """Plays from nodes into nodes, n at once; no environment moves. For batches made with ``nodes=N``.

        A node is a situation that the server keeps beside the environments, numbered 0 to N - 1; it has all seats and no
        agents. All sources are read before any target is written.

        Args:
            source: int ``[n]``: nodes, or with ``environments`` environments.
            target: int ``[n]``: the node that each situation goes to, -1 to keep none.
            actions: int ``[n]``, -1 for none: then the situation itself is copied. Default: none in any row.
            environments: starts from environments. That needs a privileged batch, unless ``resample`` is set.
            resample: replaces everything that the source's actor cannot know by a random sample, dice too; needs
                ``reseed``.
            reseed: seed for new dice of each row. By default every row throws the dice that its source would have
                thrown, the same ones each time.
            tensors: names of the tensors in the reply; fewer are faster. Default: all.

        Returns:
            ``globals``, ``map``, ``units``, ``decision`` as the actor sees them, ``mask``, ``actors`` (-1: over),
            ``rewards`` ``[n, players]``, ``terminated``; with ``resample`` ``exact``; of a batch made with ``net=``
            ``policy`` float32 ``[n, A]``, probabilities of the legal actions, and ``value`` float32 ``[n]``, the return
            that the actor can expect, 0 at the end.

        Raises:
            KesselError: ``illegal-action``, ``bad-action``, ``bad-option``, ``not-reset``, ``not-privileged``; then no node
                has changed.
        """
        return self.receive(
            self.send_expand(
                source,
                target,
                actions,
                environments=environments,
                resample=resample,
                reseed=reseed,
                tensors=tensors,
            )
        ).tensors

    def send_expand(
        self,
        source: Any,
        target: Any,
        actions: Any = None,
        *,
        environments: bool = False,
        resample: bool = False,
        reseed: int | str | None = None,
        tensors: Sequence[str] | None = None,
    ) -> int:
        """Sends the request of :meth:`expand`. Returns its id, for :meth:`receive`."""
        rows, into = actions_of(source, what="source"), actions_of(target, what="target")
        count = len(rows)
        if count == 0 or len(into) != count:
            raise BadInput(
                "bad-option", f"source and target are of one length, not {count} and {len(into)}, and not empty"
            )
        data = np.empty((3, count), INT32)
        data[0] = rows
        data[1] = into
        data[2] = -1 if actions is None else actions_of(actions, count)
        return self.send(
            "expand",
            data,
            environments=flag("environments", environments) or None,
            resample=flag("resample", resample) or None,
            seed=seed_of(reseed, "reseed"),
            tensors=names("tensors", tensors),
        )

    def playout(
        self,
        nodes: Iterable[int],
        *,
        policy: str = "random",
        depth: int | None = None,
        seed: int | str | None = None,
    ) -> Tensors:
        """Plays copies of nodes to the end of the game. The nodes do not change.

        Args:
            nodes: of a batch made with ``nodes=N``.
            policy: the agent that decides for all players: ``random``, ``heuristic:NAME``, ``onnx:FILE`` of a model
                that comes with Kessel, or a short name.
            depth: decisions after which a game is cut off; default: no limit.
            seed: of dice and policy; default: the server draws one.

        Returns:
            ``returns`` float32 ``[n, players]``, for games that were cut off the estimate of the batch's net, or 0 without
            one; ``terminated`` uint8 ``[n]``; ``decisions`` int32 ``[n]``; ``actions`` int32 ``[n]``, what the policy chose
            first (-1: over). With ``depth=1`` that is what an agent would do.
        """
        given = checked({"policy": policy, "depth": depth})
        return self.request("playout", nodes=rows_of(nodes, "nodes", needed=True), seed=seed_of(seed), **given).tensors

    def resample(self, seed: int | str, which: Iterable[int] | None = None) -> np.ndarray:
        """States consistent with what the acting player of each environment knows, with fresh random streams; as
        ``save``."""
        return self.request("resample", seed=seed_of(seed), which=rows_of(which)).tensors["states"]

    def legal(self, which: Iterable[int] | None = None) -> list[list[str]]:
        """Names of the legal actions of each environment."""
        names: list[list[str]] = self.request("legal", which=rows_of(which)).header["legal"]
        return names

    def orders(self, env: int = 0, unit: str | None = None, order: str | None = None) -> dict[str, Any]:
        """Orders that the acting player of one environment can give. An order plays several actions.

        Args:
            env: the environment.
            unit: a unit by its name; ``ways`` then has the places where an order can send it.
            order: an order in words, such as ``move G3 to 0412`` or ``buy truck x6``; ``expansion`` then holds its
                actions, to be stepped one by one.

        Returns:
            ``forms``, a list of ``{"form", "says", "units"}``; ``ways``, a list of ``{"place", "cost", "path",
            "warning", "stopping", "calm", "order"}``; ``expansion``, ``{"actions": [int, ...], "stopped": str or None,
            "skipped": [str, ...]}``.

        Raises:
            KesselError: ``bad-action`` when the unit or the order is not possible now; the message says what is.
        """
        header = self.request("orders", **checked({"env": env, "unit": unit, "order": order})).header
        return {key: header[key] for key in ("forms", "ways", "expansion") if key in header}

    def observe(self, seat: str, which: Iterable[int] | None = None) -> Tensors:
        """The four observation tensors as one of the caller's seats (or ``spectator``) sees them now, ``[K, ...]``."""
        return self.request("observe", which=rows_of(which), **checked({"seat": word("seat", seat)})).tensors

    def position(
        self, which: Iterable[int] | None = None, seat: str | None = None, whole: bool = False
    ) -> list[dict[str, Any]]:
        """Position documents as ``seat`` (default: the acting player) sees them, or complete ones (privileged
        batches)."""
        documents: list[dict[str, Any]] = self.request(
            "position", which=rows_of(which), **checked({"seat": seat, "whole": whole})
        ).header["positions"]
        return documents

    def render(self, env: int = 0, seat: str | None = None) -> str:
        """The board of one environment as text, as ``seat`` (default: the acting player) sees it."""
        text: str = self.request("render", **checked({"env": env, "seat": seat})).header["text"]
        return text

    def svg(self, env: int = 0, seat: str | None = None, width: int | None = None) -> str:
        """The board of one environment as an SVG document, ``width`` px wide (320 to 1920, default 960), as ``seat``
        sees it."""
        given = checked({"env": env, "seat": seat, "width": width})
        text: str = self.request("render", format="svg", **given).header["text"]
        return text

    def pixels(self, env: int = 0, seat: str | None = None, width: int | None = None) -> np.ndarray:
        """The same as uint8 ``[H, W, 3]``: W is ``width``, H three quarters of it whatever is drawn."""
        given = checked({"env": env, "seat": seat, "width": width})
        return self.request("render", format="rgb", **given).tensors["pixels"]

    def outcomes(
        self, env: int, action: int, samples: int | None = None, seed: int | str | None = None
    ) -> tuple[np.ndarray, np.ndarray]:
        """The possible outcomes of an action (privileged batches).

        Returns:
            states int32 ``[K, words]`` as of :meth:`save`, and their probabilities float64 ``[K]``: all of them, or
            ``samples`` random ones.
        """
        given = checked({"env": env, "action": action, "samples": samples})
        t = self.request("outcomes", seed=seed_of(seed), **given).tensors
        return t["states"], t["probabilities"]

    def replay(self, env: int = 0, last: bool = False) -> dict[str, Any]:
        """The current episode (or the one before) as a document for ``kessel games show`` (privileged, made with
        ``record``)."""
        document: dict[str, Any] = self.request("replay", **checked({"env": env, "last": last})).header["replay"]
        return document

    def seen(self, seat: str, env: int = 0, last: bool = False) -> list[dict[str, Any]]:
        """A finished episode as ``seat`` saw it: ``[{"action": ..., "view": ...}, ...]`` (batches made with
        ``record``)."""
        given = checked({"env": env, "last": last, "seat": word("seat", seat)})
        lines: list[dict[str, Any]] = self.request("replay", **given).header["lines"]
        return lines

    def close(self) -> None:
        """Frees the batch. If the server is unreachable, the batch ends with its lease."""
        if not self.closed:
            self.closed = True
            try:
                if self.client.connected:
                    self.request("close")
            except KesselError as e:
                if e.code not in ("unknown-batch", "disconnected", "closed", "no-server", "timeout"):
                    raise
