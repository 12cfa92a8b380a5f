import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { ModelProtoSchema, StringStringEntryProtoSchema } from "onnx-buf";
import { makeAgent } from "../../agents/registry.js";
import { META, readModel, trainedOf } from "../../agents/model.js";
import { argmaxLegal, OnnxModel } from "../../agents/onnx.js";
import { runtime, SESSION_OPTIONS } from "../../agents/onnx-session.js";
import { type Game, type JsonObject, KesselError, TENSORS } from "../../env/index.js";
import { playGames } from "../learn/play.js";
import { Minibatch, RolloutBuffer } from "../learn/rollout-buffer.js";
import { eightBit, type Range, wideInputs, withOutputs } from "../nets/eight-bit.js";

/** Decisions that the ranges of values are read from, and as many others that the two models are compared on. */
const POSITIONS = 4096;
const ROWS = 256;
/** Batch sizes whose speed is reported, and how it is measured: the two models in turn. */
const SPEED_ROWS = [1, 64];
const SPEED_TURNS = 5;
const SPEED_MS = 100;

/** How a model in 8 bits differs from its origin, on positions that its ranges were not read from. */
export interface Comparison {
  readonly positions: number;
  /** Share in which both prefer the same action. */
  readonly agreement: number;
  /** Mean difference of the values. */
  readonly value: number;
  /** Rows a second, by batch size, of the model and of its form in 8 bits. */
  readonly speeds: readonly { readonly rows: number; readonly before: number; readonly after: number }[];
}

/**
 * A model with its large layers in 8 bits. Ranges are read from games that it plays against itself, its actions drawn.
 * Golden pairs are left out: a rounding that another machine makes otherwise is larger than they allow.
 *
 * @param file the model's path, as agents name it
 * @throws KesselError `bad-model` when it has no large layers, or as `OnnxModel.load`
 */
export async function quantize(
  bytes: Uint8Array,
  game: Game,
  file: string,
  seed: string,
): Promise<{ bytes: Uint8Array; comparison: Comparison }> {
  const names = wideInputs(bytes);
  if (names.length === 0) throw new KesselError("bad-model", `${file} has no layers that are large enough for 8 bits`);
  const samples = await positionsOf(game, file, seed);
  const small = withMetadata(eightBit(bytes, await rangesOf(bytes, names, samples)));
  const comparison = await compare(bytes, small, samples, file);
  const trained: JsonObject = {
    method: "quantize",
    from: trainedOf(readModel(bytes, file), file),
    seed,
    agreement: comparison.agreement,
    value: comparison.value,
  };
  return { bytes: withMetadata(small, trained), comparison };
}

/** Decisions of the model's games against itself; seats that it doesn't play go to `random`. */
async function positionsOf(game: Game, file: string, seed: string): Promise<RolloutBuffer> {
  const samples = new RolloutBuffer(game);
  const agent = await makeAgent(`onnx:${file}?temperature=1`, { game, seed: `${seed}/agent` });
  const other = await makeAgent("random", { game, seed: `${seed}/random` });
  const plays = game.players.map((_, p) => agent.players?.includes(p) ?? true);
  try {
    for (let round = 0; samples.size < 2 * POSITIONS; round++)
      await playGames(game, {
        count: 64,
        width: 64,
        seed: (n) => `${seed}/${round}/${n}`,
        seats: () => plays.map((own) => (own ? agent : other)),
        onDecision: (_n, by, _row, state, actor, action) => void (by === agent && samples.add(state, actor, action)),
        onEnd: () => undefined,
      });
  } finally {
    await agent.close?.();
    await other.close?.();
  }
  return samples;
}

/** Loads `ROWS` of the samples at a time: those with even or odd numbers, evenly spread. */
async function eachBatch(samples: RolloutBuffer, odd: 0 | 1, use: (batch: Minibatch) => Promise<void>): Promise<void> {
  const batch = new Minibatch(samples.game, ROWS);
  const stride = Math.floor(samples.size / (2 * POSITIONS));
  for (let from = 0; from < POSITIONS; from += ROWS) {
    const order = Int32Array.from({ length: ROWS }, (_, i) => (2 * (from + i) + odd) * stride);
    batch.load(samples, order, 0, ROWS);
    await use(batch);
  }
}

async function rangesOf(
  bytes: Uint8Array,
  names: readonly string[],
  samples: RolloutBuffer,
): Promise<Map<string, Range>> {
  const { InferenceSession, Tensor } = await runtime();
  const session = await InferenceSession.create(withOutputs(bytes, names), SESSION_OPTIONS);
  const inputs = new Map(readModel(bytes, "the model").inputs.map(({ name, type }) => [name, type]));
  const ranges = new Map<string, [number, number]>();
  const { game } = samples;
  await eachBatch(samples, 0, async ({ observation, mask }) => {
    const feeds = Object.fromEntries(
      session.inputNames.map((name) => {
        const tensor = TENSORS.find((t) => t === name);
        const data = tensor === undefined ? mask : observation[tensor];
        const rows = tensor === "map" ? game.observation.mapRows.length : game.observation.unitRows.length;
        const dims =
          tensor === "map" || tensor === "units" ? [ROWS, rows, data.length / ROWS / rows] : [ROWS, data.length / ROWS];
        const type = data instanceof Float32Array ? "float32" : inputs.get(name) === "bool" ? "bool" : "uint8";
        return [name, new Tensor(type, data as Float32Array, dims)];
      }),
    );
    const found = await session.run(feeds);
    for (const name of names) {
      const values = (found[name]?.data ?? feeds[name]!.data) as Float32Array;
      const range = ranges.get(name) ?? [Infinity, -Infinity];
      for (const x of values) {
        range[0] = Math.min(range[0], x);
        range[1] = Math.max(range[1], x);
      }
      ranges.set(name, range);
    }
  });
  await session.release();
  return ranges;
}

async function compare(
  before: Uint8Array,
  after: Uint8Array,
  samples: RolloutBuffer,
  file: string,
): Promise<Comparison> {
  const { game } = samples;
  const models: OnnxModel[] = [];
  const A = game.actions.length;
  let same = 0;
  let value = 0;
  try {
    for (const bytes of [before, after]) models.push(await OnnxModel.load(bytes, game, file));
    const [a, b] = models as [OnnxModel, OnnxModel];
    await eachBatch(samples, 1, async ({ observation, mask }) => {
      const [x, y] = [await a.run(observation, mask, ROWS), await b.run(observation, mask, ROWS)];
      for (let i = 0; i < ROWS; i++) {
        if (argmaxLegal(x.policy, mask, i * A, A) === argmaxLegal(y.policy, mask, i * A, A)) same++;
        value += Math.abs(x.value[i]! - y.value[i]!);
      }
    });
    const speeds = [];
    for (const rows of SPEED_ROWS) speeds.push({ rows, ...(await speedsOf(a, b, samples, rows)) });
    return { positions: POSITIONS, agreement: same / POSITIONS, value: value / POSITIONS, speeds };
  } finally {
    for (const m of models) await m.close();
  }
}

/** Rows a second of two models, measured in turn. */
async function speedsOf(
  a: OnnxModel,
  b: OnnxModel,
  samples: RolloutBuffer,
  n: number,
): Promise<{ before: number; after: number }> {
  const { game } = samples;
  const mask = new Uint8Array(n * game.actions.length);
  const measured = [a, b].map((model) => {
    const { input, rows } = model.newRows(n);
    rows.forEach((row, i) => {
      game.observe(samples.state(i), samples.actor[i]!, row);
      game.legalMask(samples.state(i), mask, i * game.actions.length);
    });
    return { model, input, rows: 0, ms: 0 };
  });
  for (let turn = 0; turn < SPEED_TURNS; turn++)
    for (const m of measured) {
      const began = performance.now();
      for (let ms = 0; ms < SPEED_MS; ms = performance.now() - began) {
        await m.model.run(m.input, mask, n);
        m.rows += n;
      }
      m.ms += performance.now() - began;
    }
  const [before, after] = measured.map(({ rows, ms }) => (1000 * rows) / ms) as [number, number];
  return { before, after };
}

/** The model without golden pairs, or with other metadata about its making. */
function withMetadata(bytes: Uint8Array, trained?: JsonObject): Uint8Array {
  const model = fromBinary(ModelProtoSchema, bytes);
  model.metadataProps = model.metadataProps.filter(({ key }) => key !== META.golden && key !== META.trained);
  if (trained !== undefined)
    model.metadataProps.push(
      create(StringStringEntryProtoSchema, { key: META.trained, value: JSON.stringify(trained) }),
    );
  return toBinary(ModelProtoSchema, model);
}
