import { z } from "zod";

/**
 * The board of one viewer as drawing data: `Game.scene` returns it, `server/draw` draws it. Plain JSON.
 *
 * Coordinates: x to the east, y to the south, west left and north up, whatever the printed map does. On a hex map the
 * centres of neighbours are one unit apart and hexes form columns (flat top). On an area map a unit is what the
 * game's data say; `size` of the places is in the same unit.
 *
 * Names: a place is known by its row of `map` (`observation.mapRows`), a unit or a die by what action notation calls
 * it, so that a click is an action. What the viewer can't know is absent, not empty: a counter that is face down has
 * a handle of this viewer's own as `id` and no `unit`. The order of a list reveals nothing else.
 */

export const TERRAINS = [
  "clear", "rough", "hill", "field", "woods", "town", "suburb", "city", "industrial", "rubble", "balka", "cliff",
  "marsh", "water", "box",
] as const; // prettier-ignore
export type Terrain = (typeof TERRAINS)[number];

/** Drawings on a place or a marker; each means one thing in a game and is named by the `title` beside it. */
export const GLYPHS = [
  "star", "cross", "fort", "artillery", "aircraft", "fire", "flare", "wreck", "night", "partisan", "landing", "ferry",
  "city", "capital", "exit", "entry", "convoy", "mine", "bridge", "supply", "sniper", "molotov", "ambush", "strongpoint",
  "counterattack", "dummy", "leader", "coin", "question", "rubble", "raid", "flag",
] as const; // prettier-ignore
export type Glyph = (typeof GLYPHS)[number];

/** Lines on a board: along the side that two hexes share, or from centre to centre. */
export const HEXSIDES = ["river", "wall", "slope", "bank"] as const;
export const WAYS = ["road", "rail", "balka", "path"] as const;
/** Lines across hexes, wherever they are printed. */
export const LINES = ["wall", "cliff"] as const;

/** The status of a counter; each has a mark of its own, so that colour is never the only difference. */
export const STATES = [
  "active", "moved", "fired", "suppressed", "depleted", "stopped", "advancing", "new", "hidden", "pinned", "spent",
  "unready", "isolated", "dead", "elite",
] as const; // prettier-ignore
export type CounterState = (typeof STATES)[number];

/** How the renderer colours a side. */
export const LOOKS = ["german", "soviet", "neutral"] as const;

const id = z.string().min(1);
const point = z.tuple([z.number(), z.number()]);

/** A number printed on a place or kept in a tray, with its name. */
const valueSchema = z.strictObject({ name: z.string(), value: z.union([z.number(), z.string()]) });

const placeSchema = z.strictObject({
  /** Row of `map`. */
  id,
  /** Printed name, "" when it has none beside its number. */
  name: z.string(),
  at: point,
  /** Width and height of an area's card; absent on hex maps. */
  size: point.optional(),
  /** Outline of an area that is no card, as points of the board. */
  outline: z.array(point).min(3).optional(),
  terrain: z.enum(TERRAINS),
  /** What the game calls the terrain, where that is another word. */
  called: z.string().optional(),
  /** What the place has beside its terrain, in words: `road`. */
  features: z.array(z.string()).optional(),
  /** Printed on the place, as a city's mark. */
  glyphs: z.array(z.strictObject({ glyph: z.enum(GLYPHS), title: z.string() })).optional(),
  /** Defence stars; on a capture card also the line at which it falls. */
  stars: z.number().int().min(0).optional(),
  values: z.array(valueSchema).optional(),
  /** Fixed boxes for counters of one side, as many as the place holds. */
  slots: z.array(z.strictObject({ side: id, count: z.number().int().min(0) })).optional(),
  /** The rule of the place in one sentence, for a tooltip. */
  about: z.string().optional(),
});

const boardSchema = z.strictObject({
  kind: z.enum(["hexes", "areas"]),
  /** Left, top, right, bottom of the drawing. */
  bounds: z.tuple([z.number(), z.number(), z.number(), z.number()]),
  /** Side of a counter. */
  counterSize: z.number().positive(),
  places: z.array(placeSchema).min(1),
  /** Pairs of places on an area map between which counters move; `by` names the means where it is not by land. */
  links: z.array(
    z.strictObject({
      from: id,
      to: id,
      by: z.string().optional(),
      side: id.optional(),
      oneWay: z.boolean().optional(),
    }),
  ),
  hexsides: z.array(z.strictObject({ kind: z.enum(HEXSIDES), between: z.tuple([id, id]) })),
  ways: z.array(z.strictObject({ kind: z.enum(WAYS), places: z.array(id).min(2) })),
  lines: z.array(z.strictObject({ kind: z.enum(LINES), points: z.array(point).min(2) })),
  /** Sets of places that the rules name, outlined: lines of departure, goals, edges. */
  zones: z.array(
    z.strictObject({
      id,
      name: z.string(),
      look: z.enum(["line", "goal", "exit", "entry"]),
      places: z.array(id).min(1),
    }),
  ),
  /** Open water, as polygons under everything. */
  waters: z.array(z.array(point).min(3)),
  /** Text on the map that belongs to no place. `turn` in degrees clockwise. */
  labels: z.array(
    z.strictObject({
      text: z.string(),
      at: point,
      size: z.number(),
      turn: z.number().optional(),
      look: z.enum(["water", "land", "edge"]),
    }),
  ),
});

/** The unseen face of a counter. */
const backSchema = z.strictObject({
  /** Public age, as the game counts it: a number on the back, which the counter's title explains. */
  age: z.number().int().min(0).optional(),
  /** Publicly known class of the counter, such as `chit`. */
  kind: z.string().optional(),
});

const counterSchema = z.strictObject({
  /** Unique in a scene; the viewer's own handle for a counter whose identity is hidden. */
  id,
  kind: z.literal("counter"),
  /** Its place; absent in trays. */
  place: id.optional(),
  /** Box of its place, counted from 0, where the place has boxes and the box matters. */
  slot: z.number().int().min(0).optional(),
  /** Absent for a neutral counter. */
  side: id.optional(),
  /** Its name in actions and positions. */
  unit: z.string().optional(),
  /** Symbol identification code of 20 digits (MIL-STD-2525D), drawn by milsymbol. */
  symbol: z
    .string()
    .regex(/^\d{20}$/)
    .optional(),
  /** Drawn instead of a symbol. */
  glyph: z.enum(GLYPHS).optional(),
  /** Printed at the top, short. */
  name: z.string().optional(),
  /** Description in words. */
  title: z.string(),
  /** Printed below, as "4-2": each with what it means. */
  values: z.array(valueSchema).optional(),
  steps: z.strictObject({ left: z.number().int().min(0), of: z.number().int().min(0) }).optional(),
  states: z.array(z.enum(STATES)).optional(),
  /** Present when it is face down for this viewer. */
  back: backSchema.optional(),
  /** Number of equal counters drawn as one. Absent means one. */
  count: z.number().int().min(1).optional(),
});

const dieSchema = z.strictObject({
  id,
  kind: z.literal("die"),
  /** Its name in actions, where it can be chosen. */
  die: z.string().optional(),
  side: id.optional(),
  /** Absent before it is thrown. */
  face: z.number().int().optional(),
  faces: z.number().int().min(2),
  /** Printed beside a die that is not like the others. */
  name: z.string().optional(),
  title: z.string(),
  state: z.enum(["loose", "kept", "hit", "miss", "waiting"]),
});

const cardSchema = z.strictObject({
  id,
  kind: z.literal("card"),
  side: id.optional(),
  name: z.string(),
  title: z.string(),
  glyph: z.enum(GLYPHS).optional(),
  /** Face down for this viewer. */
  back: backSchema.optional(),
  state: z.enum(["ready", "active", "used"]),
});

/** A number with its name; with `of`, as boxes of which `value` are filled and those from `open` on are struck out. */
const countSchema = z.strictObject({
  id,
  kind: z.literal("count"),
  side: id.optional(),
  name: z.string(),
  title: z.string(),
  value: z.number().int(),
  of: z.number().int().min(0).optional(),
  open: z.number().int().min(0).optional(),
  /** The value needed, drawn as a line across the bar. */
  need: z.number().int().optional(),
  glyph: z.enum(GLYPHS).optional(),
});

const traySchema = z.strictObject({
  id,
  name: z.string(),
  side: id.optional(),
  /** `place`: what is in a place of the board, once more. */
  look: z.enum(["dice", "hand", "pool", "reinforcements", "losses", "battle", "resources", "place"]),
  items: z.array(z.discriminatedUnion("kind", [counterSchema, dieSchema, cardSchema, countSchema])),
});

const trackSchema = z.strictObject({
  id,
  name: z.string(),
  cells: z
    .array(
      z.strictObject({
        id,
        label: z.string(),
        /** Under the label: what happens there, in a few words. */
        note: z.string().optional(),
        state: z.enum(["past", "now", "ahead"]),
        /** Counters waiting there. */
        count: z.number().int().min(0).optional(),
      }),
    )
    .min(1),
});

const overlaySchema = z.discriminatedUnion("kind", [
  /** Who holds these places. */
  z.strictObject({ kind: z.literal("control"), side: id, places: z.array(id) }),
  /** The line between two sides: of each pair the first place is held by `sides[0]`, the second by `sides[1]`. */
  z.strictObject({ kind: z.literal("front"), sides: z.tuple([id, id]), between: z.array(z.tuple([id, id])) }),
  /** Places with a status of the game: attacked, lit, cut off, still to be taken, in reach. */
  z.strictObject({
    kind: z.literal("area"),
    look: z.enum(["battle", "lit", "pocket", "objective", "reach", "active"]),
    title: z.string(),
    places: z.array(id),
    /** Cost or count on each, in the order of `places`. */
    numbers: z.array(z.number()).optional(),
  }),
  /** Places that count for victory: a flag on each, in the colours of who holds it. */
  z.strictObject({
    kind: z.literal("flags"),
    /** Who holds them; absent where nobody does, or where holding is not what counts. */
    side: id.optional(),
    title: z.string(),
    places: z.array(id).min(1),
    /** What each is worth, in the order of `places`; absent where all count alike. */
    worth: z.array(z.number()).optional(),
  }),
  z.strictObject({
    kind: z.literal("arrow"),
    from: id,
    to: id,
    side: id.optional(),
    /** `sight`: who sees or spots there, without doing anything. */
    look: z.enum(["move", "attack", "retreat", "fire", "sight"]),
    title: z.string(),
  }),
]);

export const sceneSchema = z.strictObject({
  game: id,
  title: z.string(),
  /** The viewer: a player's name, null for a spectator. */
  viewer: z.string().nullable(),
  /** One line: turn, phase, acting side. */
  caption: z.string(),
  /** Shown on every picture where data are a reconstruction. */
  notice: z.string().optional(),
  sides: z.array(z.strictObject({ id, name: z.string(), look: z.enum(LOOKS) })),
  /** Constant during a game with these options and data: drawn once and cached by its hash. */
  board: boardSchema,
  counters: z.array(counterSchema),
  overlays: z.array(overlaySchema),
  tracks: z.array(trackSchema),
  trays: z.array(traySchema),
  /** The board as text, for a game that draws no counters of its own. */
  text: z.string().optional(),
});

export type Scene = z.infer<typeof sceneSchema>;
export type Board = Scene["board"];
export type Place = Board["places"][number];
export type Counter = Scene["counters"][number];
export type Overlay = Scene["overlays"][number];
export type Track = Scene["tracks"][number];
export type Tray = Scene["trays"][number];
export type TrayItem = Tray["items"][number];
export type Die = Extract<TrayItem, { kind: "die" }>;
export type Card = Extract<TrayItem, { kind: "card" }>;
export type Count = Extract<TrayItem, { kind: "count" }>;

/** An empty board: games add what they have. */
export const emptyBoard = (kind: Board["kind"]): Board => ({
  kind,
  bounds: [0, 0, 0, 0],
  counterSize: 0.7,
  places: [],
  links: [],
  hexsides: [],
  ways: [],
  lines: [],
  zones: [],
  waters: [],
  labels: [],
});

/** Half the width of a hex whose neighbours are one unit away: corner to centre. */
export const HEX_RADIUS = 1 / Math.sqrt(3);

/** Bounds of a hex board: its places and a margin of `margin` units. */
export function hexBounds(points: readonly (readonly [number, number])[], margin: number): Board["bounds"] {
  const xs = points.map((p) => p[0]);
  const ys = points.map((p) => p[1]);
  const across = HEX_RADIUS + margin;
  const up = 0.5 + margin;
  return [Math.min(...xs) - across, Math.min(...ys) - up, Math.max(...xs) + across, Math.max(...ys) + up];
}

/** The first dangling reference or duplicate id of a scene, or null. The schema is checked separately. */
export function sceneFault(scene: Scene, placeIds: readonly string[]): string | null {
  const places = new Set(scene.board.places.map((p) => p.id));
  const sideIds = new Set(scene.sides.map((s) => s.id));
  if (scene.board.places.length !== places.size) return "two places have one id";
  const odd = placeIds.find((p) => !places.has(p));
  if (odd !== undefined) return `row ${odd} of map is no place`;
  const faults: string[] = [];
  const place = (p: string | undefined, where: string): void => {
    if (p !== undefined && !places.has(p)) faults.push(`${where} names the place ${p}, which isn't on the board`);
  };
  const side = (s: string | undefined, where: string): void => {
    if (s !== undefined && !sideIds.has(s)) faults.push(`${where} names the side ${s}, which doesn't exist`);
  };
  for (const l of scene.board.links) [l.from, l.to].forEach((p) => place(p, "a link"));
  for (const h of scene.board.hexsides) h.between.forEach((p) => place(p, `a ${h.kind}`));
  for (const w of scene.board.ways) w.places.forEach((p) => place(p, `a ${w.kind}`));
  for (const zone of scene.board.zones) zone.places.forEach((p) => place(p, `zone ${zone.id}`));
  for (const p of scene.board.places) for (const slot of p.slots ?? []) side(slot.side, `place ${p.id}`);
  for (const o of scene.overlays) {
    if (o.kind === "control" || o.kind === "area" || o.kind === "flags")
      o.places.forEach((p) => place(p, `overlay ${o.kind}`));
    if (o.kind === "front") o.between.flat().forEach((p) => place(p, "the front"));
    if (o.kind === "arrow") [o.from, o.to].forEach((p) => place(p, "an arrow"));
    if (o.kind === "control" || o.kind === "arrow" || o.kind === "flags") side(o.side, `overlay ${o.kind}`);
    if (o.kind === "front") o.sides.forEach((s) => side(s, "the front"));
  }
  const ids = new Set<string>();
  const once = (name: string): void => {
    if (ids.has(name)) faults.push(`two pieces have the id ${name}`);
    ids.add(name);
  };
  for (const c of scene.counters) {
    once(c.id);
    if (c.place === undefined) faults.push(`counter ${c.id} of the board has no place`);
    place(c.place, `counter ${c.id}`);
    side(c.side, `counter ${c.id}`);
    if (c.back !== undefined && c.unit !== undefined)
      faults.push(`counter ${c.id} is face down and is named ${c.unit}`);
  }
  for (const t of scene.trays) {
    side(t.side, `tray ${t.id}`);
    for (const item of t.items) {
      once(`${t.id}/${item.id}`);
      side(item.side, `item ${item.id}`);
    }
  }
  return faults[0] ?? null;
}
