import { type Game, Rng, type Seed } from "../../../env/index.js";
import { AREA, DIE, PASS, UNIT, YES } from "../../../env/savage-streets/actions.js";
import { AREAS, DECISION, DECISION_NAMES, GERMANS } from "../../../env/savage-streets/state.js";
import type { Decisions } from "../../agent.js";
import { pickLegal } from "../../random.js";
import { Board, promise } from "./board.js";
import { Plan, type PlanStyle } from "./plan.js";
import { bestOf } from "./best-of.js";

const HQ = 2;

/** The kind of decision of a row, a code of `DECISION`. */
export function decisionOfRow(d: Decisions, row: number): number {
  const n = d.game.observation.decision.length;
  for (let k = 1; k < DECISION_NAMES.length; k++) if (d.observation.decision[row * n + k - 1] === 1) return k;
  return DECISION.none;
}

/**
 * A German player that plans from its observation. With a style it plans the whole turn again before every pick;
 * without one each unit goes where it improves its own area's fight most.
 */
export class German {
  private readonly board: Board;
  private readonly plan: Plan | null;
  private readonly rng: Rng;
  /** Preference for a hit on a depleted unit over one on a whole unit. */
  private readonly depletedHit: number;

  constructor(game: Game, seed: Seed, style: PlanStyle | null) {
    this.board = new Board(game);
    this.plan = style === null ? null : new Plan(style);
    this.rng = new Rng(seed);
    this.depletedHit = style?.spendsDepleted === true ? 1 : -5;
  }

  choose(d: Decisions, row: number): number {
    const at = row * d.game.actions.length;
    const { board } = this;
    board.read(d, row);
    const legal = (a: number): boolean => d.mask[at + a] === 1;
    switch (decisionOfRow(d, row)) {
      case DECISION.gerPlace:
        return bestOf(this.rng, legal, AREA, AREAS, (a) => -this.crowd(a) - board.distance[a]!);
      case DECISION.gerExcess:
        return bestOf(this.rng, legal, UNIT, GERMANS, (u) => -board.cv[u]!);
      case DECISION.gerPick:
        return this.pickUnit(legal, -1);
      case DECISION.cmdArea:
        return this.pickArea(legal);
      case DECISION.cmdUnit:
        return this.pickUnit(legal, board.focus);
      case DECISION.gerStep:
        return this.step(legal);
      case DECISION.combatArea:
        return bestOf(this.rng, legal, AREA, AREAS, (a) => board.worth[a]! * promise(this.ratio(a)) + 20, PASS);
      case DECISION.stuka:
        return legal(YES) && this.mostImportant(d, row) ? YES : PASS;
      case DECISION.schwere:
        return board.goal[board.focus] === 1 && board.turn >= 5 ? YES : PASS;
      case DECISION.pionier:
        return YES;
      case DECISION.diePionier:
      case DECISION.dieArmor:
        return this.raise(d, row, legal);
      case DECISION.gerHit:
        return bestOf(
          this.rng,
          legal,
          UNIT,
          GERMANS,
          (u) =>
            (board.type[u] === HQ ? -10 : 0) +
            (board.depleted[u] === 1 ? this.depletedHit : 0) +
            (board.type[u] === 0 ? 1 : 0),
        );
      case DECISION.btDest:
        return this.breakthrough(legal);
      case DECISION.btUnit:
        return bestOf(this.rng, legal, UNIT, GERMANS, (u) => board.cv[u]!, PASS);
      default:
        return pickLegal(d.mask, at, d.game.actions.length, this.rng);
    }
  }

  private crowd(a: number): number {
    let n = 0;
    for (let u = 0; u < GERMANS; u++) if (this.board.place[u] === a) n++;
    return n;
  }

  private ratio(a: number): number {
    return this.board.germanCv(a) / Math.max(0.5, this.board.strength[a]!);
  }

  /** Nothing still to be fought for is worth more than the area of this combat. */
  private mostImportant(d: Decisions, row: number): boolean {
    const { board } = this;
    const columns = d.game.observation.map.length;
    const pending = d.game.observation.map.findIndex((f) => f.name === "combat pending");
    for (let a = 0; a < AREAS; a++)
      if (d.observation.map[(row * AREAS + a) * columns + pending] === 1 && board.worth[a]! > board.worth[board.focus]!)
        return false;
    return true;
  }

  /** Where a unit should go: by the plan, or (greedy) where it does most. */
  private aim(u: number, moving: boolean): number {
    const { board, plan } = this;
    if (plan !== null) return plan.target[u]!;
    const from = board.place[u]!;
    const reach = board.reach(from, moving ? board.mpLeft : board.mp[u]!);
    let best = from;
    let most = this.gain(from, u, from);
    for (let a = 0; a < AREAS; a++) {
      if (((reach >> a) & 1) === 0 || a === from || this.crowd(a) >= 4) continue;
      const g = this.gain(a, u, from);
      if (g <= most + 1e-6) continue;
      most = g;
      best = a;
    }
    return best;
  }

  /** What the fight in `a` is worth with `u`, less what it is without. */
  private gain(a: number, u: number, from: number): number {
    const { board } = this;
    const others = board.germanCv(a) - (a === from ? board.cv[u]! : 0);
    if (board.counters[a] === 0) return board.worth[a]! * (board.control[a] === 1 ? 0.3 : 0.05);
    const strength = Math.max(0.5, board.strength[a]!);
    return (
      board.worth[a]! * (promise((others + board.cv[u]!) / strength) - (others > 0 ? promise(others / strength) : 0))
    );
  }

  private pickUnit(legal: (a: number) => boolean, area: number): number {
    const { board, plan } = this;
    plan?.make(board, -1);
    for (let u = 0; u < GERMANS; u++) {
      if (!legal(UNIT + u) || (area >= 0 && board.place[u] !== area)) continue;
      const a = this.aim(u, false);
      if (a >= 0 && a !== board.place[u]) return UNIT + u;
    }
    return PASS;
  }

  private pickArea(legal: (a: number) => boolean): number {
    const { board, plan } = this;
    plan?.make(board, -1);
    let best = PASS;
    let most = -Infinity;
    for (let u = 0; u < GERMANS; u++) {
      const from = board.place[u]!;
      if (from < 0 || board.moved[u] === 1 || !legal(AREA + from)) continue;
      const to = this.aim(u, false);
      if (to < 0 || to === from || board.worth[to]! <= most) continue;
      most = board.worth[to]!;
      best = AREA + from;
    }
    return best;
  }

  /** The next area on the way to where the moving unit should be. */
  private step(legal: (a: number) => boolean): number {
    const { board, plan } = this;
    const u = board.unit;
    plan?.make(board, u);
    const to = this.aim(u, true);
    const from = board.place[u]!;
    if ((to < 0 || to === from) && legal(PASS)) return PASS;
    return bestOf(this.rng, legal, AREA, AREAS, (a) => {
      const rest = board.mpLeft - 1;
      const arrives = a === to || (board.counters[a] === 0 && (board.reach(a, rest) >> to) & 1);
      return (
        (arrives ? 10 : 0) +
        (a === to ? 5 : 0) -
        board.distance[a]! -
        (board.counters[a]! > 0 && a !== to ? 8 : 0) +
        (board.control[a] === 1 && board.counters[a] === 0 ? 1 : 0)
      );
    });
  }

  /** Raises the highest die that can still rise. */
  private raise(d: Decisions, row: number, legal: (a: number) => boolean): number {
    const columns = d.game.observation.decision.length;
    const dice = d.game.observation.decision.findIndex((f) => f.name === "German die 1");
    const die = (i: number): number => Math.round(d.observation.decision[row * columns + dice + i]! * 6);
    return bestOf(this.rng, legal, DIE, 6, (i) => (die(i) === 6 ? -1 : die(i)), PASS);
  }

  private breakthrough(legal: (a: number) => boolean): number {
    const { board } = this;
    const cv = board.germanCv(board.focus);
    let best = PASS;
    let most = 0;
    for (let a = 0; a < AREAS; a++) {
      if (!legal(AREA + a)) continue;
      const worth = board.worth[a]! - 0.5 * board.worth[board.focus]!;
      const value =
        board.counters[a] === 0
          ? board.control[a] === 1
            ? 0.6 * worth
            : 0
          : worth * promise(cv / Math.max(0.5, board.strength[a]!)) - 0.5;
      if (value <= most) continue;
      most = value;
      best = AREA + a;
    }
    return best;
  }
}
