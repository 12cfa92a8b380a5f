import { createHash, randomUUID } from "node:crypto";
import { type Agent, type AgentContext, canPlay } from "../../agents/agent.js";
import { SeatedBatch } from "../../agents/seats.js";
import {
  Batch,
  checkRows,
  checkSeed,
  diceFor,
  type Game,
  KesselError,
  observationRows,
  oneOf,
  Rng,
  type Seed,
  shown,
  SPECTATOR,
  type State,
  type Viewer,
} from "../../env/index.js";
import type { ResetPlan } from "./reset.js";
import type { RequestOf } from "../wire/protocol.js";
import { type Candidate, externalOf, type Seat, seatsFrom, slowOf } from "./seats.js";
import { shareOf, type SliceRange } from "./range.js";
import { checkHeld, ReadyQueue } from "./ready-queue.js";
import { FrameWriter, Potentials, SubsetWriter } from "./frame-writers.js";
import { StateSeal } from "../wire/saved-states.js";
import type { AnswerKeys } from "./long-question.js";
import { FrameShape, type PackedFrame } from "../wire/tensors.js";
import { type Expansion, NodeStore } from "./nodes.js";
import { Playouts } from "./playouts.js";
import type { FrameTarget } from "../wire/shared-memory.js";

/** Agents by block of environments, player, and candidate for the seat. */
type Agents = (readonly (readonly Agent[])[])[];

/** What the server gives to all slices. */
export interface SliceHost {
  /** The only folder that model files are read from. */
  readonly models?: string;
  /** Key of the dice (env/core/dice/keyed-dice.ts). Default: the streams of the seeds. */
  readonly diceKey?: Uint8Array;
  /** Signs what is saved. */
  readonly stateKey?: Uint8Array;
  /** Seconds that an agent may think about one decision. */
  readonly decisionSeconds?: number;
  /** Of `AgentContext`. */
  readonly modelSeconds?: number;
}

/** Keys for questions that another thread may answer. */
export const answerKeysOf = ({ stateKey, diceKey }: SliceHost): AnswerKeys => ({
  seal: stateKey === undefined ? null : new StateSeal(stateKey),
  diceKey,
});

export type AgentFactory = (name: string, context: AgentContext) => Promise<Agent>;

/** Environments that share one agent and its random stream. Slices of a batch with agents begin at multiples of it. */
export const BLOCK = 64;

/**
 * Some or all environments of a batch, and the agents in their seats. Play doesn't depend on how the batch is sliced,
 * because agents have one stream for each block of `BLOCK` environments. Methods number environments by their row in
 * the slice; messages number them as the batch does.
 */
export class Slice {
  readonly batch: Batch;
  readonly shape: FrameShape;
  readonly writer: FrameWriter | SubsetWriter;
  /** Chooses the environments of a reply; null when a reply holds all. */
  private readonly ready: ReadyQueue | null;
  readonly seats: readonly Seat[];
  private agents: Agents = [];
  private seated: SeatedBatch | null = null;
  private readonly opponents: Int32Array | null;
  readonly hasAgents: boolean;
  /** An agent or the engine failed half-way through a step; only a reset of all environments helps. */
  private broken = false;
  readonly answerKeys: AnswerKeys;
  /** Situations to search in, and who judges them; null where the client asked for none. */
  private nodeStore: NodeStore | null = null;
  private net: Agent | null = null;
  /** Agents that played nodes out, by name. */
  private readonly policies = new Map<string, Agent>();

  private constructor(
    readonly game: Game,
    readonly request: RequestOf<"make">,
    readonly range: SliceRange,
    private readonly factory: AgentFactory,
    readonly host: SliceHost,
    shared: boolean,
    ownership: Uint8Array | undefined,
  ) {
    const { autoreset, skipForced, maxDecisions, record } = request;
    const { first, size } = range;
    this.seats = seatsFrom(game, request.seats);
    this.batch = new Batch(game, {
      dice: diceFor(host.diceKey),
      deferObservations: true, // the frame writer writes them straight into the reply's memory
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
    this.answerKeys = answerKeysOf(host);
    this.opponents = hasPools(this.seats) ? new Int32Array(size * game.players.length).fill(-1) : null;
    const potentials = request.potentials === true ? new Potentials(this.batch) : null;
    const beside = { opponents: this.opponents, potentials };
    this.shape = frameShape(game, request, range.of, this.seats);
    if (request.ready === undefined) {
      this.ready = null;
      this.writer = new FrameWriter(this.shape, this.batch, first, beside);
    } else {
      const { row, count } = shareOf(range, request.ready);
      this.ready = new ReadyQueue(this.batch, count, () => this.seated, ownership ?? new Uint8Array(size));
      this.writer = new SubsetWriter(this.shape, this.batch, this.ready.rows, row, first, beside);
    }
  }

  /**
   * @param shared keep states in memory that other threads read
   * @param ownership uint8 [size], where a `ready` batch notes who holds each environment
   * @throws KesselError for options, seats or agents that do not fit
   */
  static async make(
    game: Game,
    request: RequestOf<"make">,
    range: SliceRange,
    factory: AgentFactory,
    host: SliceHost = {},
    shared = false,
    ownership?: Uint8Array,
  ): Promise<Slice> {
    const slice = new Slice(game, request, range, factory, host, shared, ownership);
    await slice.makeAgents(randomUUID());
    if (request.nodes !== undefined) await slice.makeNodes(request.nodes, request.net);
    return slice;
  }

  get privileged(): boolean {
    return this.request.privileged === true;
  }

  /** Number of environment `i` in messages. */
  name(i: number): number {
    return this.range.first + i;
  }

  /**
   * The viewer of environment `i` that a request names: one of the client's seats or `spectator`, in a privileged batch
   * any seat. Default: the acting player, who is always one of the client's.
   *
   * @throws KesselError `bad-seat`
   */
  viewer(i: number, seat: string | undefined): Viewer {
    if (seat === undefined) return this.batch.viewers[i]!;
    if (seat === "spectator") return SPECTATOR;
    const allowed = this.privileged ? this.game.players : externalOf(this.game, this.seats);
    if (!allowed.includes(seat))
      throw new KesselError("bad-seat", `unknown viewpoint ${shown(seat)}; choose ${oneOf([...allowed, "spectator"])}`);
    return this.game.players.indexOf(seat);
  }

  /**
   * Rows that a question names; by default those of the last reply. With `ready`, only rows that the client holds: a
   * client may not look at an environment where one of the server's agents is to act.
   *
   * @throws KesselError `bad-option`, `bad-action`, `not-reset`
   */
  rows(which: readonly number[] | undefined): readonly number[] {
    this.checkWhole();
    const { ready } = this;
    if (which === undefined) return ready === null ? this.batch.states.map((_, i) => i) : [...ready.rows];
    checkRows(which, this.batch.size);
    if (ready !== null) checkHeld(ready.ownership, which, this.range.first);
    return which;
  }

  /** Starts new episodes, and new streams for the agents if the plan has a seed for them. */
  reset({ which, seeds, states, root }: ResetPlan): void | Promise<void> {
    const rows = which ?? this.batch.states.map((_, i) => i);
    if (rows.length < this.batch.size) this.checkWhole();
    return this.guard(() => {
      this.batch.open(seeds, rows);
      this.broken = false; // not before: a reset that is refused leaves environments where agents are to act
      if (states !== null) this.batch.load(rows, states);
      const begin = (): void | Promise<void> => (this.ready === null ? this.finish() : this.ready.restart());
      return root !== null && this.hasAgents ? this.makeAgents(root).then(begin) : begin();
    });
  }

  /** `step` for a slice without agents, block by block: see `Batch.stepBlocks`. */
  stepBlocks(actions: Int32Array, moved: (end: number) => void): void {
    this.checkWhole();
    void this.guard(() => this.batch.stepBlocks(actions, moved));
  }

  /** @param actions int32 [size]; with `ready` [2, n], environments and then an action for each */
  step(actions: Int32Array): void | Promise<void> {
    this.checkWhole();
    const { ready } = this;
    return this.guard(() => {
      if (ready !== null) return ready.step(actions);
      this.batch.begin(actions);
      return this.finish();
    });
  }

  /** Replaces the states of some environments; agents then play on from there. */
  load(which: readonly number[], states: readonly State[]): void | Promise<void> {
    this.checkWhole();
    return this.guard(() => {
      this.batch.load(which, states);
      return this.finish();
    });
  }

  /** Observations of some environments by one viewer, as a frame. */
  observe(rows: readonly number[], seat: string): PackedFrame {
    const { all, rows: views } = observationRows(this.game, rows.length);
    rows.forEach((i, k) => this.game.observe(this.batch.states[i]!, this.viewer(i, seat), views[k]!));
    return this.shape.pack(all, rows.length);
  }

  /** Copies of the states that a clone copies from, with dice of their own if it has a seed. @throws KesselError */
  copies({ from, nodes, seed }: Pick<RequestOf<"clone">, "from" | "nodes" | "seed">): State[] {
    return withDice(
      from.map((i) => (nodes === true ? this.nodes.state(i) : this.batch.states[i]!).slice()),
      seed,
    );
  }

  /** @throws KesselError `unsupported` */
  get nodes(): NodeStore {
    if (this.nodeStore === null) throw withoutNodes();
    return this.nodeStore;
  }

  /** Plays from environments or nodes into nodes, and writes what they come to. */
  expand(expansion: Expansion, target: FrameTarget): void | Promise<void> {
    const { environments, from } = expansion;
    if (environments) this.rows([...new Set(from)]);
    return this.nodes.expand(expansion, this.batch, target);
  }

  /** Plays nodes out. @param seed of this request alone */
  async playOut({ nodes, policy = "random", depth }: RequestOf<"playout">, seed: string): Promise<Playouts> {
    const store = this.nodes;
    const states = nodes.map((k) => store.state(k));
    if (slowOf(this.game, [[{ agent: policy, weight: 1 }]], undefined, this.host.modelSeconds !== undefined) !== null)
      throw new KesselError(
        "bad-agent",
        `games are played out by random, a heuristic or a model that comes with Kessel, not by ${shown(policy)}`,
      );
    const out = new Playouts(this.game, nodes.length);
    const most = depth ?? this.game.maxDecisions;
    const dice = diceFor(this.host.diceKey);
    if (policy === "random") out.random(states, most, seed, dice);
    else {
      // one that stays keeps a model loaded
      if (!this.policies.has(policy)) this.policies.set(policy, await this.factory(policy, this.context("kept")));
      const agent = await this.factory(policy, this.context(seed));
      try {
        await out.by(agent, states, most, seed, dice);
      } finally {
        await agent.close?.();
      }
    }
    await store.appraise(out);
    return out;
  }

  async close(): Promise<void> {
    const agents = this.agents;
    this.agents = [];
    await closeAll(agents);
    await this.net?.close?.();
    this.net = null;
    for (const agent of this.policies.values()) await agent.close?.();
    this.policies.clear();
  }

  private async makeNodes(capacity: number, net: string | undefined): Promise<void> {
    const { game, shape, request, host } = this;
    try {
      if (net !== undefined) {
        this.net = await this.factory(net, this.context("net"));
        if (this.net.evaluate === undefined)
          throw new KesselError("bad-agent", `net is an agent with a model, such as onnx:FILE, not ${shown(net)}`);
        for (const [p, name] of game.players.entries())
          if (!canPlay(this.net, p)) throw new KesselError("bad-seat", `${this.net.name} does not play ${name}`);
      }
      this.nodeStore = new NodeStore(
        game,
        shape,
        capacity,
        diceFor(host.diceKey),
        request.skipForced ?? true,
        this.net,
      );
    } catch (e) {
      await this.close();
      throw e;
    }
  }

  private finish(): void | Promise<void> {
    return this.hasAgents ? this.seated!.finish() : this.batch.finish();
  }

  private async makeAgents(seed: string): Promise<void> {
    if (!this.hasAgents) return;
    const { first, size } = this.range;
    const before = this.agents;
    const agents: Agent[][][] = [];
    try {
      for (let block = first / BLOCK; block * BLOCK < first + size; block++) {
        const ofBlock: Agent[][] = this.seats.map(() => []);
        agents.push(ofBlock);
        for (const [p, seat] of this.seats.entries())
          for (const [k, c] of (seat ?? []).entries()) {
            const agent = await this.factory(c.agent, this.context(`${seed}/${p}/${k}/${block}`));
            ofBlock[p]!.push(agent);
            if (!canPlay(agent, p))
              throw new KesselError("bad-seat", `${agent.name} does not play ${this.game.players[p]!}`);
          }
      }
    } catch (e) {
      await closeAll(agents);
      throw e;
    }
    this.agents = agents;
    this.seated = new SeatedBatch(this.batch, (i) => this.drawAgents(i));
    await closeAll(before); // last, so that a model both use stays loaded
  }

  private context(seed: string): AgentContext {
    const { models, decisionSeconds, modelSeconds } = this.host;
    return {
      game: this.game,
      seed: digest(seed),
      ...(models !== undefined && { models }),
      ...(decisionSeconds !== undefined && { decisionSeconds }),
      ...(modelSeconds !== undefined && { modelSeconds }),
    };
  }

  /** The agents of environment `i`, drawn by its episode's seed, so that the episode can be repeated. */
  private drawAgents(i: number): (Agent | null)[] {
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

  /** Moves environments, and notes when that fails half-way. */
  private guard(run: () => void | Promise<void>): void | Promise<void> {
    try {
      return run()?.catch((e: unknown) => {
        this.broken = true;
        throw e;
      });
    } catch (e) {
      // other KesselErrors come before any environment has moved
      if (!(e instanceof KesselError) || e.code === "time-limit") this.broken = true;
      throw e;
    }
  }
}

/**
 * Deals new dice to states, in place; without a seed they keep theirs. @throws KesselError `bad-seed`
 */
export function withDice(states: State[], seed: Seed | undefined): State[] {
  if (seed === undefined) return states;
  const rng = new Rng(digest(`clone/${checkSeed(seed)}`));
  for (const s of states) rng.freshStream(s);
  return states;
}

export const withoutNodes = (): KesselError =>
  new KesselError("unsupported", "the batch was made without nodes; make it with nodes: how many it may hold");

async function closeAll(agents: Agents): Promise<void> {
  for (const block of agents) for (const list of block) for (const a of list) await a.close?.();
}

/** Refuses what shows or sets hidden facts. @throws KesselError `not-privileged` */
export function needPrivilege(batch: { readonly privileged: boolean }, what: string): void {
  if (!batch.privileged)
    throw new KesselError(
      "not-privileged",
      `${what} shows or sets what players don't know; make the batch with privileged: ${shown(true)}`,
    );
}

const hasPools = (seats: readonly Seat[]): boolean => seats.some((s) => s !== null && s.length > 1);

/** The frames of a batch of `size` environments. */
export const frameShape = (game: Game, request: RequestOf<"make">, size: number, seats: readonly Seat[]): FrameShape =>
  new FrameShape(game, request.ready ?? size, request.dtype ?? "float32", {
    pools: hasPools(seats),
    potentials: request.potentials === true,
    finals: request.autoreset === "same-step",
    some: request.ready !== undefined,
    nodes: request.nodes !== undefined,
  });

/** SHA-256 of a seed's text, as a seed of its own: shorter, and without a way back. */
export const digest = (seed: string): string => createHash("sha256").update(seed).digest("hex");

function weighted(seat: readonly Candidate[], x: number): number {
  let rest = x * seat.reduce((sum, c) => sum + c.weight, 0);
  const k = seat.findIndex((c) => (rest -= c.weight) < 0);
  return k < 0 ? seat.length - 1 : k;
}
