import type { StateView } from "../../core/layout.js";
import type { Rng } from "../../core/dice/rng.js";
import type { Tables } from "../data.js";
import {
  AREAS,
  askedArea,
  chitHas,
  chitPlaceOf,
  CHITS,
  DECISION,
  decisionOf,
  FIRST_AREA,
  FIRST_CHIT,
  FLAG,
  PHASE,
  phaseOf,
} from "../state.js";
import { MOST_CHITS } from "./checks.js";
import { IS_CHIT } from "./network.js";
import type { Network } from "./network.js";
import { setGuns, unseenUnits } from "./reader.js";

/**
 * Counters without a history: the face-down counters of each area are units and chits at random, by the known number of
 * face-down chits and the limits of stacking; a unit may be any that is unseen.
 *
 * @param total face-down counters per area; `upUnits`, `upChits`, `upGuns` the face-up ones
 */
export function scatter(
  tables: Tables,
  s: StateView,
  net: Network,
  rng: Rng,
  total: Int32Array,
  upUnits: Int32Array,
  upChits: Int32Array,
  upGuns: Int32Array,
): void {
  const chits = new Int32Array(AREAS);
  let left = 0;
  for (let c = FIRST_CHIT; c < CHITS; c++) {
    const a = chitPlaceOf(s, c);
    if (a >= AREAS || chitHas(s, c, FLAG.faceUp)) continue;
    left++;
    if (tables.solo) chits[a]!++; // there they have stacks of their own
  }
  if (!tables.solo) share(s, rng, left, chits, total, upUnits, upChits, net.mostUnits);
  net.clear();
  for (let a = FIRST_AREA; a < AREAS; a++)
    for (let k = 0; k < total[a]!; k++) net.addCounter(a, k < chits[a]! ? IS_CHIT : 0x7fffffff, -1, 0);
  if (phaseOf(s) !== PHASE.sovMove) net.checks.addLimits(upUnits, upChits, upGuns);
  net.end();
  setGuns(s, net, unseenUnits(s));
}

function share(
  s: StateView,
  rng: Rng,
  hidden: number,
  chits: Int32Array,
  total: Int32Array,
  upUnits: Int32Array,
  upChits: Int32Array,
  most: number,
): void {
  let left = hidden;
  const excess = decisionOf(s) === DECISION.sovExcess ? askedArea(s) : -1;
  for (let a = FIRST_AREA; a < AREAS; a++) {
    chits[a] = Math.max(0, Math.min(total[a]!, total[a]! + upUnits[a]! - most, left));
    left -= chits[a]!;
  }
  for (let tries = 0; left > 0; tries++) {
    const a = rng.below(AREAS);
    if (chits[a]! >= total[a]! || (chits[a]! + upChits[a]! >= MOST_CHITS && a !== excess && tries < 2000)) continue;
    chits[a]!++;
    left--;
  }
}
