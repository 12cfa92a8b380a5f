import type { Board } from "./board.js";
import type { Roster } from "../roster.js";

/** Farther than any two hexes. */
const FAR = 1000;
/** Friends that left or came, up to which what was found for other enemies is kept. */
const FEW = 8;
const STAYS = 2;
const OUT = 1;
const IN = 2;
const SIDES = 6;

/**
 * Where the counters of both sides are, as the rules of deployment ask, and how far hexes are from them. It is made for
 * one placing of the counters and holds as long as they stay there, which `renew` finds out.
 */
export class Fronts {
  /**
   * Hexes of enemies, of stack units of the side, and of enemies that are known and fire directly, with their ranges.
   */
  private readonly enemies: Int16Array;
  private readonly friends: Int16Array;
  private readonly firers: Int16Array;
  private readonly ranges: Uint8Array;
  private enemyCount = 0;
  private friendCount = 0;
  private firerCount = 0;
  private farthest = 0;
  /** By hex of an enemy: hexes to the nearest friend; where he is; hexes to the nearest elsewhere. */
  private readonly friendNear: Int16Array;
  private readonly friendHex: Int16Array;
  private readonly friendNext: Int16Array;
  /** Enemies whose nearest friend is in one hex, which was asked about last; -1: none was. */
  private readonly held: Int16Array;
  private heldCount = 0;
  private heldAt = -1;
  /** By hex: whether it is in range of an enemy; 0 if not computed yet. */
  private readonly covered: Uint8Array;

  /**
   * Cells of the columns and rows of the board, holes too, so that the shortest way between two hexes leads through
   * cells: neighbours, -1 none; hexes to the nearest enemy, -1 not known yet; of the enemies that are so near, the most
   * hexes from one to its nearest friend and to the nearest elsewhere.
   */
  private readonly cellOf: Int16Array;
  private readonly neighbours: Int16Array;
  private readonly near: Int16Array;
  private readonly first: Int16Array;
  private readonly second: Int16Array;
  private readonly queue: Int16Array;

  /** What it was made for: a side, and of each unit hex * 2, + 1 if the enemy knows it, -1 off the map. */
  private side = -1;
  private readonly placed: Int32Array;
  /** The same of the units now, which `renew` reads. */
  readonly words: Int32Array;
  private readonly marks: Uint8Array;
  /** Hexes of friends and enemies for which it was made; friends that have left since, and come. */
  private readonly wasFriend: Uint8Array;
  private readonly wasEnemy: Uint8Array;
  private readonly last: Int16Array;
  private lastCount = 0;
  private readonly gone: Int16Array;
  private readonly came: Int16Array;

  constructor(
    private readonly board: Board,
    private readonly roster: Roster,
  ) {
    const { columns, rows, size } = board;
    const units = roster.size;
    this.enemies = new Int16Array(units);
    this.friends = new Int16Array(units);
    this.held = new Int16Array(units);
    this.firers = new Int16Array(units);
    this.ranges = new Uint8Array(units);
    this.friendNear = new Int16Array(size);
    this.friendHex = new Int16Array(size);
    this.friendNext = new Int16Array(size);
    this.covered = new Uint8Array(size);
    this.placed = new Int32Array(units);
    this.words = new Int32Array(units);
    this.marks = new Uint8Array(size);
    this.wasFriend = new Uint8Array(size);
    this.wasEnemy = new Uint8Array(size);
    this.last = new Int16Array(units);
    this.gone = new Int16Array(units);
    this.came = new Int16Array(units);
    const [west, low] = [Math.min(...columns), Math.min(...rows)];
    const [width, height] = [Math.max(...columns) - west + 1, Math.max(...rows) - low + 1];
    const cells = width * height;
    this.cellOf = Int16Array.from({ length: size }, (_, h) => (columns[h]! - west) * height + rows[h]! - low);
    this.neighbours = new Int16Array(cells * SIDES).fill(-1);
    for (let cell = 0; cell < cells; cell++) {
      const [c, r] = [Math.floor(cell / height), cell % height];
      const up = (c + west) % 2 === 0 ? 1 : 0;
      [
        [c, r - 1],
        [c, r + 1],
        [c - 1, r + up - 1],
        [c - 1, r + up],
        [c + 1, r + up - 1],
        [c + 1, r + up],
      ].forEach(([x, y], d) => {
        if (x! >= 0 && x! < width && y! >= 0 && y! < height) this.neighbours[cell * SIDES + d] = x! * height + y!;
      });
    }
    this.near = new Int16Array(cells);
    this.first = new Int16Array(cells);
    this.second = new Int16Array(cells);
    this.queue = new Int16Array(cells);
  }

  /** Makes it for a side and `words`, unless it was made for them before. */
  renew(side: number): void {
    const { covered, firers, placed, ranges, roster, words } = this;
    let same = this.side === side;
    for (let u = 0; u < words.length; u++)
      if (placed[u] !== words[u]) {
        placed[u] = words[u]!;
        same = false;
      }
    if (same) return;
    const kept = this.side === side;
    this.side = side;
    covered.fill(0);
    this.firerCount = 0;
    this.farthest = 0;
    for (let u = 0; u < words.length; u++) {
      if (words[u]! < 0 || (words[u]! & 1) === 0 || roster.side[u] === side || roster.directFire[u] === 0) continue;
      firers[this.firerCount] = words[u]! >> 1;
      ranges[this.firerCount++] = roster.range[u]!;
      this.farthest = Math.max(this.farthest, roster.range[u]!);
    }
    this.enemyCount = this.list(this.enemies, (u) => roster.side[u] !== side);
    this.friendCount = this.list(this.friends, (u) => roster.side[u] === side && roster.stackUnit[u] === 1);
    this.noteFriends(kept);
    this.heldAt = -1;
    this.spread();
  }

  /**
   * Finds the nearest friends of all enemies. Of those that were there before only who loses or gets a near one is done
   * again.
   *
   * @param kept what was found before is of this side
   */
  private noteFriends(kept: boolean): void {
    const { board, enemies, friendHex, friendNear, friendNext, friends, gone, came, wasEnemy, wasFriend } = this;
    let [left, arrived] = [0, 0];
    if (kept) {
      for (let i = 0; i < this.friendCount; i++) {
        if (wasFriend[friends[i]!] === 0) came[arrived++] = friends[i]!;
        wasFriend[friends[i]!] = STAYS;
      }
      for (let i = 0; i < this.lastCount; i++) if (wasFriend[this.last[i]!] !== STAYS) gone[left++] = this.last[i]!;
    }
    const few = kept && left + arrived <= FEW;
    for (let i = 0; i < this.enemyCount; i++) {
      const enemy = enemies[i]!;
      let again = !few || wasEnemy[enemy] === 0;
      // the second nearest has no name: whoever was as near may have been it
      for (let k = 0; k < left && !again; k++) again = board.distance(gone[k]!, enemy) <= friendNext[enemy]!;
      if (again) {
        this.findFriends(enemy);
        continue;
      }
      for (let k = 0; k < arrived; k++) {
        const distance = board.distance(came[k]!, enemy);
        if (distance < friendNear[enemy]!) {
          friendNext[enemy] = friendNear[enemy]!;
          friendNear[enemy] = distance;
          friendHex[enemy] = came[k]!;
        } else if (distance < friendNext[enemy]!) friendNext[enemy] = distance;
      }
    }
    wasFriend.fill(0);
    for (let i = 0; i < this.friendCount; i++) wasFriend[friends[i]!] = 1;
    this.last.set(friends);
    this.lastCount = this.friendCount;
    wasEnemy.fill(0);
    for (let i = 0; i < this.enemyCount; i++) wasEnemy[enemies[i]!] = 1;
  }

  /** Lists the hexes of units that pass a test, each once. @returns how many */
  private list(out: Int16Array, passes: (unit: number) => boolean): number {
    const { marks, words } = this;
    let n = 0;
    for (let u = 0; u < words.length; u++) {
      const hex = words[u]! >> 1;
      if (words[u]! < 0 || marks[hex] === 1 || !passes(u)) continue;
      marks[hex] = 1;
      out[n++] = hex;
    }
    for (let i = 0; i < n; i++) marks[out[i]!] = 0;
    return n;
  }

  private findFriends(enemy: number): void {
    const { board, friends } = this;
    let least = FAR;
    let next = FAR;
    let at = -1;
    for (let i = 0; i < this.friendCount; i++) {
      const distance = board.distance(friends[i]!, enemy);
      if (distance < least) {
        next = least;
        least = distance;
        at = friends[i]!;
      } else if (distance < next) next = distance;
    }
    this.friendNear[enemy] = least;
    this.friendHex[enemy] = at;
    this.friendNext[enemy] = next;
  }

  /** Floods the cells from the enemies. */
  private spread(): void {
    const { cellOf, enemies, first, near, neighbours, queue, second } = this;
    near.fill(-1);
    let end = 0;
    for (let i = 0; i < this.enemyCount; i++) {
      const cell = cellOf[enemies[i]!]!;
      near[cell] = 0;
      first[cell] = this.friendNear[enemies[i]!]!;
      second[cell] = this.friendNext[enemies[i]!]!;
      queue[end++] = cell;
    }
    for (let i = 0; i < end; i++) {
      const cell = queue[i]!;
      const far = near[cell]! + 1;
      for (let d = cell * SIDES; d < cell * SIDES + SIDES; d++) {
        const to = neighbours[d]!;
        if (to < 0) continue;
        if (near[to]! < 0) {
          near[to] = far;
          first[to] = first[cell]!;
          second[to] = second[cell]!;
          queue[end++] = to;
        } else if (near[to] === far) {
          if (first[cell]! > first[to]!) first[to] = first[cell]!;
          if (second[cell]! > second[to]!) second[to] = second[cell]!;
        }
      }
    }
  }

  /** Hexes to the nearest enemy. */
  nearest(hex: number): number {
    const near = this.near[this.cellOf[hex]!]!;
    return near < 0 ? FAR : near;
  }

  /** True when a hex is in range of an enemy that is known to fire directly. */
  isCovered(hex: number): boolean {
    const { board, covered, firers, ranges } = this;
    if (this.nearest(hex) > this.farthest) return false;
    if (covered[hex] === 0) {
      covered[hex] = OUT;
      for (let i = 0; i < this.firerCount && covered[hex] === OUT; i++)
        if (board.distance(hex, firers[i]!) <= ranges[i]!) covered[hex] = IN;
    }
    return covered[hex] === IN;
  }

  /**
   * True when a unit there would be nearer than every friend to one of the enemies nearest to a hex.
   *
   * @param left the hex that he leaves without a friend, -1 none
   */
  leads(hex: number, left: number): boolean {
    const cell = this.cellOf[hex]!;
    const distance = this.near[cell]!;
    if (distance < 0) return false;
    if (this.first[cell]! > distance) return true;
    if (left < 0 || this.second[cell]! <= distance) return false;
    if (left !== this.heldAt) this.noteHeld(left);
    const { board, friendNext, held } = this;
    for (let i = 0; i < this.heldCount; i++)
      if (friendNext[held[i]!]! > distance && board.distance(hex, held[i]!) === distance) return true;
    return false;
  }

  /** Notes the enemies whose nearest friend is in a hex. */
  private noteHeld(hex: number): void {
    const { enemies, friendHex, held } = this;
    this.heldAt = hex;
    this.heldCount = 0;
    for (let i = 0; i < this.enemyCount; i++) if (friendHex[enemies[i]!] === hex) held[this.heldCount++] = enemies[i]!;
  }
}
