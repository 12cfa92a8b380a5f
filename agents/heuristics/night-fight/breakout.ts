import { type Game, type Seed, type State } from "../../../env/index.js";
import * as A from "../../../env/night-fight/actions.js";
import {
  GERMAN_TYPES,
  GERMANS,
  HEXES,
  type Tables,
  type UnitId,
  type HexId,
  FIRST_UNIT,
  FIRST_HEX,
  NO_HEX,
} from "../../../env/night-fight/data.js";
import { tablesOf } from "../../../env/night-fight/index.js";
import { targetIn } from "../../../env/night-fight/rules/combat.js";
import { markTargets, spotBonus } from "../../../env/night-fight/rules/spotting.js";
import {
  activeOf,
  BUY,
  FIRE,
  FOLLOW,
  MOVE,
  mpOf,
  onMap,
  phaseOf,
  placeOf,
  REINSTATE,
  STEP,
  TARGET,
  turnOf,
} from "../../../env/night-fight/state.js";
import { StatePolicy } from "../scripted-policy.js";
import { harm } from "./danger.js";
import { Lanes } from "./lanes.js";

export interface Plan {
  /** Types to buy, in order; a type is repeated for each unit bought. */
  readonly purchase: readonly (typeof GERMAN_TYPES)[number][];
  /** True when a truck should be given for a bought gun. */
  readonly reinstate: boolean;
  /** Movement points that a certain loss is worth while there is time. */
  readonly caution: number;
  /** How far to look for counters that are face down. */
  readonly look: number;
}

const times = <T>(n: number, type: T): T[] => Array.from({ length: n }, () => type);

/** As many units as there are points for, by the shortest way, whatever the danger. */
export const RUNNER: Plan = {
  purchase: [...times(2, "truck" as const), ...times(6, "vs" as const), ...times(4, "gren" as const), "sdk"],
  reinstate: false,
  caution: 0,
  look: 1,
};
/** A Panther, a long-range Marder and an Uhu clear the way for the infantry. */
export const SCREEN: Plan = {
  purchase: [...times(2, "truck" as const), "panther", "sdk", ...times(6, "vs" as const), "gren"],
  reinstate: false,
  caution: 12,
  look: 8,
};
/** As many units as there are points for, each by the way on which the least is expected to see it. */
export const STALKER: Plan = {
  purchase: [
    ...times(2, "truck" as const),
    ...times(6, "vs" as const),
    ...times(2, "sdk" as const),
    ...times(2, "gren" as const),
  ],
  reinstate: false,
  caution: 40,
  look: 3,
};

/** Breaks out by a plan: buys, moves every unit along the cheapest lane, fires where it helps. */
export class Breakout extends StatePolicy {
  private readonly tables: Tables;
  private readonly lanes: Lanes;
  private readonly marks = new Uint8Array(HEXES);
  private readonly found = { h: NO_HEX, worth: 0 };

  constructor(
    name: string,
    game: Game,
    seed: Seed,
    private readonly plan: Plan,
  ) {
    super(name, game, seed);
    this.tables = tablesOf(game);
    this.lanes = new Lanes(this.tables);
  }

  override choose(s: State, _actor: number, mask: Uint8Array, at: number): number {
    switch (phaseOf(s)) {
      case BUY:
        return this.buy(s, mask, at);
      case REINSTATE:
        return this.reinstate(mask, at);
      case MOVE:
        return this.chooseMover(s, mask, at);
      case STEP:
        return this.step(s, mask, at);
      case FIRE:
        return this.chooseFirer(s, mask, at);
      case TARGET:
        return this.chooseTarget(s, activeOf(s), mask, at);
      case FOLLOW:
        return A.FIRE_AGAIN;
      default:
        throw new RangeError(`no decision in phase ${phaseOf(s)}`);
    }
  }

  private buy(s: State, mask: Uint8Array, at: number): number {
    const wanted = new Map<number, number>();
    for (const type of this.plan.purchase)
      wanted.set(GERMAN_TYPES.indexOf(type), (wanted.get(GERMAN_TYPES.indexOf(type)) ?? 0) + 1);
    for (const [type, n] of wanted) {
      let have = 0;
      for (let u = FIRST_UNIT; u < GERMANS; u++) if (this.tables.type[u] === type && placeOf(s, u) !== -1) have++;
      if (have < n && mask[at + A.BUY_TYPE + type] === 1) return A.BUY_TYPE + type;
    }
    return A.DONE;
  }

  private reinstate(mask: Uint8Array, at: number): number {
    if (this.plan.reinstate)
      for (let r = 0; r < 2; r++) if (mask[at + A.REINSTATE_GUN + r] === 1) return A.REINSTATE_GUN + r;
    return A.DONE;
  }

  /** What a loss is worth to a unit now: less and less as its time runs out. */
  private price(s: State, u: UnitId): number {
    const ahead =
      placeOf(s, u) >= 0
        ? Math.abs(this.tables.exitColumn - this.tables.grid.columns[placeOf(s, u)]!)
        : Math.abs(this.tables.exitColumn - this.tables.entryColumn) + 1;
    const turns = this.tables.rules.turns - turnOf(s) + 1;
    const spare = turns - (1.25 * (ahead + 1)) / this.tables.mp[u]!;
    return this.plan.caution * Math.min(1, Math.max(0, spare / 3));
  }

  /** The unit nearest to the exit first, so that no unit blocks another. */
  private chooseMover(s: State, mask: Uint8Array, at: number): number {
    let best = A.DONE;
    let least = Infinity;
    for (let u = FIRST_UNIT; u < GERMANS; u++) {
      if (mask[at + A.UNIT + u] === 0) continue;
      const ahead =
        placeOf(s, u) >= 0 ? Math.abs(this.tables.exitColumn - this.tables.grid.columns[placeOf(s, u)]!) : 99;
      const order = ahead / this.tables.mp[u]!;
      if (order < least) {
        least = order;
        best = A.UNIT + u;
      }
    }
    return best;
  }

  private step(s: State, mask: Uint8Array, at: number): number {
    if (mask[at + A.EXIT] === 1) return A.EXIT;
    const u = activeOf(s);
    const price = this.price(s, u);
    this.lanes.survey(s, u, price);
    this.lanes.reach(s, u, mpOf(s));
    const end = this.lanes.bestEnd(s, u, price);
    if (end === placeOf(s, u)) return A.STOP;
    const action = A.HEX + this.lanes.firstStep(s, u, end);
    return mask[at + action] === 1 ? action : A.STOP;
  }

  private chooseFirer(s: State, mask: Uint8Array, at: number): number {
    let best = A.DONE;
    let most = 0;
    for (let u = FIRST_UNIT; u < GERMANS; u++) {
      if (mask[at + A.UNIT + u] === 0) continue;
      const worth = this.bestTarget(s, u).worth;
      if (worth > most) {
        most = worth;
        best = A.UNIT + u;
      }
    }
    return best;
  }

  private chooseTarget(s: State, u: UnitId, mask: Uint8Array, at: number): number {
    const { h } = this.bestTarget(s, u);
    return h >= 0 && mask[at + A.HEX + h] === 1 ? A.HEX + h : A.STOP;
  }

  /** The best target for `u`: by expected hits, or by the chance to reveal a counter. */
  private bestTarget(s: State, u: UnitId): { readonly h: HexId; readonly worth: number } {
    const { tables, found } = this;
    found.h = NO_HEX;
    found.worth = 0;
    const from = placeOf(s, u);
    if (!onMap(s, u)) return found;
    this.marks.fill(0);
    markTargets(tables, s, u, this.marks, 0);
    for (let h = FIRST_HEX; h < HEXES; h++) {
      if (this.marks[h] === 0) continue;
      const distance = tables.distance[from * HEXES + h]!;
      const k = targetIn(tables, s, u, h);
      let worth: number;
      if (k >= 0) worth = 1 + harm(tables, s, u, k, h, distance) * tables.strength[k]!;
      else if (distance <= this.plan.look)
        worth =
          Math.max(
            0,
            Math.min(6, 7 - distance - tables.rules.spotting.needBeyondDistance + spotBonus(tables, s, u, h, distance)),
          ) / 6;
      else continue;
      if (worth > found.worth) {
        found.worth = worth;
        found.h = h;
      }
    }
    return found;
  }
}
