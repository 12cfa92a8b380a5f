// `node env/run.mjs FILE.ts [ARGUMENTS]` runs a TypeScript file of this checkout, compiled.
// `node env/run.mjs GROUP [NAME] [ARGUMENTS]` runs a program of a group in scripts.json, as `npm run GROUP -- NAME` does;
// the first of the group when no name is given.
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { load } from "./source.mjs";

const [wanted = "", name] = process.argv.slice(2);
const groups = () => JSON.parse(readFileSync(new URL("scripts.json", import.meta.url), "utf8"));
const group = wanted.endsWith(".ts") ? null : (groups()[wanted] ?? null);
const named = group !== null && name !== undefined && Object.hasOwn(group, name);
if (group !== null && !named && (name === undefined || name.startsWith("-") || name === "help")) {
  process.stderr.write(`npm run ${wanted} -- NAME, where NAME is one of ${Object.keys(group).join(", ")}\n`);
  process.exit(name === "--help" || name === "help" ? 0 : 2);
}
const file =
  group === null
    ? resolve(wanted)
    : fileURLToPath(new URL(`../${named ? group[name] : Object.values(group)[0]}`, import.meta.url));
const games = new URL("../test/all-games.ts", import.meta.url);
// scripts of the tests find all games loaded, as tests do
if (file.startsWith(fileURLToPath(new URL(".", games)))) await load(games);
process.argv.splice(1, named ? 3 : 2, file);
await load(pathToFileURL(file)).catch((e) => {
  const isOption = String(e.code).startsWith("ERR_PARSE_ARGS_");
  if (!isOption && (e.name !== "KesselError" || e.code === "internal")) throw e;
  process.stderr.write(`${e.message}\n`); // a mistake of the caller
  process.exitCode = 2;
});
