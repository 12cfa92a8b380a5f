import { type Choice, type Findings, Judge, type Verdict } from "./judge.js";
import type { Mutant } from "./mutant.js";

// A child process that judges mutants: it can be ended when one of them eats all memory or never ends.

/** First message: what to judge. There is no answer. */
export interface Start {
  readonly root: string;
  readonly game: string;
  /** Tests that take longer, in ms, are left out. */
  readonly slow?: number;
}

/** Runs a share of the proofs without a mutant; the answer is `Measured`. */
export interface Measure {
  readonly part: number;
  readonly parts: number;
}
export type Measured =
  { readonly findings: Findings; readonly leftOut: readonly string[] } | { readonly error: string };

/** What was found without a mutant; the answer is true. */
export interface Adopt {
  readonly findings: Findings;
}

/** Every later message; the answer is a `Verdict`. */
export interface Task {
  readonly mutant: Mutant;
  readonly start: number;
  readonly text: string;
  readonly choice: Choice;
}

let judge: Judge | null = null;

function answer(message: Measure | Adopt | Task): Measured | Verdict | true {
  if ("parts" in message)
    try {
      judge!.measure(message.part, message.parts);
      return { findings: judge!.findings, leftOut: [...judge!.leftOut].map(([test, why]) => `${test}: ${why}`) };
    } catch (e) {
      return { error: e instanceof Error ? e.message : String(e) };
    }
  if ("findings" in message) {
    judge!.adopt(message.findings);
    return true;
  }
  const { mutant, start, text, choice } = message;
  return judge!.judge({ ...mutant, start, text: () => text }, choice);
}

process.on("message", (message: Start | Measure | Adopt | Task) => {
  if ("root" in message) judge = new Judge(message.root, message.game, message.slow);
  else process.send!(answer(message));
});
process.on("disconnect", () => process.exit());
