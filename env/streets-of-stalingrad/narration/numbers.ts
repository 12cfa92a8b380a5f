import type { StateView } from "../../core/layout.js";
import * as words from "../layout.js";
import { addFirerDrms, clearDrms, drmSum } from "../rules/fire.js";
import { makeAttackDrms } from "../rules/attack.js";
import { hides } from "../rules/hidden.js";
import { mayOpportunityFire } from "../rules/opportunity.js";
import { groupMovers } from "../rules/walk.js";
import { UNSEEN, zocKnownTo } from "../rules/zoc.js";
import { actorOf, enemyOf, has, placeOf, type World } from "../state.js";
import {
  counted,
  crtChart,
  drmText,
  hexId,
  icaChart,
  listed,
  signed,
  unitId,
  unitsIn,
  unitText,
} from "../events/words.js";

// What a player would work out by hand. States are those that the decider knows.

/** `10 points, column 9-11` */
export function columnText({ tables }: World, points: number, shift = 0): string {
  const column = tables.column(points);
  if (column < 0) return `${counted(points, "point")}, too few for the table`;
  const shifted = Math.min(column + shift, tables.crt.columns.length - 1);
  return `${counted(points, "point")}, column ${tables.crt.columns[shifted]!.replaceAll(".", "")}`;
}

/** Points, column, modifiers as far as they are known, and what each face gives. @param hex the target of an attack */
export function attackOdds(world: World, s: StateView, units: readonly number[], hex: number, shift: number): string {
  const points = units.reduce((sum, u) => sum + world.roster.af[u]!, 0);
  makeAttackDrms(world, s, actorOf(world, s), hex);
  return `${listed(units.map((u) => unitId(world, u)))}: ${throwText(world, points, shift)}`;
}

/** The same of defensive or opportunity fire. */
export function fireOdds(world: World, s: StateView, units: readonly number[], shift: number): string {
  clearDrms(world);
  for (const u of units) addFirerDrms(world, s, u, true);
  const points = units.reduce((sum, u) => sum + world.roster.df[u]!, 0);
  return `${listed(units.map((u) => unitId(world, u)))}: ${throwText(world, points, shift)}`;
}

function throwText(world: World, points: number, shift: number): string {
  const { tables } = world;
  const column = Math.min(tables.column(points) + shift, tables.crt.columns.length - 1);
  return `${columnText(world, points, shift)}, ${drmText(world.drms)} (die ${crtChart(world, column, drmSum(world))})`;
}

/** What a counter-attack adds to its die, and what each face gives. */
export function counterOdds(world: World, s: StateView, units: readonly number[], hex: number): string {
  const attack = units.reduce((sum, u) => sum + world.roster.af[u]!, 0);
  const defence = unitsIn(world, s, enemyOf(actorOf(world, s)), hex).reduce((sum, u) => sum + world.roster.df[u]!, 0);
  const sum = attack - defence;
  return `${listed(units.map((u) => unitId(world, u)))}: ${attack} - ${defence} = ${signed(sum)} (die ${icaChart(world, sum)})`;
}

/** Who moves, from where, with how many MP. */
export function groupOrders(world: World, s: StateView, frame: number, group: readonly number[]): string {
  const movers = groupMovers(world, s, s[frame + words.F_MOVE]!);
  const left = (movers.allowance - s[frame + words.F_MP]!) / 2;
  const way = s[world.layout.pathLength]! > 0 ? " after the waypoints named" : "";
  const many = group.length > 1 ? "They move" : "It moves";
  const names = listed(group.map((u) => unitText(world, s, u)));
  return `Order for ${names} in ${hexId(world, placeOf(world, s, group[0]!))}. ${many} with ${left} MP${way}: add units of the hex, or name the hex to go to.`;
}

/** What waits on a way: known enemies that may fire, hexes with face-down enemies whose zone of control nobody announced. */
export interface Danger {
  readonly firers: readonly string[];
  readonly unseen: readonly string[];
}

/** What waits on the way of the last `reach` to a hex. @param cache what waits at single hexes */
export function dangers(
  world: World,
  s: StateView,
  group: readonly number[],
  to: number,
  cache: Map<number, Danger>,
): Danger {
  const firers = new Set<string>();
  const unseen = new Set<string>();
  for (let h = to; h >= 0; h = world.from[h]!) {
    let at = cache.get(h);
    if (at === undefined)
      cache.set(h, (at = { firers: firersAt(world, s, group, h), unseen: unseenBeside(world, s, group, h) }));
    for (const id of at.firers) firers.add(id);
    // where it stands it stops nobody
    if (world.from[h]! >= 0) for (const id of at.unseen) unseen.add(id);
  }
  return { firers: [...firers].sort(), unseen: [...unseen].sort() };
}

function firersAt(world: World, s: StateView, group: readonly number[], hex: number): string[] {
  const { roster } = world;
  if (!world.opportunityFire || !group.some((u) => roster.lossUnit[u] === 1 && !hides(world, u, hex))) return [];
  const enemy = enemyOf(roster.side[group[0]!]!);
  const enemies: number[] = [];
  for (let u = roster.first(enemy); u < roster.end(enemy); u++)
    if (placeOf(world, s, u) >= 0 && has(world, s, u, words.KNOWN) && mayOpportunityFire(world, s, u, hex))
      enemies.push(u);
  return enemies.map((u) => unitId(world, u));
}

/** Rule: SOS 6.5 */
function unseenBeside(world: World, s: StateView, group: readonly number[], hex: number): string[] {
  const { board, roster } = world;
  const side = roster.side[group[0]!]!;
  const found: string[] = [];
  if (board.zocEnters[hex] === 0) return found;
  for (let d = hex * 6; d < hex * 6 + 6; d++) {
    const h = board.neighbours[d]!;
    if (h >= 0 && s[world.layout.top + h] !== 0 && zocKnownTo(world, s, side, h) === UNSEEN)
      found.push(hexId(world, h));
  }
  return found;
}

/** Columns up of the attack that is under way. */
export function acceleration(world: World, s: StateView): number {
  const { layout } = world;
  for (let i = 0; i < s[layout.depth]!; i++) {
    const frame = layout.frames + i * words.FRAME_WORDS;
    if (s[frame + words.F_ASK] === words.ASK_ATTACK_UNIT) return s[frame + words.F_FLAG]!;
  }
  return 0;
}
