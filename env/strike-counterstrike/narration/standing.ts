import { counted } from "../../core/words.js";
import type { Condition, Standing } from "../../core/narration.js";
import type { StateView } from "../../core/layout.js";
import { FIRST_COUNTER, type Tables } from "../data.js";
import { REMOVED } from "../layout.js";
import { FIRST_CHECK, K_CHECK, LAST_TURN, resultOfCheck, returnOf, returnOfResult } from "../rules/victory.js";
import { isOver } from "../state.js";
import { endingText } from "../events/turn.js";
import { GERMAN, hexesWhere, hexIds, SOVIET } from "../events/words.js";

/** Every condition of victory, the checks in the order in which they come. Rule: SC 4.1 */
export function standing(tables: Tables, s: StateView): Standing {
  return { conditions: [...checks(tables, s), ...atTheEnd(tables, s), emptyPool(tables, s)], ...ifEndedNow(tables, s) };
}

/** When a check comes, and that it is behind. */
function whenOf(tables: Tables, s: StateView, turn: number): string {
  if (s[tables.L.turn]! > turn) return `end of turn ${turn}, passed`;
  const left = turn - s[tables.L.turn]!;
  return left === 0 ? `end of turn ${turn}, this turn` : `end of turn ${turn}, in ${counted(left, "turn")}`;
}

/** The checks that let the game go on. Rule: SC 4.2, SC 4.3 */
function checks(tables: Tables, s: StateView): Condition[] {
  const { L } = tables;
  const guarded = hexesWhere(tables, (h) => tables.guarded[h] === 1).length;
  const beside = s[L.beside]!;
  const kHeld = s[L.kHeld]!;
  return [
    {
      rule: "SC 4.2",
      side: SOVIET,
      text: `No German hex may touch Moscow or Tula, or the game is lost; ${beside === 0 ? "none does" : `${counted(beside, "hex does", "hexes do")} now`}.`,
      have: guarded - beside,
      need: guarded,
      unit: "hexes beside Moscow and Tula",
      places: hexIds(
        tables,
        hexesWhere(tables, (h) => tables.guarded[h] === 1 && s[L.german + h] === 1),
      ),
      met: beside === 0,
      when: whenOf(tables, s, FIRST_CHECK),
    },
    {
      rule: "SC 4.3",
      side: SOVIET,
      text: `${tables.kRequired} K-Line hexes must be Soviet; otherwise the game is lost.`,
      have: kHeld,
      need: tables.kRequired,
      unit: "K-Line hexes",
      places: hexIds(
        tables,
        hexesWhere(tables, (h) => tables.kLine[h] === 1 && s[L.german + h] === 1),
      ),
      met: kHeld >= tables.kRequired,
      when: whenOf(tables, s, K_CHECK),
    },
  ];
}

/** What wins or draws after the last turn; less loses. Rule: SC 4.5, SC 4.6, SC 4.7 */
function atTheEnd(tables: Tables, s: StateView): Condition[] {
  const { L } = tables;
  const forts = hexIds(
    tables,
    hexesWhere(tables, (h) => tables.fort[h] === 1 && s[L.german + h] === 1),
  );
  const west = hexIds(
    tables,
    hexesWhere(tables, (h) => tables.western[h] === 1 && s[L.german + h] === 0),
  );
  return (["win", "draw"] as const).flatMap((result): Condition[] => {
    const need = tables[result];
    const rule = result === "win" ? "SC 4.5" : "SC 4.6";
    const when = whenOf(tables, s, LAST_TURN);
    return [
      {
        rule,
        side: SOVIET,
        text: `To ${result}, ${need.fortified} fortified localities are Soviet; they fall only inside pockets.`,
        have: s[L.forts]!,
        need: need.fortified,
        unit: "fortified localities",
        places: forts,
        met: s[L.forts]! >= need.fortified,
        when,
      },
      {
        rule,
        side: SOVIET,
        text: `To ${result}, ${need.west} western hexes are Soviet as well.`,
        have: s[L.westHeld]!,
        need: need.west,
        unit: "western hexes",
        places: west,
        met: s[L.westHeld]! >= need.west,
        when,
      },
    ];
  });
}

/** Rule: SC 4.8 */
function emptyPool(tables: Tables, s: StateView): Condition {
  const { L } = tables;
  let inGame = 0;
  for (let c = FIRST_COUNTER; c < tables.counterCount; c++) if (s[L.place + c] !== REMOVED) inGame++;
  return {
    rule: "SC 4.8",
    side: SOVIET,
    text: `The Soviets win at once when the German pool is empty; ${counted(s[L.poolSize]!, "counter is", "counters are")} in it.`,
    have: inGame - s[L.poolSize]!,
    need: inGame,
    unit: "counters out of the pool",
    places: [],
    met: s[L.poolSize] === 0,
    when: "at once",
  };
}

/** What the next check would say to the position as it is. */
function ifEndedNow(tables: Tables, s: StateView): Pick<Standing, "winnerNow" | "ifEndedNow"> {
  const { L } = tables;
  const winner = (value: number): string | null => (value > 0 ? SOVIET : value < 0 ? GERMAN : null);
  if (isOver(tables, s))
    return {
      winnerNow: winner(returnOf(tables, s)),
      ifEndedNow: `The game is over: ${endingText(tables, s, s[L.result]!)}`,
    };
  const turn = s[L.turn]!;
  const check = turn <= FIRST_CHECK ? FIRST_CHECK : turn <= K_CHECK ? K_CHECK : LAST_TURN;
  const result = resultOfCheck(tables, s, check);
  return {
    winnerNow: winner(returnOfResult(result)),
    ifEndedNow: `If the check of turn ${check} came now: ${endingText(tables, s, result)}`,
  };
}
