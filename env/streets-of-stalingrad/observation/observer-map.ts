import { MINE } from "../rules/units/mines.js";
import { bitWords, hasBit } from "../../core/bits.js";
import type { StateView } from "../../core/layout.js";
import * as words from "../layout.js";
import {
  M_POINTS,
  ANNOUNCED_NONE,
  ASK_MOVE_GROUP,
  boxOf,
  isBox,
  KNOWN,
  MARK_ATTACK,
  MARK_BREAKTHRU,
  MARK_DONE,
  OOS_SHIFT,
  PATH_HEX,
  PINNED,
  SPENT,
} from "../layout.js";
import { missionAt, missionHex, missionSide } from "../rules/artillery/missions.js";
import { BRIDGE } from "../rules/units/bridges.js";
import { exertsZoc, UNSEEN, ZOC, zocKnownTo } from "../rules/units/zoc.js";
import { BOXES, KINDS } from "../schema.js";
import { announcedOf, askOf, boxAt, enemyOf, firstIn, frameHex, markOf, nextIn, topFrame } from "../state.js";
import type { Tables } from "../state.js";
import { MAP, MAP_FEATURES } from "./columns.js";

/**
 * What reaches into a hex: an own zone of control, a known one of the enemy; and whether an unseen stack is beside it.
 */
const OWN_ZONE = 1;
const KNOWN_ZONE = 2;
const UNSEEN_BESIDE = 4;

const FORT = KINDS.indexOf("fortification");

const share = (x: number, of: number): number => (x >= of ? 1 : x / of);

/** Rows of `map` as one viewer knows them. Everything here reads a redacted state. */
export class MapWriter {
  readonly features = MAP_FEATURES;
  /** Bits of the hexes in sight of an own unit. */
  readonly seen: Int32Array;
  /** Hex that the pending decision is about, -1 none. */
  focus = -1;
  private readonly onWay: Uint8Array;
  /** Bits above, by hex. */
  private readonly reaching: Uint8Array;
  /** Points of missions that are plotted, by side and hex. */
  private readonly plotted: Int32Array;

  constructor(private readonly tables: Tables) {
    this.seen = new Int32Array(bitWords(tables.hexes));
    this.onWay = new Uint8Array(tables.hexes);
    this.reaching = new Uint8Array(tables.hexes);
    this.plotted = new Int32Array(2 * tables.hexes);
  }

  /** Takes up another state. @param side the side that a spectator looks from */
  begin(s: StateView, viewer: number, side: number): void {
    const { tables, seen, onWay } = this;
    const { layout, roster } = tables;
    seen.fill(0);
    this.reaching.fill(0);
    for (let u = 0; u < tables.units; u++) {
      const place = s[layout.place + u]!;
      if (place < 0) continue;
      if (firstIn(tables, s, place) === u) this.spreadZones(s, side, place);
      if (roster.side[u] !== viewer || roster.blind[u] === 1) continue;
      tables.board.sight.seen.addTo(place, seen);
    }
    this.focus = focusOf(tables, s);
    onWay.fill(0);
    this.plotted.fill(0);
    for (let i = 0; i < s[layout.missionCount]!; i++) {
      const mission = missionAt(tables, i);
      if (boxAt(tables, missionHex(s, mission)) < 0)
        this.plotted[missionSide(s, mission) * tables.hexes + missionHex(s, mission)] = s[mission + M_POINTS]!;
    }
    for (let i = 0; i < s[layout.pathLength]!; i++) onWay[s[layout.path + i]! & PATH_HEX] = 1;
  }

  /** Notes the zone of control of the stack in a hex for its neighbours. */
  private spreadZones(s: StateView, side: number, hex: number): void {
    const { tables, reaching } = this;
    const { board } = tables;
    const known = zocKnownTo(tables, s, side, hex);
    const bits =
      (exertsZoc(tables, s, side, hex) ? OWN_ZONE : 0) |
      (known === ZOC ? KNOWN_ZONE : known === UNSEEN ? UNSEEN_BESIDE : 0);
    if (bits === 0) return;
    for (let d = hex * 6; d < hex * 6 + 6; d++) {
      const to = board.neighbours[d]!;
      if (to >= 0 && board.zocEnters[to] === 1) reaching[to]! |= bits;
    }
  }

  /** Writes a row that is zero. */
  write(s: StateView, viewer: number, side: number, h: number, out: Float32Array): void {
    const { tables } = this;
    const { hexes, layout } = tables;
    const at = h * this.features;
    if (s[layout.top + h] !== 0) this.writeStack(s, viewer, side, h, at, out);
    const reaching = this.reaching[h]!;
    const mark = markOf(tables, s, h);
    if ((reaching & OWN_ZONE) !== 0) out[at + MAP.ownZoc] = 1;
    if ((reaching & KNOWN_ZONE) !== 0 && mark !== MARK_BREAKTHRU) out[at + MAP.enemyZoc] = 1;
    if ((reaching & UNSEEN_BESIDE) !== 0) out[at + MAP.enemyZocUnknown] = 1;
    if (mark === MARK_ATTACK) out[at + MAP.attackMarker] = 1;
    else if (mark === MARK_DONE) out[at + MAP.attackResolved] = 1;
    else if (mark === MARK_BREAKTHRU) out[at + MAP.breakthru] = 1;
    const enemy = enemyOf(side);
    const shells = s[layout.bombs + enemy * hexes + h]!;
    out[at + MAP.ownExplosions] = share(this.pointsOn(s, side, h), 50);
    out[at + MAP.enemyExplosions] = share(this.pointsOn(s, enemy, h), 50);
    if (((shells >> 12) & 15) === 1) out[at + MAP.interdiction] = share(Math.floor((shells & 0xfff) / 5), 5);
    if (tables.board.bridge[h] === 1) out[at + MAP.bridge] = 1;
    if (hasBit(this.seen, 0, h)) out[at + MAP.seen] = 1;
    if (h === this.focus) out[at + MAP.focus] = 1;
    out[at + MAP.way] = this.onWay[h]!;
  }

  /** Writes the rows of the boxes: of the enemy's only how many counters are there. Ruling R9. */
  writeBoxes(s: StateView, viewer: number, side: number, out: Float32Array): void {
    const { features, tables } = this;
    const { layout, roster } = tables;
    const first = tables.hexes * features;
    out.fill(0, first, first + BOXES.length * features);
    for (let u = 0; u < tables.units; u++) {
      const place = s[layout.place + u]!;
      if (!isBox(place)) continue;
      const at = first + boxOf(place) * features;
      if (roster.side[u] !== side) out[at + MAP.enemyCounters]! += 1 / 8;
      else if (side !== viewer) out[at + MAP.ownOthers]! += 1 / 6;
      else {
        out[at + (roster.stackUnit[u] === 1 ? MAP.ownStackUnits : MAP.ownOthers)]! +=
          roster.stackUnit[u] === 1 ? 1 / 4 : 1 / 6;
        out[at + MAP.ownAf]! += roster.af[u]! / 40;
        out[at + MAP.ownDf]! += roster.df[u]! / 40;
      }
    }
    for (let i = first; i < first + BOXES.length * features; i++) out[i] = Math.min(1, out[i]!);
  }

  private writeStack(s: StateView, viewer: number, side: number, h: number, at: number, out: Float32Array): void {
    const { tables } = this;
    const { layout, roster } = tables;
    let own = 0;
    let others = 0;
    let theirs = 0;
    let identified = 0;
    let backs = 0;
    for (let u = firstIn(tables, s, h); u >= 0; u = nextIn(tables, s, u)) {
      const flags = s[layout.flags + u]!;
      const isKnown = roster.side[u] === viewer || (flags & KNOWN) !== 0;
      const kind = roster.kind[u];
      if (kind === BRIDGE) out[at + MAP.bridge] = 1;
      if (roster.side[u] === side) {
        if (isKnown && roster.stackUnit[u] === 1) own++;
        else others++;
        if (isKnown) {
          out[at + MAP.ownAf]! += roster.af[u]!;
          out[at + MAP.ownDf]! += roster.df[u]!;
          if (kind === FORT) out[at + MAP.ownFort] = 1;
          if (kind === MINE) out[at + MAP.ownMine] = 1;
        }
        if ((flags & PINNED) !== 0) out[at + MAP.ownPinned]!++;
        if ((flags & SPENT) !== 0) out[at + MAP.ownSpent]!++;
        const oos = ((s[layout.extra + u]! >> OOS_SHIFT) & 15) / 4;
        if (oos > out[at + MAP.ownOutOfSupply]!) out[at + MAP.ownOutOfSupply] = oos;
      } else {
        if (isNewBack(tables, s, h, u)) backs++;
        theirs++;
        if (isKnown) {
          identified++;
          out[at + MAP.enemyAf]! += roster.af[u]!;
          out[at + MAP.enemyDf]! += roster.df[u]!;
          if (kind === FORT) out[at + MAP.enemyFort] = 1;
          if (kind === MINE) out[at + MAP.enemyMine] = 1;
        }
        if ((flags & PINNED) !== 0) out[at + MAP.enemyPinned]!++;
        if ((flags & SPENT) !== 0) out[at + MAP.enemySpent]!++;
      }
    }
    if (own + others > 0) {
      out[at + MAP.ownPinned]! /= own + others;
      out[at + MAP.ownSpent]! /= own + others;
    }
    if (theirs > 0) {
      out[at + MAP.enemyPinned]! /= theirs;
      out[at + MAP.enemySpent]! /= theirs;
      if (announcedOf(tables, s, h) === ANNOUNCED_NONE) out[at + MAP.noZocAnnounced] = 1;
    }
    out[at + MAP.ownStackUnits] = share(own, 4);
    out[at + MAP.ownOthers] = share(others, 6);
    out[at + MAP.enemyCounters] = share(theirs, 8);
    out[at + MAP.enemyIdentified] = share(identified, 8);
    for (let i = MAP.ownAf; i <= MAP.enemyDf; i++) out[at + i] = share(out[at + i]!, 40);
    out[at + MAP.enemyBacks] = share(backs, 4);
  }

  /** Points of a side's shells on a hex, laid or plotted. */
  private pointsOn(s: StateView, side: number, hex: number): number {
    const at = side * this.tables.hexes + hex;
    return Math.max(s[this.tables.layout.bombs + at]! & 0xfff, this.plotted[at]!);
  }
}

/** True when this is the first counter of the stack with its back. */
function isNewBack({ roster, layout }: Tables, s: StateView, hex: number, unit: number): boolean {
  for (let u = s[layout.top + hex]! - 1; u !== unit; u = s[layout.next + u]! - 1)
    if (roster.side[u] === roster.side[unit] && roster.tag[u] === roster.tag[unit]) return false;
  return true;
}

function focusOf(tables: Tables, s: StateView): number {
  const { layout } = tables;
  if (s[layout.depth] === 0) return -1;
  if (askOf(tables, s) !== ASK_MOVE_GROUP) {
    const hex = frameHex(s, topFrame(tables, s));
    return boxAt(tables, hex) < 0 ? hex : -1;
  }
  const n = s[layout.pathLength]!;
  if (n > 0) return s[layout.path + n - 1]! & PATH_HEX;
  for (let u = 0; u < tables.units; u++) if ((s[layout.flags + u]! & words.GROUP) !== 0) return s[layout.place + u]!;
  return -1;
}
