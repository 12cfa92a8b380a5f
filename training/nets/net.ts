import { type Game, KesselError, type Observation, type Seed } from "../../env/index.js";
import { type Architecture, architectureOf, type NetSpec } from "./architecture.js";
import { engine } from "./backend.js";
import type { Evaluation, NetDefinition, Program } from "./engine.js";
import type { Heads, NetOps } from "./net-ops.js";
import { Params, type ParamSpec } from "./params.js";

/** A policy-value net for one game: its weights and its program on the engine. Needs `startBackend`. */
export class Net implements NetDefinition {
  readonly params: Params;
  readonly program: Program;
  private readonly architecture: Architecture;
  /** All nets with these weights. */
  private readonly family: Set<Net>;

  /** @param seed of the first weights; or a net of another fight, whose weights this one shares from then on */
  constructor(
    readonly game: Game,
    readonly spec: NetSpec,
    seed: Seed | Net,
  ) {
    this.architecture = architectureOf(game, spec);
    if (seed instanceof Net) {
      checkSameWeights(this.architecture, seed);
      this.params = seed.params;
      this.family = seed.family;
    } else {
      this.params = new Params(this.architecture.params);
      this.params.initialise(seed);
      this.family = new Set();
    }
    this.family.add(this);
    this.program = engine().program(this);
  }

  /** The net as a function over any operations. */
  build<X>(ops: NetOps<X>): Heads<X> {
    return this.architecture.build(ops);
  }

  /** Call after the weights in `params` have changed. */
  upload(): void {
    for (const net of this.family) net.program.upload();
  }

  /** Runs the net on the first `n` rows. */
  evaluate(observation: Observation, mask: Uint8Array, n: number): Promise<Evaluation> {
    return this.program.evaluate(observation, mask, n);
  }

  dispose(): void {
    this.family.delete(this);
    this.program.dispose();
  }
}

/** @throws KesselError `bad-config` where the weights of the one don't fit the other */
function checkSameWeights({ params }: Architecture, other: Net): void {
  const shapes = (specs: readonly ParamSpec[]): string => JSON.stringify(specs.map(({ name, shape }) => [name, shape]));
  if (shapes(params) !== shapes(other.params.specs))
    throw new KesselError(
      "bad-config",
      `configuration: a net of kind ${other.spec.kind} has other weights in each fight, so it can't learn several; one of kind pooled can`,
    );
}
