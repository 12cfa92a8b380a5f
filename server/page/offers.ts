import { percent, returnText } from "../../env/core/words.js";
import { type RosterEntry, roster } from "../../agents/roster.js";
import type { Game } from "../../env/index.js";

/** Seconds a search may think about one decision. */
const SEARCH_SECONDS = [1, 3, 10] as const;

/** Who can be chosen at the page: the roster, with searches that are given time instead of iterations. */
export function offered(game: Game): readonly RosterEntry[] {
  const searches = SEARCH_SECONDS.map((s): RosterEntry => ({
    ...roster(game).find((e) => e.kind === "search")!,
    name: `search:ms=${s * 1000}`,
    short: `search, ${s} s a move`,
    about: "looks ahead over sampled worlds",
  }));
  return [...roster(game).filter((e) => e.kind !== "search"), ...searches];
}

/** Who plays the other sides when a learner plays on: the easiest for each. */
export function opponentsFor(game: Game, seat: string): Record<string, string> {
  const others = [...game.players.entries()].filter(([, side]) => side !== seat);
  return Object.fromEntries(
    others.map(([i, side]) => {
      const fit = offered(game).filter((e) => e.players.includes(i));
      return [side, (fit.find((e) => e.kind === "level") ?? fit[0]!).short];
    }),
  );
}

/** What levels mean to somebody who has never met them, from the weakest up. */
const DIFFICULTY = ["easy", "medium", "hard"] as const;

const difficulty = (e: RosterEntry, all: readonly RosterEntry[]): string => {
  if (e.kind === "random") return "plays anything";
  if (e.kind === "marshal") return "hardest";
  const at = all.filter((o) => o.kind === "level").indexOf(e);
  return DIFFICULTY[at] ?? "";
};

/** An entry as the lobby shows it. */
export const offer = (e: RosterEntry, _i: number, all: readonly RosterEntry[]) => ({
  difficulty: difficulty(e, all),
  name: e.name,
  short: e.short,
  kind: e.kind,
  players: e.players,
  about: e.about,
  /** In each seat that it can play, by index. */
  strength: Object.fromEntries(e.players.map((seat) => [seat, strengthOf(e, all, seat)])),
});

/**
 * What a card says in one line of a seat: points against other levels, otherwise other agents that are offered, or
 * returns where one plays alone.
 */
function strengthOf(e: RosterEntry, all: readonly RosterEntry[], seat: number): string {
  if (Object.keys(e.measured?.otherwise ?? {}).length > 0) return "not measured with these options";
  const [first] = e.results;
  if (first?.alone !== undefined) return `wins ${percent(first.score)}, mean return ${returnText(first.alone.own)}`;
  const met = e.results.flatMap((r) => {
    const who = all.find((o) => o.short === r.against.replace(/^heuristic:|\.onnx$/g, ""));
    const score = r.seats[seat] ?? null;
    return who === undefined || score === null ? [] : [{ who, score }];
  });
  const levels = met.filter(({ who }) => who.kind === "level");
  const listed = (levels.length > 0 ? levels : met).slice(-2);
  if (listed.length === 0) return "";
  const { version = null } = e.measured ?? {};
  const rules = version === null ? "" : `, by the rules of version ${version}`;
  return `on this side wins ${listed.map(({ who, score }) => `${percent(score)} against ${who.short}`).join(", ")}${rules}`;
}

/** What the cards say that agents get in a solitaire game on average, the best first; nothing where two play. */
export function meanReturns(game: Game): { readonly who: string; readonly mean: number }[] {
  const means = new Map<string, number>();
  for (const e of roster(game))
    for (const { against, alone } of e.results)
      if (alone !== undefined) {
        means.set(e.short, alone.own);
        if (!against.includes(".onnx")) means.set(against.replace("heuristic:", ""), alone.other);
      }
  return [...means].map(([who, mean]) => ({ who, mean })).sort((a, b) => b.mean - a.mean);
}
