import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createRequire, isBuiltin } from "node:module";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { Script } from "node:vm";
import { transformSync } from "esbuild";
import { instrumented, type Region } from "./cover.js";
import { type TopLevel, topLevelOf } from "./top-level.js";

type Exports = Record<string, unknown>;
type Wrapper = (module: { exports: unknown }, exports: unknown, load: (to: string) => unknown, url: string) => void;

interface Unit {
  readonly text: string;
  /** Compiled text; null for data. */
  readonly wrapper: Wrapper | null;
  /** The same with a mark in each region, of files under `marked` that were first loaded with `marking`. */
  readonly marking: Wrapper | null;
  /** Files that it imported when it was last evaluated. */
  readonly imports: Set<string>;
  topLevel: TopLevel | null;
}

/** A file with marks. */
interface Marked {
  /** Number of its first region. */
  readonly first: number;
  readonly regions: readonly Region[];
  readonly text: string;
}

interface Module {
  exports: unknown;
  /** What importers hold: it stays when the file is evaluated again, and has what the file then exports. */
  face: Exports | null;
}

const requirePackage = createRequire(import.meta.url);

/**
 * Loads the repository's sources in this process, each compiled once, so that another text can be put in a file's
 * place. Then only that file is evaluated again, and those whose evaluation used it; all others go on, as fast as they
 * have become, with what it exports now.
 */
export class Modules {
  private readonly units = new Map<string, Unit>();
  private readonly evaluated = new Map<string, Module>();
  private covered: ReadonlyMap<string, Marked> | null = null;
  private replaced: { file: string; text: string; wrapper: Wrapper | null } | null = null;
  /** What was there before a text was replaced. */
  private readonly before = new Map<string, { module: Module; values: Exports }>();
  /** What `dependants` found; another file makes them old. */
  private readonly dependantsOf = new Map<string, ReadonlySet<string>>();
  /** True when files under `marked` are evaluated with marks. */
  marking = false;

  /**
   * @param root folder that file names are relative to
   * @param stand modules that replace a package
   * @param marked folder whose files can be evaluated with marks in their regions
   */
  constructor(
    private readonly root: string,
    private readonly stand: Readonly<Record<string, unknown>> = {},
    private readonly marked = "",
  ) {}

  /** The files under `marked`, with the number of their first region in `marks`. */
  get regions(): ReadonlyMap<string, Marked> {
    return (this.covered ??= this.mark());
  }

  /** Every file that was ever loaded. */
  get files(): readonly string[] {
    return [...this.units.keys()];
  }

  /** What a file exports. @throws whatever it throws when evaluated */
  load(file: string): unknown {
    const known = this.evaluated.get(file);
    if (known !== undefined) return known.face ?? known.exports;
    const module: Module = { exports: {}, face: null };
    this.evaluated.set(file, module);
    try {
      const other = this.replaced?.file === file ? this.replaced : null;
      const unit = this.unitOf(file);
      if (unit.wrapper === null) {
        module.exports = JSON.parse(other?.text ?? unit.text);
        return module.exports;
      }
      const wrapper = other?.wrapper ?? (this.marking ? unit.marking : null) ?? unit.wrapper;
      wrapper(module, module.exports, (to) => this.resolve(file, to), pathToFileURL(join(this.root, file)).href);
    } catch (e) {
      this.evaluated.delete(file);
      throw e;
    }
    if (file.endsWith(".test.ts")) return module.exports;
    module.face = this.before.get(file)?.module.face ?? Object.defineProperty({}, "__esModule", { value: true });
    return Object.assign(module.face!, module.exports);
  }

  /** Forgets a file, which the next `load` evaluates again. Nobody may have imported it. */
  forget(file: string): void {
    this.evaluated.delete(file);
  }

  /**
   * Takes back what was replaced, and forgets what was evaluated of `marked` and of what imports it over any number of
   * steps.
   */
  clear(): void {
    this.replace(null);
    const reaches = new Map<string, Set<string>>();
    const isMarked = (file: string): boolean => file.startsWith(`${this.marked}/`);
    for (const file of this.evaluated.keys())
      if (isMarked(file) || [...this.reachOf(file, reaches)].some(isMarked)) this.evaluated.delete(file);
  }

  /**
   * Puts `text` in the place of a file (null: the file itself again). Compiles at once: esbuild's service doesn't
   * survive being interrupted by a time limit. `settle` evaluates again what has to be.
   *
   * @throws Error of esbuild where the text is no TypeScript
   */
  replace(change: { file: string; text: string } | null): void {
    for (const [file, { module, values }] of this.before) {
      this.evaluated.set(file, module);
      if (module.face !== null) Object.assign(module.face, values);
    }
    this.before.clear();
    this.replaced = null;
    if (change === null) return;
    const isData = change.file.endsWith(".json");
    this.replaced = { ...change, wrapper: isData ? null : compile(change.file, change.text) };
    for (const file of this.dependants(change.file)) {
      const module = this.evaluated.get(file);
      if (module === undefined) continue;
      this.before.set(file, { module, values: { ...module.face } });
      this.evaluated.delete(file);
    }
  }

  /** Evaluates what the replaced text makes differ. @throws whatever a file throws */
  settle(): void {
    for (const file of this.before.keys()) this.load(file);
  }

  /** A file, and those whose evaluation used it or another of them; not test files, which nobody imports. */
  private dependants(file: string): ReadonlySet<string> {
    const known = this.dependantsOf.get(file);
    if (known !== undefined) return known;
    const found = new Set([file]);
    const reaches = new Map<string, Set<string>>();
    for (let before = -1; before !== found.size;) {
      before = found.size;
      for (const [other, unit] of this.units) {
        if (found.has(other) || unit.wrapper === null || other.endsWith(".test.ts")) continue;
        const { uses, calls } = (unit.topLevel ??= this.topLevel(other, unit.text));
        const hit = (i: string): boolean => found.has(i);
        const direct = [...unit.imports].some((i) => hit(i) && (i.endsWith(".json") || uses.has(i)));
        if (direct || (calls && [...this.reachOf(other, reaches)].some(hit))) found.add(other);
      }
    }
    this.dependantsOf.set(file, found);
    return found;
  }

  private topLevel(file: string, text: string): TopLevel {
    const { uses, calls } = topLevelOf(file, text);
    return { uses: new Set([...uses].filter((to) => to.startsWith(".")).map((to) => this.fileOf(file, to))), calls };
  }

  /** Files that one imports over any number of steps. */
  private reachOf(file: string, known: Map<string, Set<string>>): Set<string> {
    const done = known.get(file);
    if (done !== undefined) return done;
    const found = new Set<string>();
    const wait = [...(this.units.get(file)?.imports ?? [])];
    for (let next = wait.pop(); next !== undefined; next = wait.pop()) {
      if (found.has(next)) continue;
      found.add(next);
      wait.push(...(this.units.get(next)?.imports ?? []));
    }
    known.set(file, found);
    return found;
  }

  private resolve(from: string, to: string): unknown {
    if (to in this.stand) return this.stand[to];
    if (!to.startsWith(".") || isBuiltin(to)) return requirePackage(to);
    const file = this.fileOf(from, to);
    this.units.get(from)!.imports.add(file);
    return this.load(file);
  }

  private fileOf(from: string, to: string): string {
    const path = join(dirname(from), to);
    const source = path.replace(/\.js$/, ".ts");
    return this.units.has(source) || existsSync(join(this.root, source)) ? source : path;
  }

  private unitOf(file: string): Unit {
    const known = this.units.get(file);
    if (known !== undefined) return known;
    const text = readFileSync(join(this.root, file), "utf8");
    const wrapper = file.endsWith(".json") ? null : compile(file, text);
    const marked = this.marking ? this.regions.get(file) : undefined;
    const marking = marked === undefined ? null : compile(file, marked.text);
    const unit = { text, wrapper, marking, imports: new Set<string>(), topLevel: null };
    this.units.set(file, unit);
    this.dependantsOf.clear();
    return unit;
  }

  private mark(): ReadonlyMap<string, Marked> {
    let first = 0;
    return new Map(
      sourcesBelow(this.root, this.marked).map((file) => {
        const marked = { first, ...instrumented(file, readFileSync(join(this.root, file), "utf8"), first) };
        first += marked.regions.length;
        return [file, marked];
      }),
    );
  }
}

const sourcesBelow = (root: string, folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((f) => f.endsWith(".ts"))
    .sort()
    .map((f) => `${folder}/${f}`);

/** @throws Error of esbuild where the text is no TypeScript */
function compile(file: string, text: string): Wrapper {
  const { code } = transformSync(text, {
    loader: "ts",
    format: "cjs",
    target: "es2023",
    sourcefile: file,
    define: { "import.meta.url": "__url", "import.meta.dirname": "__dirname" },
    logLevel: "silent",
  });
  const dir = `const __dirname = require("node:path").dirname(require("node:url").fileURLToPath(__url));`;
  const usesDir = code.includes("__dirname") ? dir : "";
  return new Script(`(function (module, exports, require, __url) { "use strict"; ${usesDir}${code}\n})`, {
    filename: file,
  }).runInThisContext() as Wrapper;
}
