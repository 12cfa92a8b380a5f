// `node env/run.mjs FILE.ts [ARGUMENTS]` runs a TypeScript file of this checkout, compiled.
import { resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { load } from "./source.mjs";

const file = resolve(process.argv[2] ?? "");
const games = new URL("../test/all-games.ts", import.meta.url);
// scripts of the tests find all games loaded, as tests do
if (file.startsWith(fileURLToPath(new URL(".", games)))) await load(games);
process.argv.splice(1, 2, file);
await load(pathToFileURL(file));
