import { type Fault, fault } from "../core/decision.js";
import type { StateView } from "../core/layout.js";
import { withArticle } from "../core/words.js";
import * as words from "./layout.js";
import { EAST_BOXES } from "./map/river.js";
import { CHIEF, GERMAN, SIDES, SOVIET, TROOP } from "./roster.js";
import { isRationed } from "./rules/administration/ammunition.js";
import { isAside } from "./rules/units/arrivals.js";
import { isHeadquarters } from "./rules/units/army.js";
import { isMinedBy } from "./rules/units/mines.js";
import { phasesOf, spansBalka, workersAt } from "./rules/units/tasks.js";
import { isVehicle } from "./rules/units/units.js";
import { BOXES, KINDS } from "./schema.js";
import { hasStage, STAGES_OF } from "./sequence.js";
import type { Tables } from "./state.js";
import { extraOf, firstIn, has, nextIn, originOf, phasesLeft, placeOf, siteOf, taskHex, taskOf } from "./state.js";

/**
 * Why a state can't be one of the game, and where its document says so; or null. The reader refuses what has one, part
 * by part as it reads, and play never comes to one. Words that follow from others are left to `invariants.ts`.
 */
export function stateFault(tables: Tables, s: StateView): Fault | null {
  const wrong = timeFault(tables, s);
  if (wrong !== null) return wrong;
  for (let u = 0; u < tables.units; u++) {
    const found = placeFault(tables, s, u) ?? unitFault(tables, s, u) ?? supplyFault(tables, s, u);
    if (found !== null) return found;
  }
  return stacksFault(tables, s) ?? hexesFault(tables, s) ?? ridesFault(tables, s);
}

/** Turn, phase and stage that don't go together. */
export function timeFault(tables: Tables, s: StateView): Fault | null {
  const { layout } = tables;
  const [turn, phase, stage] = [s[layout.turn]!, s[layout.phase]!, s[layout.stage]!];
  const last = s[layout.lastTurn]!;
  if (stage === words.STAGE_SETUP) {
    if (tables.zones === null || phase !== 1 || turn !== tables.firstTurn)
      return fault("stage", "units are set up in phase 1 of the first turn, with option setup free");
  } else if (STAGES_OF[phase - 1]?.includes(stage) !== true || !hasStage(tables, stage))
    return fault("stage", `phase ${phase} has no stage ${words.STAGES[stage]} that is built`);
  return turn > last ? fault("turn", `the last turn is ${last}, not ${turn}`) : null;
}

const FORT = KINDS.indexOf("fortification");

const at = ({ roster }: Tables, unit: number, key: string): string => `units.${roster.counters[unit]!.id}.${key}`;

/** A unit in a place where it can't be. Rule: SOS 8.41, SOS 8.61 */
export function placeFault(tables: Tables, s: StateView, unit: number): Fault | null {
  const { board, river, roster } = tables;
  const german = roster.side[unit] === GERMAN;
  const place = placeOf(tables, s, unit);
  if (words.isBox(place)) {
    const box = words.boxOf(place);
    if (river.inPlay[box] !== true) return fault(at(tables, unit, "at"), `box ${BOXES[box]} is not in play`);
    if (german === box < EAST_BOXES)
      return fault(
        at(tables, unit, "at"),
        german ? "Germans never go to the East Bank" : "only Germans are in the boxes off the map",
      );
  }
  if (place >= 0 && german && board.volga[place] === 1)
    return fault(at(tables, unit, "at"), "Germans never go on the Volga");
  if (place >= 0 && roster.boat[unit] === 1 && board.volga[place] === 0)
    return fault(at(tables, unit, "at"), "flotilla units are on the Volga or in boxes");
  if (place >= 0 && roster.train[unit] === 1 && !board.hasFeature(place, "railroad"))
    return fault(at(tables, unit, "at"), "a train is on a railroad hex");
  if (place === words.UNTOLD && (roster.battery[unit] === 0 || !river.any || german))
    return fault(at(tables, unit, "untold"), "only a battery that was lost in a box of the East Bank");
  const aside = isAside(tables, s, unit) && !isHeadquarters(tables, unit);
  if (
    isAside(tables, s, unit) &&
    (place !== words.POOL || roster.leader[unit] === 0 || (aside && (roster.army[unit] === 1 || !tables.administers)))
  )
    return fault(at(tables, unit, "aside"), "only a leader in the pool who was left without a command");
  return null;
}

/** Markers and work of a unit that it can't have where it is. */
export function unitFault(tables: Tables, s: StateView, unit: number): Fault | null {
  return (
    markersFault(tables, s, unit) ??
    workFault(tables, s, unit) ??
    taskFault(tables, s, unit) ??
    rideFault(tables, s, unit) ??
    bankFault(tables, s, unit)
  );
}

function markersFault(tables: Tables, s: StateView, unit: number): Fault | null {
  const flags = s[tables.layout.flags + unit]!;
  const place = placeOf(tables, s, unit);
  // the phase in which an OP was lost stays
  const extra = s[tables.layout.extra + unit]! & ~(place === words.DEAD ? 15 << words.GUN_PHASE_SHIFT : 0);
  if (place < 0 && !words.isBox(place) && (flags !== 0 || extra !== 0))
    return fault(`units.${tables.roster.counters[unit]!.id}`, "a unit off the map carries no markers");
  if ((flags & words.PIN_HELD) !== 0 && (flags & words.PINNED) === 0)
    return fault(at(tables, unit, "pinHeld"), "only a pin can be under an attack marker");
  if ((flags & words.LIES_OPEN) !== 0 && (flags & words.SHOWN) === 0)
    return fault(at(tables, unit, "liesOpen"), "only a counter that is shown can be open");
  if ((flags & words.NO_MOVE_NEXT) !== 0 && (flags & words.NO_MOVE) === 0)
    return fault(at(tables, unit, "noMoveNext"), "it may not move before either");
  if ((flags & words.DISMOUNTED) !== 0 && tables.roster.carried[unit] === 0)
    return fault(at(tables, unit, "dismounted"), "it has no vehicles to leave");
  return null;
}

function workFault(tables: Tables, s: StateView, unit: number): Fault | null {
  const { board, layout, river, roster } = tables;
  const work = s[layout.work + unit]!;
  const place = placeOf(tables, s, unit);
  if ((work & words.USED) !== 0 && roster.boat[unit] === 0)
    return fault(at(tables, unit, "used"), "only flotilla units are used for a turn");
  if ((work & words.SILENCED) !== 0 && !isRationed(tables, s, unit))
    return fault(at(tables, unit, "silenced"), "only guns that are short of ammunition stay silent");
  // Rule: SOS 8.70
  const box = originOf(tables, s, unit);
  if (box >= 0 && (place < 0 || board.volga[place] === 0))
    return fault(at(tables, unit, "from"), "only a unit on a Volga hex came from a box");
  if (box >= 0 && (box >= EAST_BOXES || river.inPlay[box] !== true))
    return fault(at(tables, unit, "from"), `box ${BOXES[box]} is not in play`);
  return null;
}

/** Rule: SOS 19.2 */
export function supplyFault(tables: Tables, s: StateView, unit: number): Fault | null {
  const { layout, river, roster } = tables;
  const place = placeOf(tables, s, unit);
  if ((s[layout.work + unit]! & words.ISOLATED) === 0) return null;
  if (roster.side[unit] === GERMAN && (roster.leader[unit] === 0 || !tables.administers || place < 0))
    return fault(at(tables, unit, "isolated"), "of the Germans only leaders on the map are noted as cut off");
  if (roster.side[unit] !== GERMAN && (!river.supplies || place < 0))
    return fault(at(tables, unit, "isolated"), "only Soviet units on the map can be cut off from the river");
  return null;
}

/** What an engineer can't do. Rulings R56, R109 */
function taskFault(tables: Tables, s: StateView, unit: number): Fault | null {
  const { layout, roster } = tables;
  const bits = s[layout.work + unit]! & words.TASK_BITS;
  if (bits === 0) return null;
  const key = bits === words.RESTS ? "rests" : "task";
  const side = roster.side[unit]!;
  if (!tables.engineers[side]!.includes(unit))
    return fault(at(tables, unit, key), `${withArticle(KINDS[roster.kind[unit]!]!)} builds nothing`);
  if (placeOf(tables, s, unit) < 0) return fault(at(tables, unit, key), "only a unit on the map works");
  const task = taskOf(tables, s, unit);
  if (task === 0) return null;
  const hex = taskHex(tables, s, unit);
  // Rule: SOS 17.11
  if (task === words.TASK_BRIDGE && !spansBalka(tables, hex))
    return fault(at(tables, unit, "task"), `hex ${tables.board.ids[hex]} has no balka to bridge`);
  if (phasesLeft(tables, s, side, hex) > phasesOf(task, side))
    return fault(at(tables, unit, "task.left"), `it takes ${phasesOf(task, side)} phases`);
  if (workersAt(tables, s, side, hex) > 2)
    return fault(at(tables, unit, "task"), "two engineers work at one thing, no more");
  return null;
}

/** What passengers and transports can't be. Rule: SOS 16.44, ruling R104 */
function rideFault(tables: Tables, s: StateView, unit: number): Fault | null {
  const work = s[tables.layout.work + unit]!;
  const rides = work & words.RIDES;
  if (rides !== 0 && tables.roster.rider[unit] === 0)
    return fault(at(tables, unit, "carried"), "no transport of the game carries it");
  if (rides !== 0 && (rides & words.CARRIED) === 0)
    return fault(at(tables, unit, (rides & words.ABOARD) !== 0 ? "aboard" : "unloads"), "it is not carried");
  if (rides !== 0 && has(tables, s, unit, words.PINNED))
    return fault(at(tables, unit, "carried"), "a pinned unit does not ride");
  if ((work & (words.TOOK_TROOP | words.TOOK_CHIEF)) !== 0 && tables.roster.transport[unit] === 0)
    return fault(
      at(tables, unit, (work & words.TOOK_TROOP) !== 0 ? "tookTroop" : "tookChief"),
      "only transports carry",
    );
  return null;
}

/** The bank of a vehicle. Ruling R18. */
function bankFault(tables: Tables, s: StateView, unit: number): Fault | null {
  const bank = extraOf(tables, s, unit, words.BANK_SHIFT);
  if (bank === 0) return null;
  const hex = placeOf(tables, s, unit);
  if (!isVehicle(tables, s, unit)) return fault(at(tables, unit, "rim"), "only vehicles have a bank");
  if (!tables.board.banks.isBank(hex, bank))
    return fault(at(tables, unit, "rim"), `hex ${tables.board.ids[hex]} has no such bank`);
  return null;
}

/**
 * Units that may not be together. Stacking limits are not among them: a unit that was pinned or stopped in a full hex,
 * or lost the tank that raised its limit, stays there until it can move, and nothing in a state shows why.
 */
export function stacksFault(tables: Tables, s: StateView): Fault | null {
  const { board, roster } = tables;
  for (let h = 0; h < tables.hexes; h++) {
    let sides = 0;
    for (let u = firstIn(tables, s, h); u >= 0; u = nextIn(tables, s, u)) {
      if (roster.zocUnit[u] === 1) sides |= 1 << roster.side[u]!;
      if (roster.blind[u] === 0) continue;
      // Rule: SOS 5.5, SOS 17.11, SOS 17.21, SOS 17.33
      for (let v = nextIn(tables, s, u); v >= 0; v = nextIn(tables, s, v))
        if (roster.blind[v] === 1 && roster.kind[v] === roster.kind[u])
          return fault("units", `hex ${board.ids[h]} has two counters of kind ${KINDS[roster.kind[u]!]!}`);
    }
    const fort = fortIn(tables, s, h);
    if (fort >= 0 && isUnderEnemiesAlone(tables, s, h, roster.side[fort]!))
      return fault("units", `hex ${board.ids[h]} has a fort and enemies in it`); // Rule: SOS 17.32
    if (sides === 3) return fault("units", `both sides are in hex ${board.ids[h]}`); // Rule: SOS 5.8
  }
  return null;
}

function fortIn(tables: Tables, s: StateView, hex: number): number {
  let u = firstIn(tables, s, hex);
  while (u >= 0 && tables.roster.kind[u] !== FORT) u = nextIn(tables, s, u);
  return u;
}

/** True when only enemies of a side hold a hex. Works don't count. */
function isUnderEnemiesAlone(tables: Tables, s: StateView, hex: number, side: number): boolean {
  const { roster } = tables;
  let enemies = false;
  for (let u = firstIn(tables, s, hex); u >= 0; u = nextIn(tables, s, u)) {
    if (roster.blind[u] === 1) continue;
    if (roster.side[u] === side) return false;
    enemies = true;
  }
  return enemies;
}

/** Marks of hexes that nothing there explains. */
export function hexesFault(tables: Tables, s: StateView): Fault | null {
  const { board, layout } = tables;
  for (let h = 0; h < tables.hexes; h++) {
    const state = s[layout.hexState + h]!;
    if (state === 0) continue;
    if ((state & words.BARRAGED) !== 0 && (state & words.ATTACKED) === 0)
      return fault("barraged", `hex ${board.ids[h]} has not been attacked`);
    if ((state & words.FRIENDLY_MINE) !== 0 && !SIDES.some((_, side) => isMinedBy(tables, s, side, h)))
      return fault("friendlyMines", `hex ${board.ids[h]} has no minefield`); // Rule: SOS 17.22
    for (let side = GERMAN; side <= SOVIET; side++)
      if (siteOf(tables, s, side, h) !== 0 && workersAt(tables, s, side, h) === 0)
        return fault("units", `nobody works in hex ${board.ids[h]}`);
  }
  return null;
}

/** Passengers have transports under an order, one for each. Rule: SOS 16.44, ruling R104 */
export function ridesFault(tables: Tables, s: StateView): Fault | null {
  const { layout, roster } = tables;
  if (roster.transports.length === 0) return null;
  for (let sort = TROOP; sort <= CHIEF; sort++) {
    let riding = 0;
    for (let u = roster.germans; u < tables.units; u++) {
      if (roster.rider[u] !== sort || (s[layout.work + u]! & words.CARRIED) === 0) continue;
      const moving = roster.transports.filter((t) => has(tables, s, t, words.GROUP)).length;
      if (moving === 0) return fault(at(tables, u, "carried"), "no transport has an order");
      if ((s[layout.work + u]! & words.ABOARD) !== 0 && !has(tables, s, u, words.GROUP))
        return fault(at(tables, u, "carried"), "a unit that is aboard moves with the transports");
      if (++riding > moving) return fault(at(tables, u, "carried"), `${moving} transports carry no more of its sort`);
    }
  }
  return null;
}
