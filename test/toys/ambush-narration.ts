import { endersLast, EVERYTHING, type Game, type Prompt, type Standing, type StateView } from "../../env/index.js";
import { ACTIONS, ANSWER, counterName, L, living, PHASES, REGROUP, SLOTS, STAND } from "./ambush-spec.js";

export function prompt(game: Game, s: StateView, viewer: number): Prompt {
  const actor = game.actor(s);
  const by = actor < 0 ? null : game.players[actor]!;
  const mask = new Uint8Array(ACTIONS.length);
  if (actor >= 0 && (viewer === actor || viewer === EVERYTHING)) game.legalMask(s, mask, 0);
  const choices = [...mask.keys()]
    .filter((a) => mask[a] === 1)
    .map((action) => ({
      action,
      name: ACTIONS[action]!,
      text: choiceText(s, action),
      places: [],
      units: [],
      ends: action === REGROUP || action >= STAND ? ("turn" as const) : null,
      warning: action === REGROUP ? "This ends your turn." : null,
    }));
  return {
    by,
    kind: PHASES[s[L.phase]!]!,
    text: by === null ? "The game is over." : `The ${by} player decides: ${PHASES[s[L.phase]!]}.`,
    rule: s[L.phase] === ANSWER ? "3" : "2",
    seeAlso: ["4"],
    units: [],
    places: [],
    choices: endersLast(choices),
  };
}

/** Owners read what they send. */
function choiceText(s: StateView, action: number): string {
  if (action < SLOTS) return `Send ${counterName(s[L.slot + s[L.active]! * SLOTS + action]!)} from ${action + 1}`;
  return ACTIONS[action]!;
}

export function standing(players: readonly string[], s: StateView): Standing {
  const left = [living(s, 0), living(s, 1)] as const;
  const winner = left[0] === left[1] ? null : players[left[0] > left[1] ? 0 : 1]!;
  return {
    conditions: players.map((side, p) => {
      const have = SLOTS - left[1 - p]!;
      const met = have === SLOTS;
      const text = "Take all counters of the other side.";
      return { rule: "2", side, text, have, need: SLOTS, unit: "counters", places: [], met, when: "at once" };
    }),
    winnerNow: winner,
    ifEndedNow: winner === null ? "Nobody has more counters." : `The ${winner} player has more counters.`,
  };
}
