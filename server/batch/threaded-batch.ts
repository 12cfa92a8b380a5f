import {
  checkActions,
  checkRows,
  checkSeeds,
  checkSomeActions,
  type Game,
  KesselError,
  type State,
} from "../../env/index.js";
import { type BatchRequest, bytesPerEnvironment, ServedBatch } from "./served-batch.js";
import { type FrameTarget, targetAt, type FrameLocation } from "../wire/shared-memory.js";
import type { Body } from "../slice/body.js";
import type { ResetDraft } from "../slice/reset.js";
import { stateIn } from "../wire/saved-states.js";
import type { Question } from "../slice/questions.js";
import type { RequestOf } from "../wire/protocol.js";
import { shareOf, type SliceRange } from "../slice/range.js";
import type { Slow } from "../slice/seats.js";
import { checkTurns } from "../slice/ready-queue.js";
import { largestWithin, slicesOf } from "./slicing.js";
import { OffThread, RowCosts } from "./off-thread.js";
import { joinBlocks, joinBodies } from "./join-bodies.js";
import { withDice } from "../slice/slice.js";
import type { Expansion } from "../slice/nodes.js";
import { type PackedFrame, Slots } from "../wire/tensors.js";
import { type WorkResult, lostSlice, type Work } from "../threads/slice-worker.js";
import { closedWhilePlayed, type SliceHandle, type WorkerPool } from "../threads/worker-pool.js";

interface Part {
  readonly range: SliceRange;
  readonly handle: SliceHandle;
  decided: number;
}

/** Memory that threads write a frame to. */
interface FrameMemory {
  readonly where: FrameLocation;
  readonly target: FrameTarget;
}

/** Rows of one part that a request names, numbered as in the part, and their places in the request. */
interface PartRows {
  readonly part: Part;
  readonly which: number[];
  readonly places: number[];
}

/** A batch stepped by worker threads, which write frames into memory that the socket sends from. */
export class ThreadedBatch extends ServedBatch {
  private parts: Part[] = [];
  private readonly slots = new Slots<FrameMemory>((slot) => this.newFrame(slot));
  /**
   * Actions of the current step, int32 [B]; with `ready` [2, n] for each part, beginning at twice its first
   * environment.
   */
  private readonly actions = new Int32Array(
    new SharedArrayBuffer(4 * this.size * (this.request.ready === undefined ? 1 : 2)),
  );
  /** uint8 [B]: who holds each environment; used with `ready`. */
  readonly ownership = new Uint8Array(new SharedArrayBuffer(this.size));
  /** The actors and masks of all parts, so that a step is checked whole before any thread plays it. */
  readonly actors = new Int32Array(new SharedArrayBuffer(4 * this.size));
  readonly mask = new Uint8Array(new SharedArrayBuffer(this.size * this.game.actions.length));
  private readonly costs = new RowCosts();
  private readonly offThread = new OffThread(async (question) => {
    const { game, options, data } = this.request;
    const work: Work = { op: "answer-off-thread", game: { game, options }, question };
    const { body, ms } = await (data === undefined
      ? this.threads.askOffThread(this.client, work)
      : this.ask(this.parts[0]!, { op: "answer", question }));
    return { body: body!, ms };
  });
  /** Decisions taken in parts that no longer exist. */
  private decidedBefore = 0;
  private started = false;
  /** `broken` (a step failed half-way) and `lost` (a thread ended) last until a reset of all environments. */
  private state: "new" | "whole" | "broken" | "lost" = "new";
  /** It is about to be closed: its agents no longer search. */
  private interrupted = false;

  private constructor(
    game: Game,
    request: RequestOf<"make">,
    private readonly client: string,
    private readonly threads: WorkerPool,
    /** Agents for which each slice has a thread of its own. */
    private readonly slow: Slow | null,
    shares: boolean,
  ) {
    super(game, request, shares);
  }

  /**
   * @param client the connection; threads take its tasks and those of other clients in turn
   * @throws KesselError for options, seats or agents that do not fit
   */
  static async make(
    game: Game,
    request: RequestOf<"make">,
    client: string,
    threads: WorkerPool,
    slow: Slow | null,
    shares: boolean,
  ): Promise<ThreadedBatch> {
    const batch = new ThreadedBatch(game, request, client, threads, slow, shares);
    try {
      await batch.assignThreads();
    } catch (e) {
      batch.memory?.close();
      throw e;
    }
    return batch;
  }

  get decided(): number {
    return this.parts.reduce((n, p) => n + p.decided, this.decidedBefore);
  }

  free(n: number): void {
    this.slots.free(n);
  }

  async run(request: BatchRequest, data: Uint8Array | undefined): Promise<Body> {
    const whole = request.op === "reset" && (request.which?.length ?? this.size) === this.size;
    const moves = request.op === "step" || request.op === "reset" || request.op === "load" || request.op === "clone";
    if (!whole && moves && this.state === "broken")
      throw new KesselError("not-reset", "a step failed half-way; reset all environments of the batch first");
    if (!whole && this.state === "lost") throw lostSlice();
    switch (request.op) {
      case "step":
        return this.step(this.actionsIn(data));
      case "reset":
        return this.reset(request);
      case "load": {
        const { which, saved } = this.savedRows(request, data);
        await this.offThread.ask(saved);
        return this.load(which, saved.rows.map(stateIn));
      }
      case "clone": {
        this.checkClone(request);
        return this.load(request.to, await this.copies(request));
      }
      case "expand":
        return this.expand(this.expansionIn(request, data));
      case "playout":
        return this.playOut(request);
      case "orders":
      case "render":
      case "replay":
      case "outcomes": {
        checkRows([request.env], this.size);
        const { part, which } = this.split([request.env])[0]!;
        const asked = { ...request, env: which[0]! };
        // of a game with data files of one's own only its thread knows anything
        if (this.request.data !== undefined) return (await this.ask(part, { op: "ask", request: asked })).body!;
        const gathered = (await this.ask(part, { op: "gather", request: asked })).gathered!;
        return "body" in gathered ? gathered.body : this.offThread.ask(gathered.question);
      }
      default:
        return this.question(request);
    }
  }

  override interrupt(): void {
    if (this.slow === null) return;
    this.interrupted = true;
    for (const { handle } of this.parts) handle.end?.();
  }

  protected async stop(): Promise<void> {
    const { parts } = this;
    this.decidedBefore = this.decided;
    this.parts = [];
    await Promise.all(parts.map((p) => this.closePart(p)));
  }

  private step(actions: Int32Array): Promise<Body> {
    if (!this.started) throw new KesselError("not-reset", "reset the batch first");
    if (this.request.ready !== undefined) return this.stepSome(actions, this.request.ready);
    if (this.parts.length > 1) checkActions(this, actions); // all or nothing, over all slices
    this.actions.set(actions);
    return this.playAndWrite((part, { where }) => ({ op: "step", where, words: part.range.size }));
  }

  private stepSome(actions: Int32Array, ready: number): Promise<Body> {
    if (this.parts.length === 1) {
      this.actions.set(actions); // a single slice checks them itself
      return this.playAndWrite((_, { where }) => ({ op: "step", where, words: actions.length }));
    }
    const n = actions.length / 2;
    const which = actions.subarray(0, n);
    checkTurns(
      this.ownership,
      which,
      this.parts.map((p) => p.range),
      ready,
    );
    checkSomeActions(this, which, actions.subarray(n));
    return this.playAndWrite(({ range: { first, size } }, { where }) => {
      let at = 2 * first;
      for (let k = 0; k < n; k++)
        if (which[k]! >= first && which[k]! < first + size) this.actions[at++] = which[k]! - first;
      for (let k = 0; k < n; k++)
        if (which[k]! >= first && which[k]! < first + size) this.actions[at++] = actions[n + k]!;
      return { op: "step", where, words: at - 2 * first };
    });
  }

  private async reset(request: RequestOf<"reset">): Promise<Body> {
    const { documents, plan } = this.resetDraft(request);
    const given = documents === null ? null : await this.statesOf(documents);
    const { which, seeds, states, root } = plan(given);
    const { list, base } = checkSeeds(seeds, which?.length ?? this.size);
    if (!this.started && which !== undefined && which.length < this.size)
      throw new KesselError("not-reset", "the first reset must include every environment");
    if (this.state === "lost") await this.assignThreads();
    const rows = this.split(which);
    return this.playAndWrite((part, { where }) => {
      const { which: own, places } = rows.find((r) => r.part === part) ?? NONE;
      const slice = {
        which: own,
        seeds: list === null ? base : places.map((k) => list[k]!),
        states: states === null ? null : places.map((k) => states[k]!),
        root,
      };
      return { op: "reset", plan: slice, where };
    }, true);
  }

  private load(which: readonly number[], states: readonly State[]): Promise<Body> {
    if (!this.started) throw new KesselError("not-reset", "reset the batch first");
    const rows = this.split(which);
    return this.playAndWrite((part, { where }) => {
      const { which: own, places } = rows.find((r) => r.part === part) ?? NONE;
      return { op: "load", rows: own, states: places.map((k) => states[k]!), where };
    });
  }

  /** Has every part move its environments and write its rows of a frame. */
  private async playAndWrite(work: (part: Part, shared: FrameMemory) => Work, whole = false): Promise<Body> {
    const { slot, memory: shared } = this.slots.take();
    const results = await Promise.allSettled(this.parts.map((p) => this.ask(p, work(p, shared))));
    const failed = results.find((r) => r.status === "rejected");
    if (failed !== undefined) {
      if (slot !== undefined) this.slots.free(slot);
      if (this.state !== "lost" && this.parts.length > 1) this.state = "broken"; // a single slice keeps track itself
      throw failed.reason;
    }
    if (whole) this.state = "whole";
    this.started = true;
    return {
      packed: this.shape.finish(
        shared.target,
        results.map((r) => (r as PromiseFulfilledResult<WorkResult>).value.ended!),
        slot,
      ),
    };
  }

  /** Asks the parts that have the rows of a request, and joins their answers. */
  private async question(request: Exclude<Question, { env: number }>): Promise<Body> {
    if (request.which !== undefined) checkRows(request.which, this.size);
    const { ready } = this.request;
    const shares = request.which === undefined && ready !== undefined;
    const rows = shares ? this.shares(ready) : this.split(request.which);
    const pieces = await Promise.all(rows.map((r) => this.askRows(r, request)));
    const answers = pieces.flat();
    return joinBodies(
      answers.map((a) => a.body),
      answers.map((a) => a.places),
      request.which?.length ?? ready ?? this.size,
    );
  }

  /** Asks a part for its rows; in pieces, so that other connections have their turns, where that may take long. */
  private async askRows(
    { part, which, places }: Omit<PartRows, "which"> & { which?: number[] },
    request: Exclude<Question, { env: number }>,
  ): Promise<{ body: Body; places: readonly number[] }[]> {
    const { op } = request;
    const long = which !== undefined && (op === "resample" || op === "position");
    const answers: { body: Body; places: readonly number[] }[] = [];
    for (let from = 0; answers.length === 0 || from < places.length;) {
      const to = long ? Math.min(places.length, from + this.costs.piece(op)) : places.length;
      const asked = { ...request, which: which?.slice(from, to) };
      const { body, ms } = await this.ask(part, { op: "ask", request: asked });
      if (long) this.costs.note(op, to - from, ms);
      answers.push({ body: body!, places: places.slice(from, to) });
      from = to;
    }
    return answers;
  }

  /** States of position documents. @throws KesselError `bad-position` */
  private async statesOf(documents: NonNullable<ResetDraft["documents"]>): Promise<readonly State[]> {
    return (await this.offThread.ask({ what: "read", ...documents }))["states"] as State[];
  }

  /** The states that a clone copies from. */
  private async copies({ from, nodes, seed }: RequestOf<"clone">): Promise<readonly State[]> {
    const rows = [...new Set(from)];
    const states = new Array<State>(rows.length);
    const shares =
      nodes === true ? [{ part: this.parts[0]!, which: rows, places: rows.map((_, k) => k) }] : this.split(rows);
    await Promise.all(
      shares.map(async ({ part, which, places }) => {
        const copied = (await this.ask(part, { op: "copy", rows: which, nodes: nodes === true })).states!;
        places.forEach((place, k) => (states[place] = copied[k]!));
      }),
    );
    const at = new Map(rows.map((row, k) => [row, k]));
    return withDice(
      from.map((row) => states[at.get(row)!]!.slice()),
      seed,
    );
  }

  /** Its nodes are on the one thread that the batch has. */
  private async expand(expansion: Expansion): Promise<Body> {
    const { layout } = expansion;
    const fits = layout.bytes <= this.shape.capacity;
    const { slot, memory } = fits ? this.slots.take() : { slot: undefined, memory: sharedFrame(layout.bytes) };
    try {
      await this.ask(this.parts[0]!, { op: "expand", expansion, where: memory.where });
    } catch (e) {
      if (slot !== undefined) this.slots.free(slot);
      throw e;
    }
    const data = memory.target.sent(layout.bytes);
    return { packed: { tensors: layout.entries, data, slot, ...(slot !== undefined && { kept: true }) } };
  }

  private async playOut(request: RequestOf<"playout">): Promise<Body> {
    const frames: PackedFrame[] = [];
    for (const { request: block, seed } of this.playoutBlocks(request))
      frames.push((await this.ask(this.parts[0]!, { op: "playout", request: block, seed })).body!.packed!);
    return joinBlocks(frames);
  }

  private async ask(part: Part, work: Work): Promise<WorkResult> {
    try {
      const done = await part.handle.ask(this.client, work);
      part.decided = done.decided;
      return done;
    } catch (e) {
      if (e instanceof KesselError && e.code === "batch-lost") this.state = "lost";
      throw e;
    }
  }

  /** How the batch is cut for the threads that it may have. @throws KesselError `limit` */
  private ranges(): SliceRange[] {
    const { request, game, slow, threads, client } = this;
    const cut = {
      size: this.size,
      ready: request.ready,
      bytes: this.size * bytesPerEnvironment(game, request),
      agents: this.external.length < game.players.length,
      ownThreads: slow !== null,
      whole: request.nodes !== undefined,
    };
    const count = threads.countFor(slow);
    const ranges = slicesOf(cut, count);
    if (slow !== null) threads.checkOwn(client, ranges.length, (left) => largestWithin(left, cut, count));
    return ranges;
  }

  /** Cuts the batch into parts and makes each on a thread. */
  private async assignThreads(): Promise<void> {
    await this.stop();
    if (this.interrupted) throw closedWhilePlayed();
    for (const range of this.ranges()) {
      const { slow, threads } = this;
      const handle = slow !== null ? threads.assignOwn(this.client, slow) : threads.assign(range.size);
      this.parts.push({ range, handle, decided: 0 });
    }
    const buffer = (a: Int32Array | Uint8Array): SharedArrayBuffer => a.buffer as SharedArrayBuffer;
    const shared = {
      actions: buffer(this.actions),
      ownership: buffer(this.ownership),
      actors: buffer(this.actors),
      mask: buffer(this.mask),
    };
    const made = await Promise.allSettled(
      this.parts.map((p) =>
        p.handle.ask(this.client, { op: "make", request: this.request, range: p.range, ...shared }),
      ),
    );
    const failed = made.find((r) => r.status === "rejected");
    if (failed === undefined) return;
    await this.stop();
    throw failed.reason;
  }

  private async closePart(part: Part): Promise<void> {
    part.handle.leave();
    if (part.handle.end !== undefined) return; // its thread has ended
    await part.handle.ask(this.client, { op: "close" }).catch((e: unknown) => {
      if (!(e instanceof KesselError)) throw e; // a thread that has ended has nothing left to close
    });
  }

  /** Splits rows of the batch by part. */
  private split(which: readonly number[] | undefined): PartRows[] {
    const { parts } = this;
    const rows = parts.map((part): PartRows => ({ part, which: [], places: [] }));
    const step = parts[0]!.range.size;
    const add = (row: number, place: number): void => {
      const { part, which: own, places } = rows[Math.floor(row / step)]!;
      own.push(row - part.range.first);
      places.push(place);
    };
    if (which === undefined) for (let i = 0; i < this.size; i++) add(i, i);
    else which.forEach(add);
    return rows.filter((r) => r.which.length > 0);
  }

  /** Places in the last reply, by the part that filled them. */
  private shares(ready: number): (Omit<PartRows, "which"> & { which?: never })[] {
    return this.parts.map((part) => {
      const { row, count } = shareOf(part.range, ready);
      return { part, places: Array.from({ length: count }, (_, k) => row + k) };
    });
  }

  private newFrame(slot: number | undefined): FrameMemory {
    const where = slot === undefined ? null : (this.memory?.where(slot) ?? null);
    return where === null ? sharedFrame(this.shape.capacity) : { where, target: targetAt(where) };
  }
}

function sharedFrame(bytes: number): FrameMemory {
  const where = { memory: new SharedArrayBuffer(bytes) };
  return { where, target: targetAt(where) };
}

const NONE = { which: [] as number[], places: [] as number[] };
