import { createHash } from "node:crypto";
import {
  Batch,
  type Game,
  InvariantError,
  joinedRows,
  joinedWidth,
  KesselError,
  type Observation,
  observationRows,
  Rng,
  type Seed,
  shown,
  TENSORS,
  type TensorName,
  tensorSizes,
} from "../env/index.js";
import type { Agent, AgentMaker, Decisions } from "./agent.js";
import { readModelFile } from "./model-file.js";
import { JOINED, type Lean, leanModel } from "./model-graph.js";
import {
  checkModel,
  goldenOf,
  type Golden,
  type ModelInfo,
  MOST_TEMPERATURE,
  readModel,
  temperatureIn,
  temperatureOf,
} from "./model.js";
import { ModelProcess } from "./model-process.js";
import { type Evaluation, type Feed, openSession, runtime, type Session, wrongSizes } from "./onnx-session.js";

/** Largest difference allowed between a golden output and what the model gives here, per unit of size above 1. */
export const GOLDEN_TOLERANCE = 1e-3;

/** Batch sizes that a model is tried at when it is loaded. */
const PROBE_ROWS = [1, 2, 7];

/**
 * Observations of n rows: the four tensors, or joined rows (env/core/observation-rows.ts) for a model that is `joined`.
 */
export type ModelInput = Observation | Float32Array;

/**
 * An ONNX model that fits a game and reproduces its golden pairs. Runs in this thread and blocks it meanwhile, or in a
 * process of its own.
 */
export class OnnxModel {
  private users = 0;
  private closed = false;
  private unshare = (): boolean => false;

  private constructor(
    readonly game: Game,
    /** How messages call the file. */
    readonly name: string,
    readonly info: ModelInfo,
    /** Players the model may play. */
    readonly players: readonly number[],
    /** Largest difference from the golden outputs; null when the file holds none. */
    readonly goldenError: number | null,
    private readonly session: Session,
    /** It reads whole rows, `joinedRows`. */
    readonly joined: boolean,
    /** What an agent plays with where its name says nothing else. */
    readonly temperature: number,
  ) {}

  /**
   * @param name how messages call the file
   * @param apart seconds that loading and each run may take, in a process of its own; left out, it runs in this
   *   thread
   * @throws KesselError `bad-model` when it isn't ONNX, is for another game or schema, has other shapes, doesn't run,
   *   or disagrees with its own golden pairs, answers nonsense; `missing-library` without onnxruntime-node;
   *   `time-limit`
   */
  static async load(bytes: Uint8Array, game: Game, name: string, apart?: number): Promise<OnnxModel> {
    const info = readModel(bytes, name);
    const players = checkModel(info, game, name);
    const golden = goldenOf(info, game, name);
    const temperature = temperatureOf(info, name);
    await runtime(); // says so where there is none
    const open = async ({ bytes: run, joined }: Lean): Promise<OnnxModel> => {
      let session: Session;
      try {
        session = await (apart === undefined ? openSession(run) : ModelProcess.start(run, name, apart));
      } catch (e) {
        if (e instanceof KesselError) throw e;
        throw new KesselError("bad-model", `${name} does not run: ${reasonOf(e as Error)}`);
      }
      try {
        const plain = new OnnxModel(game, name, info, players, null, session, joined, temperature);
        const error = golden === null ? null : await goldenError(plain, golden, name);
        if (error !== null && !(error <= GOLDEN_TOLERANCE))
          throw new KesselError(
            "bad-model",
            `${name}: the model disagrees with its golden pairs by ${error.toExponential(1)}; at most ${GOLDEN_TOLERANCE} is allowed`,
          );
        await plain.probe();
        return new OnnxModel(game, name, info, players, error, session, joined, temperature);
      } catch (e) {
        await session.release();
        throw e;
      }
    };
    const whole: Lean = { bytes, joined: false };
    const lean = leanModel(bytes, game);
    if (lean.bytes === bytes) return open(whole);
    try {
      return await open(lean);
    } catch (e) {
      if (!(e instanceof KesselError && e.code === "bad-model")) throw e;
      return open(whole); // what was taken from it was more than it seemed
    }
  }

  /** As `load`, but the same file and game give the same model, which is closed when all its users have closed it. */
  static async share(bytes: Uint8Array, game: Game, name: string, apart?: number): Promise<OnnxModel> {
    const key = `${createHash("sha256").update(bytes).digest("hex")} ${apart ?? "here"}`;
    const ofGame = SHARED.get(game) ?? new Map<string, Promise<OnnxModel>>();
    SHARED.set(game, ofGame);
    let loading = ofGame.get(key);
    if (loading === undefined) {
      loading = OnnxModel.load(bytes, game, name, apart);
      ofGame.set(key, loading);
    }
    const forget = (): boolean => ofGame.get(key) === loading && ofGame.delete(key);
    try {
      const model = await loading;
      // the last user may have closed it while this one waited: load it again
      if (model.users === 0 && model.closed) return await OnnxModel.share(bytes, game, name, apart);
      model.users++;
      model.unshare = forget;
      return model;
    } catch (e) {
      forget();
      throw e;
    }
  }

  /** Runs it at several batch sizes, on first decisions. @throws KesselError `bad-model` as `run` */
  private async probe(): Promise<void> {
    const batch = new Batch(this.game, { size: Math.max(...PROBE_ROWS), autoreset: "disabled" });
    batch.reset("probe");
    for (const n of PROBE_ROWS) await this.run(batch.observations.all, batch.mask, n);
  }

  /** Memory for `n` observations, laid out as the model reads them fastest: give its `input` to `run`. */
  newRows(n: number): { readonly input: ModelInput; readonly rows: readonly Observation[] } {
    if (!this.joined) {
      const { all, rows } = observationRows(this.game, n);
      return { input: all, rows };
    }
    const { joined, rows } = joinedRows(this.game, n);
    return { input: joined, rows };
  }

  /**
   * Runs the first `n` rows of the arrays, which may be longer.
   *
   * @param input the four tensors, or joined rows
   * @throws KesselError `bad-model` when it fails, gives another number of rows, or a number that is not finite for a
   *   legal action or as value; `time-limit` in a process of its own
   */
  async run(input: ModelInput, mask: Uint8Array, n: number): Promise<Evaluation> {
    let found: Evaluation;
    try {
      found = await this.evaluate(input, mask, n);
    } catch (e) {
      if (e instanceof KesselError) throw e;
      throw this.bad(`does not run on ${n} rows: ${(e as Error).message}`);
    }
    const { policy, value } = found;
    const A = this.game.actions.length;
    if (policy.length !== n * A || value.length !== n)
      throw this.bad(wrongSizes({ policy: policy.length, value: value.length }, { policy: n * A, value: n }));
    if (!isSumFinite(policy))
      for (let k = 0; k < n * A; k++)
        if (mask[k] === 1 && !Number.isFinite(policy[k]))
          throw this.bad(`gave ${policy[k]} as policy of the legal action ${shown(this.game.actions[k % A])}`);
    for (let i = 0; i < n; i++) if (!Number.isFinite(value[i])) throw this.bad(`gave ${value[i]} as value`);
    return found;
  }

  private bad(what: string): KesselError {
    return new KesselError("bad-model", `${this.name}: the model ${what}`);
  }

  /** As `run`, without a look at what comes out. */
  evaluate(input: ModelInput, mask: Uint8Array, n: number): Promise<Evaluation> {
    const feeds = this.session.inputs.map((name) => this.feed(name, input, mask, n));
    return this.session.run(feeds, { policy: n * this.game.actions.length, value: n });
  }

  private feed(name: string, input: ModelInput, mask: Uint8Array, n: number): Feed {
    const { game } = this;
    const spec = game.observation;
    const size = tensorSizes(spec);
    const A = game.actions.length;
    if (name === "mask") {
      const type = this.info.inputs.some((i) => i.name === name && i.type === "bool") ? "bool" : "uint8";
      return { name, type, data: mask.subarray(0, n * A), dims: [n, A] };
    }
    if (name === JOINED) {
      const width = joinedWidth(game);
      const joined = input instanceof Float32Array ? input : joinOf(game, input, n);
      return { name, type: "float32", data: joined.subarray(0, n * width), dims: [n, width] };
    }
    const tensor = name as TensorName;
    const dims = {
      globals: [n, size.globals],
      map: [n, spec.mapRows.length, spec.map.length],
      units: [n, spec.unitRows.length, spec.units.length],
      decision: [n, size.decision],
    };
    if (input instanceof Float32Array) throw new InvariantError(`${this.name} does not read joined rows`);
    return { name, type: "float32", data: input[tensor].subarray(0, n * size[tensor]), dims: dims[tensor] };
  }

  async close(): Promise<void> {
    if (--this.users > 0) return;
    this.closed = true;
    this.unshare();
    await this.session.release();
  }
}

/** Why the library refuses a file, in a line. */
function reasonOf({ message }: Error): string {
  const [, ir, most] = /Unsupported model IR version: (\d+), max supported IR version: (\d+)/.exec(message) ?? [];
  if (ir !== undefined)
    return `it is of ONNX IR version ${ir}, and ${most} is the newest here; kessel.export.tag (Python) lowers it`;
  const [, opset] = /Opset (\d+) is under development/.exec(message) ?? [];
  if (opset !== undefined)
    return `its operators are of opset ${opset}, which is too new here; kessel.export.tag (Python) lowers it`;
  return message;
}

/** Joined rows of the first `n` rows of tensors. */
function joinOf(game: Game, observation: Observation, n: number): Float32Array {
  const size = tensorSizes(game.observation);
  const { joined, rows } = joinedRows(game, n);
  for (let i = 0; i < n; i++)
    for (const t of TENSORS) rows[i]![t].set(observation[t].subarray(i * size[t], (i + 1) * size[t]));
  return joined;
}

/** Models in use by more than one agent, by game and what is in the file. */
const SHARED = new WeakMap<Game, Map<string, Promise<OnnxModel>>>();

async function goldenError(model: OnnxModel, golden: Golden, name: string): Promise<number> {
  let got: Evaluation;
  try {
    got = await model.evaluate(golden.observation, golden.mask, golden.size);
  } catch (e) {
    if (e instanceof KesselError) throw e;
    throw new KesselError("bad-model", `${name} does not run: ${(e as Error).message}`);
  }
  const sizes = { policy: golden.policy.length, value: golden.value.length };
  if (got.policy.length !== sizes.policy || got.value.length !== sizes.value)
    throw new KesselError(
      "bad-model",
      `${name}: the model ${wrongSizes({ policy: got.policy.length, value: got.value.length }, sizes)}`,
    );
  let worst = 0;
  const compare = (is: number, should: number): void => {
    worst = Math.max(worst, Math.abs(is - should) / Math.max(1, Math.abs(should))); // stays NaN once it is
  };
  for (let i = 0; i < golden.policy.length; i++) if (golden.mask[i] === 1) compare(got.policy[i]!, golden.policy[i]!);
  for (let i = 0; i < golden.value.length; i++) compare(got.value[i]!, golden.value[i]!);
  return worst;
}

/**
 * Plays by a model's policy. The mask is applied here too, whatever the model does with it.
 *
 * Temperature 0 takes the most likely action (the first of equals); above 0, actions are drawn in proportion to
 * exp(logit / temperature).
 */
export class OnnxAgent implements Agent {
  private readonly rng: Rng;
  readonly leavesForced = true;

  constructor(
    readonly name: string,
    readonly model: OnnxModel,
    readonly temperature: number,
    seed: Seed,
  ) {
    this.rng = new Rng(seed);
  }

  get players(): readonly number[] {
    return this.model.players;
  }

  get joined(): boolean {
    return this.model.joined;
  }

  /** Agents of one model are asked together: a call costs as much as the inference of several rows. */
  get group(): OnnxModel {
    return this.model;
  }

  act(decisions: Decisions, out: Int32Array): Promise<void> {
    return this.decide(decisions, () => this, out);
  }

  actFor(decisions: Decisions, agents: readonly OnnxAgent[], out: Int32Array): Promise<void> {
    return this.decide(decisions, (i) => agents[i]!, out);
  }

  private async decide(decisions: Decisions, agentOf: (row: number) => OnnxAgent, out: Int32Array): Promise<void> {
    const n = decisions.size;
    const A = decisions.game.actions.length;
    const { players } = this.model;
    for (let i = 0; i < n; i++) {
      if (players.includes(decisions.actors[i]!)) continue;
      const names = this.model.game.players;
      throw new KesselError(
        "bad-seat",
        `${this.name} plays ${players.map((p) => names[p]!).join(", ")}, not ${names[decisions.actors[i]!]!}`,
      );
    }
    const { policy } = await this.model.run(decisions.joined ?? decisions.observation, decisions.mask, n);
    for (let i = 0; i < n; i++) {
      const { temperature, rng } = agentOf(i);
      out[i] =
        temperature === 0
          ? argmaxLegal(policy, decisions.mask, i * A, A)
          : sampleLegal(policy, decisions.mask, i * A, A, temperature, rng);
    }
  }

  evaluate(decisions: Decisions): Promise<Evaluation> {
    return this.model.run(decisions.joined ?? decisions.observation, decisions.mask, decisions.size);
  }

  async expectedReturn(decisions: Decisions): Promise<number> {
    const { value } = await this.model.run(decisions.joined ?? decisions.observation, decisions.mask, 1);
    return value[0]!;
  }

  close(): Promise<void> {
    return this.model.close();
  }
}

/**
 * True when the sum is finite, and therefore each number. Four times as fast as a look at each number of a legal
 * action; the sums are several because each addition waits for the one before.
 */
function isSumFinite(x: Float32Array): boolean {
  let a = 0;
  let b = 0;
  let c = 0;
  let d = 0;
  const whole = x.length & ~7;
  for (let i = 0; i < whole; i += 8) {
    a += x[i]! + x[i + 4]!;
    b += x[i + 1]! + x[i + 5]!;
    c += x[i + 2]! + x[i + 6]!;
    d += x[i + 3]! + x[i + 7]!;
  }
  for (let i = whole; i < x.length; i++) a += x[i]!;
  return Number.isFinite(a + b + c + d);
}

/** The legal action with the greatest logit, the first of equals. */
export function argmaxLegal(logits: Float32Array, mask: Uint8Array, at: number, A: number): number {
  let best = -1;
  for (let a = 0; a < A; a++) if (mask[at + a] === 1 && (best < 0 || logits[at + a]! > logits[at + best]!)) best = a;
  return best;
}

/** A legal action drawn in proportion to exp(logit / temperature). */
export function sampleLegal(
  logits: Float32Array,
  mask: Uint8Array,
  at: number,
  A: number,
  temperature: number,
  rng: Rng,
): number {
  const top = logits[at + argmaxLegal(logits, mask, at, A)]!;
  let sum = 0;
  for (let a = 0; a < A; a++) if (mask[at + a] === 1) sum += Math.exp((logits[at + a]! - top) / temperature);
  let left = rng.float() * sum;
  let last = -1;
  for (let a = 0; a < A; a++) {
    if (mask[at + a] !== 1) continue;
    last = a;
    left -= Math.exp((logits[at + a]! - top) / temperature);
    if (left < 0) return a;
  }
  return last; // rounding may leave a small rest after the last action
}

/** `onnx:FILE`, which plays with the temperature that the file names, and `onnx:FILE?temperature=0.5`. */
export const makeOnnxAgent: AgentMaker = async (argument, context) => {
  const { file, temperature: asked } = parseOnnxArgument(argument);
  const model = await OnnxModel.share(readModelFile(file, context.models), context.game, file, context.modelSeconds);
  return new OnnxAgent(`onnx:${argument}`, model, asked ?? model.temperature, context.seed);
};

/**
 * What follows `onnx:`.
 *
 * @returns the temperature, null where it is the file's
 * @throws KesselError `bad-agent` for another query
 */
export function parseOnnxArgument(argument: string): { readonly file: string; readonly temperature: number | null } {
  const at = argument.indexOf("?");
  return at < 0
    ? { file: argument, temperature: null }
    : { file: argument.slice(0, at), temperature: parseTemperature(argument.slice(at + 1)) };
}

function parseTemperature(query: string): number {
  const [, text = ""] = /^temperature=(.*)$/s.exec(query) ?? [];
  const t = temperatureIn(text);
  if (t === null)
    throw new KesselError(
      "bad-agent",
      `after ? an onnx agent takes temperature=0 to temperature=${MOST_TEMPERATURE}, not ${shown(query)}`,
    );
  return t;
}
