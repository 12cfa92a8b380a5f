#!/usr/bin/env node
// Starts the command line from TypeScript source, from any folder, without a build.
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

let register;
try {
  ({ register } = await import("tsx/esm/api"));
} catch {
  const here = fileURLToPath(new URL("../../", import.meta.url));
  const remedy = existsSync(`${here}package-lock.json`) ? `run npm ci in ${here}` : "install the package again";
  process.stderr.write(`kessel: its libraries are not installed; ${remedy}\n`);
  process.exit(2);
}
register({ tsconfig: fileURLToPath(new URL("../../tsconfig.json", import.meta.url)) });
const { start } = await import("./run.ts");
await start();
