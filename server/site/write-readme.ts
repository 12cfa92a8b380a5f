/**
 * Writes the README's table of games and its credits from the games' own data, and the table of even games of
 * `models/README.md` from `models/balance.json`: `npm run docs -- readme`.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { GAMES, importGames } from "../../env/index.js";
import { readBalance } from "../../training/arena/balance.js";
import { withBalance, withGames } from "../cli/readme.js";

const at = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const rewrite = (path: string, change: (text: string) => string): void =>
  writeFileSync(at(path), change(readFileSync(at(path), "utf8")));

await importGames();
rewrite("README.md", (text) => withGames(text, GAMES));
const { rows } = readBalance(JSON.parse(readFileSync(at("models/balance.json"), "utf8")));
rewrite("models/README.md", (text) => withBalance(text, rows));
