import { Judge, type Verdict } from "./judge.js";
import type { Mutant } from "./mutant.js";

// A child process that judges mutants: it can be ended when one of them eats all memory or never ends.

/** First message: what to judge. The answer is how many proofs there are, or why they can't be run. */
export interface Start {
  readonly root: string;
  readonly game: string;
}
export type Started = { readonly proofs: number; readonly leftOut: readonly string[] } | { readonly error: string };

/** Every later message; the answer is a `Verdict`. */
export interface Task {
  readonly mutant: Mutant;
  readonly text: string;
  /** Run only what cites this rule; null: everything. */
  readonly citing: string | null;
}

let judge: Judge | null = null;

function answer(message: Start | Task): Started | Verdict {
  if ("root" in message) {
    judge = new Judge(message.root, message.game);
    try {
      return { proofs: judge.measure(), leftOut: [...judge.leftOut].map(([test, why]) => `${test}: ${why}`) };
    } catch (e) {
      return { error: e instanceof Error ? e.message : String(e) };
    }
  }
  return judge!.judge({ ...message.mutant, text: () => message.text }, message.citing);
}

process.on("message", (message) => process.send!(answer(message as Start | Task)));
