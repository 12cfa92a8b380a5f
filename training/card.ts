import { statSync } from "node:fs";
import { basename } from "node:path";
import { GOLDEN_TOLERANCE, OnnxModel } from "../agents/onnx.js";
import { type Game, type Json, type JsonObject, schemaHash } from "../env/index.js";
import { arena } from "./arena.js";
import type { Tally } from "./arena-tally.js";
import { writeAtomic } from "./checkpoint.js";
import { exportOnnx, goldenFrom } from "./export.js";
import type { Net } from "./net.js";
import { Minibatch, type Samples } from "./samples.js";

/** What is known about a model before it is measured. */
export interface Provenance {
  /** How it was trained, in a sentence. */
  readonly how: string;
  /** The command that trains it again. */
  readonly command: string;
  readonly seed: string;
  /** Names and values for the card's table: games, decisions, steps, backend... */
  readonly facts: Readonly<Record<string, string | number>>;
  /** Every value of the run's configuration. */
  readonly config: JsonObject;
}

export interface Measuring {
  /** Names of agents to play against. */
  readonly against: readonly string[];
  /** Games against each, half of them in each seat. */
  readonly games: number;
  readonly seed: string;
  readonly jobs?: number;
  progress?(done: number, all: number): void;
}

/** Largest difference between what the trainer and the written model give, per unit of size above 1. */
export interface Parity {
  readonly samples: number;
  readonly policy: number;
  readonly value: number;
}

/** Runs a model file's bytes and the net it came from on recorded decisions. */
export async function parity(net: Net, bytes: Uint8Array, samples: Samples, most = 2000): Promise<Parity> {
  const { game } = net;
  const model = await OnnxModel.load(bytes, game, "the exported model");
  const n = Math.min(most, samples.size);
  const chunk = Math.min(256, n);
  const batch = new Minibatch(game, chunk);
  let policy = 0;
  let value = 0;
  const apart = (a: number, b: number) => Math.abs(a - b) / Math.max(1, Math.abs(b));
  for (let from = 0; from < n; from += chunk) {
    const size = Math.min(chunk, n - from);
    batch.load(samples, Int32Array.from({ length: size }, (_, i) => Math.floor(((from + i) * samples.size) / n)), 0, size);
    const here = await net.evaluate(batch.observation, batch.mask, size);
    const there = await model.run(batch.observation, batch.mask, size);
    for (let i = 0; i < size * game.actions.length; i++) if (batch.mask[i] === 1) policy = Math.max(policy, apart(there.policy[i]!, here.policy[i]!));
    for (let i = 0; i < size; i++) value = Math.max(value, apart(there.value[i]!, here.value[i]!));
  }
  await model.close();
  return { samples: n, policy, value };
}

/**
 * Writes a model and its card (`NAME.onnx`, `NAME.md`): exports the net, compares the file with the net, plays it against
 * other agents, and puts what came out into both.
 *
 * @param file path that ends in `.onnx`
 */
export async function publish(net: Net, samples: Samples, file: string, from: Provenance, measuring: Measuring): Promise<void> {
  const { game } = net;
  const golden = await goldenFrom(net, samples, 8);
  const facts = { method: from.how, seed: from.seed, command: from.command, options: game.options, ...from.facts };
  const draft = exportOnnx(net, facts, golden);
  const same = await parity(net, draft, samples);
  writeAtomic(file, draft);
  const results = await measure(game, `onnx:${file}`, measuring);
  writeAtomic(file, exportOnnx(net, { ...facts, parity: { ...same }, results: results as unknown as Json }, golden));
  writeAtomic(file.replace(/\.onnx$/, ".md"), card(net, file, from, measuring, same, results));
}

interface Result {
  readonly against: string;
  readonly total: Tally;
  /** By the model's seat. */
  readonly seats: readonly Tally[];
}

async function measure(game: Game, own: string, { against, games, seed, jobs, progress }: Measuring): Promise<Result[]> {
  const results: Result[] = [];
  const solo = game.players.length === 1;
  for (const [i, other] of against.entries()) {
    const result = await arena(game, {
      agents: [own, other],
      games,
      seed,
      ...(jobs === undefined ? {} : { jobs }),
      progress: (done, all) => progress?.(i * all + done, against.length * all),
    });
    const standing = result.standings.find((s) => s.agent === own)!;
    results.push({ against: solo ? `${other} (same seeds)` : other, total: standing.total, seats: standing.seats });
  }
  return results;
}

const percent = (x: number): string => (100 * x).toFixed(1);
const rate = (t: Tally): string => `${percent(t.score)} [${t.interval.map(percent).join(", ")}]`;

function card(net: Net, file: string, from: Provenance, measuring: Measuring, same: Parity, results: readonly Result[]): string {
  const { game } = net;
  const row = (cells: readonly (string | number)[]) => `| ${cells.join(" | ")} |`;
  const chosen = Object.entries(game.options).map(([k, v]) => `${k}=${v}`).join(", ");
  const facts: [string, string | number][] = [
    ["game", `${game.type.id} version ${game.type.version}${chosen === "" ? "" : `, ${chosen}`}`],
    ["schema", schemaHash(game)],
    ["seats", game.players.join(", ")],
    ["net", `${net.spec.kind}, hidden layers of ${net.spec.hidden.join(", ")}; ${net.params.all.length} weights`],
    ["file", `${statSync(file).size} bytes`],
    ["seed", from.seed],
    ...Object.entries(from.facts),
    ["parity", `the trainer against the written model on ${same.samples} decisions: policy ${same.policy.toExponential(1)}, value ${same.value.toExponential(1)} (per unit of size above 1; at most ${GOLDEN_TOLERANCE} is accepted when the file is loaded)`],
  ];
  return [
    `# ${basename(file)}`,
    "",
    "Generated when the model was; not edited by hand.",
    "",
    from.how,
    "",
    row(["", ""]),
    row(["---", "---"]),
    ...facts.map(row),
    "",
    "## Strength",
    "",
    `Points in percent (a draw is half a point) with Wilson's 95 % intervals, best action taken (temperature 0); seed ${measuring.seed}, the same dice in both seatings.`,
    "",
    row(["against", "games", "all", ...game.players.map((p) => `as ${p}`)]),
    row(["---", "---", "---", ...game.players.map(() => "---")]),
    ...results.map((r) => row([r.against, r.total.games, rate(r.total), ...r.seats.map(rate)])),
    "",
    "## Made by",
    "",
    "```",
    from.command,
    "```",
    "",
    "Configuration:",
    "",
    "```json",
    JSON.stringify(from.config, null, 2),
    "```",
    "",
  ].join("\n");
}
