import { readFileSync } from "node:fs";
import type { GameData, Json } from "../core/game.js";

/**
 * A game's data files, read on first use and kept, so that games that are not played cost no start-up time.
 *
 * @param folder where `NAME.json` lie, with a slash at the end
 */
export function filesOf(folder: URL, names: readonly string[]): () => GameData {
  let read: GameData | undefined;
  return () =>
    (read ??= Object.fromEntries(
      names.map((name) => [name, JSON.parse(readFileSync(new URL(`${name}.json`, folder), "utf8")) as Json]),
    ));
}
