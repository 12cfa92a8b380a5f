// Loads a module of ours by the address of its source. A checkout compiles its sources once (compile.mjs); a package
// carries them compiled.
import { existsSync, readFileSync } from "node:fs";
import { SourceMap } from "node:module";
import { join, relative } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { getEnvironmentData, setEnvironmentData } from "node:worker_threads";

const root = fileURLToPath(new URL("../", import.meta.url));
/** Where `server/package` puts the compiled tree of a package. */
const READY = join(root, "compiled");
/** What the threads of a process are told: they run what the process runs, though a source may have changed since. */
const TOLD = `kessel.compiled ${root}`;

/**
 * The compiled modules that this process runs.
 *
 * @type {{ readonly folder: string | null, readonly tests: boolean } | null} `folder` null: tsx runs the sources
 */
let tree = getEnvironmentData(TOLD) ?? null;

/**
 * @param {boolean} tests also compile the tests
 * @returns {Promise<string | null>} folder of the compiled modules
 */
async function folderOf(tests) {
  if (existsSync(READY)) return READY;
  if (tree === null || (tests && !tree.tests)) {
    const { compiledFolder } = await import("./compile.mjs");
    const folder = await compiledFolder(root, tests, (line) => process.stderr.write(`kessel: ${line}\n`));
    tree = { folder, tests };
    setEnvironmentData(TOLD, tree);
  }
  return tree.folder;
}

/**
 * The address of a module to import, or to start a thread with.
 *
 * @param {string | URL} source address of the TypeScript source
 * @returns {Promise<string>} address of the compiled module
 */
export async function compiled(source) {
  const file = relative(root, fileURLToPath(source)).replaceAll("\\", "/");
  if (file.startsWith("..") || !file.endsWith(".ts")) return String(source); // somebody else's, or JavaScript
  const folder = await folderOf(file.startsWith("test/"));
  if (folder === null) {
    const { register } = await import("tsx/esm/api");
    register({ tsconfig: join(root, "tsconfig.json") });
    return String(source);
  }
  mapStacks(folder);
  return pathToFileURL(join(folder, file.replace(/\.ts$/, ".js"))).href;
}

/** Folder of the compiled modules that this process runs; null while there is none. */
export const compiledFolder = () => (existsSync(READY) ? READY : (tree?.folder ?? null));

/** Imports a module by the address of its source, which ends with `.ts`. */
export const load = async (source) => import(await compiled(source));

const read = new Map();

/** The content of a data file, read once a thread. Compiled modules call it.
 * @public */
export function data(url) {
  let content = read.get(url.href);
  if (content === undefined) read.set(url.href, (content = JSON.parse(readFileSync(url, "utf8"))));
  return content;
}

let mapped = null;

/** Has stacks name the lines of the sources. Maps are read when somebody looks at a stack. */
function mapStacks(folder) {
  if (mapped !== null) return;
  mapped = folder;
  const maps = new Map();
  const place = new RegExp(
    `${pathToFileURL(`${folder}/`).href.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}([^:?]+\\.js)(?:\\?\\d+)?:(\\d+):(\\d+)`,
    "g",
  );
  const original = (whole, file, line, column) => {
    try {
      if (!maps.has(file))
        maps.set(file, new SourceMap(JSON.parse(readFileSync(join(folder, `${decodeURI(file)}.map`), "utf8"))));
      const entry = maps.get(file).findEntry(line - 1, column - 1);
      const source = pathToFileURL(join(root, decodeURI(file).replace(/\.js$/, ".ts"))).href;
      return `${source}:${entry.originalLine + 1}:${entry.originalColumn + 1}`;
    } catch {
      return whole;
    }
  };
  Error.prepareStackTrace = (error, frames) =>
    [String(error), ...frames.map((frame) => `    at ${frame}`.replace(place, original))].join("\n");
}
