import type { Play } from "../../../core/play.js";
import type { State } from "../../../core/layout.js";
import * as events from "../../events/administration.js";
import { ROLL_STUKAS, ROLL_WEATHER } from "../../layout.js";
import type { Tables } from "../../state.js";
import { record } from "../units/fire.js";

/** The Soviet side throws for the weather: in bad weather no Stuka flies in the turn. Rule: SOS 15.53, ruling R115 */
export function rollWeather(tables: Tables, s: State, play: Play): void {
  const { charts, layout } = tables;
  if (s[layout.turn]! < charts.weather.fromTurn) return;
  const die = play.dice.d10();
  const bad = die <= charts.weather.badUpTo;
  s[layout.weather] = bad ? 1 : 0;
  record(tables, s, ROLL_WEATHER, -1, 0, 0, die, 0, bad ? 1 : 0);
  if (play.narrator !== null) events.weather(tables, die, bad, play);
  if (bad) groundStukas(tables, s);
}

/**
 * A die of every turn but the first gives the number of Stukas; in bad weather it is not thrown. Rule: SOS 15.52,
 * ruling R115
 */
export function rollStukas(tables: Tables, s: State, play: Play): void {
  const { firstTurn, layout, setting } = tables;
  if (setting.stukaBase === 0 || s[layout.turn] === firstTurn || s[layout.weather] === 1) return;
  const die = play.dice.d10();
  s[layout.stukasAvailable] = setting.stukaBase - die;
  s[layout.stukasUsed] = 0;
  record(tables, s, ROLL_STUKAS, -1, 0, 0, die, 0, s[layout.stukasAvailable]!);
  if (play.narrator !== null) events.stukaNumber(die, s[layout.stukasAvailable]!, play);
}

/** All Stukas are unavailable until the next turn. Rule: SOS 15.53 */
export function groundStukas({ layout }: Tables, s: State): void {
  s[layout.stukasUsed]! += s[layout.stukasAvailable]!;
  s[layout.stukasAvailable] = 0;
}

/**
 * A new turn: the weather is good until the die says otherwise, and Stukas fly again, after the first turn as many as
 * later ones have. Rule: SOS 15.11, SOS 15.51, ruling R48
 */
export function clearSky(tables: Tables, s: State): void {
  const { firstTurn, layout, moreStukas } = tables;
  const more = s[layout.turn] === firstTurn + 1 ? moreStukas : 0;
  s[layout.weather] = 0;
  tables.stirred.all = true;
  s[layout.stukasAvailable] = Math.max(0, s[layout.stukasAvailable]! + s[layout.stukasUsed]! + more);
  s[layout.stukasUsed] = 0;
}
