import type { By } from "../../core/brand.js";
import type { GameType, JsonObject } from "../../core/game.js";
import {
  type Board,
  emptyBoard,
  type Glyph,
  hexBounds,
  type Overlay,
  type Scene,
  type Track,
} from "../../core/scene.js";
import type { HexId, Tables } from "../data.js";
import { BY_PHASE } from "../decisions/index.js";
import { armies, germans } from "./counters.js";
import { trays } from "./trays.js";
import type { View } from "./view.js";

/** Makes scenes of this game; the constant part is made once. */
export class SceneMaker {
  private readonly board: Board;
  private readonly pairs: readonly (readonly [string, string])[];

  constructor(
    private readonly tables: Tables,
    private readonly type: GameType,
  ) {
    this.board = boardOf(tables);
    const { grid } = tables;
    this.pairs = tables.ids.flatMap((id, h) =>
      [0, 1, 2].flatMap((d) => {
        const n = grid.neighbour(h, d);
        return n < 0 ? [] : [[id, tables.ids[n]!] as const];
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
    const german = (test: (h: HexId) => boolean): string[] =>
      tables.ids.filter((id, h) => test(h) && v.control[id] === "german");
    const over = v.result !== undefined;
    const goal = v.turn === 1 ? german((h) => tables.guarded[h] === 1) : [];
    const title = "German hexes beside Moscow or Tula lose the game at the end of turn 1";
    if (!over && goal.length > 0) list.push({ kind: "area", look: "objective", title, places: goal });
    for (const side of ["german", "soviet"] as const) {
      const places = tables.ids.filter((id, h) => tables.fort[h] === 1 && v.control[id] === side);
      const whose = side === "german" ? "German" : "Soviet";
      if (places.length > 0)
        list.push({ kind: "flags", side, title: `${whose} fortified locality: counts at the end of the game`, places });
    }
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
  const points = tables.ids.map((_, h) => grid.point(h));
  const where = (flags: By<HexId>): string[] => tables.ids.filter((_, h) => flags[h] === 1);
  const mark = (h: HexId): { glyph: Glyph; title: string }[] => {
    if (h === tables.moscow) return [{ glyph: "capital", title: "Moscow" }];
    if (tables.fort[h] === 1) return [{ glyph: "fort", title: "fortified locality" }];
    return tables.names[h] === "" ? [] : [{ glyph: "city", title: "town" }];
  };
  return {
    ...emptyBoard("hexes"),
    bounds: hexBounds(points, 0.3),
    places: tables.ids.map((id, h) => ({
      id,
      name: tables.names[h]!,
      at: [...points[h]!],
      ...(tables.forest[h] === 1 ? { terrain: "woods" as const, called: "forest" } : { terrain: "clear" as const }),
      glyphs: mark(h),
    })),
    zones: [
      { id: "k-line", name: "K-Line", look: "line", places: where(tables.kLine) },
      { id: "west", name: "western hexes", look: "goal", places: where(tables.western) },
    ],
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

function caption(tables: Tables, v: View): string {
  if (v.result !== undefined) return `${tables.turnNames[v.turn - 1]!}: the game is over.`;
  const what = BY_PHASE[v.phase].caption ?? v.phase;
  const active =
    v.active === undefined
      ? ""
      : ` Active: ${tables.armies.find((a) => a.id === v.active!.army)!.name}, ${v.active.mp} MP left.`;
  return `Turn ${v.turn} of ${tables.turnNames.length} (${tables.turnNames[v.turn - 1]!}): ${what}.${active}`;
}
