import { AREAS, GERMANS } from "../../../env/savage-streets/state.js";
import { type Board, promise } from "./board.js";

const HQ = 2;
const ARMOR = 3;
/** Ratio of combat values at which no more units join an attack. */
const ENOUGH = 2.3;
/** Combat value that holds a German landing. */
const GARRISON = 6;

export interface PlanStyle {
  /** Least ratio for an attack. */
  readonly least: number;
  /** Least ratio on the landings in the last three turns. */
  readonly leastLate: number;
  /** Attacks the last counters, gives up garrisons on the last turn, keeps the route to the landings open. */
  readonly endgame: boolean;
  /** Takes losses from depleted units first: whole units are worth more where stacking is tight. */
  readonly spendsDepleted: boolean;
}

/** Where every German unit should end its movement: attack stacks first, then empty areas, garrisons, staging. */
export class Plan {
  /** Target area by unit, -1 for a unit that stays where it is. */
  readonly target = new Int8Array(GERMANS);
  private readonly reach = new Int32Array(GERMANS);
  private readonly load = new Int32Array(AREAS);
  private readonly armor = new Int32Array(AREAS);
  private readonly hqs = new Int32Array(AREAS);

  constructor(private readonly style: PlanStyle) {}

  /** @param moving the unit that is on its way, or -1; it has `board.mpLeft` points left */
  make(board: Board, moving: number): void {
    const { target, reach } = this;
    target.fill(-1);
    this.load.fill(0);
    this.armor.fill(0);
    this.hqs.fill(0);
    for (let u = 0; u < GERMANS; u++) {
      const a = board.place[u]!;
      reach[u] = 0;
      if (a < 0) continue;
      if (board.moved[u] === 1 && u !== moving) this.assign(board, u, a);
      else reach[u] = board.reach(a, u === moving ? board.mpLeft : board.mp[u]!);
    }
    const last = board.turn === 9;
    if (!(this.style.endgame && last)) this.garrison(board);
    while (this.attack(board));
    this.takeEmpty(board);
    if (this.style.endgame && last) this.garrison(board);
    this.stage(board);
  }

  private free(board: Board, u: number): boolean {
    return board.place[u]! >= 0 && this.target[u]! < 0 && this.reach[u] !== 0;
  }

  private assign(board: Board, u: number, a: number): void {
    this.target[u] = a;
    this.load[a]!++;
    if (board.type[u] === ARMOR) this.armor[a]!++;
    else if (board.type[u] === HQ) this.hqs[a]!++;
  }

  /** True when there is room in `a` for one more unit of this type. */
  private room(a: number, type: number, load = this.load[a]!, armor = this.armor[a]!, hqs = this.hqs[a]!): boolean {
    const limit = 3 + (armor > 0 || type === ARMOR ? 1 : 0) + (hqs > 0 || type === HQ ? 1 : 0);
    return load < limit;
  }

  private committed(board: Board, a: number): number {
    let sum = 0;
    for (let u = 0; u < GERMANS; u++) if (this.target[u] === a) sum += board.cv[u]!;
    return sum;
  }

  /** Areas where Germans land keep their units, fresh ones first. */
  private garrison(board: Board): void {
    for (let a = 0; a < AREAS; a++) {
      if (board.goal[a] === 0 || board.control[a] !== 2 || board.counters[a]! > 0) continue;
      while (this.committed(board, a) < GARRISON) {
        const u = this.bestFor(board, a, (x) => board.cv[x]! + (board.place[x] === a ? 3 : 0));
        if (u < 0) break;
        this.assign(board, u, a);
      }
    }
  }

  private bestFor(board: Board, a: number, score: (u: number) => number): number {
    let best = -1;
    let most = -Infinity;
    for (let u = 0; u < GERMANS; u++) {
      if (!this.free(board, u) || ((this.reach[u]! >> a) & 1) === 0 || !this.room(a, board.type[u]!)) continue;
      const s = score(u);
      if (s <= most) continue;
      most = s;
      best = u;
    }
    return best;
  }

  /** Builds the best attack there is; false when none promises enough. */
  private attack(board: Board): boolean {
    let best = -1;
    let most = 0;
    let stack: number[] = [];
    for (let a = 0; a < AREAS; a++) {
      if (board.counters[a] === 0) continue;
      const units = this.stackFor(board, a);
      if (units.length === 0) continue;
      let cv = this.committed(board, a);
      for (const u of units) cv += board.cv[u]!;
      const ratio = cv / Math.max(0.5, board.strength[a]!);
      const late = this.style.endgame && board.turn >= 7 && board.goal[a] === 1;
      if (ratio < (late ? this.style.leastLate : this.style.least)) continue;
      const value = this.value(board, a) * (late ? Math.max(0.3, promise(ratio)) : promise(ratio));
      if (value <= most) continue;
      most = value;
      best = a;
      stack = units;
    }
    if (best < 0) return false;
    for (const u of stack) this.assign(board, u, best);
    return true;
  }

  private value(board: Board, a: number): number {
    const hunt = this.style.endgame && board.total <= 6 ? 6 : 0;
    return board.worth[a]! + hunt + (board.control[a] === 3 ? 1 : 0);
  }

  /** Three strong units, one of armour, one HQ, until the odds are good enough. */
  private stackFor(board: Board, a: number): number[] {
    const pool: number[] = [];
    for (let u = 0; u < GERMANS; u++) if (this.free(board, u) && (this.reach[u]! >> a) & 1) pool.push(u);
    // HQs come last: they break ties and add little strength
    const order = (u: number): number =>
      (board.type[u] === HQ ? -10 : board.cv[u]!) -
      (board.depleted[u] === 1 ? 1 : 0) +
      (board.place[u] === a ? 0.5 : 0);
    pool.sort((x, y) => order(y) - order(x));
    let load = this.load[a]!;
    let armor = this.armor[a]!;
    let hqs = this.hqs[a]!;
    let cv = this.committed(board, a);
    const stack: number[] = [];
    for (const u of pool) {
      const type = board.type[u]!;
      const ready = cv >= ENOUGH * board.strength[a]!;
      if ((ready && !(type === HQ && hqs === 0)) || !this.room(a, type, load, armor, hqs) || (type === HQ && hqs > 0))
        continue;
      stack.push(u);
      cv += board.cv[u]!;
      load++;
      if (type === ARMOR) armor++;
      if (type === HQ) hqs++;
    }
    return stack;
  }

  /** One unit each into empty Soviet areas, the most worthy first. */
  private takeEmpty(board: Board): void {
    for (let d = 0; d <= 5; d++)
      for (let a = 0; a < AREAS; a++) {
        if (board.distance[a] !== d || board.control[a] !== 1 || board.counters[a]! > 0 || this.load[a]! > 0) continue;
        const u = this.bestFor(
          board,
          a,
          (x) => (board.type[x] === HQ ? -3 : 0) - board.distance[board.place[x]!]! + 0.1 * board.cv[x]!,
        );
        if (u >= 0) this.assign(board, u, a);
      }
  }

  /** The rest goes where it is nearest to the landings without a fight; depleted units a step behind. */
  private stage(board: Board): void {
    for (let u = 0; u < GERMANS; u++) {
      if (!this.free(board, u)) continue;
      let best = -1;
      let most = -Infinity;
      for (let a = 0; a < AREAS; a++) {
        if (((this.reach[u]! >> a) & 1) === 0 || !this.room(a, board.type[u]!) || board.counters[a]! > 0) continue;
        const behind = board.depleted[u] === 1 && board.distance[a]! < 2 ? 1 : 0;
        const s = -board.distance[a]! - behind + (a === board.place[u] ? 0.2 : 0) - 0.1 * this.load[a]!;
        if (s <= most) continue;
        most = s;
        best = a;
      }
      if (best >= 0) this.assign(board, u, best);
    }
  }
}
