import {
  BLOCK_ROWS,
  checkActions,
  checkRows,
  checkSeeds,
  checkSomeActions,
  type Game,
  KesselError,
  type State,
} from "../../env/index.js";
import { type BatchRequest, bytesPerEnvironment, HostedBatch } from "./served-batch.js";
import { type Target, targetAt, type Where } from "../wire/shared-memory.js";
import type { Body, Question } from "../slice/questions.js";
import type { RequestOf } from "../wire/protocol.js";
import { checkTurns, shareOf } from "../slice/ready-queue.js";
import { BLOCK, type Place } from "../slice/slice.js";
import { rawStates } from "../wire/saved-states.js";
import { asInt32, joinRows, Slots } from "../wire/tensors.js";
import { type Done, lostSlice, type Work } from "../threads/slice-worker.js";
import type { Desk, Threads } from "../threads/worker-pool.js";

/** Environments, or without agents bytes, from which on a batch is cut into slices for all threads. */
const SLICED = 512;
const HEAVY = 4 * 1024 * 1024;
/** Environments of a reply from which on several threads share in it. */
const SHARED = 64;
/** Most environments of a slice: while it is stepped, other clients of its thread wait. */
const LARGEST = 1024;

interface Part {
  readonly place: Place;
  readonly desk: Desk;
  decided: number;
}

/** What threads write a frame to. */
interface Shared {
  readonly where: Where;
  readonly target: Target;
}

/** Rows of one part that a request names, and their places in the request. */
interface Rows {
  readonly part: Part;
  readonly which: number[];
  readonly places: number[];
}

/**
 * How a batch is cut: in multiples of the blocks that agents' streams are made for, or without agents of those that are
 * written in one go; large ones over all threads.
 *
 * @param ready environments of a reply, if it doesn't hold all; with few, cutting saves nothing
 */
export function slicesOf(
  { size, ready = size, bytes, agents }: { size: number; ready?: number | undefined; bytes: number; agents: boolean },
  threads: number,
): Place[] {
  const large = size >= SLICED || (!agents && bytes >= HEAVY);
  const wanted = large && ready >= SHARED ? Math.max(threads, Math.ceil(size / LARGEST)) : 1;
  const block = agents ? BLOCK : BLOCK_ROWS;
  const step = block * Math.max(1, Math.ceil(size / wanted / block));
  return Array.from({ length: Math.ceil(size / step) }, (_, k) => ({
    first: k * step,
    size: Math.min(step, size - k * step),
    of: size,
  }));
}

/** A batch whose environments are stepped by worker threads, which write frames into memory that the socket sends from. */
export class RemoteBatch extends HostedBatch {
  private parts: readonly Part[] = [];
  private readonly slots = new Slots<Shared>((slot) => this.newFrame(slot));
  /** int32 [B] of the step that is played; where replies hold some environments, [2, n] for each part, from twice its first on. */
  private readonly actions = new Int32Array(
    new SharedArrayBuffer(4 * this.size * (this.request.ready === undefined ? 1 : 2)),
  );
  /** Whose turn it is, where replies hold some environments. */
  readonly whose = new Uint8Array(new SharedArrayBuffer(this.size));
  /** Who may do what, which decides whether a step is legal before any thread begins with it. */
  readonly actors = new Int32Array(new SharedArrayBuffer(4 * this.size));
  readonly mask = new Uint8Array(new SharedArrayBuffer(this.size * this.game.actions.length));
  private started = false;
  /** `broken`: a step failed half-way; `lost`: a thread ended. Until a reset of all. */
  private state: "new" | "whole" | "broken" | "lost" = "new";

  private constructor(
    game: Game,
    request: RequestOf<"make">,
    private readonly client: string,
    private readonly threads: Threads,
    shares: boolean,
  ) {
    super(game, request, shares);
  }

  /**
   * @param client whose turn the batch's work takes
   * @throws KesselError for options, seats or agents that do not fit
   */
  static async make(
    game: Game,
    request: RequestOf<"make">,
    client: string,
    threads: Threads,
    shares: boolean,
  ): Promise<RemoteBatch> {
    const batch = new RemoteBatch(game, request, client, threads, shares);
    try {
      await batch.settle();
    } catch (e) {
      batch.memory?.close();
      throw e;
    }
    return batch;
  }

  get decided(): number {
    return this.parts.reduce((n, p) => n + p.decided, 0);
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
        const { rows, states } = this.situations(request, data);
        return this.load(rows, states);
      }
      case "clone": {
        this.checkClone(request);
        const { packed } = await this.question({
          op: "save",
          id: 0,
          batch: this.token,
          which: [...new Set(request.from)],
        });
        const states = rawStates(this.game, asInt32(packed!.data!)!);
        const at = new Map([...new Set(request.from)].map((row, k) => [row, k]));
        return this.load(
          request.to,
          request.from.map((row) => states[at.get(row)!]!),
        );
      }
      case "render":
      case "replay":
      case "outcomes": {
        checkRows([request.env], this.size);
        const { part, which } = this.split([request.env])[0]!;
        return (await this.ask(part, { op: "ask", request: { ...request, env: which[0]! } })).body!;
      }
      default:
        return this.question(request);
    }
  }

  protected async stop(): Promise<void> {
    await Promise.all(this.parts.map((p) => this.leave(p)));
  }

  private step(actions: Int32Array): Promise<Body> {
    if (!this.started) throw new KesselError("not-reset", "reset the batch first");
    if (this.request.ready !== undefined) return this.stepSome(actions, this.request.ready);
    if (this.parts.length > 1) checkActions(this, actions); // all or nothing, over all slices
    this.actions.set(actions);
    return this.show((part, { where }) => ({ op: "step", where, words: part.place.size }));
  }

  private stepSome(actions: Int32Array, ready: number): Promise<Body> {
    const n = actions.length / 2;
    const which = actions.subarray(0, n);
    if (this.parts.length > 1) {
      checkTurns(
        this.whose,
        which,
        this.parts.map((p) => p.place),
        ready,
      );
      checkSomeActions(this, which, actions.subarray(n));
    }
    return this.show(({ place: { first, size } }, { where }) => {
      let at = 2 * first;
      for (let k = 0; k < n; k++)
        if (which[k]! >= first && which[k]! < first + size) this.actions[at++] = which[k]! - first;
      for (let k = 0; k < n; k++)
        if (which[k]! >= first && which[k]! < first + size) this.actions[at++] = actions[n + k]!;
      return { op: "step", where, words: at - 2 * first };
    });
  }

  private async reset(request: RequestOf<"reset">): Promise<Body> {
    const opening = this.opening(request);
    const { which, seeds, states, root } = opening;
    const { list, base } = checkSeeds(seeds, which?.length ?? this.size);
    if (!this.started && which !== undefined && which.length < this.size)
      throw new KesselError("not-reset", "the first reset is of all environments");
    if (this.state === "lost") await this.settle();
    const rows = this.split(which);
    return this.show((part, { where }) => {
      const { which: own, places } = rows.find((r) => r.part === part) ?? NONE;
      const slice = {
        which: own,
        seeds: list === null ? base : places.map((k) => list[k]!),
        states: states === null ? null : places.map((k) => states[k]!),
        root,
      };
      return { op: "open", opening: slice, where };
    }, true);
  }

  private load(which: readonly number[], states: readonly State[]): Promise<Body> {
    if (!this.started) throw new KesselError("not-reset", "reset the batch first");
    const rows = this.split(which);
    return this.show((part, { where }) => {
      const { which: own, places } = rows.find((r) => r.part === part) ?? NONE;
      return { op: "load", rows: own, states: places.map((k) => states[k]!), where };
    });
  }

  /** Has every part do its share and write its rows of a frame. */
  private async show(work: (part: Part, shared: Shared) => Work, whole = false): Promise<Body> {
    const { slot, memory: shared } = this.slots.take();
    const results = await Promise.allSettled(this.parts.map((p) => this.ask(p, work(p, shared))));
    const failed = results.find((r) => r.status === "rejected");
    if (failed !== undefined) {
      if (slot !== undefined) this.slots.free(slot);
      if (this.state !== "lost" && this.parts.length > 1) this.state = "broken"; // a slice by itself knows whether it is
      throw failed.reason;
    }
    if (whole) this.state = "whole";
    this.started = true;
    return {
      packed: this.shape.finish(
        shared.target,
        results.map((r) => (r as PromiseFulfilledResult<Done>).value.ended!),
        slot,
      ),
    };
  }

  /** Asks the parts that have the rows of a request, and puts their answers together. */
  private async question(request: Exclude<Question, { env: number }>): Promise<Body> {
    if (request.which !== undefined) checkRows(request.which, this.size);
    const { ready } = this.request;
    const rows = request.which === undefined && ready !== undefined ? this.shares(ready) : this.split(request.which);
    const answers = await Promise.all(
      rows.map(async ({ part, which }) => (await this.ask(part, { op: "ask", request: { ...request, which } })).body!),
    );
    if (answers.length === 1) return answers[0]!;
    const count = request.which?.length ?? ready ?? this.size;
    const body: Body = { ...answers[0]! };
    for (const [key, value] of Object.entries(body)) {
      if (!Array.isArray(value)) continue;
      const all = new Array<unknown>(count);
      rows.forEach(({ places }, a) => places.forEach((place, k) => (all[place] = (answers[a]![key] as unknown[])[k])));
      body[key] = all;
    }
    if (body.packed !== undefined)
      body.packed = joinRows(
        answers.map((a) => a.packed!),
        rows.map((r) => r.places),
        count,
      );
    return body;
  }

  private async ask(part: Part, work: Work): Promise<Done> {
    try {
      const done = await part.desk.ask(this.client, work);
      part.decided = done.decided;
      return done;
    } catch (e) {
      if (e instanceof KesselError && e.code === "batch-lost") this.state = "lost";
      throw e;
    }
  }

  /** Finds threads for all environments. */
  private async settle(): Promise<void> {
    await this.stop();
    const { size, ready } = this.request;
    const agents = this.external.length < this.game.players.length;
    const places = slicesOf(
      { size, ready, bytes: size * bytesPerEnvironment(this.game, this.request), agents },
      this.threads.count,
    );
    this.parts = places.map((place) => ({ place, desk: this.threads.seat(place.size), decided: 0 }));
    const buffer = (a: Int32Array | Uint8Array): SharedArrayBuffer => a.buffer as SharedArrayBuffer;
    const shared = {
      actions: buffer(this.actions),
      whose: buffer(this.whose),
      actors: buffer(this.actors),
      mask: buffer(this.mask),
    };
    const made = await Promise.allSettled(
      this.parts.map((p) => p.desk.ask(this.client, { op: "make", request: this.request, place: p.place, ...shared })),
    );
    const failed = made.find((r) => r.status === "rejected");
    if (failed === undefined) return;
    await this.stop();
    throw failed.reason;
  }

  private async leave(part: Part): Promise<void> {
    part.desk.leave();
    await part.desk.ask(this.client, { op: "close" }).catch((e: unknown) => {
      if (!(e instanceof KesselError)) throw e; // a thread that has ended keeps nothing
    });
  }

  /** Rows by the part that has them, as it numbers them. */
  private split(which: readonly number[] | undefined): Rows[] {
    const { parts } = this;
    const rows = parts.map((part): Rows => ({ part, which: [], places: [] }));
    const step = parts[0]!.place.size;
    const add = (row: number, place: number): void => {
      const { part, which: own, places } = rows[Math.floor(row / step)]!;
      own.push(row - part.place.first);
      places.push(place);
    };
    if (which === undefined) for (let i = 0; i < this.size; i++) add(i, i);
    else which.forEach(add);
    return rows.filter((r) => r.which.length > 0);
  }

  /** The rows of the last reply, by the part that filled them. */
  private shares(ready: number): (Omit<Rows, "which"> & { which?: never })[] {
    return this.parts.map((part) => {
      const { row, count } = shareOf(part.place, ready);
      return { part, places: Array.from({ length: count }, (_, k) => row + k) };
    });
  }

  private newFrame(slot: number | undefined): Shared {
    const where = (slot === undefined ? null : this.memory?.where(slot)) ?? {
      memory: new SharedArrayBuffer(this.shape.capacity),
    };
    return { where, target: targetAt(where) };
  }
}

const NONE = { which: [] as number[], places: [] as number[] };
