import type { StateView } from "../../core/layout.js";
import { counted, signed } from "../../core/words.js";
import { type ArmyId, FIRST_ARMY, type HexId, type Tables } from "../data.js";
import {
  armyText,
  battleText,
  counterIds,
  countersAt,
  counterTexts,
  hexIds,
  hexText,
  hexTexts,
  pocketHexes,
} from "../events/words.js";
import { BATTLE } from "../layout.js";
import { costOf, mayEnter } from "../rules/movement.js";
import { activeArmy, battleHex, hexOfArmy, hostOf } from "../state.js";

/** An army and its hex, in words and by name: `First Shock Army in 2304`. */
export const armyHere = (t: Tables, s: StateView, army: ArmyId) => ({
  text: `${armyText(t, army)} in ${hexText(t, hexOfArmy(t, s, army))}`,
  units: [t.armies[army]!.id],
  places: hexIds(t, [hexOfArmy(t, s, army)]),
});

/** The moving army and its hex, by name. */
export const activeAt = (t: Tables, s: StateView) => ({
  units: [t.armies[activeArmy(t, s)]!.id],
  places: hexIds(t, [hexOfArmy(t, s, activeArmy(t, s))]),
});

export function countArmies(t: Tables, test: (army: ArmyId) => boolean): number {
  let n = 0;
  for (let a = FIRST_ARMY; a < t.armyCount; a++) if (test(a)) n++;
  return n;
}

/** ` and 6 of 1E` for the army that 1E rides with. */
export const hostText = (t: Tables, s: StateView, army: ArmyId): string =>
  hostOf(t, s) === army ? ` and ${s[t.L.engineer]!} of ${t.engineer.id}` : "";

/** `8 steps, 6 more of 1E` of the moving force. */
export function stepsText(t: Tables, s: StateView): string {
  const army = activeArmy(t, s);
  const engineer = hostOf(t, s) === army ? `, ${s[t.L.engineer]!} more of ${t.engineer.id}` : "";
  return counted(s[t.L.armySteps + army]!, "step") + engineer;
}

export const terrainText = (t: Tables, hex: HexId): string => (t.forest[hex] === 1 ? "forest" : "clear");

/** What a German hex counts for, as an addition. */
export function worth(t: Tables, hex: HexId): string {
  const parts = [
    ...(t.guarded[hex] === 1 ? ["beside Moscow or Tula"] : []),
    ...(t.kLine[hex] === 1 ? ["K-Line"] : []),
    ...(t.western[hex] === 1 ? ["western hex"] : []),
  ];
  return parts.length === 0 ? "" : ` (${parts.join(", ")})`;
}

/** `1d6-1` */
export const sizeText = ({ dice, add }: { readonly dice: number; readonly add: number }): string =>
  `${dice}d6${add === 0 ? "" : signed(add)}`;

/** Hexes that would lose their way west if `hex` fell. */
export function cutOffBy(t: Tables, s: StateView, hex: HexId): HexId[] {
  if (s[t.L.cut + hex]! <= 0) return [];
  const marks = new Int32Array(t.hexCount);
  t.articulation.mark(s, t.L.german, hex, marks, 0);
  return t.ids.flatMap((_, h) => (marks[h] === 1 ? [h] : []));
}

/** What the check at the end of this turn needs. */
export function checkText(t: Tables, s: StateView): string {
  const { L, win, draw } = t;
  switch (s[L.turn]) {
    case 1:
      return s[L.beside] === 0
        ? "No German hex touches Moscow or Tula: the check is met."
        : `${counted(s[L.beside]!, "German hex touches", "German hexes touch")} Moscow or Tula; none may at the end of the turn.`;
    case 2:
    case 3:
      return `K-Line: ${s[L.kHeld]!} of ${t.kRequired} needed at the end of turn 3.`;
    default:
      return `Fortified ${s[L.forts]!}, western ${s[L.westHeld]!}; ${win.fortified} and ${win.west} win after turn 6, ${draw.fortified} and ${draw.west} draw.`;
  }
}

/** True when the force can go on from a Soviet hex, other than back. */
export function hasWayOn(t: Tables, s: StateView, hex: HexId, mp: number): boolean {
  const here = hexOfArmy(t, s, activeArmy(t, s));
  for (let d = 0; d < 6; d++) {
    const next = t.grid.neighbour(hex, d);
    if (next >= 0 && next !== here && costOf(t, next) <= mp && mayEnter(t, s, next)) return true;
  }
  return false;
}

/** Both sides of the battle. */
export function aboutBattle(t: Tables, s: StateView) {
  return {
    units: [t.armies[activeArmy(t, s)]!.id, ...counterIds(t, countersAt(t, s, BATTLE))],
    places: hexIds(t, [battleHex(t, s)]),
  };
}

/** Counters that a question names; of more it says how many, and the board shows them. */
const NAMED = 2;

/** `First Shock Army (8 steps) in 2304 against 2 Panzer` */
export function opponents(t: Tables, s: StateView): string {
  const counters = countersAt(t, s, BATTLE);
  const against = counters.length <= NAMED ? counterTexts(t, counters) : `${counters.length} German counters`;
  return `${armyText(t, activeArmy(t, s))} (${stepsText(t, s)}) in ${battleText(t, s)} against ${against}`;
}

/** What a win would cut off, as a sentence. */
export function cutOffText(t: Tables, s: StateView): string {
  const pocket = pocketHexes(t, s);
  return pocket.length === 0 ? "" : ` A win calls a breakout from ${hexTexts(t, pocket)}.`;
}

export const engineerSteps = (t: Tables, s: StateView): string => counted(s[t.L.engineer]!, "step");

/** An army that 1E may ride with. */
export function rideWith(t: Tables, s: StateView, army: ArmyId) {
  const { text, ...at } = armyHere(t, s, army);
  return { ...at, text: `${text} (${counted(s[t.L.armySteps + army]!, "step")})` };
}
