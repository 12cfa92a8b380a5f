import type { StateView } from "../../core/layout.js";
import { FK8, MECH, RAID, SEC, SUPPORT } from "../data.js";
import type { Tables } from "../data.js";
import { BATTLE, FACE_DOWN, PARTISAN_ON_TRACK, PHASE, REMOVED } from "../layout.js";
import { countForce } from "../rules/garrison.js";
import { armySteps, K_CHECK } from "../rules/victory.js";
import { activeArmy, partisanHex } from "../state.js";
import { CACHED, DECISION, GLOBAL } from "./columns.js";

const clipped = (x: number): number => (x > 1 ? 1 : x);

/** Most counters of each class that `globals` tells apart. */
const MOST_OF_CLASS = [40, 80, 20, 6];

/** Counters that may be in the pool or under a marker. */
function writeUnseen(tables: Tables, s: StateView, out: Float32Array, cache: Int32Array): void {
  const { L, slotsOf } = tables;
  for (let cls = MECH; cls <= SUPPORT; cls++)
    out[GLOBAL.unseenOfClass + cls] = clipped(
      (slotsOf[cls]!.length - cache[CACHED.openOfClass + cls]!) / MOST_OF_CLASS[cls]!,
    );
  const support = slotsOf[SUPPORT]!;
  for (let i = 0; i < support.length; i++) {
    if (s[L.place + support[i]!]! > FACE_DOWN) continue;
    const kind = tables.support[support[i]!]!;
    if (kind === RAID) out[GLOBAL.unseenRaids] = clipped(out[GLOBAL.unseenRaids]! + 0.5);
    else out[GLOBAL.unseenOfKind + kind] = 1;
  }
}

/**
 * @param cache of the row, which counts the open counters
 */
export function writeGlobals(tables: Tables, s: StateView, out: Float32Array, cache: Int32Array): void {
  const { L } = tables;
  const turn = s[L.turn]!;
  out.fill(0);
  writeUnseen(tables, s, out, cache);
  out[GLOBAL.turn] = turn / 6;
  out[GLOBAL.turnOneHot + turn] = 1;
  out[GLOBAL.mp] = clipped(s[L.mp]! / 3);
  out[GLOBAL.replacements] = clipped(s[L.replacements]! / 10);
  out[GLOBAL.pool] = clipped(s[L.poolSize]! / 130);
  out[GLOBAL.faceDown] = clipped(s[L.faceDown]! / 80);
  out[GLOBAL.returning] = clipped(s[L.boxed + turn + 1]! / 80);
  out[GLOBAL.interceptorReady] = s[L.interceptor]!;
  out[GLOBAL.kLine] = clipped(s[L.kHeld]! / 34);
  out[GLOBAL.fortified] = clipped(s[L.forts]! / 6);
  out[GLOBAL.western] = clipped(s[L.westHeld]! / 6);
  out[GLOBAL.beside] = clipped(s[L.beside]! / 6);
  out[GLOBAL.armySteps] = clipped(armySteps(tables, s) / 130);
  out[GLOBAL.engineerSteps] = clipped(s[L.engineer]! / 6);
  out[GLOBAL.guderianOut] = s[L.place + tables.guderian] === REMOVED ? 1 : 0;
  out[GLOBAL.partisanOnMap] = partisanHex(tables, s) >= 0 ? 1 : 0;
  out[GLOBAL.partisanOnTrack] = s[L.partisan] === PARTISAN_ON_TRACK ? 1 : 0;
  out[GLOBAL.withdrawn] = turn > K_CHECK ? 1 : 0;
}

export function writeDecision(tables: Tables, s: StateView, out: Float32Array): void {
  const { L, force } = tables;
  out.fill(0);
  out[DECISION.phase + s[L.phase]!] = 1;
  const army = activeArmy(tables, s);
  if (army < 0) return;
  out[DECISION.armySlot] = clipped(army / 12);
  out[DECISION.withEngineer] = s[L.host] === army + 1 ? 1 : 0;
  out[DECISION.mp] = clipped(s[L.mp]! / 3);
  const mayFight = s[L.phase] === PHASE.move || s[L.phase] === PHASE.commit;
  out[DECISION.firstFire] =
    mayFight && tables.armies[army]!.shock && s[L.armyFired + army] === 0 && s[L.relief] === 0 ? 1 : 0;
  if (s[L.battleHex] === 0) return;
  countForce(tables, s, BATTLE);
  out[DECISION.breakIn] = s[L.relief]!;
  out[DECISION.round] = clipped(s[L.round]! / 4);
  out[DECISION.hits] = clipped(s[L.hits]! / 8);
  for (let cls = MECH; cls <= SEC; cls++) out[DECISION.enemyOfClass + cls] = clipped(force[cls]! / 8);
  for (let kind = FK8; kind < RAID; kind++) out[DECISION.supportOfKind + kind] = force[4 + kind]! > 0 ? 1 : 0;
  out[DECISION.raids] = clipped(force[4 + RAID]! / 2);
  out[DECISION.committed] = s[L.committed]!;
  out[DECISION.pocket] = clipped(s[L.pocketSize]! / 10);
}
