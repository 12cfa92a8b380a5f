import type { Meaning } from "../../core/decision.js";
import type { StateView } from "../../core/layout.js";
import { counted, signed } from "../../core/words.js";
import { wayGiven } from "../events/guns.js";
import {
  boxChart,
  columnName,
  crtChart,
  onDie,
  resultWords,
  drmText,
  hexId,
  hexText,
  unitId,
  unitsIn,
  unitsWith,
  unitText,
} from "../events/words.js";
import * as words from "../layout.js";
import type { UnitId } from "../layout.js";
import { stukasLeft } from "../rules/artillery/bombardment.js";
import { isGunReady } from "../rules/artillery/guns.js";
import { makeDrms } from "../rules/artillery/bombardment-modifiers.js";
import { makeBoxDrms } from "../rules/artillery/east-bank.js";
import { bestSpotter, spotModifier } from "../rules/artillery/spotting.js";
import { drmSum } from "../rules/units/fire.js";
import { KINDS } from "../schema.js";
import { actorOf, askedHex, askedUnit, boxAt, placeOf, type Tables, topFrame } from "../state.js";

/**
 * Points, column and modifiers of guns that fire alone, as far as the side knows the target, and what each face gives.
 */
export function missionOdds(
  tables: Tables,
  s: StateView,
  guns: readonly number[],
  hex: number,
  table: number,
  stukas = 0,
  side = actorOf(tables, s),
): string {
  const { charts, roster } = tables;
  const points = guns.reduce((sum, g) => sum + roster.af[g]!, stukas * tables.stukaAf);
  if (boxAt(tables, hex) >= 0) return boxOdds(tables, s, guns, hex, points, stukas);
  makeDrms(tables, s, side, hex, table, (g) => guns.includes(g), stukas, true);
  const chart = table === words.BY_WBBT ? charts.wbbt : charts.crt;
  const column = charts.column(points, chart);
  if (column < 0) return `${counted(points, "point")}, too few for the table`;
  const shown = table === words.BY_WBBT ? column + words.WBBT_COLUMN : column;
  return `${counted(points, "point")}, ${table === words.BY_WBBT ? "bombardment" : "combat"} table, column ${columnName(tables, shown)}, ${drmText(tables.drms)} (${onDie(crtChart(tables, shown, drmSum(tables), (r) => resultWords(tables, r, hex)))})`;
}

/** What a side can still bombard with: `9 guns and 3 Stukas have no mission`. */
export function unfiredText(tables: Tables, s: StateView): string {
  const { roster } = tables;
  const side = actorOf(tables, s);
  const guns = roster.guns.filter((g) => roster.side[g] === side && isGunReady(tables, s, g)).length;
  const stukas = stukasLeft(tables, s, side);
  const what = [guns > 0 ? counted(guns, "gun") : "", stukas > 0 ? counted(stukas, "Stuka") : ""].filter(Boolean);
  return `${what.join(" and ")} ${guns + stukas === 1 ? "has" : "have"} no mission`;
}

/** The same of guns or Stukas against a box: how many batteries are pinned and lost. */
function boxOdds(
  tables: Tables,
  s: StateView,
  guns: readonly number[],
  target: number,
  points: number,
  stukas: number,
): string {
  const { charts, drms } = tables;
  const column = charts.column(points, charts.ebbt);
  if (column < 0) return `${counted(points, "point")}, too few for the table`;
  makeBoxDrms(tables, s, target, (g) => guns.includes(g), stukas);
  const faces = onDie(boxChart(tables, column, drmSum(tables)));
  return `${counted(points, "point")}, table for boxes, column ${charts.ebbt.columns[column]!}, ${drmText(drms)} (${faces})`;
}

/** Guns that are picked for the table that is asked, in a bombardment, an attack or opportunity fire. */
export const gunsPicked = (t: Tables, s: StateView): number[] =>
  unitsWith(t, s, words.FIRING | words.ATTACKER).filter((u) => t.roster.gunRange[u]! > 0 || t.roster.boat[u] === 1);

/** What interdiction does. */
export function interdiction(t: Tables, s: StateView): Meaning {
  const hex = askedHex(t, s);
  const stukas = s[topFrame(t, s) + words.F_STUKAS]! * t.stukaAf;
  const points = gunsPicked(t, s).reduce((sum, g) => sum + t.roster.af[g]!, stukas);
  const own = unitsIn(t, s, actorOf(t, s), hex).length > 0;
  return {
    text: `Interdict ${hexText(t, hex)}: entering costs the enemy ${Math.floor(points / 5)} MP more until the next attack phase is over`,
    warning: own ? "Own units stand there: they are rolled for on the combat table with -2." : null,
  };
}

/** Stukas that join. */
export const stukasText = ({ stukaAf }: Tables, _s: StateView, n: number): string =>
  `Send ${counted(n, "Stuka")}: ${counted(n * stukaAf, "point")}, if flak turns none back`;

/** A gun that may join, with the modifier of its spotting. */
export function gunText(t: Tables, s: StateView, gun: UnitId): string {
  const hex = askedHex(t, s);
  const together = [...unitsWith(t, s, words.FIRING), gun];
  const odds = missionOdds(t, s, together, hex, words.BY_WBBT, s[topFrame(t, s) + words.F_STUKAS]!);
  return `Fire with ${unitText(t, s, gun)} from ${hexId(t, placeOf(t, s, gun))}, spotting ${spotText(t, s, gun, hex)}. Then ${odds}`;
}

/** `+2 by g1` */
function spotText(tables: Tables, s: StateView, gun: number, hex: number): string {
  const by = bestSpotter(tables, s, gun, hex);
  const value = spotModifier(tables, s, gun, hex);
  return `${value === 0 ? "0" : signed(value)}${by < 0 ? "" : ` by ${by === gun ? "itself" : unitId(tables, by)}`}`;
}

const DOG = KINDS.indexOf("mine-dog");
/** The counter that has to make way. It is face up now, so both sides see it. */
export const maker = ({ roster }: Tables, unit: number): string =>
  roster.leader[unit] === 1 ? "leader" : roster.kind[unit] === DOG ? "mine dog" : "sniper";

/** The rule by which the counter of the decision makes way. */
export function ruleOfWay(t: Tables, s: StateView): string {
  const frame = topFrame(t, s);
  const leads =
    s[frame + words.F_FLAG] === 1 ? "SOS 18.1" : s[frame + words.F_LEADER] === 1 ? "SOS 18.34" : "SOS 18.31";
  return wayGiven(t, askedUnit(t, s), leads);
}
