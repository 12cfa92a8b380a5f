import { hasBit, setBit } from "../../core/bits.js";
import type { StateView } from "../../core/layout.js";
import { decisionOfKind } from "../decisions/index.js";
import * as words from "../layout.js";
import { D1P, P } from "../charts.js";
import {
  ASK_ATTACK_MODE,
  ASK_ATTACK_UNIT,
  ASK_FIRE_UNIT,
  ASK_LOSS,
  ASK_MOVE_GROUP,
  ASK_OP_FIRE,
  ASK_OP_GROUP,
  boxOf,
  DEAD,
  F_ACTOR,
  F_FLAG,
  F_MOVE,
  F_MP,
  F_NEED,
  F_STEP,
  FIRE_SHIFT,
  isBox,
  OOS_SHIFT,
  OP_FIRED,
  PINNED,
  R_KIND,
  R_MDR,
  R_RESULT,
  RECORD_WORDS,
  ROLL_ICA,
  SPENT,
  WALK,
} from "../layout.js";
import { EAST_BOXES } from "../map/river.js";
import { GERMAN, SOVIET } from "../roster.js";
import { isLeaderless } from "../rules/units/army.js";
import { attackOf, hasArmor } from "../rules/units/armor.js";
import { groupMovers } from "../rules/movement/walk.js";
import { germanPoints } from "../victory.js";
import { actorOf, askOf, enemyOf, frameOf, isOver, phasingSide, topFrame } from "../state.js";
import type { Tables } from "../state.js";
import { ASKED, GLOBAL } from "./columns.js";

const share = (x: number, of: number): number => (x >= of ? 1 : x / of);
const signed = (x: number, of: number): number => Math.max(-1, Math.min(1, x / of));

/** Turns from which dated rules hold. */
const DATES = [4, 8, 14, 19, 25, 29, 39];
const RESULT_VALUES = [0, 0.2, 0.4, 0.5, 0.6, 0.8, 1];
const ICA_VALUES = [0.2, 0.4, 0.6];

/** `globals` from a redacted state. */
export function writeGlobals(tables: Tables, s: StateView, viewer: number, out: Float32Array): void {
  const { layout, roster } = tables;
  const side = viewer === SOVIET ? SOVIET : GERMAN;
  out.fill(0);
  const turn = s[layout.turn]!;
  out[GLOBAL.german] = side === GERMAN ? 1 : 0;
  out[GLOBAL.turn] = turn / 67;
  out[GLOBAL.turnsLeft] = Math.max(0, s[layout.lastTurn]! - turn) / 67;
  out[GLOBAL.phase + s[layout.phase]! - 1] = 1;
  out[GLOBAL.stage] = s[layout.stage]! / 13;
  out[GLOBAL.actor] = !isOver(tables, s) && actorOf(tables, s) === viewer ? 1 : 0;
  const points = germanPoints(tables, s);
  out[GLOBAL.points] = signed(points, 26);
  if (tables.levels !== null) {
    const { germanMarginal, germanDecisive } = tables.levels;
    out[GLOBAL.pointsMissing] = signed((points < germanMarginal ? germanMarginal : germanDecisive) - points, 10);
  }
  let [ownLost, enemyLost, own, enemies] = [0, 0, 0, 0];
  for (let u = 0; u < tables.units; u++) {
    if (roster.spare[u] === 1) continue;
    const place = s[layout.place + u]!;
    const mine = roster.side[u] === side;
    const tells = roster.side[u] === viewer || (s[layout.flags + u]! & words.KNOWN) !== 0;
    if ((place === DEAD && roster.stackUnit[u] === 1) || place === words.UNTOLD) {
      if (mine) ownLost++;
      else enemyLost++;
    }
    if (place < 0) {
      if (isBox(place)) out[GLOBAL.ownBoxes + boxFeature(boxOf(place), mine)]! += 1 / 30;
      continue;
    }
    if (!mine) enemies++;
    else if (tells && roster.stackUnit[u] === 1) own++;
  }
  if (tables.river.any)
    for (let i = GLOBAL.ownBoxes; i < GLOBAL.ownBoxes + 2 * BOXES_OF_SIDE; i++) out[i] = Math.min(1, out[i]!);
  out[GLOBAL.stukasAvailable] = share(s[layout.stukasAvailable]!, 21);
  out[GLOBAL.stukasUsed] = share(s[layout.stukasUsed]!, 21);
  if (tables.administers) writeAdministration(tables, s, viewer, out);
  out[GLOBAL.ownLost] = share(ownLost, 300);
  out[GLOBAL.enemyLost] = share(enemyLost, 300);
  out[GLOBAL.ownOnMap] = share(own, 300);
  out[GLOBAL.enemyOnMap] = share(enemies, 400);
  for (let i = 0; i < DATES.length; i++) out[GLOBAL.dates + i] = turn >= DATES[i]! ? 1 : 0;
  out[GLOBAL.firstTurn] = turn === 1 ? 1 : 0;
  out[GLOBAL.turnEven] = turn % 2 === 0 ? 1 : 0;
  out[GLOBAL.windowOpen] = frameOf(tables, s, ASK_OP_FIRE, ASK_OP_GROUP) >= 0 ? 1 : 0;
  const attack = frameOf(tables, s, ASK_ATTACK_UNIT);
  out[GLOBAL.accelerated] = attack >= 0 && s[attack + F_STEP]! >= 5 ? s[attack + F_FLAG]! : 0;
  const n = s[layout.recordCount]!;
  if (n === 0) return;
  const last = layout.records + (n - 1) * RECORD_WORDS;
  out[GLOBAL.lastDie] = signed(s[last + R_MDR]!, 10);
  if (RESULTLESS.includes(s[last + R_KIND]!)) out[GLOBAL.lastResult] = RESULT_VALUES[0]!;
  else if (s[last + R_KIND] === words.ROLL_EASTBANK) {
    const lost = words.eliminatedIn(s[last + R_RESULT]!) > 0;
    out[GLOBAL.lastResult] = RESULT_VALUES[lost ? D1P : words.pinnedIn(s[last + R_RESULT]!) > 0 ? P : 0]!;
  } else out[GLOBAL.lastResult] = (s[last + R_KIND] === ROLL_ICA ? ICA_VALUES : RESULT_VALUES)[s[last + R_RESULT]!]!;
}

/** Weather, ammunition, points for replacements, leaders of the armies. */
function writeAdministration(tables: Tables, s: StateView, viewer: number, out: Float32Array): void {
  const { layout } = tables;
  out[GLOBAL.badWeather] = s[layout.weather]!;
  for (let i = 0; i < 2 * words.AMMO_WORDS; i++) out[GLOBAL.ammo + i] = share(s[layout.ammo + i]!, 500);
  for (let i = 0; i < 3; i++) out[GLOBAL.replacements + i] = share(s[layout.replacements + i]!, 60);
  if (!tables.armyLeaders) return;
  out[GLOBAL.sovietArmyLeader] = hasLeader(tables, s, SOVIET, viewer) ? 1 : 0;
  out[GLOBAL.germanArmyLeader] = hasLeader(tables, s, GERMAN, viewer) ? 1 : 0;
}

/**
 * True when an army has its leader. Of the other side's a viewer knows no more than that he, or a headquarters, is
 * neither lost nor away.
 */
function hasLeader(tables: Tables, s: StateView, side: number, viewer: number): boolean {
  if (side === viewer) return !isLeaderless(tables, s, side);
  return tables.roster.armyLeaders.some((u) => {
    const place = s[tables.layout.place + u]!;
    return tables.roster.side[u] === side && (place >= 0 || isBox(place));
  });
}

/** Dice without a result that features have a value for. */
const RESULTLESS: readonly number[] = [
  words.ROLL_FLOTILLA,
  words.ROLL_AMMO,
  words.ROLL_WEATHER,
  words.ROLL_BREAKDOWN,
  words.ROLL_STUKAS,
  words.ROLL_DOG,
];

/** Counters in the boxes of the viewer's side, then in those of the other. */
const BOXES_OF_SIDE = 4;
const boxFeature = (box: number, mine: boolean): number =>
  (box < EAST_BOXES ? box : box - EAST_BOXES) + (mine ? 0 : BOXES_OF_SIDE);

/** Notes which units are picked in the pending decision, a bit each. */
export function writePicks(tables: Tables, s: StateView, picks: Int32Array): void {
  const { layout } = tables;
  picks.fill(0);
  const ask = askOf(tables, s);
  if (ask < 0) return;
  const { picks: picked = 0 } = decisionOfKind(ask);
  const bit = picked === "firers" ? 0 : picked;
  const fires = picked === "firers" ? s[layout.fireCount]! : 0;
  if (bit === 0 && fires === 0) return;
  for (let u = 0; u < tables.units; u++)
    if (bit !== 0 ? (s[layout.flags + u]! & bit) !== 0 : ((s[layout.extra + u]! >> FIRE_SHIFT) & 15) === fires)
      setBit(picks, 0, u, true);
}

/** `decision` from a redacted state. */
export function writeDecision(
  tables: Tables,
  s: StateView,
  _viewer: number,
  focus: number,
  picks: Int32Array,
  out: Float32Array,
): void {
  out.fill(0);
  if (isOver(tables, s)) return;
  const { board, layout } = tables;
  const frame = topFrame(tables, s);
  const ask = askOf(tables, s);
  const attackUnderWay = ask === ASK_ATTACK_UNIT && s[frame + F_STEP]! >= 5;
  if (ask < ASKED.picks && !attackUnderWay) out[ASKED.kind + ask] = 1;
  writePicked(tables, s, ask, focus, picks, out);
  if (ask === ASK_LOSS) out[ASKED.needed] = share(s[frame + F_NEED]!, 4);
  if (ask === ASK_MOVE_GROUP)
    out[ASKED.mp] = share((groupMovers(tables, s, s[frame + F_MOVE]!).allowance - s[frame + F_MP]!) / 2, 52);
  const walk = frameOf(tables, s, WALK);
  if (walk >= 0) out[ASKED.mp] = share(s[walk + F_MP]! / 2, 52);
  let shots = 0;
  for (let u = 0; u < tables.units; u++) if ((s[layout.flags + u]! & OP_FIRED) !== 0) shots++;
  out[ASKED.shots] = share(shots, 20);
  out[ASKED.walk] = walk >= 0 ? share(s[layout.pathLength]!, 20) : 0;
  out[ASKED.interrupt] = s[frame + F_ACTOR] !== phasingSide(tables, s) ? 1 : 0;
  if (focus >= 0) {
    out[ASKED.focusColumn] = board.columns[focus]! / 40;
    out[ASKED.focusRow] = board.rows[focus]! / 79;
    out[ASKED.focusTerrain] = board.footDrm[focus]! / 3;
  }
  out[ASKED.depth] = s[layout.depth]! / 8;
}

/** Sums of the picks, and what they make on the combat results table. */
function writePicked(
  tables: Tables,
  s: StateView,
  ask: number,
  focus: number,
  picks: Int32Array,
  out: Float32Array,
): void {
  const { charts, layout, roster } = tables;
  const attacks = ask >= ASK_ATTACK_UNIT && ask <= ASK_ATTACK_MODE;
  const armor = attacks && focus >= 0 && hasArmor(tables, s, enemyOf(actorOf(tables, s)), focus, true);
  let [n, af, df, oos, disrupted] = [0, 0, 0, 0, 0];
  for (let u = 0; u < tables.units; u++) {
    if (!hasBit(picks, 0, u)) continue;
    n++;
    af += armor ? attackOf(tables, s, u, focus, true) : roster.af[u]!;
    df += roster.df[u]!;
    oos = Math.max(oos, (s[layout.extra + u]! >> OOS_SHIFT) & 15);
    if (!attacks && (s[layout.flags + u]! & (PINNED | SPENT)) !== 0) disrupted = 1;
  }
  out[ASKED.picks] = share(n, 10);
  out[ASKED.pickedAf] = share(af, 60);
  out[ASKED.pickedDf] = share(df, 60);
  if (n === 0 || !(attacks || ask === ASK_OP_GROUP || ask === ASK_FIRE_UNIT)) return;
  const points = attacks ? af : df;
  const column = charts.column(points);
  out[ASKED.column] = Math.max(0, column) / 8;
  const next = charts.crt.least[column + 1];
  if (next !== undefined) out[ASKED.pointsMissing] = share(next - points, 10);
  out[ASKED.modifiers] = signed(oos + disrupted + (attacks && focus >= 0 ? tables.board.footDrm[focus]! : 0), 8);
}
