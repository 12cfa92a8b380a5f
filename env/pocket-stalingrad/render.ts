import type { StateView } from "../core/layout.js";
import { AREA_IDS, CITY_FIRST, CITY_LAST, GUMRAK, type Tables, VOLGA, Z, type AreaId } from "./data.js";
import {
  area6,
  ARTILLERY,
  BREACH,
  captor,
  combatAhead,
  DECISION,
  DECISION_KINDS,
  DEPLOY,
  GERMAN,
  GUARDS,
  L,
  NO_SIDE,
  phaseOf,
  PHASES,
  PIONEERS,
  REASONS,
  SIDES,
  SOVIET,
  SPECIAL_DICE,
  STURM,
  unitsIn,
  WINDOWS,
  activeOf,
  actorOf,
  areaOf,
} from "./state.js";

const NAMES = ["Soviet", "German"] as const;
const RIGHTS: readonly (readonly [number, string])[] = [
  [ARTILLERY, "Artillery"],
  [DEPLOY, "Deploy"],
  [GUARDS, "Guards"],
  [PIONEERS, "Pioneers"],
  [STURM, "Sturm"],
];

/** The board as text: a line an area, then both sides, then dice and decision. */
export function render(tables: Tables, s: StateView): string {
  const turnOf = s[L.active] === NO_SIDE ? "" : `, ${NAMES[activeOf(s)]} player turn`;
  const night = s[L.night] === 1 ? ", Night" : "";
  const lines = [`Turn ${s[L.turn]} of ${tables.turns}, ${PHASES[phaseOf(s)]}${turnOf}${night}`, ""];
  lines.push("area                            VP stars  Soviet  German");
  for (let a = CITY_FIRST; a <= CITY_LAST; a++) lines.push(cityLine(tables, s, a));
  lines.push(`${"Z  "}${tables.names[Z]!.padEnd(38)}${bar(unitsIn(s, SOVIET, Z))}  ${bar(unitsIn(s, GERMAN, Z))}`);
  for (const a of [VOLGA, GUMRAK]) {
    const units = a === VOLGA ? bar(unitsIn(s, SOVIET, a)) : `${" ".repeat(8)}${bar(unitsIn(s, GERMAN, a))}`;
    lines.push(`${AREA_IDS[a]} ${tables.names[a]!.padEnd(38)}${units}  (at most ${s[L.max6 + a - VOLGA]})`);
  }
  lines.push("");
  for (const side of [SOVIET, GERMAN]) {
    const rights = RIGHTS.filter(([bit]) => (s[L.rights + side]! & bit) !== 0).map(([, name]) => name);
    const own = area6(side);
    const counts = `CMD ${s[L.cmd + side]}, reserve ${s[L.reserve + side]}, on ${AREA_IDS[own]} ${unitsIn(s, side, own)}`;
    lines.push(
      `${NAMES[side]}: ${counts}${rights.length ? `, may use ${rights.join(", ")}` : ""}${(s[L.rights + side]! & BREACH) === 0 ? "" : ", loses a CMD after the Deploy"}`,
    );
  }
  if (phaseOf(s) <= 1)
    lines.push(
      `dice kept:  ${diceText(s, L.kept, L.keptSpecialDice)}`,
      `dice loose: ${diceText(s, L.loose, L.looseSpecialDice)}`,
    );
  lines.push(decisionText(s));
  return lines.join("\n");
}

const bar = (n: number): string => "#".repeat(n).padEnd(6);

function cityLine(tables: Tables, s: StateView, a: AreaId): string {
  const name = `${AREA_IDS[a]}  ${tables.names[a]!}`.padEnd(31);
  const values = `${String(tables.vp[a]).padStart(3)} ${"*".repeat(tables.stars[a]!).padEnd(5)}`;
  const taken = s[L.captured + a]!;
  if (taken > 0) return `${name}${values} captured by the ${NAMES[taken - 1]} side`;
  const notes: string[] = [];
  if (s[L.fort + a] === 1) notes.push(s[L.shieldUsed + a] === 1 ? "Fortification (shield used)" : "Fortification");
  if (s[L.artillery] === a) notes.push("Artillery");
  const side = captor(tables, s, a);
  if (side >= 0) notes.push(combatAhead(tables, s, a) ? "combat comes first" : `${NAMES[side]} side would capture`);
  return `${name}${values} ${bar(unitsIn(s, SOVIET, a))}  ${bar(unitsIn(s, GERMAN, a))}${notes.length ? `  ${notes.join(", ")}` : ""}`;
}

function diceText(s: StateView, units: number, specials: number): string {
  const parts: string[] = [];
  const faces: number[] = [];
  for (let f = 0; f < 6; f++) for (let n = s[units + f]!; n > 0; n--) faces.push(f + 1);
  if (faces.length) parts.push(`units ${faces.join(" ")}`);
  SPECIAL_DICE.forEach((name, i) => {
    if (s[specials + i]! > 0) parts.push(`${name} ${s[specials + i]}`);
  });
  return parts.join(", ") || "none";
}

function decisionText(s: StateView): string {
  const kind = s[L.kind]!;
  if (kind === DECISION.over) {
    const winner = s[L.winner]!;
    return winner === 0 ? "The game is a draw." : `The ${NAMES[winner - 1]} side has won (${REASONS[s[L.reason]!]}).`;
  }
  if (kind === DECISION.chance) return "Chance decides.";
  const bits: string[] = [];
  if (s[L.area]! > 0) bits.push(`area ${AREA_IDS[areaOf(s)]}`);
  if (s[L.attacks]! > 0) bits.push(`${s[L.attacks]} attacks left`);
  if (s[L.left]! > 0) bits.push(`${s[L.left]} units may go`);
  if (s[L.kills]! > 0) bits.push(`${s[L.kills]} kills`);
  if (kind === DECISION.artillery) bits.push(`window ${WINDOWS[s[L.window]!]}`);
  return `${SIDES[actorOf(s)]} decides: ${DECISION_KINDS[kind]}${bits.length ? ` (${bits.join(", ")})` : ""}`;
}
