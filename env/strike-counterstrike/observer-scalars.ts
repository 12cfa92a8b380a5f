import type { StateView } from "../core/layout.js";
import * as data from "./data.js";
import * as places from "./observer-places.js";
import * as garrison from "./rules/garrison.js";
import * as victory from "./rules/victory.js";
import * as state from "./state.js";
import type { World } from "./state.js";

// own constants, for speed: see core/layout.ts
const { FK8, MECH, NONMECH, RAID, SEC, SUPPORT } = data;
const { countForce } = garrison;
const { N_SEEN } = places;
const { armySteps, K_CHECK } = victory;
const { activeArmy, BATTLE, FACE_DOWN, P, P_TRACK, partisanHex, REMOVED } = state;

const unit = (x: number): number => (x > 1 ? 1 : x);

/** What may be in the pool or under a marker. */
function unseen(w: World, s: StateView, out: Float32Array, cache: Int32Array): void {
  const { t, L } = w;
  out[11] = unit((t.slotsOf[MECH]!.length - cache[N_SEEN + MECH]!) / 40);
  out[12] = unit((t.slotsOf[NONMECH]!.length - cache[N_SEEN + NONMECH]!) / 80);
  out[13] = unit((t.slotsOf[SEC]!.length - cache[N_SEEN + SEC]!) / 20);
  out[14] = unit((t.slotsOf[SUPPORT]!.length - cache[N_SEEN + SUPPORT]!) / 6);
  const support = t.slotsOf[SUPPORT]!;
  for (let i = 0; i < support.length; i++) {
    if (s[L.place + support[i]!]! > FACE_DOWN) continue;
    const kind = t.support[support[i]!]!;
    if (kind === RAID) out[19] = unit(out[19]! + 0.5);
    else out[14 + kind] = 1;
  }
}

/** @param cache of the row, which count the counters that lie open */
export function writeGlobals(w: World, s: StateView, out: Float32Array, cache: Int32Array): void {
  const { L } = w;
  const turn = s[L.turn]!;
  out.fill(0);
  unseen(w, s, out, cache);
  out[0] = turn / 6;
  out[turn] = 1;
  out[7] = unit(s[L.mp]! / 3);
  out[8] = unit(s[L.replacements]! / 10);
  out[9] = unit(s[L.poolSize]! / 130);
  out[10] = unit(s[L.faceDown]! / 80);
  out[20] = unit(s[L.boxed + turn + 1]! / 80);
  out[21] = s[L.interceptor]!;
  out[22] = unit(s[L.kHeld]! / 34);
  out[23] = unit(s[L.forts]! / 6);
  out[24] = unit(s[L.westHeld]! / 6);
  out[25] = unit(s[L.beside]! / 6);
  out[26] = unit(armySteps(w, s) / 130);
  out[27] = unit(s[L.engineer]! / 6);
  out[28] = s[L.place + w.t.guderian] === REMOVED ? 1 : 0;
  out[29] = partisanHex(w, s) >= 0 ? 1 : 0;
  out[30] = s[L.partisan] === P_TRACK ? 1 : 0;
  out[31] = turn > K_CHECK ? 1 : 0;
}

export function writeDecision(w: World, s: StateView, out: Float32Array): void {
  const { L, t } = w;
  out.fill(0);
  out[s[L.phase]!] = 1;
  const active = activeArmy(w, s);
  if (active < 0) return;
  out[23] = unit(active / 12);
  out[24] = s[L.host] === active + 1 ? 1 : 0;
  out[25] = unit(s[L.mp]! / 3);
  const waits = s[L.phase] === P.move || s[L.phase] === P.commit;
  out[27] = waits && t.armies[active]!.shock && s[L.armyFired + active] === 0 && s[L.relief] === 0 ? 1 : 0;
  if (s[L.battleHex] === 0) return;
  countForce(w, s, BATTLE);
  const { force } = w;
  out[11] = s[L.relief]!;
  out[12] = unit(s[L.round]! / 4);
  out[13] = unit(s[L.hits]! / 8);
  for (let cls = MECH; cls <= SEC; cls++) out[14 + cls] = unit(force[cls]! / 8);
  for (let kind = FK8; kind < RAID; kind++) out[16 + kind] = force[4 + kind]! > 0 ? 1 : 0;
  out[21] = unit(force[4 + RAID]! / 2);
  out[22] = s[L.committed]!;
  out[26] = unit(s[L.pocketSize]! / 10);
}
