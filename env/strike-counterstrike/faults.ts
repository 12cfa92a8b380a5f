import { type Fault, fault } from "../core/decision.js";
import type { StateView } from "../core/layout.js";
import { type ArmyId, FIRST_ARMY, FIRST_COUNTER, FIRST_HEX, type HexId, JANUARY, type Tables } from "./data.js";
import type { StrikeDecisions } from "./decisions/index.js";
import {
  FACE_DOWN,
  GARRISON,
  GARRISONED,
  PARTISAN_ON_TRACK,
  PHASE,
  PHASES,
  RESULTS,
  type ResultName,
  TRACK,
} from "./layout.js";
import { armyIn, battleHex, hexOfArmy, hostOf, isGerman, isOver, partisanHex, phaseOf } from "./state.js";

/**
 * Why a state can't be one of the game, and where its document says so; or null. The reader refuses what has one, and
 * play never comes to one. Words that follow from others, such as counts, are left to `wordViolation`.
 */
export function stateFault(tables: Tables, decisions: StrikeDecisions, s: StateView): Fault | null {
  return (
    partisanFault(tables, s) ??
    forcesFault(tables, s) ??
    lyingFault(tables, s) ??
    timeFault(tables, s) ??
    poolFault(tables, s) ??
    decisions.fault(tables, s, phaseOf(tables, s)) ??
    replacementFault(tables, s) ??
    resultFault(tables, s)
  );
}

/** Why the partisan marker can't be where it is. Rule: SC 7.3 */
export function partisanFault(tables: Tables, s: StateView): Fault | null {
  const { L } = tables;
  const turn = s[L.turn]!;
  const hex = partisanHex(tables, s);
  const arrives = fault("partisan", `the marker arrives on turn ${JANUARY}`);
  if (s[L.partisan] === PARTISAN_ON_TRACK) return turn > JANUARY ? arrives : null;
  if (hex < 0) return null;
  const id = tables.ids[hex]!;
  if (tables.fort[hex] === 1) return fault("partisan", `hex ${id} is a fortified locality`);
  if (turn < JANUARY) return arrives;
  for (let d = 0; d < 6; d++) {
    const k = tables.grid.neighbour(hex, d);
    if (k >= 0 && !isGerman(tables, s, k))
      return fault("partisan", `hex ${id} touches Soviet hex ${tables.ids[k]!}; the marker would have left`);
  }
  return null;
}

/** Why the armies can't be where and as they are. The battle hex is known. */
export function forcesFault(tables: Tables, s: StateView): Fault | null {
  for (let a = FIRST_ARMY; a < tables.armyCount; a++) {
    const wrong = armyFault(tables, s, a);
    if (wrong !== null) return fault(`armies.${tables.armies[a]!.id}.${wrong.path}`, wrong.reason);
  }
  return engineerFault(tables, s);
}

/** Rule: SC 2.2, SC 2.4, SC 6.2, SC 7.2 */
function armyFault(tables: Tables, s: StateView, a: ArmyId): Fault | null {
  const { L } = tables;
  const { id, strength, shock, setup, enters } = tables.armies[a]!;
  const hex = hexOfArmy(tables, s, a);
  const steps = s[L.armySteps + a]!;
  if (hex === TRACK && setup >= 0) return fault("hex", `${id} starts on the map`);
  if (hex === TRACK && s[L.turn]! > enters) return fault("hex", `${id} enters on turn ${enters}`);
  if (hex < 0 && steps !== 0) return fault("steps", `an army off the map has 0 steps, not ${steps}`);
  if (hex >= 0 && (steps < 1 || steps > strength))
    return fault("steps", `${id} has 1 to ${strength} steps, not ${steps}`);
  if (hex >= 0) {
    const other = armyIn(tables, s, hex);
    const place = tables.ids[hex]!;
    if (other < a) return fault("hex", `army ${tables.armies[other]!.id} is in hex ${place} already`);
    if (hex !== battleHex(tables, s) && (isGerman(tables, s, hex) || hex === partisanHex(tables, s)))
      return fault("hex", `hex ${place} is not in the Soviet area`);
  }
  return s[L.armyFired + a] === 1 && !shock ? fault("fired", `${id} is not a shock army`) : null;
}

/** Rule: SC 3.5, SC 6.3 */
function engineerFault(tables: Tables, s: StateView): Fault | null {
  const { L, engineer } = tables;
  const host = hostOf(tables, s);
  const steps = s[L.engineer]!;
  const setup = phaseOf(tables, s) === PHASE.setup;
  const { id, strength } = engineer;
  if (steps > strength) return fault("engineer.steps", `${id} has at most ${strength} steps, not ${steps}`);
  if (host < 0) {
    if (steps > 0 && !setup) return fault("engineer.host", `${id} is always with an army while it lives`);
    return steps === 0 && setup ? fault("engineer.steps", `${id} has steps to give a host to`) : null;
  }
  if (setup) return fault("engineer.host", "in setup no host is chosen yet");
  if (steps === 0) return fault("engineer.host", `${id} is destroyed and has no host`);
  return hexOfArmy(tables, s, host) < 0
    ? fault("engineer.host", `army ${tables.armies[host]!.id} is not on the map`)
    : null;
}

/** Why garrisons, boxes and markers can't be where they are. */
export function lyingFault(tables: Tables, s: StateView): Fault | null {
  return garrisonFault(tables, s) ?? boxFault(tables, s) ?? markerFault(tables, s);
}

/** Garrisons are in the front, until Phase IV. Rule: SC 5.5, SC 8.9 */
function garrisonFault(tables: Tables, s: StateView): Fault | null {
  const { L } = tables;
  const phase = phaseOf(tables, s);
  const hasUnits = (h: HexId): boolean =>
    tables.counters.some((_, c) => s[L.place + c] === GARRISON && s[L.site + c] === h);
  for (let h = FIRST_HEX; h < tables.hexCount; h++) {
    if (s[L.marker + h] !== GARRISONED) continue;
    const path = `garrisons.${tables.ids[h]!}`;
    if (h === battleHex(tables, s)) return fault(path, "the garrison fights the battle there");
    if (s[L.front + h] !== 1) return fault(path, `hex ${tables.ids[h]!} is not on the front`);
    if (!hasUnits(h)) return fault(path, "a garrison has units");
    if (phase <= PHASE.partisan || phase === PHASE.attach)
      return fault("garrisons", `expected no garrison in phase ${PHASES[phase]!}`);
  }
  return null;
}

/** Boxes behind the turn are empty. Rule: SC 7.5, SC 7.6 */
function boxFault(tables: Tables, s: StateView): Fault | null {
  const { L } = tables;
  const turn = s[L.turn]!;
  for (let box = 1; box <= turn; box++)
    if (s[L.boxed + box]! > 0 && (box < turn || !isOver(tables, s)))
      return fault(`track.${box}`, `in turn ${turn} that box is empty`);
  return null;
}

/** Markers are in the front. Rule: SC 3.4, SC 3.7 */
function markerFault(tables: Tables, s: StateView): Fault | null {
  const { L } = tables;
  for (let h = FIRST_HEX; h < tables.hexCount; h++) {
    if (s[L.marker + h]! <= 0) continue;
    const id = tables.ids[h]!;
    if (s[L.front + h] !== 1) return fault(`front.${id}`, `hex ${id} is not on the front, so it has no marker`);
    if (h === battleHex(tables, s)) return fault(`front.${id}`, "the marker of the battle hex has been turned up");
  }
  return null;
}

/** Each marker covers a counter that was in the pool when it was placed. Rule: SC 3.7, SC 10.7 */
function timeFault(tables: Tables, s: StateView): Fault | null {
  const { L } = tables;
  const now = s[L.clock]!;
  const purge = s[L.purge]!;
  const tooLate = (path: string, time: number): Fault => fault(path, `it is ${now} o'clock; ${time} is yet to come`);
  for (let c = FIRST_COUNTER; c < tables.counterCount; c++)
    if (s[L.entered + c]! > now) return tooLate(`entered.${tables.counters[c]!.id}`, s[L.entered + c]!);
  if (purge > now) return tooLate("purge", purge);
  if (purge >= 0 && s[L.turn]! < JANUARY) return fault("purge", `Guderian is relieved on turn ${JANUARY}`);
  for (let h = FIRST_HEX; h < tables.hexCount; h++) {
    const c = s[L.marker + h]! - 1;
    if (c < 0) continue;
    const id = tables.ids[h]!;
    const path = `front.${id}`;
    const placed = s[L.placed + h]!;
    if (placed > now) return tooLate(`placed.${id}`, placed);
    if (s[L.entered + c]! > placed)
      return fault(path, `${tables.counters[c]!.id} came to the pool after that marker was placed`);
    if (c === tables.guderian && purge >= 0 && placed > purge)
      return fault(path, "Guderian had been relieved when that marker was placed");
  }
  return purge >= 0 && s[L.place + tables.guderian] !== FACE_DOWN
    ? fault("purge", "it is given while Guderian is face down; he does not")
    : null;
}

/** Rule: SC 4.8 */
function poolFault(tables: Tables, s: StateView): Fault | null {
  return s[tables.L.poolSize] === 0 && !isOver(tables, s) ? fault("pool", "an empty pool ends the game") : null;
}

/** Rule: SC 7.4 */
function replacementFault(tables: Tables, s: StateView): Fault | null {
  return s[tables.L.replacements] !== 0 && phaseOf(tables, s) !== PHASE.replace
    ? fault("replacements", "steps are left in phase replace only")
    : null;
}

/** Rule: SC 4.2 to SC 4.7 */
function resultFault(tables: Tables, s: StateView): Fault | null {
  const { L } = tables;
  const result = RESULTS[s[L.result]!]!;
  const turns: Partial<Record<ResultName, number>> = { turn1: 1, turn3: 3, turn6: 6, draw: 6, territory: 6 };
  if (result === "sudden-death" && s[L.poolSize]! > 0)
    return fault("result", `${s[L.poolSize]!} counters are in the pool; sudden death empties it`);
  const ends = turns[result] ?? s[L.turn]!;
  return ends === s[L.turn] ? null : fault("result", `${result} falls on turn ${ends}, not ${s[L.turn]!}`);
}
