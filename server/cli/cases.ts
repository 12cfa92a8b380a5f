import { importGame } from "../../agents/import-game.js";
import { importGames } from "../../env/index.js";
import { statSync } from "node:fs";
import { join, resolve, sep } from "node:path";
import type { Command } from "commander";
import {
  type AnyCase,
  gameIds,
  type GameType,
  gameType,
  KesselError,
  oneOf,
  openCase,
  parseCases,
  type RuleCase,
  runCase,
} from "../../env/index.js";
import { example, listFolder, ownerType, print, printJson, readJson } from "./common.js";

interface Flags {
  game?: string;
  data?: string;
  json?: boolean;
}

export function register(command: Command): void {
  command
    .argument("<path...>", "case files, or folders of them (searched recursively)")
    .option(
      "--game <game>",
      "the game of the cases; by default their `game` key, a folder named after it, or their positions decide",
    )
    .option("--data <dir>", "folder of your own data files")
    .option("--json", "results of all cases, machine-readable")
    .addHelpText("after", example("kessel cases test/cases/pocket-stalingrad", "npx kessel cases DIR-OR-FILE..."))
    .action(async (paths: string[], flags: Flags) => {
      if (flags.game !== undefined) gameType(flags.game);
      const results: CaseResult[] = [];
      for (const file of paths.flatMap(caseFiles)) results.push(...(await runFile(file, flags)));
      const failed = results.filter((r) => r.failures.length > 0);
      if (flags.json) printJson(results);
      else {
        for (const r of failed)
          print(
            `FAILED ${r.id} (${r.rule}): ${r.failures
              .join("; ")
              .split("\n")
              .map((line) => line.trim())
              .join(" ")}`,
          );
        print(`${results.length - failed.length} passed, ${failed.length} failed`);
      }
      if (failed.length > 0) process.exitCode = 1;
    });
}

interface CaseResult {
  readonly file: string;
  readonly id: string;
  readonly rule: string;
  readonly failures: readonly string[];
}

async function runFile(file: string, flags: Flags): Promise<CaseResult[]> {
  const cases = parseCases(readJson(file, "bad-case"), file);
  if (cases.length === 0) throw new KesselError("bad-case", `${file} holds no case`);
  let guessed: GameType | null = null;
  const results: CaseResult[] = [];
  for (const rc of cases) {
    const named = flags.game ?? gameKey(rc) ?? folderGame(file);
    const own = named === undefined ? (guessed ??= await guess(cases, file)) : await importGame(named);
    const type = ownerType(own, flags.data);
    results.push({ file, id: rc.id, rule: rc.rule, failures: runCase(type, rc) });
  }
  return results;
}

/** The file itself, or every `.json` below a folder. */
function caseFiles(path: string): string[] {
  const at = statSync(path, { throwIfNoEntry: false });
  if (at === undefined) throw new KesselError("bad-case", `there is no file or folder ${path}`);
  if (!at.isDirectory()) return [path];
  const files = below(path);
  if (files.length === 0) throw new KesselError("bad-case", `${path} holds no .json file`);
  return files;
}

function below(dir: string): string[] {
  return listFolder(dir, "bad-case").flatMap((name) => {
    const path = join(dir, name);
    const at = statSync(path, { throwIfNoEntry: false });
    if (at === undefined) throw new KesselError("bad-case", `${path} is a link to nothing`);
    if (at.isDirectory()) return below(path);
    return name.endsWith(".json") ? [path] : [];
  });
}

function gameKey(rc: AnyCase): string | undefined {
  const inPosition = "position" in rc ? rc.position["game"] : undefined;
  return rc.game ?? (typeof inPosition === "string" ? inPosition : undefined);
}

/** The game that a folder above the file is named after. */
const folderGame = (file: string): string | undefined =>
  resolve(file)
    .split(sep)
    .findLast((part) => gameIds().includes(part));

/**
 * The only game that can read positions of these cases.
 *
 * @throws KesselError `bad-case` when there is none or more than one
 */
async function guess(all: readonly AnyCase[], file: string): Promise<GameType> {
  const types = await importGames();
  const cases = all.filter((rc) => "position" in rc);
  const counts = types.map((type) => cases.filter((rc) => reads(type, rc)).length);
  const most = Math.max(...counts);
  const fits = types.filter((_, i) => counts[i] === most);
  if (most > 0 && fits.length === 1) return fits[0]!;
  throw new KesselError(
    "bad-case",
    `${file} does not say its game, no folder above it is named after one, and its positions fit ${most === 0 ? "none" : oneOf(fits.map((t) => t.id))}; give --game, one of ${oneOf(gameIds())}`,
  );
}

function reads(type: GameType, rc: RuleCase): boolean {
  try {
    openCase(type, rc);
    return true;
  } catch (e) {
    if (e instanceof KesselError) return false;
    throw e;
  }
}
