import { type Game, KesselError, type Seed, type State } from "../../../env/index.js";
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
import { MECH, NONMECH, SEC } from "../../../env/strike-counterstrike/data.js";
import { loadTables } from "../../../env/strike-counterstrike/data/load.js";
import { countForce } from "../../../env/strike-counterstrike/rules/garrison.js";
import { BATTLE, GARRISON, GARRISONED, PHASE, AFTER_MAIN_FIRE } from "../../../env/strike-counterstrike/layout.js";
import { battleHex } from "../../../env/strike-counterstrike/state.js";
import type { Tables } from "../../../env/strike-counterstrike/data.js";
import { StatePolicy } from "../state-policy.js";
import { breakoutEmpties, Odds, survivesBreakout } from "./odds.js";

/** Weight of a distant army on its way to a target, per MP. */
const PATIENCE = 0.8;
/** Factor on a target's worth for each other army beside it. */
const CROWDED = 0.6;
/** Positions whose worth is cached. */
const MEMORY = 4096;
/** Worth of an attack that wins the game: above all others. */
export const VICTORY = 1000;

/** An attack open to an army now: the target, the next hex on the way (the target itself when adjacent), its score. */
export interface Attack {
  target: number;
  step: number;
  chance: number;
  score: number;
}

/**
 * Base of all scripted players. A player writes the worth of taking each German hex (`writeWorth`); the commander
 * attacks where worth times the square of the chance is greatest, moves the other armies up, and chooses losses and
 * replacements. It reads only what every sample shares with the true position.
 */
export abstract class Commander extends StatePolicy {
  protected readonly tables: Tables;
  protected readonly odds: Odds;
  /** What taking a German hex is worth, by hex. */
  protected readonly worth: Float32Array;
  private readonly field: Float32Array;
  private readonly offer: Float32Array;
  private readonly worthByPosition = new Map<number, Float32Array>();
  private readonly reach: Int32Array;
  private readonly via: Int16Array;
  private readonly queue: Int16Array;
  private readonly best: Attack = { target: -1, step: -1, chance: 0, score: 0 };

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
    this.tables = loadTables(game.type.data, game.options);
    if (this.tables.L.size !== game.stateSize)
      throw new KesselError("bad-agent", `${name} knows the printed map and counters only`);
    this.odds = new Odds(this.tables);
    const n = this.tables.hexCount;
    this.worth = new Float32Array(n);
    this.field = new Float32Array(n);
    this.offer = new Float32Array(n);
    this.reach = new Int32Array(n);
    this.via = new Int16Array(n);
    this.queue = new Int16Array(n * 4);
  }

  /** Writes the worth of taking each German hex, 0 for those of no interest. `worth` is zero before. */
  protected abstract writeWorth(s: State): void;

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
        const army = s[L.active]! - 1;
        const attack = this.attackOf(s, army, s[L.mp]!);
        if (attack.score >= this.minAttackScore) return first + attack.step;
        const step = this.stepOnMarch(s, army, s[L.mp]!);
        return step < 0 ? STOP : first + step;
      }
    }
  }

  /** Worth of all hexes, cached by position because writing it may be slow. */
  protected lookUpWorth(s: State): void {
    const { worth, worthByPosition: known } = this;
    const key = this.keyOf(s);
    const found = known.get(key);
    if (found !== undefined) {
      worth.set(found);
      return;
    }
    worth.fill(0);
    this.writeWorth(s);
    if (known.size >= MEMORY) known.delete(known.keys().next().value!);
    known.set(key, worth.slice());
  }

  /** A key of all that `writeWorth` reads: turn, control, where garrisons stand, on turn 1 also who has moved. */
  protected keyOf(s: State): number {
    const { L } = this.tables;
    let a = s[L.turn]!;
    let b = 7;
    for (let h = 0; h < this.tables.hexCount; h++) {
      const x = s[L.german + h]! + (s[L.marker + h] === GARRISONED ? 2 : 0);
      a = Math.imul(a, 31) + x;
      b = Math.imul(b ^ x, 0x01000193);
    }
    if (s[L.turn] === 1) for (let i = 0; i < this.tables.armyCount; i++) a = Math.imul(a, 31) + s[L.armyStopped + i]!;
    return (a >>> 0) * 0x200000 + (b & 0x1fffff);
  }

  /**
   * Potential of each hex for `army`: worth spreads through Soviet hexes and decays per MP. A target with other armies
   * beside it is worth less.
   */
  private spreadWorth(s: State, army: number): void {
    const { field, worth, offer, tables } = this;
    const { neighbours } = tables.grid;
    offer.set(worth);
    for (let a = 0; a < tables.armyCount; a++) {
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

  /** The best attack an army can make with `mp`. The answer is overwritten by the next call. */
  protected attackOf(s: State, army: number, mp: number, bonus = 0): Attack {
    const { tables, best, reach, via, queue, worth } = this;
    const { L } = tables;
    const { neighbours } = tables.grid;
    best.target = -1;
    best.score = 0;
    const start = s[L.armyHex + army]!;
    if (start < 0) return best;
    const steps = s[L.armySteps + army]! + (s[L.host] === army + 1 ? s[L.engineer]! : 0) + bonus;
    reach.fill(-1);
    reach[start] = 0;
    via[start] = -1;
    let head = 0;
    let tail = 0;
    queue[tail++] = start;
    while (head < tail) {
      const h = queue[head++]!;
      for (let d = h * 6; d < h * 6 + 6; d++) {
        const k = neighbours[d]!;
        if (k < 0) continue;
        const spent = reach[h]! + tables.moveCost[tables.forest[k]!]!;
        if (spent > mp) continue;
        if (s[L.german + k] === 1) {
          if (tables.fort[k] === 1 || worth[k]! <= 0) continue;
          const chance = this.chance(s, army, k, steps, 1 + Math.floor((mp - spent) / tables.extraRoundCost));
          const score = chance * chance * worth[k]! + this.suddenDeath(s, k) * chance * VICTORY;
          if (score > best.score) {
            best.score = score;
            best.chance = chance;
            best.target = k;
            best.step = h === start ? k : this.firstStep(h);
          }
        } else if ((reach[k]! < 0 || spent < reach[k]!) && spent < mp && !this.isOccupied(s, k)) {
          reach[k] = spent;
          via[k] = h;
          if (tail < queue.length) queue[tail++] = k;
        }
      }
    }
    return best;
  }

  private firstStep(hex: number): number {
    let h = hex;
    while (this.via[this.via[h]!]! >= 0) h = this.via[h]!;
    return h;
  }

  private isOccupied(s: State, hex: number): boolean {
    for (let a = 0; a < this.tables.armyCount; a++) if (s[this.tables.L.armyHex + a] === hex) return true;
    return false;
  }

  /** Chance to take a hex, the breakout from its pocket included. */
  protected chance(s: State, army: number, hex: number, steps: number, rounds: number): number {
    const { tables } = this;
    const { L } = tables;
    const pocket = Math.max(0, s[L.cut + hex]!);
    const shock = tables.armies[army]!.shock && s[L.armyFired + army] === 0;
    const units = this.unitsIn(s, hex);
    const win = this.odds.chance(steps, rounds, units, shock, pocket > 0);
    if (pocket === 0) return win;
    const left = this.odds.stepsAfter(steps, rounds, units, shock, true);
    return win * Math.max(survivesBreakout(left, pocket), this.suddenDeath(s, hex));
  }

  /** Chance that the breakout from the pocket of `hex` empties the pool. Rule: SC 4.8, ruling R5 */
  protected suddenDeath(s: State, hex: number): number {
    const { tables } = this;
    const { L } = tables;
    const pocket = s[L.cut + hex]!;
    if (pocket <= 0 || !tables.breakout.drawBeyondPocket) return 0;
    return breakoutEmpties(s[L.poolSize]!, pocket);
  }

  /** Units of a standing garrison, 0 when it is still to be drawn. */
  protected unitsIn(s: State, hex: number): number {
    const { L } = this.tables;
    if (s[L.marker + hex] !== GARRISONED) return 0;
    let n = 0;
    for (let c = 0; c < this.tables.counterCount; c++) if (s[L.place + c] === GARRISON && s[L.site + c] === hex) n++;
    return n;
  }

  /** The army with the best attack, else one that should march, else none. */
  private nextArmy(s: State, mask: Uint8Array, at: number): number {
    const { tables } = this;
    const mp = tables.movement[s[tables.L.turn]!]!;
    let army = -1;
    let most = this.minAttackScore;
    for (let a = 0; a < tables.armyCount; a++) {
      if (mask[at + ARMY + a] !== 1) continue;
      const { score } = this.attackOf(s, a, mp);
      if (score >= most) {
        most = score;
        army = a;
      }
    }
    if (army >= 0) return ARMY + army;
    for (let a = 0; a < tables.armyCount; a++)
      if (mask[at + ARMY + a] === 1 && this.stepOnMarch(s, a, mp) >= 0) return ARMY + a;
    return DONE;
  }

  /** A step towards greater potential, -1 to stay. */
  private stepOnMarch(s: State, army: number, mp: number): number {
    const { tables, field } = this;
    this.spreadWorth(s, army);
    const here = s[tables.L.armyHex + army]!;
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

  /** The fewer German neighbours a locality beside `hex` has left, the more each is worth. */
  protected encirclementGain(s: State, hex: number): number {
    const { tables } = this;
    const { neighbours } = tables.grid;
    let sum = 0;
    for (let d = hex * 6; d < hex * 6 + 6; d++) {
      const f = neighbours[d]!;
      if (f < 0 || tables.fort[f] === 0 || s[tables.L.german + f] === 0) continue;
      let german = 0;
      for (let e = f * 6; e < f * 6 + 6; e++)
        if (neighbours[e]! >= 0 && s[tables.L.german + neighbours[e]!] === 1) german++;
      sum += 3 / Math.max(1, german);
    }
    return sum;
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
    for (let a = 0; a < tables.armyCount; a++) {
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
    for (let a = 0; a < tables.armyCount; a++) {
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
    const army = s[L.active]! - 1;
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
