import type * as ort from "onnxruntime-node";
import { KesselError } from "../env/index.js";

export type Runtime = typeof ort;

/** Outputs of a model for n rows. */
export interface Evaluation {
  /** float32 [n, A]: logits; illegal entries may hold anything. */
  readonly policy: Float32Array;
  /** float32 [n]: expected return of the actor. */
  readonly value: Float32Array;
}

/** One input of a run. */
export interface Feed {
  readonly name: string;
  readonly type: "float32" | "uint8" | "bool";
  readonly data: Float32Array | Uint8Array;
  readonly dims: readonly number[];
}

/** Numbers in the outputs of a run. */
export interface OutputSizes {
  readonly policy: number;
  readonly value: number;
}

/** What is wrong with the number of outputs. */
export const wrongSizes = (found: OutputSizes, expected: OutputSizes): string =>
  `gave ${found.policy} numbers of policy and ${found.value} of value; ${expected.value} rows have ${expected.policy} and ${expected.value}`;

/** An ONNX file that can be run. */
export interface Session {
  /** Names of the inputs that a run needs. */
  readonly inputs: readonly string[];
  /**
   * @param expected how many numbers should come out; what runs in a process of its own sends no other number of them
   */
  run(feeds: readonly Feed[], expected: OutputSizes): Promise<Evaluation>;
  release(): Promise<void>;
}

/** One thread each: the server has others for other batches. */
export const SESSION_OPTIONS = {
  intraOpNumThreads: 1,
  interOpNumThreads: 1,
  graphOptimizationLevel: "all",
  logSeverityLevel: 3,
} as const;

let loading: Promise<Runtime> | undefined;

/**
 * onnxruntime-node is an optional dependency: it is loaded with the first model.
 *
 * @throws KesselError `missing-library`
 */
export function runtime(): Promise<Runtime> {
  loading ??= import("onnxruntime-node").catch((e: unknown) => {
    loading = undefined;
    throw new KesselError(
      "missing-library",
      `ONNX models need the package onnxruntime-node, which does not load here (npm install onnxruntime-node): ${String((e as Error).message).split("\n")[0]!}`,
    );
  });
  return loading;
}

/** A session in this thread, which a run blocks. @throws KesselError `missing-library`; Error for what doesn't run */
export async function openSession(bytes: Uint8Array): Promise<Session> {
  const library = await runtime();
  const session = await library.InferenceSession.create(bytes, SESSION_OPTIONS);
  return {
    inputs: session.inputNames,
    async run(feeds) {
      const tensors = feeds.map(({ name, type, data, dims }): [string, ort.Tensor] => [
        name,
        new library.Tensor(type, data as Float32Array, dims),
      ]);
      const results = await session.run(Object.fromEntries(tensors), ["policy", "value"]);
      return { policy: results["policy"]!.data as Float32Array, value: results["value"]!.data as Float32Array };
    },
    release: () => session.release(),
  };
}
