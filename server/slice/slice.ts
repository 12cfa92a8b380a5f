import { createHash, randomUUID } from "node:crypto";
import { type Agent, type AgentContext } from "../../agents/agent.js";
import { SeatedBatch } from "../../agents/seats.js";
import {
  Batch,
  checkRows,
  type Game,
  KesselError,
  observationRows,
  oneOf,
  Rng,
  shown,
  SPECTATOR,
  type State,
  type Viewer,
} from "../../env/index.js";
import type { Opening } from "./reset.js";
import type { RequestOf } from "../wire/protocol.js";
import { type Candidate, externalOf, type Seat, seatsFrom } from "./seats.js";
import { checkHeld, ReadyQueue, shareOf } from "./ready-queue.js";
import { RowWriter, SomeWriter } from "./frame-writers.js";
import { FrameShape, type Packed } from "../wire/tensors.js";

/** By block, player, candidate of the seat. */
type Agents = (readonly (readonly Agent[])[])[];

export type AgentFactory = (name: string, context: AgentContext) => Promise<Agent>;

/** Environments that agents' streams are made for at a time. Slices of a batch with agents begin at multiples of it. */
export const BLOCK = 256;

/** Where a slice lies: its first environment, how many it has, and how many the whole batch has. */
export interface Place {
  readonly first: number;
  readonly size: number;
  readonly of: number;
}

/**
 * Environments of a batch, all or some, and the agents in their seats. What they do doesn't depend on how the batch is
 * sliced: agents have a stream for each block of `BLOCK` environments. Environments are named by their row in the slice;
 * messages name them as the batch does.
 */
export class Slice {
  readonly batch: Batch;
  readonly shape: FrameShape;
  readonly writer: RowWriter | SomeWriter;
  /** Which environments a reply holds, where it isn't all of them. */
  private readonly ready: ReadyQueue | null;
  readonly seats: readonly Seat[];
  private agents: Agents = [];
  private seated: SeatedBatch | null = null;
  private readonly opponents: Int32Array | null;
  readonly hasAgents: boolean;
  /** An agent or the engine failed in the middle of a step. */
  private broken = false;

  private constructor(
    readonly game: Game,
    readonly request: RequestOf<"make">,
    readonly place: Place,
    private readonly factory: AgentFactory,
    private readonly models: string | undefined,
    shared: boolean,
    whose: Uint8Array | undefined,
  ) {
    const { autoreset, skipForced, maxDecisions, record } = request;
    const { first, size } = place;
    this.seats = seatsFrom(game, request.seats);
    this.batch = new Batch(game, {
      deferObservations: true, // the writer has them written where the reply is sent from
      size,
      first,
      shared,
      players: this.seats.flatMap((seat, p) => (seat === null ? [p] : [])),
      ...(autoreset && { autoreset }),
      ...(skipForced !== undefined && { skipForced }),
      ...(maxDecisions && { maxDecisions }),
      ...(record && { record }),
    });
    this.hasAgents = this.seats.some((s) => s !== null);
    this.opponents = hasPools(this.seats) ? new Int32Array(size * game.players.length).fill(-1) : null;
    this.shape = frameShape(game, request, place.of, this.seats);
    if (request.ready === undefined) {
      this.ready = null;
      this.writer = new RowWriter(this.shape, this.batch, first, this.opponents);
    } else {
      const { row, count } = shareOf(place, request.ready);
      this.ready = new ReadyQueue(this.batch, count, () => this.seated, whose ?? new Uint8Array(size));
      this.writer = new SomeWriter(this.shape, this.batch, this.ready.rows, row, first, this.opponents);
    }
  }

  /**
   * @param shared other threads read its states
   * @param whose uint8, one for each of its environments: whose turn it is, for others to read
   * @throws KesselError for options, seats or agents that do not fit
   */
  static async make(
    game: Game,
    request: RequestOf<"make">,
    place: Place,
    factory: AgentFactory,
    models?: string,
    shared = false,
    whose?: Uint8Array,
  ): Promise<Slice> {
    const slice = new Slice(game, request, place, factory, models, shared, whose);
    await slice.renewAgents(randomUUID());
    return slice;
  }

  get privileged(): boolean {
    return this.request.privileged === true;
  }

  /** How messages call environment `i`. */
  name(i: number): number {
    return this.place.first + i;
  }

  /**
   * The viewer of environment `i` that a request names: one of the client's seats, or a spectator; any seat in a
   * privileged batch. By default whoever decides, who is the client's.
   *
   * @throws KesselError `bad-seat`
   */
  viewer(i: number, seat: string | undefined): Viewer {
    if (seat === undefined) return this.batch.viewers[i]!;
    if (seat === "spectator") return SPECTATOR;
    const allowed = this.privileged ? this.game.players : externalOf(this.game, this.seats);
    if (!allowed.includes(seat))
      throw new KesselError(
        "bad-seat",
        `${shown(seat)} is no seat to look from; there are ${oneOf([...allowed, "spectator"])}`,
      );
    return this.game.players.indexOf(seat);
  }

  /**
   * Rows that a question names; by default those of the last reply, which are commonly all. What an agent decides is nobody's to look at.
   *
   * @throws KesselError `bad-option`, `bad-action`, `not-reset`
   */
  rows(which: readonly number[] | undefined): readonly number[] {
    this.checkWhole();
    const { ready } = this;
    if (which === undefined) return ready === null ? this.batch.states.map((_, i) => i) : [...ready.rows];
    checkRows(which, this.batch.size);
    if (ready !== null) checkHeld(ready.whose, which, this.place.first);
    return which;
  }

  /** Starts new episodes, and the agents' streams anew if the opening says so. */
  open({ which, seeds, states, root }: Opening): void | Promise<void> {
    const rows = which ?? this.batch.states.map((_, i) => i);
    if (rows.length < this.batch.size) this.checkWhole();
    this.broken = false;
    return this.guard(() => {
      this.batch.open(seeds, rows);
      if (states !== null) this.batch.load(rows, states);
      const begin = (): void | Promise<void> => (this.ready === null ? this.finish() : this.ready.restart());
      return root !== null && this.hasAgents ? this.renewAgents(root).then(begin) : begin();
    });
  }

  /** `step` without agents, block by block: see `Batch.stepBlocks`. */
  stepBlocks(actions: Int32Array, moved: (end: number) => void): void {
    this.checkWhole();
    void this.guard(() => this.batch.stepBlocks(actions, moved));
  }

  /** @param actions int32 [B], or where replies hold some environments [2, n]: which, then the actions */
  step(actions: Int32Array): void | Promise<void> {
    this.checkWhole();
    const { ready } = this;
    return this.guard(() => {
      if (ready !== null) return ready.step(actions);
      this.batch.begin(actions);
      return this.finish();
    });
  }

  /** Puts situations into environments; agents then play on from them. */
  load(which: readonly number[], states: readonly State[]): void | Promise<void> {
    this.checkWhole();
    return this.guard(() => {
      this.batch.load(which, states);
      return this.finish();
    });
  }

  /** A viewer's observation of some environments, as a frame. */
  observe(rows: readonly number[], seat: string): Packed {
    const { all, rows: views } = observationRows(this.game, rows.length);
    rows.forEach((i, k) => this.game.observe(this.batch.states[i]!, this.viewer(i, seat), views[k]!));
    return this.shape.pack(all, rows.length);
  }

  async close(): Promise<void> {
    const agents = this.agents;
    this.agents = [];
    await closeAll(agents);
  }

  private finish(): void | Promise<void> {
    return this.hasAgents ? this.seated!.finish() : this.batch.finish();
  }

  private async renewAgents(seed: string): Promise<void> {
    if (!this.hasAgents) return;
    const { first, size } = this.place;
    const before = this.agents;
    const agents: Agent[][][] = [];
    try {
      for (let block = first / BLOCK; block * BLOCK < first + size; block++) {
        const ofBlock: Agent[][] = this.seats.map(() => []);
        agents.push(ofBlock);
        for (const [p, seat] of this.seats.entries())
          for (const [k, c] of (seat ?? []).entries())
            ofBlock[p]!.push(await this.factory(c.agent, this.context(`${seed}/${p}/${k}/${block}`)));
      }
    } catch (e) {
      await closeAll(agents);
      throw e;
    }
    this.agents = agents;
    this.seated = new SeatedBatch(this.batch, (i) => this.draw(i));
    await closeAll(before); // afterwards: what both share stays loaded
  }

  private context(seed: string): AgentContext {
    return { game: this.game, seed: digest(seed), ...(this.models !== undefined && { models: this.models }) };
  }

  /** The agents of environment `i` for its episode: drawn from its seed, so that the episode can be repeated. */
  private draw(i: number): (Agent | null)[] {
    return this.seats.map((seat, p) => {
      if (seat === null) return null;
      const k = seat.length === 1 ? 0 : weighted(seat, new Rng(digest(`${p}/${this.batch.seedOf(i)}`)).float());
      if (this.opponents !== null) this.opponents[i * this.seats.length + p] = k;
      return this.agents[Math.floor(i / BLOCK)]![p]![k]!;
    });
  }

  private checkWhole(): void {
    if (this.broken)
      throw new KesselError("not-reset", "a step failed half-way; reset all environments of the batch first");
  }

  /** Moves environments, and remembers when that failed half-way. */
  private guard(run: () => void | Promise<void>): void | Promise<void> {
    try {
      return run()?.catch((e: unknown) => {
        this.broken = true;
        throw e;
      });
    } catch (e) {
      if (!(e instanceof KesselError)) this.broken = true; // a KesselError comes before any environment has moved
      throw e;
    }
  }
}

async function closeAll(agents: Agents): Promise<void> {
  for (const block of agents) for (const list of block) for (const a of list) await a.close?.();
}

const hasPools = (seats: readonly Seat[]): boolean => seats.some((s) => s !== null && s.length > 1);

/** The frames of a batch of `size` environments. */
export const frameShape = (game: Game, request: RequestOf<"make">, size: number, seats: readonly Seat[]): FrameShape =>
  new FrameShape(
    game,
    request.ready ?? size,
    request.dtype ?? "float32",
    hasPools(seats),
    request.autoreset === "same-step",
    request.ready !== undefined,
  );

/** Seeds made of seeds, kept short. */
export const digest = (seed: string): string => createHash("sha256").update(seed).digest("hex");

function weighted(seat: readonly Candidate[], x: number): number {
  let rest = x * seat.reduce((sum, c) => sum + c.weight, 0);
  const k = seat.findIndex((c) => (rest -= c.weight) < 0);
  return k < 0 ? seat.length - 1 : k;
}
