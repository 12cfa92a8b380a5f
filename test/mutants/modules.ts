import { existsSync, readFileSync } from "node:fs";
import { createRequire, isBuiltin } from "node:module";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { Script } from "node:vm";
import { transformSync } from "esbuild";

type Wrapper = (module: { exports: unknown }, exports: unknown, load: (to: string) => unknown, url: string) => void;

interface Unit {
  /** Compiled text; null for data. */
  readonly wrapper: Wrapper | null;
  readonly text: string;
  /** Files that it imported when it was last evaluated. */
  readonly imports: Set<string>;
}

const requirePackage = createRequire(import.meta.url);

/**
 * Loads the repository's sources in this process, each compiled once, so that one file can be put in another's place
 * and what depends on it be evaluated anew in some milliseconds, module constants included. Modules that don't depend
 * on the folder under test are evaluated once.
 */
export class Modules {
  private readonly units = new Map<string, Unit>();
  private readonly evaluated = new Map<string, { exports: unknown }>();
  private replaced: { file: string; text: string } | null = null;

  /**
   * @param root folder that file names are relative to
   * @param stand modules that stand in a package's place
   */
  constructor(
    private readonly root: string,
    private readonly stand: Readonly<Record<string, unknown>> = {},
  ) {}

  /** What a file exports. @throws whatever it throws when evaluated */
  load(file: string): unknown {
    const known = this.evaluated.get(file);
    if (known !== undefined) return known.exports;
    const module: { exports: unknown } = { exports: {} };
    this.evaluated.set(file, module);
    try {
      const text = this.replaced?.file === file ? this.replaced.text : null;
      const unit = this.unitOf(file);
      if (unit.wrapper === null) module.exports = JSON.parse(text ?? unit.text);
      else {
        const wrapper = text === null ? unit.wrapper : compile(file, text);
        wrapper(module, module.exports, (to) => this.resolve(file, to), pathToFileURL(join(this.root, file)).href);
      }
    } catch (e) {
      this.evaluated.delete(file);
      throw e;
    }
    return module.exports;
  }

  /**
   * Puts `text` in the place of a file (null: the file itself again) and forgets what depends on `folder`, to be
   * evaluated anew by the next `load`.
   */
  replace(folder: string, change: { file: string; text: string } | null): void {
    this.replaced = change;
    for (const file of this.dependants(folder)) this.evaluated.delete(file);
  }

  /** Files that stand in a folder or import, over any number of steps, one that does. */
  private dependants(folder: string): Set<string> {
    const found = new Set([...this.units.keys()].filter((f) => f.startsWith(`${folder}/`)));
    for (let before = -1; before !== found.size;) {
      before = found.size;
      for (const [file, { imports }] of this.units)
        if (!found.has(file) && [...imports].some((i) => found.has(i))) found.add(file);
    }
    return found;
  }

  private resolve(from: string, to: string): unknown {
    if (to in this.stand) return this.stand[to];
    if (!to.startsWith(".") || isBuiltin(to)) return requirePackage(to);
    const path = join(dirname(from), to);
    const source = path.replace(/\.js$/, ".ts");
    const file = existsSync(join(this.root, source)) ? source : path;
    this.units.get(from)!.imports.add(file);
    return this.load(file);
  }

  private unitOf(file: string): Unit {
    const known = this.units.get(file);
    if (known !== undefined) return known;
    const text = readFileSync(join(this.root, file), "utf8");
    const unit = { text, wrapper: file.endsWith(".json") ? null : compile(file, text), imports: new Set<string>() };
    this.units.set(file, unit);
    return unit;
  }
}

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
