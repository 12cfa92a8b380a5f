import { KesselError } from "../../env/index.js";
import type { Engine } from "./engine.js";

/**
 * Libraries that compute nets while training. `auto` takes the first that loads of `onnx`, `native`, `wasm`, the
 * fastest first.
 */
export const BACKENDS = ["auto", "onnx", "native", "wasm"] as const;
export type BackendChoice = (typeof BACKENDS)[number];

let current: { readonly choice: BackendChoice; readonly engine: Engine } | undefined;

/**
 * Starts the engine of the process and returns its label: `onnx` is ONNX Runtime, `native` TensorFlow.js with its
 * native library, `wasm` TensorFlow.js on WebAssembly.
 *
 * @throws KesselError `missing-library` when the requested library does not load
 */
export async function startBackend(choice: BackendChoice = "auto"): Promise<string> {
  if (current?.choice !== choice) current = { choice, engine: await start(choice) };
  return current.engine.label;
}

async function start(choice: BackendChoice): Promise<Engine> {
  if (choice === "onnx") return (await import("./onnx-engine.js")).OnnxEngine.start();
  if (choice !== "auto") return (await import("./tfjs-engine.js")).TfjsEngine.start(choice);
  for (const one of BACKENDS.slice(1))
    try {
      return await start(one);
    } catch (e) {
      if (!(e instanceof KesselError) || e.code !== "missing-library") throw e;
    }
  throw new KesselError("missing-library", "no training library loads; run npm ci to install them");
}

/** The engine in use. */
export function engine(): Engine {
  if (current === undefined) throw new Error("call startBackend before the first net is made");
  return current.engine;
}
