import type { State, StateView } from "../../core/layout.js";
import type { Rng } from "../../core/dice/rng.js";
import { type Tables } from "../data.js";
import { destinations } from "../actions.js";
import { chitAreas, firstInHand } from "../rules/chits.js";
import { landingChoices, mayTry } from "../rules/reinforcement.js";
import { chitMayMove, sovietOverfull, unitMayMove } from "../rules/soviet-movement.js";
import { chitPlaceOf, CHITS, GERMANS, DECISION, decisionOf, L, UNITS } from "../state.js";

/** Samples the hidden part of a Soviet decision. @returns false when the state does not allow that decision */
export function chooseDecision(tables: Tables, s: StateView, out: State, rng: Rng): boolean {
  switch (decisionOf(s)) {
    case DECISION.reinfPick:
      for (let u = GERMANS; u < UNITS; u++) if (mayTry(out, u) && landingChoices(tables, out, u) !== 0) return true;
      return false;
    case DECISION.reinfArea: {
      let n = 0;
      for (let u = GERMANS; u < UNITS; u++) if (mayTry(out, u) && landingChoices(tables, out, u) !== 0) n++;
      let pick = n === 0 ? -1 : rng.below(n);
      for (let u = GERMANS; u < UNITS; u++)
        if (mayTry(out, u) && landingChoices(tables, out, u) !== 0 && pick-- === 0) out[L.decisionUnit] = u + 1;
      return n > 0;
    }
    case DECISION.chitPlace:
      out[L.decisionChit] = firstInHand(out) + 1;
      return chitAreas(tables, out) !== 0;
    case DECISION.sovDest:
      return chooseMover(tables, out, rng);
    case DECISION.sovExcess: {
      const area = s[L.decisionArea]! - 1;
      for (let a = 0; a < area; a++) if (sovietOverfull(tables, out, a)) return false;
      return sovietOverfull(tables, out, area);
    }
    default:
      return true;
  }
}

/** A counter that may have been picked to move; of equal chits in an area the lowest slot. */
function chooseMover(tables: Tables, out: State, rng: Rng): boolean {
  let n = 0;
  for (let k = GERMANS; k < UNITS + CHITS; k++) if (couldMove(tables, out, k)) n++;
  if (n === 0) return false;
  let pick = rng.below(n);
  for (let k = GERMANS; k < UNITS + CHITS; k++) {
    if (!couldMove(tables, out, k) || pick-- !== 0) continue;
    let mover = k;
    for (let c = 0; k >= UNITS && c < k - UNITS && mover === k; c++)
      if (
        tables.data.chitKind[c] === tables.data.chitKind[k - UNITS] &&
        chitPlaceOf(out, c) === chitPlaceOf(out, k - UNITS) &&
        chitMayMove(tables, out, c)
      )
        mover = UNITS + c;
    out[L.decisionUnit] = mover + 1;
  }
  return true;
}

const couldMove = (tables: Tables, s: StateView, k: number): boolean =>
  k < UNITS ? unitMayMove(tables, s, k) && destinations(tables, s, k) !== 0 : chitMayMove(tables, s, k - UNITS);
