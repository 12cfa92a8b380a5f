import { type Game, newState, type Seed, type State } from "../../../env/index.js";
import * as A from "../../../env/pocket-stalingrad/actions.js";
import { CITY_FIRST, GUMRAK, VOLGA, Z, type AreaId, type SideId } from "../../../env/pocket-stalingrad/data.js";
import {
  areaOfDie,
  area6,
  COMMAND,
  DECISION,
  L,
  moveUnit,
  PIONEERS,
  RATT,
  removeUnits,
  room,
  SOVIET,
  GERMAN,
  STURM,
  TACTICS,
  unitsIn,
  hasRight,
  addUnit,
  reserveOf,
  cmdOf,
  activeOf,
  enemyOf,
  areaOf,
} from "../../../env/pocket-stalingrad/state.js";
import { StatePolicy } from "../scripted-policy.js";
import { Outlook } from "./outlook.js";

/** Worth of each face of the special dice to the side that keeps it, before the board is looked at. */
const COMMAND_WORTH = [3.2, 2.6] as const; // per point, Soviet, German
const TACTICS_WORTH = [
  [9, 9, 6, 13, 12, 5],
  [4, 6, 6, 11, 9, 14],
] as const;
const RATT_WORTH = [
  [-2, -1, 1, 1, 0, 4],
  [-2, -1, 1, -3, 0, 4],
] as const;
/** How much better than a fresh throw a die must be before it is kept freely: later throws can still choose. */
const PATIENCE = 1.25;

function pay(s: State, side: SideId, n: number): void {
  s[L.cmd + side]! -= n;
}

/**
 * Looks one action ahead with `Outlook`: the Soviet side plays as `commissar` (keeps its CMD for the German turn), the
 * German side as `stuka`.
 */
export class Greedy extends StatePolicy {
  private readonly outlook: Outlook;
  private readonly work: State;

  constructor(name: string, game: Game, seed: Seed, outlook = new Outlook(game)) {
    super(name, game, seed);
    this.outlook = outlook;
    this.work = newState(game.stateSize);
  }

  override choose(s: State, player: number, mask: Uint8Array, at: number): number {
    const actor = player as SideId;
    const kind = s[L.kind]!;
    if (kind === DECISION.dice) return this.chooseDice(s, actor, mask, at);
    if (kind === DECISION.announce) return this.announce(s, mask, at);
    if (kind === DECISION.reroll) return this.reroll(s, actor);
    // ruling R43: crossing after the air attacks costs the same and the results are known by then
    if (kind === DECISION.cross && s[L.active] === SOVIET) return A.DONE;
    const sign = actor === SOVIET ? 1 : -1;
    let best = -1;
    let most = -Infinity;
    for (let a = 0; a < A.ACTIONS.length; a++) {
      if (mask[at + a] === 0) continue;
      this.work.set(s);
      this.effect(this.work, kind, actor, a);
      const worth = sign * this.outlook.worth(this.work) - (a === A.DONE ? 0 : 0.05);
      if (worth > most) {
        most = worth;
        best = a;
      }
    }
    return best;
  }

  /** What an action changes on the board, without running on to the next decision. */
  private effect(s: State, kind: number, actor: SideId, a: number): void {
    const c = this.outlook.tables.costs;
    const area = areaOf(s);
    switch (kind) {
      case DECISION.place:
        return addUnit(s, actor, areaOfDie(actor, a - A.PLACE + 1));
      case DECISION.lose:
        return removeUnits(s, actor, a - A.LOSE > 5 ? area6(actor) : ((a - A.LOSE) as AreaId), 1);
      case DECISION.raze:
        if (a === A.RAZE) s[L.fort + area] = s[L.shieldUsed + area] = 0;
        else removeUnits(s, SOVIET, area, Math.min(s[L.kills]!, unitsIn(s, SOVIET, area)));
        return;
      case DECISION.cancel:
        if (a === A.CANCEL) pay(s, SOVIET, c.nightCancel);
        else if (s[L.fort + area] === 1) s[L.shieldUsed + area] = 1;
        else removeUnits(s, SOVIET, area, 1);
        return;
    }
    if (a === A.DONE) return;
    switch (kind) {
      case DECISION.fortify:
        s[L.fort + a - A.FORT + CITY_FIRST] = 1;
        return pay(s, SOVIET, c.fortify);
      case DECISION.reduce:
        return pay(s, SOVIET, (a - A.REDUCE + 1) * c.nightCancel);
      case DECISION.air: {
        const target = A.cityOf(a, A.AIR_TARGET);
        if (s[L.fort + target] === 1 && s[L.shieldUsed + target] === 0) s[L.shieldUsed + target] = 1;
        else removeUnits(s, SOVIET, target, 1);
        return;
      }
      case DECISION.sturm:
        return moveUnit(s, GERMAN, GUMRAK, A.cityOf(a, A.STURM_TO));
      case DECISION.cross:
        pay(s, SOVIET, c.volgaCrossing);
        return moveUnit(s, SOVIET, VOLGA, A.cityOf(a, A.CROSS));
      case DECISION.ratzel:
        return moveUnit(
          s,
          enemyOf(actor),
          A.ratzelFrom((a - A.RATZEL) as A.PairId),
          A.ratzelTo((a - A.RATZEL) as A.PairId),
        );
      case DECISION.deployOut:
        return moveUnit(s, actor, Z, A.cityOf(a, A.OUT));
      case DECISION.deployIn:
        return moveUnit(s, actor, A.cityOf(a, A.IN), Z);
      case DECISION.artillery:
        s[L.artillery] = a === A.ARTY_OFF ? 0 : a - A.ARTY + CITY_FIRST;
        return pay(s, actor, c.artillery);
      case DECISION.fight: {
        const soviet = unitsIn(s, SOVIET, Z);
        const german = unitsIn(s, GERMAN, Z);
        removeUnits(s, SOVIET, Z, Math.min(soviet, german));
        removeUnits(s, GERMAN, Z, Math.min(soviet, german));
        return pay(s, actor, c.zCombat);
      }
      case DECISION.pioneer:
        if (s[L.fort + area] === 1) s[L.fort + area] = s[L.shieldUsed + area] = 0;
        else removeUnits(s, SOVIET, area, 1);
        return pay(s, GERMAN, c.pioneer);
      case DECISION.guards:
        if (a >= A.GUARDS_VOLGA) return moveUnit(s, SOVIET, VOLGA, A.cityOf(a, A.GUARDS_VOLGA));
        return moveUnit(s, SOVIET, Z, A.cityOf(a, A.GUARDS_Z));
    }
  }

  /** All CMD except the cost of Pioneers and Artillery; with Sturm all of it (the units may enter). */
  private announce(s: State, mask: Uint8Array, at: number): number {
    const sturm = hasRight(s, GERMAN, STURM);
    const keep = sturm ? this.outlook.tables.sturmSurcharge : hasRight(s, GERMAN, PIONEERS) ? 2 : 0;
    const most = Math.min(6, cmdOf(s, GERMAN) - keep);
    const night = s[L.night] === 1;
    if (night && !sturm && most - 1 <= cmdOf(s, SOVIET)) return A.DONE;
    for (let k = night || sturm ? most : Math.min(1, most); k >= 1; k--)
      if (mask[at + A.ANNOUNCE + k - 1] === 1) return A.ANNOUNCE + k - 1;
    return A.DONE;
  }

  private reroll(s: State, actor: SideId): number {
    const roller = activeOf(s);
    const faces = RATT_WORTH[roller]!;
    const fresh = faces.reduce<number>((sum, v) => sum + v, 0) / 6;
    const now = faces[s[L.keptSpecialDice + RATT]! - 1]!;
    return (actor === roller ? now < fresh - 0.5 : now > fresh + 0.5) ? A.REROLL : A.DONE;
  }

  /** Keeps the group with the greatest advantage over throwing its dice again; throws when none has any. */
  private chooseDice(s: State, actor: SideId, mask: Uint8Array, at: number): number {
    let loose = 0;
    for (let i = L.loose; i < L.loose + 6; i++) loose += s[i]!;
    for (let i = 0; i < 3; i++) if (s[L.looseSpecialDice + i]! > 0) loose++;
    if (loose === 0) return A.ROLL;
    const sign = actor === SOVIET ? 1 : -1;
    this.work.set(s);
    for (let n = 1; n <= 6; n++) this.place(this.work, actor, n, s[L.kept + n - 1]!);
    const base = sign * this.outlook.worth(this.work);
    let fresh = 0;
    for (let n = 1; n <= 6; n++) fresh += Math.max(0, this.gain(actor, n, 1, sign, base)) / 6;
    let best = -1;
    let most = -Infinity;
    for (let n = 1; n <= 6; n++) {
      if (mask[at + A.KEEP_UNIT + n - 1] === 0) continue;
      const k = s[L.loose + n - 1]!;
      const advantage = this.gain(actor, n, k, sign, base) - k * fresh * PATIENCE;
      if (advantage > most) {
        most = advantage;
        best = A.KEEP_UNIT + n - 1;
      }
    }
    for (let d = COMMAND; d <= RATT; d++) {
      if (mask[at + A.KEEP_SPECIAL_DIE + d] === 0) continue;
      const advantage = this.specialAdvantage(actor, d, s[L.looseSpecialDice + d]!);
      if (advantage > most) {
        most = advantage;
        best = A.KEEP_SPECIAL_DIE + d;
      }
    }
    return most <= 0 && mask[at + A.ROLL] === 1 ? A.ROLL : best;
  }

  private specialAdvantage(actor: SideId, die: number, face: number): number {
    if (die === COMMAND) return COMMAND_WORTH[actor]! * (face - 4.3);
    const worth = (die === TACTICS ? TACTICS_WORTH : RATT_WORTH)[actor]!;
    const mean = worth.reduce<number>((sum, v) => sum + v, 0) / 6;
    return worth[face - 1]! - mean * (die === TACTICS ? 1.15 : 1) - 0.5;
  }

  /** What `k` dice of number `n` add to the worth of `work`, which is left as it was. */
  private gain(actor: SideId, n: number, k: number, sign: number, base: number): number {
    const placed = this.place(this.work, actor, n, k);
    if (placed === 0) return 0;
    const worth = sign * this.outlook.worth(this.work);
    removeUnits(this.work, actor, areaOfDie(actor, n), placed);
    return worth - base;
  }

  private place(s: State, actor: SideId, n: number, k: number): number {
    const area = areaOfDie(actor, n);
    const count = Math.min(k, room(this.outlook.tables, s, actor, area), reserveOf(s, actor));
    for (let i = 0; i < count; i++) addUnit(s, actor, area);
    return count;
  }
}
