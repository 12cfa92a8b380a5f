import { closeSync, openSync, rmSync } from "node:fs";
import { lock, unlock } from "../../../server/session/lock.js";

// Locks and unlocks a path again and again, and prints how often another process was inside with it:
// `node env/run.mjs lock-child.ts PATH TIMES`.

const [path, times] = process.argv.slice(2) as [string, string];
let [inside, together] = [0, 0];
while (inside < Number(times)) {
  try {
    lock(path, "x");
  } catch {
    continue; // the other one has it
  }
  try {
    closeSync(openSync(`${path}.inside`, "wx"));
    rmSync(`${path}.inside`);
  } catch {
    together++;
  }
  inside++;
  unlock(path);
}
process.stdout.write(`${together}\n`);
