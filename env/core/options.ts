import { KesselError, oneOf, shown } from "./errors.js";
import type { GameSummary, Options } from "./game.js";

/**
 * The option by which a game for two can be made even: `even` is a house rule under which the strongest agent against
 * itself wins about as often in either seat (`kessel model balance` measures it), `printed` the game as it is.
 */
export const BALANCE = "balance";

/** Options as positions list them. An even game says so; a printed one needs no word for it. */
export function listedOptions(options: Options): Options {
  if (options[BALANCE] !== "printed") return options;
  return Object.fromEntries(Object.entries(options).filter(([id]) => id !== BALANCE));
}

/**
 * Fills in defaults and checks the caller's options. Numbers and booleans may also be given as text (command line).
 * What a value stands for (`OptionSpec.sets`) is filled in too.
 *
 * @throws KesselError `bad-option` naming the option, what came and what is allowed
 */
export function resolveOptions(type: GameSummary, chosen: unknown = {}): Options {
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
        `option ${id} of ${type.id} is ${oneOf(spec.values.map(String), spec.values.length)}, not ${shown(value)}`,
      );
    result[id] = match;
  }
  for (const o of type.options)
    for (const [id, value] of Object.entries(o.sets?.[String(result[o.id])] ?? {})) {
      if (Object.hasOwn(chosen, id) && result[id] !== value)
        throw new KesselError(
          "bad-option",
          `${o.id}=${result[o.id]} of ${type.id} is played with ${id}=${value}, not ${shown(result[id])}; leave one of them out`,
        );
      result[id] = value;
    }
  for (const o of type.options)
    for (const [id, values] of Object.entries(o.without?.[String(result[o.id])] ?? {}))
      if ([values].flat().includes(result[id]!))
        throw new KesselError(
          "bad-option",
          `${o.id}=${result[o.id]} of ${type.id} can't be had with ${id}=${result[id]}`,
        );
  return result;
}
