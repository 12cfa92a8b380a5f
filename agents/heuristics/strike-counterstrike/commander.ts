import type { Game, Seed, State } from "../../../env/index.js";
import {
  ARMY,
  COMMIT,
  DONE,
  firstHex,
  HOLD,
  LOSE,
  PRESS,
  STOP,
  WITHDRAW,
} from "../../../env/strike-counterstrike/actions.js";
import { type ArmyId, FIRST_ARMY, MECH, NO_ARMY, NONMECH, SEC } from "../../../env/strike-counterstrike/data.js";
import { AFTER_MAIN_FIRE, BATTLE, PHASE } from "../../../env/strike-counterstrike/layout.js";
import { countForce } from "../../../env/strike-counterstrike/rules/garrison.js";
import { activeArmy, battleHex, hexOfArmy } from "../../../env/strike-counterstrike/state.js";
import { AttackSearch } from "./attack-search.js";
import { survivesBreakout } from "./odds.js";

/** Weight of a distant army on its way to a target, per MP. */
const PATIENCE = 0.8;
/** Factor on a target's worth for each other army beside it. */
const CROWDED = 0.6;

/**
 * Base of all scripted players: makes the attack with the best score, moves the other armies up, and chooses losses and
 * replacements.
 */
export abstract class Commander extends AttackSearch {
  private readonly field: Float32Array;
  private readonly offer: Float32Array;

  /**
   * @param minAttackScore least score of an attack that is made
   * @param minPressChance least chance with which a battle is pressed on
   */
  constructor(
    name: string,
    game: Game,
    seed: Seed,
    protected readonly minAttackScore = 0.5,
    protected readonly minPressChance = 0.3,
  ) {
    super(name, game, seed);
    this.field = new Float32Array(this.tables.hexCount);
    this.offer = new Float32Array(this.tables.hexCount);
  }

  override choose(s: State, _actor: number, mask: Uint8Array, at: number): number {
    const { tables } = this;
    const { L } = tables;
    const first = firstHex(tables);
    switch (s[L.phase]) {
      case PHASE.commit:
        return this.shouldSendInterceptor(s) ? COMMIT : HOLD;
      case PHASE.losses:
        return LOSE + this.classToLose(s);
      case PHASE.press:
        this.lookUpWorth(s);
        return this.shouldPress(s) ? PRESS : WITHDRAW;
      default:
        break;
    }
    this.lookUpWorth(s);
    if (s[L.phase] !== PHASE.activate && s[L.phase] !== PHASE.move) this.spreadWorth(s, -1);
    switch (s[L.phase]) {
      case PHASE.setup:
      case PHASE.attach:
        return ARMY + this.hostFor(s, mask, at);
      case PHASE.replace: {
        const army = this.armyToFill(s, mask, at);
        return army < 0 ? DONE : ARMY + army;
      }
      case PHASE.enter:
        return this.bestHex(mask, at, (h) => this.field[h]!);
      case PHASE.partisan:
        return this.bestHex(mask, at, (h) => this.worth[h]! + this.field[h]! * 0.01);
      case PHASE.activate:
        return this.nextArmy(s, mask, at);
      default: {
        const army = activeArmy(tables, s);
        const attack = this.attackOf(s, army, s[L.mp]!);
        if (attack.score >= this.minAttackScore) return first + attack.step;
        const step = this.stepOnMarch(s, army, s[L.mp]!);
        return step < 0 ? STOP : first + step;
      }
    }
  }

  /**
   * Potential of each hex for `army`: worth spreads through Soviet hexes and decays per MP. A target with other armies
   * beside it is worth less.
   */
  private spreadWorth(s: State, army: number): void {
    const { field, worth, offer, tables } = this;
    const { neighbours } = tables.grid;
    offer.set(worth);
    for (let a = FIRST_ARMY; a < tables.armyCount; a++) {
      const hex = s[tables.L.armyHex + a]!;
      if (a === army || hex < 0) continue;
      for (let d = hex * 6; d < hex * 6 + 6; d++) if (neighbours[d]! >= 0) offer[neighbours[d]!]! *= CROWDED;
    }
    field.fill(0);
    for (let changed = true; changed;) {
      changed = false;
      for (let h = 0; h < tables.hexCount; h++) {
        if (s[tables.L.german + h] === 1) continue;
        let most = field[h]!;
        for (let d = h * 6; d < h * 6 + 6; d++) {
          const k = neighbours[d]!;
          if (k < 0) continue;
          const x =
            s[tables.L.german + k] === 1
              ? offer[k]!
              : field[k]! * (tables.forest[k] === 1 ? PATIENCE * PATIENCE : PATIENCE);
          if (x > most * 1.0001) most = x;
        }
        if (most > field[h]!) {
          field[h] = most;
          changed = true;
        }
      }
    }
  }

  /** The army with the best attack, otherwise one that should march, or none. */
  private nextArmy(s: State, mask: Uint8Array, at: number): number {
    const { tables } = this;
    const mp = tables.movement[s[tables.L.turn]!]!;
    let army = NO_ARMY;
    let most = this.minAttackScore;
    for (let a = FIRST_ARMY; a < tables.armyCount; a++) {
      if (mask[at + ARMY + a] !== 1) continue;
      const { score } = this.attackOf(s, a, mp);
      if (score >= most) {
        most = score;
        army = a;
      }
    }
    if (army >= 0) return ARMY + army;
    for (let a = FIRST_ARMY; a < tables.armyCount; a++)
      if (mask[at + ARMY + a] === 1 && this.stepOnMarch(s, a, mp) >= 0) return ARMY + a;
    return DONE;
  }

  /** A step towards greater potential, -1 to stay. */
  private stepOnMarch(s: State, army: ArmyId, mp: number): number {
    const { tables, field } = this;
    this.spreadWorth(s, army);
    const here = hexOfArmy(tables, s, army);
    let step = -1;
    let most = field[here]! * 1.02 + 1e-9;
    for (let d = 0; d < 6; d++) {
      const k = tables.grid.neighbour(here, d);
      if (k < 0 || s[tables.L.german + k] === 1 || tables.moveCost[tables.forest[k]!]! > mp || this.isOccupied(s, k))
        continue;
      if (field[k]! > most) {
        most = field[k]!;
        step = k;
      }
    }
    return step;
  }

  private bestHex(mask: Uint8Array, at: number, value: (h: number) => number): number {
    const first = firstHex(this.tables);
    let action = DONE;
    let most = -1;
    for (let h = 0; h < this.tables.hexCount; h++)
      if (mask[at + first + h] === 1 && value(h) > most) {
        most = value(h);
        action = first + h;
      }
    return action;
  }

  /** The army that gains most from six more steps. */
  private hostFor(s: State, mask: Uint8Array, at: number): number {
    const { tables } = this;
    const { L } = tables;
    const mp = tables.movement[Math.min(6, s[L.turn]! + (s[L.phase] === PHASE.attach ? 1 : 0))]!;
    const host = s[L.host]!;
    s[L.host] = 0;
    let army = -1;
    let most = -1;
    for (let a = FIRST_ARMY; a < tables.armyCount; a++) {
      if (mask[at + ARMY + a] !== 1) continue;
      const without = this.attackOf(s, a, mp).score;
      const gain = this.attackOf(s, a, mp, s[L.engineer]!).score - without + this.field[s[L.armyHex + a]!]! * 0.01;
      if (gain > most) {
        most = gain;
        army = a;
      }
    }
    s[L.host] = host;
    return army;
  }

  /** The reduced army that a step helps most, -1 when none needs any. */
  private armyToFill(s: State, mask: Uint8Array, at: number): number {
    const { tables } = this;
    const mp = tables.movement[s[tables.L.turn]!]!;
    let army = -1;
    let most = -1;
    for (let a = FIRST_ARMY; a < tables.armyCount; a++) {
      if (mask[at + ARMY + a] !== 1) continue;
      const before = this.attackOf(s, a, mp).score;
      const gain =
        this.attackOf(s, a, mp, 2).score -
        before +
        this.field[s[tables.L.armyHex + a]!]! / (10 + s[tables.L.armySteps + a]!);
      if (gain > most) {
        most = gain;
        army = a;
      }
    }
    return army;
  }

  /** VI IC flies where it may decide a battle: against many units, or to open a pocket. */
  private shouldSendInterceptor(s: State): boolean {
    const { L } = this.tables;
    const units = countForce(this.tables, s, BATTLE);
    return units >= 4 || (s[L.relief] === 1 && units >= 2);
  }

  /** The class that would still fire hardest. */
  private classToLose(s: State): number {
    const { tables } = this;
    const { L } = tables;
    countForce(tables, s, BATTLE);
    const last = s[L.stage] === AFTER_MAIN_FIRE && s[L.mp]! < tables.extraRoundCost;
    const order = last ? [SEC, MECH, NONMECH] : [MECH, NONMECH, SEC];
    for (const k of order) if (tables.force[k]! > 0) return k;
    return MECH;
  }

  private shouldPress(s: State): boolean {
    const { tables } = this;
    const { L } = tables;
    const army = activeArmy(tables, s);
    const hex = battleHex(tables, s);
    const units = countForce(tables, s, BATTLE);
    const steps = s[L.armySteps + army]! + (s[L.host] === army + 1 ? s[L.engineer]! : 0);
    const rounds = Math.floor(s[L.mp]! / tables.extraRoundCost);
    const relief = s[L.relief] === 1;
    let chance = this.odds.chance(steps, rounds, units, false, relief);
    if (relief)
      chance *= Math.max(
        this.suddenDeath(s, hex),
        survivesBreakout(this.odds.stepsAfter(steps, rounds, units, false, true), s[L.pocketSize]!),
      );
    const need = this.worth[hex]! > 30 ? this.minPressChance / 2 : this.minPressChance;
    return chance >= need || this.suddenDeath(s, hex) * chance > 0.1;
  }
}
