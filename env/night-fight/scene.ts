import type { GameType, JsonObject } from "../core/game.js";
import { joined, roadLinks } from "../core/scene-lines.js";
import {
  type Board,
  type Counter,
  type CounterState,
  emptyBoard,
  hexBounds,
  type Overlay,
  type Scene,
  type Track,
  type Tray,
  type TrayItem,
} from "../core/scene.js";
import { type UnitEntity, unitSymbol } from "../core/symbol-codes.js";
import { GERMAN_TYPES, GERMANS, type Tables, TERRAINS, UNITS } from "./data.js";

interface UnitDoc {
  readonly hex: string;
  readonly moved?: boolean;
  readonly fired?: boolean;
  readonly supp?: boolean;
  readonly seen?: boolean;
  /** Counters face down in one hex, in the player's view. */
  readonly count?: number;
}

/** What the scene reads of the player's view: see `writeView`. */
interface View {
  readonly turn: number;
  readonly phase: string;
  readonly budget: number;
  readonly reinstated: Readonly<Record<string, boolean>>;
  readonly columns: readonly string[];
  readonly wrecks: Readonly<Record<string, number>>;
  readonly flares: readonly string[];
  readonly exited: number;
  readonly active?: { unit: string; mp?: number; target?: string };
  readonly ace?: string;
  readonly result?: number;
  readonly german: Readonly<Record<string, UnitDoc>>;
  readonly soviet: Readonly<Record<string, UnitDoc>>;
}

const ENTITY: Readonly<Record<string, UnitEntity>> = {
  vs: "infantry",
  panther: "armor",
  gren: "infantry",
  jagd: "antitank",
  stug: "self-propelled-artillery",
  marder: "antitank",
  sdk: "armored-infantry",
  truck: "transport",
  rifle: "infantry",
  atgun: "antitank",
  t34: "armor",
  hunter: "engineer",
};

const PHASE_TEXT: Readonly<Record<string, string>> = {
  buy: "buy units",
  reinstate: "restore guns with the trucks' ammunition",
  move: "choose a unit to move",
  step: "a unit moves",
  fire: "choose a unit to fire",
  target: "choose its target",
  follow: "fire on or hold",
};

/** Draws boards of this game: what never changes is made once. */
export class SceneMaker {
  private readonly board: Board;

  constructor(
    private readonly tables: Tables,
    private readonly type: GameType,
  ) {
    this.board = boardOf(tables);
  }

  /** @param doc the player's view of a position, or for EVERYTHING the position */
  scene(doc: JsonObject): Scene {
    const v = doc as unknown as View;
    const { tables } = this;
    return {
      game: this.type.id,
      title: this.type.title,
      viewer: "german",
      caption: caption(tables, v),
      notice: `Reconstructed: ${this.type.reconstructed}`,
      sides: [
        { id: "german", name: "German", look: "german" },
        { id: "soviet", name: "Soviet", look: "soviet" },
      ],
      board: this.board,
      counters: counters(tables, v),
      overlays: overlays(tables, v),
      tracks: [turns(tables, v)],
      trays: trays(tables, v),
    };
  }
}

/** Columns count from the east, rows from the north edge of a sheet that lies on its head: turned round, west is left. */
function boardOf(tables: Tables): Board {
  const { grid, ids } = tables;
  const points = ids.map((_, h): [number, number] => {
    const [x, y] = grid.point(h);
    return [-x, -y];
  });
  const bounds = hexBounds(points, 0.3);
  const middle = (bounds[1] + bounds[3]) / 2;
  const inColumn = (column: number): string[] => ids.filter((_, h) => grid.columns[h] === column);
  const onRoad = (h: number): boolean => tables.road[h] === 1;
  const pairs = (alike: boolean): [string, string][] =>
    ids.flatMap((id, h) =>
      [0, 1, 2, 3, 4, 5].flatMap((d): [string, string][] => {
        const n = grid.neighbour(h, d);
        const straight = n >= 0 && (grid.columns[n] === grid.columns[h] || grid.rows[n] === grid.rows[h]);
        return n > h && onRoad(h) && onRoad(n) && straight === alike ? [[id, ids[n]!]] : [];
      }),
    );
  return {
    ...emptyBoard("hexes"),
    bounds: [bounds[0] - 0.7, bounds[1], bounds[2] + 0.7, bounds[3]],
    places: ids.map((id, h) => ({
      id,
      name: "",
      at: points[h]!,
      terrain: TERRAINS[tables.terrain[h]!]!,
      ...(tables.ablaze[h] === 1 ? { glyphs: [{ glyph: "fire" as const, title: "ablaze: nobody enters" }] } : {}),
    })),
    ways: joined(roadLinks([...pairs(true), ...pairs(false)])).map((places) => ({ kind: "road" as const, places })),
    zones: [
      { id: "entry", name: "entry edge", look: "entry", places: inColumn(tables.entryColumn) },
      { id: "exit", name: "exit edge", look: "exit", places: inColumn(tables.exitColumn) },
    ],
    labels: [
      { text: "EXIT WEST", at: [bounds[0] - 0.2, middle], size: 0.6, turn: -90, look: "edge" },
      { text: "EAST", at: [bounds[2] + 0.2, middle], size: 0.6, turn: 90, look: "land" },
    ],
  };
}

function counters(tables: Tables, v: View): Counter[] {
  const list: Counter[] = [];
  const onMap = new Set(tables.ids);
  for (const [slot, u] of Object.entries(v.german)) if (onMap.has(u.hex)) list.push(german(tables, v, slot, u, u.hex));
  for (const [slot, u] of Object.entries(v.soviet)) {
    if (!onMap.has(u.hex)) continue;
    if (slot.startsWith("?"))
      list.push({
        id: `contact-${u.hex}`,
        kind: "counter",
        place: u.hex,
        side: "soviet",
        title: u.count === undefined ? "a contact: a Soviet counter face down" : `${u.count} contacts`,
        back: {},
        ...(u.count === undefined ? {} : { count: u.count }),
      });
    else list.push(soviet(tables, slot, u, u.hex));
  }
  v.columns.forEach((hex, c) => {
    if (onMap.has(hex))
      list.push({
        id: `column-${c + 1}`,
        kind: "counter",
        place: hex,
        side: "soviet",
        glyph: "convoy",
        name: `column ${c + 1}`,
        title: `Soviet column ${c + 1} on the march`,
      });
  });
  for (const [hex, count] of Object.entries(v.wrecks))
    list.push({
      id: `wreck-${hex}`,
      kind: "counter",
      place: hex,
      glyph: "wreck",
      title: count === 1 ? "a wreck" : `${count} wrecks`,
      count,
    });
  for (const hex of v.flares)
    list.push({ id: `flare-${hex}`, kind: "counter", place: hex, glyph: "flare", title: "a flare" });
  return list;
}

function statesOf(v: View, slot: string, u: UnitDoc): CounterState[] {
  return [
    ...(v.active?.unit === slot ? (["active"] as const) : []),
    ...(u.moved === true ? (["moved"] as const) : []),
    ...(u.fired === true ? (["fired"] as const) : []),
    ...(u.supp === true ? (["suppressed"] as const) : []),
    ...(u.seen === false ? (["hidden"] as const) : []),
    ...(v.ace === slot ? (["elite"] as const) : []),
  ];
}

function german(tables: Tables, v: View, slot: string, u: UnitDoc, place?: string): Counter {
  const k = tables.unitNames.indexOf(slot, 0);
  const { type, name } = tables.types[tables.type[k]!]!;
  const restored = v.reinstated[type] === true;
  const range = restored ? tables.restoredRange[k]! : tables.range[k]!;
  const mp = v.active?.unit === slot && v.active.mp !== undefined ? ` (${v.active.mp} left)` : "";
  return {
    id: slot,
    kind: "counter",
    ...(place === undefined ? {} : { place }),
    side: "german",
    unit: slot,
    symbol: unitSymbol(ENTITY[type]!, type === "gren" || type === "vs" ? "platoon" : "section"),
    name: slot.replace("-", " ").toUpperCase(),
    title: `${name}: strength ${tables.strength[k]}, range ${range}, ${tables.mp[k]} movement points${mp}, night equipment ${tables.night[k]}${restored ? ", gun restored" : ""}`,
    values: [
      { name: "strength", value: tables.strength[k]! },
      { name: "range", value: range },
      { name: "movement points", value: tables.mp[k]! },
    ],
    states: statesOf(v, slot, u),
  };
}

function soviet(tables: Tables, slot: string, u: UnitDoc, place?: string): Counter {
  const k = tables.unitNames.indexOf(slot, GERMANS);
  const { type } = tables.types[tables.type[k]!]!;
  const entity = ENTITY[type];
  return {
    id: slot,
    kind: "counter",
    ...(place === undefined ? {} : { place }),
    side: "soviet",
    unit: slot,
    ...(entity === undefined ? { glyph: "dummy" as const } : { symbol: unitSymbol(entity, "platoon") }),
    name: slot.replace("-", " ").toUpperCase(),
    title: `${type}: strength ${tables.strength[k]}, range ${tables.range[k]}`,
    values: [
      { name: "strength", value: tables.strength[k]! },
      { name: "range", value: tables.range[k]! },
    ],
    states: [...(u.supp === true ? (["suppressed"] as const) : []), ...(u.seen === false ? (["hidden"] as const) : [])],
  };
}

function overlays(tables: Tables, v: View): Overlay[] {
  const { grid } = tables;
  const source = (h: number): boolean => v.wrecks[tables.ids[h]!] !== undefined || v.flares.includes(tables.ids[h]!);
  const lit = tables.ids.filter(
    (_, h) =>
      tables.nearFire[h] === 1 ||
      source(h) ||
      [0, 1, 2, 3, 4, 5].some((d) => grid.neighbour(h, d) >= 0 && source(grid.neighbour(h, d))),
  );
  const list: Overlay[] = [
    {
      kind: "area",
      look: "lit",
      title: "bright: near fire, a flare or a wreck, night equipment gives nothing",
      places: lit,
    },
  ];
  const from = v.active === undefined ? undefined : v.german[v.active.unit]?.hex;
  if (v.active?.target !== undefined && from !== undefined && tables.ids.includes(from))
    list.push({ kind: "arrow", from, to: v.active.target, side: "german", look: "fire", title: "the target" });
  return list;
}

function turns(tables: Tables, v: View): Track {
  return {
    id: "turns",
    name: "Turn",
    cells: Array.from({ length: tables.rules.turns }, (_, i) => ({
      id: String(i + 1),
      label: String(i + 1),
      state: i + 1 < v.turn ? "past" : i + 1 === v.turn ? "now" : "ahead",
    })),
  };
}

function trays(tables: Tables, v: View): Tray[] {
  const list: Tray[] = [];
  if (v.phase === "buy") list.push(market(tables, v));
  const at = (hex: string): [string, UnitDoc][] => Object.entries(v.german).filter(([, u]) => u.hex === hex);
  const shelf = (id: string, name: string, look: Tray["look"], units: [string, UnitDoc][]): void => {
    if (units.length > 0)
      list.push({ id, name, side: "german", look, items: units.map(([slot, u]) => german(tables, v, slot, u)) });
  };
  shelf("waiting", "Waiting to enter", "reinforcements", at("waiting"));
  list.push({ id: "breakout", name: "The breakout", side: "german", look: "resources", items: score(tables, v) });
  shelf("exited", "Got out", "reinforcements", at("exited"));
  shelf("dead", "German losses", "losses", at("dead"));
  const fallen = Object.entries(v.soviet).filter(([, u]) => u.hex === "dead");
  if (fallen.length > 0)
    list.push({
      id: "soviet-dead",
      name: "Soviet losses",
      side: "soviet",
      look: "losses",
      items: fallen.map(([slot, u]) => soviet(tables, slot, u)),
    });
  list.push({ id: "unknown", name: "Not yet seen", side: "soviet", look: "pool", items: unseen(tables, v) });
  return list;
}

/** What can be bought: cost, how many are left, and what it can do. */
function market(tables: Tables, v: View): Tray {
  const items = GERMAN_TYPES.map((type, i): TrayItem => {
    const k = tables.firstOfType[i]!;
    const bought = Object.keys(v.german).filter(
      (slot) => tables.type[tables.unitNames.indexOf(slot, 0)] === i && v.german[slot]!.hex !== "pool",
    ).length;
    return {
      ...german(tables, v, tables.unitNames[k]!, { hex: "pool" }),
      id: type,
      unit: type,
      name: `${type.toUpperCase()} ${tables.cost[i]} pt`,
      count: Math.max(1, tables.count[i]! - bought),
      states: tables.count[i]! > bought ? [] : ["spent"],
    };
  });
  return {
    id: "market",
    name: `To buy: ${v.budget} of ${tables.budget} points left`,
    side: "german",
    look: "reinforcements",
    items,
  };
}

function score(tables: Tables, v: View): TrayItem[] {
  const lost = Math.max(
    0,
    tables.count[GERMAN_TYPES.indexOf("truck")]! -
      Object.entries(v.german).filter(([slot, u]) => u.hex === "exited" && slot.startsWith("truck")).length,
  );
  const count = (id: string, name: string, title: string, value: number): TrayItem => ({
    id,
    kind: "count",
    side: "german",
    name,
    title,
    value,
  });
  return [
    count("exited-count", "units out", "units that left by the exit edge: more than the victory roll wins", v.exited),
    count(
      "trucks",
      "trucks not out",
      `each adds ${tables.rules.victory.perTruckLost} to the victory roll of two dice`,
      lost,
    ),
    ...(v.result === undefined ? [] : [count("roll", "victory roll", "two dice and the trucks lost", v.result)]),
    ...(v.phase === "buy" ? [] : [count("budget", "points left", "points not spent", v.budget)]),
  ];
}

/** How many counters of each Soviet type the player hasn't met: on the map face down, or in the reserve. */
function unseen(tables: Tables, v: View): TrayItem[] {
  const known = new Set(
    Object.entries(v.soviet)
      .filter(([slot, u]) => !slot.startsWith("?") && u.seen !== false && u.hex !== "reserve")
      .map(([slot]) => slot),
  );
  const rest = new Map<string, number>();
  for (let k = GERMANS; k < UNITS; k++) {
    const { type } = tables.types[tables.type[k]!]!;
    rest.set(type, (rest.get(type) ?? 0) + (known.has(tables.unitNames[k]!) ? 0 : 1));
  }
  return [...rest].map(([type, value]) => ({
    id: type,
    kind: "count",
    side: "soviet",
    name: type,
    title: `${type} counters not yet seen, on the map or in the reserve`,
    value,
  }));
}

function caption(tables: Tables, v: View): string {
  if (v.result !== undefined)
    return `The game is over: victory roll ${v.result} against ${v.exited} units out, ${v.result < v.exited ? "won" : "lost"}.`;
  const active =
    v.active === undefined
      ? ""
      : ` Active: ${v.active.unit}${v.active.mp === undefined ? "" : `, ${v.active.mp} MP left`}.`;
  return `Turn ${v.turn} of ${tables.rules.turns}: ${PHASE_TEXT[v.phase] ?? v.phase}.${active}`;
}
