import { z } from "zod";
import { KesselError, oneOf, shown } from "./errors.js";
import type { Game, GameType, Json, JsonObject, Options, OptionSpec } from "./game.js";
import { badPosition, parseWith } from "./schema.js";

/**
 * Fills in defaults and checks the caller's options. Numbers and booleans may also be given as text (command line).
 *
 * @throws KesselError `bad-option` naming the option, what came and what is allowed
 */
export function resolveOptions(type: GameType, chosen: unknown = {}): Options {
  if (chosen === null || typeof chosen !== "object" || Array.isArray(chosen))
    throw new KesselError(
      "bad-option",
      `options of ${type.id} are an object of names and values, not ${shown(chosen)}`,
    );
  const result: Record<string, string | number | boolean> = {};
  for (const o of type.options) result[o.id] = o.default;
  for (const [id, value] of Object.entries(chosen)) {
    const spec = type.options.find((o) => o.id === id);
    if (spec === undefined)
      throw new KesselError(
        "bad-option",
        `${type.id} has no option ${shown(id)}; it has ${oneOf(
          type.options.map((o) => o.id),
          20,
        )}`,
      );
    const match = spec.values.find((v) => v === value || (typeof value === "string" && String(v) === value));
    if (match === undefined)
      throw new KesselError(
        "bad-option",
        `option ${id} of ${type.id} is ${oneOf(spec.values.map(String))}, not ${shown(value)}`,
      );
    result[id] = match;
  }
  return result;
}

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
 * Refuses a position of a game with other options. An option that the position leaves out is the reader's, since `gameFor`
 * gives a game without it the default.
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

const wordsSchema = z.record(
  z.string(),
  z.strictObject({ about: z.string().min(1), values: z.record(z.string(), z.string().min(1)) }),
);

/**
 * Options with what people read of them.
 *
 * @param file `data/options.json`: words by option
 * @throws KesselError `bad-data` for words about what there isn't
 */
export function withWords(options: readonly OptionSpec[], file: unknown): readonly OptionSpec[] {
  const words = parseWith(wordsSchema, file, "bad-data", "options.json");
  for (const [id, { values }] of Object.entries(words)) {
    const there = options.find((o) => o.id === id)?.values.map(String) ?? [];
    const odd = Object.keys(values).find((value) => !there.includes(value));
    if (odd !== undefined || there.length === 0)
      throw new KesselError("bad-data", `options.json: ${[id, odd ?? []].flat().join(".")}: there is no such option`);
  }
  return options.map((o) => (words[o.id] === undefined ? o : { ...o, words: words[o.id]! }));
}

/** The specification of an option that is on or off. */
export const onOff = (id: string, about: string, provenance: string, byDefault = false): OptionSpec => ({
  id,
  about,
  values: [byDefault, !byDefault],
  default: byDefault,
  provenance,
});
