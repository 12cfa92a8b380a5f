import { bits } from "../../core/bits.js";
import type { Observation, Viewer } from "../../core/game.js";
import type { StateView } from "../../core/layout.js";
import file from "../data/observation.json" with { type: "json" };
import { TYPE } from "../data.js";
import type { Tables } from "../data.js";
import { deciderOf, isHiddenDecision } from "../decisions/index.js";
import { controlled, joinedToEntry } from "../rules/counters.js";
import { landingAreas } from "../rules/reinforcement.js";
import {
  AREAS,
  CHITS,
  CONTROL,
  controlOf,
  DEAD,
  DECISION,
  decisionOf,
  FIRST_AREA,
  FIRST_CHIT,
  FIRST_UNIT,
  FLAG,
  FUTURE,
  GERMANS,
  germansIn,
  L,
  PHASE,
  phaseOf,
  PILE,
  SOVIET,
  sovietsIn,
  turnOf,
  UNITS,
  WAITING,
} from "../state.js";
import * as columns from "./columns.js";
import { focusOf, writeDecision } from "./decision.js";

const { clip, COUNT, GLOBAL, KINDS, MAP, MAP_COLUMNS, SHOWN, SHOWN_MOST, UNIT, UNIT_COLUMNS } = columns;

/** Writes observations. Holds scratch space: one per game, one thread. */
export class Observer {
  private readonly counts = new Int32Array(AREAS * COUNT.size);
  private readonly kinds = new Int32Array(KINDS);
  /** Sums of the passes over units and chits, for the globals. */
  private germansOnMap = 0;
  private sovietsOnMap = 0;
  private dead = 0;
  private waiting = 0;
  private pile = 0;
  private chitsDown = 0;
  private chitsUp = 0;
  private readonly unitTemplate: Float32Array;
  private readonly mapTemplate: Float32Array;
  private readonly globalsTemplate: Float32Array;

  constructor(private readonly tables: Tables) {
    const { data } = tables;
    this.globalsTemplate = new Float32Array(file.globals.length);
    [
      tables.solo,
      tables.engineers,
      tables.armor,
      tables.antitank,
      tables.integrity,
      tables.infiltration,
      tables.schwere,
    ].forEach((on, i) => (this.globalsTemplate[GLOBAL.solo + i] = on ? 1 : 0));
    this.mapTemplate = new Float32Array(AREAS * MAP_COLUMNS);
    for (let a = FIRST_AREA; a < AREAS; a++) {
      const at = a * MAP_COLUMNS;
      this.mapTemplate[at + MAP.lettered] = (data.lettered >> a) & 1;
      this.mapTemplate[at + MAP.stars] = data.stars[a]! / 3;
      this.mapTemplate[at + MAP.toFirstGoal] = clip(data.distance[0][a]!, 5);
      this.mapTemplate[at + MAP.toSecondGoal] = clip(data.distance[1][a]!, 5);
    }
    this.unitTemplate = new Float32Array(UNITS * UNIT_COLUMNS);
    for (let u = FIRST_UNIT; u < UNITS; u++) {
      const at = u * UNIT_COLUMNS;
      this.unitTemplate[at + (u < GERMANS ? UNIT.german : UNIT.soviet)] = 1;
      this.unitTemplate[at + UNIT.type + data.type[u]!] = 1;
      this.unitTemplate[at + UNIT.smgCompany] = data.smg[u]!;
      this.unitTemplate[at + UNIT.cvFull] = data.full[u]! / 4;
      this.unitTemplate[at + UNIT.cvDepleted] = data.depleted[u]! / 4;
      this.unitTemplate[at + UNIT.mp] = data.mp[u]! / 3;
      this.unitTemplate[at + UNIT.entryTurn] = data.entryTurn[u]! / 9;
      this.unitTemplate[at + UNIT.redCircle] = data.red[u]!;
    }
  }

  observe(s: StateView, viewer: Viewer, out: Observation): void {
    const soviet = viewer === SOVIET;
    // ruling R39: during set-up the German sees nothing
    const blind = !soviet && phaseOf(s) === PHASE.setup;
    const context = soviet || !isHiddenDecision(decisionOf(s));
    const joined = joinedToEntry(this.tables, s);
    this.counts.fill(0);
    out.units.set(this.unitTemplate);
    this.germans(s, out.units);
    this.soviets(s, soviet, blind, out.units);
    this.chits(s, soviet);
    this.map(s, soviet, blind, context, joined, out.map);
    this.globals(s, viewer, soviet, blind, joined, out.globals);
    writeDecision(this.tables, s, context, out.decision);
  }

  /** Rows of the German units, their counts per area. */
  private germans(s: StateView, out: Float32Array): void {
    const { data } = this.tables;
    const { counts } = this;
    let onMap = 0;
    for (let u = FIRST_UNIT, at = 0; u < GERMANS; u++, at += UNIT_COLUMNS) {
      const place = s[L.unitPlace + u]!;
      const flags = s[L.unitFlags + u]!;
      if (place >= AREAS) {
        out[at + (place === FUTURE ? UNIT.future : UNIT.dead)] = 1;
        if (place === FUTURE) out[at + UNIT.currentCV] = data.full[u]! / 4;
        continue;
      }
      onMap++;
      out[at + UNIT.faceUp] = 1;
      onTheMap(out, at, place, flags);
      const cv =
        (flags & FLAG.suppressed) !== 0 ? 0 : (flags & FLAG.depleted) !== 0 ? data.depleted[u]! : data.full[u]!;
      out[at + UNIT.currentCV] = cv / 4;
      const n = place * COUNT.size;
      counts[n + COUNT.cv]! += cv;
      const type = data.type[u]!;
      if (type === TYPE.hq) counts[n + COUNT.hq]!++;
      else if (type === TYPE.armor) counts[n + COUNT.armor]!++;
      else if (type === TYPE.engineer) counts[n + COUNT.pionier]!++;
      if (flags & FLAG.suppressed) counts[n + COUNT.suppressed]!++;
      if (flags & FLAG.depleted) counts[n + COUNT.depleted]!++;
    }
    this.germansOnMap = onMap;
  }

  /** Rows of the Soviet units, their counts per area. */
  private soviets(s: StateView, soviet: boolean, blind: boolean, out: Float32Array): void {
    const { data } = this.tables;
    const { counts } = this;
    let onMap = 0;
    let dead = 0;
    let waiting = 0;
    for (let u = GERMANS, at = GERMANS * UNIT_COLUMNS; u < UNITS; u++, at += UNIT_COLUMNS) {
      const place = s[L.unitPlace + u]!;
      const flags = s[L.unitFlags + u]!;
      if (place === DEAD) {
        dead++;
        out[at + UNIT.dead] = 1;
        continue;
      }
      const cv = data.full[u]!;
      const up = (flags & FLAG.faceUp) !== 0;
      out[at + UNIT.currentCV] = cv / 4;
      if (place < AREAS) {
        onMap++;
        const n = place * COUNT.size + (up ? COUNT.upUnits : COUNT.downUnits);
        counts[n]!++;
        counts[n + 1]! += cv;
      } else if (place === WAITING) waiting++;
      if (place === FUTURE || (blind && data.entryTurn[u] === 0)) out[at + UNIT.future] = 1;
      else if (place < AREAS && (soviet || up)) {
        if (up) out[at + UNIT.faceUp] = 1;
        onTheMap(out, at, place, flags);
      } else if (soviet) {
        out[at + UNIT.waiting] = 1;
        if (flags & FLAG.triedLanding) out[at + UNIT.moved] = 1;
      } else {
        out[at + UNIT.unknown] = 1;
        const seen = s[L.lastSeenArea + u - GERMANS]!;
        if (seen > 0) {
          out[at + UNIT.lastSeen + seen - 1] = 1;
          out[at + UNIT.turnsSinceSeen] = (turnOf(s) - s[L.lastSeenTurn + u - GERMANS]!) / 9;
        }
      }
    }
    this.sovietsOnMap = onMap;
    this.dead = dead;
    this.waiting = waiting;
  }

  /** Chits by area, face and kind. */
  private chits(s: StateView, soviet: boolean): void {
    const { chitKind } = this.tables.data;
    const { counts, kinds } = this;
    kinds.fill(0);
    let pile = 0;
    let down = 0;
    let up = 0;
    for (let c = FIRST_CHIT; c < CHITS; c++) {
      const place = s[L.chitPlace + c]!;
      const kind = chitKind[c]!;
      const open = (s[L.chitFlags + c]! & FLAG.faceUp) !== 0;
      if (place === PILE) pile++;
      if (soviet ? place === PILE : !open) kinds[kind]!++;
      if (place >= AREAS) continue;
      const n = place * COUNT.size;
      if (open) {
        up++;
        counts[n + COUNT.up + kind]!++;
      } else {
        down++;
        counts[n + COUNT.down + kind]!++;
        counts[n + COUNT.downChits]!++;
      }
    }
    this.pile = pile;
    this.chitsDown = down;
    this.chitsUp = up;
  }

  private map(
    s: StateView,
    soviet: boolean,
    blind: boolean,
    context: boolean,
    joined: number,
    out: Float32Array,
  ): void {
    const { tables, counts } = this;
    out.set(this.mapTemplate);
    const chain = landingAreas(tables, s, false);
    const focus = context ? focusOf(s) : -1;
    for (let a = FIRST_AREA; a < AREAS; a++) {
      const at = a * MAP_COLUMNS;
      const n = a * COUNT.size;
      const control = controlOf(s, a);
      if (control !== CONTROL.none)
        out[
          at +
            (control === CONTROL.german
              ? MAP.germanControl
              : control === CONTROL.soviet
                ? MAP.sovietControl
                : MAP.contested)
        ] = 1;
      const germans = germansIn(s, a);
      if (germans > 0) {
        out[at + MAP.germanUnits] = clip(germans, 5);
        out[at + MAP.germanCV] = clip(counts[n + COUNT.cv]!, 20);
        out[at + MAP.germanHQs] = clip(counts[n + COUNT.hq]!, 3);
        out[at + MAP.germanArmour] = clip(counts[n + COUNT.armor]!, 4);
        out[at + MAP.pioniers] = clip(counts[n + COUNT.pionier]!, 2);
        out[at + MAP.suppressedGermans] = clip(counts[n + COUNT.suppressed]!, 5);
        out[at + MAP.depletedGermans] = clip(counts[n + COUNT.depleted]!, 5);
      }
      if (sovietsIn(s, a) + s[L.chits + a]! > 0 && !blind) {
        const units = counts[n + COUNT.downUnits]!;
        const chits = counts[n + COUNT.downChits]!;
        out[at + MAP.faceDownSovietCounters] = clip(tables.solo ? units : units + chits, 8);
        if (tables.solo) out[at + MAP.faceDownChits] = clip(chits, 3);
        out[at + MAP.faceUpSovietUnits] = clip(counts[n + COUNT.upUnits]!, 5);
        out[at + MAP.faceUpSovietCV] = clip(counts[n + COUNT.upCv]!, 12);
        if (soviet) {
          out[at + MAP.ownFaceDownUnits] = clip(units, 5);
          out[at + MAP.ownFaceDownCV] = clip(counts[n + COUNT.downCv]!, 12);
        }
        if (s[L.chits + a]! > 0) {
          for (let k = 0; k < KINDS; k++)
            out[at + MAP.faceUpChit + k] = clip(counts[n + COUNT.up + SHOWN[k]!]!, SHOWN_MOST[k]!);
          if (soviet)
            for (let k = 0; k < KINDS; k++) out[at + MAP.ownFaceDownChit + k] = clip(counts[n + COUNT.down + k]!, 3);
        }
      }
      out[at + MAP.combatPending] = (s[L.pendingCombats]! >> a) & 1;
      out[at + MAP.freeBreakthrough] = (s[L.freeBreakthroughs]! >> a) & 1;
      out[at + MAP.joined] = (joined >> a) & 1;
      out[at + MAP.landingChain] = (chain >> a) & 1;
      if (tables.solo && phaseOf(s) === PHASE.gerMove) out[at + MAP.closedForCommand] = (s[L.areaQueue]! >> a) & 1;
    }
    if (focus >= 0) out[focus * MAP_COLUMNS + MAP.focus] = 1;
  }

  private globals(
    s: StateView,
    viewer: Viewer,
    soviet: boolean,
    blind: boolean,
    joined: number,
    out: Float32Array,
  ): void {
    const { tables, kinds } = this;
    const phase = phaseOf(s);
    out.set(this.globalsTemplate);
    out[GLOBAL.turn] = turnOf(s) / 9;
    out[GLOBAL.turnOneHot + turnOf(s) - 1] = 1;
    out[GLOBAL.stuka] = s[L.stuka]!;
    out[GLOBAL.schwere] = tables.schwere ? s[L.schwere]! : 0;
    if (phase < PHASE.over) out[GLOBAL.phase + phase] = 1;
    if (soviet) out[GLOBAL.sovietObserver] = 1;
    if (decisionOf(s) !== DECISION.none && viewer === deciderOf(decisionOf(s))) out[GLOBAL.observerDecides] = 1;
    for (let k = 0; k < KINDS; k++) out[GLOBAL.chitsLeft + k] = clip(kinds[k]!, 4);
    out[GLOBAL.pile] = this.pile / CHITS;
    out[GLOBAL.chitsDown] = this.chitsDown / CHITS;
    out[GLOBAL.waitingSoviets] = clip(this.waiting, 10);
    out[GLOBAL.germansOnMap] = this.germansOnMap / GERMANS;
    out[GLOBAL.sovietDead] = this.dead / (UNITS - GERMANS);
    const held = controlled(s, CONTROL.german);
    const [x, y] = tables.data.goals;
    out[GLOBAL.firstGoal] = (held >> x) & 1;
    out[GLOBAL.secondGoal] = (held >> y) & 1;
    out[GLOBAL.firstGoalJoined] = (held >> x) & (joined >> x) & 1;
    out[GLOBAL.secondGoalJoined] = (held >> y) & (joined >> y) & 1;
    out[GLOBAL.pendingCombats] = clip(bits(s[L.pendingCombats]!), 6);
    out[GLOBAL.sovietCounters] = blind ? 0 : clip(this.sovietsOnMap + this.chitsDown + this.chitsUp, 40);
  }
}

/** A unit at a place known to the viewer; `at` is its row. */
function onTheMap(out: Float32Array, at: number, place: number, flags: number): void {
  out[at + UNIT.onMap] = 1;
  out[at + UNIT.area + place] = 1;
  if ((flags & ~FLAG.faceUp) === 0) return;
  if (flags & FLAG.revealedThisTurn) out[at + UNIT.revealed] = 1;
  if (flags & FLAG.depleted) out[at + UNIT.depleted] = 1;
  if (flags & FLAG.suppressed) out[at + UNIT.suppressed] = 1;
  if (flags & FLAG.moved) out[at + UNIT.moved] = 1;
  if (flags & FLAG.brokeThrough) out[at + UNIT.brokeThrough] = 1;
  if (flags & FLAG.commandFailed) out[at + UNIT.commandFailed] = 1;
}
