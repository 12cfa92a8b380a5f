import type { GameType, JsonObject } from "../../core/game.js";
import { joined, roadLinks } from "../../core/scene-lines.js";
import { type Board, emptyBoard, hexBounds, type Overlay, type Scene, type Track } from "../../core/scene.js";
import { decisions } from "../decisions/index.js";
import { type Tables, TERRAINS, type HexId } from "../data.js";
import { titleOf } from "../events/words.js";
import { counters } from "./counters.js";
import { trays } from "./trays.js";
import type { View } from "./view.js";

/** Makes scenes of this game; the constant part is made once. */
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

/**
 * Printed columns count from the east and rows from the south edge: both are mirrored, so that west is left and north
 * is up.
 */
function boardOf(tables: Tables): Board {
  const { grid, ids } = tables;
  const points = ids.map((_, h): [number, number] => {
    const [x, y] = grid.point(h);
    return [-x, -y];
  });
  const bounds = hexBounds(points, 0.3);
  const middle = (bounds[1] + bounds[3]) / 2;
  const inColumn = (column: number): string[] => ids.filter((_, h) => grid.columns[h] === column);
  const onRoad = (h: HexId): boolean => tables.road[h] === 1;
  const pairs = (isStraight: boolean): [string, string][] =>
    ids.flatMap((id, h) =>
      [0, 1, 2, 3, 4, 5].flatMap((d): [string, string][] => {
        const n = grid.neighbour(h, d);
        const straight = n >= 0 && (grid.columns[n] === grid.columns[h] || grid.rows[n] === grid.rows[h]);
        return n > h && onRoad(h) && onRoad(n) && straight === isStraight ? [[id, ids[n]!]] : [];
      }),
    );
  // columns are counted from the east
  const exitsWest = tables.exitColumn > tables.entryColumn;
  const edge = (side: string, exit: boolean) => ({
    text: exit ? `EXIT ${side}` : side,
    look: exit ? ("edge" as const) : ("land" as const),
  });
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
      { ...edge("WEST", exitsWest), at: [bounds[0] - 0.2, middle], size: 0.6, turn: -90 },
      { ...edge("EAST", !exitsWest), at: [bounds[2] + 0.2, middle], size: 0.6, turn: 90 },
    ],
  };
}

function overlays(tables: Tables, v: View): Overlay[] {
  const { grid } = tables;
  const source = (h: HexId): boolean => v.wrecks[tables.ids[h]!] !== undefined || v.flares.includes(tables.ids[h]!);
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
  list.push({
    kind: "flags",
    title: "exit hex: units that leave the map here count",
    places: tables.ids.filter((_, h) => grid.columns[h] === tables.exitColumn && tables.ablaze[h] === 0),
  });
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

function caption(tables: Tables, v: View): string {
  if (v.result !== undefined)
    return `The game is over: victory roll ${v.result} against ${v.exited} units out, ${v.result < v.exited ? "won" : "lost"}.`;
  const active =
    v.active === undefined
      ? ""
      : ` Active: ${titleOf(tables, tables.unitNames.indexOf(v.active.unit))}${v.active.mp === undefined ? "" : `, ${v.active.mp} MP left`}.`;
  return `Turn ${v.turn} of ${tables.rules.turns}: ${decisions.of[v.phase].caption}.${active}`;
}
