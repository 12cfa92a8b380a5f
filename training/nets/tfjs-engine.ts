import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import * as tf from "@tensorflow/tfjs";
import { setWasmPaths } from "@tensorflow/tfjs-backend-wasm";
import { KesselError, type Observation, type TensorName, tensorSizes } from "../../env/index.js";
import type { Engine, Evaluation, Feed, NetDefinition, Objective, Program } from "./engine.js";
import { rowFeatures, staticRows } from "./static-rows.js";
import {
  type AttentionShape,
  type Heads,
  ILLEGAL_LOGIT,
  type LossOps,
  type Matrix,
  type NeighbourLists,
  type PlaceKeys,
  placesOfColumns,
} from "./net-ops.js";

/** Trains with TensorFlow.js, on its native library or on WebAssembly. */
export class TfjsEngine implements Engine {
  private constructor(readonly label: string) {}

  /**
   * Once per process. The native addon is not built by `npm ci` (install scripts are off); `npm rebuild
   * @tensorflow/tfjs-node --ignore-scripts=false` fetches it where its servers can be reached.
   *
   * @throws KesselError `missing-library` when the native addon doesn't load
   */
  static async start(choice: "native" | "wasm"): Promise<TfjsEngine> {
    if (choice === "native") {
      const error = await loadNative();
      if (error !== null) throw new KesselError("missing-library", `@tensorflow/tfjs-node does not load: ${error}`);
    } else {
      const require = createRequire(import.meta.url);
      setWasmPaths(join(dirname(require.resolve("@tensorflow/tfjs-backend-wasm/package.json")), "wasm-out/"));
      await withoutHandlers(() => tf.setBackend("wasm"));
    }
    await tf.ready();
    installMatMulGradient();
    return new TfjsEngine(
      choice === "native" ? `native (tfjs-node ${tf.version.tfjs})` : `wasm (tfjs ${tf.version.tfjs})`,
    );
  }

  program(net: NetDefinition): Program {
    return new TfjsProgram(net);
  }
}

/** Removes the handlers of `uncaughtException` and `unhandledRejection` that the wasm module adds to the process. */
async function withoutHandlers(start: () => Promise<unknown>): Promise<void> {
  const events = ["uncaughtException", "unhandledRejection"];
  const before = events.map((e) => new Set(process.listeners(e as NodeJS.Signals)));
  await start();
  events.forEach((e, i) => {
    for (const l of process.listeners(e as NodeJS.Signals))
      if (!before[i]!.has(l)) process.removeListener(e, l as () => void);
  });
}

/** The package throws plain errors without a code when its addon is missing, so any error means "not here". */
async function loadNative(): Promise<string | null> {
  try {
    await import("@tensorflow/tfjs-node");
    await tf.setBackend("tensorflow");
    return null;
  } catch (e) {
    return String((e as Error).message).split("\n")[0]!;
  }
}

/**
 * Replaces the gradient of matMul. The library's own gradient passes transpose flags, which take the wasm kernel off
 * its fast path (6 times slower). Transposing first gives the same numbers. The change is global to the process, so
 * forward code must not use matMul's transpose flags.
 */
function installMatMulGradient(): void {
  tf.unregisterGradient("BatchMatMul");
  tf.registerGradient({
    kernelName: "BatchMatMul",
    inputsToSave: ["a", "b"],
    gradFunc: (dy, saved) => {
      const [a, b] = saved as [tf.Tensor, tf.Tensor];
      const d = dy as tf.Tensor;
      return { a: () => tf.matMul(d, lastTwoSwapped(b)), b: () => tf.matMul(lastTwoSwapped(a), d) };
    },
  });
}

function lastTwoSwapped(x: tf.Tensor): tf.Tensor {
  const axes = x.shape.map((_, i) => i);
  const n = axes.length;
  [axes[n - 2], axes[n - 1]] = [axes[n - 1]!, axes[n - 2]!];
  return tf.transpose(x, axes);
}

/** Operations on the rows of one step. */
class TfjsOps implements LossOps<tf.Tensor> {
  constructor(
    private readonly net: NetDefinition,
    private readonly variables: ReadonlyMap<string, tf.Variable>,
    private readonly size: number,
    private readonly observation: Observation,
    private readonly mask: Uint8Array,
    private readonly feed: Feed | null,
    private readonly objective: Objective | null,
  ) {}

  input(name: TensorName): tf.Tensor {
    const size = tensorSizes(this.net.game.observation)[name];
    return tf.tensor2d(this.observation[name].subarray(0, this.size * size), [this.size, size]);
  }

  column(name: string): tf.Tensor {
    const width = this.objective!.columns[name]!;
    return tf.tensor2d(this.feed!.columns[name]!.subarray(0, this.size * width), [this.size, width]);
  }

  scalar(name: string): tf.Tensor {
    return tf.scalar(this.feed!.scalars[name]!);
  }

  masked(logits: tf.Tensor): tf.Tensor {
    const A = this.net.game.actions.length;
    const shift = new Float32Array(this.size * A);
    for (let i = 0; i < shift.length; i++) shift[i] = this.mask[i] === 1 ? 0 : ILLEGAL_LOGIT;
    return tf.add(logits, tf.tensor2d(shift, [this.size, A]));
  }

  dense(x: tf.Tensor, layer: string): tf.Tensor {
    return tf.add(tf.matMul(x, this.variables.get(`${layer}/w`)!), this.variables.get(`${layer}/b`)!);
  }

  rows(name: "map" | "units"): tf.Tensor {
    const { game } = this.net;
    const width = rowFeatures(game, name);
    const fixed = staticRows(game, name);
    if (fixed === null) return tf.reshape(this.input(name), [-1, width]);
    const { length } = game.observation[name];
    const wide = tf.pad(tf.reshape(this.input(name), [-1, fixed.rows, length]), [[0, 0], [0, 0], [0, width - length]]); // prettier-ignore
    return tf.reshape(tf.add(wide, tf.tensor2d(fixed.data, [fixed.rows, width])), [-1, width]);
  }

  neighbourMatMul(x: tf.Tensor, { rows, columns, data }: Matrix): tf.Tensor {
    // one large multiplication: the library is slow at many small ones
    const n = x.shape[1]!;
    const columnsLast = tf.reshape(tf.transpose(tf.reshape(x, [-1, columns, n]), [0, 2, 1]), [-1, columns]);
    const mixed = tf.matMul(columnsLast, tf.transpose(tf.tensor2d(data, [rows, columns])));
    return tf.reshape(tf.transpose(tf.reshape(mixed, [-1, n, rows]), [0, 2, 1]), [-1, n]);
  }

  attention(query: tf.Tensor, key: tf.Tensor, value: tf.Tensor, shape: AttentionShape): tf.Tensor {
    const { queries, keys, heads } = shape;
    const n = query.shape[1]!;
    const split = (x: tf.Tensor, rows: number) =>
      tf.transpose(tf.reshape(x, [-1, rows, heads, n / heads]), [0, 2, 1, 3]);
    const scores = tf.matMul(split(tf.mul(query, Math.sqrt(heads / n)), queries), lastTwoSwapped(split(key, keys)));
    const heard = tf.matMul(tf.softmax(scores), split(value, keys));
    return tf.reshape(tf.transpose(heard, [0, 2, 1, 3]), [-1, n]);
  }

  neighbourMean(x: tf.Tensor, { rows, neighbours, neighbourOf, share }: NeighbourLists): tf.Tensor {
    const n = x.shape[1]!;
    if (neighbours.length === 0) return tf.mul(x, 0);
    const scaled = (y: tf.Tensor): tf.Tensor => tf.mul(y, tf.tensor2d(share, [rows, 1]));
    const grouped = (y: tf.Tensor): tf.Tensor3D => tf.reshape(y, [-1, rows, n]);
    const sums = (y: tf.Tensor, lists: readonly Int32Array[]): tf.Tensor => {
      const padded = tf.pad(y, [[0, 0], [0, 1], [0, 0]]); // prettier-ignore
      return tf.addN(lists.map((l) => tf.gather(padded, tf.tensor1d(l, "int32"), 1)));
    };
    return tf.customGrad((y) => ({
      value: tf.reshape(scaled(sums(grouped(y as tf.Tensor), neighbours)), [-1, n]),
      gradFunc: (dy: tf.Tensor) => tf.reshape(sums(scaled(grouped(dy)), neighbourOf), [-1, n]),
    }))(x);
  }

  poolRows(x: tf.Tensor, rows: number, how: "mean" | "max"): tf.Tensor {
    const n = x.shape[1]!;
    if (how === "mean") return tf.mean(tf.reshape(x, [-1, rows, n]), 1);
    return tf.customGrad((z, save) => {
      const grouped = tf.reshape(z as tf.Tensor, [-1, rows, n]);
      const largest = tf.max(grouped, 1, true);
      const ones = tf.cast(tf.equal(grouped, largest), "float32");
      (save as tf.GradSaveFunc)([ones]);
      return {
        value: tf.reshape(largest, [-1, n]),
        // rows that are equal share it
        gradFunc: (dy: tf.Tensor, [kept]: tf.Tensor[]) =>
          tf.reshape(tf.mul(kept!, tf.div(tf.reshape(dy, [-1, 1, n]), tf.sum(kept!, 1, true))), [-1, n]),
      };
    })(x);
  }

  pickColumns(x: tf.Tensor, columns: Int32Array): tf.Tensor {
    const width = x.shape[1]!;
    return tf.customGrad((y) => ({
      value: tf.gather(y as tf.Tensor, tf.tensor1d(columns, "int32"), 1),
      gradFunc: (dy: tf.Tensor) => {
        const padded = tf.pad(dy, [[0, 0], [0, 1]]); // prettier-ignore
        return tf.gather(padded, tf.tensor1d(placesOfColumns(columns, width), "int32"), 1);
      },
    }))(x);
  }

  atPlaces(x: tf.Tensor, from: "map" | "units", keys: PlaceKeys): tf.Tensor {
    const n = x.shape[1]!;
    const there = this.whoIsWhere(keys);
    const heard =
      from === "map"
        ? tf.matMul(there, tf.reshape(x, [-1, keys.places, n]))
        : tf.matMul(lastTwoSwapped(there), tf.reshape(x, [-1, keys.units, n]));
    return tf.reshape(heard, [-1, n]);
  }

  /** `[B, units, places]`: 1 where the unit is at the place. */
  private whoIsWhere({ units, features, values }: PlaceKeys): tf.Tensor {
    const rows = tf.reshape(this.input("units"), [this.size, units, -1]);
    const equal = features.map((f, k) =>
      tf.equal(tf.slice(rows, [0, 0, f], [-1, -1, 1]), tf.tensor3d(values[k]!, [1, 1, values[k]!.length])),
    );
    return tf.cast(equal.reduce((a, b) => tf.logicalAnd(a, b)), "float32"); // prettier-ignore
  }

  flattenRows = (x: tf.Tensor, rows: number): tf.Tensor => tf.reshape(x, [-1, rows * x.shape[1]!]);
  repeatRows = (x: tf.Tensor, rows: number): tf.Tensor =>
    tf.reshape(tf.tile(tf.reshape(x, [-1, 1, x.shape[1]!]), [1, rows, 1]), [-1, x.shape[1]!]);
  matMul = (x: tf.Tensor, { rows, columns, data }: Matrix): tf.Tensor =>
    tf.matMul(x, tf.tensor2d(data, [rows, columns]));
  concat = (parts: readonly tf.Tensor[]): tf.Tensor => tf.concat([...parts], 1);
  relu = (x: tf.Tensor): tf.Tensor => tf.relu(x);
  tanh = (x: tf.Tensor): tf.Tensor => tf.tanh(x);
  add = (a: tf.Tensor, b: tf.Tensor): tf.Tensor => tf.add(a, b);
  sub = (a: tf.Tensor, b: tf.Tensor): tf.Tensor => tf.sub(a, b);
  mul = (a: tf.Tensor, b: tf.Tensor): tf.Tensor => tf.mul(a, b);
  scale = (x: tf.Tensor, by: number): tf.Tensor => tf.mul(x, by);
  addScalar = (x: tf.Tensor, by: number): tf.Tensor => tf.add(x, by);
  exp = (x: tf.Tensor): tf.Tensor => tf.exp(x);
  min = (a: tf.Tensor, b: tf.Tensor): tf.Tensor => tf.minimum(a, b);
  clip = (x: tf.Tensor, low: number, high: number): tf.Tensor => tf.clipByValue(x, low, high);
  logSoftmax = (x: tf.Tensor): tf.Tensor => tf.logSoftmax(x);
  sumRows = (x: tf.Tensor): tf.Tensor => tf.sum(x, 1, true);
  mean = (x: tf.Tensor): tf.Tensor => tf.mean(x);
}

class TfjsProgram implements Program {
  private readonly variables: ReadonlyMap<string, tf.Variable>;

  constructor(private readonly net: NetDefinition) {
    const { params } = net;
    this.variables = new Map(
      params.specs.map((s) => {
        const first = tf.tensor(params.views.get(s.name)!, [...s.shape]);
        const variable = tf.variable(first);
        first.dispose(); // the variable has its own reference
        return [s.name, variable];
      }),
    );
  }

  async evaluate(observation: Observation, mask: Uint8Array, n: number): Promise<Evaluation> {
    const [policy, value] = tf.tidy(() => {
      const { logits, value } = this.heads(new TfjsOps(this.net, this.variables, n, observation, mask, null, null));
      return [logits, value];
    });
    const result = { policy: await policy.data<"float32">(), value: await value.data<"float32">() };
    tf.dispose([policy, value]);
    return result;
  }

  async gradient(objective: Objective, feed: Feed, out: Float32Array): Promise<Record<string, number>> {
    const ops = new TfjsOps(this.net, this.variables, feed.rows, feed.observation, feed.mask, feed, objective);
    let losses: Readonly<Record<string, tf.Tensor>> = {};
    const { value, grads } = tf.variableGrads(() => {
      const built = objective.build(ops, this.heads(ops));
      losses = built;
      for (const t of Object.values(losses)) tf.keep(t);
      return built.total as tf.Scalar;
    }, [...this.variables.values()]);
    let at = 0;
    for (const v of this.variables.values()) {
      const g = grads[v.name]; // absent: the objective doesn't use this layer
      out.set(g === undefined ? new Float32Array(v.size) : await g.data<"float32">(), at);
      at += v.size;
      g?.dispose();
    }
    const numbers: Record<string, number> = {};
    for (const [name, t] of Object.entries(losses)) {
      numbers[name] = (await t.data<"float32">())[0]!;
      t.dispose();
    }
    value.dispose();
    return numbers;
  }

  upload(): void {
    for (const s of this.net.params.specs) {
      const fresh = tf.tensor(this.net.params.views.get(s.name)!, [...s.shape]);
      this.variables.get(s.name)!.assign(fresh);
      fresh.dispose();
    }
  }

  dispose(): void {
    for (const v of this.variables.values()) v.dispose();
  }

  private heads(ops: TfjsOps): Heads<tf.Tensor> {
    const heads = this.net.build(ops);
    return { ...heads, logits: ops.masked(heads.logits) };
  }
}
