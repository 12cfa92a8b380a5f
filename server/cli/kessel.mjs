#!/usr/bin/env node
// Starts the command line from any folder: TypeScript source in a checkout, JavaScript in an installed package.
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

let load;
try {
  ({ load } = await import("../../env/source.mjs"));
} catch {
  const here = fileURLToPath(new URL("../../", import.meta.url));
  const remedy = existsSync(`${here}package-lock.json`) ? `run npm ci in ${here}` : "install the package again";
  process.stderr.write(`kessel: its libraries are not installed; ${remedy}\n`);
  process.exit(2);
}
const { start } = await load(new URL("./run.ts", import.meta.url));
await start();
