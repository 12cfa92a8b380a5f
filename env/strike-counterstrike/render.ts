import type { StateView } from "../core/layout.js";
import { BATTLE, BOX, DEAD, GARRISONED, PHASES, RESULTS, TRACK } from "./layout.js";
import { activeArmy, armyIn, battleHex, isGerman, markerAt, partisanHex } from "./state.js";
import { type HexId, NO_HEX, type Tables } from "./data.js";

const LEGEND = "army id, : Soviet, . German, + marker, g garrison, # fortified, P partisans, * battle";

/** The board as text. It shows nothing hidden. */
export function render(tables: Tables, s: StateView): string {
  const { L } = tables;
  const [c0, c1] = tables.columns;
  const lines = [
    `turn ${s[L.turn]} (${tables.turnNames[s[L.turn]! - 1]}), ${s[L.result]! > 0 ? `over: ${RESULTS[s[L.result]!]}` : PHASES[s[L.phase]!]}, ${LEGEND}`,
  ];
  // half rows: lower columns print between the lines of the others
  for (let half = 0; half <= 2 * tables.rows[1] + 1; half++) {
    let line = "";
    for (let c = c0; c <= c1; c++) {
      const lower = (c & 1) === 1 ? tables.grid.shift === "odd" : tables.grid.shift === "even";
      const h = half % 2 === (lower ? 1 : 0) ? tables.grid.at(c, half >> 1) : NO_HEX;
      line += h < 0 ? "    " : hexText(tables, s, h);
    }
    lines.push(`${half % 2 === 0 ? String(half >> 1).padStart(2, "0") : "  "} ${line}`.trimEnd());
  }
  lines.push(`   ${Array.from({ length: c1 - c0 + 1 }, (_, i) => String(c0 + i).padEnd(4)).join("")}`.trimEnd());
  const armies = tables.armies.map((a, i) => {
    const hex = s[L.armyHex + i]!;
    const marks = [
      s[L.armyStopped + i] === 1 ? " stopped" : "",
      s[L.host] === i + 1 ? ` +${tables.engineer.id} ${s[L.engineer]}` : "",
    ];
    const onMap = () => `${tables.ids[hex]} ${s[L.armySteps + i]}/${a.strength}${marks.join("")}`;
    const where = hex === DEAD ? "dead" : hex === TRACK ? "later" : onMap();
    return `${a.id}: ${where}${activeArmy(tables, s) === i ? ` moving, ${s[L.mp]} MP` : ""}`;
  });
  lines.push(armies.join("; "));
  if (battleHex(tables, s) >= 0) {
    const foes = tables.counters.filter((_, c) => s[L.place + c] === BATTLE).map((c) => c.id);
    const kind = s[L.relief] === 1 ? `, break-in, pocket of ${s[L.pocketSize]}` : "";
    const hits = s[L.hits]! > 0 ? `; ${s[L.hits]} hits to take` : "";
    lines.push(`battle in ${tables.ids[battleHex(tables, s)]}, round ${s[L.round]}${kind}: ${foes.join(", ")}${hits}`);
  }
  const next = s[L.turn]! + 1;
  const back = tables.counters.filter((_, c) => s[L.place + c] === BOX + next).length;
  const counters = `pool ${s[L.poolSize]}, markers ${s[L.faceDown]}, back next turn ${back}`;
  const held = `fortified ${s[L.forts]}, western ${s[L.westHeld]}, K-Line ${s[L.kHeld]}`;
  const interceptor = `VI IC ${s[L.interceptor] === 1 ? "ready" : "spent"}`;
  lines.push(`${counters}; ${held}, German beside Moscow and Tula ${s[L.beside]}; ${interceptor}`);
  return lines.join("\n");
}

function hexText(tables: Tables, s: StateView, h: HexId): string {
  const army = armyIn(tables, s, h);
  let text: string;
  if (army >= 0) text = tables.armies[army]!.id;
  else if (h === partisanHex(tables, s)) text = "P";
  else if (!isGerman(tables, s, h)) text = ":";
  else text = markerAt(tables, s, h) > 0 ? "+" : markerAt(tables, s, h) === GARRISONED ? "g" : ".";
  if (tables.fort[h] === 1) text += "#";
  if (h === battleHex(tables, s)) text += "*";
  return text.padEnd(4);
}
