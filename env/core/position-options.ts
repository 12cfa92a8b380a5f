import { z } from "zod";
import { oneOf, shown } from "./errors.js";
import type { Game, GameType, Json, JsonObject, Options } from "./game.js";
import { resolveOptions } from "./options.js";
import { badPosition } from "./schema.js";

/**
 * Loads the game of a position: with the position's options, in `options` or as keys of their own names, and its own
 * map and counters (`GameType.dataFor`).
 *
 * @param chosen options that override those of the position
 * @throws KesselError `bad-option`, `bad-data`
 */
export function gameFor(type: GameType, position: JsonObject, chosen: JsonObject = {}): Game {
  const own = (position["options"] ?? {}) as JsonObject;
  const named: Record<string, Json> = {};
  for (const { id } of type.options) {
    const value = position[id];
    if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") named[id] = value;
  }
  const data = type.dataFor?.(position, type.data) ?? type.data;
  return type.load(resolveOptions(type, { ...own, ...named, ...chosen }), data);
}

/** The key `options` of a position document. */
export const optionsSchema = z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]));

/**
 * Refuses a position of a game with other options. An option that the position leaves out is the reader's, since
 * `gameFor` gives a game without it the default.
 *
 * @param options of the game that reads it
 * @param given by the position, values as they are or as text
 * @throws KesselError `bad-position` naming the option and both values
 */
export function checkOptions(id: string, options: Options, given: Options | undefined): void {
  for (const [name, value] of Object.entries(given ?? {})) {
    const path = `options.${name}`;
    if (!Object.hasOwn(options, name))
      throw badPosition(id, path, `there is no such option; there are ${oneOf(Object.keys(options), 20)}`);
    if (String(value) !== String(options[name]))
      throw badPosition(
        id,
        path,
        `the position has ${shown(value)}, the game was made with ${shown(options[name])}; load the game with the position's options`,
      );
  }
}
