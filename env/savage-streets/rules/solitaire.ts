import type { Play } from "../../core/play.js";
import type { Dice, NameOf } from "../../core/dice/dice.js";
import type { State, StateView } from "../../core/layout.js";
import type { Tables } from "../data.js";
import * as events from "../events/soviet.js";
import { sum6Aloud, UNTHROWN } from "../events/throws.js";
import {
  type AreaId,
  AREAS,
  chitHas,
  type ChitId,
  chitOfCounter,
  chitPlaceOf,
  CHITS,
  chitsIn,
  CONTROL,
  controlOf,
  type CounterId,
  counterOfChit,
  FIRST_AREA,
  FIRST_CHIT,
  FLAG,
  FUTURE,
  GERMANS,
  germansIn,
  isUnit,
  L,
  lowestArea,
  NO_CHIT,
  NO_UNIT,
  placeOf,
  sovietsIn,
  type UnitId,
  UNITS,
} from "../state.js";
import { CLASS, ENTRY, markExcess, record } from "../public-log.js";
import { chitAreas, drawChits, firstInHand, placeChit } from "./chits.js";
import { chitLimit, killUnit, putUnit, returnChit, sovietStackFits } from "./counters.js";
import { land, landingAreas, mayTry, UNDER_FIRE } from "./reinforcement.js";
import { chooseLoss } from "./solitaire-choices.js";
import { isSmg, moveChit, moveSovietUnit, sovietDestinations, sovietOverfull } from "./soviet-movement.js";

/** Two dice, as an area. Rule: SS 10.21. @param thrown gets the faces for a narrator, or null */
function rollArea(tables: Tables, dice: Dice, thrown: number[] | null): AreaId {
  const one = dice.d6();
  const other = dice.d6();
  if (thrown !== null) thrown.push(one, other);
  return tables.data.byRoll[one + other]!;
}

/** Two dice, rolled again until they show an area of the mask `eligible`. Rule: SS 10.21, SS 10.33. */
function rollEligible(tables: Tables, eligible: number, dice: Dice, thrown: number[] | null): AreaId {
  let accept = 0;
  for (let sum = 2; sum <= 12; sum++) if ((eligible >> tables.data.byRoll[sum]!) & 1) accept |= 1 << sum;
  return tables.data.byRoll[thrown === null ? dice.sum6(accept) : sum6Aloud(dice, accept, thrown)]!;
}

/** Areas of a roll that have room for Soviet unit `u`. */
function roomFor(tables: Tables, s: StateView, u: UnitId): number {
  let room = 0;
  for (let sum = 2; sum <= 12; sum++) {
    const a = tables.data.byRoll[sum]!;
    if (sovietStackFits(tables, s, a, u)) room |= 1 << a;
  }
  return room;
}

/** The `i`-th at-start unit that has no place yet. */
export function unplacedUnit(tables: Tables, s: StateView, i: number): UnitId {
  let k = i;
  for (let u = GERMANS; u < UNITS; u++)
    if (tables.data.entryTurn[u] === 0 && placeOf(s, u) === FUTURE && k-- === 0) return u;
  return NO_UNIT;
}

/**
 * Soviet set-up by draws and dice. Rule: SS 10.21, SS 10.22; ruling R34: a roll that overfills the area is made again.
 */
export function solitaireSetup(tables: Tables, s: State, play: Play, nameUnit: NameOf, nameChit: NameOf): void {
  let left = 0;
  while (unplacedUnit(tables, s, left) >= 0) left++;
  for (const a of tables.data.soloFixed)
    if (left > 0) {
      const u = unplacedUnit(tables, s, play.dice.draw(left--, nameUnit));
      if (play.narrator !== null) events.setUp(tables, u, a, play, UNTHROWN);
      putUnit(tables, s, u, a, play);
    }
  while (left > 0) {
    const u = unplacedUnit(tables, s, play.dice.draw(left--, nameUnit));
    const thrown: number[] | null = play.narrator === null ? null : [];
    const a = rollEligible(tables, roomFor(tables, s, u), play.dice, thrown);
    if (thrown !== null) events.setUp(tables, u, a, play, thrown);
    putUnit(tables, s, u, a, play);
  }
  for (let a = FIRST_AREA; a < AREAS; a++)
    if (sovietsIn(s, a) > 0) record(s, ENTRY.init, a, 0, sovietsIn(s, a), CLASS.unit);
  drawChits(tables, s, tables.data.soloChits, play, nameChit);
  placeChitsByDice(tables, s, play);
}

/** Each chit of the hand goes where two dice say; ineligible results are rolled again. Rule: SS 10.33. */
export function placeChitsByDice(tables: Tables, s: State, play: Play): void {
  for (let c = firstInHand(s); c >= 0; c = firstInHand(s)) {
    const eligible = chitAreas(tables, s);
    if (eligible === 0)
      returnChit(tables, s, c, play); // ruling R12
    else {
      const thrown: number[] | null = play.narrator === null ? null : [];
      const a = rollEligible(tables, eligible, play.dice, thrown);
      placeChit(tables, s, c, a, play, thrown ?? UNTHROWN);
    }
  }
}

/** The `i`-th unit of a circle that may still try to land. */
export function waitingUnit(tables: Tables, s: StateView, red: number, i: number): UnitId {
  let k = i;
  for (let u = GERMANS; u < UNITS; u++) if (mayTry(s, u) && tables.data.red[u] === red && k-- === 0) return u;
  return NO_UNIT;
}

/** Places the due units of both piles, black circles first. Rule: SS 10.31; ruling R35. */
export function solitaireReinforcement(tables: Tables, s: State, play: Play, names: readonly [NameOf, NameOf]): void {
  placePile(tables, s, 0, play, names[0]);
  placePile(tables, s, 1, play, names[1]);
}

function draw(tables: Tables, s: StateView, red: number, dice: Dice, nameOf: NameOf): UnitId {
  let n = 0;
  while (waitingUnit(tables, s, red, n) >= 0) n++;
  return waitingUnit(tables, s, red, dice.draw(n, nameOf));
}

/** Areas legal without and with a roll that have room. */
function open(tables: Tables, s: StateView, red: number, fire: boolean): number {
  const access = landingAreas(tables, s, red === 1);
  const m = fire ? access >> UNDER_FIRE : access & ((1 << AREAS) - 1);
  let room = 0;
  for (let a = FIRST_AREA; a < AREAS; a++)
    if ((m >> a) & 1 && sovietsIn(s, a) < tables.data.stacking.soloUnits) room |= 1 << a;
  return room;
}

function placePile(tables: Tables, s: State, red: number, play: Play, nameOf: NameOf): void {
  const { landings, redLanding } = tables.data;
  const all = red === 1 ? landings | redLanding : landings;
  let turn = 0; // the next landing in order
  while (waitingUnit(tables, s, red, 0) >= 0) {
    if (sovietLanding(s, all)) {
      placeByOrder(tables, s, red, play, nameOf);
      return;
    }
    const free = open(tables, s, red, false);
    const fire = open(tables, s, red, true);
    // red circles fill a Contested 6 first, without a roll
    if (free !== 0) {
      land(
        tables,
        s,
        draw(tables, s, red, play.dice, nameOf),
        lowestArea(free),
        play,
        "Contested landing of the red circles",
      );
      continue;
    }
    if (fire === 0) return;
    let a = landingInTurn(tables, red, turn++);
    while (((fire >> a) & 1) === 0) a = landingInTurn(tables, red, turn++);
    land(tables, s, draw(tables, s, red, play.dice, nameOf), a, play, "landings in turn, under fire");
  }
}

function sovietLanding(s: StateView, landings: number): boolean {
  for (let a = FIRST_AREA; a < AREAS; a++) if ((landings >> a) & 1 && controlOf(s, a) === CONTROL.soviet) return true;
  return false;
}

/** 7, 8, 7, 8 ... or with a red circle 7, 8, 6, 7 ... */
function landingInTurn(tables: Tables, red: number, turn: number): AreaId {
  const { landingOrder } = tables.data;
  return landingOrder[turn % (landingOrder.length - 1 + red)]!;
}

/** The five steps of SS 10.31 while a landing is Soviet; the rest of the pile waits. Rule: SS 10.31, SS 10.32. */
function placeByOrder(tables: Tables, s: State, red: number, play: Play, nameOf: NameOf): void {
  for (const a of tables.data.priority)
    if (takes(tables, s, red, a) && vacant(s, a) && isSoviet(s, a) && atFront(tables, s, a))
      land(tables, s, draw(tables, s, red, play.dice, nameOf), a, play, "empty area at the front");
  const landings = tables.data.landingOrder.length - 1 + red;
  for (let turn = 0, missed = 0; missed < landings; turn++) {
    const a = landingInTurn(tables, red, turn);
    missed = takes(tables, s, red, a) ? 0 : missed + 1;
    if (missed === 0) land(tables, s, draw(tables, s, red, play.dice, nameOf), a, play, "landings in turn");
  }
  for (let placed = true; placed;) {
    placed = false;
    for (let step = 3; step <= 5; step++) {
      for (const a of tables.data.priority) {
        if (!takes(tables, s, red, a)) continue;
        const fits =
          step === 4 ? controlOf(s, a) === CONTROL.contested : isSoviet(s, a) && vacant(s, a) === (step === 5);
        if (!fits) continue;
        const why = step === 3 ? "occupied area" : step === 4 ? "Contested area" : "empty area";
        land(tables, s, draw(tables, s, red, play.dice, nameOf), a, play, why);
        placed = true;
      }
    }
  }
}

/** True when there is still a unit that may be placed in `a` without a roll. */
const takes = (tables: Tables, s: StateView, red: number, a: AreaId): boolean =>
  waitingUnit(tables, s, red, 0) >= 0 && ((open(tables, s, red, false) >> a) & 1) === 1;

const isSoviet = (s: StateView, a: AreaId): boolean => controlOf(s, a) === CONTROL.soviet;
/** Ruling R35: chits don't count. */
const vacant = (s: StateView, a: AreaId): boolean => sovietsIn(s, a) + germansIn(s, a) === 0;

/** True when `a` borders a German or Contested area. Ruling R35: lettered areas count as German. */
function atFront(tables: Tables, s: StateView, a: AreaId): boolean {
  for (let b = FIRST_AREA; b < AREAS; b++) if ((tables.data.adjacent[a]! >> b) & 1 && !isSoviet(s, b)) return true;
  return false;
}

/** One roll per counter that lay on the map at the start. Rule: SS 10.4; ruling R36: the order. */
export function solitaireMovement(tables: Tables, s: State, play: Play): void {
  const snapshot = tables.scratch;
  let n = 0;
  for (const a of tables.data.priority) {
    n = stackOf(s, L.unitPlace, L.unitRank, GERMANS, UNITS, a, sovietsIn(s, a), snapshot, n, 0);
    n = stackOf(s, L.chitPlace, L.chitRank, 0, CHITS, a, chitsIn(s, a), snapshot, n, UNITS);
  }
  if (play.narrator !== null) events.movementRolls(rollers(s, snapshot, n), play);
  for (let i = 0; i < n; i++) {
    const counter = snapshot[i]! as CounterId;
    if (isUnit(counter)) rollMove(tables, s, counter, NO_CHIT, play);
    else if (!chitHas(s, chitOfCounter(counter), FLAG.faceUp))
      rollMove(tables, s, NO_UNIT, chitOfCounter(counter), play);
  }
}

const rolls = (s: StateView, counter: CounterId): boolean =>
  isUnit(counter) || !chitHas(s, chitOfCounter(counter), FLAG.faceUp);

/** Counters of the snapshot that roll: all but face-up chits. */
function rollers(s: StateView, snapshot: StateView, n: number): number {
  let count = 0;
  for (let i = 0; i < n; i++) if (rolls(s, snapshot[i]! as CounterId)) count++;
  return count;
}

/** Appends the counters of a stack from the bottom up to `out`; returns its new length. */
function stackOf(
  s: StateView,
  places: number,
  ranks: number,
  first: number,
  end: number,
  a: AreaId,
  size: number,
  out: State,
  n: number,
  add: number,
): number {
  let k = n;
  for (let rank = 0; rank < size; rank++)
    for (let i = first; i < end; i++) if (s[places + i] === a && s[ranks + i] === rank) out[k++] = i + add;
  return k;
}

function rollMove(tables: Tables, s: State, u: UnitId, c: ChitId, play: Play): void {
  const from = u >= 0 ? placeOf(s, u) : chitPlaceOf(s, c);
  const thrown: number[] | null = play.narrator === null ? null : [];
  const to = rollArea(tables, play.dice, thrown);
  const near = sovietDestinations(tables, s, from, u >= 0 && isSmg(tables, u));
  const room = u >= 0 ? sovietStackFits(tables, s, to, u) : chitsIn(s, to) < chitLimit(tables);
  if (((near >> to) & 1) === 0 || !room) {
    if (thrown !== null) events.sovietStays(tables, u >= 0 ? u : counterOfChit(c), from, thrown, play);
  } else if (u >= 0) moveSovietUnit(tables, s, u, to, play, thrown ?? UNTHROWN);
  else moveChit(tables, s, c, to, play, thrown ?? UNTHROWN);
}

/** Excess of a hand-made position goes by rule. Ruling R33. */
export function solitaireExcess(tables: Tables, s: State, play: Play): void {
  for (let a = FIRST_AREA; a < AREAS; a++) {
    while (sovietOverfull(tables, s, a)) {
      if (!sovietStackFits(tables, s, a, NO_UNIT)) {
        const u = chooseLoss(tables, s, a, false);
        if (play.narrator !== null) events.sovietExcess(tables, u, a, play);
        killUnit(tables, s, u, play);
      } else returnChit(tables, s, lowestChit(s, a), play);
      markExcess(s);
    }
  }
}

function lowestChit(s: StateView, a: AreaId): ChitId {
  for (let c = FIRST_CHIT; c < CHITS; c++) if (chitPlaceOf(s, c) === a) return c;
  return NO_CHIT;
}
