import type { StateView } from "../core/layout.js";
import { CHIT_KINDS, type Tables } from "./data.js";
import { deciderOf, isHiddenDecision } from "./decisions/index.js";
import { chitStack, controlName, flagged, germanList, unitStack } from "./notation/write.js";
import {
  type AreaId,
  AREAS,
  chitHas,
  DEAD,
  DECISION,
  DECISION_NAMES,
  decisionOf,
  FIRST_AREA,
  FIRST_UNIT,
  FLAG,
  GERMANS,
  germansIn,
  L,
  PHASE,
  PHASE_NAMES,
  phaseOf,
  placeOf,
  SOVIET,
  turnOf,
  unitHas,
  UNITS,
  WAITING,
} from "./state.js";
import { handSize, pileSize } from "./rules/chits.js";

/** Columns per step of the drawing's coordinates. */
const WIDTH = 9;
const LEGEND = "[area, held by G, S or contested C, G German units, S Soviet counters]";

/**
 * The board as text: a sketch of the areas, then the contents of each. Face-down counters of the other side are `?`.
 */
export function render(tables: Tables, s: StateView, viewer: number): string {
  const lines = [heading(s), LEGEND, ...sketch(tables, s, viewer), ""];
  tables.data.areaIds.forEach((id, a) => {
    const row = contents(tables, s, a, viewer);
    if (row !== "") lines.push(`${id.padStart(2)} ${tables.data.areaNames[a]!.padEnd(24)} ${row}`);
  });
  lines.push("", footer(tables, s));
  return lines.join("\n");
}

function heading(s: StateView): string {
  if (s[L.result] !== 0) return `turn ${turnOf(s)}: ${s[L.result] === 1 ? "G" : "S"} wins`;
  const kind = decisionOf(s);
  const side = deciderOf(kind) === SOVIET ? "S" : "G";
  return `turn ${turnOf(s)} of 9, ${PHASE_NAMES[phaseOf(s)]!}: ${side} decides ${DECISION_NAMES[kind]!}${where(s)}`;
}

const where = (s: StateView): string =>
  decisionOf(s) === DECISION.none || isHiddenDecision(decisionOf(s)) || s[L.combatArea] === 0
    ? ""
    : ` (dice ${dice(s, L.germanDice, s[L.germanDiceCount]!)} against ${dice(s, L.sovietDice, s[L.sovietDiceCount]!)})`;
const dice = (s: StateView, at: number, n: number): string =>
  n === 0 ? "-" : Array.from({ length: n }, (_, i) => s[at + i]!).join(" ");

/** `[7 S G2 ?3]`: area, control, German units, Soviet counters. */
function sketch(tables: Tables, s: StateView, viewer: number): string[] {
  const rows = new Map<number, [number, string][]>();
  for (let a = FIRST_AREA; a < AREAS; a++) {
    const [x, y] = tables.data.points[a]!;
    const germans = germansIn(s, a) > 0 ? ` G${germansIn(s, a)}` : "";
    const soviets = blind(s, viewer) ? 0 : s[L.soviets + a]! + s[L.chits + a]!;
    const text = `[${tables.data.areaIds[a]!} ${controlName(s, a) ?? "-"}${germans}${soviets > 0 ? ` S${soviets}` : ""}]`;
    rows.set(y, [...(rows.get(y) ?? []), [x, text]]);
  }
  return [...rows.keys()]
    .sort((x, y) => x - y)
    .map((y) => {
      let line = "";
      for (const [x, text] of rows.get(y)!.sort((p, q) => p[0] - q[0])) line = `${line.padEnd(x * WIDTH)}${text} `;
      return line.trimEnd();
    });
}

const blind = (s: StateView, viewer: number): boolean => viewer !== SOVIET && phaseOf(s) === PHASE.setup;

function contents(tables: Tables, s: StateView, a: AreaId, viewer: number): string {
  const german = germanList(tables, s, a);
  const soviet: string[] = [];
  let hidden = 0;
  if (!blind(s, viewer)) {
    for (const u of unitStack(s, GERMANS, UNITS, a).sort((x, y) => x - y)) {
      if (viewer === SOVIET || unitHas(s, u, FLAG.faceUp))
        soviet.push(flagged(tables.data.unitIds[u]!, s[L.unitFlags + u]!));
      else hidden++;
    }
    const shown: string[] = [];
    for (const c of chitStack(s, a)) {
      if (viewer === SOVIET || chitHas(s, c, FLAG.faceUp))
        shown.push(flagged(CHIT_KINDS[tables.data.chitKind[c]!]!, s[L.chitFlags + c]!));
      else if (tables.solo) shown.push("chit?");
      else hidden++;
    }
    soviet.push(...shown.sort());
  }
  if (hidden > 0) soviet.push(`${"?".repeat(hidden)} (${hidden} face-down)`);
  const parts = [
    german.length > 0 ? `G: ${german.join(", ")}` : "",
    soviet.length > 0 ? `S: ${soviet.join(", ")}` : "",
  ];
  return parts.filter((p) => p !== "").join("   ");
}

function footer(tables: Tables, s: StateView): string {
  let waiting = 0;
  const dead: string[] = [];
  for (let u = FIRST_UNIT; u < UNITS; u++) {
    if (placeOf(s, u) === WAITING) waiting++;
    if (placeOf(s, u) === DEAD) dead.push(tables.data.unitIds[u]!);
  }
  const list = (mask: number): string => tables.data.areaIds.filter((_, a) => (mask >> a) & 1).join(" ") || "none";
  return [
    `Stuka ${s[L.stuka] === 1 ? "ready" : "used"}, combats to come ${list(s[L.pendingCombats]!)}, free breakthroughs ${list(s[L.freeBreakthroughs]!)}`,
    `pile ${pileSize(s)}, hand ${handSize(s)}, waiting ${waiting}, dead ${dead.length === 0 ? "none" : dead.join(", ")}`,
  ].join("\n");
}
