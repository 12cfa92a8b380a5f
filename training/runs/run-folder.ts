import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { z } from "zod";
import { type Game, KesselError, oneOf, parseWith, schemaHash, shown } from "../../env/index.js";
import { BACKENDS } from "../nets/backend.js";
import { type Checkpoint, loadCheckpoint, saveCheckpoint, writeAtomic } from "../learn/checkpoint.js";
import { expertSchema } from "../learn/expert.js";
import { imitateSchema } from "../learn/imitate.js";
import { Metrics } from "./metrics.js";
import { ppoSchema } from "../learn/ppo.js";

const options = z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]));

const common = {
  game: z.string(),
  /** Options of the game; the others have their defaults. */
  options: options.default({}),
  seed: z.union([z.string(), z.number()]).transform(String).default("0"),
  backend: z.enum(BACKENDS).default("auto"),
};

/** Configuration of an imitation run. */
export const imitateRunSchema = z.strictObject({
  method: z.literal("imitate"),
  ...common,
  /** The agent to be imitated: one for all seats, or one for each. */
  experts: z.array(z.string()).min(1),
  games: z.number().int().min(1).default(2000),
  /** Share of random decisions in every second game of a seat, see learn/record.ts. Formerly `noise`. */
  epsilon: z.number().min(0).max(1).default(0.15),
  /**
   * The agent that plays every second game of a seat while the experts label its decisions (DAgger), so that the
   * recording covers positions that a net's own mistakes lead to. Null: the experts play. Formerly `wanderer`.
   */
  rolloutPolicy: z.string().nullable().default(null),
  /** Seats whose decisions are learnt from; empty: all. The net can play the other seats too, untrained. */
  learnt: z.array(z.string()).default([]),
  /** Further fights of the game that the same net learns, each with its experts; the net's kind is `pooled`. */
  fights: z
    .array(
      z.strictObject({
        options,
        experts: z.array(z.string()).min(1),
        rolloutPolicy: z.string().nullable().default(null),
        games: z.number().int().min(1),
        /** That of `imitate` by default; large maps need smaller ones. */
        minibatch: z.number().int().min(1).optional(),
      }),
    )
    .optional(),
  imitate: imitateSchema.prefault({}),
});
export type ImitateRunConfig = z.infer<typeof imitateRunSchema>;

/** What every method of self-play has. */
const selfPlay = {
  ...common,
  /** A model to begin with, of the same net or one with narrower layers; null begins at random. */
  warmStart: z.string().nullable().default(null),
  /** Updates between checkpoints. */
  checkpointEvery: z.number().int().min(1).default(10),
  /**
   * Evaluation while training: updates between evaluations, and games against each of these agents; in games for one,
   * games alone.
   */
  evaluate: z
    .strictObject({
      every: z.number().int().min(1).default(50),
      games: z.number().int().min(2).default(200),
      against: z.array(z.string()).default(["random"]),
    })
    .prefault({}),
};

/** Configuration of a run of PPO. */
export const ppoRunSchema = z.strictObject({
  method: z.literal("ppo"),
  ...selfPlay,
  /** Further fights of the game that the same net learns, each with its opponents; the net's kind is `pooled`. */
  fights: z
    .array(
      z.strictObject({
        options,
        opponents: z.array(z.string()).default([]),
        /** Those of `ppo` by default; large maps need smaller minibatches. */
        games: z.number().int().min(2).optional(),
        minibatch: z.number().int().min(1).optional(),
      }),
    )
    .optional(),
  ppo: ppoSchema.prefault({}),
});

/** Configuration of a run of expert iteration. */
export const expertRunSchema = z.strictObject({
  method: z.literal("expert"),
  ...selfPlay,
  expert: expertSchema.prefault({}),
});

/** Configuration of a run that learns by playing itself. */
export const selfPlayRunSchema = z.discriminatedUnion("method", [ppoRunSchema, expertRunSchema]);
export type SelfPlayRunConfig = z.infer<typeof selfPlayRunSchema>;

/** What the configurations of all runs have. */
export const anyRunSchema = z.looseObject({ method: z.enum(["imitate", "ppo", "expert"]), game: z.string() });

/** Keys of version 0.1 and what they are called now. */
const RENAMED = { noise: "epsilon", wanderer: "rolloutPolicy" } as const;

/** @throws KesselError `bad-config` naming the key that is unknown or wrong */
export function parseRun<T>(schema: z.ZodType<T>, value: unknown): T {
  return parseWith(schema, withCurrentKeys(value), "bad-config", "configuration");
}

/**
 * @throws KesselError `bad-config` when a value is given under both its names
 */
function withCurrentKeys(value: unknown): unknown {
  if (value === null || typeof value !== "object") return value;
  const config: Record<string, unknown> = { ...value };
  if (config["method"] !== "imitate") return config;
  for (const [old, current] of Object.entries(RENAMED)) {
    if (!Object.hasOwn(config, old)) continue;
    if (Object.hasOwn(config, current))
      throw new KesselError("bad-config", `configuration: ${old} is the old name of ${current}; give only ${current}`);
    config[current] = config[old];
    delete config[old];
  }
  return config;
}

/**
 * The folder of a run: `config.json` with every value, metrics (metrics.ts), `checkpoint.bin` to resume from, and
 * `models` with the nets that were evaluated.
 */
export class RunFolder {
  readonly metrics: Metrics;
  private readonly configFile: string;
  private readonly checkpointFile: string;

  constructor(readonly path: string) {
    this.configFile = join(path, "config.json");
    this.metrics = new Metrics(path);
    this.checkpointFile = join(path, "checkpoint.bin");
  }

  /** Begins a run. @throws KesselError `bad-config` when the folder holds another */
  begin(config: object): void {
    if (existsSync(this.configFile))
      throw new KesselError(
        "bad-config",
        `${this.path} holds a run already; --resume goes on with it, or name another folder`,
      );
    mkdirSync(this.path, { recursive: true });
    writeAtomic(this.configFile, `${JSON.stringify(config, null, 2)}\n`);
  }

  /** The configuration of the run in this folder. @throws KesselError `bad-config` */
  config<T>(schema: z.ZodType<T>): T {
    let text: string;
    try {
      text = readFileSync(this.configFile, "utf8");
    } catch {
      throw new KesselError("bad-config", `${this.path} holds no run`);
    }
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch (e) {
      throw new KesselError("bad-config", `${this.configFile} is not JSON: ${(e as Error).message}`);
    }
    return parseRun(schema, value);
  }

  save(game: Game, checkpoint: Checkpoint): void {
    saveCheckpoint(this.checkpointFile, { ...checkpoint, facts: { ...checkpoint.facts, schema: schemaHash(game) } });
  }

  /**
   * The last checkpoint; null when the run ended before its first. Removes metrics and models that were written after
   * it, since the run writes them again, and unfinished temporary files.
   *
   * @param at name of the fact that counts updates or epochs
   * @throws KesselError `bad-config` for a damaged file or one of another schema
   */
  load(game: Game, at: string): Checkpoint | null {
    const saved = existsSync(this.checkpointFile) ? loadCheckpoint(this.checkpointFile) : null;
    if (saved !== null && saved.facts["schema"] !== schemaHash(game))
      throw new KesselError(
        "bad-config",
        `${this.checkpointFile} is of schema ${String(saved.facts["schema"])}, ${game.type.id} has schema ${schemaHash(game)}`,
      );
    const done = saved === null ? 0 : (saved.facts[at] as number);
    const models = join(this.path, "models");
    for (const folder of [this.path, models].filter((f) => existsSync(f)))
      for (const name of readdirSync(folder)) if (name.endsWith(".tmp")) rmSync(join(folder, name));
    for (const { name } of this.models()) if (parseInt(name, 10) > done) rmSync(join(models, name));
    this.metrics.truncate(done);
    return saved;
  }

  /** Models that the run has written, in their order. */
  models(): { readonly name: string; readonly bytes: number }[] {
    const folder = join(this.path, "models");
    const names = existsSync(folder)
      ? readdirSync(folder)
          .filter((f) => /^\d+\.onnx$/.test(f))
          .sort()
      : [];
    return names.flatMap((name) => {
      const found = statSync(join(folder, name), { throwIfNoEntry: false }); // it may be gone since
      return found === undefined ? [] : [{ name, bytes: found.size }];
    });
  }

  /**
   * A model that the run has written.
   *
   * @param name file name; the last one by default
   * @throws KesselError `bad-model` when there is none
   */
  model(name?: string): { readonly name: string; readonly update: number; readonly bytes: Uint8Array } {
    const models = join(this.path, "models");
    const names = this.models().map((m) => m.name);
    const chosen = name ?? names.at(-1);
    if (chosen === undefined || !names.includes(chosen))
      throw new KesselError(
        "bad-model",
        `${models} has ${chosen === undefined ? "no model yet" : `no model ${shown(chosen)}; it has ${oneOf(names)}`}`,
      );
    return {
      name: chosen,
      update: Number.parseInt(chosen, 10),
      bytes: new Uint8Array(readFileSync(join(models, chosen))),
    };
  }

  /**
   * The metrics up to an update, by default all: `metrics.jsonl`, compressed by gzip. Equal metrics give equal bytes.
   */
  curve(updates = Infinity): Uint8Array {
    const lines = this.metrics.read().filter(({ at }) => at <= updates);
    return gzipSync(lines.map((line) => `${JSON.stringify(line)}\n`).join(""), { level: 9 });
  }

  /** What the run had done after `updates` updates. */
  totals(updates: number): Record<"updates" | "games" | "decisions" | "samples" | "hours", number> {
    const sum = { updates, games: 0, decisions: 0, samples: 0, hours: 0 };
    for (const line of this.metrics.read()) {
      const m = line as unknown as Record<"at" | "games" | "decisions" | "samples" | "seconds", number>;
      if (m.at > updates) continue;
      sum.games += m.games;
      sum.decisions += m.decisions;
      sum.samples += m.samples;
      sum.hours += m.seconds / 3600;
    }
    return sum;
  }
}
