// Compiles the TypeScript sources into JavaScript, once for each state of the sources. `source.mjs` loads what comes out.
import { createHash, randomBytes } from "node:crypto";
import * as fs from "node:fs";
import { homedir } from "node:os";
import { dirname, join, posix, relative, resolve } from "node:path";

/** Folders of sources, below the top of the checkout. */
const FOLDERS = ["env", "agents", "training", "server"];
/** Rooms without sources for Node.js: the page's client is bundled for browsers, the template belongs to no game yet. */
const NOT_COMPILED = ["server/page/client", "server/python", "server/cli/new-game/template"];
/** Packages of many modules, which load in half the time as one file each. */
const BUNDLED =
  /^(?:zod|commander|@modelcontextprotocol\/sdk\/server\/(?:mcp|stdio)\.js|@modelcontextprotocol\/sdk\/types\.js)$/;
const MANIFEST = "manifest.json";
/** Compiled trees that are kept in a cache, and how long an older one is left to the processes that may still run from it. */
const KEPT = 6;
const KEPT_MS = 24 * 3600 * 1000;

/**
 * The sources and what they look like now.
 *
 * @param {string} root top of the checkout
 * @param {boolean} tests also compile the tests
 * @returns {{ files: string[], hash: string }} paths relative to `root`; a hash of `root`, names, sizes and times
 */
export function readSources(root, tests) {
  const files = [];
  let seen = `${root}\n`;
  const note = (file, { size, mtimeMs }) => (seen += `${file} ${size} ${mtimeMs}\n`);
  // every start does this: plain addition of paths takes a third of the time of `join`
  const at = (path) => `${root}/${path}`;
  const visit = (folder) => {
    for (const entry of fs.readdirSync(at(folder), { withFileTypes: true })) {
      const path = `${folder}/${entry.name}`;
      if (entry.isDirectory()) {
        if (!NOT_COMPILED.includes(path)) visit(path);
      } else if (entry.name.endsWith(".ts")) {
        files.push(path);
        note(path, fs.statSync(at(path)));
      }
    }
  };
  for (const folder of tests ? [...FOLDERS, "test"] : FOLDERS) visit(folder);
  for (const own of ["env/compile.mjs", "tsconfig.json", "node_modules/.package-lock.json"])
    note(own, fs.statSync(at(own), { throwIfNoEntry: false }) ?? { size: 0, mtimeMs: 0 });
  return { files, hash: createHash("sha1").update(seen).digest("hex").slice(0, 16) };
}

/**
 * The folder of the compiled sources, compiled first where that is needed.
 *
 * @param {string} root top of the checkout
 * @param {boolean} tests also compile the tests
 * @param {(line: string) => void} warn gets a line when the usual folder cannot be used
 * @returns {Promise<string | null>} null where nothing can be compiled
 */
export async function compiledFolder(root, tests, warn) {
  const { files, hash } = readSources(root, tests);
  const problems = [];
  for (const path of caches(root)) {
    const cache = real(path);
    const folder = join(cache, hash);
    if (isWhole(folder)) {
      touch(folder);
      return folder;
    }
    try {
      await compileInto(root, cache, folder, files);
    } catch (e) {
      const [refused] = e.errors ?? [];
      if (refused !== undefined) {
        const { file, line } = refused.location ?? {};
        warn(`cannot compile ${file}:${line}: ${refused.text}; running the sources through tsx, which starts slower`);
        return null; // another folder would not help
      }
      problems.push(`${cache}: ${e.message.split("\n")[0]}`);
      continue;
    }
    if (problems.length > 0) warn(`cannot keep compiled code in ${problems.join("; ")}; it is in ${cache}`);
    prune(cache, folder);
    return folder;
  }
  warn(`cannot keep compiled code (${problems.join("; ")}); running the sources through tsx, which starts slower`);
  return null;
}

/** Folders for compiled trees: in the checkout, else the user's. */
function caches(root) {
  const user = process.env.XDG_CACHE_HOME ?? process.env.LOCALAPPDATA ?? join(homedir(), ".cache");
  return [join(root, "node_modules", ".cache", "kessel"), join(user, "kessel")];
}

/** The folder that a path leads to, made if need be: Node.js knows modules by such paths. */
function real(path) {
  try {
    fs.mkdirSync(path, { recursive: true, mode: 0o700 });
    return fs.realpathSync(path);
  } catch {
    return path; // it cannot be written to, so it is not used
  }
}

/** True if every file of a compiled tree is there with its size: a copy may be cut off, or a disk full. */
function isWhole(folder) {
  try {
    const { sizes } = JSON.parse(fs.readFileSync(join(folder, MANIFEST), "utf8"));
    return Object.entries(sizes).every(([file, size]) => fs.statSync(`${folder}/${file}`).size === size);
  } catch {
    return false;
  }
}

/** Marks a tree as used. */
function touch(folder) {
  try {
    const now = new Date();
    fs.utimesSync(folder, now, now);
  } catch {
    // read-only, so nobody prunes it either
  }
}

/** Compiles beside the place and moves the whole tree there, so that another process sees all of it or nothing. */
async function compileInto(root, cache, folder, files) {
  const made = join(cache, `making-${process.pid}-${randomBytes(4).toString("hex")}`);
  try {
    await compileTree(root, files, made, folder);
    // packages are looked for in the folders above a module; a link below the packages would be a circle
    const packages = real(join(root, "node_modules"));
    if (!folder.startsWith(join(packages, "/"))) fs.symlinkSync(packages, join(made, "node_modules"), "junction");
    if (isWhole(folder)) return; // another process was faster
    fs.rmSync(folder, { recursive: true, force: true });
    fs.renameSync(made, folder);
  } catch (e) {
    if (!isWhole(folder)) throw e;
  } finally {
    fs.rmSync(made, { recursive: true, force: true });
  }
}

/** Removes trees that nothing has used for a while. */
function prune(cache, used) {
  try {
    const others = fs
      .readdirSync(cache)
      .map((name) => join(cache, name))
      .filter((path) => path !== used)
      .map((path) => ({ path, at: fs.statSync(path).mtimeMs }))
      .sort((a, b) => b.at - a.at);
    for (const { path, at } of others.slice(KEPT - 1))
      if (Date.now() - at > KEPT_MS) fs.rmSync(path, { recursive: true, force: true });
  } catch {
    // another process prunes too
  }
}

/**
 * Compiles each source into a module of its own: names and order of modules stay as they are, so a stack, a profile and
 * the place where a module is loaded mean the same as in the sources.
 *
 * @param {string} root top of the checkout
 * @param {readonly string[]} files sources, relative to it
 * @param {string} out folder to write to
 * @param {string} place where that folder will be in the end
 */
export async function compileTree(root, files, out, place = out) {
  const { build } = await import("esbuild");
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: [...files],
    outbase: ".",
    outdir: out,
    target: "node20.10",
    format: "esm",
    sourcemap: "external",
    sourcesContent: false,
    define: { "import.meta.url": "source$", "import.meta.dirname": "folder$" },
    logLevel: "silent",
    write: false,
  });
  const packages = await bundle(root, outputFiles, out);
  const texts = new Map(outputFiles.map(({ path, text }) => [relative(out, path).replaceAll("\\", "/"), text]));
  const homes = new Homes(texts);
  const sizes = {};
  for (const [file, text] of [...texts, ...packages]) {
    const to = join(out, file);
    const own = file.endsWith(".js") && texts.has(file);
    const content = own ? linked(text, root, file, dirname(join(place, file)), homes) : text;
    fs.mkdirSync(dirname(to), { recursive: true });
    fs.writeFileSync(to, content);
    sizes[file] = Buffer.byteLength(content);
  }
  fs.writeFileSync(join(out, "package.json"), '{"type":"module"}\n');
  fs.writeFileSync(join(out, MANIFEST), JSON.stringify({ sizes }));
}

/** Where the file of a bundled package is, below the compiled tree. */
const bundleOf = (name) => `packages/${name.replace(/\.js$/, "").replaceAll("/", "-")}.js`;

/**
 * Bundles the packages that the modules import and `BUNDLED` names.
 *
 * @returns texts by file, relative to `out`
 */
async function bundle(root, modules, out) {
  const names = modules.flatMap(({ text }) => [...text.matchAll(PACKAGE)].map(([, name]) => name));
  const wanted = [...new Set(names)].filter((name) => BUNDLED.test(name));
  if (wanted.length === 0) return new Map();
  const { build } = await import("esbuild");
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: wanted.map((name) => ({ in: name, out: bundleOf(name).slice(0, -".js".length) })),
    outdir: out,
    chunkNames: "packages/[name]-[hash]",
    bundle: true,
    splitting: true,
    platform: "node",
    target: "node20.10",
    format: "esm",
    banner: { js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);' },
    logLevel: "silent",
    write: false,
  });
  return new Map(outputFiles.map(({ path, text }) => [relative(out, path).replaceAll("\\", "/"), text]));
}

/** The modules that define names, where others export them again. */
class Homes {
  constructor(texts) {
    /** By module: the names that it exports itself, and the modules all of whose names it exports again. */
    this.modules = new Map();
    for (const [file, text] of texts) {
      const names = (/\nexport \{([^}]*)\};\n*$/.exec(text)?.[1] ?? "")
        .split(",")
        .map((name) => name.trim().split(" as ").at(-1));
      const again = [...IMPORTS.exec(text)[0].matchAll(/^export \* from "(\.[^"]+)";/gm)].map(([, to]) =>
        posix.join(dirname(file), to),
      );
      this.modules.set(file, { names: new Set(names), again });
    }
  }

  /** The module that defines what `file` exports as `name`; null if none does. */
  of(file, name) {
    const module = this.modules.get(file);
    if (module === undefined) return null;
    if (module.names.has(name)) return file;
    for (const to of module.again) {
      const found = this.of(to, name);
      if (found !== null) return found;
    }
    return null;
  }
}

/** The imports and exports-again that begin a module, as esbuild prints them. */
const IMPORTS = /^(?:import\b(?:[^;"]|"[^"]*")*;\n|export \* from "[^"]*";\n|\s*\n)*/;
/** An import of names from a module of ours, as esbuild prints it. */
const NAMES = /^import \{([^}]*)\} from "(\.[^"]+)";/gm;
/** An import of a data file, as esbuild prints it. */
const DATA = /^import (\w+) from "(\.[^"]+\.json)" with \{ type: "json" \};/gm;
/** An import of a package. */
const PACKAGE = /\b(?:from |import\()"([^".][^"]*)"/g;
/** The address of a module that is JavaScript as it is. */
const SCRIPT = /\bfrom "(\.[^"]+\.mjs)"/g;

/**
 * A compiled module with six changes, none of which moves a line:
 * - `import.meta.url` and `import.meta.dirname` are those of the source, so that files beside the source are found;
 * - a bundled package is imported from its file;
 * - a `.mjs` module is imported from beside the source: it is not compiled;
 * - a data file is read from beside the source, since Node.js 20 warns of JSON modules;
 * - a name is imported from the module that defines it, not from one that exports it again, so that no other is loaded;
 * - imported names become constants of the module. V8 reads those faster than imports: Night Fight plays a third
 *   faster. No module of ours imports itself through others, so every import has its value by then.
 */
function linked(text, root, file, folder, homes) {
  const source = join(root, file.replace(/\.js$/, ".ts"));
  const address = (path) => relative(folder, path).split(/[\\/]/).map(encodeURIComponent).join("/");
  const bundled = (whole, name) =>
    BUNDLED.test(name)
      ? whole.replace(name, posix.relative(dirname(file), bundleOf(name)).replace(/^(?!\.)/, "./"))
      : whole;
  const importing = IMPORTS.exec(text)[0];
  const imports = importing
    .replace(DATA, (_, name, path) => {
      const at = JSON.stringify(address(resolve(dirname(source), path)));
      return `const ${name} = data$(new URL(${at}, import.meta.url));`;
    })
    .replace(SCRIPT, (_, path) => `from "${address(resolve(dirname(source), path))}"`)
    .replace(NAMES, (whole, list, from) => named(list, from, file, homes) + "\n".repeat(whole.split("\n").length - 1))
    .replace(PACKAGE, bundled);
  const code = text.slice(importing.length).replace(PACKAGE, bundled);
  const head = [
    ...(imports.includes("data$(")
      ? [`import { data as data$ } from "${address(join(root, "env/source.mjs"))}";`]
      : []),
    ...(code.includes("source$")
      ? [`const source$ = new URL(${JSON.stringify(address(source))}, import.meta.url).href;`]
      : []),
    ...(code.includes("folder$")
      ? [
          'import { fileURLToPath as path$ } from "node:url";',
          `const folder$ = path$(new URL(${JSON.stringify(address(dirname(source)))}, import.meta.url));`,
        ]
      : []),
  ];
  return head.join(" ") + imports + code;
}

/** An import of names, each from its home, as constants of the module. */
function named(list, from, file, homes) {
  const names = list
    .split(",")
    .map((name) => name.trim().split(" as "))
    .filter(([name]) => name !== "") // of types alone
    .map(([name, own = name]) => ({ name, own }));
  if (names.length === 0) return "";
  const byHome = new Map();
  for (const each of names) {
    const home = homes.of(posix.join(dirname(file), from), each.name);
    const path = home === null ? from : posix.relative(dirname(file), home).replace(/^(?!\.)/, "./");
    byHome.set(path, [...(byHome.get(path) ?? []), each]);
  }
  const imports = [...byHome].map(
    ([path, some]) => `import { ${some.map(({ name, own }) => `${name} as ${own}$`).join(", ")} } from "${path}";`,
  );
  return `${imports.join(" ")} const ${names.map(({ own }) => `${own} = ${own}$`).join(", ")};`;
}
