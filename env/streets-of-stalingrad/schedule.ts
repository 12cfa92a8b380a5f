import type { z } from "zod";
import { KesselError, shown } from "../core/errors.js";
import type { JsonObject } from "../core/game.js";
import { parseWith } from "../core/schema.js";
import type { Charts } from "./charts.js";
import { EAST_BOXES, type River } from "./map/river.js";
import { type Roster, SIDES } from "./roster.js";
import { BOXES, LAST_TURN, type ReplacementRow, scheduleSchema } from "./schema.js";

type Schedule = z.infer<typeof scheduleSchema>;

/** Turns that a fight can have. */
interface Turns {
  readonly first: number;
  readonly last: number;
}

/** By unit: the turn in which it comes into a box, 0 none, and the box. Rule: SOS 21.1 */
interface Arrivals {
  readonly turn: Uint8Array;
  readonly box: Uint8Array;
}

/** A row of units that leave. Rule: SOS 21.51, SOS 21.54 */
export interface Withdrawal {
  readonly formation: string;
  readonly turn: number;
  readonly units: readonly number[];
  /** Units that have to go; 0: all may stay, at the price of `penalty`. */
  readonly minimum: number;
  /** All who leave by this turn bring `bonus`; 0 none. */
  readonly bonusBy: number;
  readonly bonus: number;
  readonly penalty: number;
  /** In this turn those that are left go unasked; 0 never. */
  readonly forced: number;
  /** The row whose bonus and penalty it shares, itself where it has its own. */
  readonly counts: number;
}

/** A division that the German side may refuse. Rule: SOS 3.5, SOS 3.6 */
export interface Division {
  readonly name: string;
  readonly points: number;
  readonly turn: number;
  readonly units: readonly number[];
}

/**
 * What comes and goes in a fight, by its `schedule`.
 *
 * @param start position document from which the fight starts
 * @param anyTurn a position of it may be of any turn
 * @throws KesselError `bad-data` with the path of a row that can't be
 */
export function scheduleOf(
  start: JsonObject,
  anyTurn: boolean,
  roster: Roster,
  river: River,
  where: string,
): {
  readonly arrivals: Arrivals;
  readonly replacements: readonly ReplacementRow[];
  readonly withdrawals: readonly Withdrawal[];
} {
  const schedule = parseWith(scheduleSchema, start["schedule"] ?? {}, "bad-data", `${where}: schedule`);
  const turns = { first: anyTurn ? 1 : Number(start["turn"] ?? 1), last: Number(start["lastTurn"] ?? LAST_TURN) };
  checkReplacements(schedule.replacements, where);
  return {
    arrivals: arrivalsOf(schedule.reinforcements, turns, roster, river, where),
    replacements: schedule.replacements,
    withdrawals: withdrawalsOf(schedule.withdrawals, turns, roster, where),
  };
}

/** When and where units come in. Rule: SOS 21.1, SOS 21.2, rulings R64, R119 */
function arrivalsOf(
  rows: Schedule["reinforcements"],
  turns: Turns,
  roster: Roster,
  river: River,
  where: string,
): Arrivals {
  const turn = new Uint8Array(roster.size);
  const box = new Uint8Array(roster.size);
  const { first, last } = turns;
  rows.forEach((row, i) => {
    const at = `${where}: schedule.reinforcements[${i}]`;
    const refuse = (what: string): KesselError => new KesselError("bad-data", `${at}.${what}`);
    const k = BOXES.indexOf(row.box);
    if (row.turn > last || row.turn < first)
      throw refuse(`turn: the game is over before, or begins after turn ${row.turn}`);
    if (river.inPlay[k] !== true) throw refuse(`box: box ${row.box} is not in play`);
    if (k < EAST_BOXES !== (row.side === "soviet")) throw refuse(`box: no ${row.side} unit comes into box ${row.box}`);
    row.units.forEach((id, n) => {
      const u = roster.index(id);
      if (u < 0) throw refuse(`units[${n}]: there is no unit ${shown(id)}`);
      if (SIDES[roster.side[u]!] !== row.side) throw refuse(`units[${n}]: ${id} is of the other side`);
      if (turn[u] !== 0) throw refuse(`units[${n}]: ${id} comes in twice`);
      turn[u] = row.turn;
      box[u] = k;
    });
  });
  return { turn, box };
}

/** Who has to leave. Rule: SOS 21.51, SOS 21.54 */
function withdrawalsOf(
  rows: Schedule["withdrawals"],
  { first, last }: Turns,
  roster: Roster,
  where: string,
): readonly Withdrawal[] {
  const named = rows.map(({ formation }) => formation);
  return rows.map((row, i): Withdrawal => {
    const refuse = (what: string): KesselError =>
      new KesselError("bad-data", `${where}: schedule.withdrawals[${i}].${what}`);
    const { bonus = 0, bonusIfAllBy = 0, forcedTurn = 0, minimum, penalty = 0, turn } = row;
    for (const [key, value] of Object.entries({ turn, bonusIfAllBy, forcedTurn }))
      if (value !== 0 && (value < first || value > last))
        throw refuse(`${key}: the game is over before, or begins after turn ${value}`);
    if (named.indexOf(row.formation) !== i) throw refuse(`formation: ${shown(row.formation)} is listed twice`);
    if (minimum !== "all" && minimum > row.units.length)
      throw refuse(`minimum: it is ${minimum}, and there are ${row.units.length} units`);
    const counts = row.penaltyWith === undefined ? i : named.indexOf(row.penaltyWith);
    if (counts < 0) throw refuse(`penaltyWith: there is no formation ${shown(row.penaltyWith)}`);
    const units = row.units.map((id, n) => {
      const u = roster.index(id);
      if (u < 0) throw refuse(`units[${n}]: there is no unit ${shown(id)}`);
      if (SIDES[roster.side[u]!] !== "german") throw refuse(`units[${n}]: ${id} is of the other side`);
      return u;
    });
    const stays = minimum === "all" && (row.penalty !== undefined || row.penaltyWith !== undefined);
    return {
      formation: row.formation,
      turn,
      units,
      minimum: stays ? 0 : minimum === "all" ? units.length : minimum,
      bonusBy: bonusIfAllBy,
      bonus,
      penalty,
      forced: forcedTurn,
      counts,
    };
  });
}

/** The divisions of the tables that arrive, each with the turn of its first units. Rule: SOS 3.6 */
export function divisionsOf(charts: Charts, arrivals: Arrivals, roster: Roster): readonly Division[] {
  const rows = Object.entries(charts.divisions).map(([name, points]): Division => {
    const units = roster.path.flatMap((path, u) => (path[1] === name && arrivals.turn[u] !== 0 ? [u] : []));
    return { name, points, units, turn: Math.min(...units.map((u) => arrivals.turn[u]!)) };
  });
  return rows.filter(({ units }) => units.length > 0).sort((a, b) => a.turn - b.turn);
}

/** Points for replacements come in turns that follow each other, for armor to the German side alone. Rule: SOS 21.41 */
function checkReplacements(rows: readonly ReplacementRow[], where: string): void {
  rows.forEach(({ fromTurn, toTurn, side, pz }, i) => {
    const at = `${where}: schedule.replacements[${i}]`;
    if (toTurn < fromTurn) throw new KesselError("bad-data", `${at}.toTurn: it is before fromTurn ${fromTurn}`);
    if (side === "soviet" && pz !== undefined)
      throw new KesselError("bad-data", `${at}.pz: only the German side replaces armor`);
  });
}
