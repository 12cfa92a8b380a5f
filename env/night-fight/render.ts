import type { StateView } from "../core/layout.js";
import { COLUMNS, GERMANS, type Tables, UNITS, type HexId, FIRST_UNIT, FIRST_COLUMN } from "./data.js";
import {
  columnIn,
  columnOf,
  contactIn,
  countAt,
  EXITED,
  FIRED,
  germansIn,
  has,
  isLit,
  L,
  MOVED,
  onMap,
  OVER,
  PHASES,
  phaseOf,
  placeOf,
  SEEN,
  SUPPRESSED,
  turnOf,
  WAITING,
  wrecksIn,
} from "./state.js";

const TERRAIN = [".", "w", "t"];

/**
 * The board as text, west to the right: one cell a hex, odd columns a line lower. G1..G3 Germans, S spotted Soviets, ??
 * face down, CC a column, ** ablaze; otherwise terrain with `-` for a road and `x` for wrecks. Spotted units are listed
 * below.
 */
export function renderBoard(tables: Tables, s: StateView): string {
  const { grid } = tables;
  const firstColumn = Math.min(...grid.columns);
  const lastColumn = Math.max(...grid.columns);
  const turn = `turn ${turnOf(s)}/${tables.rules.turns}  ${PHASES[phaseOf(s)]}`;
  const units = `out ${countAt(s, EXITED)}  waiting ${countAt(s, WAITING)}  points ${s[L.budget]}`;
  const lines = [`Night Fight (reconstructed)  ${turn}  ${units}`];
  let header = "   ";
  for (let c = firstColumn; c <= lastColumn; c++) header += ` ${c}`;
  lines.push(header);
  for (let r = Math.min(...grid.rows); r <= Math.max(...grid.rows); r++) {
    for (const low of [0, 1]) {
      let line = low === 0 ? `${String(r).padStart(2, "0")} ` : "   ";
      for (let c = firstColumn; c <= lastColumn; c++) {
        const lies = ((c & 1) === 1) === (grid.shift === "odd") ? 1 : 0;
        const h = grid.at(c, r);
        line += lies === low && h >= 0 ? ` ${hexText(tables, s, h)}` : "   ";
      }
      lines.push(line.trimEnd());
    }
  }
  for (let u = FIRST_UNIT; u < UNITS; u++) {
    if (!onMap(s, u) || (u >= GERMANS && !has(s, u, SEEN))) continue;
    const marks = [has(s, u, MOVED) && "moved", has(s, u, FIRED) && "fired", has(s, u, SUPPRESSED) && "suppressed"]
      .filter(Boolean)
      .join(", ");
    lines.push(`${tables.unitNames[u]!.padEnd(10)} ${tables.ids[placeOf(s, u)]!}  ${marks}`.trimEnd());
  }
  for (let c = FIRST_COLUMN; c < COLUMNS; c++)
    if (columnOf(s, c) >= 0) lines.push(`column ${c + 1}   ${tables.ids[columnOf(s, c)]!}`);
  if (phaseOf(s) === OVER) lines.push(`victory roll ${s[L.result]!} against ${countAt(s, EXITED)} units out`);
  return lines.join("\n");
}

function hexText(tables: Tables, s: StateView, h: HexId): string {
  if (germansIn(s, h) > 0) return `G${germansIn(s, h)}`;
  if (columnIn(s, h)) return "CC";
  for (let k = GERMANS; k < UNITS; k++) if (placeOf(s, k) === h && has(s, k, SEEN)) return "S ";
  if (contactIn(s, h)) return "??";
  if (tables.ablaze[h] === 1) return "**";
  const ground = TERRAIN[tables.terrain[h]!]!;
  return ground + (isLit(s, h) ? "*" : wrecksIn(s, h) > 0 ? "x" : tables.road[h] === 1 ? "-" : " ");
}
