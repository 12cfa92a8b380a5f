import type { Board, Counter, CounterState, Overlay, Place, Scene } from "../../env/index.js";
import { drawBase } from "./base.js";
import { drawCounter, type Look, looksOf } from "./counter.js";
import type { Frame } from "./geometry.js";
import { drawOverlays, flag } from "./overlay.js";
import { el, num } from "./svg.js";
import { glyph, starPath } from "./symbols.js";
import type { Theme } from "./theme.js";

/** A mark of the board, and what it means. */
export interface LegendItem {
  /** Drawn in a box of 48 by 36 px. */
  readonly svg: string;
  readonly text: string;
}

/** Width and height of a drawn mark, px. */
const LEGEND_BOX = [48, 36] as const;

/** Pixels a unit in a drawn mark. */
const UNIT = 32;
const MIDDLE = [LEGEND_BOX[0] / 2, LEGEND_BOX[1] / 2] as const;

const TERRAIN_WORDS: Partial<Record<Place["terrain"], string>> = { balka: "balka, a gully", box: "off the map" };
const SIDE_WORDS: Readonly<Record<Board["hexsides"][number]["kind"], string>> = {
  river: "river",
  wall: "wall",
  slope: "slope",
  bank: "bank",
};
const WAY_WORDS: Readonly<Record<Board["ways"][number]["kind"], string>> = {
  road: "road",
  rail: "railway",
  balka: "course of a balka",
  path: "path",
};
const LINE_WORDS: Readonly<Record<Board["lines"][number]["kind"], string>> = { wall: "wall", cliff: "cliff" };
const STATE_WORDS: Readonly<Record<CounterState, string>> = {
  active: "in question now",
  moved: "has moved",
  fired: "has fired",
  suppressed: "suppressed",
  depleted: "reduced",
  stopped: "must stop",
  advancing: "advances",
  new: "has just arrived",
  hidden: "the enemy sees its back only",
  pinned: "pinned",
  spent: "has done its part",
  unready: "not ready",
  isolated: "cut off",
  dead: "eliminated",
  elite: "elite",
};

/** A board of one place, or of two neighbours, that marks are drawn on as on the real one. */
function sample(kind: Board["kind"], more: Partial<Board> = {}, place: Partial<Place> = {}, two = false): Frame {
  const [w, h] = [LEGEND_BOX[0] / UNIT, LEGEND_BOX[1] / UNIT];
  const at: [number, number][] = two
    ? [
        [-0.433, -0.25],
        [0.433, 0.25],
      ]
    : [[0, 0]];
  const places = at.map((p, i): Place => ({
    id: `${i}`,
    name: "",
    at: p,
    terrain: "clear",
    ...(kind === "areas" ? { outline: [[-0.6, -0.42], [0.6, -0.42], [0.6, 0.42], [-0.6, 0.42]] } : {}), // prettier-ignore
    ...place,
  }));
  const board: Board = {
    kind,
    bounds: [-w / 2, -h / 2, w / 2, h / 2],
    counterSize: 0.6,
    places,
    links: [],
    hexsides: [],
    ways: [],
    lines: [],
    zones: [],
    waters: [],
    labels: [],
    ...more,
  };
  return { board, unit: UNIT };
}

/** A line across the hex of a sample. */
const ACROSS: [number, number][] = [
  [-0.5, 0.2],
  [0, 0],
  [0.5, 0.2],
];

/** What never changes on a board: ground, ways, borders, signs. */
export function boardLegend(board: Board, theme: Theme): LegendItem[] {
  const items: LegendItem[] = [];
  const hexes = board.kind === "hexes";
  const based = (f: Frame): string => drawBase(f, { theme, numbers: false });
  if (hexes) {
    for (const terrain of new Set(board.places.map((p) => p.terrain)))
      items.push({ svg: based(sample("hexes", {}, { terrain })), text: TERRAIN_WORDS[terrain] ?? terrain });
    for (const kind of new Set(board.ways.map((w) => w.kind)))
      items.push({
        svg: based(sample("hexes", { ways: [{ kind, places: ["0", "1"] }] }, {}, true)),
        text: WAY_WORDS[kind],
      });
    for (const kind of new Set(board.hexsides.map((h) => h.kind)))
      items.push({
        svg: based(sample("hexes", { hexsides: [{ kind, between: ["0", "1"] }] }, {}, true)),
        text: SIDE_WORDS[kind],
      });
    for (const kind of new Set(board.lines.map((l) => l.kind)))
      items.push({ svg: based(sample("hexes", { lines: [{ kind, points: ACROSS }] })), text: LINE_WORDS[kind] });
    for (const { name, look } of board.zones)
      items.push({ svg: based(sample("hexes", { zones: [{ id: "0", name, look, places: ["0"] }] })), text: name });
  }
  if (board.places.some((p) => p.stars !== undefined))
    items.push({ svg: el("path", { d: starPath(...MIDDLE, 9), fill: theme.star }), text: "a defence star" });
  const drawn = new Set<string>();
  for (const sign of board.places.flatMap((p) => p.glyphs ?? [])) {
    // flags show it, in the colours of the side that holds the place
    if (sign.glyph === "flag" || sign.glyph === "star" || drawn.has(sign.glyph)) continue;
    drawn.add(sign.glyph);
    const svg = hexes ? based(sample("hexes", {}, { glyphs: [sign] })) : glyph(sign.glyph, ...MIDDLE, 10, theme.goal);
    items.push({ svg, text: sign.title.replace(/ \d+$/, "") }); // of all landings, not of the first
  }
  return items;
}

/** A mark that comes and goes, by what it is drawn from. */
export type Sign =
  | { readonly kind: "control"; readonly look: Look; readonly name: string }
  | { readonly kind: "front"; readonly looks: readonly [Look, Look]; readonly names: readonly [string, string] }
  | {
      readonly kind: "area";
      readonly look: Extract<Overlay, { kind: "area" }>["look"];
      readonly titles: readonly string[];
    }
  | {
      readonly kind: "arrow";
      readonly look: Extract<Overlay, { kind: "arrow" }>["look"];
      readonly titles: readonly string[];
    }
  | { readonly kind: "flag"; readonly look: Look | undefined; readonly title: string; readonly worth: boolean }
  | { readonly kind: "back"; readonly look: Look }
  | { readonly kind: "stack" }
  | { readonly kind: "state"; readonly state: CounterState };

/** Titles listed for one kind of mark; of more, the first. */
const TITLES = 2;

/** The marks of a scene that come and go, each once. */
export function signsOf(scene: Scene): Sign[] {
  const looks = looksOf(scene);
  const nameOf = (side: string): string => scene.sides.find((s) => s.id === side)!.name;
  const signs: Sign[] = [];
  const titled = new Map<string, { sign: Extract<Sign, { kind: "area" | "arrow" }>; titles: string[] }>();
  for (const o of scene.overlays) {
    if (o.kind === "control" && o.places.length > 0)
      signs.push({ kind: "control", look: looks.get(o.side)!, name: nameOf(o.side) });
    if (o.kind === "front")
      signs.push({
        kind: "front",
        looks: [looks.get(o.sides[0])!, looks.get(o.sides[1])!],
        names: [nameOf(o.sides[0]), nameOf(o.sides[1])],
      });
    if (o.kind === "flags")
      signs.push({
        kind: "flag",
        look: o.side === undefined ? undefined : looks.get(o.side)!,
        title: o.title,
        worth: o.worth !== undefined,
      });
    if (o.kind === "arrow" || (o.kind === "area" && o.places.length > 0)) {
      const key = `${o.kind} ${o.look}`;
      let known = titled.get(key);
      if (known === undefined) {
        const titles: string[] = [];
        const sign = { kind: o.kind, look: o.look, titles } as Extract<Sign, { kind: "area" | "arrow" }>;
        titled.set(key, (known = { sign, titles }));
        signs.push(sign);
      }
      if (known.titles.length < TITLES && !known.titles.includes(o.title)) known.titles.push(o.title);
    }
  }
  for (const side of new Set(scene.counters.filter((c) => c.back !== undefined).map((c) => c.side)))
    signs.push({ kind: "back", look: side === undefined ? "neutral" : looks.get(side)! });
  const places = scene.counters.map((c) => c.place);
  if (scene.board.kind === "hexes" && new Set(places).size < places.length) signs.push({ kind: "stack" });
  for (const state of new Set(scene.counters.flatMap((c) => c.states ?? []))) signs.push({ kind: "state", state });
  return signs;
}

/** A mark that comes and goes, drawn as on a board of this kind. */
export function legendItem(sign: Sign, kind: Board["kind"], theme: Theme): LegendItem {
  const overlay = (o: Overlay, two = false): string => {
    const f = sample(kind, {}, {}, two);
    const sides = (["german", "soviet", "neutral"] as const).map((look) => ({ id: look, name: look, look }));
    const scene = { board: f.board, sides, overlays: [o] } as unknown as Scene;
    return (
      (two ? drawBase(f, { theme, numbers: false }) : "") +
      drawOverlays(f, scene, theme, "under") +
      drawOverlays(f, scene, theme, "over")
    );
  };
  const counter = (more: Partial<Counter>, look: Look = "neutral", below = 0): string =>
    el(
      "g",
      { transform: `translate(${num(MIDDLE[0])} ${num(MIDDLE[1])})` },
      drawCounter({ id: "0", kind: "counter", title: "", ...more }, look, 26, below, below === 0 ? 0 : below + 1),
    );
  switch (sign.kind) {
    case "control":
      return {
        svg: overlay({ kind: "control", side: sign.look, places: ["0"] }),
        text: `held by the ${sign.name} side`,
      };
    case "front":
      return {
        svg: overlay({ kind: "front", sides: [sign.looks[0], sign.looks[1]], between: [["0", "1"]] }, true),
        text: `the front: ${sign.names[0]} on one side, ${sign.names[1]} on the other`,
      };
    case "area":
      return {
        svg: overlay({ kind: "area", look: sign.look, title: "", places: ["0"] }),
        text: sign.titles.join("; "),
      };
    case "arrow":
      return {
        svg: overlay({ kind: "arrow", from: "0", to: "1", look: sign.look, title: "" }, true),
        text: sign.titles.join("; "),
      };
    case "flag":
      return {
        svg: el("g", { transform: "translate(11 32)" }, flag(28, sign.look, sign.worth ? 1 : undefined, theme)),
        text: sign.worth ? `${sign.title}; the number is what it is worth` : sign.title,
      };
    case "back":
      return { svg: counter({ back: {} }, sign.look), text: "face down: you don't know what it is" };
    case "stack":
      return { svg: counter({}, "neutral", 2), text: "a stack, with its number of counters" };
    case "state":
      return { svg: counter({ states: [sign.state] }), text: STATE_WORDS[sign.state] };
  }
}
