/** Builds the documentation site in dist/site/html: `npm run docs`. */
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { importHeuristics } from "../../agents/heuristics/index.js";
import { gameIds, importGames } from "../../env/index.js";
import { writePages } from "./write-pages.js";

const HERE = fileURLToPath(new URL(".", import.meta.url));
const SITE = fileURLToPath(new URL("../../dist/site/", import.meta.url));

/** Installs VitePress in dist/site if it is missing, so that `npm ci` of the repository does not install it. */
function install(): void {
  const lock = join(SITE, "package-lock.json");
  const wanted = readFileSync(join(HERE, "package-lock.json"), "utf8");
  const ready = existsSync(join(SITE, "node_modules/vitepress")) && existsSync(lock);
  if (ready && readFileSync(lock, "utf8") === wanted) return;
  mkdirSync(SITE, { recursive: true });
  for (const file of ["package.json", "package-lock.json"]) cpSync(join(HERE, file), join(SITE, file));
  run("npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--prefix", SITE]);
}

function run(program: string, args: readonly string[]): void {
  const { status } = spawnSync(program, args, { cwd: SITE, stdio: ["ignore", "inherit", "inherit"] });
  if (status !== 0) process.exit(status ?? 1);
}

const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: name } = process.env;
await importGames();
await Promise.all(gameIds().map(importHeuristics));
writePages(SITE, server === undefined || name === undefined ? null : `${server}/${name}`);
rmSync(join(SITE, ".vitepress"), { recursive: true, force: true });
cpSync(join(HERE, "vitepress"), join(SITE, ".vitepress"), { recursive: true });
install();
run(process.execPath, [join(SITE, "node_modules/vitepress/bin/vitepress.js"), "build", "."]);
console.log(`${join(SITE, "html")}: built; npx kessel docs opens it`);
