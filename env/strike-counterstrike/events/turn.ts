import { say } from "./say.js";
import type { Play } from "../../core/play.js";
import { counted } from "../../core/words.js";
import type { StateView } from "../../core/layout.js";
import { type ArmyId, type HexId, type Tables } from "../data.js";
import { RESULTS } from "../layout.js";
import { activeArmy, hexOfArmy } from "../state.js";
import { armyText, hexIds, hexText } from "./words.js";

/** Events of the sequence of play: turns, phases, movement, reinforcements, checks, the end. */

const unitOf = (tables: Tables, army: ArmyId): string[] => [tables.armies[army]!.id];

/** Rule: SC 3.5, SC 6.3 */
export function engineerJoined(tables: Tables, s: StateView, army: ArmyId, atSetUp: boolean, play: Play): void {
  const hex = hexOfArmy(tables, s, army);
  say(play, "engineer-joined", {
    rule: atSetUp ? "SC 3.5" : "SC 6.3",
    text: `${tables.engineer.id} (${counted(s[tables.L.engineer]!, "step")}) rides with ${armyText(tables, army)} in ${hexText(tables, hex)}.`,
    units: [tables.engineer.id, ...unitOf(tables, army)],
    places: hexIds(tables, [hex]),
  });
}

/** Rule: SC 9.1 */
export function activated(tables: Tables, s: StateView, army: ArmyId, play: Play): void {
  const hex = hexOfArmy(tables, s, army);
  say(play, "activated", {
    text: `${armyText(tables, army)} begins to move in ${hexText(tables, hex)} with ${s[tables.L.mp]!} MP.`,
    units: unitOf(tables, army),
    places: hexIds(tables, [hex]),
  });
}

/** Rule: SC 9.7 */
export function marched(tables: Tables, s: StateView, from: HexId, to: HexId, play: Play): void {
  const cost = tables.moveCost[tables.forest[to]!]!;
  const army = activeArmy(tables, s);
  say(play, "marched", {
    text: `${armyText(tables, army)} marches from ${hexText(tables, from)} to ${hexText(tables, to)} (${cost} MP, ${s[tables.L.mp]!} left).`,
    units: unitOf(tables, army),
    places: hexIds(tables, [from, to]),
    amount: cost,
  });
}

/** Movement points that are left lapse. Rule: SC 9.8 */
export function stopped(tables: Tables, s: StateView, play: Play): void {
  const army = activeArmy(tables, s);
  const unused = s[tables.L.mp]!;
  const hex = hexOfArmy(tables, s, army);
  say(play, "stopped", {
    text: `${armyText(tables, army)} is done for the turn in ${hexText(tables, hex)}${unused > 0 ? `; ${counted(unused, "MP lapses", "MP lapse")}` : ""}.`,
    units: unitOf(tables, army),
    places: hexIds(tables, [hex]),
    amount: unused,
  });
}

/** Rule: SC 5.2 */
export function administrationBegun(tables: Tables, s: StateView, play: Play): void {
  say(play, "administration-begun", {
    text: `Turn ${s[tables.L.turn]!}, Phase IV: the map is cleared for the next turn.`,
  });
}

/** Rule: SC 5.1 */
export function turnBegun(tables: Tables, s: StateView, play: Play): void {
  const turn = s[tables.L.turn]!;
  say(play, "turn-begun", {
    text: `Turn ${turn} (${tables.turnNames[turn - 1]!}) begins. Phase I: the Germans regroup.`,
    amount: turn,
  });
}

/** Rule: SC 7.4, SC 10.11 */
export function replacementsBegun(tables: Tables, s: StateView, play: Play): void {
  const steps = s[tables.L.replacements]!;
  say(play, "replacements-begun", {
    text: `Phase II: VI Interceptor Corps is ready; ${counted(steps, "replacement step")} for reduced armies.`,
    units: [tables.interceptorId],
    amount: steps,
  });
}

/** Rule: SC 7.4 */
export function stepReplaced(tables: Tables, s: StateView, army: ArmyId, play: Play): void {
  const { L } = tables;
  say(play, "step-replaced", {
    text: `${armyText(tables, army)} gains a step: ${s[L.armySteps + army]!} of ${tables.armies[army]!.strength}; ${counted(s[L.replacements]!, "replacement")} left.`,
    units: unitOf(tables, army),
    places: hexIds(tables, [hexOfArmy(tables, s, army)]),
  });
}

/** Rule: SC 7.4 */
export function replacementsEnded(tables: Tables, s: StateView, play: Play): void {
  const lapsed = s[tables.L.replacements]!;
  if (lapsed === 0) return;
  say(play, "replacements-lapsed", {
    text: `${counted(lapsed, "replacement step lapses", "replacement steps lapse")}.`,
    amount: lapsed,
  });
}

/** Rule: SC 7.2 */
export function armyEntered(tables: Tables, army: ArmyId, hex: HexId, play: Play): void {
  say(play, "army-entered", {
    text: `${armyText(tables, army)} (${counted(tables.armies[army]!.strength, "step")}) enters in ${hexText(tables, hex)}.`,
    units: unitOf(tables, army),
    places: hexIds(tables, [hex]),
  });
}

/** No hex to enter was left, or the turn is over. Rule: SC 7.2 */
export function armyNeverCame(tables: Tables, army: ArmyId, play: Play): void {
  say(play, "army-never-came", {
    text: `${armyText(tables, army)} finds no hex to enter and is out of the game.`,
    units: unitOf(tables, army),
  });
}

/** A check that lets the game go on. Rule: SC 4.2, SC 4.3 */
export function checkPassed(tables: Tables, s: StateView, play: Play): void {
  const first = s[tables.L.turn] === 1;
  say(play, "check-passed", {
    rule: first ? "SC 4.2" : "SC 4.3",
    text: first
      ? "Check of turn 1 passed: no German hex touches Moscow or Tula."
      : `Check of turn 3 passed: ${s[tables.L.kHeld]!} K-Line hexes are Soviet, ${tables.kRequired} were needed.`,
    outcome: first ? "check of turn 1 passed" : "check of turn 3 passed",
  });
}

const ENDING_RULE: Readonly<Record<(typeof RESULTS)[number], string>> = {
  "": "SC 4.1",
  turn1: "SC 4.2",
  turn3: "SC 4.3",
  turn6: "SC 4.7",
  draw: "SC 4.6",
  territory: "SC 4.5",
  "sudden-death": "SC 4.8",
  concede: "SC 5.4",
};

/** What a result means, with the counts of the position. @param result index into `RESULTS` */
export function endingText(tables: Tables, s: StateView, result: number): string {
  const { L } = tables;
  const held = `${counted(s[L.forts]!, "fortified locality", "fortified localities")} and ${counted(s[L.westHeld]!, "western hex", "western hexes")}`;
  switch (RESULTS[result]!) {
    case "turn1":
      return `the Soviets lose, ${counted(s[L.beside]!, "German hex still touches", "German hexes still touch")} Moscow or Tula.`;
    case "turn3":
      return `the Soviets lose with ${s[L.kHeld]!} of the ${tables.kRequired} K-Line hexes needed.`;
    case "turn6":
      return `the Soviets lose with ${held}.`;
    case "draw":
      return `a draw with ${held}.`;
    case "territory":
      return `the Soviets win with ${held}.`;
    case "sudden-death":
      return "the Soviets win, the German pool is empty.";
    case "concede":
      return "the Soviets give up and lose.";
    default:
      return "the game goes on.";
  }
}

/** The rule by which the game ended. */
export const endingRule = (tables: Tables, s: StateView): string => ENDING_RULE[RESULTS[s[tables.L.result]!]!]!;

/** Rule: SC 4.1, SC 4.8, SC 5.4 */
export function gameEnded(tables: Tables, s: StateView, play: Play): void {
  const result = RESULTS[s[tables.L.result]!]!;
  const word = result === "draw" ? "drawn" : result === "territory" || result === "sudden-death" ? "won" : "lost";
  say(play, "game-ended", {
    rule: endingRule(tables, s),
    text: `The game is over: ${endingText(tables, s, s[tables.L.result]!)}`,
    outcome: `game ${word}`,
  });
}
