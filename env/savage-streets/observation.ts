import { bits } from "../core/bits.js";
import type { Feature, Observation, ObservationSpec, Viewer } from "../core/game.js";
import type { StateView } from "../core/layout.js";
import file from "./data/observation.json" with { type: "json" };
import * as data from "./data.js";
import type { Data, Rules } from "./data.js";
import { controlled, joinedToEntry } from "./rules/counters.js";
import { landingAreas } from "./rules/reinforcement.js";
import * as state from "./state.js";

// own constants, for speed: see core/layout.ts
const { CHIT_KINDS, TYPE } = data;
const {
  ANSWER,
  AREAS,
  chitPlaceOf,
  CHITS,
  CONTROL,
  controlOf,
  DEAD,
  deciderOf,
  F,
  FUTURE,
  GERMANS,
  germansIn,
  hiddenKind,
  KIND,
  kindOf,
  L,
  PHASE,
  phaseOf,
  PILE,
  placeOf,
  SOVIET,
  sovietsIn,
  turnOf,
  UNITS,
  WAITING,
} = state;

const features = (list: readonly { name: string; range: number[]; norm: string }[]): Feature[] =>
  list.map((f) => ({ name: f.name, range: [f.range[0]!, f.range[1]!], norm: f.norm }));

/** The tensors, feature by feature; `data/observation.json` is their one home. */
export const observationSpec = (data: Data): ObservationSpec => ({
  globals: features(file.globals),
  mapRows: data.areaIds,
  map: features(file.map),
  unitRows: data.unitIds,
  units: features(file.units),
  decision: features(file.decision),
});

const FM = file.map.length;
const FU = file.units.length;
const KINDS = CHIT_KINDS.length;

/** Columns of the counts per area. */
const C = {
  cv: 0,
  hq: 1,
  armor: 2,
  pionier: 3,
  suppressed: 4,
  depleted: 5,
  downUnits: 6,
  downCv: 7,
  upUnits: 8,
  upCv: 9,
  downChits: 10,
  up: 11,
  down: 18,
  size: 25,
} as const;

/** Face-up chits in the order of their features, by kind code, and what one counts. */
const SHOWN = ["strongpoint", "artillery", "counterattack", "molotov", "sniper", "ambush", "dummy"].map((k) =>
  CHIT_KINDS.indexOf(k as (typeof CHIT_KINDS)[number]),
);
const SHOWN_MOST = [1, 3, 2, 3, 3, 3, 2];

const clip = (n: number, most: number): number => (n >= most ? 1 : n / most);

/** Writes observations. Holds scratch space: one per game, one thread. */
export class Observer {
  private readonly counts = new Int32Array(AREAS * C.size);
  private readonly kinds = new Int32Array(KINDS);
  /** Numbers that the passes over units and chits leave for the globals. */
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

  constructor(private readonly r: Rules) {
    const { data } = r;
    this.globalsTemplate = new Float32Array(file.globals.length);
    [r.solo, r.engineers, r.armor, r.antitank, r.integrity, r.infiltration, r.schwere].forEach(
      (on, i) => (this.globalsTemplate[i] = on ? 1 : 0),
    );
    this.mapTemplate = new Float32Array(AREAS * FM);
    for (let a = 0; a < AREAS; a++) {
      const at = a * FM;
      this.mapTemplate[at] = (data.lettered >> a) & 1;
      this.mapTemplate[at + 1] = data.stars[a]! / 3;
      this.mapTemplate[at + 35] = clip(data.distance[0][a]!, 5);
      this.mapTemplate[at + 36] = clip(data.distance[1][a]!, 5);
    }
    this.unitTemplate = new Float32Array(UNITS * FU);
    for (let u = 0; u < UNITS; u++) {
      const at = u * FU;
      this.unitTemplate[at + (u < GERMANS ? 0 : 1)] = 1;
      this.unitTemplate[at + 2 + data.type[u]!] = 1;
      this.unitTemplate[at + 7] = data.smg[u]!;
      this.unitTemplate[at + 8] = data.full[u]! / 4;
      this.unitTemplate[at + 9] = data.depleted[u]! / 4;
      this.unitTemplate[at + 10] = data.mp[u]! / 3;
      this.unitTemplate[at + 11] = data.entryTurn[u]! / 9;
      this.unitTemplate[at + 12] = data.red[u]!;
    }
  }

  observe(s: StateView, viewer: Viewer, out: Observation): void {
    const soviet = viewer === SOVIET;
    // ruling R39: during set-up the German sees nothing
    const blind = !soviet && phaseOf(s) === PHASE.setup;
    const context = soviet || !hiddenKind(kindOf(s));
    const joined = joinedToEntry(this.r, s);
    this.counts.fill(0);
    out.units.set(this.unitTemplate);
    this.germans(s, out.units);
    this.soviets(s, soviet, blind, out.units);
    this.chits(s, soviet);
    this.map(s, soviet, blind, context, joined, out.map);
    this.globals(s, viewer, soviet, blind, joined, out.globals);
    this.decision(s, context, out.decision);
  }

  /** Rows of the German units, their counts per area. */
  private germans(s: StateView, out: Float32Array): void {
    const { data } = this.r;
    const { counts } = this;
    let onMap = 0;
    for (let u = 0, at = 0; u < GERMANS; u++, at += FU) {
      const place = s[L.unitPlace + u]!;
      const flags = s[L.unitFlags + u]!;
      if (place >= AREAS) {
        out[at + (place === FUTURE ? 13 : 16)] = 1;
        if (place === FUTURE) out[at + 54] = data.full[u]! / 4;
        continue;
      }
      onMap++;
      out[at + 32] = 1;
      onTheMap(out, at, place, flags);
      const cv = (flags & F.suppressed) !== 0 ? 0 : (flags & F.depleted) !== 0 ? data.depleted[u]! : data.full[u]!;
      out[at + 54] = cv / 4;
      const n = place * C.size;
      counts[n + C.cv]! += cv;
      const type = data.type[u]!;
      if (type === TYPE.hq) counts[n + C.hq]!++;
      else if (type === TYPE.armor) counts[n + C.armor]!++;
      else if (type === TYPE.engineer) counts[n + C.pionier]!++;
      if (flags & F.suppressed) counts[n + C.suppressed]!++;
      if (flags & F.depleted) counts[n + C.depleted]!++;
    }
    this.germansOnMap = onMap;
  }

  /** Rows of the Soviet units, their counts per area. */
  private soviets(s: StateView, soviet: boolean, blind: boolean, out: Float32Array): void {
    const { data } = this.r;
    const { counts } = this;
    let onMap = 0;
    let dead = 0;
    let waiting = 0;
    for (let u = GERMANS, at = GERMANS * FU; u < UNITS; u++, at += FU) {
      const place = s[L.unitPlace + u]!;
      const flags = s[L.unitFlags + u]!;
      if (place === DEAD) {
        dead++;
        out[at + 16] = 1;
        continue;
      }
      const cv = data.full[u]!;
      const up = (flags & F.faceUp) !== 0;
      out[at + 54] = cv / 4;
      if (place < AREAS) {
        onMap++;
        const n = place * C.size + (up ? C.upUnits : C.downUnits);
        counts[n]!++;
        counts[n + 1]! += cv;
      } else if (place === WAITING) waiting++;
      if (place === FUTURE || (blind && data.entryTurn[u] === 0)) out[at + 13] = 1;
      else if (place < AREAS && (soviet || up)) {
        if (up) out[at + 32] = 1;
        onTheMap(out, at, place, flags);
      } else if (soviet) {
        out[at + 14] = 1;
        if (flags & F.tried) out[at + 36] = 1;
      } else {
        out[at + 17] = 1;
        const seen = s[L.seenArea + u - GERMANS]!;
        if (seen > 0) {
          out[at + 38 + seen] = 1;
          out[at + 53] = (turnOf(s) - s[L.seenTurn + u - GERMANS]!) / 9;
        }
      }
    }
    this.sovietsOnMap = onMap;
    this.dead = dead;
    this.waiting = waiting;
  }

  /** Chits by area, face and kind. */
  private chits(s: StateView, soviet: boolean): void {
    const { chitKind } = this.r.data;
    const { counts, kinds } = this;
    kinds.fill(0);
    let pile = 0;
    let down = 0;
    let up = 0;
    for (let c = 0; c < CHITS; c++) {
      const place = s[L.chitPlace + c]!;
      const kind = chitKind[c]!;
      const open = (s[L.chitFlags + c]! & F.faceUp) !== 0;
      if (place === PILE) pile++;
      if (soviet ? place === PILE : !open) kinds[kind]!++;
      if (place >= AREAS) continue;
      const n = place * C.size;
      if (open) {
        up++;
        counts[n + C.up + kind]!++;
      } else {
        down++;
        counts[n + C.down + kind]!++;
        counts[n + C.downChits]!++;
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
    const { r, counts } = this;
    out.set(this.mapTemplate);
    const chain = landingAreas(r, s, false);
    const focus = context ? focusOf(s) : -1;
    for (let a = 0; a < AREAS; a++) {
      const at = a * FM;
      const n = a * C.size;
      const control = controlOf(s, a);
      if (control !== CONTROL.none) out[at + (control === CONTROL.german ? 2 : control === CONTROL.soviet ? 3 : 4)] = 1;
      const germans = germansIn(s, a);
      if (germans > 0) {
        out[at + 5] = clip(germans, 5);
        out[at + 6] = clip(counts[n + C.cv]!, 20);
        out[at + 7] = clip(counts[n + C.hq]!, 3);
        out[at + 8] = clip(counts[n + C.armor]!, 4);
        out[at + 9] = clip(counts[n + C.pionier]!, 2);
        out[at + 10] = clip(counts[n + C.suppressed]!, 5);
        out[at + 11] = clip(counts[n + C.depleted]!, 5);
      }
      if (sovietsIn(s, a) + s[L.chits + a]! > 0 && !blind) {
        const units = counts[n + C.downUnits]!;
        const chits = counts[n + C.downChits]!;
        out[at + 12] = clip(r.solo ? units : units + chits, 8);
        if (r.solo) out[at + 13] = clip(chits, 3);
        out[at + 14] = clip(counts[n + C.upUnits]!, 5);
        out[at + 15] = clip(counts[n + C.upCv]!, 12);
        if (soviet) {
          out[at + 23] = clip(units, 5);
          out[at + 24] = clip(counts[n + C.downCv]!, 12);
        }
        if (s[L.chits + a]! > 0) {
          for (let k = 0; k < KINDS; k++) out[at + 16 + k] = clip(counts[n + C.up + SHOWN[k]!]!, SHOWN_MOST[k]!);
          if (soviet) for (let k = 0; k < KINDS; k++) out[at + 25 + k] = clip(counts[n + C.down + k]!, 3);
        }
      }
      out[at + 32] = (s[L.pending]! >> a) & 1;
      out[at + 33] = (s[L.free]! >> a) & 1;
      out[at + 37] = (joined >> a) & 1;
      out[at + 38] = (chain >> a) & 1;
      if (r.solo && phaseOf(s) === PHASE.gerMove) out[at + 39] = (s[L.queue]! >> a) & 1;
    }
    if (focus >= 0) out[focus * FM + 34] = 1;
  }

  private globals(
    s: StateView,
    viewer: Viewer,
    soviet: boolean,
    blind: boolean,
    joined: number,
    out: Float32Array,
  ): void {
    const { r, kinds } = this;
    const phase = phaseOf(s);
    out.set(this.globalsTemplate);
    out[7] = turnOf(s) / 9;
    out[7 + turnOf(s)] = 1;
    out[17] = s[L.stuka]!;
    out[18] = r.schwere ? s[L.schwere]! : 0;
    if (phase < PHASE.over) out[19 + phase] = 1;
    if (soviet) out[27] = 1;
    if (kindOf(s) !== KIND.none && viewer === deciderOf(kindOf(s))) out[28] = 1;
    for (let k = 0; k < KINDS; k++) out[29 + k] = clip(kinds[k]!, 4);
    out[36] = this.pile / CHITS;
    out[37] = this.chitsDown / CHITS;
    out[38] = clip(this.waiting, 10);
    out[39] = this.germansOnMap / GERMANS;
    out[40] = this.dead / (UNITS - GERMANS);
    const held = controlled(s, CONTROL.german);
    const [x, y] = r.data.goals;
    out[41] = (held >> x) & 1;
    out[42] = (held >> y) & 1;
    out[43] = (held >> x) & (joined >> x) & 1;
    out[44] = (held >> y) & (joined >> y) & 1;
    out[45] = clip(bits(s[L.pending]!), 6);
    out[46] = blind ? 0 : clip(this.sovietsOnMap + this.chitsDown + this.chitsUp, 40);
  }

  private decision(s: StateView, context: boolean, out: Float32Array): void {
    const { data } = this.r;
    const kind = kindOf(s);
    out.fill(0);
    if (kind === KIND.none) return;
    out[kind - 1] = 1;
    if (!context) return;
    const focus = focusOf(s);
    if (focus >= 0) out[29 + focus] = 1;
    const unit = s[L.dUnit]!;
    if (unit > 0 && unit <= UNITS) out[42 + unit] = 1;
    if (kind === KIND.btUnit) for (let u = 0; u < GERMANS; u++) out[43 + u] = (s[L.btUnits]! >> u) & 1;
    const chit = unit > UNITS ? unit - UNITS - 1 : s[L.dChit]! - 1;
    if (chit >= 0) out[101 + data.chitKind[chit]!] = 1;
    out[108] = s[L.dMp]! / 3;
    out[109] = s[L.dFirst]!;
    if (s[L.cmdDrm]! < 0) out[133] = 1;
    if (s[L.cbArea] === 0) return;
    for (let i = 0; i < 6; i++) {
      out[110 + i] = s[L.gerDice + i]! / 6;
      out[116 + i] = s[L.sovDice + i]! / 6;
    }
    out[122] = clip(s[L.gerTotal]!, 20);
    out[123] = clip(s[L.sovTotal]!, 20);
    out[124] = clip(s[L.cbSovHits]!, 6);
    out[125] = clip(s[L.gerHitsN]!, 6);
    if (s[L.gerHitsN]! > 0) out[126 + s[L.gerHits]!] = 1;
    out[129] = s[L.cbStuka] === ANSWER.yes ? 1 : 0;
    out[130] = s[L.cbSchwere] === ANSWER.yes ? 1 : 0;
    out[131] = s[L.cbPionier] === ANSWER.yes ? 1 : 0;
    out[132] = s[L.cbEngineer] === ANSWER.yes ? 1 : 0;
  }
}

/** A unit at a place the observer knows; `at` is its row. */
function onTheMap(out: Float32Array, at: number, place: number, flags: number): void {
  out[at + 15] = 1;
  out[at + 18 + place] = 1;
  if ((flags & ~F.faceUp) === 0) return;
  if (flags & F.fresh) out[at + 33] = 1;
  if (flags & F.depleted) out[at + 34] = 1;
  if (flags & F.suppressed) out[at + 35] = 1;
  if (flags & F.moved) out[at + 36] = 1;
  if (flags & F.broke) out[at + 37] = 1;
  if (flags & F.failed) out[at + 38] = 1;
}

/** The area a decision is about: its own or the combat's, else where the counter in question stands; -1 for none. */
function focusOf(s: StateView): number {
  if (kindOf(s) === KIND.none) return -1;
  if (s[L.dArea] !== 0) return s[L.dArea]! - 1;
  if (s[L.cbArea] !== 0) return s[L.cbArea]! - 1;
  const counter = s[L.dUnit]! - 1;
  if (counter < 0) return -1;
  const place = counter < UNITS ? placeOf(s, counter) : chitPlaceOf(s, counter - UNITS);
  return place < AREAS ? place : -1;
}
