import type { Observation } from "../../env/index.js";
import type { Net } from "./net.js";
import type { Heads, LossOps } from "./net-ops.js";

/** A function of a net that is to be minimised, on whatever engine. Made once and used for every step. */
export interface Objective {
  /** Numbers for each row besides observation and mask, by name with their widths. */
  readonly columns: Readonly<Record<string, number>>;
  /** Names of numbers that hold for a whole step. */
  readonly scalars: readonly string[];
  /** Losses by name, all scalars; `total` is what is minimised. Heads come with illegal actions masked. */
  build<X>(ops: LossOps<X>, heads: Heads<X>): { readonly total: X; readonly [name: string]: X };
}

/** What an objective is evaluated on: `rows` decisions. Arrays may be longer than that. */
export interface Feed {
  readonly rows: number;
  readonly observation: Observation;
  /** uint8 [rows, A] */
  readonly mask: Uint8Array;
  /** float32 [rows, width] each */
  readonly columns: Readonly<Record<string, Float32Array>>;
  readonly scalars: Readonly<Record<string, number>>;
}

/** Policy `[n, A]` (illegal actions at `ILLEGAL`) and value `[n]`, float32. */
export interface Evaluation {
  readonly policy: Float32Array;
  readonly value: Float32Array;
}

/** A net on an engine. */
export interface Program {
  /** Runs the net on the first `n` rows. */
  evaluate(observation: Observation, mask: Uint8Array, n: number): Promise<Evaluation>;
  /** Writes the gradient of the objective's total into `out`, in the order of the weights. @returns the losses */
  gradient(objective: Objective, feed: Feed, out: Float32Array): Promise<Record<string, number>>;
  /** To be called when the weights in `net.params` have changed. */
  upload(): void;
  dispose(): void;
}

/** A library that computes nets and their gradients. */
export interface Engine {
  /** As printed and written into cards: `wasm (tfjs 4.22.0)`. */
  readonly label: string;
  program(net: Net): Program;
}
