import { type Game, type JsonObject, loadGame, type Options } from "../../env/index.js";
import type { AllReduce } from "../learn/allreduce.js";
import type { Checkpoint } from "../learn/checkpoint.js";
import { ExpertIteration, expertMemory } from "../learn/expert.js";
import { Fights } from "../learn/fights.js";
import { Ppo } from "../learn/ppo.js";
import type { ReplayMemory } from "../learn/replay.js";
import type { Net } from "../nets/net.js";
import type { SelfPlayRunConfig } from "./run-folder.js";

/** What trains a net by playing, in updates. */
export interface Trainer {
  readonly net: Net;
  /** Number of finished updates. */
  readonly update: number;
  /** Checks the other agents it needs; the first `step` does it otherwise. */
  prepare?(): Promise<void>;
  step(): Promise<JsonObject>;
  save(): Checkpoint;
  restore(saved: Checkpoint): void;
  /** True when every learner continues. A collective call. */
  allContinue(continues: boolean): boolean;
  /** Of the last update, what depends on the machine, besides its seconds. */
  speeds?(seconds: number): JsonObject;
  /** What an evaluation reports of the trainer besides the net's results. */
  standing?(): JsonObject;
}

/** The values of a run's method that every method has. */
export const methodOf = (config: SelfPlayRunConfig) => (config.method === "ppo" ? config.ppo : config.expert);

/** Memory that the learners of a run share besides what `AllReduce` has. */
export const trainerMemory = (game: Game, config: SelfPlayRunConfig): readonly ReplayMemory[] =>
  config.method === "ppo" ? [] : expertMemory(game, config.expert);

/** @throws KesselError `bad-config` */
export function makeTrainer(
  game: Game,
  config: SelfPlayRunConfig,
  allReduce: AllReduce,
  memory: readonly ReplayMemory[],
): Trainer {
  if (config.method !== "ppo") return new ExpertIteration(game, config.expert, config.seed, allReduce, memory);
  const first = new Ppo(game, config.ppo, config.seed, allReduce);
  if (config.fights === undefined) return first;
  const parts = new Map([[nameOf(config.options), first]]);
  for (const { options, ...own } of config.fights) {
    const name = nameOf(options);
    const settings = { ...config.ppo, ...defined(own) };
    parts.set(name, new Ppo(loadGame(config.game, options), settings, `${config.seed}/${name}`, allReduce, first));
  }
  return new Fights(parts);
}

/** A fight by its options: `scenario=sandbox-3`. */
const nameOf = (options: Options): string =>
  Object.entries(options)
    .map(([id, value]) => `${id}=${value}`)
    .join(",");

const defined = <T extends object>(values: T): { [K in keyof T]?: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as never;
