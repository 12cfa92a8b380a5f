import { bitWords, lowest } from "../../../core/bits.js";
import type { Board } from "../../map/board.js";

/** Farther than any two hexes. */
const FAR = 1000;

/** Whoever goes to a hex is not nearer than every friend to the enemies nearest to it; he is; it hangs on the hex he leaves. */
const FOLLOWS = 1;
const LEADS = 2;
const DEPENDS = 3;

const OUT = 1;
const IN = 2;

/** A set of hexes as bits, and as a list in ascending order. */
class Hexes {
  readonly list: Int16Array;
  count = 0;
  private readonly words: Int32Array;

  constructor(size: number) {
    this.list = new Int16Array(size);
    this.words = new Int32Array(bitWords(size));
  }
  clear(): void {
    this.words.fill(0);
  }
  add(h: number): void {
    this.words[h >> 5]! |= 1 << h;
  }
  /** How many stand before a hex in the list. */
  above(hex: number): number {
    let [low, high] = [0, this.count];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.list[middle]! < hex) low = middle + 1;
      else high = middle;
    }
    return low;
  }
  close(): void {
    this.count = 0;
    for (let w = 0; w < this.words.length; w++)
      for (let open = this.words[w]!; open !== 0; open &= open - 1) this.list[this.count++] = w * 32 + lowest(open);
  }
}

/**
 * Where the counters of both sides are, as the rules of deployment ask, and how far hexes are from them. What is found out
 * is kept until the next `begin`.
 */
export class Fronts {
  readonly enemies: Hexes;
  /** Of stack units. */
  readonly friends: Hexes;
  /** Of enemies that are known and fire directly, with their ranges. */
  private readonly firers: Int16Array;
  private readonly ranges: Uint8Array;
  private firerCount = 0;
  /** By hex, 0 not asked yet: hexes to the nearest enemy + 1; one of the answers above; in range of an enemy? */
  private readonly near: Int16Array;
  private readonly lead: Uint8Array;
  private readonly covered: Uint8Array;
  /** By hex of an enemy: hexes to the nearest friend + 1, 0 not asked yet; where he is; hexes to the nearest elsewhere. */
  private readonly friendNear: Int16Array;
  private readonly friendHex: Int16Array;
  private readonly friendNext: Int16Array;

  /** @param units most units of the game */
  constructor(
    private readonly board: Board,
    units: number,
  ) {
    const { size } = board;
    this.enemies = new Hexes(size);
    this.friends = new Hexes(size);
    this.firers = new Int16Array(units);
    this.ranges = new Uint8Array(units);
    this.near = new Int16Array(size);
    this.lead = new Uint8Array(size);
    this.covered = new Uint8Array(size);
    this.friendNear = new Int16Array(size);
    this.friendHex = new Int16Array(size);
    this.friendNext = new Int16Array(size);
  }

  /** Forgets everything; `enemies`, `friends` and `addFirer` are filled next, then `close` is called. */
  begin(): void {
    this.enemies.clear();
    this.friends.clear();
    this.firerCount = 0;
    this.near.fill(0);
    this.lead.fill(0);
    this.covered.fill(0);
    this.friendNear.fill(0);
  }
  addFirer(hex: number, range: number): void {
    this.firers[this.firerCount] = hex;
    this.ranges[this.firerCount++] = range;
  }
  close(): void {
    this.enemies.close();
    this.friends.close();
  }

  /** Is a hex in range of an enemy that is known to fire directly? */
  isCovered(hex: number): boolean {
    if (this.covered[hex] === 0) {
      let is = OUT;
      for (let i = 0; i < this.firerCount && is === OUT; i++)
        if (this.board.distance(hex, this.firers[i]!) <= this.ranges[i]!) is = IN;
      this.covered[hex] = is;
    }
    return this.covered[hex] === IN;
  }

  /** Hexes to the nearest enemy. */
  nearest(hex: number): number {
    if (this.near[hex] === 0) {
      let least = FAR;
      const { board, enemies } = this;
      // they stand in order of columns
      const middle = enemies.above(hex);
      for (let i = middle; i < enemies.count; i++) {
        const enemy = enemies.list[i]!;
        if (board.columns[enemy]! - board.columns[hex]! > least) break;
        least = Math.min(least, board.distance(hex, enemy));
      }
      for (let i = middle - 1; i >= 0; i--) {
        const enemy = enemies.list[i]!;
        if (board.columns[hex]! - board.columns[enemy]! > least) break;
        least = Math.min(least, board.distance(hex, enemy));
      }
      this.near[hex] = least + 1;
    }
    return this.near[hex]! - 1;
  }

  /**
   * Would somebody there be nearer than every friend to one of the enemies nearest to a hex?
   *
   * @param left the hex that he leaves without a friend, -1 none
   */
  leads(hex: number, left: number): boolean {
    if (this.lead[hex] === 0) this.lead[hex] = this.answer(hex);
    return this.lead[hex] === DEPENDS ? this.isAhead(hex, left) : this.lead[hex] === LEADS;
  }

  /** The first enemy in the list whose column is so near. */
  private firstNear(hex: number, distance: number): number {
    const { board, enemies } = this;
    let i = enemies.above(hex);
    while (i > 0 && board.columns[hex]! - board.columns[enemies.list[i - 1]!]! <= distance) i--;
    return i;
  }

  private answer(hex: number): number {
    const { board, enemies } = this;
    const distance = this.nearest(hex);
    let answer = FOLLOWS;
    for (let i = this.firstNear(hex, distance); i < enemies.count; i++) {
      const enemy = enemies.list[i]!;
      if (board.columns[enemy]! > board.columns[hex]! + distance) break;
      if (board.distance(hex, enemy) !== distance) continue;
      if (this.friendNear[enemy] === 0) this.findFriends(enemy);
      if (this.friendNear[enemy]! - 1 > distance) return LEADS;
      if (this.friendNext[enemy]! > distance) answer = DEPENDS;
    }
    return answer;
  }

  private isAhead(hex: number, left: number): boolean {
    const { board, enemies } = this;
    const distance = this.nearest(hex);
    for (let i = this.firstNear(hex, distance); i < enemies.count; i++) {
      const enemy = enemies.list[i]!;
      if (board.columns[enemy]! > board.columns[hex]! + distance) break;
      if (this.friendHex[enemy] !== left || this.friendNear[enemy] === 0) continue;
      if (this.friendNext[enemy]! > distance && board.distance(hex, enemy) === distance) return true;
    }
    return false;
  }

  private findFriends(enemy: number): void {
    const { board, friends } = this;
    let least = FAR;
    let second = FAR;
    let at = -1;
    for (let i = 0; i < friends.count; i++) {
      const friend = friends.list[i]!;
      if (Math.abs(board.columns[friend]! - board.columns[enemy]!) >= second) continue;
      const distance = board.distance(friend, enemy);
      if (distance < least) {
        second = least;
        least = distance;
        at = friend;
      } else if (distance < second) second = distance;
    }
    this.friendNear[enemy] = least + 1;
    this.friendHex[enemy] = at;
    this.friendNext[enemy] = second;
  }
}
