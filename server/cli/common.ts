import { importGame } from "../../agents/import-game.js";
import { pieces } from "../../agents/llm/pieces.js";
import { accessSync, constants, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { type Command, InvalidArgumentError } from "commander";
import { type ErrorCode, KesselError, oneOf, shown } from "../../env/core/errors.js";
import type { Game, GameData, GameType, Json } from "../../env/core/game.js";
import { printable } from "../../env/core/safe-text.js";
import { resolveOptions } from "../../env/core/options.js";

/** Adds `--option NAME=VALUE` (repeated) and `--data DIR`, which every command that loads a game takes. */
export function withGameOptions(command: Command): Command {
  return command
    .option("-o, --option <name=value>", "a game option; may be repeated", collectOption, {})
    .option("--data <dir>", "folder of your own data files: DIR/map.json replaces the game's map, and so on");
}

export interface GameFlags {
  option: Record<string, string>;
  data?: string;
}

function collectOption(text: string, earlier: Record<string, string>): Record<string, string> {
  const at = text.indexOf("=");
  if (at < 1) throw new InvalidArgumentError("give it as name=value.");
  return { ...earlier, [text.slice(0, at)]: text.slice(at + 1) };
}

/** The game a command line asks for, with its options and the owner's data. @throws KesselError */
export async function gameFrom(id: string, flags: GameFlags): Promise<Game> {
  const type = ownerType(await importGame(id), flags.data);
  return type.load(resolveOptions(type, flags.option), type.data);
}

/** A game type whose data files are replaced by those of an owner's folder. @throws KesselError `bad-data` */
export function ownerType(type: GameType, dir: string | undefined): GameType {
  return dir === undefined ? type : { ...type, data: { ...type.data, ...ownerData(type, dir) } };
}

/**
 * The data files in an owner's folder, by name without `.json`.
 *
 * @throws KesselError `bad-data` for a folder that can't be read, a file the game doesn't have, text that isn't JSON
 */
export function ownerData(type: GameType, dir: string | undefined): GameData {
  if (dir === undefined) return {};
  const files = listFolder(dir, "bad-data").filter((f) => f.endsWith(".json"));
  if (files.length === 0)
    throw new KesselError("bad-data", `${dir} holds no data file; ${type.id} has ${oneOf(dataFiles(type), 20)}`);
  const replaced: Record<string, Json> = {};
  for (const file of files) {
    const name = file.slice(0, -".json".length);
    if (!(name in type.data))
      throw new KesselError(
        "bad-data",
        `${join(dir, file)}: ${type.id} has no such data file; it has ${oneOf(dataFiles(type), 20)}`,
      );
    replaced[name] = readJson(join(dir, file), "bad-data");
  }
  return replaced;
}

const dataFiles = (type: GameType): string[] => Object.keys(type.data).map((name) => `${name}.json`);

/** Names in a folder, sorted. @throws KesselError with `code` */
export function listFolder(dir: string, code: ErrorCode): string[] {
  try {
    return readdirSync(dir).sort();
  } catch (e) {
    throw new KesselError(code, `cannot read the folder ${dir}: ${reason(e)}`);
  }
}

/** Text of a file. @throws KesselError with `code` */
export function readText(file: string, code: ErrorCode): string {
  try {
    return readFileSync(file, "utf8");
  } catch (e) {
    throw new KesselError(code, `cannot read ${file}: ${reason(e)}`);
  }
}

/** A JSON file, parsed. @throws KesselError with `code` */
export function readJson(file: string, code: ErrorCode): Json {
  const text = readText(file, code);
  try {
    return JSON.parse(text.replace(/^\uFEFF/, "")) as Json; // editors of Windows begin files with that mark
  } catch (e) {
    throw new KesselError(code, `${file} is not JSON: ${reason(e)}`);
  }
}

/** To be asked before long work whose result goes to `file`. @throws KesselError `bad-option` */
export function checkWritable(file: string): void {
  try {
    accessSync(dirname(resolve(file)), constants.W_OK);
    const there = statSync(file, { throwIfNoEntry: false });
    if (there !== undefined) accessSync(file, constants.W_OK);
    if (there?.isDirectory() === true) throw Object.assign(new Error(), { code: "EISDIR" });
  } catch (e) {
    throw new KesselError("bad-option", `cannot write ${file}: ${reason(e)}`);
  }
}

/** Makes a folder that files will be written to, unless it is there. @throws KesselError `bad-option` */
export function makeFolder(dir: string): void {
  try {
    mkdirSync(dir, { recursive: true });
    accessSync(dir, constants.W_OK);
  } catch (e) {
    throw new KesselError("bad-option", `cannot write to the folder ${dir}: ${reason(e)}`);
  }
}

/** @throws KesselError `bad-option` when the file can't be written */
export function writeOut(file: string, text: string | Uint8Array): void {
  try {
    writeFileSync(file, text);
  } catch (e) {
    throw new KesselError("bad-option", `cannot write ${file}: ${reason(e)}`);
  }
}

const ERRNO: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file or folder",
  EACCES: "permission denied",
  ENOTDIR: "it is not a folder",
  EEXIST: "it is not a folder",
  EISDIR: "it is a folder",
  ENOSPC: "the disk is full",
};

function reason(e: unknown): string {
  const err = e as NodeJS.ErrnoException;
  return ERRNO[err.code ?? ""] ?? err.message;
}

/** Parser of a whole number of at least `least`, for commander. */
export function whole(least: number, most = Number.MAX_SAFE_INTEGER): (text: string) => number {
  return (text) => {
    const n = Number(text);
    if (text.trim() === "" || !Number.isSafeInteger(n) || n < least || n > most)
      throw new InvalidArgumentError(
        most === Number.MAX_SAFE_INTEGER
          ? `Give a whole number of at least ${least}.`
          : `Give a whole number from ${least} to ${most}.`,
      );
    return n;
  };
}

/** Parser of a share, above 0 and at most 1, for commander. */
export function share(text: string): number {
  const n = Number(text);
  if (!(n > 0 && n <= 1)) throw new InvalidArgumentError("Give a number above 0 and at most 1.");
  return n;
}

/**
 * Names of agents in a list with commas. A piece like `deals=4` or `body={"top_k":1}` belongs to the agent before it.
 *
 * @throws KesselError `bad-option` for an empty name
 */
export function splitAgents(text: string, kinds: readonly string[]): string[] {
  const names: string[] = [];
  for (const piece of pieces(text).map((p) => p.trim())) {
    if (piece === "") throw new KesselError("bad-option", `a name is empty in the list of agents ${shown(text)}`);
    const isAgent = kinds.includes(piece.split(":")[0]!) || !piece.includes("=");
    if (isAgent || names.length === 0) names.push(piece);
    else names.push(`${names.pop()!},${piece}`);
  }
  return names;
}

/**
 * The viewer that a word on the command line names: a side of the game, or `spectator`.
 *
 * @throws KesselError `bad-seat`
 */
export function viewerFrom(game: Game, name: string): number {
  const i = name === "spectator" ? -1 : game.players.indexOf(name);
  if (i < 0 && name !== "spectator")
    throw new KesselError(
      "bad-seat",
      `${game.type.id} has no seat ${shown(name)}; seats are ${oneOf([...game.players, "spectator"])}`,
    );
  return i;
}

/** The values of an option that may be repeated. */
export const several = (text: string, earlier: readonly string[]): readonly string[] => [...earlier, text];

/** Prints text, which may have names from files in it. */
export const print = (text: string): void => void process.stdout.write(`${printable(text)}\n`);

export const printJson = (value: unknown): void => print(JSON.stringify(value, null, 2));

/** A help text's closing example. */
export const example = (...lines: string[]): string => `\nExample:\n${lines.map((l) => `  ${l}`).join("\n")}`;
