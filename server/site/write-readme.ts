/**
 * Writes the README's table of games and its credits from the games' own data, and tables of other pages from figures
 * that are kept beside the models: `npm run reports -- readme`.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { GAMES, importGames } from "../../env/index.js";
import { withGames, withTable } from "../cli/readme.js";
import { measuredTables } from "./measured-tables.js";

const at = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const rewrite = (path: string, change: (text: string) => string): void =>
  writeFileSync(at(path), change(readFileSync(at(path), "utf8")));

await importGames();
rewrite("README.md", (text) => withGames(text, GAMES));
for (const { page, name, rows } of measuredTables()) rewrite(page, (text) => withTable(text, name, rows));
