import { createHash, randomUUID } from "node:crypto";
import { type Agent, type AgentContext } from "../agents/agent.js";
import { SeatedBatch } from "../agents/seats.js";
import { Batch, type Game, KesselError, newState, observationRows, oneOf, Rng, SeededDice, seedStream, shown, SPECTATOR, type Seed, type State, tensorSizes, type Viewer } from "../env/index.js";
import type { RequestOf } from "./protocol.js";
import { BatchPacker, type Packed } from "./tensors.js";

export type AgentFactory = (name: string, context: AgentContext) => Promise<Agent>;

interface Candidate {
  readonly agent: string;
  readonly weight: number;
}
/** Who may fill a seat: null for the client, else one or more agents of which each episode draws one. */
type Seat = readonly Candidate[] | null;

/** The word for a seat that the client plays. */
export const EXTERNAL = "external";

/** Seats by player from a request's `seats`; seats not named are the client's. @throws KesselError `bad-seat` */
export function seatsFrom(game: Game, wanted: RequestOf<"make">["seats"]): Seat[] {
  const named = wanted ?? {};
  for (const side of Object.keys(named))
    if (!game.players.includes(side)) throw new KesselError("bad-seat", `${game.type.id} has no seat ${shown(side)}; seats are ${oneOf(game.players)}`);
  const seats = game.players.map((p): Seat => {
    const w = Object.hasOwn(named, p) ? named[p]! : EXTERNAL;
    if (typeof w === "string") return w === EXTERNAL ? null : [{ agent: w, weight: 1 }];
    if (w.some((c) => c.agent === EXTERNAL)) throw new KesselError("bad-seat", `the pool of ${p} holds agents of the server; a seat of the client's is just ${shown(EXTERNAL)}`);
    return w;
  });
  if (seats.every((s) => s !== null)) throw new KesselError("bad-seat", `at least one seat of ${game.type.id} is ${shown(EXTERNAL)}`);
  return seats;
}

/** A batch as the server keeps it: environments, the agents in its seats, and memory for replies. */
export class HostedBatch {
  readonly token = randomUUID().replaceAll("-", "");
  readonly batch: Batch;
  readonly packer: BatchPacker;
  /** Set while an agent is at work; the next request waits for it. */
  pending: Promise<unknown> | null = null;
  private agents: (readonly Agent[])[] = [];
  private seated: SeatedBatch | null = null;
  private readonly opponents: Int32Array | null;
  private readonly hasAgents: boolean;
  /** From what seed the streams of resets without one are made. */
  private root: string = randomUUID();
  private resets = 0;
  /** An agent or the engine failed in the middle of a step. */
  private broken = false;

  private constructor(
    readonly game: Game,
    readonly request: RequestOf<"make">,
    private readonly seats: readonly Seat[],
    private readonly factory: AgentFactory,
    private readonly models: string | undefined,
  ) {
    const { size, autoreset, skipForced, maxDecisions, record } = request;
    this.batch = new Batch(game, {
      deferObservations: true, // the packer has them written where the reply is sent from
      size,
      ...(autoreset && { autoreset }),
      ...(skipForced !== undefined && { skipForced }),
      ...(maxDecisions && { maxDecisions }),
      ...(record && { record }),
    });
    this.hasAgents = seats.some((s) => s !== null);
    this.opponents = seats.some((s) => s !== null && s.length > 1) ? new Int32Array(size * game.players.length).fill(-1) : null;
    this.packer = new BatchPacker(this.batch, request.dtype ?? "float32", this.opponents);
  }

  /** @throws KesselError for options, seats or agents that do not fit */
  static async make(game: Game, request: RequestOf<"make">, factory: AgentFactory, models?: string): Promise<HostedBatch> {
    const hosted = new HostedBatch(game, request, seatsFrom(game, request.seats), factory, models);
    await hosted.renewAgents(hosted.root);
    return hosted;
  }

  /** Memory that one environment takes, replies included. */
  static bytesPerEnvironment(game: Game, request: RequestOf<"make">): number {
    const n = tensorSizes(game.observation);
    const observation = n.globals + n.map + n.units + n.decision;
    const kept = request.autoreset === "same-step" ? 2 : 1;
    const recorded = request.record === true ? 2 * 8 * game.maxDecisions : 0;
    return 4 * game.stateSize + 4 * observation * kept * 2 + 2 * game.actions.length + 64 + recorded;
  }

  get privileged(): boolean {
    return this.request.privileged === true;
  }

  /** Players whose seats are the client's. */
  get external(): string[] {
    return this.game.players.filter((_, p) => this.seats[p] === null);
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
    const allowed = this.privileged ? this.game.players : this.external;
    if (!allowed.includes(seat)) throw new KesselError("bad-seat", `${shown(seat)} is no seat to look from; there are ${oneOf([...allowed, "spectator"])}`);
    return this.game.players.indexOf(seat);
  }

  /** Rows a request names, all by default. @throws KesselError `bad-option` */
  rows(which: readonly number[] | undefined): readonly number[] {
    if (which === undefined) return this.batch.states.map((_, i) => i);
    this.batch.checkRows(which);
    return which;
  }

  /**
   * Starts new episodes. Agents' streams begin anew when all environments get a seed, so that the whole is repeated by
   * the same seed.
   */
  reset(request: RequestOf<"reset">): void | Promise<void> {
    const which = this.rows(request.which);
    if (which.length < this.batch.size) this.checkWhole();
    if (request.seed !== undefined && request.seeds !== undefined) throw new KesselError("bad-seed", "give either seed (one for the batch) or seeds (one per environment), not both");
    if (request.positions !== undefined && request.positions.length !== which.length)
      throw new KesselError("bad-position", `${request.positions.length} positions came for ${which.length} environments`);
    const seeds = request.seeds ?? request.seed ?? `${this.root}+${++this.resets}`;
    const states = request.positions === undefined ? null : this.readPositions(request.positions, seeds);
    this.broken = false;
    this.guardedSync(() => {
      this.batch.open(seeds, which);
      if (states !== null) this.batch.load(which, states);
    });
    const fresh = (request.seed ?? request.seeds) !== undefined && which.length === this.batch.size;
    if (fresh) {
      this.root = typeof seeds === "object" ? seeds.join() : String(seeds);
      this.resets = 0;
    }
    return fresh && this.hasAgents ? this.guarded(this.renewAgents(this.root).then(() => this.seated!.finish())) : this.finish();
  }

  /** @param actions int32 [B] */
  step(actions: Int32Array): void | Promise<void> {
    this.checkWhole();
    this.guardedSync(() => this.batch.begin(actions));
    return this.finish();
  }

  /** Puts situations into environments; agents then play on from them. */
  load(which: readonly number[], states: readonly State[]): void | Promise<void> {
    this.checkWhole();
    this.guardedSync(() => this.batch.load(which, states));
    return this.finish();
  }

  /** A viewer's observation of some environments, as a frame. */
  observe(rows: readonly number[], seat: string): Packed {
    const { all, rows: views } = observationRows(this.game, rows.length);
    rows.forEach((i, k) => this.game.observe(this.batch.states[i]!, this.viewer(i, seat), views[k]!));
    return this.packer.packObservation(all, rows.length);
  }

  /** The frame that a reset, step or load replies with. */
  pack(): Packed {
    return this.packer.pack();
  }

  async close(): Promise<void> {
    for (const list of this.agents) for (const a of list) await a.close?.();
    this.agents = [];
  }

  private finish(): void | Promise<void> {
    return this.hasAgents ? this.guarded(this.seated!.finish()) : this.guardedSync(() => this.batch.finish());
  }

  private readPositions(docs: RequestOf<"reset">["positions"] & object, seeds: Seed | readonly Seed[]): State[] {
    const dice = new SeededDice();
    return docs.map((doc, k) => {
      const s = newState(this.game.stateSize);
      seedStream(typeof seeds === "object" ? seeds[k]! : `${seeds}/${k}`, s);
      dice.begin(s);
      this.game.read(doc, s, dice);
      return s;
    });
  }

  private async renewAgents(seed: string): Promise<void> {
    if (!this.hasAgents) return;
    await this.close();
    this.agents = await Promise.all(this.seats.map((seat, p) => Promise.all((seat ?? []).map((c, k) => this.factory(c.agent, this.context(`${seed}/${p}/${k}`))))));
    this.seated = new SeatedBatch(this.batch, (i) => this.draw(i));
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
      return this.agents[p]![k]!;
    });
  }

  private checkWhole(): void {
    if (this.broken) throw new KesselError("not-reset", "a step failed half-way; reset all environments of the batch first");
  }

  private guardedSync(run: () => void): void {
    try {
      run();
    } catch (e) {
      if (!(e instanceof KesselError)) this.broken = true; // a KesselError comes before any environment has moved
      throw e;
    }
  }

  private async guarded(run: Promise<void>): Promise<void> {
    try {
      await run;
    } catch (e) {
      this.broken = true;
      throw e;
    }
  }
}

/** Seeds made of seeds, kept short. */
const digest = (seed: string): string => createHash("sha256").update(seed).digest("hex");

function weighted(seat: readonly Candidate[], x: number): number {
  let rest = x * seat.reduce((sum, c) => sum + c.weight, 0);
  const k = seat.findIndex((c) => (rest -= c.weight) < 0);
  return k < 0 ? seat.length - 1 : k;
}
