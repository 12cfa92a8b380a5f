import { levelWords } from "./events/common.js";
import { backText, turnText } from "./events/words.js";
import { EVERYTHING, type GameType, type Viewer } from "../core/game.js";
import { newState, type State, type StateView } from "../core/layout.js";
import {
  type Board as SceneBoard,
  type Counter as SceneCounter,
  type CounterState,
  type Glyph,
  type Overlay,
  type Scene,
  type Track,
  type Tray,
} from "../core/scene.js";
import { type UnitEntity, unitSymbol } from "../core/symbol-codes.js";
import type { Knowledge } from "./knowledge.js";
import * as words from "./layout.js";
import { GERMAN, SIDES, SOVIET } from "./roster.js";
import { boardOf } from "./scene-board.js";
import { fireOverlays } from "./scene-fire.js";
import { germanPoints, isHeldByGermans, levelOf } from "./victory.js";
import { placeId } from "./names.js";
import { BOXES, type Kind } from "./schema.js";
import { PHASES, phaseName } from "./sequence.js";
import { actorOf, extraOf, has, isOver, markOf, placeOf, type Tables } from "./state.js";

const ENTITY: Partial<Record<Kind, UnitEntity>> = {
  infantry: "infantry",
  engineer: "engineer",
  "construction-engineer": "engineer",
  flamethrower: "engineer",
  tank: "armor",
  stug: "armor",
  "armored-car": "armored-reconnaissance",
  "armored-infantry": "armored-infantry",
  "sp-gun": "self-propelled-artillery",
  "at-gun": "antitank",
  "infantry-gun": "artillery",
  mortar: "mortar",
  howitzer: "artillery",
  "field-gun": "artillery",
  rocket: "rockets",
  flak88: "air-defence",
  aa: "air-defence",
  transport: "transport",
};
const GLYPHS: Partial<Record<Kind, Glyph>> = {
  leader: "leader",
  commissar: "star",
  op: "flag",
  sniper: "sniper",
  fortification: "fort",
  minefield: "mine",
  bridge: "bridge",
};
const STATES: readonly (readonly [number, CounterState])[] = [
  [words.PINNED, "pinned"],
  [words.SPENT, "spent"],
  [words.ORDERED, "moved"],
  [words.OP_FIRED, "fired"],
  [words.GROUP | words.ATTACKER | words.FIRING | words.COUNTER, "active"],
];

const SIDE_NAMES = ["German", "Soviet"] as const;

/** Makes scenes from what `Knowledge.redact` leaves of a state; the constant part is made once. */
export class SceneMaker {
  private readonly known: State;
  private readonly board: SceneBoard;

  constructor(
    private readonly tables: Tables,
    private readonly knowledge: Knowledge,
    private readonly type: GameType,
    points: readonly (readonly [number, number])[],
  ) {
    this.known = newState(tables.layout.size);
    this.board = boardOf(tables, points);
  }

  scene(s: StateView, viewer: Viewer): Scene {
    const { known, knowledge, type, tables } = this;
    knowledge.redact(s, viewer, known);
    const counters: SceneCounter[] = [];
    const lost: SceneCounter[] = [];
    let unseen = 0;
    tables.roster.counters.forEach((_, u) => {
      if (tables.roster.spare[u] === 1) return;
      const place = placeOf(tables, known, u);
      const hidden = viewer !== EVERYTHING && knowledge.isUnseen(known, u, viewer);
      if (words.isLost(place) && !hidden) lost.push(this.counter(u));
      const boxed = words.isBox(place);
      if (place < 0 && !boxed) return;
      const at = { place: placeId(tables, place) };
      counters.push({ ...(hidden ? this.faceDown(u, unseen++, boxed) : this.counter(u)), ...at });
    });
    return {
      game: type.id,
      title: type.title,
      viewer: viewer >= 0 ? SIDES[viewer]! : null,
      caption: this.caption(),
      notice: `Reconstructed: ${type.reconstructed}.`,
      sides: SIDES.map((id, i) => ({ id, name: SIDE_NAMES[i]!, look: id })),
      board: this.board,
      counters,
      overlays: this.overlays(),
      tracks: [
        track("turns", "Turn", tables.firstTurn, known[tables.layout.lastTurn]!, known[tables.layout.turn]!),
        track("phases", "Phase", 1, PHASES, known[tables.layout.phase]!),
      ],
      trays: [...this.boxes(counters), ...this.trays(lost)],
    };
  }

  private caption(): string {
    const { known, tables } = this;
    const { layout } = tables;
    const level = levelOf(tables, germanPoints(tables, known));
    if (isOver(tables, known)) return `The game is over${level === null ? "" : `: ${levelWords(level)}`}`;
    return `${turnText(tables, known)}, ${phaseName(known[layout.phase]!)}: ${SIDE_NAMES[actorOf(tables, known)]!} to decide`;
  }

  private counter(u: number): SceneCounter {
    const { tables } = this;
    const { id, side, type, formation, name } = tables.roster.counters[u]!;
    const entity = ENTITY[type.kind];
    return {
      id,
      kind: "counter",
      side: SIDES[side],
      unit: id,
      ...(entity === undefined ? { glyph: GLYPHS[type.kind] ?? "flag" } : { symbol: unitSymbol(entity, "company") }),
      name: id,
      title: [name, type.kind, formation].filter((x) => x !== "").join(", "),
      values: [
        { name: "attack", value: type.af },
        { name: "defence", value: type.df },
        { name: "movement points", value: type.mp },
      ],
      states: this.statesOf(u),
    };
  }

  private statesOf(u: number): CounterState[] {
    const { known, tables } = this;
    const cutOff = extraOf(tables, known, u, words.OOS_SHIFT) > 0;
    return [
      ...STATES.flatMap(([bits, state]) => (has(tables, known, u, bits) ? [state] : [])),
      ...(cutOff ? (["isolated"] as const) : []),
    ];
  }

  /** @param boxed in a box, where nobody else sees its back */
  private faceDown(u: number, n: number, boxed: boolean): SceneCounter {
    const { tables } = this;
    const { side, tag } = tables.roster.counters[u]!;
    const back = boxed ? "a box" : backText(tag);
    return {
      id: `face-down-${n}`,
      kind: "counter",
      side: SIDES[side],
      name: back,
      title: boxed ? "counter in a box" : `face-down counter of ${back}`,
      back: { kind: back },
      states: this.statesOf(u),
    };
  }

  private overlays(): Overlay[] {
    const { known, tables } = this;
    const { ids } = tables.board;
    const marked = ids.filter((_, h) => markOf(tables, known, h) === words.MARK_ATTACK);
    const done = ids.filter((_, h) => markOf(tables, known, h) === words.MARK_DONE);
    const overlays: Overlay[] = [];
    if (marked.length > 0) overlays.push({ kind: "area", look: "battle", title: "to be attacked", places: marked });
    if (done.length > 0) overlays.push({ kind: "area", look: "active", title: "attacked", places: done });
    const through = ids.filter((_, h) => markOf(tables, known, h) === words.MARK_BREAKTHRU);
    if (through.length > 0) overlays.push({ kind: "area", look: "active", title: "broken through", places: through });
    return [...overlays, ...this.cutOff(), ...this.flags(), ...fireOverlays(tables, known)];
  }

  /** Hexes with markers of units that are cut off, which lie on top: both sides see them. */
  private cutOff(): Overlay[] {
    const { known, tables } = this;
    const markers = new Map<number, number>();
    for (let u = 0; u < tables.units; u++) {
      const [hex, turns] = [placeOf(tables, known, u), extraOf(tables, known, u, words.OOS_SHIFT)];
      if (hex >= 0 && turns > 0) markers.set(hex, Math.max(turns, markers.get(hex) ?? 0));
    }
    if (markers.size === 0) return [];
    const places = [...markers.keys()].map((hex) => tables.board.ids[hex]!);
    const title = "cut off from supply, by the number of the marker";
    return [{ kind: "area", look: "pocket", title, places, numbers: [...markers.values()] }];
  }

  /** Hexes that count, by who has them: those without German units are Soviet. */
  private flags(): Overlay[] {
    const { known, tables } = this;
    return [GERMAN, SOVIET].flatMap((side): Overlay[] => {
      const held = tables.valued.filter((h) => isHeldByGermans(tables, known, h) === (side === GERMAN));
      if (held.length === 0) return [];
      return [
        {
          kind: "flags",
          side: SIDES[side]!,
          title:
            side === GERMAN ? "victory hex, scored by the German side" : "victory hex, not scored by the German side",
          places: held.map((h) => tables.board.ids[h]!),
          worth: held.map((h) => tables.points[h]!),
        },
      ];
    });
  }

  /** What lies in the boxes, which are on the edge of the map. */
  private boxes(counters: readonly SceneCounter[]): Tray[] {
    const { river } = this.tables;
    return BOXES.flatMap((id, k): Tray[] =>
      river.inPlay[k] === true
        ? [
            {
              id: `box-${id}`,
              name: `${river.names[k]!} (${id})`,
              look: "place",
              items: counters.flatMap(({ place, ...counter }) => (place === id ? [counter] : [])),
            },
          ]
        : [],
    );
  }

  private trays(lost: readonly SceneCounter[]): Tray[] {
    const { known, tables } = this;
    const points = germanPoints(tables, known);
    const need = tables.levels?.germanMarginal;
    const score = {
      id: "points",
      kind: "count" as const,
      side: "german",
      name: "German points",
      title: "a point for each victory hex that a German stack unit occupies",
      value: points,
      ...(need === undefined ? {} : { need }),
    };
    return [
      { id: "score", name: "Victory", side: "german", look: "resources", items: [score] },
      ...([GERMAN, SOVIET] as const).map((side) => ({
        id: `lost-${SIDES[side]}`,
        name: side === GERMAN ? "German losses" : "Soviet losses",
        side: SIDES[side],
        look: "losses" as const,
        items: lost.filter((c) => c.side === SIDES[side]),
      })),
    ];
  }
}

function track(id: string, name: string, first: number, last: number, now: number): Track {
  const cells = Array.from({ length: last - first + 1 }, (_, i) => String(first + i));
  return {
    id,
    name,
    cells: cells.map((label) => ({
      id: label,
      label,
      state: Number(label) < now ? "past" : Number(label) > now ? "ahead" : "now",
    })),
  };
}
