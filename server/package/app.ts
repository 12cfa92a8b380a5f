import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { compileTree } from "../../env/compile.mjs";
import { PAGES, RULES_SHEET, SHEETS } from "../page/bundle.js";
import { madeScript, pageScript, SCRIPTS } from "../page/script.js";
import { copyModules } from "./modules.js";

export const ROOT = fileURLToPath(new URL("../../", import.meta.url));

const FOLDERS = ["env", "agents", "training", "server", "models"];
/** Rooms that serve a checkout alone, or are the page's sources; they are made into something else, or left out. */
const ELSEWHERE = ["server/package", "server/page/client", "server/cli/new-game", "server/python", "server/site"];
const PAGE_FILES = [...PAGES, ...SHEETS, RULES_SHEET].map((name) => `server/page/client/${name}`);
const PAPERS = ["LICENSE", "README.md", "CHANGELOG.md"];

interface Package {
  readonly version: string;
  readonly [key: string]: unknown;
}

/**
 * Makes the package that runs on this platform without a registry, a compiler or an install script: the sources
 * (`kessel rule` cites them) and, in `compiled`, JavaScript of them, data, models, the page, and what they need of
 * other packages.
 *
 * @param target folder, made again from scratch
 * @returns its `package.json`
 */
export async function makeApp(target: string): Promise<Package> {
  rmSync(target, { recursive: true, force: true });
  const files = FOLDERS.flatMap((folder) => filesUnder(folder)).filter(
    (file) => !ELSEWHERE.some((room) => file.startsWith(`${room}/`)),
  );
  for (const file of [...files, ...PAGE_FILES, ...PAPERS]) put(target, file, null);
  const sources = files.filter((file) => file.endsWith(".ts"));
  await compileTree(ROOT, sources, join(target, "compiled"), join(ROOT, "compiled"));
  for (const name of SCRIPTS) put(target, join("server/page", madeScript(name)), await pageScript(name));
  const site = join(ROOT, "dist/site/html"); // `kessel docs` of the package serves it
  if (existsSync(site)) cpSync(site, join(target, "server/site/html"), { recursive: true });
  const versions = await copyModules(ROOT, sources, target);
  const about = packageFile(versions);
  put(target, "package.json", `${JSON.stringify(about, null, 2)}\n`);
  return about;
}

/** Files below a folder of the checkout, relative to its top. */
function filesUnder(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { withFileTypes: true, recursive: true })
    .filter((e) => e.isFile() && !e.parentPath.includes("__pycache__"))
    .map((e) => relative(ROOT, join(e.parentPath, e.name)).replaceAll("\\", "/"))
    .sort();
}

/** Writes a file of the package; without content, a copy of the checkout's. */
function put(target: string, file: string, content: string | Uint8Array | null): void {
  const to = join(target, file);
  mkdirSync(dirname(to), { recursive: true });
  if (content === null) cpSync(join(ROOT, file), to);
  else writeFileSync(to, content);
}

/** The package contains all that it needs, so it names this platform, and each dependency as bundled. */
function packageFile(versions: Readonly<Record<string, string>>): Package {
  const own = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as Package;
  const kept = ["name", "version", "description", "license", "type", "engines", "bin"];
  return {
    ...Object.fromEntries(kept.map((key) => [key, own[key]])),
    version: own.version,
    os: [process.platform],
    cpu: [process.arch],
    dependencies: versions,
    bundleDependencies: Object.keys(versions),
  };
}
