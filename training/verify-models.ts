import { readdirSync, readFileSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { META, readModel, trainedOf } from "../agents/model.js";
import { OnnxModel } from "../agents/onnx.js";
import { type Json, KesselError, loadGame } from "../env/index.js";
import { arena } from "./arena.js";
import { wilson } from "./stats.js";
import { table } from "./table.js";

/** Two-sided 99.9 % point of the normal distribution: a claim is doubted only when chance hardly explains the difference. */
const Z999 = 3.290526731491926;

interface Claim {
  readonly against: string;
  readonly seats: readonly { readonly games: number; readonly score: number }[];
}

export interface Check {
  readonly model: string;
  readonly against: string;
  readonly seat: string;
  readonly claimed: number;
  readonly found: number;
  readonly games: number;
  /** Does the claim lie within the 99.9 % interval of what was found, widened by the claim's own? */
  readonly holds: boolean;
}

/**
 * Plays a sample of the games behind a model's claims, with other dice, and compares.
 *
 * @param games games against each opponent
 * @throws KesselError `bad-model` when the file doesn't fit, or disagrees with its golden pairs
 */
export async function verifyModel(file: string, games: number, seed: string): Promise<Check[]> {
  const bytes = new Uint8Array(readFileSync(file));
  const info = readModel(bytes, file);
  const trained = (trainedOf(info) ?? {}) as { options?: Json; results?: Json };
  const game = loadGame(info.metadata[META.game] ?? "", trained.options ?? {});
  await (await OnnxModel.load(bytes, game, file)).close();
  const claims = trained.results as unknown as readonly Claim[] | undefined;
  if (claims === undefined) throw new KesselError("bad-model", `${file} claims no results`);
  const checks: Check[] = [];
  for (const { against, seats } of claims) {
    const own = `onnx:${file}`;
    const result = await arena(game, { agents: [own, against], games, seed });
    const standing = result.standings.find((s) => s.agent === own)!;
    game.players.forEach((seat, p) => {
      const found = standing.seats[p]!;
      const claim = seats[p]!;
      const [low, high] = wilson(found.score * found.games, found.games, Z999);
      const [claimLow, claimHigh] = wilson(claim.score * claim.games, claim.games, Z999);
      checks.push({ model: file, against, seat, claimed: claim.score, found: found.score, games: found.games, holds: claimLow <= high && low <= claimHigh });
    });
  }
  return checks;
}

/** Every model file below a folder. */
export function modelFiles(folder: string): string[] {
  return readdirSync(folder)
    .sort()
    .flatMap((name) => {
      const path = join(folder, name);
      return statSync(path).isDirectory() ? modelFiles(path) : name.endsWith(".onnx") ? [path] : [];
    });
}

/** `npm run models:verify -- [GAMES]` */
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const models = fileURLToPath(new URL("../models", import.meta.url));
  const checks: Check[] = [];
  for (const file of modelFiles(models)) checks.push(...(await verifyModel(relative(process.cwd(), file), Number(process.argv[2] ?? 40), "verify")));
  const percent = (x: number) => (100 * x).toFixed(1);
  process.stdout.write(`${table(["model", "against", "as", "claimed %", "found %", "games", ""], checks.map((c) => [c.model, c.against, c.seat, percent(c.claimed), percent(c.found), String(c.games), c.holds ? "holds" : "DOES NOT HOLD"]), 3)}\n`);
  if (checks.some((c) => !c.holds)) process.exitCode = 1;
}
