import { newState, type State, type StateView } from "../core/layout.js";
import type { Knowledge } from "./knowledge.js";
import * as words from "./layout.js";
import { boxPlace } from "./layout.js";
import { GERMAN, SIDES } from "./roster.js";
import { germanPoints, levelOf } from "./victory.js";
import { counted } from "../core/words.js";
import { placeId } from "./names.js";
import { BOXES } from "./schema.js";
import { phaseName } from "./sequence.js";
import type { Tables } from "./state.js";
import { actorOf, askOf, firstIn, frameHex, has, isOver, markOf, nextIn, placeOf, topFrame } from "./state.js";

/** Characters a column of hexes takes. */
const WIDTH = 6;
const GROUND = [" ", "s", "C", "I", "K", "f", "v", "/", "~"];
const MARKS: readonly (readonly [number, string])[] = [
  [words.PINNED, "pinned"],
  [words.SPENT, "spent"],
  [words.ORDERED, "moved"],
];

/**
 * The board as text, west left and north up; even columns are half a line higher. A hex shows its ground, then German
 * (G) or Soviet (S) counters, `?` when all are face down, `!` an attack marker, `*` points.
 */
export class Renderer {
  private readonly known: State;

  constructor(
    private readonly tables: Tables,
    private readonly knowledge: Knowledge,
  ) {
    this.known = newState(tables.layout.size);
  }

  render(s: StateView, viewer: number): string {
    this.knowledge.redact(s, viewer, this.known);
    return [this.heading(), "", ...this.map(viewer), "", ...this.stacks(viewer)].join("\n");
  }

  private heading(): string {
    const { known, tables } = this;
    const { layout } = tables;
    const points = germanPoints(tables, known);
    const level = levelOf(tables, points);
    const score = `German points ${points}${level === null ? "" : ` (${level})`}`;
    if (isOver(tables, known)) return `turn ${known[layout.turn]}: the game is over, ${score}`;
    const ask = words.ASKS[askOf(tables, known)]!;
    const hex = frameHex(known, topFrame(tables, known));
    const at = hex < 0 ? "" : ` at ${placeId(tables, hex)}`;
    const now = `turn ${known[layout.turn]} of ${known[layout.lastTurn]}, ${phaseName(known[layout.phase]!)}`;
    return `${now}: ${SIDES[actorOf(tables, known)]} decides ${ask}${at}; ${score}`;
  }

  private map(viewer: number): string[] {
    const { board } = this.tables;
    const columns = [...new Set(board.columns)].sort((a, b) => b - a);
    const rows = [...new Set(board.rows)].sort((a, b) => b - a);
    const two = (n: number) => String(n).padStart(2, "0");
    const line = (row: number, parity: number) =>
      columns
        .map((c) => (c % 2 === parity ? this.cell(board.index(two(c) + two(row)), viewer) : ""))
        .map((cell) => cell.padEnd(WIDTH))
        .join("");
    const head = `   ${columns.map((c) => two(c).padEnd(WIDTH)).join("")}`;
    return [head, ...rows.flatMap((r) => [`${two(r)} ${line(r, 0)}`, `   ${line(r, 1)}`])].map((l) => l.trimEnd());
  }

  private cell(hex: number, viewer: number): string {
    if (hex < 0) return "";
    const { known, knowledge, tables } = this;
    let n = 0;
    let unseen = 0;
    let side = GERMAN as number;
    for (let u = firstIn(tables, known, hex); u >= 0; u = nextIn(tables, known, u)) {
      n++;
      side = tables.roster.side[u]!;
      if (knowledge.isUnseen(known, u, viewer)) unseen++;
    }
    const mark = markOf(tables, known, hex) === words.MARK_ATTACK ? "!" : "";
    const points = tables.points[hex] !== 0 ? "*" : "";
    const stack = n === 0 ? "" : `${side === GERMAN ? "G" : "S"}${n}${unseen === n ? "?" : ""}`;
    const ground = GROUND[tables.board.terrain[hex]!]!;
    const text = `${ground === " " ? "" : ground}${points}${stack}${mark}`;
    return text === "" ? "." : text;
  }

  /** Boxes in play; of the other side's it is seen how many counters there are. */
  private boxes(viewer: number): string[] {
    const { known, knowledge, tables } = this;
    return BOXES.flatMap((id, box) => {
      const units = [...tables.roster.counters.keys()].filter((u) => placeOf(tables, known, u) === boxPlace(box));
      if (units.length === 0) return [];
      const seen = units.filter((u) => !knowledge.isUnseen(known, u, viewer));
      const faces = seen.map((u) => {
        const { id: name, type } = tables.roster.counters[u]!;
        const marks = MARKS.flatMap(([bit, mark]) => (has(tables, known, u, bit) ? [mark] : []));
        return [name, type.kind, `${type.af}-${type.df}-${type.mp}`, ...marks].join(" ");
      });
      const unseen = units.length - seen.length;
      return [`${id} ${[...faces.sort(), ...(unseen > 0 ? [counted(unseen, "counter")] : [])].join(", ")}`];
    });
  }

  private stacks(viewer: number): string[] {
    const { known, knowledge, tables } = this;
    const { board, roster } = tables;
    const lines: string[] = [];
    for (let h = 0; h < tables.hexes; h++) {
      const list: string[] = [];
      for (let u = firstIn(tables, known, h); u >= 0; u = nextIn(tables, known, u)) {
        const { id, tag, type } = roster.counters[u]!;
        const face = knowledge.isUnseen(known, u, viewer)
          ? `?${tag}`
          : `${id} ${type.kind} ${type.af}-${type.df}-${type.mp}`;
        const marks = MARKS.flatMap(([bit, name]) => (has(tables, known, u, bit) ? [name] : []));
        list.push([face, ...marks].join(" "));
      }
      if (list.length > 0) lines.push(`${board.ids[h]} ${list.sort().join(", ")}`);
    }
    return [...lines, ...this.boxes(viewer)];
  }
}
