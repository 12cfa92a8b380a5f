import { counted, listed, signed } from "../../core/words.js";
import type { Viewer } from "../../core/game.js";
import type { StateView } from "../../core/layout.js";
import * as actions from "../actions.js";
import {
  columnName,
  crtChart,
  drmText,
  hexId,
  hexText,
  namesFor,
  unitId,
  unitsIn,
  unitsWith,
  unitText,
} from "../events/words.js";
import { wayGiven } from "../events/guns.js";
import * as words from "../layout.js";
import { makeDrms } from "../rules/artillery/bombardment-modifiers.js";
import { currentTarget } from "../rules/combat/defence.js";
import { drmSum } from "../rules/units/fire.js";
import { bestSpotter, spotModifier } from "../rules/artillery/spotting.js";
import { KINDS } from "../schema.js";
import { actorOf, askOf, enemyOf, frameHex, frameUnit, placeOf, topFrame, type Tables } from "../state.js";
import { allUnits, type Meaning, type Pending } from "./pending.js";

/** Points, column and modifiers of guns that fire alone, as far as the side knows the target, and what each face gives. */
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
  makeDrms(tables, s, side, hex, table, (g) => guns.includes(g), stukas, true);
  const chart = table === words.BY_WBBT ? charts.wbbt : charts.crt;
  const column = charts.column(points, chart);
  if (column < 0) return `${counted(points, "point")}, too few for the table`;
  const shown = table === words.BY_WBBT ? column + words.WBBT_COLUMN : column;
  return `${counted(points, "point")}, ${table === words.BY_WBBT ? "bombardment" : "combat"} table, column ${columnName(tables, shown)}, ${drmText(tables.drms)} (die ${crtChart(tables, shown, drmSum(tables))})`;
}

/** Guns that are picked for the table that is asked. */
export function firingGuns(tables: Tables, s: StateView, ask: number): number[] {
  if (ask === words.ASK_FIRE_TABLE) {
    const number = s[tables.layout.fireCount]!;
    return allUnits(tables).filter((u) => ((s[tables.layout.extra + u]! >> words.FIRE_SHIFT) & 15) === number);
  }
  return unitsWith(tables, s, words.FIRING | words.ATTACKER).filter((u) => tables.roster.gunRange[u]! > 0);
}

/** What `crt`, `wbbt` and `interdict` would do. */
export function tableChoice({ tables, s, ask, hex, frame }: Pending, action: number): Meaning {
  const guns = firingGuns(tables, s, ask);
  const target = ask === words.ASK_FIRE_TABLE ? currentTarget(tables, s) : hex;
  if (action !== actions.INTERDICT) {
    const table = action === actions.WBBT ? words.BY_WBBT : words.BY_CRT;
    return { text: `By ${missionOdds(tables, s, guns, target, table, s[frame + words.F_STUKAS]!)}` };
  }
  const points = guns.reduce((sum, g) => sum + tables.roster.af[g]!, s[frame + words.F_STUKAS]! * tables.stukaAf);
  const own = unitsIn(tables, s, actorOf(tables, s), hex).length > 0;
  return {
    text: `Interdict ${hexText(tables, hex)}: entering costs the enemy ${Math.floor(points / 5)} MP more until the next attack phase is over`,
    warning: own ? "Own units stand there: they are rolled for on the combat table with -2." : null,
  };
}

/** A gun that may join, with the modifier of its spotting. */
export function gunChoice({ tables, s, hex, frame }: Pending, gun: number): string {
  const together = [...unitsWith(tables, s, words.FIRING), gun];
  const odds = missionOdds(tables, s, together, hex, words.BY_WBBT, s[frame + words.F_STUKAS]!);
  return `Fire with ${unitText(tables, s, gun)} from ${hexId(tables, placeOf(tables, s, gun))}, spotting ${spotText(tables, s, gun, hex)}. Then ${odds}`;
}

/** `+2 by g1` */
function spotText(tables: Tables, s: StateView, gun: number, hex: number): string {
  const by = bestSpotter(tables, s, gun, hex);
  const value = spotModifier(tables, s, gun, hex);
  return `${value === 0 ? "0" : signed(value)}${by < 0 ? "" : ` by ${by === gun ? "itself" : unitId(tables, by)}`}`;
}

/** A unit that could spot for the gun of the frame. */
export const spotterChoice = ({ tables, s, frame }: Pending, unit: number): string =>
  `Let ${unitText(tables, s, unit)} in ${hexId(tables, placeOf(tables, s, unit))} spot for ${unitId(tables, frameUnit(s, frame))}`;

interface GunQuestion {
  readonly text: string;
  readonly rule: string;
  readonly seeAlso?: readonly string[];
  readonly units?: readonly number[];
  readonly hexes?: readonly number[];
}

/** Questions about guns and leaders; null: another kind is asked. @param now turn and phase in words */
export function gunQuestion(
  tables: Tables,
  s: StateView,
  ask: number,
  frame: number,
  viewer: Viewer,
  now: string,
): GunQuestion | null {
  const hex = frameHex(s, frame);
  const hexes = hex < 0 ? [] : [hex];
  switch (ask) {
    case words.ASK_BOMB_TARGET:
      return {
        text: `${now}: choose a hex to bombard or interdict, or end. Both sides plot before any die is thrown.`,
        rule: "SOS 14.41",
        seeAlso: ["SOS 14.48", "SOS 14.84"],
      };
    case words.ASK_BOMB_UNIT: {
      const guns = unitsWith(tables, s, words.FIRING);
      const stukas = s[frame + words.F_STUKAS]!;
      const so =
        guns.length + stukas === 0
          ? "Choose a gun."
          : `So far ${missionOdds(tables, s, guns, hex, words.BY_WBBT, stukas)}. Who joins?`;
      const enemies = namesFor(tables, s, unitsIn(tables, s, enemyOf(actorOf(tables, s)), hex), viewer);
      return {
        text: `Bombardment of ${hexText(tables, hex)} (${enemies} there). ${so}`,
        rule: "SOS 14.42",
        seeAlso: ["SOS 14.24", "SOS 14.31"],
        units: guns,
        hexes,
      };
    }
    case words.ASK_BOMB_TABLE:
    case words.ASK_OP_TABLE:
    case words.ASK_FIRE_TABLE: {
      const guns = firingGuns(tables, s, ask);
      const target = ask === words.ASK_FIRE_TABLE ? currentTarget(tables, s) : hex;
      const stukas = s[frame + words.F_STUKAS]!;
      return {
        text: `Fire of ${listed([...guns.map((g) => unitId(tables, g)), ...(stukas === 0 ? [] : [counted(stukas, "Stuka")])], "nobody")} at ${hexText(tables, target)}: which table?`,
        rule: "SOS 14.45",
        seeAlso: ["SOS 14.6", "SOS 14.84"],
        units: guns,
        hexes: [target],
      };
    }
    case words.ASK_SPOT:
      return {
        text: `Who spots ${hexText(tables, hex)} for ${unitText(tables, s, frameUnit(s, frame))}?`,
        rule: "SOS 14.24",
        seeAlso: ["SOS 14.22", "SOS 14.31"],
        units: [frameUnit(s, frame)],
        hexes,
      };
    case words.ASK_LEADER: {
      const unit = frameUnit(s, frame);
      const about = { units: [unit], hexes };
      if (placeOf(tables, s, unit) < 0)
        return {
          ...about,
          text: `The OP ${unitId(tables, unit)} comes back: choose a hex with a gun of its command or the army's leader.`,
          rule: "SOS 14.98",
          seeAlso: ["SOS 14.99"],
        };
      const leaves = `${unitId(tables, unit)} has to leave ${hexText(tables, hex)}: choose`;
      const rule = ruleOfWay(tables, s, frame);
      if (tables.roster.leader[unit] === 0)
        return { ...about, text: `The ${maker(tables, unit)} ${leaves} friends to go to, of the nearest.`, rule };
      const nearest = s[frame + words.F_LEADER] === 1 ? "" : ", of the nearest";
      return { ...about, text: `The leader ${leaves} a unit of his command to go to${nearest}.`, rule };
    }
    default:
      return null;
  }
}

const DOG = KINDS.indexOf("mine-dog");
/** The counter that has to make way. It is face up now, so everybody sees it. */
const maker = ({ roster }: Tables, unit: number): string =>
  roster.leader[unit] === 1 ? "leader" : roster.kind[unit] === DOG ? "mine dog" : "sniper";

/** The rule by which the counter of a frame makes way. */
const ruleOfWay = (tables: Tables, s: StateView, frame: number): string =>
  wayGiven(
    tables,
    frameUnit(s, frame),
    s[frame + words.F_FLAG] === 1 ? "SOS 18.1" : s[frame + words.F_LEADER] === 1 ? "SOS 18.34" : "SOS 18.31",
  );

/** The same for a viewer who does not decide. */
export function gunWaiting(
  tables: Tables,
  s: StateView,
  side: string,
  at: string,
): { text: string; rule: string } | null {
  const frame = topFrame(tables, s);
  switch (askOf(tables, s)) {
    case words.ASK_BOMB_TARGET:
    case words.ASK_BOMB_UNIT:
    case words.ASK_BOMB_TABLE:
      return { text: `The ${side} side plots its bombardments.`, rule: "SOS 14.48" };
    case words.ASK_LEADER:
      return at === ""
        ? { text: `The ${side} side brings an OP back.`, rule: "SOS 14.98" }
        : {
            text: `The ${side} side moves a ${maker(tables, frameUnit(s, frame))} out of${at}.`,
            rule: ruleOfWay(tables, s, frame),
          };
    default:
      return null;
  }
}
