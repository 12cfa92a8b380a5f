import { counted } from "../../core/words.js";
import type { StateView } from "../../core/layout.js";
import type { Condition, Standing } from "../../core/narration.js";
import { GERMAN, SIDES, SOVIET } from "../roster.js";
import { germanPoints, isHeldByGermans, type Level, levelOf } from "../victory.js";
import { isAbsent } from "../divisions.js";
import { isOver, type Tables } from "../state.js";
import { levelWords } from "../events/common.js";
import { hexId } from "../events/words.js";

/**
 * Where the sides stand: German points against each level of victory.
 *
 * @param s the state as the viewer knows it. Rule: SOS 3.3, SOS 3.4
 */
export function standing(tables: Tables, s: StateView): Standing {
  const points = germanPoints(tables, s);
  const level = levelOf(tables, points);
  const held = tables.valued.filter((h) => isHeldByGermans(tables, s, h));
  const open = tables.valued.filter((h) => !held.includes(h));
  const holders = holdersOf(tables, held);
  const adjust = s[tables.layout.adjust]!;
  const absent = tables.setting.divisions.flatMap((d) =>
    isAbsent(tables, s, d) ? [`${d.name} has not come, ${d.points}`] : [],
  );
  const sum = [...holders, ...absent, ...(adjust === 0 ? [] : [`adjustment ${adjust}`])].join("; ");
  const winner = winnerOf(level);
  const over = isOver(tables, s);
  const result = level === null ? "the position names no levels of victory, so there is no winner" : levelWords(level);
  return {
    conditions: conditions(
      tables,
      s,
      points,
      held.map((h) => hexId(tables, h)),
      open.map((h) => hexId(tables, h)),
    ),
    winnerNow: winner,
    ifEndedNow: over
      ? `The game is over with ${counted(points, "German point")}: ${result}.`
      : `With ${counted(points, "German point")} now (${sum === "" ? "no hex counts" : sum}): ${result}.`,
  };
}

/**
 * Up to this many hexes that count are listed with their holders; beyond that, only those that the German side holds.
 */
const LISTED = 8;

function holdersOf(tables: Tables, held: readonly number[]): readonly string[] {
  const { points, valued } = tables;
  const counts = (h: number): string => `${hexId(tables, h)} counts ${points[h]!}`;
  if (valued.length <= LISTED)
    return valued.map((h) => `${counts(h)}${held.includes(h) ? ", German" : ", not German"}`);
  return [`${held.length} of ${valued.length} hexes that count are German`, ...held.map(counts)];
}

/** Name of the side that a level serves, null for a draw or none. */
const winnerOf = (level: Level | null): string | null =>
  level === null || level === "draw" ? null : level.startsWith("german") ? SIDES[GERMAN] : SIDES[SOVIET];

function conditions(
  tables: Tables,
  s: StateView,
  points: number,
  held: readonly string[],
  open: readonly string[],
): Condition[] {
  const { levels } = tables;
  if (levels === null) return [];
  const how = tables.setting.divisions.length > 0 ? ", and for divisions that never come" : "";
  const when = `end of turn ${s[tables.layout.lastTurn]!}, or when the German side ends the game`;
  const german = (least: number, name: string): Condition => ({
    rule: "SOS 3.3",
    side: SIDES[GERMAN],
    text: `A German ${name} victory takes ${counted(least, "point")} or more at hexes held by German units${how}.`,
    have: points,
    need: least,
    unit: "points",
    places: points >= least ? held : open,
    met: points >= least,
    when,
  });
  const soviet = (most: number, name: string): Condition => ({
    rule: "SOS 3.3",
    side: SIDES[SOVIET],
    text: `A Soviet ${name} victory leaves the German side ${counted(most, "point")}${most === 0 ? "" : " or fewer"}.`,
    have: points,
    need: most,
    fewer: true,
    unit: "German points",
    places: points > most ? held : open,
    met: points <= most,
    when,
  });
  const leastOther = Math.min(levels.germanMarginal, levels.draw?.[0] ?? levels.germanMarginal);
  return [
    german(levels.germanDecisive, "decisive"),
    german(levels.germanMarginal, "marginal"),
    soviet(leastOther - 1, "marginal"),
    soviet(levels.sovietDecisive, "decisive"),
  ];
}

/** The result if the game ended now, as half a sentence. */
export function resultNow(tables: Tables, s: StateView): string {
  const points = germanPoints(tables, s);
  const level = levelOf(tables, points);
  return `${counted(points, "German point")}${level === null ? "" : `, ${levelWords(level)}`}`;
}
