import { type ChildProcess, fork } from "node:child_process";
import { join } from "node:path";
import type { Verdict } from "./judge.js";
import { type Change, mutantOf } from "./mutant.js";
import type { Start, Started, Task } from "./worker.js";

/** No mutant takes so long, in ms, unless it hangs where it can't be interrupted. */
const HOPELESS = 120_000;
/** Nor do all cases and tests without one. */
const HOPELESS_START = 900_000;

/** Judges mutants one after the other in a child process, which is started anew when a mutant ends it. */
export class Bench {
  private child: ChildProcess | null = null;
  /** Cases and tests of the game. */
  proofs = 0;
  /** Tests that are not run for mutants, with the reason. */
  leftOut: readonly string[] = [];

  constructor(private readonly start: Start) {}

  /** @throws Error when cases or tests fail without a mutant */
  async open(): Promise<void> {
    this.child = fork(join(import.meta.dirname, "worker.ts"), {
      execArgv: ["--import", "tsx", "--max-old-space-size=2048"],
    });
    const answer = await this.ask<Started>(this.start, HOPELESS_START);
    if (answer === null) throw new Error("the process that judges mutants ended at once");
    if ("error" in answer) throw new Error(answer.error);
    this.proofs = answer.proofs;
    this.leftOut = answer.leftOut;
  }

  async judge(change: Change, citing: string | null = null): Promise<Verdict> {
    if (this.child === null) await this.open();
    const task: Task = { mutant: mutantOf(change), text: change.text(), citing };
    const before = Date.now();
    const verdict = await this.ask<Verdict>(task);
    if (verdict !== null) return verdict;
    return { fate: Date.now() - before >= HOPELESS ? "timeout" : "crashed" };
  }

  close(): void {
    this.child?.kill();
    this.child = null;
  }

  /** The answer to a message; null when the process ended instead, or had to be ended. */
  private ask<T>(message: Start | Task, limit = HOPELESS): Promise<T | null> {
    const child = this.child!;
    return new Promise((done) => {
      const finish = (answer: T | null): void => {
        clearTimeout(timer);
        child.removeAllListeners();
        if (answer === null) this.close();
        done(answer);
      };
      const timer = setTimeout(() => {
        child.kill("SIGKILL");
        finish(null);
      }, limit);
      child.once("message", (answer) => finish(answer as T));
      child.once("exit", () => finish(null));
      child.send(message);
    });
  }
}
