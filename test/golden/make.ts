import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { goldenFiles, ROOT } from "./files.js";

// `npm run golden -- [GAME...]`: writes rule tables and playthroughs of all games, or of those named; read the diff
// before you commit it
const ids = process.argv.slice(2);
for (const { path, text } of goldenFiles(ids.length > 0 ? ids : undefined)) {
  const file = join(ROOT, path);
  const now = text();
  const same = existsSync(file) && readFileSync(file, "utf8") === now;
  if (!same) {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, now);
  }
  console.log(`${same ? "same   " : "written"} ${path}`);
}
