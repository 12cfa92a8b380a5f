import { existsSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { readModelFile } from "../../agents/model-file.js";
import { metadataOf } from "../models/metadata.js";
import { RunFolder, selfPlayRunSchema } from "./run-folder.js";

/** What a model cost together with all that it began from. */
export interface WholeEffort {
  readonly games: number;
  readonly hours: number;
}

const [GAMES, HOURS] = ["games with warm starts", "hours with warm starts"] as const;

/**
 * The facts of a card about a model that began from others; none for one that began from nothing, or whose origin is
 * gone.
 */
export function factsOfOrigin(folder: RunFolder, update: number): Record<string, string | number> {
  if (folder.config(selfPlayRunSchema).warmStart === null) return {};
  const whole = effortOfRun(folder, update);
  return whole === null ? {} : { [GAMES]: whole.games, [HOURS]: whole.hours.toFixed(2) };
}

/** @returns null when a model that it began from is gone, or does not say what it cost */
function effortOfRun(folder: RunFolder, update: number): WholeEffort | null {
  const { games, hours } = folder.totals(update);
  const { warmStart } = folder.config(selfPlayRunSchema);
  const before = warmStart === null ? { games: 0, hours: 0 } : effortOfModel(warmStart);
  return before === null ? null : { games: before.games + games, hours: before.hours + hours };
}

/** A model of a run says so by its place, a published one by its card. */
function effortOfModel(file: string): WholeEffort | null {
  const run = dirname(dirname(file));
  if (basename(dirname(file)) === "models" && existsSync(join(run, "config.json")))
    return effortOfRun(new RunFolder(run), Number.parseInt(basename(file), 10));
  if (!existsSync(file)) return null;
  const trained = metadataOf(readModelFile(file), file)?.trained;
  if (trained === undefined) return null;
  const { facts, config } = trained;
  if (typeof config["warmStart"] === "string" && facts[GAMES] === undefined) return null;
  const games = Number(facts[GAMES] ?? facts["games"]);
  const hours = Number(facts[HOURS] ?? facts["hours"] ?? Number(facts["minutes"]) / 60);
  return Number.isFinite(games) && Number.isFinite(hours) ? { games, hours } : null;
}
