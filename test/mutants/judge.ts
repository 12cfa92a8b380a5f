import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { Script } from "node:vm";
import type * as CaseRunner from "../../env/core/cases.js";
import type * as HeuristicsIndex from "../../agents/heuristics/index.js";
import type { Heuristics } from "../../agents/heuristics/types.js";
import { type AnyCase, type GameData, gameIds, type GameType, type Json } from "../../env/index.js";
import type * as Registry from "../../env/registry.js";
import { Collector, NeedsVitest, type Proof } from "./collect.js";
import { marks, regionAt } from "./cover.js";
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
  /** Rules of the rule index that it cites. */
  readonly rules?: readonly string[];
}

/** What is known of a case or test from a run without a mutant. */
export interface Known {
  readonly id: string;
  /** The file that has it. */
  readonly source: string;
  readonly isTest: boolean;
  /** Rules of the rule index that it cites. */
  readonly rules: readonly string[];
  /** Milliseconds that it took. */
  readonly time: number;
  /** Regions that it entered, as bits; evaluating its test file included. */
  readonly covers: Uint8Array;
}

/** All that is known of a game's proofs. */
export interface Findings {
  readonly proofs: readonly Known[];
  /** Regions that are entered when modules are evaluated, as bits: all proofs may depend on them. */
  readonly always: Uint8Array;
}

/** Which proofs a mutant is judged by, and in which order. */
export interface Choice {
  /** Only what cites this rule. */
  readonly citing?: string | null;
  /** Ids of those that are likely to notice it, to be run first. */
  readonly first?: readonly string[];
}

/** Least time for a proof in ms, and how many times as long as without mutant it may take. */
const PATIENCE = { least: 500, times: 30 };

/** No proof gets longer, in ms, however busy the machine is. */
const MOST = 40_000;

/** Tests that take longer, in ms, are left out: each mutant that survives would pay for them. */
const SLOW = 2000;

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
  /** By id, in the order of the files. */
  private known = new Map<string, Known>();
  /** Tests that are not run here, with the reason. */
  private readonly unfit = new Map<string, string>();
  private readonly files: readonly string[];
  private readonly cases: readonly string[];
  /** Rule cases of a file: the game doesn't change how they are read. */
  private readonly parsed = new Map<string, readonly AnyCase[]>();
  /** Proofs of a file as its modules are now. */
  private readonly loaded = new Map<string, Map<string, Proof>>();
  private loadTime = 0;
  private always: Uint8Array = new Uint8Array();
  private changed: { file: string; text: string } | null = null;
  /** The game's data with the change, and the types that give it. */
  private data: GameData | null = null;
  private readonly types = new WeakSet<GameType>();
  /** The proofs, those that enter least code first. */
  private order: readonly Known[] | null = null;

  /**
   * @param root the repository, or a toy of the same shape
   * @param game id of the game, whose files are in `env/<game>`, `test/env/<game>` and `test/cases/<game>`
   * @param slow tests that take longer, in ms, are left out
   */
  constructor(
    root: string,
    private readonly game: string,
    private readonly slow = SLOW,
  ) {
    this.folder = `env/${game}`;
    this.modules = new Modules(root, { vitest: this.collector.vitest }, this.folder);
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
   * @param part share of the files to take: those whose number leaves `part` when divided by `parts`
   * @returns how many cases and tests of this share there are
   * @throws Error naming those that fail without any mutant
   */
  measure(part = 0, parts = 1): number {
    const broken: string[] = [];
    this.modules.marking = true;
    this.prepare();
    [...this.cases, ...this.files].forEach((source, i) => {
      if (i % parts === part) this.measureFile(source, broken);
    });
    this.modules.marking = false;
    this.prepare();
    if (broken.length > 0) throw new Error(`these fail without any mutant:\n${broken.join("\n")}`);
    return this.known.size;
  }

  private measureFile(source: string, broken: string[]): void {
    const { rules: index } = this.type();
    const noted = (id: string, e: unknown): void => {
      if (e instanceof NeedsVitest) this.unfit.set(id, `it needs vitest (${e.message})`);
      else if (ranOut(e)) this.unfit.set(id, "it is slow");
      else broken.push(`${id}: ${e instanceof Error ? e.message : String(e)}`);
    };
    marks.fill(0);
    this.loaded.clear();
    let proofs: Map<string, Proof>;
    try {
      proofs = this.proofsOf(source);
    } catch (e) {
      noted(source, e);
      return;
    }
    const evaluation = marks.slice();
    for (const { id, isTest, rules } of proofs.values()) {
      const { run } = this.proofsOf(source).get(id)!;
      marks.set(evaluation);
      this.data = null; // what is kept of the data's files would be made by the first proof alone
      const before = performance.now();
      try {
        withinOwn(this.slow, run);
        const time = performance.now() - before;
        const known = rules.filter((r) => index[r] !== undefined);
        this.known.set(id, { id, source, isTest, rules: known, time, covers: bitsOf(marks) });
      } catch (e) {
        noted(id, e);
        if (!ranOut(e)) continue;
        // it was stopped in the middle of something that others share
        this.clear();
        this.loaded.clear();
      }
    }
  }

  /** What `measure` found, to be taken over by others of the same files. */
  get findings(): Findings {
    return { proofs: [...this.known.values()], always: this.always };
  }

  /** Takes the place of `measure`: all that was found by others that have judged the same files. */
  adopt({ proofs, always }: Findings): void {
    this.known = new Map(proofs.map((k) => [k.id, k]));
    this.order = null;
    this.always = always;
    this.prepare();
  }

  /** Evaluates everything, so that all is compiled before any time is limited. */
  private prepare(): void {
    this.clear();
    for (const source of [...this.cases, ...this.files])
      try {
        this.proofsOf(source);
      } catch {
        // `measure` says why
      }
    if (this.modules.marking) {
      marks.fill(0);
      this.clear(); // what the heuristics import is evaluated here
      for (const file of this.modules.files) if (!file.endsWith(".test.ts")) this.modules.load(file);
      this.always = bitsOf(marks);
    }
    this.loaded.clear();
    const start = performance.now();
    this.type();
    this.loadTime = performance.now() - start;
  }

  /**
   * Evaluates everything again from here on. The registry loads no game by itself: `import()` would load it another
   * way.
   */
  private clear(): void {
    this.modules.clear();
    if (!gameIds().includes(this.game)) return; // a toy
    const { adoptGame } = this.modules.load("env/registry.ts") as typeof Registry;
    const code = (folder: string): unknown =>
      (this.modules.load(`${folder}/index.ts`) as Record<string, unknown>)[exportOf(this.game)];
    adoptGame(this.game, () => code(this.folder) as GameType);
    const { adoptHeuristics } = this.modules.load("agents/heuristics/index.ts") as typeof HeuristicsIndex;
    adoptHeuristics(this.game, code(`agents/heuristics/${this.game}`) as Heuristics);
  }

  /** Tests that are left out, with the reason. */
  get leftOut(): ReadonlyMap<string, string> {
    return this.unfit;
  }

  judge(change: Change, { citing = null, first = [] }: Choice = {}): Verdict {
    const verdict = this.tried(change, this.proofsFor(change, citing, first));
    this.replace(null);
    if (verdict.fate !== "killed" || !this.isBroken(verdict.killer!)) return verdict;
    // the mutant has left something behind that breaks proofs without it: it may not have been alone
    this.prepare();
    const again = this.tried(change, this.proofsFor(change, citing, [verdict.killer!]));
    this.prepare();
    return again;
  }

  /** True when a proof fails now without a mutant. */
  private isBroken(id: string): boolean {
    const known = this.known.get(id);
    if (known === undefined) return false;
    try {
      withinOwn(this.slow, () => this.proofsOf(known.source).get(id)!.run());
      return false;
    } catch {
      return true;
    }
  }

  private tried(change: Change, proofs: readonly Known[]): Verdict {
    try {
      this.replace({ file: change.file, text: change.text() });
      if (proofs.length === 0) return { fate: "survived" };
      withinOwn(this.limit(this.loadTime), () => {
        this.modules.settle();
        this.type();
      });
    } catch (e) {
      return ranOut(e) ? { fate: "timeout", killer: "the game's loading" } : { fate: "refused" };
    }
    for (const { id, source, rules, time } of proofs) {
      try {
        const own = withinOwn(this.limit(10 * this.loadTime), () => this.proofsOf(source).get(id));
        if (own !== undefined) withinOwn(this.limit(time), () => own.run());
      } catch (e) {
        return { fate: ranOut(e) ? "timeout" : "killed", killer: id, rules };
      }
    }
    return { fate: "survived" };
  }

  /** Those that enter the code that a change is in, the most likely to notice it first: such as enter least else. */
  private proofsFor(change: Change, citing: string | null, first: readonly string[]): Known[] {
    const covered = change.start < 0 ? undefined : this.modules.regions.get(change.file);
    const at = covered === undefined ? -1 : regionAt(covered.regions, change.start);
    const region = at < 0 ? -1 : covered!.first + at;
    const has = (bits: Uint8Array): boolean => ((bits[region >> 3] ?? 0) & (1 << (region & 7))) !== 0;
    const all = region < 0 || has(this.always);
    const enters = ({ covers }: Known): boolean => all || has(covers);
    const likely = first.map((id) => this.known.get(id)).filter((k) => k !== undefined);
    this.order ??= [...this.known.values()].sort((a, b) => entered(a) - entered(b));
    return [...new Set([...likely, ...this.order])].filter(
      (k) => (citing === null || k.rules.includes(citing)) && enters(k),
    );
  }

  private limit(usual: number): number {
    return Math.max(PATIENCE.least, usual * PATIENCE.times);
  }

  private replace(change: { file: string; text: string } | null): void {
    this.loaded.clear();
    this.data = null;
    this.changed = change;
    this.modules.replace(change);
  }

  /** The game as it is now. @throws what its files or its data checks throw */
  private type(): GameType {
    const { [exportOf(this.game)]: type } = this.modules.load(`${this.folder}/index.ts`) as Record<string, GameType>;
    this.withOwnData(type!);
    const options = Object.fromEntries(type!.options.map((o) => [o.id, o.default]));
    type!.load(options, type!.data);
    return type!;
  }

  /**
   * Has a type give data of the judge's own: with the change of a file, which games may read by other ways than
   * imports, and none that something was made of before the change.
   */
  private withOwnData(type: GameType): void {
    if (this.types.has(type)) return;
    this.types.add(type);
    const { data } = type;
    const changed = (): GameData => {
      const name = new RegExp(`^${this.folder}/data/(.*)\\.json$`).exec(this.changed?.file ?? "")?.[1];
      const own = structuredClone(data) as Record<string, Json>;
      if (name !== undefined && name in own) own[name] = JSON.parse(this.changed!.text) as Json;
      return own;
    };
    Object.defineProperty(type, "data", { get: () => (this.data ??= changed()) });
  }

  /** The cases or tests of a file, by id. @throws what the file throws when it is evaluated */
  private proofsOf(file: string): Map<string, Proof> {
    const known = this.loaded.get(file);
    if (known !== undefined) return known;
    this.modules.forget(file);
    const list = file.endsWith(".json") ? this.casesOf(file) : this.collector.of(file, () => this.modules.load(file));
    const proofs = new Map(list.map((p) => [p.id, p]));
    this.loaded.set(file, proofs);
    return proofs;
  }

  private casesOf(file: string): Proof[] {
    const type = this.type();
    const { parseCases, runCase } = this.modules.load("env/core/cases.ts") as typeof CaseRunner;
    const cases = this.parsed.get(file) ?? parseCases(this.modules.load(file), file);
    this.parsed.set(file, cases);
    return cases.map((rc) => ({
      id: rc.id,
      isTest: false,
      rules: type.rules[rc.rule] === undefined ? rc.rule.split(", ") : [rc.rule],
      run: () => {
        const failures = runCase(type, rc);
        if (failures.length > 0) throw new Error(failures.join("; "));
      },
    }));
  }
}

function bitsOf(bytes: Uint8Array): Uint8Array {
  const bits = new Uint8Array(bytes.length >> 3);
  for (let i = 0; i < bytes.length; i++) if (bytes[i] !== 0) bits[i >> 3]! |= 1 << (i & 7);
  return bits.slice(0, bits.findLastIndex((b) => b !== 0) + 1);
}

/** How many regions a proof enters. */
function entered({ covers }: Known): number {
  let n = 0;
  for (let b of covers) for (; b !== 0; b &= b - 1) n++;
  return n;
}

/** `pocket-stalingrad` exports its type as `pocketStalingrad`. */
const exportOf = (game: string): string => game.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
