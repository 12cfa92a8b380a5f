import type { State } from "../../../env/index.js";
import * as A from "../../../env/pocket-stalingrad/actions.js";
import { AREAS, GUMRAK, VOLGA, type AreaId, type SideId } from "../../../env/pocket-stalingrad/data.js";
import {
  COMMAND,
  isCaptured,
  DECISION,
  L,
  RATT,
  SOVIET,
  TACTICS,
  unitsIn,
  enemyOf,
} from "../../../env/pocket-stalingrad/state.js";
import { StatePolicy } from "../scripted-policy.js";

/** City areas from the most valuable down (area numbers rise with VP). */
const BY_VALUE = [5, 4, 3, 2, 1] as AreaId[];

/**
 * The simplest player with a plan: keeps special dice and the most frequent useful number at once, and spends CMD
 * whenever it can on the most valuable area that it doesn't lead. Never razes, never re-rolls.
 */
export class FirstKeep extends StatePolicy {
  override choose(s: State, player: number, mask: Uint8Array, at: number): number {
    const actor = player as SideId;
    const legal = (a: number): boolean => mask[at + a] === 1;
    const first = (...wanted: number[]): number => wanted.find(legal) ?? A.DONE;
    const behind = BY_VALUE.filter((a) => !isCaptured(s, a) && unitsIn(s, actor, a) <= unitsIn(s, enemyOf(actor), a));
    switch (s[L.kind]) {
      case DECISION.dice:
        return this.dice(s, actor, legal);
      case DECISION.place:
        return first(...BY_VALUE.map((n) => A.PLACE + n - 1), A.PLACE + 5);
      case DECISION.lose:
        return first(A.LOSE + 6, A.LOSE, ...[1, 2, 3, 4, 5].map((a) => A.LOSE + a));
      case DECISION.fortify:
        return first(...behind.map((a) => A.FORT + a - 1));
      case DECISION.announce:
        return first(...[5, 4, 3, 2, 1, 0].map((k) => A.ANNOUNCE + k));
      case DECISION.reduce:
        return first(...[4, 3, 2, 1, 0].map((k) => A.REDUCE + k));
      case DECISION.air:
        return first(
          ...behind.map((a) => A.AIR_TARGET + a - 1),
          A.AIR_TARGET + 5,
          ...BY_VALUE.map((a) => A.AIR_TARGET + a - 1),
        );
      case DECISION.cancel:
        return A.CANCEL;
      case DECISION.sturm:
        return first(...behind.map((a) => A.STURM_TO + a - 1));
      case DECISION.cross:
        return first(...behind.map((a) => A.CROSS + a - 1));
      case DECISION.deployOut:
        return first(...behind.map((a) => A.OUT + a - 1));
      case DECISION.artillery:
        return behind.length > 0 && s[L.artillery] === behind[0] ? A.DONE : first(...behind.map((a) => A.ARTY + a - 1));
      case DECISION.guards:
        return first(...behind.flatMap((a) => [A.GUARDS_Z + a - 1, A.GUARDS_VOLGA + a - 1]));
      case DECISION.fight:
        return A.FIGHT;
      case DECISION.pioneer:
        return A.PIONEER;
      case DECISION.ratzel:
        return this.ratzel(s, enemyOf(actor), legal);
      default: // reroll, raze, deployIn
        return A.DONE;
    }
  }

  private dice(s: State, actor: SideId, legal: (a: number) => boolean): number {
    for (const d of [TACTICS, RATT]) if (legal(A.KEEP_SPECIAL_DIE + d)) return A.KEEP_SPECIAL_DIE + d;
    if (legal(A.KEEP_SPECIAL_DIE + COMMAND) && s[L.looseSpecialDice + COMMAND]! >= 4)
      return A.KEEP_SPECIAL_DIE + COMMAND;
    if (legal(A.ROLL)) return A.ROLL;
    const useful = (n: number): boolean =>
      n === 6
        ? unitsIn(s, actor, actor === SOVIET ? VOLGA : GUMRAK) < s[L.max6 + actor]!
        : !isCaptured(s, n as AreaId) && s[L.units + actor * AREAS + n]! < 6;
    let best = -1;
    let most = 0;
    for (let n = 6; n >= 1; n--) {
      const score = s[L.loose + n - 1]! * (useful(n) ? 10 : 1);
      if (score > most) {
        most = score;
        best = A.KEEP_UNIT + n - 1;
      }
    }
    return best >= 0 ? best : A.KEEP_SPECIAL_DIE + COMMAND;
  }

  /** An enemy unit from the most valuable area to the least valuable one. */
  private ratzel(s: State, enemy: SideId, legal: (a: number) => boolean): number {
    for (const from of BY_VALUE) {
      if (unitsIn(s, enemy, from) === 0) continue;
      for (let a = A.RATZEL; a < A.OUT; a++) {
        const pair = (a - A.RATZEL) as A.PairId;
        if (A.ratzelFrom(pair) === from && A.ratzelTo(pair) < from && legal(a)) return a;
      }
    }
    return A.DONE;
  }
}
