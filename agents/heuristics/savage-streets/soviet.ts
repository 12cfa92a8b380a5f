import { type Game, newState, Rng, type Seed, type State } from "../../../env/index.js";
import { AREA, CHIT_AT, DIE, PASS, UNIT, YES } from "../../../env/savage-streets/actions.js";
import {
  type AreaId,
  AREAS,
  askedChit,
  askedCounter,
  askedUnit,
  type ChitId,
  chitOfCounter,
  chitPlaceOf,
  CHITS,
  chitsIn,
  CONTROL,
  controlOf,
  type CounterId,
  DECISION,
  decisionOf,
  FIRST_CHIT,
  FIRST_UNIT,
  FLAG,
  GERMANS,
  germansIn,
  isUnit,
  L,
  placeOf,
  sovietsIn,
  turnOf,
  unitHas,
  type UnitId,
  UNITS,
} from "../../../env/savage-streets/state.js";
import type { Decisions } from "../../agent.js";
import { pickLegal } from "../../random.js";
import { bestOf } from "./best-of.js";

const WORTH = [10, 5, 3, 2, 1] as const;
const HQ = 2;
const ARMOR = 3;

export interface SovietStyle {
  /** Moves units and chits at all. */
  readonly moves: boolean;
  /** Dummies forward, one counter far back, snipers and molotovs for what they hit, raids on the last turn. */
  readonly bluffs: boolean;
}

/** A Soviet player that puts strength where it is needed: worth of an area times threat over strength. */
export class Soviet {
  private readonly state: State;
  private readonly rng: Rng;
  private readonly names: readonly string[];
  private readonly neighbours: readonly (readonly AreaId[])[];
  private readonly distance = new Int32Array(AREAS);
  private readonly stars = new Float64Array(AREAS);
  private readonly cv = new Float64Array(UNITS);
  private readonly depletedCv = new Float64Array(UNITS);
  private readonly type = new Int32Array(UNITS);
  private readonly threat = new Float64Array(AREAS);
  private readonly strength = new Float64Array(AREAS);

  constructor(
    game: Game,
    seed: Seed,
    private readonly style: SovietStyle,
  ) {
    this.state = newState(game.stateSize);
    this.rng = new Rng(seed);
    this.names = game.actions;
    this.neighbours = game.statics.neighbours as readonly (readonly AreaId[])[];
  }

  choose(d: Decisions, row: number): number {
    d.sample(row, this.state, this.rng); // the Soviet player knows everything: the sample has the true position
    this.readStatics(d, row);
    this.weigh();
    const A = d.game.actions.length;
    const at = row * A;
    const s = this.state;
    const legal = (a: number): boolean => d.mask[at + a] === 1;
    switch (decisionOf(s)) {
      case DECISION.setupPlace:
        return bestOf(this.rng, legal, AREA, AREAS, (a: AreaId) => this.setup(a, askedUnit(s)));
      case DECISION.reinfPick:
        return bestOf(this.rng, legal, UNIT, UNITS, (u) => this.cv[u]!, PASS);
      case DECISION.reinfArea:
        return bestOf(this.rng, legal, AREA, AREAS, (a) => this.gain(a, this.cv[askedUnit(s)]!));
      case DECISION.chitPlace:
        return bestOf(this.rng, legal, AREA, AREAS, (a: AreaId) => this.chitValue(a, askedChit(s)));
      case DECISION.sovPick:
        return this.pick(legal);
      case DECISION.sovDest:
        return bestOf(this.rng, legal, AREA, AREAS, (a: AreaId) => this.moveGain(askedCounter(s), a));
      case DECISION.sovExcess:
      case DECISION.sovHit: {
        const unit = bestOf(this.rng, legal, UNIT, UNITS, (u) => -this.cv[u]!);
        return unit >= 0 ? unit : pickLegal(d.mask, at, A, this.rng);
      }
      case DECISION.sniperTarget:
      case DECISION.molotovTarget:
      case DECISION.ambushTarget:
      case DECISION.atTarget:
        return bestOf(
          this.rng,
          legal,
          UNIT,
          GERMANS,
          (u: UnitId) =>
            (unitHas(s, u, FLAG.suppressed) ? -2 : 0) +
            (unitHas(s, u, FLAG.depleted) ? this.depletedCv[u]! : this.cv[u]!),
        );
      case DECISION.engineer:
        return YES;
      case DECISION.dieEngineer:
        return bestOf(this.rng, legal, DIE, 6, (i) => (s[L.sovietDice + i] === 6 ? -1 : s[L.sovietDice + i]!));
      default:
        return pickLegal(d.mask, at, A, this.rng);
    }
  }

  /** Values and distances are read from the observation, so that replaced data files apply. */
  private readStatics(d: Decisions, row: number): void {
    const { map, units } = d.observation;
    const fm = d.game.observation.map.length;
    const fu = d.game.observation.units.length;
    for (let a = 0; a < AREAS; a++) {
      const m = (row * AREAS + a) * fm;
      this.stars[a] = map[m + 1]! * 3;
      this.distance[a] = Math.round(Math.min(map[m + 35]!, map[m + 36]!) * 5);
    }
    for (let u = 0; u < UNITS; u++) {
      const at = (row * UNITS + u) * fu;
      this.cv[u] = units[at + 8]! * 4;
      this.depletedCv[u] = units[at + 9]! * 4;
      for (let t = 0; t < 5; t++) if (units[at + 2 + t] === 1) this.type[u] = t;
    }
  }

  /** German strength that bears on each area, Soviet strength in it. */
  private weigh(): void {
    const s = this.state;
    const german = new Float64Array(AREAS);
    this.strength.set(this.stars);
    for (let u = FIRST_UNIT; u < UNITS; u++) {
      const a = placeOf(s, u);
      if (a >= AREAS) continue;
      if (u < GERMANS) german[a]! += unitHas(s, u, FLAG.depleted) ? this.depletedCv[u]! : this.cv[u]!;
      else this.strength[a]! += this.cv[u]!;
    }
    for (let c = FIRST_CHIT; c < CHITS; c++)
      if (chitPlaceOf(s, c) < AREAS) this.strength[chitPlaceOf(s, c)]! += this.chitStrength(c);
    for (let a = 0; a < AREAS; a++) {
      let sum = german[a]!;
      const near = new Set<number>([a]);
      for (const b of this.neighbours[a]!) {
        near.add(b);
        sum += 0.5 * german[b]!;
      }
      for (const b of this.neighbours[a]!)
        for (const c of this.neighbours[b]!) {
          if (near.has(c)) continue;
          near.add(c);
          sum += 0.08 * german[c]!;
        }
      this.threat[a] = sum;
    }
  }

  private kind(c: ChitId): string {
    return this.names[CHIT_AT + c]!.slice(5).replace(/-\d+$/, "");
  }

  private chitStrength(c: ChitId): number {
    const kind = this.kind(c);
    return kind === "dummy"
      ? 0.2
      : kind === "counterattack" || kind === "artillery" || kind === "strongpoint"
        ? 1.2
        : 0.6;
  }

  private worth(a: number): number {
    return WORTH[Math.min(4, this.distance[a]!)]!;
  }

  private need(a: number, more = 0): number {
    return this.worth(a) * Math.min(2, (this.threat[a]! + 1) / (Math.max(0, this.strength[a]! + more) + 1));
  }

  /** How much less the need of `a` gets by `more` strength. */
  private gain(a: number, more: number): number {
    return this.need(a) - this.need(a, more);
  }

  /** A line before the landings, strong counters near them, nothing twice before everything once. */
  private setup(a: AreaId, u: UnitId): number {
    const here = sovietsIn(this.state, a);
    const line = [2, 3, 4, 5, 10, 12].includes(a - 1) ? 1 : 0;
    if (!this.style.moves) return line - here;
    const wanted = [2, 3, 4, 5, 7, 8, 9, 10, 12].includes(a - 1) ? 2 : 0;
    return wanted - 2 * here + (this.cv[u]! > 1 ? this.worth(a) / 10 : line);
  }

  private germanTypeNear(a: AreaId, type: number): boolean {
    const s = this.state;
    for (let u = FIRST_UNIT; u < GERMANS; u++) {
      const p = placeOf(s, u);
      if (p < AREAS && this.type[u] === type && (p === a || this.neighbours[a]!.includes(p))) return true;
    }
    return false;
  }

  private chitValue(a: AreaId, c: ChitId): number {
    const s = this.state;
    const kind = this.kind(c);
    const facing = germansIn(s, a) > 0 || this.neighbours[a]!.some((b) => germansIn(s, b) > 0) ? 1 : 0;
    const occupied = sovietsIn(s, a) > 0 ? 1 : 0;
    const crowd = chitsIn(s, a);
    const base = this.gain(a, this.chitStrength(c)) + 2 * facing + 2 * occupied - crowd;
    if (kind === "counterattack") return base + (this.distance[a] === 0 ? 4 : 0);
    if (!this.style.bluffs) return base;
    if (kind === "dummy") return 3 * facing - 2 * occupied - crowd + this.worth(a) / 10;
    if (kind === "sniper") return base + (this.germanTypeNear(a, HQ) ? 2 : -1);
    if (kind === "molotov") return base + (this.germanTypeNear(a, ARMOR) ? 2 : -1);
    return base;
  }

  private place(counter: CounterId): AreaId {
    return isUnit(counter) ? placeOf(this.state, counter) : chitPlaceOf(this.state, chitOfCounter(counter));
  }

  private moveGain(counter: CounterId, to: AreaId): number {
    const s = this.state;
    const from = this.place(counter);
    const cv = isUnit(counter) ? this.cv[counter]! : this.chitStrength(chitOfCounter(counter));
    const counters = (a: AreaId): number => sovietsIn(s, a) + chitsIn(s, a);
    // 6 to 9 are never emptied
    if (counters(from) === 1 && this.distance[from]! <= 1 && germansIn(s, from) === 0) return -10;
    if (isUnit(counter) ? sovietsIn(s, to) >= 3 : chitsIn(s, to) >= 3) return -10;
    let gain = this.gain(to, cv) - (this.need(from, -cv) - this.need(from));
    const open = germansIn(s, to) === 0 && controlOf(s, to) === CONTROL.german;
    if (open && turnOf(s) >= 7) gain += this.style.bluffs && turnOf(s) === 9 ? this.worth(to) : this.worth(to) / 2;
    if (open && this.distance[to] === 0) gain += 4;
    if (germansIn(s, to) > 0 && germansIn(s, from) === 0 && this.distance[to] !== 0) gain -= 2;
    return gain;
  }

  /** The counter that gains most by moving, if it gains enough. */
  private pick(legal: (a: number) => boolean): number {
    if (!this.style.moves) return PASS;
    const s = this.state;
    let best = PASS;
    let most = 0.25;
    const keep = this.style.bluffs ? this.farthest() : -1;
    for (let k: CounterId = GERMANS; k < UNITS + CHITS; k++) {
      const action = k < UNITS ? UNIT + k : CHIT_AT + k - UNITS;
      if (!legal(action) || k === keep) continue;
      const from = this.place(k);
      for (const to of this.neighbours[from]!) {
        if (this.names[AREA + to]!.charCodeAt(5) > 57) continue; // lettered
        if (germansIn(s, from) > 0 && germansIn(s, to) > 0) continue;
        const g = this.moveGain(k, to);
        if (g <= most) continue;
        most = g;
        best = action;
      }
    }
    return best;
  }

  /** The counter farthest from any German: it keeps the game from ending by 8.1. */
  private farthest(): number {
    let best = -1;
    let least = Infinity;
    for (let k: CounterId = GERMANS; k < UNITS + CHITS; k++) {
      const a = this.place(k);
      if (a >= AREAS || this.threat[a]! >= least) continue;
      least = this.threat[a]!;
      best = k;
    }
    return best;
  }
}
