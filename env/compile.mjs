// Compiles the TypeScript sources into JavaScript, once for each state of the sources. `source.mjs` loads what comes out.
import { createHash, randomBytes } from "node:crypto";
import * as fs from "node:fs";
import { homedir } from "node:os";
import { dirname, join, relative, resolve } from "node:path";

/** Folders of sources, below the top of the checkout. */
const FOLDERS = ["env", "agents", "training", "server"];
/** Rooms without sources for Node.js: the page's client is bundled for browsers, the template belongs to no game yet. */
const NOT_COMPILED = ["server/page/client", "server/python", "server/cli/new-game/template"];
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
  const hash = createHash("sha1").update(`${root}\n`);
  const note = (file, { size, mtimeMs }) => hash.update(`${file} ${size} ${mtimeMs}\n`);
  const visit = (folder) => {
    for (const entry of fs.readdirSync(join(root, folder), { withFileTypes: true })) {
      const path = `${folder}/${entry.name}`;
      if (entry.isDirectory()) {
        if (!NOT_COMPILED.includes(path)) visit(path);
      } else if (entry.name.endsWith(".ts")) {
        files.push(path);
        note(path, fs.statSync(join(root, path)));
      }
    }
  };
  for (const folder of tests ? [...FOLDERS, "test"] : FOLDERS) visit(folder);
  for (const own of ["env/compile.mjs", "node_modules/esbuild/package.json"]) note(own, fs.statSync(join(root, own)));
  return { files, hash: hash.digest("hex").slice(0, 16) };
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
  for (const cache of caches(root)) {
    const folder = join(cache, hash);
    if (isWhole(folder)) {
      touch(folder);
      return folder;
    }
    try {
      await compileInto(root, cache, folder, files);
    } catch (e) {
      problems.push(`${cache}: ${e.message.split("\n")[0]}`);
      if (e.errors !== undefined) break; // esbuild refuses a source: another folder does not help
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

/** True if every file of a compiled tree is there with its size: a copy may be cut off, or a disk full. */
function isWhole(folder) {
  try {
    const { sizes } = JSON.parse(fs.readFileSync(join(folder, MANIFEST), "utf8"));
    return Object.entries(sizes).every(([file, size]) => fs.statSync(join(folder, file)).size === size);
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
  fs.mkdirSync(cache, { recursive: true, mode: 0o700 });
  const made = join(cache, `making-${process.pid}-${randomBytes(4).toString("hex")}`);
  try {
    await compileTree(root, files, made, folder);
    // packages are looked for in the folders above a module
    if (!folder.startsWith(root)) fs.symlinkSync(join(root, "node_modules"), join(made, "node_modules"), "junction");
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
    logLevel: "silent",
    write: false,
  });
  const sizes = {};
  for (const { path, text } of outputFiles) {
    const file = relative(out, path).replaceAll("\\", "/");
    const to = join(out, file);
    const content = file.endsWith(".js") ? linked(text, root, file, dirname(join(place, file))) : text;
    fs.mkdirSync(dirname(to), { recursive: true });
    fs.writeFileSync(to, content);
    sizes[file] = Buffer.byteLength(content);
  }
  fs.writeFileSync(join(out, "package.json"), '{"type":"module"}\n');
  fs.writeFileSync(join(out, MANIFEST), JSON.stringify({ sizes }));
}

/** An import of names from a module of ours, as esbuild prints it. */
const NAMES = /^import \{([^}]*)\} from "(\.[^"]+)";/gm;
/** An import of a data file, as esbuild prints it. */
const DATA = /^import (\w+) from "(\.[^"]+\.json)" with \{ type: "json" \};/gm;
/** The address of a module that is JavaScript as it is. */
const SCRIPT = /\bfrom "(\.[^"]+\.mjs)"/g;

/**
 * A compiled module with four changes, none of which moves a line:
 * - `import.meta.url` and `import.meta.dirname` are those of the source, so that files beside the source are found;
 * - a `.mjs` module is imported from beside the source: it is not compiled;
 * - a data file is read from beside the source, since Node.js 20 warns of JSON modules;
 * - imported names become constants of the module. V8 reads those faster than imports: Night Fight plays a third
 *   faster. No module of ours imports itself through others, so every import has its value by then.
 */
function linked(text, root, file, folder) {
  const source = join(root, file.replace(/\.js$/, ".ts"));
  const address = (path) => relative(folder, path).split(/[\\/]/).map(encodeURIComponent).join("/");
  let head = "";
  let code = text.replace(DATA, (_, name, path) => {
    const at = JSON.stringify(address(resolve(dirname(source), path)));
    return `const ${name} = data$(new URL(${at}, import.meta.url$));`;
  });
  if (code !== text) head += `import { data as data$ } from "${address(join(root, "env/source.mjs"))}"; `;
  code = code.replace(SCRIPT, (_, path) => `from "${address(resolve(dirname(source), path))}"`);
  code = code.replace(NAMES, (whole, list, from) => {
    const names = list
      .split(",")
      .map((name) => name.trim())
      .filter((name) => name !== "")
      .map((name) => name.split(" as "))
      .map(([name, own = name]) => ({ name, own }));
    const lines = "\n".repeat(whole.split("\n").length - 1);
    if (names.length === 0) return lines; // of types alone
    const imports = names.map(({ name, own }) => `${name} as ${own}$`).join(", ");
    return `import { ${imports} } from "${from}"; const ${names.map(({ own }) => `${own} = ${own}$`).join(", ")};${lines}`;
  });
  if (/\bimport\.meta\.url\b(?!\$)/.test(code)) {
    head += `const source$ = new URL(${JSON.stringify(address(source))}, import.meta.url$).href; `;
    code = code.replace(/\bimport\.meta\.url\b(?!\$)/g, "source$");
  }
  if (code.includes("import.meta.dirname")) {
    const to = JSON.stringify(address(dirname(source)));
    head += `import { fileURLToPath as path$ } from "node:url"; const folder$ = path$(new URL(${to}, import.meta.url$)); `;
    code = code.replaceAll("import.meta.dirname", "folder$");
  }
  return (head + code).replaceAll("import.meta.url$", "import.meta.url");
}
