import { type Game, KesselError, type Seed, type State, type StateView } from "../../../env/index.js";
import { hasBit } from "../../../env/core/bits.js";
import * as actions from "../../../env/streets-of-stalingrad/actions.js";
import { loadSetting, type Setting } from "../../../env/streets-of-stalingrad/data.js";
import * as words from "../../../env/streets-of-stalingrad/layout.js";
import { GERMAN } from "../../../env/streets-of-stalingrad/roster.js";
import { isPartner } from "../../../env/streets-of-stalingrad/rules/administration/exchange.js";
import { rowOf } from "../../../env/streets-of-stalingrad/rules/administration/withdrawal.js";
import { knownIn } from "../../../env/streets-of-stalingrad/rules/units/faces.js";
import { isArmored } from "../../../env/streets-of-stalingrad/rules/units/units.js";
import {
  askOf,
  firstIn,
  frameHex,
  has,
  markOf,
  nextIn,
  placeOf,
  topFrame,
  Tables,
} from "../../../env/streets-of-stalingrad/state.js";
import { KnownPolicy } from "../scripted-policy.js";
import { ALL_GUNS, Assault, type Means, NO_GUN } from "./assault.js";
import { Estimate } from "./estimate.js";

const { ALL, DONE, HEX, NUMBER, PASS, unitBase } = actions;
/** Phases in which the flotilla fires: defence and Soviet attacks. */
const ATTACKS: readonly number[] = [5, 8, 12, 15];
const BOAT_RANGE = 4;
/**
 * Hexes in which Herman looks for a target, defence points that the script dares, and those that a face-down counter
 * may have.
 */
const RAID = 5;
const WEAK = 6;
const UNSEEN = 4;
/** Largest number of Stukas that an action can name. */
const MOST_STUKAS = 31;

/** Settings by game, so that players share computed lines of sight. */
const settings = new WeakMap<Game, Setting>();
export function settingOf(game: Game): Setting {
  let setting = settings.get(game);
  if (setting === undefined) {
    setting = loadSetting(game.type.data, String(game.options["scenario"]));
    settings.set(game, setting);
  }
  return setting;
}

/** The pending decision of a scripted player: the state as its side knows it, and the legal actions. */
export interface Ask {
  readonly s: State;
  readonly side: number;
  readonly mask: Uint8Array;
  readonly at: number;
}

const isCombatUnit = (t: Tables, _s: StateView, u: number): boolean => t.roster.stackUnit[u] === 1;

/** Least value of an attack, in units lost by the enemy. */
const THRESHOLD = 0.25;
/** Value of a victory hex and of another hex, in units lost by the enemy. */
export const VICTORY = 2.5;
export const GROUND = 0.2;
/** Cost of an own lost unit, in units lost by the enemy: few turns are left in which it would be missed. */
const LOSS = 0.5;
/**
 * Base of all scripted players. Each kind of decision has a method that a player can override. By default it fires with
 * all its units, gives up the weakest ones, and neither retreats nor counter-attacks.
 */
export abstract class Policy extends KnownPolicy {
  protected readonly tables: Tables;
  protected readonly estimate: Estimate;
  protected readonly assault: Assault;
  private readonly units: number;

  constructor(
    name: string,
    game: Game,
    seed: Seed,
    readonly players: readonly number[],
  ) {
    super(name, game, seed);
    this.tables = new Tables(settingOf(game), game.options);
    if (this.tables.layout.size !== game.stateSize)
      throw new KesselError(
        "bad-agent",
        `${name} plays only the scenarios of the game, and no position with a map of its own`,
      );
    this.estimate = new Estimate(this.tables);
    this.assault = new Assault(this.tables, this.estimate);
    this.units = unitBase(this.tables.hexes);
  }

  override choose(s: State, side: number, mask: Uint8Array, at: number): number {
    const ask = { s, side, mask, at };
    switch (askOf(this.tables, s)) {
      case words.ASK_SETUP:
        return actions.AUTO;
      case words.ASK_EXCHANGE:
        return this.exchange(ask);
      case words.ASK_EXCHANGE_WITH:
      case words.ASK_REPLACE:
      case words.ASK_REPAIR:
        return this.strongest(ask);
      case words.ASK_COMMIT:
        return actions.YES;
      case words.ASK_WITHDRAW: // those that are worth least; divisions when it would cost to keep them
        if (this.may(ask, actions.YES)) return this.mustLeave(ask) ? actions.YES : actions.NO;
        return this.worst(ask, (u) => this.tables.roster.af[u]! + this.tables.roster.df[u]!);
      case words.ASK_ADMIN_END:
        return this.endsNow(ask) ? actions.DECLARE_END : actions.CONTINUE;
      case words.ASK_BOMB_TARGET:
        return this.bombard(ask);
      case words.ASK_BOMB_UNIT:
        return this.addToMission(ask);
      case words.ASK_BOMB_TABLE:
      case words.ASK_OP_TABLE:
      case words.ASK_FIRE_TABLE:
        return this.table(ask);
      case words.ASK_LEADER:
        return this.refuge(ask);
      case words.ASK_MOVE_SELECT:
        return this.selectMover(ask);
      case words.ASK_BREAKTHROUGH:
        return this.breakThrough(ask);
      case words.ASK_MOVE_GROUP:
        return this.sendMover(ask);
      case words.ASK_MARK:
        return this.mark(ask);
      case words.ASK_ATTACK_TARGET:
        return this.target(ask);
      case words.ASK_ATTACK_UNIT:
        return this.addToAttack(ask);
      case words.ASK_OP_FIRE:
        return this.fireAtMovers(ask);
      case words.ASK_ATTACK_DRM:
        return actions.YES;
      case words.ASK_ATTACK_MODE:
        return this.accelerates(ask) ? actions.ACCELERATE : actions.NORMAL;
      case words.ASK_RETREAT_UNIT:
        return this.retreat(ask);
      case words.ASK_RETREAT_HEX:
      case words.ASK_AFTER_HEX:
        return this.refuge(ask);
      case words.ASK_LOSS:
        return this.worst(ask, (u) => this.tables.roster.af[u]! + this.tables.roster.df[u]!);
      case words.ASK_AFTER_CHOICE:
        return this.holdsOn(ask) && this.may(ask, actions.SACRIFICE) ? actions.SACRIFICE : this.first(ask);
      case words.ASK_DOG:
        return this.sendDog(ask);
      case words.ASK_DOG_TARGET:
        return this.choosePrey(ask, isArmored, (h) => this.armorIn(ask, h));
      case words.ASK_INFIL:
        return this.infiltrate(ask);
      case words.ASK_INFIL_TARGET:
        return this.choosePrey(ask, isCombatUnit, (h) => -this.answer(ask, h));
      case words.ASK_FLOTILLA:
        return this.flotilla(ask);
      case words.ASK_ADVANCE:
        return this.advance(ask);
      case words.ASK_ICA:
        return this.counter(ask);
      default: // attackers, firers: all there are
        return this.everybody(ask);
    }
  }

  /** True when a division costs points if it stays. */
  private mustLeave({ s }: Ask): boolean {
    return s[this.tables.layout.turn]! >= rowOf(this.tables, s).turn;
  }

  protected abstract selectMover(ask: Ask): number;
  protected abstract sendMover(ask: Ask): number;
  protected abstract mark(ask: Ask): number;
  /** Value of a hex for a retreating unit. */
  protected abstract refugeWorth(ask: Ask, hex: number): number;

  /** Bombards the hex with most enemies, if there are any. */
  protected bombard(ask: Ask): number {
    const hex = this.bestHex(ask, (h) => this.bombWorth(ask, h));
    return hex >= 0 && this.bombWorth(ask, hex) > 0 ? HEX + hex : DONE;
  }
  /** Value of bombarding a hex: known and unknown strength, and victory points. */
  protected bombWorth({ s, side }: Ask, hex: number): number {
    const there = this.estimate.count(s, 1 - side, hex);
    return there === 0 ? 0 : there + this.tables.points[hex]!;
  }
  /** Adds all Stukas and all guns. */
  protected addToMission(ask: Ask): number {
    for (let n = MOST_STUKAS; n > 0; n--) if (this.may(ask, NUMBER + n)) return NUMBER + n;
    return this.firstUnit(ask);
  }
  /** The better table, or interdiction if neither is possible. */
  protected table(ask: Ask): number {
    const { s, side } = ask;
    if (!this.may(ask, actions.CRT)) return this.first(ask);
    const hex = this.focus(ask);
    const points = this.estimate.shelling(s, side);
    const [crt, wbbt] = [true, false].map((onCrt) => this.estimate.bombardment(s, 1 - side, hex, points, onCrt));
    return wbbt! > crt! && this.may(ask, actions.WBBT) ? actions.WBBT : actions.CRT;
  }
  protected addToAttack(ask: Ask): number {
    for (let n = MOST_STUKAS; n > 0; n--) if (this.may(ask, NUMBER + n)) return NUMBER + n;
    return this.everybody(ask);
  }
  protected fireAtMovers(ask: Ask): number {
    return this.everybody(ask);
  }

  /** Exchanges a unit if one that is stronger takes its place. */
  protected exchange(ask: Ask): number {
    const { roster, units } = this.tables;
    const strength = (u: number): number => roster.af[u]! + roster.df[u]!;
    const gains = (u: number): boolean => {
      for (let v = 0; v < units; v++)
        if (
          roster.exchange[v] === roster.exchange[u] &&
          strength(v) > strength(u) &&
          isPartner(this.tables, ask.s, u, v)
        )
          return true;
      return false;
    };
    return this.unitThat(ask, gains);
  }

  /** Sends a dog that may be lost anyway, or beside armor that attacks, and keeps the others. */
  protected sendDog(ask: Ask): number {
    const { s } = ask;
    const { tables } = this;
    for (const dog of tables.roster.dogs) {
      const hex = placeOf(tables, s, dog);
      if (this.mayUnit(ask, dog) && (hex === this.focus(ask) || this.isBesideAttacker(s, hex))) return this.units + dog;
    }
    return PASS;
  }
  private isBesideAttacker(s: StateView, hex: number): boolean {
    const { board, units } = this.tables;
    for (let u = 0; u < units; u++)
      if (has(this.tables, s, u, words.ATTACKER) && isArmored(this.tables, s, u))
        if (board.sideTo(hex, placeOf(this.tables, s, u)) >= 0) return true;
    return false;
  }
  /** Attack points of known armor in a hex, twice those of attackers. */
  private armorIn({ s }: Ask, hex: number): number {
    let sum = 0;
    for (let u = firstIn(this.tables, s, hex); u >= 0; u = nextIn(this.tables, s, u))
      if (has(this.tables, s, u, words.KNOWN) && isArmored(this.tables, s, u))
        sum += this.tables.roster.af[u]! * (has(this.tables, s, u, words.ATTACKER) ? 2 : 1);
    return sum;
  }

  /** Infiltrates with the strongest unit where few would answer. */
  protected infiltrate(ask: Ask): number {
    const { board, hexes, roster } = this.tables;
    const from = placeOf(this.tables, ask.s, roster.herman);
    for (let h = 0; h < hexes; h++)
      if (board.distance(from, h) <= RAID && this.estimate.count(ask.s, GERMAN, h) > 0 && this.answer(ask, h) <= WEAK)
        return this.strongest(ask);
    return PASS;
  }
  /** Defence points that may answer from a hex. */
  private answer({ s }: Ask, hex: number): number {
    const { roster } = this.tables;
    let sum = 0;
    for (let u = firstIn(this.tables, s, hex); u >= 0; u = nextIn(this.tables, s, u))
      if (roster.side[u] === GERMAN) sum += has(this.tables, s, u, words.KNOWN) ? roster.df[u]! : UNSEEN;
    return sum;
  }

  /** The best hex, or in it the strongest counter that is known. */
  private choosePrey(ask: Ask, passes: typeof isArmored, worth: (hex: number) => number): number {
    const { s } = ask;
    const { tables } = this;
    const hex = s[topFrame(tables, s) + words.F_FOCUS]! - 1;
    if (hex < 0) return this.best(ask, worth);
    const { af, df } = tables.roster;
    let best = 0;
    let most = 0;
    for (let k = 0; this.may(ask, actions.ENEMY + k); k++) {
      const u = knownIn(tables, s, GERMAN, hex, k, passes);
      if (u >= 0 && af[u]! + df[u]! > most) [best, most] = [k, af[u]! + df[u]!];
    }
    return actions.ENEMY + best;
  }

  /** Places flotilla units where they help, and keeps the others. */
  protected flotilla(ask: Ask): number {
    if (!this.may(ask, DONE)) return this.best(ask, (h) => this.boatWorth(ask, h));
    const { board } = this.tables;
    for (let h = 0; h < this.tables.hexes; h++)
      if (board.volga[h] === 1 && this.boatWorth(ask, h) > 0) return this.firstUnit(ask);
    return DONE;
  }
  /** Value of a flotilla unit on a river hex: the Germans on cliffs in its range. */
  protected boatWorth({ s, side }: Ask, hex: number): number {
    const { board, river } = this.tables;
    if (!ATTACKS.includes(s[this.tables.layout.phase]!)) return 0;
    let n = 0;
    for (let h = 0; h < this.tables.hexes; h++)
      if (hasBit(river.cliffs, 0, h) && board.distance(hex, h) <= BOAT_RANGE) n += this.estimate.count(s, 1 - side, h);
    return n;
  }

  protected endsNow(_ask: Ask): boolean {
    return false;
  }
  protected breakThrough(_ask: Ask): number {
    return DONE;
  }
  protected accelerates(_ask: Ask): boolean {
    return false;
  }
  protected holdsOn(_ask: Ask): boolean {
    return false;
  }
  protected target(ask: Ask): number {
    return this.best(ask, (h) => this.tables.points[h]!);
  }
  protected retreat(ask: Ask): number {
    return this.may(ask, DONE) ? DONE : this.first(ask);
  }
  protected advance(ask: Ask): number {
    return this.firstUnit(ask);
  }
  protected counter(ask: Ask): number {
    return this.may(ask, PASS) ? PASS : DONE;
  }

  protected refuge(ask: Ask): number {
    return this.best(ask, (h) => this.refugeWorth(ask, h));
  }

  protected may({ mask, at }: Ask, action: number): boolean {
    return mask[at + action] === 1;
  }
  protected mayUnit(ask: Ask, unit: number): boolean {
    return this.may(ask, this.units + unit);
  }
  protected unitAction(unit: number): number {
    return this.units + unit;
  }
  protected first({ mask, at }: Ask): number {
    return mask.indexOf(1, at) - at;
  }
  /** Names all units: with `all` if it is legal, otherwise one by one. */
  protected everybody(ask: Ask): number {
    return this.may(ask, ALL) ? ALL : this.firstUnit(ask);
  }
  /** The first unit that can be named, or a hex, or `done`. */
  protected firstUnit(ask: Ask): number {
    const { mask, at } = ask;
    for (let u = 0; u < this.tables.units; u++) if (mask[at + this.units + u] === 1) return this.units + u;
    for (let h = 0; h < this.tables.hexes; h++) if (mask[at + HEX + h] === 1) return HEX + h;
    return this.first(ask);
  }
  /** The unit that can be named with the lowest value. */
  protected worst(ask: Ask, of: (unit: number) => number): number {
    let best = -1;
    for (let u = 0; u < this.tables.units; u++)
      if (this.may(ask, this.units + u) && (best < 0 || of(u) < of(best))) best = u;
    return best < 0 ? this.first(ask) : this.units + best;
  }
  /** The strongest unit that can be named, the first of equals; `done` if there is none. */
  protected strongest(ask: Ask): number {
    const { af, df } = this.tables.roster;
    return this.worst(ask, (u) => -af[u]! - df[u]!);
  }
  /** Value of taking a hex, in units lost by the enemy. */
  protected groundWorth(_s: StateView, hex: number): number {
    return this.tables.points[hex]! > 0 ? VICTORY * this.tables.points[hex]! : GROUND;
  }
  /** Value of an attack, in units lost by the enemy. */
  protected value({ s, side }: Ask, hex: number, means: Means): number {
    const { clears, kills, losses } = this.assault.prospect(s, side, hex, means);
    return clears * this.groundWorth(s, hex) + kills - LOSS * losses;
  }
  /** Value of an attack by all units, with or without guns. */
  protected worth(ask: Ask, hex: number, marked: boolean): number {
    const by = (gun: number): number => this.value(ask, hex, { everybody: true, marked, gun, stukas: 0, shift: 0 });
    return Math.max(by(NO_GUN), by(ALL_GUNS));
  }
  /** Marks the best hex to attack, if the attack is worth it. */
  protected markBest(ask: Ask): number {
    const hex = this.bestHex(ask, (h) => this.worth(ask, h, true));
    const wanted = hex >= 0 && this.worth(ask, hex, true) > THRESHOLD;
    return wanted || !this.may(ask, DONE) ? HEX + hex : DONE;
  }
  /** The best attack. None if no attack is required or worth it. */
  protected targetBest(ask: Ask): number {
    const worth = (h: number) => this.worth(ask, h, markOf(this.tables, ask.s, h) === words.MARK_ATTACK);
    const hex = this.bestHex(ask, worth);
    if (hex >= 0 && this.may(ask, DONE) && worth(hex) <= THRESHOLD) return DONE;
    return hex < 0 ? this.first(ask) : HEX + hex;
  }
  /** The hex that can be named with the highest value; the first action if there is none. */
  protected best(ask: Ask, of: (hex: number) => number): number {
    const hex = this.bestHex(ask, of);
    return hex < 0 ? this.first(ask) : HEX + hex;
  }
  protected bestHex(ask: Ask, of: (hex: number) => number): number {
    let best = -1;
    let most = -Infinity;
    for (let h = 0; h < this.tables.hexes; h++) {
      if (!this.may(ask, HEX + h)) continue;
      const worth = of(h);
      if (worth <= most) continue;
      most = worth;
      best = h;
    }
    return best;
  }
  /** The first unit that can be named and passes a test, or `done`. */
  protected unitThat(ask: Ask, test: (unit: number, hex: number) => boolean): number {
    for (let u = 0; u < this.tables.units; u++)
      if (this.may(ask, this.units + u) && test(u, placeOf(this.tables, ask.s, u))) return this.units + u;
    return this.may(ask, DONE) ? DONE : this.first(ask);
  }
  /** Hex that the pending decision is about. */
  protected focus({ s }: Ask): number {
    return frameHex(s, topFrame(this.tables, s));
  }
  /** Distance to the nearest hex that passes a test, a large number if none does. */
  protected distanceTo(hex: number, test: (hex: number) => boolean): number {
    const { board, hexes } = this.tables;
    let best = hexes;
    for (let h = 0; h < hexes; h++) if (test(h)) best = Math.min(best, board.distance(hex, h));
    return best;
  }
}
