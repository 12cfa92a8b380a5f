import { BALANCE, type Game, type GameType, KesselError, type Options, resolveOptions } from "../../env/index.js";

/**
 * The option sets a game is tried with: those it names itself (`GameType.tried`), or else its defaults, each other
 * value of each option by itself, and the last value of every option together. Sets that contradict themselves
 * (`bad-option`) are left out, but never the defaults.
 */
export function optionSets(type: GameType): { name: string; game: Game }[] {
  const chosen = type.tried ?? everyValue(type);
  const sets: { name: string; game: Game }[] = [];
  for (const c of chosen) {
    const name =
      Object.entries(c)
        .map(([k, v]) => `${k}=${v}`)
        .join(" ") || "defaults";
    const options: Options = resolveOptions(type, c);
    try {
      sets.push({ name, game: type.load(options, type.data) });
    } catch (e) {
      if (sets.length === 0 || !(e instanceof KesselError) || e.code !== "bad-option") throw e;
    }
  }
  return sets;
}

/**
 * The defaults, each other value of each option by itself, and the last value of every option together, but of
 * `balance`, which chooses others.
 */
export function everyValue(type: GameType): Options[] {
  const chosen: Options[] = [{}];
  for (const o of type.options) for (const v of o.values) if (v !== o.default) chosen.push({ [o.id]: v });
  const others = type.options.filter((o) => o.id !== BALANCE);
  if (type.options.length > 1) chosen.push(Object.fromEntries(others.map((o) => [o.id, o.values.at(-1)!])));
  return chosen;
}
