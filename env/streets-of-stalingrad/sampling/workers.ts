import type { State, StateView } from "../../core/layout.js";
import { ORDERED, TASK_SIDE_SHIFT } from "../layout.js";
import { isBeside, ONE_TURN, phasesOf, workersAt } from "../rules/units/tasks.js";
import { enemyOf, has, phasesLeft, placeOf, setSite, siteOf, type Tables } from "../state.js";

const NONE = -1;

/**
 * Who of the other side works where: a player sees that somebody does, and not who. Each site takes an engineer who
 * could work there, and no engineer works at two. Ruling R109.
 */
export class Workers {
  /** Sites, and who works there. */
  private readonly sites: number[] = [];
  private readonly workers: number[] = [];
  /** Engineers in the order in which they are tried, and those tried for one site. */
  private readonly list: number[] = [];
  private readonly tried: Uint8Array;
  private side = 0;

  constructor(private readonly tables: Tables) {
    this.tried = new Uint8Array(tables.units);
  }

  /** Notes the sites that a player sees of the other side. */
  begin(s: StateView, player: number): void {
    const { sites, tables } = this;
    this.side = enemyOf(player);
    sites.length = 0;
    if (tables.engineers[this.side]!.length === 0) return;
    for (let h = 0; h < tables.hexes; h++) if (siteOf(tables, s, this.side, h) !== 0) sites.push(h);
  }

  get any(): boolean {
    return this.sites.length > 0;
  }

  /** The sites that nobody could work at, if others are given to somebody. @returns how many */
  lacking(s: StateView, out: number[] | null = null): number {
    const { list, sites, tables, workers } = this;
    if (sites.length === 0) return 0;
    list.length = 0;
    for (const u of tables.engineers[this.side]!) if (placeOf(tables, s, u) >= 0) list.push(u);
    workers.length = 0;
    for (let i = 0; i < sites.length; i++) workers.push(NONE);
    let lacks = 0;
    for (let i = 0; i < sites.length; i++) {
      this.tried.fill(0);
      if (this.find(s, i)) continue;
      lacks++;
      out?.push(sites[i]!);
    }
    return lacks;
  }

  /**
   * Gives each site an engineer at random, and where two could have been at work sometimes a second.
   *
   * @returns false when one lacks
   */
  assign(s: State, below: (n: number) => number): boolean {
    const { list, sites, tables, workers } = this;
    if (sites.length === 0) return true;
    const lacks = this.lacking(s);
    for (let i = list.length; i > 1; i--) {
      const k = below(i);
      const u = list[i - 1]!;
      list[i - 1] = list[k]!;
      list[k] = u;
    }
    workers.fill(NONE);
    for (let i = 0; i < sites.length; i++) {
      this.tried.fill(0);
      this.find(s, i);
    }
    for (let i = 0; i < sites.length; i++) if (workers[i] !== NONE) this.put(s, i, workers[i]!);
    for (let i = 0; i < sites.length; i++) {
      const task = siteOf(tables, s, this.side, sites[i]!);
      const left = phasesLeft(tables, s, this.side, sites[i]!);
      if (phasesOf(task, this.side) === ONE_TURN || left > ONE_TURN || below(2) === 0) continue;
      const second = list.find((u) => !workers.includes(u) && this.couldWork(s, i, u));
      if (second === undefined) continue;
      this.put(s, i, second);
      workers.push(second);
    }
    return lacks === 0;
  }

  /** Gives up the sites where nobody works, when no deal fitted. */
  giveUp(s: State): void {
    for (const hex of this.sites)
      if (workersAt(this.tables, s, this.side, hex) === 0) setSite(this.tables, s, this.side, hex, 0, 0);
  }

  /** Finds an engineer for a site; another site may have to take a different one. */
  private find(s: StateView, i: number): boolean {
    const { list, tried, workers } = this;
    for (const u of list) {
      if (tried[u] === 1 || !this.couldWork(s, i, u)) continue;
      tried[u] = 1;
      const at = workers.indexOf(u);
      if (at >= 0 && !this.find(s, at)) continue;
      workers[i] = u;
      return true;
    }
    return false;
  }

  private couldWork(s: StateView, i: number, unit: number): boolean {
    const { sites, tables } = this;
    const hex = sites[i]!;
    const from = placeOf(tables, s, unit);
    if (has(tables, s, unit, ORDERED)) return false; // whoever works shows no order
    return isBeside(siteOf(tables, s, this.side, hex)) ? tables.board.sideTo(from, hex) >= 0 : from === hex;
  }

  private put(s: State, i: number, unit: number): void {
    const { sites, tables } = this;
    const hex = sites[i]!;
    const task = siteOf(tables, s, this.side, hex);
    const d = isBeside(task) ? tables.board.sideTo(placeOf(tables, s, unit), hex) : -1;
    s[tables.layout.work + unit]! |= task | ((d + 1) << TASK_SIDE_SHIFT);
  }

  /** Hexes of engineers that could work on a site. */
  hexesFor(s: StateView, hex: number): number[] {
    const { board } = this.tables;
    if (!isBeside(siteOf(this.tables, s, this.side, hex))) return [hex];
    return [...board.neighbours.subarray(hex * 6, hex * 6 + 6)].filter((h) => h >= 0);
  }
}
