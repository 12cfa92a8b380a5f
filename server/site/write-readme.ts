/** Writes the README's table of games and its credits from the games' own data: `npm run docs -- readme`. */
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { GAMES, importGames } from "../../env/index.js";
import { withGames } from "../cli/readme.js";

const file = fileURLToPath(new URL("../../README.md", import.meta.url));
await importGames();
writeFileSync(file, withGames(readFileSync(file, "utf8"), GAMES));
