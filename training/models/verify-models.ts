import { readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { META, readModel, trainedOf } from "../../agents/model.js";
import { GOLDEN_TOLERANCE, OnnxModel } from "../../agents/onnx.js";
import { type Game, type Json, KesselError, loadGame } from "../../env/index.js";
import { arena } from "../arena/arena.js";
import type { Tally } from "../arena/tally.js";
import { startBackend } from "../nets/backend.js";
import { claimsOf } from "./metadata.js";
import { Net } from "../nets/net.js";
import { parity } from "./publish.js";
import { type Interval, wilson, Z95 } from "../report/stats.js";
import { table } from "../report/table.js";
import { ownSamples } from "../runs/train-ppo.js";
import { takeWeights } from "../nets/weights.js";

/** Two-sided 99.9 % point of the normal distribution: a claim is doubted only when chance hardly explains the difference. */
const Z999 = 3.290526731491926;

type Claimed = Pick<Tally, "games" | "score"> & Partial<Pick<Tally, "meanReturn" | "meanReturnInterval">>;

interface Claim {
  readonly against: string;
  readonly seats: readonly Claimed[];
}

export interface Check {
  readonly model: string;
  /** What is claimed: a rate against somebody, or parity. */
  readonly what: string;
  readonly claimed: string;
  readonly found: string;
  /** Games or decisions looked at. */
  readonly sample: number;
  readonly holds: boolean;
}

/**
 * Plays a sample of the games behind a model's claims, with other dice, and compares: against agents, the other models of
 * its folder and its exploiter, by seat; and the written model with the net it came from.
 *
 * @param games games against each opponent
 * @throws KesselError `bad-model` when the file doesn't fit, or disagrees with its golden pairs
 */
export async function verifyModel(file: string, games: number, seed: string): Promise<Check[]> {
  const bytes = new Uint8Array(readFileSync(file));
  const info = readModel(bytes, file);
  const said = (trainedOf(info) ?? {}) as { options?: Json; results?: Json };
  const game = loadGame(info.metadata[META.game] ?? "", said.options ?? {});
  await (await OnnxModel.load(bytes, game, file)).close();
  const results = said.results as unknown as readonly Claim[] | undefined;
  if (results === undefined) throw new KesselError("bad-model", `${file} claims no results`);
  const checks: Check[] = [];
  const own = `onnx:${file}`;
  const beside = (name: string) => `onnx:${join(dirname(file), name)}`;
  for (const { against, seats } of results)
    checks.push(
      ...(await replay(
        game,
        file,
        own,
        against.endsWith(".onnx") && !against.includes(":") ? beside(against) : against,
        against,
        seats,
        games,
        seed,
      )),
    );
  const claims = claimsOf(bytes, file);
  if (claims === null) return checks;
  const { exploiter, net: spec, parity: claimed } = claims.trained;
  if (exploiter !== null)
    checks.push(
      ...(await replay(
        game,
        file,
        beside(exploiter.file),
        own,
        "its exploiter's points",
        exploiter.seats,
        games,
        seed,
      )),
    );
  const net = new Net(game, spec, 0);
  takeWeights(net, bytes, file);
  const same = await parity(net, bytes, await ownSamples(net, 4, seed), 200);
  net.dispose();
  const worst = (p: { policy: number; value: number }) => Math.max(p.policy, p.value);
  checks.push({
    model: file,
    what: "parity",
    claimed: worst(claimed).toExponential(1),
    found: worst(same).toExponential(1),
    sample: same.samples,
    holds: worst(claimed) <= GOLDEN_TOLERANCE && worst(same) <= GOLDEN_TOLERANCE,
  });
  return checks;
}

/** Plays `who` against `whom` and compares what `who` gets in each seat with what is claimed. */
async function replay(
  game: Game,
  model: string,
  who: string,
  whom: string,
  what: string,
  seats: readonly Claimed[],
  games: number,
  seed: string,
): Promise<Check[]> {
  const result = await arena(game, { agents: [who, whom], games, seed });
  const standing = result.standings.find((s) => s.agent === who)!;
  return game.players.map((seat, p): Check => {
    const found = standing.seats[p]!;
    const claim = seats[p]!;
    if (game.players.length === 1)
      return {
        model,
        what: `return (beside ${what})`,
        claimed: claim.meanReturn!.toFixed(3),
        found: found.meanReturn.toFixed(3),
        sample: found.games,
        holds: meansAgree(claim as Tally, found),
      };
    const percent = (t: Claimed) => `${(100 * t.score).toFixed(1)} %`;
    const wide = (t: Claimed): Interval => wilson(t.score * t.games, t.games, Z999);
    const [[low, high], [claimLow, claimHigh]] = [wide(found), wide(claim)];
    return {
      model,
      what: `${what} as ${seat}`,
      claimed: percent(claim),
      found: percent(found),
      sample: found.games,
      holds: claimLow <= high && low <= claimHigh,
    };
  });
}

/** Do two mean returns differ by no more than chance explains? Returns that were all alike still count as one that wasn't. */
export function meansAgree(
  claim: Pick<Tally, "games" | "meanReturn" | "meanReturnInterval">,
  found: typeof claim,
): boolean {
  const error = (t: typeof claim) =>
    Math.max((t.meanReturnInterval[1] - t.meanReturnInterval[0]) / (2 * Z95), 1 / t.games);
  return Math.abs(claim.meanReturn - found.meanReturn) <= Z999 * Math.hypot(error(claim), error(found));
}

/** Every model file below a folder; exploiters belong to the model they were trained against. */
export function modelFiles(folder: string): string[] {
  return readdirSync(folder)
    .sort()
    .flatMap((name) => {
      const path = join(folder, name);
      return statSync(path).isDirectory()
        ? modelFiles(path)
        : name.endsWith(".onnx") && !name.endsWith(".exploiter.onnx")
          ? [path]
          : [];
    });
}

/** `npm run models:verify -- [GAMES]` */
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const models = fileURLToPath(new URL("../../models", import.meta.url));
  await startBackend("auto");
  const checks: Check[] = [];
  for (const file of modelFiles(models))
    checks.push(...(await verifyModel(relative(process.cwd(), file), Number(process.argv[2] ?? 40), "verify")));
  process.stdout.write(
    `${table(
      ["model", "against", "claimed", "found", "sample", ""],
      checks.map((c) => [c.model, c.what, c.claimed, c.found, String(c.sample), c.holds ? "holds" : "DOES NOT HOLD"]),
      2,
    )}\n`,
  );
  if (checks.some((c) => !c.holds)) process.exitCode = 1;
}
