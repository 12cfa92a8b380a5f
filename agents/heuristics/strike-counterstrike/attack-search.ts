import { type Game, KesselError, type Seed, type State } from "../../../env/index.js";
import type { Tables } from "../../../env/strike-counterstrike/data.js";
import { loadTables } from "../../../env/strike-counterstrike/data/load.js";
import { GARRISON, GARRISONED } from "../../../env/strike-counterstrike/layout.js";
import { StatePolicy } from "../scripted-policy.js";
import { breakoutEmpties, Odds, survivesBreakout } from "./odds.js";

/** Positions whose worth is cached. */
const MEMORY = 4096;
/** Worth of an attack that wins the game: above all others. */
const VICTORY = 1000;

/** An attack open to an army now: the target, the next hex on the way (the target itself when adjacent), its score. */
interface Attack {
  target: number;
  step: number;
  chance: number;
  score: number;
}

/**
 * Scores attacks. A player writes the worth of taking each German hex (`writeWorth`); the score of an attack is the
 * worth times the square of the chance. Reads only what every sample shares with the true position.
 */
export abstract class AttackSearch extends StatePolicy {
  protected readonly tables: Tables;
  protected readonly odds: Odds;
  /** What taking a German hex is worth, by hex. */
  protected readonly worth: Float32Array;
  private readonly worthByPosition = new Map<number, Float32Array>();
  private readonly reach: Int32Array;
  private readonly via: Int16Array;
  private readonly queue: Int16Array;
  private readonly best: Attack = { target: -1, step: -1, chance: 0, score: 0 };

  constructor(name: string, game: Game, seed: Seed) {
    super(name, game, seed);
    this.tables = loadTables(game.type.data, game.options);
    if (this.tables.L.size !== game.stateSize)
      throw new KesselError("bad-agent", `${name} knows the printed map and counters only`);
    this.odds = new Odds(this.tables);
    const n = this.tables.hexCount;
    this.worth = new Float32Array(n);
    this.reach = new Int32Array(n);
    this.via = new Int16Array(n);
    this.queue = new Int16Array(n * 4);
  }

  /** Writes the worth of taking each German hex, 0 for those of no interest. `worth` is zero before. */
  protected abstract writeWorth(s: State): void;

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

  /** A key of all that `writeWorth` reads: turn, control, garrisons' hexes, on turn 1 also who has moved. */
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

  protected isOccupied(s: State, hex: number): boolean {
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
    if (pocket <= 0 || !tables.drawBeyondPocket) return 0;
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
}
