import { type ChildProcess, fork } from "node:child_process";
import { join } from "node:path";
import type { Choice, Findings, Known, Verdict } from "./judge.js";
import { type Change, mutantOf } from "./mutant.js";
import type { Adopt, Measure, Measured, Start, Task } from "./worker.js";

/**
 * No mutant takes longer than this, in ms, beside what the proofs take, unless it hangs where it can't be interrupted.
 */
const HOPELESS = 120_000;
/** Nor do all cases and tests without one. */
const HOPELESS_START = 1_800_000;
/** How many times as long the proofs may take beside other processes. */
const BUSY = 20;

/** Judges mutants one after the other in a child process, which is started again when a mutant ends it. */
class Worker {
  private child: ChildProcess | null = null;
  private limit = HOPELESS;

  constructor(
    private readonly start: Start,
    private findings: Findings | null = null,
  ) {}

  /** Runs a share of the proofs. @throws Error when some fail without a mutant */
  async measure(part: number, parts: number): Promise<Exclude<Measured, { error: string }>> {
    this.begin();
    const answer = await this.ask<Measured>({ part, parts }, HOPELESS_START);
    if (answer === null)
      throw new Error(
        `the process that runs cases and tests without a mutant ended, or took longer than ${HOPELESS_START / 60_000} minutes`,
      );
    if ("error" in answer) throw new Error(answer.error);
    return answer;
  }

  async adopt(findings: Findings): Promise<void> {
    this.findings = findings;
    this.limit = HOPELESS + BUSY * findings.proofs.reduce((sum, { time }) => sum + time, 0);
    if (this.child === null) this.begin();
    await this.ask<true>({ findings }, HOPELESS_START);
  }

  async judge(change: Change, choice: Choice): Promise<Verdict> {
    if (this.child === null) await this.adopt(this.findings!);
    const task: Task = { mutant: mutantOf(change), start: change.start, text: change.text(), choice };
    const before = Date.now();
    const verdict = await this.ask<Verdict>(task, this.limit);
    if (verdict !== null) return verdict;
    return { fate: Date.now() - before >= this.limit ? "timeout" : "crashed" };
  }

  close(): void {
    this.child?.kill();
    this.child = null;
  }

  private begin(): void {
    this.child = fork(join(import.meta.dirname, "worker.ts"), {
      execArgv: ["--import", "tsx", "--max-old-space-size=2048", "--max-semi-space-size=64"],
      serialization: "advanced",
    });
    this.child.send(this.start);
  }

  /** The answer to a message; null when the process ended instead, or had to be ended. */
  private ask<T>(message: Measure | Adopt | Task, limit: number): Promise<T | null> {
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

/** Judges mutants in several processes at once. */
export class Bench {
  private readonly workers: readonly Worker[];
  private readonly free: Worker[];
  private readonly waiting: ((worker: Worker) => void)[] = [];
  /** Cases and tests of the game. */
  proofs: readonly Known[] = [];
  /** Tests that are not run for mutants, with the reason. */
  leftOut: readonly string[] = [];

  constructor(
    start: Start,
    readonly size: number,
  ) {
    this.workers = Array.from({ length: size }, () => new Worker(start));
    this.free = [...this.workers];
  }

  /** @throws Error when cases or tests fail without a mutant */
  async open(): Promise<void> {
    const measured = await Promise.all(this.workers.map((w, i) => w.measure(i, this.size)));
    this.proofs = measured.flatMap(({ findings }) => findings.proofs);
    this.leftOut = measured.flatMap(({ leftOut }) => leftOut);
    const findings = { proofs: this.proofs, always: measured[0]!.findings.always };
    await Promise.all(this.workers.map((w) => w.adopt(findings)));
  }

  /** Waits for a free process. */
  async judge(change: Change, choice: Choice = {}): Promise<Verdict> {
    const worker = this.free.pop() ?? (await new Promise<Worker>((got) => this.waiting.push(got)));
    try {
      return await worker.judge(change, choice);
    } finally {
      const next = this.waiting.shift();
      if (next === undefined) this.free.push(worker);
      else next(worker);
    }
  }

  close(): void {
    for (const worker of this.workers) worker.close();
  }
}
