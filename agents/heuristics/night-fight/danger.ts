import type { StateView } from "../../../env/index.js";
import {
  COLUMNS,
  ELIMINATE,
  GERMANS,
  HEXES,
  NOTHING,
  type Tables,
  UNITS,
  type UnitId,
  type HexId,
  FIRST_HEX,
  FIRST_COLUMN,
} from "../../../env/night-fight/data.js";
import { sees } from "../../../env/night-fight/rules/sight.js";
import { attackValue, mayAttack, resultOf } from "../../../env/night-fight/rules/combat.js";
import { chanceOfMissing } from "../../../env/night-fight/contacts.js";
import {
  columnOf,
  GROUND_WORDS,
  has,
  isBright,
  isKnown,
  L,
  onMap,
  placeOf,
  SEEN,
  SUPPRESSED,
  contactHex,
} from "../../../env/night-fight/state.js";

/** What a suppression costs, if an elimination costs 1. */
export const SUPPRESSION = 0.3;
/** Harm expected beside a column's marker, which becomes two units of any kind. */
const BESIDE_COLUMN = 0.35;
const NEAR_COLUMN = 0.12;

/** Expected loss of one die of fire on `b` in hex `h`: 1 eliminated, less when suppressed. */
export function harm(tables: Tables, s: StateView, a: UnitId, b: UnitId, h: HexId, distance: number): number {
  const value = attackValue(tables, s, a, b, h, distance);
  let sum = 0;
  for (let die = 1; die <= 6; die++) {
    const result = resultOf(tables, value, die);
    if (result !== NOTHING) sum += result === ELIMINATE || has(s, b, SUPPRESSED) ? 1 : SUPPRESSION;
  }
  return sum / 6;
}

/** What ending the turn in each hex would cost, cached until something that the player can see changes. */
export class Danger {
  private readonly byType = new Map<number, { seen: number; loss: Float64Array }>();

  constructor(private readonly tables: Tables) {}

  /** Loss expected for German `u` by hex, from what the player knows. */
  of(s: StateView, u: UnitId): Float64Array {
    const type = this.tables.type[u]!;
    let entry = this.byType.get(type);
    if (entry === undefined) {
      entry = { seen: -1, loss: new Float64Array(HEXES) };
      this.byType.set(type, entry);
    }
    const seen = this.signature(s);
    if (entry.seen !== seen) {
      entry.seen = seen;
      fill(this.tables, s, u, entry.loss);
    }
    return entry.loss;
  }

  /** A hash of all that danger depends on: revealed Soviets, contacts, columns, light, turn. */
  private signature(s: StateView): number {
    let sum = s[L.turn]!;
    for (let k = GERMANS; k < UNITS; k++)
      sum = hashStep(sum, isKnown(s, k) ? s[L.place + k]! * 16 + s[L.flags + k]! : -99);
    for (let j = 0; j < s[L.contacts]!; j++) sum = hashStep(sum, s[L.contactHexes + j]!);
    for (let c = FIRST_COLUMN; c < COLUMNS; c++) sum = hashStep(sum, s[L.columns + c]!);
    for (let w = 0; w < GROUND_WORDS; w++) sum = hashStep(sum, s[L.ground + w]!);
    return sum >>> 0;
  }
}

const hashStep = (sum: number, word: number): number => Math.imul(sum ^ word, 0x01000193) ^ (sum >>> 15);

function fill(tables: Tables, s: StateView, u: UnitId, out: Float64Array): void {
  out.fill(0);
  for (let k = GERMANS; k < UNITS; k++) {
    if (onMap(s, k) && has(s, k, SEEN) && !has(s, k, SUPPRESSED))
      addThreat(tables, s, k, placeOf(s, k), u, tables.range[k]!, 1, out);
  }
  for (let j = 0; j < s[L.contacts]!; j++) {
    let total = 0;
    for (let k = GERMANS; k < UNITS; k++) if (!isKnown(s, k)) total += chanceOfMissing(s, j, k);
    let like = 0;
    for (let k = GERMANS; k < UNITS; k++) {
      if (isKnown(s, k) || tables.dummy[k] === 1) continue;
      like += chanceOfMissing(s, j, k) / total;
      // counters of one type have equal weight, except in the rare turn in which a target died between them
      const next = (k + 1) as UnitId;
      if (next < UNITS && tables.type[next] === tables.type[k] && !isKnown(s, next)) continue;
      if (like > 0)
        addThreat(
          tables,
          s,
          k,
          contactHex(s, j),
          u,
          Math.min(tables.range[k]!, tables.rules.sovietSpotting.unspottedReach),
          like,
          out,
        );
      like = 0;
    }
  }
  for (let c = FIRST_COLUMN; c < COLUMNS; c++) {
    const at = columnOf(s, c);
    if (at < 0) continue;
    for (let h = FIRST_HEX; h < HEXES; h++) {
      const distance = tables.distance[at * HEXES + h]!;
      if (distance === 1) out[h]! += BESIDE_COLUMN;
      else if (distance <= 1 + tables.columnRules.moveHexes) out[h]! += NEAR_COLUMN;
    }
  }
}

function addThreat(
  tables: Tables,
  s: StateView,
  k: UnitId,
  from: HexId,
  u: UnitId,
  range: number,
  like: number,
  out: Float64Array,
): void {
  for (let h = FIRST_HEX; h < HEXES; h++) {
    const distance = tables.distance[from * HEXES + h]!;
    if (distance === 0 || distance > range || !mayAttack(tables, s, k, u, distance) || !sees(tables, from, h)) continue;
    const lit = isBright(tables, s, h) ? tables.rules.sovietSpotting.lit : 0;
    const spotted = Math.min(6, 7 - distance - tables.rules.sovietSpotting.needBeyondDistance + lit) / 6;
    if (spotted > 0) out[h]! += like * spotted * harm(tables, s, k, u, h, distance);
  }
}
