import {
  type Batch,
  type Game,
  joinedRows,
  type JsonObject,
  KesselError,
  type Observation,
  observationRows,
  type Rng,
  shown,
  type State,
  TENSORS,
  writeKnown,
} from "../env/index.js";
import type { Agent, Decisions } from "./agent.js";

/** Rows for which an agent's buffers are made at first. */
const ROWS = 64;

/**
 * Decisions of one batch that wait for one agent, or one group of agents. Buffers are reused, and grow to what the
 * agent is asked at once.
 */
export class DecisionBatch implements Decisions {
  size = 0;
  actors!: Int32Array;
  mask!: Uint8Array;
  joined?: Float32Array;
  /** int32: environment in the batch of each row. */
  rows!: Int32Array;
  private views!: readonly Observation[];
  private tensors: Observation | null = null;
  /** The agent of each row. */
  readonly agents: Agent[] = [];

  /** @param joins fill `joined` */
  constructor(
    private readonly batch: Batch,
    private readonly joins: boolean,
  ) {
    this.makeRoom(Math.min(ROWS, batch.size));
  }

  private makeRoom(n: number): void {
    const { game } = this.batch;
    if (this.joins) ({ joined: this.joined, rows: this.views } = joinedRows(game, n));
    else ({ all: this.tensors, rows: this.views } = observationRows(game, n));
    this.actors = new Int32Array(n);
    this.rows = new Int32Array(n);
    this.mask = new Uint8Array(n * this.batch.game.actions.length);
  }

  private grow(): void {
    const { actors, mask, joined, rows, tensors } = this;
    this.makeRoom(Math.min(2 * rows.length, this.batch.size));
    this.actors.set(actors);
    this.rows.set(rows);
    this.mask.set(mask);
    if (joined !== undefined) this.joined!.set(joined);
    else for (const t of TENSORS) this.tensors![t].set(tensors![t]);
  }

  get observation(): Observation {
    if (!this.joins) return this.tensors!;
    const { all, rows } = observationRows(this.game, this.size);
    for (let i = 0; i < this.size; i++) for (const t of TENSORS) rows[i]![t].set(this.views[i]![t]);
    return all;
  }

  get game(): Game {
    return this.batch.game;
  }

  /** Adds environment `row`, whose actor `agent` plays. */
  add(row: number, agent: Agent): void {
    const { batch } = this;
    const A = batch.game.actions.length;
    if (this.size === this.rows.length) this.grow();
    const k = this.size++;
    const actor = batch.actors[row]!;
    this.rows[k] = row;
    this.agents[k] = agent;
    this.actors[k] = actor;
    for (let a = 0, from = row * A, to = k * A; a < A; a++) this.mask[to + a] = batch.mask[from + a]!;
    batch.game.observe(batch.states[row]!, actor, this.views[k]!);
  }

  view(i: number): JsonObject {
    return this.batch.game.view(this.batch.states[this.rows[i]!]!, this.actors[i]!);
  }

  sample(i: number, out: State, rng: Rng): boolean {
    return this.batch.game.resample(this.batch.states[this.rows[i]!]!, this.actors[i]!, out, rng);
  }

  known(i: number, out: State): void {
    writeKnown(this.batch.game, this.batch.states[this.rows[i]!]!, this.actors[i]!, out);
  }
}

/** @throws KesselError `bad-agent` when an agent's choice is not legal in environment `row` */
export function checkChoice(batch: Batch, row: number, agent: Agent, choice: number): void {
  const { actions, type } = batch.game;
  const known = choice >= 0 && choice < actions.length; // anything else would read another row of the mask
  if (!known || batch.mask[row * actions.length + choice] !== 1)
    throw new KesselError(
      "bad-agent",
      `${type.id}: agent ${agent.name} chose ${shown(actions[choice] ?? choice)}, which is not legal`,
    );
}

/** Who fills each seat of an environment: an agent, or null for the caller. */
export type SeatPlan = (environment: number) => readonly (Agent | null)[];

/**
 * A batch in which agents fill some seats. The caller sees its own decisions only; agents are asked in batches
 * until every environment waits for the caller or has ended.
 */
export class SeatedBatch {
  /** By agent, or group of agents. */
  private readonly gathered = new Map<object, DecisionBatch>();
  private readonly choices: Int32Array;
  /** int32: all environments; those in which an agent was just asked. */
  private readonly all: Int32Array;
  private readonly asked: Int32Array;
  private readonly seats: (readonly (Agent | null)[])[];
  /** Episode for which `seats` was asked. */
  private readonly known: Int32Array;

  /** @param plan asked whenever an episode starts, and fixed until it ends */
  constructor(
    readonly batch: Batch,
    private readonly plan: SeatPlan,
  ) {
    this.choices = new Int32Array(batch.size);
    this.all = Int32Array.from({ length: batch.size }, (_, i) => i);
    this.asked = new Int32Array(batch.size);
    this.seats = Array.from({ length: batch.size }, () => []);
    this.known = new Int32Array(batch.size).fill(-1);
  }

  async reset(...args: Parameters<Batch["open"]>): Promise<void> {
    this.batch.open(...args);
    this.known.fill(-1);
    await this.finish();
  }

  /** As `Batch.step`: one action per environment (ignored where an episode has ended and the next begins). */
  async step(actions: ArrayLike<number>): Promise<void> {
    this.batch.begin(actions);
    await this.finish();
  }

  /** Asks agents until nothing waits for one, renews ended episodes as the batch does, writes observations. */
  async finish(): Promise<void> {
    do {
      // only where an agent has just decided can one have to decide again
      for (let waited = await this.round(); waited > 0;) waited = await this.ask(this.asked, waited);
    } while (this.batch.startNextEpisodes() > 0);
    this.batch.observeUnlessDeferred();
  }

  /** True when environment `i` waits for an agent. */
  waits(i: number): boolean {
    return this.agentOf(i) !== null;
  }

  /** The agent who decides in environment `i`; null when that is the caller, or nobody. */
  private agentOf(i: number): Agent | null {
    const actor = this.batch.actors[i]!;
    if (actor < 0) return null;
    const episode = this.batch.episodes[i]!;
    if (this.known[i] !== episode) {
      this.known[i] = episode;
      this.seats[i] = this.plan(i);
    }
    return this.seats[i]![actor] ?? null;
  }

  /** One decision in every environment that waits for an agent. @returns how many did */
  round(): Promise<number> {
    return this.ask(this.all, this.batch.size);
  }

  /**
   * One decision in those of the first `n` environments of `rows` that wait for an agent; `asked` becomes their list.
   *
   * @returns how many they were
   */
  private async ask(rows: Int32Array, n: number): Promise<number> {
    const { asked, batch } = this;
    for (const g of this.gathered.values()) g.size = 0;
    let waiting = 0;
    for (let k = 0; k < n; k++) {
      const i = rows[k]!;
      const agent = this.agentToAsk(i);
      if (agent === null) continue;
      const key = agent.group ?? agent;
      let g = this.gathered.get(key);
      if (g === undefined) {
        g = new DecisionBatch(batch, agent.joined === true);
        this.gathered.set(key, g);
      }
      g.add(i, agent);
      asked[waiting++] = i; // never ahead of what is read, should `rows` be `asked`
    }
    for (const g of this.gathered.values()) {
      if (g.size === 0) continue;
      const agent = g.agents[0]!;
      const pending = agent.actFor === undefined ? agent.act(g, this.choices) : agent.actFor(g, g.agents, this.choices);
      if (pending !== undefined) await pending;
      for (let k = 0; k < g.size; k++) {
        const row = g.rows[k]!;
        const choice = this.choices[k]!;
        checkChoice(batch, row, g.agents[k]!, choice);
        batch.playDecision(row, choice);
      }
    }
    return waiting;
  }

  /**
   * The agent to ask in environment `i`, once its forced decisions are played for it if it leaves them to the caller.
   */
  private agentToAsk(i: number): Agent | null {
    const { batch } = this;
    for (;;) {
      const agent = this.agentOf(i);
      if (agent?.leavesForced !== true || batch.legalCounts[i] !== 1) return agent;
      const at = i * batch.game.actions.length;
      batch.playDecision(i, batch.mask.indexOf(1, at) - at);
    }
  }
}
