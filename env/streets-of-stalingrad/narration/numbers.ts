import { counted, listed, signed } from "../../core/words.js";
import type { StateView } from "../../core/layout.js";
import * as words from "../layout.js";
import { hasLossUnit } from "../rules/units/losses.js";
import { KINDS } from "../schema.js";
import { clearDrms, drmSum } from "../rules/units/fire.js";
import { attackOf, hasArmor } from "../rules/units/armor.js";
import { makeAttackDrms, makeBarrageDrms } from "../rules/combat/attack-modifiers.js";
import { isBarrage, stukasIn } from "../rules/combat/participants.js";
import { makeFireDrms } from "../rules/combat/defence-guns.js";
import { makeShotDrms, isOpen, mayOpportunityFire } from "../rules/movement/opportunity.js";
import { groupMovers } from "../rules/movement/walk.js";
import { UNSEEN, zocKnownTo } from "../rules/units/zoc.js";
import { actorOf, enemyOf, frameOf, has, placeOf, type Tables } from "../state.js";
import {
  crtChart,
  flakWords,
  onDie,
  drmText,
  hexId,
  icaChart,
  unitId,
  unitsIn,
  unitsWith,
  unitText,
  withStukas,
} from "../events/words.js";

const OP = KINDS.indexOf("op");

// Numbers that a player would work out by hand, from the state as the actor knows it.

/** `10 points, column 9-11` */
export function columnText({ charts }: Tables, points: number, shift = 0): string {
  const column = charts.column(points);
  if (column < 0) return `${counted(points, "point")}, too few for the table`;
  const shifted = Math.min(column + shift, charts.crt.columns.length - 1);
  return `${counted(points, "point")}, column ${charts.crt.columns[shifted]!.replaceAll(".", "")}`;
}

/** Points, column, modifiers as far as they are known, and what each face gives. @param hex the target of an attack */
export function attackOdds(tables: Tables, s: StateView, units: readonly number[], hex: number, shift: number): string {
  const side = actorOf(tables, s);
  const armor = hasArmor(tables, s, enemyOf(side), hex, true);
  const stukas = stukasIn(tables, s);
  const points = units.reduce((sum, u) => sum + attackOf(tables, s, u, hex, armor), stukas * tables.stukaAf);
  const frame = frameOf(tables, s, words.ASK_ATTACK_UNIT, words.ASK_ATTACK_MODE);
  if (isBarrage(tables, s, hex)) makeBarrageDrms(tables, s, side, hex, words.BY_CRT, true);
  else makeAttackDrms(tables, s, side, hex, frame < 0 ? 0 : s[frame + words.F_COMMIT]!, true);
  const names = units.map((u) => unitId(tables, u));
  return `${withStukas(names, stukas)}: ${throwText(tables, points, shift)}`;
}

/** The same of defensive fire at attackers in a hex, or of opportunity fire at the group there. */
export function fireOdds(tables: Tables, s: StateView, units: readonly number[], hex: number, shift: number): string {
  const side = actorOf(tables, s);
  const fires = (u: number) => units.includes(u);
  const make = frameOf(tables, s, words.WALK) >= 0 ? makeShotDrms : makeFireDrms;
  const { points } = make(tables, s, side, hex, fires, words.BY_CRT, true);
  return `${listed(
    units.map((u) => unitId(tables, u)),
    "nobody",
  )}: ${throwText(tables, points, shift)}`;
}

/** Points and faces of anti-aircraft fire by the units named and these. */
export function flakOdds(tables: Tables, s: StateView, more: readonly number[]): string {
  const all = [...new Set([...unitsWith(tables, s, words.FIRING), ...more])];
  clearDrms(tables);
  const points = all.reduce((sum, u) => sum + tables.roster.af[u]!, 0);
  return `${listed(
    all.map((u) => unitId(tables, u)),
    "nobody",
  )}: ${throwText(tables, points, 0, flakWords)}`;
}

function throwText(tables: Tables, points: number, shift: number, says?: (result: number) => string): string {
  const { charts } = tables;
  if (charts.column(points) < 0) return columnText(tables, points);
  const column = Math.min(charts.column(points) + shift, charts.crt.columns.length - 1);
  return `${columnText(tables, points, shift)}, ${drmText(tables.drms)} (${onDie(crtChart(tables, column, drmSum(tables), says))})`;
}

/** What a counter-attack adds to its die, and what each face gives. */
export function counterOdds(tables: Tables, s: StateView, units: readonly number[], hex: number): string {
  const attack = units.reduce((sum, u) => sum + tables.roster.af[u]!, 0);
  const defence = unitsIn(tables, s, enemyOf(actorOf(tables, s)), hex).reduce(
    (sum, u) => sum + tables.roster.df[u]!,
    0,
  );
  const sum = attack - defence;
  return `${listed(
    units.map((u) => unitId(tables, u)),
    "nobody",
  )}: ${attack} - ${defence} = ${signed(sum)} (${onDie(icaChart(tables, sum))})`;
}

/** The moving units, their hex, their MP. */
export function groupOrders(tables: Tables, s: StateView, frame: number, group: readonly number[]): string {
  const movers = groupMovers(tables, s, s[frame + words.F_MOVE]!);
  const left = (movers.allowance - s[frame + words.F_MP]!) / 2;
  const way = s[tables.layout.pathLength]! > 0 ? " after the waypoints named" : "";
  const many = group.length > 1 ? "They move" : "It moves";
  const names = listed(
    group.map((u) => unitText(tables, s, u)),
    "nobody",
  );
  return `Order for ${names} in ${hexId(tables, placeOf(tables, s, group[0]!))}. ${many} with ${left} MP${way}: add units of the hex, or name the hex to go to.`;
}

/**
 * Dangers on a way: known enemies that may fire, hexes with face-down enemies whose zone of control was not
 * announced.
 */
export interface Danger {
  readonly firers: readonly string[];
  readonly unseen: readonly string[];
}

/** Dangers on the way of the last `reach` to a hex. @param cache dangers by hex */
export function dangers(
  tables: Tables,
  s: StateView,
  group: readonly number[],
  to: number,
  cache: Map<number, Danger>,
): Danger {
  const firers = new Set<string>();
  const unseen = new Set<string>();
  const { hexOf } = tables.board.banks;
  for (let node = to; node >= 0; node = tables.from[node]!) {
    const h = hexOf[node]!;
    let at = cache.get(h);
    if (at === undefined)
      cache.set(h, (at = { firers: firersAt(tables, s, group, h), unseen: unseenBeside(tables, s, group, h) }));
    for (const id of at.firers) firers.add(id);
    // where it stands it stops no unit
    if (tables.from[node]! >= 0) for (const id of at.unseen) unseen.add(id);
  }
  return { firers: [...firers].sort(), unseen: [...unseen].sort() };
}

/** True when a group could be fired at in a hex: as units that fight, or as an OP alone. Rule: SOS 11.4, ruling R136 */
function isExposed(tables: Tables, s: StateView, group: readonly number[], hex: number): boolean {
  const { roster } = tables;
  const fighters = group.filter((u) => roster.lossUnit[u] === 1);
  const open = (u: number) => isOpen(tables, s, u, hex);
  if (fighters.length > 0) return fighters.some(open);
  return group.some((u) => roster.kind[u] === OP && open(u)) && !hasLossUnit(tables, s, roster.side[group[0]!]!, hex);
}

function firersAt(tables: Tables, s: StateView, group: readonly number[], hex: number): string[] {
  const { roster } = tables;
  if (!tables.opportunityFire || !isExposed(tables, s, group, hex)) return [];
  const enemy = enemyOf(roster.side[group[0]!]!);
  const enemies: number[] = [];
  for (let u = roster.first(enemy); u < roster.end(enemy); u++)
    if (placeOf(tables, s, u) >= 0 && has(tables, s, u, words.KNOWN) && mayOpportunityFire(tables, s, u, hex))
      enemies.push(u);
  return enemies.map((u) => unitId(tables, u));
}

/** Rule: SOS 6.5 */
function unseenBeside(tables: Tables, s: StateView, group: readonly number[], hex: number): string[] {
  const { board, roster } = tables;
  const side = roster.side[group[0]!]!;
  const found: string[] = [];
  if (board.zocEnters[hex] === 0) return found;
  for (let d = hex * 6; d < hex * 6 + 6; d++) {
    const h = board.neighbours[d]!;
    if (h >= 0 && s[tables.layout.top + h] !== 0 && zocKnownTo(tables, s, side, h) === UNSEEN)
      found.push(hexId(tables, h));
  }
  return found;
}

/** Columns up of the attack that is under way. */
export function acceleration(tables: Tables, s: StateView): number {
  const { layout } = tables;
  for (let i = 0; i < s[layout.depth]!; i++) {
    const frame = layout.frames + i * words.FRAME_WORDS;
    if (s[frame + words.F_ASK] === words.ASK_ATTACK_UNIT) return s[frame + words.F_FLAG]!;
  }
  return 0;
}
