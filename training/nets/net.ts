import type { Game, Observation, Seed } from "../../env/index.js";
import { type Architecture, architectureOf, type NetSpec } from "./architecture.js";
import { engine } from "./backend.js";
import type { Evaluation, Program } from "./engine.js";
import type { Heads, Ops } from "./net-ops.js";
import { Params } from "./params.js";

/** A policy-value net for one game: its weights, and the net as a program of the engine. `startBackend` comes first. */
export class Net {
  readonly params: Params;
  readonly program: Program;
  private readonly architecture: Architecture;

  constructor(
    readonly game: Game,
    readonly spec: NetSpec,
    seed: Seed,
  ) {
    this.architecture = architectureOf(game, spec);
    this.params = new Params(this.architecture.params);
    this.params.start(seed);
    this.program = engine().program(this);
  }

  /** Writes the net down with other operations. */
  build<X>(ops: Ops<X>): Heads<X> {
    return this.architecture.build(ops);
  }

  /** To be called when the weights in `params` have changed. */
  upload(): void {
    this.program.upload();
  }

  /** Runs the net on the first `n` rows. */
  evaluate(observation: Observation, mask: Uint8Array, n: number): Promise<Evaluation> {
    return this.program.evaluate(observation, mask, n);
  }

  dispose(): void {
    this.program.dispose();
  }
}
