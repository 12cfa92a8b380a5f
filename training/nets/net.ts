import type { Game, Observation, Seed } from "../../env/index.js";
import { type Architecture, architectureOf, type NetSpec } from "./architecture.js";
import { engine } from "./backend.js";
import type { Evaluation, NetDefinition, Program } from "./engine.js";
import type { Heads, NetOps } from "./net-ops.js";
import { Params } from "./params.js";

/** A policy-value net for one game: its weights and its program on the engine. Needs `startBackend`. */
export class Net implements NetDefinition {
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
    this.params.initialise(seed);
    this.program = engine().program(this);
  }

  /** The net as a function over any operations. */
  build<X>(ops: NetOps<X>): Heads<X> {
    return this.architecture.build(ops);
  }

  /** Call after the weights in `params` have changed. */
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
