import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { goldenFiles, ROOT } from "./files.js";

// `npm run golden`: writes the rule tables and the playthroughs of every game anew; read the diff before you commit it
for (const { path, text } of goldenFiles()) {
  const file = join(ROOT, path);
  const now = text();
  const same = existsSync(file) && readFileSync(file, "utf8") === now;
  if (!same) {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, now);
  }
  console.log(`${same ? "same   " : "written"} ${path}`);
}
