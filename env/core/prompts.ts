import { EVERYTHING, type Game, NOBODY, type Viewer } from "./game.js";
import type { StateView } from "./layout.js";
import type { Prompt, Standing } from "./narration.js";

/** The prompt of any game: its own, or names of actions where it has no narration. */
export function promptOf(game: Game, s: StateView, viewer: Viewer): Prompt {
  if (game.narration !== undefined) return game.narration.prompt(s, viewer);
  const actor = game.actor(s);
  const by = actor >= 0 ? game.players[actor]! : null;
  const mask = new Uint8Array(game.actions.length);
  const asked = actor >= 0 && (viewer === actor || viewer === EVERYTHING);
  if (asked) game.legalMask(s, mask, 0);
  return {
    by,
    kind: by === null ? "over" : "choice",
    text: by === null ? "The game is over." : `${by} decides.`,
    rule: "",
    seeAlso: [],
    units: [],
    places: [],
    choices: game.actions.flatMap((name, action) =>
      mask[action] === 1 ? [{ action, name, text: name, places: [], units: [], ends: null, warning: null }] : [],
    ),
  };
}

/** The standing of any game: its own, or the result alone where it has no narration. */
export function standingOf(game: Game, s: StateView, viewer: Viewer): Standing {
  if (game.narration !== undefined) return game.narration.standing(s, viewer);
  const out = new Float32Array(game.players.length);
  if (game.actor(s) === NOBODY) game.returns(s, out);
  const winner = out.findIndex((r) => r > 0);
  const winnerNow = winner < 0 ? null : game.players[winner]!;
  return { conditions: [], winnerNow, ifEndedNow: winnerNow === null ? "Nobody has won." : `${winnerNow} has won.` };
}
