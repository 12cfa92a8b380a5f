import type { Play } from "../../../core/play.js";
import type { State } from "../../../core/layout.js";
import * as events from "../../events/armor.js";
import { ROLL_BREAKDOWN, type UnitId } from "../../layout.js";
import { GERMAN, SOVIET } from "../../roster.js";
import { firstIn, nextIn } from "../../state.js";
import type { Tables } from "../../state.js";
import { record } from "./fire.js";
import { eliminate } from "./losses.js";
import { freeCounter, standStill, TANK } from "./wrecks.js";
import { announce, inZocOf } from "./zoc.js";

// Results, in the order of `RUNS_ON`.
const IMMOBILIZED = 1;
const LOST = 2;

/**
 * The Soviet movement phase begins: each Soviet tank on the map throws whether it breaks down. Hex by hex, as the order
 * of slots would reveal which of two tanks with one back is where. Rule: SOS 16.33, rulings R51, R102, R103
 */
export function breakDown(tables: Tables, s: State, play: Play): void {
  const { charts, layout, river, roster } = tables;
  if (s[layout.turn]! < charts.breakdownFrom || !river.open) return;
  for (let h = 0; h < tables.hexes; h++)
    for (let u = firstIn(tables, s, h), next = -1; u >= 0; u = next as UnitId) {
      next = nextIn(tables, s, u);
      if (roster.kind[u] === TANK && roster.side[u] === SOVIET) throwFor(tables, s, u, h, play);
    }
}

/** Up to 4 a tank breaks down, and is lost in a German zone of control. Rule: SOS 16.33, SOS 16.34 */
function throwFor(tables: Tables, s: State, unit: number, hex: number, play: Play): void {
  const die = play.dice.d10();
  if (die > tables.charts.wreckUpTo) {
    record(tables, s, ROLL_BREAKDOWN, -1, 0, 0, die, 0, 0);
    if (play.narrator !== null) events.runsOn(tables, unit, die, play);
    return;
  }
  announce(tables, s, SOVIET, hex, play); // what is left shows whether Germans beside it have a zone of control
  const counter = inZocOf(tables, s, GERMAN, hex) ? -1 : freeCounter(tables, s);
  record(tables, s, ROLL_BREAKDOWN, -1, 0, 0, die, 0, counter < 0 ? LOST : IMMOBILIZED);
  if (play.narrator !== null) events.breaksDown(tables, unit, counter, hex, die, play);
  const markers = s[tables.layout.flags + unit]!;
  eliminate(tables, s, unit, "breakdown", play);
  if (counter >= 0) standStill(tables, s, counter as UnitId, hex, markers);
}
