import type { Play } from "../../core/play.js";
import type { State } from "../../core/layout.js";
import { CONTINUE, DECLARE_END } from "../actions.js";
import { ends } from "../events/told.js";
import { resultNow } from "../narration/standing.js";
import { closeStage } from "../sequence.js";
import { finish, type Tables } from "../state.js";
import type { Decision } from "./decision.js";

/** The German side may end the game. */
export const adminEnd: Decision = {
  rules: ["SOS 3.1", "SOS 3.3"],
  asks: (t, s) =>
    `Turn ${s[t.layout.turn]!} of ${s[t.layout.lastTurn]!} begins with ${resultNow(t, s)}. End the game, or play on?`,
  waits: (_t, _s, by) => ({ text: `The ${by} side decides whether it ends the game.`, rule: "SOS 3.1" }),
  marks(t, s, mask, at) {
    // nothing has been played on the first turn. Rule: SOS 3.1, ruling R4
    if (s[t.layout.turn]! <= t.firstTurn) return 0;
    mask[at + DECLARE_END] = 1;
    mask[at + CONTINUE] = 1;
    return 2;
  },
  acts: {
    "declare-end": {
      means: (t, s) => ({
        text: `End the game now: ${resultNow(t, s)}`,
        ends: "turn",
        warning: `The game ends at once: ${resultNow(t, s)}.`,
      }),
      does: (t, s, _i, play) => declareEnd(t, s, play),
    },
    continue: {
      means: (t, s) => `Play on: turn ${s[t.layout.turn]!} of ${s[t.layout.lastTurn]!}`,
      does: (t, s, _i, play) => closeStage(t, s, play),
    },
  },
  closes: closeStage,
  frame: {},
};

function declareEnd(t: Tables, s: State, play: Play): void {
  finish(t, s);
  if (play.narrator !== null) ends(t, s, true, play);
}
