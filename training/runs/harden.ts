import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { type Game, type Json, type JsonObject, KesselError, parseWith } from "../../env/index.js";
import { arena } from "../arena/arena.js";
import { writeAtomic } from "../learn/checkpoint.js";
import { ppoSchema } from "../learn/ppo.js";
import { BACKENDS } from "../nets/backend.js";
import { netSchema } from "../nets/architecture.js";
import { differenceInterval, type Interval } from "../report/stats.js";
import { table } from "../report/table.js";
import { parseRun, ppoRunSchema, RunFolder } from "./run-folder.js";
import { type TrainingCallbacks, trainSelfPlay } from "./train-self-play.js";

const START = ["warm", "scratch"] as const;
/** Values of a run of PPO; whom it meets, its net and its seats are the command's. */
const ppoValues = z
  .record(z.string(), z.json())
  .refine((v) => Object.keys(v).every((key) => key in ppoSchema.shape), "a value that PPO doesn't have")
  .default({});

/**
 * Configuration of `kessel train harden`: policy-space response oracles (Lanctot et al. 2017) with one oracle a seat.
 * In each round nets are trained to answer the model, a seat each; where one gains too much, it joins the model's
 * opponents, and the model goes on.
 */
export const hardenSchema = z.strictObject({
  method: z.literal("harden"),
  game: z.string(),
  options: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).default({}),
  seed: z.union([z.string(), z.number()]).transform(String).default("harden"),
  backend: z.enum(BACKENDS).default("auto"),
  /** The model to be hardened. */
  model: z.string(),
  net: netSchema,
  /** Values of PPO for the nets that answer it, and for the model while it goes on. */
  exploiter: ppoValues,
  commander: ppoValues,
  /** What the nets that answer begin with: the model's weights, or none. */
  starts: z.array(z.enum(START)).min(1).default(["warm"]),
  /** Further opponents of the model, such as scripts, so that it forgets nothing. */
  pool: z.array(z.string()).default([]),
  /** A gain up to this is small enough, and its upper end up to `bound`, in points of 0 to 1. */
  gain: z.number().min(0).max(1).default(0.05),
  bound: z.number().min(0).max(1).default(0.1),
  /** Most rounds. */
  rounds: z.number().int().min(1).default(8),
  /** Games of each match that measures. */
  measure: z
    .strictObject({ games: z.number().int().min(2).default(1000), jobs: z.number().int().min(1).max(64).default(1) })
    .prefault({}),
});
export type HardenConfig = z.infer<typeof hardenSchema>;

const interval = z.tuple([z.number(), z.number()]);
const pointsSchema = z.strictObject({ score: z.number(), interval });
const roundSchema = z.strictObject({
  /** The model of the round, as the folder names it. */
  model: z.string(),
  /** By seat: its points against itself, and against the model that the first round had. */
  mirror: z.record(z.string(), pointsSchema),
  first: z.record(z.string(), pointsSchema),
  answers: z.array(
    z.strictObject({
      seat: z.string(),
      start: z.enum(START),
      model: z.string(),
      ...pointsSchema.shape,
      /** Its points beyond the mirror's in that seat. */
      gain: z.number(),
      gainInterval: interval,
    }),
  ),
});
export type HardenRound = z.infer<typeof roundSchema>;
type Points = z.infer<typeof pointsSchema>;

/** What a folder has of a hardening: the configuration in `harden.json`, and a folder for each round. */
export class HardenFolder {
  constructor(readonly path: string) {}

  private get file(): string {
    return join(this.path, "harden.json");
  }

  /** @throws KesselError `bad-config` when the folder holds one already */
  begin(config: HardenConfig): void {
    if (existsSync(this.file))
      throw new KesselError(
        "bad-config",
        `${this.path} holds a hardening already; --resume goes on with it, or name another folder`,
      );
    mkdirSync(this.path, { recursive: true });
    writeAtomic(this.file, `${JSON.stringify(config, null, 2)}\n`);
  }

  /** @throws KesselError `bad-config` */
  config(): HardenConfig {
    if (!existsSync(this.file)) throw new KesselError("bad-config", `${this.path} holds no hardening`);
    return parseRun(hardenSchema, JSON.parse(readFileSync(this.file, "utf8")));
  }

  at(round: number, ...names: string[]): string {
    return join(this.path, String(round).padStart(2, "0"), ...names);
  }

  /** The rounds that are measured, in their order. @throws KesselError `bad-data` */
  rounds(): HardenRound[] {
    const found: HardenRound[] = [];
    for (let file; existsSync((file = this.at(found.length + 1, "gains.json")));)
      found.push(parseWith(roundSchema, JSON.parse(readFileSync(file, "utf8")), "bad-data", file));
    return found;
  }

  keep(round: number, result: HardenRound): void {
    writeAtomic(this.at(round, "gains.json"), `${JSON.stringify(result, null, 2)}\n`);
  }
}

export interface HardenWatch extends TrainingCallbacks {
  /** Called before each run of PPO and each measurement, with what is done. */
  stage(what: string): void;
}

/** Answers that gain too much. */
const tooStrong = ({ answers }: HardenRound, { gain, bound }: Pick<HardenConfig, "gain" | "bound">) =>
  answers.filter((a) => a.gain > gain || a.gainInterval[1] > bound);

/** True when a folder's last round has no answer that gains too much, or whether there are no more rounds. */
export const isHard = (rounds: readonly HardenRound[], config: HardenConfig): boolean =>
  rounds.length > 0 && tooStrong(rounds.at(-1)!, config).length === 0;

/**
 * Begins a hardening or goes on with it where it stopped: what is done is what the folder has. Every piece gives the
 * same as the whole in one go.
 *
 * @returns the rounds that are measured; when it was stopped, fewer than there will be
 * @throws KesselError `bad-config`, `bad-agent`, `bad-model`
 */
export async function harden(
  game: Game,
  config: HardenConfig,
  folder: HardenFolder,
  watch: HardenWatch,
): Promise<HardenRound[]> {
  if (game.players.length !== 2)
    throw new KesselError("bad-config", `${game.type.id} is a game for one; nobody answers a player there`);
  const rounds = folder.rounds();
  for (;;) {
    const round = rounds.length;
    if (isHard(rounds, config) || round >= config.rounds) return rounds;
    const model = round === 0 ? config.model : await goOn(game, config, folder, rounds, watch);
    if (model === null) return rounds;
    const answers = [];
    for (const seat of game.players)
      for (const start of config.starts) {
        const at = folder.at(round + 1, `${seat}-${start}`);
        const answer = await train(game, config, at, watch, {
          seed: `${config.seed}/${round + 1}/${seat}/${start}`,
          warmStart: start === "warm" ? model : null,
          opponents: [`onnx:${model}`],
          ppo: { selfPlay: 0, snapshotEvery: Number.MAX_SAFE_INTEGER, ...config.exploiter, seats: [seat] },
        });
        if (answer === null) return rounds;
        answers.push({ seat, start, model: answer });
      }
    watch.stage(`round ${round + 1}: measuring ${model}`);
    const result = await measureRound(game, config, model, answers);
    folder.keep(round + 1, result);
    rounds.push(result);
  }
}

/**
 * The model of the round before trained on against all answers so far that gained too much; null when it was stopped.
 */
function goOn(
  game: Game,
  config: HardenConfig,
  folder: HardenFolder,
  rounds: readonly HardenRound[],
  watch: HardenWatch,
): Promise<string | null> {
  const answers = rounds.flatMap((r) => tooStrong(r, config)).map((a) => `onnx:${a.model}`);
  return train(game, config, folder.at(rounds.length, "commander"), watch, {
    seed: `${config.seed}/${rounds.length}/commander`,
    warmStart: rounds.at(-1)!.model,
    opponents: [...answers, ...config.pool],
    ppo: config.commander,
  });
}

/** Begins a run of PPO or goes on with it. @returns its last model; null when it was stopped before its end */
async function train(
  game: Game,
  { net, options, backend, measure }: HardenConfig,
  path: string,
  watch: HardenWatch,
  run: {
    readonly seed: string;
    readonly warmStart: string | null;
    readonly opponents: readonly string[];
    readonly ppo: Readonly<Record<string, Json>>;
  },
): Promise<string | null> {
  const folder = new RunFolder(path);
  const begun = existsSync(join(path, "config.json"));
  const { seed, warmStart, opponents, ppo } = run;
  const config = begun
    ? folder.config(ppoRunSchema)
    : parseRun(ppoRunSchema, {
        ...{ method: "ppo", game: game.type.id, options, seed, backend, warmStart },
        checkpointEvery: 1,
        evaluate: { every: Number.MAX_SAFE_INTEGER, games: Math.min(200, measure.games), against: [opponents[0]!] },
        ppo: { ...ppo, net, opponents },
      } as unknown as JsonObject);
  const name = `${String(config.ppo.updates).padStart(6, "0")}.onnx`;
  if (!folder.models().some((m) => m.name === name)) {
    watch.stage(`${path}: against ${config.ppo.opponents.join(", ")}`);
    const { update } = await trainSelfPlay(game, config, folder, begun, watch);
    if (update < config.ppo.updates) return null;
  }
  return join(path, "models", name);
}

async function measureRound(
  game: Game,
  config: HardenConfig,
  model: string,
  answers: readonly { readonly seat: string; readonly start: (typeof START)[number]; readonly model: string }[],
): Promise<HardenRound> {
  const { games, jobs } = config.measure;
  const pointsOf = async (agent: string, other: string, seat: string): Promise<Points> => {
    const { pairs } = await arena(game, { agents: [agent, other], games, jobs, seat, seed: "harden" });
    const { score, interval } = pairs[0]!.seats[game.players.indexOf(seat)]!;
    return { score, interval: [interval[0], interval[1]] };
  };
  const [here, there] = game.players as readonly [string, string];
  const itself = await pointsOf(`onnx:${model}`, `onnx:${model}`, here);
  const mirror: Record<string, Points> = { [here]: itself, [there]: otherSeat(itself) };
  let first = mirror;
  if (model !== config.model) {
    first = {};
    for (const seat of game.players) first[seat] = await pointsOf(`onnx:${model}`, `onnx:${config.model}`, seat);
  }
  const measured = [];
  for (const a of answers) {
    const points = await pointsOf(`onnx:${a.model}`, `onnx:${model}`, a.seat);
    const own = mirror[a.seat]!;
    const [low, high] = differenceInterval([points.score, points.interval], [own.score, own.interval]);
    measured.push({
      ...a,
      ...points,
      gain: points.score - own.score,
      gainInterval: [low, high] as [number, number],
    });
  }
  return { model, mirror, first, answers: measured };
}

/** The same games as the other seat sees them. */
const otherSeat = ({ score, interval: [low, high] }: Points): Points => ({
  score: 1 - score,
  interval: [1 - high, 1 - low],
});

const percent = (x: number): string => (100 * x).toFixed(1);
const withSign = (x: number): string => `${x > 0 ? "+" : ""}${percent(x)}`;
const within = ([low, high]: Interval, text = percent): string => `[${text(low)}, ${text(high)}]`;

/**
 * The rounds as a table: what each answer gained, and how the round's model did against the first. Points in percent.
 */
export function hardenText(rounds: readonly HardenRound[]): string {
  const rows = rounds.flatMap(({ mirror, first, answers }, k) =>
    answers.map((a) => {
      const [own, before] = [mirror[a.seat]!, first[a.seat]!];
      return [
        String(k + 1),
        a.seat,
        a.start,
        `${percent(own.score)} ${within(own.interval)}`,
        `${percent(a.score)} ${within(a.interval)}`,
        `${withSign(a.gain)} ${within(a.gainInterval, withSign)}`,
        k === 0 ? "" : `${percent(before.score)} ${within(before.interval)}`,
      ];
    }),
  );
  return table(["round", "seat", "start", "model itself %", "answer %", "gain", "model against first %"], rows, 3);
}
