import { EVERYTHING, type GameType, type JsonObject, type Viewer } from "../../core/game.js";
import {
  type Board,
  emptyBoard,
  type Glyph,
  type Overlay,
  type Place,
  type Scene,
  type Track,
} from "../../core/scene.js";
import type { Tables } from "../data.js";
import { GERMANS, SOVIET } from "../state.js";
import { countersIn, kindOf } from "./counters.js";
import { trays } from "./trays.js";
import { SIDE_NAMES, type View } from "./view.js";

const PHASE_TEXT: Readonly<Record<string, string>> = {
  setup: "Soviet set-up",
  "ger-reinf": "German reinforcements",
  "sov-reinf": "Soviet reinforcements",
  chits: "event chits",
  "sov-move": "Soviet movement",
  "ger-move": "German movement",
  events: "events",
  combat: "combat",
  over: "the end",
};
/** Makes scenes of this game; the constant part is made once. */
export class SceneMaker {
  private readonly board: Board;

  constructor(
    private readonly tables: Tables,
    private readonly type: GameType,
  ) {
    this.board = boardOf(tables);
  }

  /** @param doc the view of `viewer`, or for EVERYTHING the position */
  scene(doc: JsonObject, viewer: Viewer): Scene {
    const v = doc as unknown as View;
    return {
      game: this.type.id,
      title: this.type.title,
      viewer: viewer === SOVIET ? "S" : viewer === 0 ? "G" : null,
      caption: caption(v),
      notice: `Reconstructed: ${this.type.reconstructed}.`,
      sides: [
        { id: "G", name: "German", look: "german" },
        { id: "S", name: "Soviet", look: "soviet" },
      ],
      board: this.board,
      counters: this.tables.data.areaIds.flatMap((area) => countersIn(this.tables, v, area)),
      overlays: overlays(this.tables, v),
      tracks: [turns(this.tables, v)],
      trays: trays(this.tables, v, viewer === SOVIET || viewer === EVERYTHING),
    };
  }
}

function boardOf(tables: Tables): Board {
  const { data } = tables;
  const b = data.board;
  const places = data.areaIds.map((id, a): Place => {
    const { outline, room } = b.areas[id]!;
    const bit = 1 << a;
    const entry = (data.lettered & bit) !== 0;
    const glyphs: { glyph: Glyph; title: string }[] = [];
    if (data.goals.includes(a))
      glyphs.push({ glyph: "flag", title: "held at the end of turn 9 it wins, with the other goal" });
    if ((data.landings & bit) !== 0) glyphs.push({ glyph: "landing", title: "Soviet units land here" });
    if ((data.redLanding & bit) !== 0) glyphs.push({ glyph: "ferry", title: "units with a red circle land here" });
    return {
      id,
      name: data.areaNames[a]!,
      at: [...room[0]],
      size: [...room[1]],
      outline: outline.map((p): [number, number] => [...p]),
      terrain: entry ? "box" : "city",
      ...(entry ? {} : { stars: data.stars[a]! }),
      ...(glyphs.length > 0 ? { glyphs } : {}),
      about: entry ? "German units enter here." : `Worth ${data.stars[a]} to the Soviet side in combat.`,
    };
  });
  return {
    ...emptyBoard("areas"),
    bounds: b.bounds,
    counterSize: b.counterSize,
    places,
    links: data.areaIds.flatMap((id, a) =>
      data.neighbours[a]!.filter((n) => n > a).map((n) => ({ from: id, to: data.areaIds[n]! })),
    ),
    waters: [b.volga],
    labels: [{ text: "VOLGA", at: b.volgaName, size: 1.3, turn: 90, look: "water" }],
  };
}

function overlays(tables: Tables, v: View): Overlay[] {
  const held = (c: string): string[] => tables.data.areaIds.filter((id) => v.areas[id]!.control === c);
  const list: Overlay[] = [
    { kind: "control", side: "G", places: held("G") },
    { kind: "control", side: "S", places: held("S") },
  ];
  const area = (look: "battle" | "active" | "pocket", title: string, places: readonly string[]): void => {
    if (places.length > 0) list.push({ kind: "area", look, title, places: [...places] });
  };
  area("pocket", "contested", held("C"));
  area(
    "active",
    "a combat is still to come",
    v.pending.filter((p) => p !== v.combat?.area),
  );
  area("battle", "combat", v.combat === null ? [] : [v.combat.area]);
  area("battle", "events", v.events === null || v.combat !== null ? [] : [v.events.area]);
  for (const side of ["G", "S", "C"] as const) {
    const places = held(side).filter((id) => tables.data.goals.some((a) => tables.data.areaIds[a] === id));
    if (places.length > 0)
      list.push({
        kind: "flags",
        ...(side === "C" ? {} : { side }),
        title: `${side === "C" ? "contested" : side === "G" ? "German" : "Soviet"} landing: the Germans need both at the end of turn 9`,
        places,
      });
  }
  if (v.breakthrough !== null && v.breakthrough.dest !== null)
    list.push({
      kind: "arrow",
      from: v.breakthrough.area,
      to: v.breakthrough.dest,
      side: "G",
      look: "move",
      title: "breakthrough",
    });
  return list;
}

function turns(tables: Tables, v: View): Track {
  const due = (turn: number, german: boolean): number =>
    v.future.filter((id) => {
      const u = tables.data.unitIds.indexOf(id);
      return u < GERMANS === german && tables.data.entryTurn[u] === turn;
    }).length;
  return {
    id: "turns",
    name: "Turn, with units still to come",
    cells: Array.from({ length: 9 }, (_, i) => {
      const [g, s] = [due(i + 1, true), due(i + 1, false)];
      const note = [g > 0 ? `G ${g}` : "", s > 0 ? `S ${s}` : ""].filter((t) => t !== "").join("  ");
      return {
        id: String(i + 1),
        label: String(i + 1),
        note,
        state: i + 1 < v.turn ? "past" : i + 1 === v.turn ? "now" : "ahead",
      };
    }),
  };
}

function caption(v: View): string {
  if (v.result !== null) return `Turn ${v.turn} of 9: the ${SIDE_NAMES[v.result]} side has won.`;
  const d = v.decision;
  const phase = `Turn ${v.turn} of 9, ${PHASE_TEXT[v.phase] ?? v.phase}.`;
  if (d === null) return phase;
  const unit = d.unit === undefined ? "" : ` for ${d.unit}`;
  const chit = d.chit === undefined ? "" : ` on ${kindOf(d.chit)}`;
  const left = d.mp === undefined ? "" : `, ${d.mp} MP left`;
  return `${phase} The ${SIDE_NAMES[d.actor]} side decides${unit}${chit}${left}.`;
}
