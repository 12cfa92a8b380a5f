import type { Game, Observation } from "../../env/index.js";
import type { NetSpec } from "./architecture.js";
import type { Heads, LossOps, NetOps } from "./net-ops.js";
import type { Params } from "./params.js";

/** What an engine needs of a net: its weights, and the function that it computes, over any operations. */
export interface NetDefinition {
  readonly game: Game;
  readonly spec: NetSpec;
  readonly params: Params;
  build<X>(ops: NetOps<X>): Heads<X>;
}

/** A loss, independent of the engine. Made once and used for every step. */
export interface Objective {
  /** Widths of the inputs per row besides observation and mask, by name. */
  readonly columns: Readonly<Record<string, number>>;
  /** Names of inputs that hold for a whole step. */
  readonly scalars: readonly string[];
  /** Losses by name, all scalars; `total` is minimised. The logits of `heads` are masked. */
  build<X>(ops: LossOps<X>, heads: Heads<X>): { readonly total: X; readonly [name: string]: X };
}

/** Inputs of an objective: `rows` decisions. Arrays may be longer. */
export interface Feed {
  readonly rows: number;
  readonly observation: Observation;
  /** uint8 [rows, A] */
  readonly mask: Uint8Array;
  /** float32 [rows, width] each */
  readonly columns: Readonly<Record<string, Float32Array>>;
  readonly scalars: Readonly<Record<string, number>>;
}

/** Policy `[n, A]` (illegal actions at `ILLEGAL_LOGIT`) and value `[n]`, float32. */
export interface Evaluation {
  readonly policy: Float32Array;
  readonly value: Float32Array;
}

/** A net compiled for an engine. */
export interface Program {
  /** Runs the net on the first `n` rows. */
  evaluate(observation: Observation, mask: Uint8Array, n: number): Promise<Evaluation>;
  /** Writes the gradient of the objective's total into `out`, in the order of the weights. @returns the losses */
  gradient(objective: Objective, feed: Feed, out: Float32Array): Promise<Record<string, number>>;
  /** Call after the weights in `net.params` have changed. */
  upload(): void;
  dispose(): void;
}

/** A library that computes nets and their gradients. */
export interface Engine {
  /** Shown in output and model cards: `wasm (tfjs 4.22.0)`. */
  readonly label: string;
  program(net: NetDefinition): Program;
}
