import { readdirSync } from "node:fs";
import { join } from "node:path";
import { type Game, type Json, KesselError, type Options, resolveOptions, schemaHash } from "../env/index.js";
import about from "./heuristics/about.json" with { type: "json" };
import { heuristicNames, heuristicsOf } from "./heuristics/index.js";
import marshals from "./marshals.json" with { type: "json" };
import { META, readModel, trainedOf } from "./model.js";
import { BELIEF_FILE, readModelFile, SHIPPED } from "./model-file.js";
import { worldGame } from "./search/belief.js";

/** How an agent fared against another, in points of 0 to 1 with a 95 % interval; from its card. */
export interface CardResult {
  readonly against: string;
  readonly games: number;
  readonly score: number;
  readonly interval: readonly [number, number];
  /** Score in each seat, in the order of `game.players`; null where no game was played in it. */
  readonly seats: readonly (number | null)[];
  /** Solitaire games, which the two play apart: the mean return of each, -1 to 1. */
  readonly alone?: { readonly own: number; readonly other: number };
}

/** An agent that can play a game on this installation. */
export interface RosterEntry {
  /** As `makeAgent` takes it. */
  readonly name: string;
  /** A short name for the same, valid for this game only. */
  readonly short: string;
  readonly kind: "level" | "marshal" | "scripted" | "search" | "random";
  /** Players it can play, by index. */
  readonly players: readonly number[];
  readonly about: string;
  /** Measured when it was published, with the options of this game; empty for those without such a card. */
  readonly results: readonly CardResult[];
  /** What the card was measured with; null without a card. */
  readonly measured: Measurement | null;
}

export interface Measurement {
  /** Of the game, where it is another than today's: the rules were others. */
  readonly version: number | null;
  /** Options that were others than those of this game; not empty where there are no `results`. */
  readonly otherwise: Options;
}

/** Levels of trained models, weakest first. Other models of a folder (exploiters, imitations) are no opponents. */
const LEVELS = ["recruit", "veteran", "commander"] as const;

/** Folders with models of a game, of whatever options. */
const foldersOf = ({ type: { id } }: Game): string[] =>
  readdirSync(SHIPPED).filter((f) => f === id || f.startsWith(`${id}-`));

/** Those without a card. */
const UNMEASURED = { results: [], measured: null } as const;

const rosters = new WeakMap<Game, readonly RosterEntry[]>();

/**
 * Who can play `game` with its options: levels, scripted players, search, random. Models that don't fit are left out.
 */
export function roster(game: Game): readonly RosterEntry[] {
  const known = rosters.get(game);
  if (known !== undefined) return known;
  const everyone = game.players.map((_, i) => i);
  const scripts: Readonly<Record<string, string>> =
    (about as Record<string, Record<string, string>>)[game.type.id] ?? {};
  const trained = levels(game);
  const list: RosterEntry[] = [
    ...trained,
    ...marshalOf(game, trained),
    ...heuristicNames(game.type.id)
      .toReversed()
      .flatMap((n): RosterEntry[] => {
        const players = playersOf(game, n);
        const about = scripts[n] ?? "a scripted player";
        return players === null
          ? []
          : [{ name: `heuristic:${n}`, short: n, kind: "scripted", players, about, ...UNMEASURED }];
      }),
    {
      name: "search:iterations=200",
      short: "search",
      kind: "search",
      players: everyone,
      about: "looks ahead over sampled worlds; ask for more with search:iterations=N or search:ms=N",
      ...UNMEASURED,
    },
    {
      name: "random",
      short: "random",
      kind: "random",
      players: everyone,
      about: "any legal action",
      ...UNMEASURED,
    },
  ];
  rosters.set(game, list);
  return list;
}

/** The players that a heuristic can play; null when it can't play with the game's data. */
function playersOf(game: Game, name: string): readonly number[] | null {
  try {
    return heuristicsOf(game.type.id)[name]!({ game, seed: "roster" }).players ?? game.players.map((_, i) => i);
  } catch (e) {
    if (e instanceof KesselError) return null;
    throw e;
  }
}

/** The agent's full name for a short one (`recruit`, `greedy`), or null. */
export const fromShortName = (short: string, game: Game): string | null =>
  roster(game).find((e) => e.short === short)?.name ?? null;

function levels(game: Game): RosterEntry[] {
  const { id } = game.type;
  const found: RosterEntry[] = [];
  for (const folder of foldersOf(game))
    for (const level of LEVELS) {
      const file = `${folder}/${level}.onnx`;
      if (!readdirSync(join(SHIPPED, folder)).includes(`${level}.onnx`)) continue;
      const info = readModel(readModelFile(file), file);
      if (info.metadata[META.game] !== id || info.metadata[META.schema] !== schemaHash(game)) continue;
      const seats = JSON.parse(info.metadata[META.seats] ?? "[]") as string[];
      const trained = trainedOf(info);
      const measured = measurementOf(game, trained);
      found.push({
        name: `onnx:${file}`,
        short: level,
        kind: "level",
        players: game.players.flatMap((p, i) => (seats.includes(p) ? [i] : [])),
        about: aboutNet(trained),
        results: measured !== null && Object.keys(measured.otherwise).length === 0 ? resultsOf(trained, folder) : [],
        measured,
      });
    }
  return found;
}

/**
 * The beliefs that come with Kessel for a game (`kessel model belief`), as `readModelFile` takes their name; null for
 * none.
 */
export function beliefFile(game: Game): string | null {
  if (game.players.length !== 2) return null;
  const schema = schemaHash(worldGame(game));
  for (const folder of foldersOf(game)) {
    if (!readdirSync(join(SHIPPED, folder)).includes(BELIEF_FILE)) continue;
    const file = `${folder}/${BELIEF_FILE}`;
    const { metadata } = readModel(readModelFile(file), file);
    if (metadata[META.game] === game.type.id && metadata[META.schema] === schema) return file;
  }
  return null;
}

/** A search with the strongest net, where that has been measured to be stronger than the net. */
function marshalOf(game: Game, trained: readonly RosterEntry[]): RosterEntry[] {
  const marshal = (marshals as Record<string, { net: string; iterations: number }>)[game.type.id];
  const level = trained.find((e) => e.name === `onnx:${marshal?.net ?? ""}`);
  if (marshal === undefined || level === undefined) return [];
  const { net, iterations } = marshal;
  return [
    {
      name: `search:net=${net},iterations=${iterations},root=gumbel`,
      short: "marshal",
      kind: "marshal",
      players: level.players,
      about: `the ${level.short} with a search of ${iterations} iterations for each decision`,
      ...UNMEASURED,
    },
  ];
}

function aboutNet(trained: Json): string {
  const { method } = (trained as { method?: string } | null) ?? {};
  const [first] = method?.split(/: |, |\.$/) ?? [];
  if (first === undefined) return "a trained net";
  return `a net trained by ${first[0]!.toLowerCase()}${first.slice(1).replaceAll("heuristic:", "")}`;
}

interface Measured {
  readonly against: string;
  readonly total: { games: number; score: number; interval: [number, number]; meanReturn?: number };
  readonly alone?: { readonly other: { readonly meanReturn: number } } | null;
  readonly seats: readonly { games: number; score: number }[];
}

interface Trained {
  readonly version: number;
  readonly options: Options;
  readonly results: readonly Measured[];
}

/** An option that is younger than the card had its default then. */
function measurementOf({ type, options }: Game, trained: Json): Measurement | null {
  const card = trained as Partial<Trained> | null;
  if (card?.results === undefined || card.version === undefined) return null;
  const then = { ...resolveOptions(type), ...card.options };
  const otherwise = Object.entries(then).filter(([id, value]) => Object.hasOwn(options, id) && options[id] !== value);
  return { version: card.version === type.version ? null : card.version, otherwise: Object.fromEntries(otherwise) };
}

/** Each opponent once: a model of the same folder may be listed under two names. */
function resultsOf(trained: Json, folder: string): CardResult[] {
  const results = new Map<string, CardResult>();
  for (const { against, total, seats, alone } of (trained as Partial<Trained> | null)?.results ?? []) {
    const who = against.replace(/^onnx:(models\/)?/, "").replace(`${folder}/`, "");
    if (results.has(who)) continue;
    results.set(who, {
      against,
      games: total.games,
      score: total.score,
      interval: total.interval,
      seats: seats.map((s) => (s.games > 0 ? s.score : null)),
      ...(alone && total.meanReturn !== undefined
        ? { alone: { own: total.meanReturn, other: alone.other.meanReturn } }
        : {}),
    });
  }
  return [...results.values()];
}
