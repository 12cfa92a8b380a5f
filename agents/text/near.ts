import {
  type Game,
  type Prompt,
  type Scene,
  sceneOf,
  type Standing,
  type StateView,
  type Viewer,
} from "../../env/index.js";
import { ranges } from "./lists.js";
import { sideName, terrainName } from "./names.js";
import { type SituationLines, wholeLines } from "./situation.js";
import { roughTokens } from "./tokens.js";

/** Units that a decision may be about, beyond which it is about the front as a whole. */
const MOST_AT_HAND = 12;
/** Places of them, beyond which it is about nothing in particular. */
const MOST_PLACES = 80;
/** Places that choices name, beyond which they point nowhere. */
const MOST_NAMED = 40;
/** What is at hand where a decision is about nothing in particular. */
const VICTORY = "the victory hexes";
/** Hexes around what is at hand whose ground is listed at most. */
const FARTHEST = 30;
/** Formations by side that are counted apart. */
const MOST_FORMATIONS = 24;

type Place = Scene["board"]["places"][number];

/** Shares of the room that the board has where the ground needs some as well: around few units, and around many. */
const [BOARD, BOARD_OF_MANY] = [0.8, 0.9];

/** Characters of a list of choices on such a board. */
export const FEW_CHOICES = 2600;

/**
 * Ground and board around what is at hand, within a limit of tokens.
 *
 * @param mapped true when the reader has the terrain of the whole map
 */
export function nearLines(
  near: Near,
  lines: SituationLines,
  mapped: boolean,
  room: number,
): { readonly ground: string[]; readonly board: string[] } {
  const whole = wholeLines(lines);
  const isFew = near.hand.length <= MOST_AT_HAND || near.what === VICTORY;
  const share = mapped ? room : room * (isFew ? BOARD : BOARD_OF_MANY);
  const within = (most: number): string[] =>
    roughTokens(whole.join("\n")) <= most ? whole : nearBoard(near, lines, most);
  const board = within(share);
  const ground = mapped ? [] : nearGround(near, room - roughTokens(board.join("\n")));
  return { ground, board: ground.length > 0 || mapped ? board : within(room) };
}

/** What a decision is about, on a board with more than a text has room for. */
export interface Near {
  readonly scene: Scene;
  /** In words: `1379`, `the victory hexes`. */
  readonly what: string;
  readonly hand: readonly Place[];
  /** Places by how much they matter, the first most; others have nothing on them. */
  readonly order: ReadonlyMap<string, number>;
}

/**
 * What a decision is about: its unit, or the units and few places that its choices name. Otherwise, and where these are
 * very many, it is about the hexes that victory counts. Places come in the order of their distance to what is at hand,
 * or, where that is much, to the enemy.
 */
export function nearOf(game: Game, s: StateView, viewer: Viewer, prompt: Prompt | null, standing: Standing): Near {
  const scene = sceneOf(game, s, viewer);
  const at = new Map(scene.counters.flatMap((c) => (c.unit === undefined || c.place === undefined ? [] : [[c.unit, c.place] as const]))); // prettier-ignore
  const placesOf = (units: readonly string[]): string[] => units.flatMap((u) => at.get(u) ?? []);
  const choices = prompt?.choices ?? [];
  const named = new Set(choices.flatMap((c) => c.places));
  const found = [
    placesOf(prompt?.units ?? []),
    [...placesOf(choices.flatMap((c) => c.units)), ...(named.size > MOST_NAMED ? [] : named)],
  ].find((ids) => ids.length > 0 && new Set(ids).size <= MOST_PLACES);
  const ids = new Set(found ?? standing.conditions.flatMap((c) => c.places));
  const hand = scene.board.places.filter((p) => ids.has(p.id));
  const what =
    found === undefined
      ? VICTORY
      : hand.length <= 3
        ? hand.map((p) => p.id).join(", ")
        : "the units and hexes that the choices name";
  return { scene, what, hand, order: ordered(scene, hand) };
}

function ordered(scene: Scene, hand: readonly Place[]): Map<string, number> {
  const bySide = new Map<string, Set<string>>();
  for (const { place, side } of scene.counters) {
    const sides = bySide.get(place!) ?? new Set();
    bySide.set(place!, sides.add(side ?? ""));
  }
  const taken = scene.board.places.filter((p) => bySide.has(p.id));
  const atHand = new Set(hand.map((p) => p.id));
  const isFew = hand.length <= MOST_AT_HAND;
  return new Map(
    taken.map((p) => {
      const own = bySide.get(p.id)!;
      const others = isFew ? hand : taken.filter((q) => [...bySide.get(q.id)!].some((side) => !own.has(side)));
      return [p.id, atHand.has(p.id) ? 0 : 1 + Math.min(...others.map((q) => distance(p, q)))];
    }),
  );
}

const distance = (a: Place, b: Place): number => Math.hypot(a.at[0] - b.at[0], a.at[1] - b.at[1]);

/** The largest of 0 to `most` whose text has at most `room` tokens, and that text; the text of 0 where none has. */
function largest(most: number, room: number, text: (n: number) => string[]): string[] {
  let [low, high, best] = [0, most, text(0)];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    const found = text(middle);
    if (roughTokens(found.join("\n")) <= room) [low, best] = [middle, found];
    else high = middle - 1;
  }
  return best;
}

/**
 * The board within a limit of tokens: counters at the places that matter most, and arrows from there; the others by
 * formation and by target.
 */
function nearBoard({ scene, order }: Near, lines: SituationLines, room: number): string[] {
  const ranked = [...lines.keys()]
    .flatMap((key): [string, number][] => {
      const [kind, ...rest] = key.split(" ");
      if (kind === "place") return [[key, order.get(rest.join(" ")) ?? Infinity]];
      return kind === "arrow" ? [[key, (order.get(rest.at(-2)!) ?? Infinity) + ARROW]] : [];
    })
    .sort((a, b) => a[1] - b[1])
    .map(([key]) => key);
  return largest(ranked.length, room, (n) => {
    const far = new Set(ranked.slice(n));
    const kept = [...lines].filter(([key]) => !far.has(key));
    const places = new Set([...far].flatMap((key) => (key.startsWith("place ") ? [key.slice("place ".length)] : [])));
    return [...wholeLines(new Map(kept)), ...farArrows(far), ...farCounters(scene, places)];
  });
}

/** How much less an arrow matters than the counters where it begins, in hexes. */
const ARROW = 2;

/** Arrows that are not listed: how many, by where they end. */
function farArrows(far: ReadonlySet<string>): string[] {
  const ends = new Map<string, number>();
  for (const key of far) {
    const end = key.slice(key.lastIndexOf(" ") + 1);
    if (key.startsWith("arrow ")) ends.set(end, (ends.get(end) ?? 0) + 1);
  }
  const most = [...ends].sort((x, y) => y[1] - x[1]).slice(0, MOST_FORMATIONS);
  const rest = ends.size - most.length;
  const targets = most.map(([end, n]) => `${end} (${n})`).join(", ");
  return ends.size === 0
    ? []
    : [`Further shots, spotting and the like, by hex: ${targets}${rest > 0 ? `, and at ${rest} other hexes` : ""}`];
}

interface Formation {
  n: number;
  readonly places: Set<string>;
}

/** Counters at these places: how many of each formation, and where. */
function farCounters(scene: Scene, far: ReadonlySet<string>): string[] {
  const sides = new Map<string, Map<string, Formation>>();
  for (const { unit, title, place, side, count = 1 } of scene.counters) {
    if (place === undefined || !far.has(place)) continue;
    const formations = sides.get(side ?? "") ?? new Map<string, Formation>();
    sides.set(side ?? "", formations);
    const name = formationOf(unit, title);
    const formation = formations.get(name) ?? { n: 0, places: new Set() };
    formation.n += count;
    formation.places.add(place);
    formations.set(name, formation);
  }
  const lines = [...sides].map(([side, formations]) => {
    const byNumber = [...formations].sort((a, b) => b[1].n - a[1].n);
    const rest = byNumber.slice(MOST_FORMATIONS).reduce((n, [, f]) => n + f.n, 0);
    const listed = byNumber
      .slice(0, MOST_FORMATIONS)
      .map(([name, { n, places }]) => `${name} ${n} in ${extent(places)}`);
    const name = side === "" ? "other" : sideName(scene, side);
    return `Elsewhere, ${name} counters by formation: ${[...listed, ...(rest > 0 ? [`others ${rest}`] : [])].join("; ")}`;
  });
  return lines.length === 0 ? [] : [...lines, "05-12/54-59 is columns 05 to 12, rows 54 to 59"];
}

/** `308RD` of the unit `S308RD-M1` and of a face-down counter of it; what a counter without a formation is called. */
function formationOf(unit: string | undefined, title: string): string {
  if (unit === undefined) return / of (.+)$/.exec(title)?.[1] ?? title;
  const name = unit.split("-")[0]!;
  return name.length === 1 ? "no formation" : name.replace(/^\p{Lu}(?=\d)/u, "");
}

/** From where to where: `05-12/54-59`, with places that are no hexes by name. */
function extent(places: ReadonlySet<string>): string {
  const hexes = [...places].filter(isHex);
  const span = (parts: readonly string[]): string => {
    const [a, b] = [parts.reduce((x, y) => (y < x ? y : x)), parts.reduce((x, y) => (y > x ? y : x))];
    return a === b ? a : `${a}-${b}`;
  };
  const hexSpan = hexes.length === 0 ? [] : [`${span(hexes.map((h) => h.slice(0, 2)))}/${span(hexes.map((h) => h.slice(2)))}`]; // prettier-ignore
  return [...hexSpan, ...[...places].filter((p) => !isHex(p))].join(", ");
}

const isHex = (id: string): boolean => /^\d{4}$/.test(id);

/** Share of the room that roads, balkas and the like have beside the ground. */
const FEATURES = 0.35;
/** Hexes around what is at hand whose roads, balkas and the like are listed at most. */
const FEATURES_AWAY = 4;

/** The ground around what is at hand, as far as a limit of tokens allows; nothing on a board without hexes. */
function nearGround({ scene, hand, what }: Near, room: number): string[] {
  const hexes = scene.board.places.filter((p) => isHex(p.id));
  const centres = hand.filter((p) => isHex(p.id));
  if (centres.length === 0) return [];
  const away = hexes.map((p) => [p, Math.min(...centres.map((c) => distance(p, c)))] as const);
  const within = (n: number, wordsOf: (p: Place) => readonly string[]): (readonly [string, string])[] => {
    const lists = new Map<string, string[]>();
    for (const [p, far] of away)
      if (far < n - 1 + 0.5) for (const word of wordsOf(p)) lists.set(word, [...(lists.get(word) ?? []), p.id]);
    return [...lists].map(([word, ids]) => [word, ranges(ids).join(" ")]);
  };
  const where = (n: number, at: string, within: string): string =>
    n === 1 ? `${at} ${what}` : `${within} ${n - 1} ${n === 2 ? "hex" : "hexes"} of ${what}`;
  const features = largest(FEATURES_AWAY + 1, FEATURES * room, (n) => {
    const lists = within(n, (p) => p.features ?? []);
    const listed = lists.map((list) => list.join(" ")).join("; ");
    return lists.length === 0 ? [] : [`${where(n, "In", "Within")}: ${listed}`];
  });
  const ground = largest(FARTHEST + 1, room - roughTokens(features.join("\n")), (n) => {
    if (n === 0) return [];
    const lists = within(n, (p) => [terrainName(p)]);
    const commonest = lists.reduce((x, y) => (y[1].length > x[1].length ? y : x))[0];
    const others = lists.filter(([terrain]) => terrain !== commonest).map((list) => list.join(" "));
    return [
      `Ground ${where(n, "of", "within")}: ${[...others, `${others.length > 0 ? "all others " : ""}${commonest}`].join("; ")}`,
    ];
  });
  return [...ground, ...features];
}
