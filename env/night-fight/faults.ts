import { type Fault, fault } from "../core/decision.js";
import type { StateView } from "../core/layout.js";
import { chanceOfMissing } from "./contacts.js";
import { COLUMNS, FIRST_COLUMN, FIRST_UNIT, GERMANS, type Tables, type UnitId, UNITS } from "./data.js";
import { decisions } from "./decisions/index.js";
import { PLACES, placeText, RESERVE } from "./names.js";
import {
  BUY,
  columnIn,
  columnOf,
  contactHex,
  countAt,
  DEAD,
  EXITED,
  FIRE,
  FIRED,
  germansIn,
  germansLeft,
  has,
  isHidden,
  isKnown,
  L,
  MOVE,
  MOVED,
  onMap,
  OVER,
  PHASES,
  phaseOf,
  placeOf,
  POOL,
  REINSTATE,
  SEEN,
  SUPPRESSED,
  turnOf,
  WAITING,
} from "./state.js";

/**
 * Why a state can't be one of the game, and where its document says so; or null. The reader refuses what has one, and
 * play never comes to one. Words that follow from others, such as counts, are left to `wordViolation`.
 */
export function stateFault(tables: Tables, s: StateView): Fault | null {
  return boardFault(tables, s) ?? playFault(tables, s);
}

/** Why the decision can't be open on this board, or the player can't know what he does. */
export function playFault(tables: Tables, s: StateView): Fault | null {
  return decisions.fault(tables, s, phaseOf(s)) ?? endFault(s) ?? knowledgeFault(tables, s);
}

/** Why turn, budget and counters can't be as they are. */
export function boardFault(tables: Tables, s: StateView): Fault | null {
  return numbersFault(tables, s) ?? germansFault(tables, s) ?? sovietsFault(tables, s) ?? hexFault(tables, s);
}

function numbersFault(tables: Tables, s: StateView): Fault | null {
  const turn = turnOf(s);
  const budget = s[L.budget]!;
  if (turn < 1 || turn > tables.rules.turns) return fault("turn", `turns are 1 to ${tables.rules.turns}, not ${turn}`);
  if (turn > 1 && phaseOf(s) <= REINSTATE) return fault("turn", `units are bought before turn 1, not in turn ${turn}`);
  return budget < 0 || budget > tables.budget
    ? fault("budget", `there are ${tables.budget} points in all, not ${budget}`)
    : null;
}

function germansFault(tables: Tables, s: StateView): Fault | null {
  for (let u = FIRST_UNIT; u < GERMANS; u++) {
    const wrong = germanFault(tables, s, u);
    if (wrong !== null) return fault(`german.${tables.unitNames[u]!}.${wrong.path}`, wrong.reason);
  }
  return null;
}

/** Marks of a German, as documents name them. */
const MARKS = [
  ["moved", MOVED],
  ["fired", FIRED],
  ["supp", SUPPRESSED],
] as const;

function germanFault(tables: Tables, s: StateView, u: UnitId): Fault | null {
  const phase = phaseOf(s);
  const name = PHASES[phase]!;
  const place = placeOf(s, u);
  if (phase <= REINSTATE && place >= 0) return fault("hex", `no unit is on the map in phase ${name}`);
  if (phase === BUY && place !== POOL && place !== WAITING)
    return fault("hex", `in phase buy a unit is in the pool or waiting, not ${placeText(tables, place, PLACES)}`);
  if (place >= 0 && tables.ablaze[place] === 1)
    return fault("hex", `hex ${tables.ids[place]!} is ablaze, nothing survives there`);
  for (const [key, bit] of MARKS) {
    if (!has(s, u, bit)) continue;
    if (
      phase <= REINSTATE ||
      (phase === OVER && bit !== SUPPRESSED) ||
      (place < 0 && !(bit === MOVED && place === WAITING))
    )
      return fault(
        key,
        `a unit that is ${place >= 0 ? "on the map" : placeText(tables, place, PLACES)} in phase ${name} can't be so marked`,
      );
    if (bit === FIRED && phase < FIRE) return fault("fired", `nobody has fired yet in phase ${name}`);
  }
  return has(s, u, SUPPRESSED) && has(s, u, MOVED | FIRED)
    ? fault("supp", "a suppressed unit neither moves nor fires")
    : null;
}

function sovietsFault(tables: Tables, s: StateView): Fault | null {
  for (let k = GERMANS; k < UNITS; k++) {
    const wrong = sovietFault(tables, s, k);
    if (wrong !== null) return wrong;
  }
  return null;
}

function sovietFault(tables: Tables, s: StateView, k: UnitId): Fault | null {
  const path = `soviet.${tables.unitNames[k]!}`;
  const place = placeOf(s, k);
  if (place >= 0 && tables.ablaze[place] === 1)
    return fault(`${path}.hex`, `hex ${tables.ids[place]!} is ablaze, nothing survives there`);
  if (place < 0 && s[L.flags + k] !== 0)
    return fault(path, `a counter that is ${placeText(tables, place, RESERVE)} is neither seen nor suppressed`);
  if (has(s, k, SEEN) && tables.dummy[k] === 1) return fault(`${path}.seen`, "a dummy that is turned up is dead");
  return has(s, k, SUPPRESSED) && !has(s, k, SEEN)
    ? fault(`${path}.supp`, "only a unit that is seen can be suppressed")
    : null;
}

/** Columns, stacking, and no hex with units of both sides. Rule: NF 11.1 (4.0), NF reconstructed 8 */
function hexFault(tables: Tables, s: StateView): Fault | null {
  for (let c = FIRST_COLUMN; c < COLUMNS; c++) {
    const place = columnOf(s, c);
    if (place >= 0 && tables.ablaze[place] === 1)
      return fault(`columns[${c}]`, `hex ${tables.ids[place]!} is ablaze, nothing survives there`);
  }
  for (let u = FIRST_UNIT; u < GERMANS; u++) {
    if (!onMap(s, u)) continue;
    const h = placeOf(s, u);
    const path = `german.${tables.unitNames[u]!}.hex`;
    if (germansIn(s, h) > tables.rules.stacking)
      return fault(path, `${germansIn(s, h)} units are in ${tables.ids[h]!}, a hex holds ${tables.rules.stacking}`);
    if (columnIn(s, h)) return fault(path, `a column is in ${tables.ids[h]!}`);
    for (let k = GERMANS; k < UNITS; k++)
      if (placeOf(s, k) === h) return fault(path, `a Soviet counter is in ${tables.ids[h]!}`);
  }
  return null;
}

function endFault(s: StateView): Fault | null {
  const gone = countAt(s, EXITED) + countAt(s, DEAD);
  return phaseOf(s) >= MOVE && phaseOf(s) !== OVER && gone > 0 && germansLeft(s) === 0
    ? fault("phase", "no German unit is waiting or on the map, so the game is over")
    : null;
}

/** Knowledge of the player that the map does not show. */
function knowledgeFault(tables: Tables, s: StateView): Fault | null {
  let known = 0;
  for (let k = GERMANS; k < UNITS; k++) if (isKnown(s, k) && tables.dummy[k] === 0) known++;
  if (s[L.drawnForColumns]! > known)
    return fault("drawn", `${s[L.drawnForColumns]!} counters can't have been drawn for columns, ${known} are known`);
  for (let k = GERMANS; k < UNITS; k++) {
    if (!isHidden(s, k)) continue;
    for (let j = 0; j < s[L.contacts]!; j++)
      if (contactHex(s, j) === placeOf(s, k) && chanceOfMissing(s, j, k) === 0)
        return fault(
          `silent.${tables.ids[placeOf(s, k)]!}`,
          `${tables.unitNames[k]!} is there, so it can't be impossible`,
        );
  }
  return null;
}
