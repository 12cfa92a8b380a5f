// `node env/run.mjs FILE.ts [ARGUMENTS]` runs a TypeScript file of this checkout, compiled.
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { load } from "./source.mjs";

const file = resolve(process.argv[2] ?? "");
process.argv.splice(1, 2, file);
await load(pathToFileURL(file));
