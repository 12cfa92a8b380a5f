import type { State, StateView } from "../../../core/layout.js";
import type { Play } from "../../../core/play.js";
import { ENEMY, HEX, PASS, unitBase } from "../../actions.js";
import * as events from "../../events/dogs.js";
import {
  ASK_DOG,
  ASK_DOG_TARGET,
  COMMIT_DOGS,
  F_ASK,
  F_COMMIT,
  F_FOCUS,
  F_NEED,
  F_UNIT,
  KNOWN,
  NO_ARMOR,
  PINNED,
  ROLL_DOG,
  type HexId,
  type UnitId,
} from "../../layout.js";
import { GERMAN, SOVIET } from "../../roster.js";
import { firstIn, frameHex, frameOf, frameUnit, has, nextIn, placeOf, pop, push, topFrame } from "../../state.js";
import type { Tables } from "../../state.js";
import { chosenIn, countIn } from "../units/faces.js";
import { record } from "../units/fire.js";
import { reveal } from "../units/hidden.js";
import { settleLosses } from "../units/leaders.js";
import { eliminate } from "../units/losses.js";
import { isArmored } from "../units/units.js";
import { isBarrage } from "./participants.js";

/**
 * Before a German attack with direct fire is resolved the Soviet side is asked about its mine dogs, once. Rule: SOS
 * 16.21, SOS 16.22, ruling R101
 *
 * @param attack offset of the attack's frame
 * @returns true when a decision is open
 */
export function openDogs(tables: Tables, s: State, attack: number, side: number): boolean {
  if (tables.roster.dogs.length === 0 || side !== GERMAN || (s[attack + F_COMMIT]! & COMMIT_DOGS) !== 0) return false;
  s[attack + F_COMMIT]! |= COMMIT_DOGS;
  const hex = frameHex(s, attack);
  if (isBarrage(tables, s, hex)) return false;
  push(tables, s, ASK_DOG, SOVIET, hex);
  return true;
}

/**
 * True when German armor is in a hex, as far as the Soviet side knows. Counters that are face down may be armor, until
 * their owner says that they are not.
 */
function mayHoldArmor(tables: Tables, s: StateView, hex: number): boolean {
  const { layout, roster } = tables;
  for (let u = firstIn(tables, s, hex); u >= 0; u = nextIn(tables, s, u)) {
    if (roster.side[u] !== GERMAN) continue;
    if (has(tables, s, u, KNOWN) ? isArmored(tables, s, u) : (s[layout.hexState + hex]! & NO_ARMOR) === 0) return true;
  }
  return false;
}

/** Decision `dog.use`: the dogs that are not pinned, beside German armor. Rule: SOS 16.22, ruling R101 */
export function fillDogs(tables: Tables, s: StateView, mask: Uint8Array, at: number): number {
  let n = 0;
  for (const dog of tables.roster.dogs) {
    if (placeOf(tables, s, dog) < 0 || has(tables, s, dog, PINNED) || !hasTarget(tables, s, dog)) continue;
    mask[at + unitBase(tables.hexes) + dog] = 1;
    n++;
  }
  if (n === 0) return 0;
  mask[at + PASS] = 1;
  return n + 1;
}

function hasTarget(tables: Tables, s: StateView, dog: number): boolean {
  const { neighbours } = tables.board;
  const hex = placeOf(tables, s, dog);
  for (let d = hex * 6; d < hex * 6 + 6; d++)
    if (neighbours[d]! >= 0 && mayHoldArmor(tables, s, neighbours[d]!)) return true;
  return false;
}

/** A dog is named; its target comes next. */
export function nameDog(tables: Tables, s: State, dog: UnitId): void {
  const frame = topFrame(tables, s);
  s[frame + F_ASK] = ASK_DOG_TARGET;
  s[frame + F_UNIT] = dog + 1;
}

/** Decision `dog.target`: a hex beside the dog, then one of the armored counters there. Rule: SOS 16.22 */
export function fillTargets(tables: Tables, s: StateView, mask: Uint8Array, at: number): number {
  const { neighbours } = tables.board;
  const frame = topFrame(tables, s);
  if (s[frame + F_FOCUS] !== 0) {
    for (let k = 0; k < s[frame + F_NEED]!; k++) mask[at + ENEMY + k] = 1;
    return s[frame + F_NEED]!;
  }
  const hex = placeOf(tables, s, frameUnit(s, frame));
  let n = 0;
  for (let d = hex * 6; d < hex * 6 + 6; d++) {
    if (neighbours[d]! < 0 || !mayHoldArmor(tables, s, neighbours[d]!)) continue;
    mask[at + HEX + neighbours[d]!] = 1;
    n++;
  }
  return n;
}

/**
 * The hex is named: the dog shows itself, and the owner of the counters there says how many are armor. With none the
 * dog has not been used. Rule: SOS 7.5, SOS 16.22
 */
export function nameDogHex(tables: Tables, s: State, hex: HexId, play: Play): void {
  const frame = topFrame(tables, s);
  const dog = frameUnit(s, frame);
  const armor = countIn(tables, s, GERMAN, hex, isArmored);
  reveal(tables, s, dog, play);
  if (play.narrator !== null) events.dogRuns(tables, dog, hex, armor, play);
  if (armor === 0) {
    s[tables.layout.hexState + hex]! |= NO_ARMOR;
    askAgain(s, frame);
    return;
  }
  s[frame + F_FOCUS] = hex + 1;
  s[frame + F_NEED] = armor;
}

function askAgain(s: State, frame: number): void {
  s[frame + F_ASK] = ASK_DOG;
  s[frame + F_UNIT] = 0;
  s[frame + F_FOCUS] = 0;
  s[frame + F_NEED] = 0;
}

/** The dog attacks a counter, and is lost with it or alone. Rule: SOS 16.23, SOS 16.24, SOS 18.33, ruling R101 */
export function runDog(tables: Tables, s: State, k: number, play: Play): void {
  const { losses } = tables;
  const frame = topFrame(tables, s);
  const dog = frameUnit(s, frame);
  const hex = s[frame + F_FOCUS]! - 1;
  const target = chosenIn(tables, s, GERMAN, hex, k, isArmored);
  askAgain(s, frame);
  if (target < 0) return;
  reveal(tables, s, target, play);
  const die = play.dice.d10();
  const hits = die <= tables.charts.dogUpTo;
  record(tables, s, ROLL_DOG, -1, 0, 0, die, 0, hits ? 1 : 0);
  if (play.narrator !== null) events.dogAttacks(tables, dog, target, hex, die, hits, play);
  eliminate(tables, s, dog, "dog", play);
  if (!hits) return;
  losses.units = 1;
  losses.sniper = 0;
  losses.hex = hex;
  eliminate(tables, s, target, "dog", play);
  settleLosses(tables, s, GERMAN, play);
}

/**
 * How often a deal contradicts what was said of armor in a hex. Rule: SOS 16.22
 */
export function armorFaults(tables: Tables, s: StateView, hex: number): number {
  const { layout } = tables;
  const frame = frameOf(tables, s, ASK_DOG_TARGET);
  let n = 0;
  if (frame >= 0 && s[frame + F_FOCUS] === hex + 1)
    n = Math.abs(countIn(tables, s, GERMAN, hex, isArmored) - s[frame + F_NEED]!);
  if ((s[layout.hexState + hex]! & NO_ARMOR) !== 0) n += countIn(tables, s, GERMAN, hex, isUnseenArmor);
  return n;
}

const isUnseenArmor = (tables: Tables, s: StateView, unit: number): boolean =>
  !has(tables, s, unit, KNOWN) && isArmored(tables, s, unit);

/** No further dog is used in this attack. */
export function closeDogs(tables: Tables, s: State): void {
  pop(tables, s);
  forgetAnswers(tables, s);
}

export function forgetAnswers({ hexes, layout }: Tables, s: State): void {
  for (let h = layout.hexState; h < layout.hexState + hexes; h++) s[h]! &= ~NO_ARMOR;
}
