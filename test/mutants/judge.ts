import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { Script } from "node:vm";
import type * as CaseRunner from "../../env/core/cases.js";
import type { AnyCase, GameType } from "../../env/index.js";
import { Collector, NeedsVitest, type Proof } from "./collect.js";
import { Modules } from "./modules.js";
import type { Change } from "./mutant.js";

/**
 * What became of a mutant. `refused`: the game doesn't load with it, so nobody can play it, and it counts neither way.
 */
export type Fate = "killed" | "timeout" | "crashed" | "survived" | "refused";

export interface Verdict {
  readonly fate: Fate;
  /** The first case or test that failed or ran out of time. */
  readonly killer?: string;
  /** Rules of the rule index that all failing cases cite, or the first failing test. */
  readonly rules?: readonly string[];
}

/** Least time for a proof in ms, and how many times as long as without mutant it may take. */
const PATIENCE = { least: 500, times: 30 };

/** No proof gets longer, in ms, however busy the machine is. */
const MOST = 40_000;

/** Tests that take longer, in ms, are left out: each mutant that survives would pay for them. */
const SLOW = 200;

const again = new Script("globalThis.__proof()");

/** Calls a function that may not end. @throws what it throws; Error `ERR_SCRIPT_EXECUTION_TIMEOUT` after `limit` ms */
export function within<T>(limit: number, run: () => T): T {
  const place = globalThis as { __proof?: () => T };
  place.__proof = run;
  try {
    return again.runInThisContext({ timeout: Math.ceil(limit) }) as T;
  } finally {
    delete place.__proof;
  }
}

/**
 * The same, but only time that this process really had counts: where it got none, since the machine was busy, it gets
 * twice as long. @throws what it throws, and the same error as `within`
 */
export function withinOwn<T>(limit: number, run: () => T): T {
  for (let wall = limit; ; wall *= 2) {
    const before = process.cpuUsage();
    try {
      return within(wall, run);
    } catch (e) {
      const { user, system } = process.cpuUsage(before);
      if (!ranOut(e) || (user + system) / 1000 >= limit || wall > MOST) throw e;
    }
  }
}

const ranOut = (e: unknown): boolean => (e as { code?: string } | null)?.code === "ERR_SCRIPT_EXECUTION_TIMEOUT";

/** A game's rule cases and own tests, which can be run against changes of its files. */
export class Judge {
  private readonly collector = new Collector();
  private readonly modules: Modules;
  private readonly folder: string;
  /** Milliseconds that each proof takes without a mutant, by id. */
  private readonly times = new Map<string, number>();
  /** Tests that are not run here, with the reason. */
  private readonly unfit = new Map<string, string>();
  private readonly files: readonly string[];
  private readonly cases: readonly string[];
  private loadTime = 0;

  /**
   * @param root the repository, or a toy of the same shape
   * @param game id of the game, whose files stand in `env/<game>`, `test/env/<game>` and `test/cases/<game>`
   */
  constructor(
    root: string,
    private readonly game: string,
  ) {
    this.modules = new Modules(root, { vitest: this.collector.vitest });
    this.folder = `env/${game}`;
    const below = (dir: string, end: string): string[] =>
      existsSync(join(root, dir))
        ? readdirSync(join(root, dir), { recursive: true, encoding: "utf8" })
            .filter((f) => f.endsWith(end))
            .sort()
            .map((f) => `${dir}/${f}`)
        : [];
    // the cases are run by themselves: a second time within a test file would cost as much again
    this.files = below(`test/env/${game}`, ".test.ts").filter((f) => !f.endsWith("/cases.test.ts"));
    this.cases = below(`test/cases/${game}`, ".json");
  }

  /**
   * Runs everything without a mutant.
   *
   * @returns how many cases and tests there are
   * @throws Error naming those that fail without any mutant
   */
  measure(): number {
    const start = performance.now();
    this.modules.replace(this.folder, null);
    const broken: string[] = [];
    this.type();
    this.loadTime = performance.now() - start;
    for (const proof of this.proofs()) {
      const before = performance.now();
      try {
        proof.run();
        const time = performance.now() - before;
        if (proof.isTest && time > SLOW) this.unfit.set(proof.id, "it is slow");
        else this.times.set(proof.id, time);
      } catch (e) {
        if (e instanceof NeedsVitest) this.unfit.set(proof.id, `it needs vitest (${e.message})`);
        else broken.push(`${proof.id}: ${e instanceof Error ? e.message : String(e)}`);
      }
    }
    if (broken.length > 0) throw new Error(`these fail without any mutant:\n${broken.join("\n")}`);
    return this.times.size;
  }

  /** How long each case and test took without a mutant, in ms. */
  get durations(): ReadonlyMap<string, number> {
    return this.times;
  }

  /** Tests that are left out, with the reason. */
  get leftOut(): ReadonlyMap<string, string> {
    return this.unfit;
  }

  /** @param citing run only what cites this rule; without it everything */
  judge(change: Change, citing: string | null = null): Verdict {
    this.modules.replace(this.folder, { file: change.file, text: change.text() });
    try {
      withinOwn(this.limit(this.loadTime), () => this.type());
    } catch (e) {
      return ranOut(e) ? { fate: "timeout", killer: "the game's loading" } : { fate: "refused" };
    }
    const known = new Set(Object.keys(this.type().rules));
    const rules = new Set<string>();
    let killer: string | null = null;
    for (const proof of this.proofs()) {
      if (this.unfit.has(proof.id) || (citing !== null && !proof.rules.includes(citing))) continue;
      if (killer !== null && proof.isTest) break;
      try {
        withinOwn(this.limit(this.times.get(proof.id) ?? 0), () => proof.run());
      } catch (e) {
        killer ??= proof.id;
        for (const r of proof.rules) if (known.has(r)) rules.add(r);
        if (ranOut(e)) return { fate: "timeout", killer: proof.id, rules: [...rules] };
      }
    }
    return killer === null ? { fate: "survived" } : { fate: "killed", killer, rules: [...rules] };
  }

  private limit(usual: number): number {
    return Math.max(PATIENCE.least, usual * PATIENCE.times);
  }

  /** The game as it is now. @throws what its files or its data checks throw */
  private type(): GameType {
    const { [exportOf(this.game)]: type } = this.modules.load(`${this.folder}/index.ts`) as Record<string, GameType>;
    const options = Object.fromEntries(type!.options.map((o) => [o.id, o.default]));
    type!.load(options, type!.data);
    return type!;
  }

  /** Cases, then tests. */
  private *proofs(): Generator<Proof> {
    const type = this.type();
    const { parseCases, runCase } = this.modules.load("env/core/cases.ts") as typeof CaseRunner;
    for (const file of this.cases) {
      const cases: AnyCase[] = parseCases(this.modules.load(file), file);
      for (const rc of cases)
        yield {
          id: rc.id,
          isTest: false,
          rules: type.rules[rc.rule] === undefined ? rc.rule.split(", ") : [rc.rule],
          run: () => {
            const failures = runCase(type, rc);
            if (failures.length > 0) throw new Error(failures.join("; "));
          },
        };
    }
    for (const file of this.files) yield* this.testsOf(file);
  }

  /** Tests of a file; one that fails when the file itself can't be evaluated. */
  private testsOf(file: string): Proof[] {
    try {
      return withinOwn(this.limit(10 * this.loadTime), () => this.collector.of(file, () => this.modules.load(file)));
    } catch (e) {
      return [
        {
          id: file,
          isTest: true,
          rules: [],
          run: () => {
            throw e;
          },
        },
      ];
    }
  }
}

/** `pocket-stalingrad` exports its type as `pocketStalingrad`. */
const exportOf = (game: string): string => game.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
