import { EVERYTHING, type Json, type JsonObject } from "../core/game.js";
import { newState, type State, type StateView } from "../core/layout.js";
import type { Knowledge } from "./knowledge.js";
import * as words from "./layout.js";
import { placeId } from "./names.js";
import { writePosition, writeRecord } from "./notation/write.js";
import { EAST_BOXES } from "./map/river.js";
import { GERMAN, SIDES, SOVIET } from "./roster.js";
import { holdsBattery } from "./rules/artillery/east-bank.js";
import { BOXES } from "./schema.js";
import { sideOfPhase } from "./sequence.js";
import type { Tables } from "./state.js";
import { isHeldByGermans } from "./victory.js";
import { actorOf, announcedOf, firstIn, has, isOver, markOf, nextIn, phasesLeft, placeOf, siteOf } from "./state.js";

const STACK_MARKERS = [
  ["pinned", words.PINNED],
  ["spent", words.SPENT],
] as const;
const COUNTER_MARKERS = [
  ["ordered", words.ORDERED],
  ["dismounted", words.DISMOUNTED],
  ["unready", words.UNREADY],
] as const;
const MARKERS = [...STACK_MARKERS, ...COUNTER_MARKERS] as const;

const EAST = BOXES.slice(0, EAST_BOXES);
const MARK_NAMES = ["", "attack", "attack-done", "breakthru"];

/** What a viewer may know as documents and texts. */
export class Views {
  private readonly known: State;
  private readonly later: State;

  constructor(
    private readonly tables: Tables,
    private readonly knowledge: Knowledge,
    private readonly actions: readonly string[],
  ) {
    this.known = newState(tables.layout.size);
    this.later = newState(tables.layout.size);
  }

  /**
   * The position, with the counters that the viewer does not know as `faceDown`: by hex their backs in order, each with
   * the markers on it, `112RD:ordered`. `faceDownUnder` are pinned and spent markers on all of them in a hex: which of
   * them feel it is secret. `boxed` has how many counters are in a box, and under `lost` how many were lost there.
   * `batteries` names the boxes with guns that can be hit. Lists in frames name such a counter by its back.
   * `heldByGermans` are the hexes that count for the German side.
   */
  view(s: StateView, viewer: number): JsonObject {
    const { known, knowledge, tables } = this;
    knowledge.redact(s, viewer, known);
    const doc = { ...writePosition(tables, known) } as Record<string, Json>;
    const names = new Map<string, string>();
    const units = { ...(doc["units"] as JsonObject) } as Record<string, Json>;
    const faceDown: Record<string, string[]> = {};
    const under: Record<string, string[]> = {};
    const boxed: Record<string, number> = {};
    tables.roster.counters.forEach(({ id, tag }, u) => {
      // whether a face-down counter there is also a leader is secret
      if (units[id] !== undefined) Reflect.deleteProperty(units[id] as object, "stopped");
      if (!knowledge.isUnseen(known, u, viewer) || tables.roster.spare[u] === 1) return;
      names.set(id, `?${tag}`);
      Reflect.deleteProperty(units, id);
      const place = placeOf(tables, known, u);
      const box = words.isBox(place) ? placeId(tables, place) : place === words.UNTOLD ? "lost" : null;
      if (box !== null) boxed[box] = (boxed[box] ?? 0) + 1;
      if (place < 0) return;
      const hex = tables.board.ids[place]!;
      (faceDown[hex] ??= []).push([tag, ...markersOn(tables, known, u, COUNTER_MARKERS)].join(":"));
      const markers = markersOn(tables, known, u, STACK_MARKERS);
      if (markers.length > 0) under[hex] = markers;
    });
    const works = this.works(viewer);
    if (works !== null) doc["works"] = works;
    const unpinned = this.unpinned(viewer);
    if (unpinned !== null) doc["unpinned"] = unpinned;
    doc["units"] = units;
    for (const backs of Object.values(faceDown)) backs.sort();
    if (Object.keys(boxed).length > 0) doc["boxed"] = boxed;
    const armed = EAST.filter((_, box) => holdsBattery(tables, known, box));
    if (viewer !== EVERYTHING && viewer !== SOVIET && armed.length > 0) doc["batteries"] = armed;
    if (names.size > 0) doc["faceDown"] = faceDown;
    if (Object.keys(under).length > 0) doc["faceDownUnder"] = under;
    // points are public, but not which face-down counter holds the hex
    if (viewer !== EVERYTHING)
      doc["heldByGermans"] = tables.valued.flatMap((h) =>
        isHeldByGermans(tables, known, h) ? [tables.board.ids[h]!] : [],
      );
    if (sideOfPhase(known[tables.layout.phase]!) !== viewer) Reflect.deleteProperty(doc, "reserves");
    for (const key of ["decision", "frames"]) if (doc[key] !== undefined) doc[key] = renamed(doc[key], names);
    return doc;
  }

  /** By hex, what unknown engineers of other sides do. Ruling R109. */
  private works(viewer: number): JsonObject | null {
    const { known, tables } = this;
    const works: Record<string, Json> = {};
    for (const side of viewer === EVERYTHING ? [] : [GERMAN, SOVIET].filter((by) => by !== viewer))
      if (tables.engineers[side]!.length > 0)
        tables.board.ids.forEach((id, h) => {
          const task = siteOf(tables, known, side, h);
          if (task === 0) return;
          const row = { side: SIDES[side]!, kind: words.TASKS[task - 1]!, left: phasesLeft(tables, known, side, h) };
          works[id] = [...((works[id] as Json[] | undefined) ?? []), row];
        });
    return Object.keys(works).length === 0 ? null : works;
  }

  /**
   * By hex, how many face-down counters lay under a marker that was taken off in the latest action; null without any.
   */
  private unpinned(viewer: number): JsonObject | null {
    const { known, knowledge, tables } = this;
    const counts: Record<string, number> = {};
    for (let u = 0; u < tables.units; u++) {
      const place = placeOf(tables, known, u);
      if (place < 0 || !has(tables, known, u, words.UNPINNED) || !knowledge.isUnseen(known, u, viewer)) continue;
      const id = tables.board.ids[place]!;
      counts[id] = (counts[id] ?? 0) + 1;
    }
    return Object.keys(counts).length === 0 ? null : counts;
  }

  /**
   * An action as a viewer sees it happen; null when the viewer sees nothing of it. Its own side sees the action; others
   * what has changed of what they know: counters that left a hex and came to one, markers, dice, the phase.
   */
  describeFor(before: StateView, action: number, after: StateView, viewer: number): string | null {
    const { knowledge, known, later, tables } = this;
    if (viewer === EVERYTHING || actorOf(tables, before) === viewer) return this.actions[action]!;
    knowledge.redact(before, viewer, known);
    knowledge.redact(after, viewer, later);
    const parts = [...this.phase(), ...this.dice(), ...this.changes(viewer)];
    return parts.length === 0 ? null : parts.join("; ");
  }

  private phase(): string[] {
    const { known, later, tables } = this;
    const { layout } = tables;
    if (isOver(tables, later) && !isOver(tables, known)) return ["the game ends"];
    const same = (["turn", "phase", "stage"] as const).every((key) => known[layout[key]] === later[layout[key]]);
    return same
      ? []
      : [`turn ${later[layout.turn]} phase ${later[layout.phase]} ${words.STAGES[later[layout.stage]!]}`];
  }

  /** Dice of the action: it cleared the older ones. */
  private dice(): string[] {
    return Array.from({ length: this.later[this.tables.layout.recordCount]! }, (_, i) => {
      const { kind, hex, die, result } = writeRecord(this.tables, this.later, i);
      return `${String(kind)}${hex === undefined ? "" : ` ${String(hex)}`} ${String(die)}: ${String(result)}`;
    });
  }

  private changes(viewer: number): string[] {
    const { known, later, tables } = this;
    return tables.board.ids.flatMap((id, h) => {
      const was = this.marksOf(known, h, viewer);
      const now = this.marksOf(later, h, viewer);
      const gone = without(was, now).map((x) => `-${x}`);
      const come = without(now, was).map((x) => `+${x}`);
      return gone.length + come.length === 0 ? [] : [[id, ...gone, ...come].join(" ")];
    });
  }

  /** Counters and markers of a hex as a viewer knows them, in order. */
  private marksOf(s: StateView, hex: number, viewer: number): string[] {
    const { knowledge, tables } = this;
    const list: string[] = [];
    for (let u = firstIn(tables, s, hex); u >= 0; u = nextIn(tables, s, u)) {
      const { id, tag } = tables.roster.counters[u]!;
      list.push([knowledge.isUnseen(s, u, viewer) ? `?${tag}` : id, ...markersOn(tables, s, u)].join(":"));
    }
    const mark = markOf(tables, s, hex);
    if (mark !== 0) list.push(MARK_NAMES[mark]!);
    const said = announcedOf(tables, s, hex);
    if (said !== 0) list.push(said === words.ANNOUNCED_ZOC ? "zoc" : "no-zoc");
    return list.sort();
  }
}

const markersOn = (
  tables: Tables,
  s: StateView,
  unit: number,
  markers: readonly (readonly [string, number])[] = MARKERS,
): string[] => markers.flatMap(([name, bit]) => (has(tables, s, unit, bit) ? [name] : []));

/** What of one sorted list is not in another, each as often as it is there too much. */
function without(list: readonly string[], other: readonly string[]): string[] {
  const left = [...other];
  return list.filter((x) => {
    const i = left.indexOf(x);
    if (i >= 0) left.splice(i, 1);
    return i < 0;
  });
}

/** A value of a document with the names of unseen counters replaced; lists of them are sorted. */
function renamed(value: Json | undefined, names: ReadonlyMap<string, string>): Json {
  if (typeof value === "string") return names.get(value) ?? value;
  if (Array.isArray(value)) {
    const list = value.map((v) => renamed(v as Json, names));
    return value.some((v) => typeof v === "string" && names.has(v)) ? list.sort() : list;
  }
  if (value === null || typeof value !== "object") return value ?? null;
  return Object.fromEntries(Object.entries(value).map(([k, v]) => [k, renamed(v, names)]));
}
