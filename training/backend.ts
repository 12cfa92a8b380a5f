import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import * as tf from "@tensorflow/tfjs";
import { setWasmPaths } from "@tensorflow/tfjs-backend-wasm";
import { KesselError } from "../env/index.js";

/** Where tensors are computed. `auto` takes the native library when its addon loads, else WebAssembly. */
export type BackendChoice = "auto" | "native" | "wasm";
export const BACKENDS: readonly BackendChoice[] = ["auto", "native", "wasm"];

/** The backend in use, as printed: `native (tfjs-node 4.22.0)` or `wasm (tfjs 4.22.0)`. */
let current: string | undefined;

/**
 * Starts TensorFlow.js, once per process, and says on what it runs.
 *
 * The native addon is not built by `npm ci` (install scripts are off); `npm rebuild @tensorflow/tfjs-node
 * --ignore-scripts=false` fetches it where its servers can be reached.
 *
 * @throws KesselError `missing-library` when `native` was asked for and doesn't load
 */
export async function startBackend(choice: BackendChoice = "auto"): Promise<string> {
  if (current !== undefined) return current;
  const native = choice === "wasm" ? null : await loadNative();
  if (native !== null && native.error !== undefined && choice === "native") throw new KesselError("missing-library", `@tensorflow/tfjs-node does not load: ${native.error}`);
  if (native !== null && native.error === undefined) {
    current = `native (tfjs-node ${tf.version.tfjs})`;
  } else {
    const require = createRequire(import.meta.url);
    setWasmPaths(join(dirname(require.resolve("@tensorflow/tfjs-backend-wasm/package.json")), "wasm-out/"));
    await withoutHandlers(() => tf.setBackend("wasm"));
    current = `wasm (tfjs ${tf.version.tfjs})`;
  }
  await tf.ready();
  installMatMulGradient();
  return current;
}

/** The wasm module hooks `uncaughtException` and `unhandledRejection` of the whole process, to throw again; that is undone. */
async function withoutHandlers(start: () => Promise<unknown>): Promise<void> {
  const events = ["uncaughtException", "unhandledRejection"];
  const before = events.map((e) => new Set(process.listeners(e as NodeJS.Signals)));
  await start();
  events.forEach((e, i) => {
    for (const l of process.listeners(e as NodeJS.Signals)) if (!before[i]!.has(l)) process.removeListener(e, l as () => void);
  });
}

/** The package throws plain errors without a code when its addon is missing, so any error means "not here". */
async function loadNative(): Promise<{ error?: string }> {
  try {
    await import("@tensorflow/tfjs-node");
    await tf.setBackend("tensorflow");
    return {};
  } catch (e) {
    return { error: String((e as Error).message).split("\n")[0]! };
  }
}

/**
 * Replaces the gradient of matMul. The stock one passes transpose flags, with which the wasm kernel leaves its fast path
 * and takes 6 times as long; transposing first gives the same numbers. This is global to the process: no forward code
 * may use matMul's own flags, and none here does.
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

export { tf };
