import type { GameType, JsonObject } from "../core/game.js";
import {
  type Board,
  type Counter,
  emptyBoard,
  type Glyph,
  hexBounds,
  type Overlay,
  type Scene,
  type Track,
  type Tray,
  type TrayItem,
} from "../core/scene.js";
import { type UnitEntity, unitSymbol } from "../core/symbol-codes.js";
import type { Tables } from "./data.js";
import { CLASSES } from "./data/schema.js";

/** What the scene reads of the player's view: see `writePosition`. */
interface View {
  readonly turn: number;
  readonly phase: string;
  readonly armies: Readonly<Record<string, { hex: string; steps: number; stopped: boolean; fired: boolean }>>;
  readonly engineer: { host: string | null; steps: number };
  readonly front: Readonly<Record<string, string>>;
  readonly garrisons: Readonly<Record<string, readonly string[]>>;
  readonly track: Readonly<Record<string, readonly string[]>>;
  readonly removed: readonly string[];
  readonly interceptor: "ready" | "spent";
  readonly partisan: string;
  readonly replacements: number;
  readonly active?: { army: string; mp: number };
  readonly battle?: {
    hex: string;
    from: string;
    round: number;
    pocket: readonly string[];
    units: readonly string[];
    support: readonly string[];
    interceptor: boolean;
    hits: number;
  };
  readonly entered: Readonly<Record<string, number>>;
  readonly placed: Readonly<Record<string, number>>;
  readonly result?: string;
  readonly poolSize: number;
  readonly control: Readonly<Record<string, "german" | "soviet">>;
  readonly forts: number;
  readonly west: number;
  readonly kCount: number;
}

const ENTITY: Readonly<Record<string, UnitEntity>> = {
  panzer: "armor",
  panzergrenadier: "armored-infantry",
  infantry: "infantry",
  security: "security",
  cavalry: "reconnaissance",
};
const SUPPORT_GLYPH: Readonly<Record<string, Glyph>> = {
  raid: "raid",
  guderian: "leader",
  elefant: "partisan",
  rotkopf: "flag",
  fk8: "aircraft",
};
const CLASS_NAMES = ["mechanised", "not mechanised", "security", "support"] as const;

const PHASE_TEXT: Readonly<Record<string, string>> = {
  setup: "First Engineer Army joins an army at the start",
  replace: "replacements",
  enter: "an army enters the map",
  partisan: "the partisans land",
  activate: "choose an army to move",
  move: "an army moves",
  commit: "commit the interceptors or hold them",
  losses: "take the losses",
  press: "another round of battle or not",
  attach: "First Engineer Army joins an army",
};

/** Draws boards of this game: what never changes is made once. */
export class SceneMaker {
  private readonly board: Board;
  private readonly pairs: readonly (readonly [string, string])[];

  constructor(
    private readonly tables: Tables,
    private readonly type: GameType,
  ) {
    this.board = boardOf(tables);
    const { grid } = tables;
    this.pairs = grid.ids.flatMap((id, h) =>
      [0, 1, 2].flatMap((d) => {
        const n = grid.neighbour(h, d);
        return n < 0 ? [] : [[id, grid.ids[n]!] as const];
      }),
    );
  }

  /** @param doc the player's view of a position, or for EVERYTHING the position */
  scene(doc: JsonObject): Scene {
    const v = doc as unknown as View;
    const { tables } = this;
    return {
      game: this.type.id,
      title: this.type.title,
      viewer: "soviet",
      caption: caption(tables, v),
      notice: `Reconstructed: ${this.type.reconstructed}.`,
      sides: [
        { id: "soviet", name: "Soviet", look: "soviet" },
        { id: "german", name: "German", look: "german" },
      ],
      board: this.board,
      counters: [...armies(tables, v), ...germans(tables, v)],
      overlays: this.overlays(v),
      tracks: [turns(tables, v)],
      trays: trays(tables, v),
    };
  }

  private overlays(v: View): Overlay[] {
    const { tables } = this;
    const between: [string, string][] = [];
    for (const [a, b] of this.pairs)
      if (v.control[a] !== v.control[b]) between.push(v.control[a] === "german" ? [a, b] : [b, a]);
    const list: Overlay[] = [];
    const german = (test: (h: number) => boolean): string[] =>
      tables.grid.ids.filter((id, h) => test(h) && v.control[id] === "german");
    const over = v.result !== undefined;
    const goal = v.turn === 1 ? german((h) => tables.guarded[h] === 1) : [];
    const title = "German hexes beside Moscow or Tula lose the game at the end of turn 1";
    if (!over && goal.length > 0) list.push({ kind: "area", look: "objective", title, places: goal });
    if (v.battle !== undefined) {
      if (v.battle.pocket.length > 0)
        list.push({ kind: "area", look: "pocket", title: "the pocket", places: [...v.battle.pocket] });
      list.push({ kind: "area", look: "battle", title: "battle", places: [v.battle.hex] });
    }
    list.push({ kind: "front", sides: ["german", "soviet"], between });
    if (v.battle !== undefined && v.battle.from !== v.battle.hex)
      list.push({
        kind: "arrow",
        from: v.battle.from,
        to: v.battle.hex,
        side: "soviet",
        look: "attack",
        title: "the attack",
      });
    return list;
  }
}

function boardOf(tables: Tables): Board {
  const { grid } = tables;
  const points = grid.ids.map((_, h) => grid.point(h));
  const where = (flags: ArrayLike<number>): string[] => grid.ids.filter((_, h) => flags[h] === 1);
  const mark = (h: number): { glyph: Glyph; title: string }[] => {
    if (h === tables.moscow) return [{ glyph: "capital", title: "Moscow" }];
    if (tables.fort[h] === 1) return [{ glyph: "fort", title: "fortified locality" }];
    return tables.names[h] === "" ? [] : [{ glyph: "city", title: "town" }];
  };
  return {
    ...emptyBoard("hexes"),
    bounds: hexBounds(points, 0.3),
    places: grid.ids.map((id, h) => ({
      id,
      name: tables.names[h]!,
      at: [...points[h]!],
      terrain: tables.forest[h] === 1 ? "woods" : "clear",
      glyphs: mark(h),
    })),
    zones: [
      { id: "k-line", name: "K-Line", look: "line", places: where(tables.kLine) },
      { id: "west", name: "western hexes", look: "goal", places: where(tables.western) },
    ],
  };
}

function armies(tables: Tables, v: View): Counter[] {
  const list: Counter[] = [];
  for (const a of tables.armies) {
    const now = v.armies[a.id]!;
    if (!tables.grid.ids.includes(now.hex)) continue;
    list.push(armyCounter(tables, v, a.id, now.hex));
    if (v.engineer.host === a.id)
      list.push({
        id: tables.engineer.id,
        kind: "counter",
        place: now.hex,
        side: "soviet",
        unit: tables.engineer.id,
        symbol: unitSymbol("engineer", "army"),
        name: tables.engineer.id,
        title: `${tables.engineer.name}, ${v.engineer.steps} steps`,
        values: [{ name: "dice", value: v.engineer.steps }],
      });
  }
  if (tables.grid.ids.includes(v.partisan))
    list.push({
      id: tables.partisanId,
      kind: "counter",
      place: v.partisan,
      side: "soviet",
      unit: tables.partisanId,
      glyph: "partisan",
      title: "partisans, airborne troops and cavalry",
    });
  return list;
}

function armyCounter(tables: Tables, v: View, id: string, place?: string): Counter {
  const army = tables.armies.find((a) => a.id === id)!;
  const now = v.armies[id]!;
  const active = v.active?.army === id;
  return {
    id,
    kind: "counter",
    ...(place === undefined ? {} : { place }),
    side: "soviet",
    unit: id,
    symbol: unitSymbol("infantry", "army"),
    name: army.shock ? `${id} Shock`.replace("S Shock", " Shock") : id,
    title: `${army.name}, ${now.steps} of ${army.strength} steps${active ? `, ${v.active!.mp} movement points left` : ""}`,
    values: [
      { name: "dice", value: now.steps },
      ...(active ? [{ name: "movement points left", value: v.active!.mp }] : []),
    ],
    steps: { left: now.steps, of: army.strength },
    states: [
      ...(active ? (["active"] as const) : []),
      ...(now.stopped ? (["stopped"] as const) : []),
      ...(now.fired ? (["fired"] as const) : []),
      ...(place === undefined && now.hex === "dead" ? (["dead"] as const) : []),
    ],
  };
}

function germans(tables: Tables, v: View): Counter[] {
  const list: Counter[] = [];
  for (const [hex, under] of Object.entries(v.front)) {
    if (under !== "?") {
      list.push({ ...germanCounter(tables, under, hex), states: ["hidden"] });
      continue;
    }
    const later = Object.values(v.entered).filter((clock) => clock > (v.placed[hex] ?? 0)).length;
    list.push({
      id: `marker-${hex}`,
      kind: "counter",
      place: hex,
      side: "german",
      title:
        later === 0
          ? "face-down German marker"
          : `face-down German marker; ${later} counters that came to the pool later can't lie here`,
      back: later === 0 ? {} : { age: later },
    });
  }
  for (const [hex, units] of Object.entries(v.garrisons))
    for (const id of units) list.push(germanCounter(tables, id, hex));
  return list;
}

function germanCounter(tables: Tables, id: string, place?: string): Counter {
  const c = tables.counters.find((x) => x.id === id)!;
  const support = SUPPORT_GLYPH[c.type];
  const short = id.slice(id.indexOf("-") + 1).toUpperCase();
  return {
    id,
    kind: "counter",
    ...(place === undefined ? {} : { place }),
    side: "german",
    unit: id,
    ...(support === undefined
      ? { symbol: unitSymbol(ENTITY[c.type] ?? "infantry", id.startsWith("reg-") ? "regiment" : "division") }
      : { glyph: support }),
    name: support === undefined ? short : c.name,
    title: `${c.name}, ${CLASS_NAMES[c.cls]!}`,
  };
}

function turns(tables: Tables, v: View): Track {
  const notes: Readonly<Record<number, string>> = {
    1: "Moscow, Tula",
    3: `K-Line ${tables.kRequired}`,
    6: `${tables.win.fortified} forts, ${tables.win.west} west`,
  };
  return {
    id: "turns",
    name: "Turn",
    cells: tables.turnNames.map((name, i) => ({
      id: String(i + 1),
      label: name,
      note: notes[i + 1] ?? `${tables.movement[i + 1] ?? tables.movement[i]!} MP`,
      state: i + 1 < v.turn ? "past" : i + 1 === v.turn ? "now" : "ahead",
      count: v.track[i + 1]?.length ?? 0,
    })),
  };
}

function trays(tables: Tables, v: View): Tray[] {
  const list: Tray[] = [];
  if (v.battle !== undefined) list.push(battleTray(tables, v));
  list.push({
    id: "checks",
    name: "What the checks need",
    side: "soviet",
    look: "resources",
    items: checks(tables, v),
  });
  const off = tables.armies.filter((a) => !tables.grid.ids.includes(v.armies[a.id]!.hex));
  if (off.length > 0)
    list.push({
      id: "off-map",
      name: "Armies off the map",
      side: "soviet",
      look: "reinforcements",
      items: off.map((a) => armyCounter(tables, v, a.id)),
    });
  list.push({
    id: "soviet",
    name: "Soviet means",
    side: "soviet",
    look: "resources",
    items: [
      {
        id: "interceptor",
        kind: "card",
        name: tables.interceptorId,
        title: "VI Interceptor Corps, once a turn",
        glyph: "aircraft",
        state: v.battle?.interceptor === true ? "active" : v.interceptor === "ready" ? "ready" : "used",
      },
      {
        id: "replacements",
        kind: "count",
        name: "replacements",
        title: "steps that may be replaced now",
        value: v.replacements,
      },
    ],
  });
  const unseen = unseenByClass(tables, v);
  list.push({
    id: "pool",
    name: "German drum and markers",
    side: "german",
    look: "pool",
    items: [
      {
        id: "size",
        kind: "count",
        name: "in the drum",
        title: "German counters in the pool; none left ends the game at once",
        value: v.poolSize,
      },
      {
        id: "markers",
        kind: "count",
        name: "under markers",
        title: "counters that lie face down on the map",
        value: Object.keys(v.front).length,
      },
      ...unseen.map((n, i): TrayItem => ({
        id: CLASSES[i]!,
        kind: "count",
        name: CLASS_NAMES[i]!,
        title: `${CLASS_NAMES[i]!} counters that are in the drum or under a marker`,
        value: n,
      })),
    ],
  });
  const boxes = Object.entries(v.track).flatMap(([turn, ids]) => ids.map((id) => ({ turn, id })));
  if (boxes.length > 0)
    list.push({
      id: "boxes",
      name: "Back in the drum on their turn",
      side: "german",
      look: "reinforcements",
      items: boxes.map(({ turn, id }) => ({
        ...germanCounter(tables, id),
        values: [{ name: "turn", value: `T${turn}` }],
      })),
    });
  if (v.removed.length > 0)
    list.push({
      id: "removed",
      name: "Out of the game",
      side: "german",
      look: "losses",
      items: v.removed.map((id) => germanCounter(tables, id)),
    });
  return list;
}

function battleTray(tables: Tables, v: View): Tray {
  const b = v.battle!;
  return {
    id: "battle",
    name: `Battle in ${b.hex}, round ${b.round}`,
    side: "german",
    look: "battle",
    items: [
      ...b.units.map((id) => germanCounter(tables, id)),
      ...b.support.map((id) => germanCounter(tables, id)),
      ...(b.hits > 0
        ? [
            {
              id: "hits",
              kind: "count" as const,
              side: "soviet",
              name: "hits to take",
              title: "hits on the Germans that the player distributes",
              value: b.hits,
            },
          ]
        : []),
    ],
  };
}

function checks(tables: Tables, v: View): TrayItem[] {
  const count = (ids: readonly string[]): number => ids.filter((id) => v.control[id] === "german").length;
  const beside = count(tables.grid.ids.filter((_, h) => tables.guarded[h] === 1));
  const lines = tables.grid.ids.filter((_, h) => tables.kLine[h] === 1).length;
  return [
    {
      id: "beside",
      kind: "count",
      name: "beside Moscow, Tula",
      title: "German hexes beside Moscow or Tula: none may be left at the end of turn 1",
      value: beside,
    },
    {
      id: "k-line",
      kind: "count",
      name: "K-Line",
      title: `K-Line hexes held; ${tables.kRequired} are needed at the end of turn 3`,
      value: v.kCount,
      of: lines,
      need: tables.kRequired,
    },
    {
      id: "forts",
      kind: "count",
      name: "fortified",
      title: `fortified localities held; ${tables.win.fortified} win, ${tables.draw.fortified} draw`,
      value: v.forts,
      of: tables.win.fortified,
      need: tables.win.fortified,
    },
    {
      id: "west",
      kind: "count",
      name: "western hexes",
      title: `western hexes held; ${tables.win.west} win, ${tables.draw.west} draw`,
      value: v.west,
      of: tables.win.west,
      need: tables.win.west,
    },
  ];
}

/** Counters whose place nobody knows, by class: in the drum or under a marker. */
function unseenByClass(tables: Tables, v: View): number[] {
  const seen = new Set([
    ...v.removed,
    ...Object.values(v.track).flat(),
    ...Object.values(v.garrisons).flat(),
    ...(v.battle?.units ?? []),
    ...(v.battle?.support ?? []),
  ]);
  return CLASSES.map((_, k) => tables.counters.filter((c) => c.cls === k && !seen.has(c.id)).length);
}

function caption(tables: Tables, v: View): string {
  if (v.result !== undefined) return `${tables.turnNames[v.turn - 1]!}: the game is over (${v.result}).`;
  const what = PHASE_TEXT[v.phase] ?? v.phase;
  const active = v.active === undefined ? "" : ` Active: ${v.active.army}, ${v.active.mp} MP.`;
  return `Turn ${v.turn} of ${tables.turnNames.length} (${tables.turnNames[v.turn - 1]!}): ${what}.${active}`;
}
