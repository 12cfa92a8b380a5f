import { COMPARED, SENT, settingsText, written } from "../../agents/llm/named.js";
import { type LlmSettings, parseLlm } from "../../agents/llm/settings.js";
import { makeAgent } from "../../agents/registry.js";
import { type Game, KesselError, loadGame, shown } from "../../env/index.js";
import type { PuzzleBook } from "../puzzles/puzzle.js";
import type { Book } from "./document.js";

/** Settings that a table may show. Addresses, files and keys are private. */
const SHOWN = [
  ...["rules", "memory", "tools", "asks", "form", "answer"], // these change the answers
  ...["api", "body", "calls", "temperature", "effort", "tokens", "tries", "illegal"],
  ...["stream", "atOnce", "retries", "seconds", "budget", "price", "spend"],
] as (keyof LlmSettings)[];

export const settingsOf = (name: string): LlmSettings | null =>
  name.startsWith("llm:") ? parseLlm(name.slice("llm:".length)) : null;

/**
 * Labels of agents in tables. A language model has its name, and if several have the same name, the settings that
 * differ.
 *
 * @throws KesselError `bad-agent` for invalid settings
 */
export function labelsOf(names: readonly string[]): string[] {
  const settings = names.map(settingsOf);
  const labels = names.map((name, i) => {
    const own = settings[i] ?? null;
    if (own === null) return name;
    const alike = settings.filter((s) => s?.model === own.model);
    const differ = SHOWN.filter((key) => new Set(alike.map((s) => written(s!, key))).size > 1);
    return [`llm:${own.model}`, ...differ.map((key) => `${key}=${written(own, key)}`)].join(",");
  });
  // they may differ only in private settings
  return labels.map((label, i) => {
    const before = labels.slice(0, i).filter((l) => l === label).length;
    return before === 0 ? label : `${label} (${before + 1})`;
  });
}

/** A model's name and the settings that change its answers: what a table or a submission may show. */
export const shownSettings = (settings: LlmSettings): Record<string, string> =>
  Object.fromEntries((["model", ...SHOWN] as const).map((key) => [key, written(settings, key)]));

/** Headings in tables of the settings that builders of agents compare, and of the others that change what is sent. */
export const COMPARED_HEADS = ["rules", "memory", "tools", "answers with", "answers", "others"];

/** A row for `COMPARED_HEADS`; null for what is no language model. */
export function comparedOf(name: string): string[] | null {
  const settings = settingsOf(name);
  if (settings === null) return null;
  const of = (key: keyof LlmSettings): string => written(settings, key);
  return [...COMPARED.map(of), settingsText(of, SENT)];
}

/**
 * Makes each agent once for every game that it will play, so that a bad name is reported before the others have played.
 *
 * @param puzzles whether they also solve the puzzles of the games
 * @throws KesselError `bad-option` for an agent that is listed twice; as `makeAgent`
 */
export async function checkAgents(
  books: readonly Pick<Book, "game" | "puzzles">[],
  names: readonly string[],
  puzzles: boolean,
): Promise<void> {
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  if (twice !== undefined) throw new KesselError("bad-option", `the agent ${shown(twice)} is named twice`);
  for (const game of books.flatMap((b) => [b.game, ...(puzzles ? puzzleGames(b.puzzles) : [])]))
    for (const name of names) await (await makeAgent(name, { game, seed: "check", connect: true })).close?.();
}

/** The game with the options of its puzzles. */
function puzzleGames(book: PuzzleBook | null): Game[] {
  const options = new Map((book?.puzzles ?? []).map((p) => [JSON.stringify(p.options), p.options]));
  return [...options.values()].map((o) => loadGame(book!.game, o));
}
