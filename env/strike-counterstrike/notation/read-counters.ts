import type { Dice } from "../../core/dice/dice.js";
import type { State } from "../../core/layout.js";
import {
  type CounterId,
  FIRST_COUNTER,
  FIRST_HEX,
  type HexId,
  JANUARY,
  MECH,
  NONMECH,
  SEC,
  SUPPORT,
  type Tables,
} from "../data.js";
import type { Resampler } from "../resample.js";
import { lyingFault } from "../faults.js";
import { type Doc, hexAt, refuse, refuseIf } from "./schema.js";
import { layMarker } from "../rules/front.js";
import { layOpen, toBox } from "../rules/pool.js";
import { BATTLE, FACE_DOWN, GARRISON, GARRISONED, DRAWN, POOL, REMOVED } from "../layout.js";
import { battleHex, setMarker, setPlace } from "../state.js";

/** Reads where the German counters of one position are. Control must have been read. */
export class CounterReader {
  private readonly named = new Map<CounterId, string>();

  constructor(
    private readonly tables: Tables,
    private readonly doc: Doc,
    private readonly s: State,
  ) {}

  /** A counter that nothing else in the document names. */
  private counter(path: string, name: string, support?: boolean): CounterId {
    const { tables } = this;
    const c = tables.counters.findIndex((x) => x.id === name);
    if (c < 0) refuse(path, `there is no German counter ${name}`);
    if (this.named.has(c)) refuse(path, `${name} is in ${this.named.get(c)} already`);
    if (support !== undefined && (tables.cls[c] === SUPPORT) !== support)
      refuse(path, support ? `${name} is a unit` : `${name} is a support marker`);
    this.named.set(c, path);
    return c;
  }

  /** Places all German counters. @param dice deals the counters written as "?" */
  lay(dice: Dice, resampler: Resampler): void {
    const { tables, s, doc } = this;
    const { L } = tables;
    for (let c = FIRST_COUNTER; c < tables.counterCount; c++) setPlace(tables, s, c, REMOVED);
    const battle = battleHex(tables, s);
    for (const [name, slots] of Object.entries(doc.garrisons)) {
      const path = `garrisons.${name}`;
      const h = hexAt(this.tables, path, name);
      slots.forEach((x, i) => layOpen(tables, s, this.counter(`${path}[${i}]`, x, false), GARRISON, h));
      setMarker(tables, s, h, GARRISONED);
    }
    doc.battle?.units.forEach((x, i) => layOpen(tables, s, this.counter(`battle.units[${i}]`, x, false), BATTLE));
    doc.battle?.support.forEach((x, i) => layOpen(tables, s, this.counter(`battle.support[${i}]`, x, true), BATTLE));
    for (const [turn, slots] of Object.entries(doc.track))
      slots.forEach((x, i) => toBox(tables, s, this.counter(`track.${turn}[${i}]`, x), Number(turn)));
    doc.removed?.forEach((x, i) => this.counter(`removed[${i}]`, x));
    doc.pool?.forEach((x, i) => {
      const c = this.counter(`pool[${i}]`, x);
      if (c === tables.guderian && doc.turn >= JANUARY)
        refuse(`pool[${i}]`, `Guderian is out of the pool from turn ${JANUARY} on`);
      setPlace(tables, s, c, POOL);
    });
    const unknown: HexId[] = [];
    for (const [name, x] of Object.entries(doc.front)) {
      const path = `front.${name}`;
      const h = hexAt(this.tables, path, name);
      if (s[L.marker + h] !== 0) refuse(path, `hex ${name} has a garrison`);
      if (x === "?") unknown.push(h);
      else layMarker(tables, s, h, this.counter(path, x), 0);
    }
    refuseIf(lyingFault(tables, s));
    if (doc.purge === undefined && doc.turn >= JANUARY && !this.named.has(tables.guderian))
      this.named.set(tables.guderian, "the counters out of the game");
    this.fillFront(battle, unknown);
    for (let c = FIRST_COUNTER; c < tables.counterCount; c++) {
      if (this.named.has(c)) continue;
      const { enters } = tables.counters[c]!;
      if (enters > doc.turn) {
        toBox(tables, s, c, enters);
        this.named.set(c, `track.${enters}`);
      } else if (doc.pool === undefined || unknown.length > 0) setPlace(tables, s, c, POOL);
    }
    this.history(unknown);
    if (unknown.length > 0) this.dealUnknown(unknown, dice, resampler);
    for (let c = FIRST_COUNTER; c < tables.counterCount; c++) if (s[L.place + c] === POOL) s[L.poolSize]!++;
    if (doc.purge === undefined && doc.turn >= JANUARY && s[L.place + tables.guderian] === FACE_DOWN)
      s[L.purge] = doc.clock;
  }

  /** Front hexes that the document leaves out get counters it doesn't name, in a fixed order. */
  private fillFront(battle: HexId, unknown: readonly HexId[]): void {
    const { tables, s, doc } = this;
    const { L } = tables;
    if (doc.result === "sudden-death") return; // the pool ran out on the way
    const order = [NONMECH, MECH, SEC]
      .flatMap((cls): CounterId[] => Array.from(tables.slotsOf[cls]!, (c) => c as CounterId))
      .filter((c) => tables.counters[c]!.enters === 0 && !this.named.has(c));
    let next = 0;
    for (let h = FIRST_HEX; h < tables.hexCount; h++) {
      if (s[L.front + h] !== 1 || s[L.marker + h] !== 0 || h === battle || unknown.includes(h)) continue;
      const c = order[next++];
      if (c === undefined) refuse("front", `no counter is left for hex ${tables.ids[h]}`);
      this.named.set(c, `front.${tables.ids[h]}`);
      layMarker(tables, s, h, c, 0);
    }
  }

  /**
   * When counters came to the pool and markers to the map. A marker without a time is later than every arrival, but not
   * than the purge.
   */
  private history(unknown: readonly HexId[]): void {
    const { tables, s, doc } = this;
    const { L } = tables;
    s[L.clock] = doc.clock;
    let last = 0;
    for (const [name, time] of Object.entries(doc.entered)) {
      const path = `entered.${name}`;
      const c = tables.counters.findIndex((x) => x.id === name);
      if (c < 0) refuse(path, `there is no German counter ${name}`);
      if (s[L.place + c] !== POOL && s[L.place + c] !== FACE_DOWN) refuse(path, `${name} is open`);
      s[L.entered + c] = time;
      last = Math.max(last, time);
    }
    for (let h = FIRST_HEX; h < tables.hexCount; h++)
      if (s[L.marker + h]! > 0 || unknown.includes(h))
        s[L.placed + h] = doc.placed[tables.ids[h]!] ?? Math.min(last, doc.purge ?? last);
    for (const name of Object.keys(doc.placed)) {
      const path = `placed.${name}`;
      const h = hexAt(this.tables, path, name);
      if (s[L.marker + h]! <= 0 && !unknown.includes(h)) refuse(path, `hex ${name} has no marker`);
    }
  }

  /** "?": dealt from what the document names nowhere, as a resample would. */
  private dealUnknown(hexes: readonly HexId[], dice: Dice, resampler: Resampler): void {
    const { tables, s, doc } = this;
    const { L } = tables;
    // known counters are set aside
    const markers =
      hexes.length === 0
        ? []
        : tables.ids.flatMap((_, h) => (s[L.marker + h]! > 0 ? [[h, s[L.marker + h]!] as const] : []));
    const pool = tables.counters.flatMap((_, c) => (this.named.has(c) && s[L.place + c] === POOL ? [c] : []));
    for (const [h, marker] of markers) {
      setMarker(tables, s, h, 0);
      setPlace(tables, s, (marker - 1) as CounterId, DRAWN);
    }
    for (const c of pool) setPlace(tables, s, c, DRAWN);
    const purge = s[L.purge]!;
    if (this.named.has(tables.guderian)) s[L.purge] = -1;
    this.checkDeal(hexes);
    for (const h of hexes) {
      setMarker(tables, s, h, 1); // any counter: the deal replaces it
      s[L.faceDown]!++;
    }
    resampler.deal(s, (n) => dice.draw(n, tables.nameOf));
    s[L.purge] = purge;
    if (doc.pool !== undefined)
      for (let c = FIRST_COUNTER; c < tables.counterCount; c++)
        if (s[L.place + c] === POOL) setPlace(tables, s, c, REMOVED);
    for (const [h, marker] of markers) {
      setMarker(tables, s, h, marker);
      setPlace(tables, s, (marker - 1) as CounterId, FACE_DOWN);
    }
    for (const c of pool) setPlace(tables, s, c, POOL);
  }

  /**
   * True when there is a way to deal. The counters that were in the pool in time are more than the markers placed
   * before.
   */
  private checkDeal(hexes: readonly HexId[]): void {
    const { tables, s } = this;
    const { L } = tables;
    const inTime = (c: CounterId, h: HexId): boolean =>
      s[L.place + c] === POOL &&
      s[L.entered + c]! <= s[L.placed + h]! &&
      (c !== tables.guderian || s[L.purge]! < 0 || s[L.placed + h]! <= s[L.purge]!);
    [...hexes]
      .sort((a, b) => s[L.placed + a]! - s[L.placed + b]!)
      .forEach((h, i) => {
        const n = tables.counters.filter((_, c) => inTime(c, h)).length;
        // who hides a relieved Guderian is older: he covers one of those before
        const covered = s[L.purge]! >= 0 && s[L.placed + h]! > s[L.purge]! ? 1 : 0;
        if (n + covered <= i) refuse(`front.${tables.ids[h]}`, `${n} unseen counters do not cover ${i + 1} markers`);
      });
    if (s[L.purge]! >= 0 && !hexes.some((h) => inTime(tables.guderian, h)))
      refuse("purge", "no marker is old enough to hide Guderian");
  }
}
