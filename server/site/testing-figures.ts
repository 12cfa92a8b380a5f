import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { GAMES } from "../../env/index.js";
import { shortTitle } from "../cli/readme.js";
import { tableOf } from "./markdown.js";

const TESTS = fileURLToPath(new URL("../../test/", import.meta.url));

interface Report {
  readonly mutants: readonly { readonly fate: string }[];
}

/** A table of the rules, rule cases and mutants of each game. */
export function testingFigures(): string {
  const rows = GAMES.map((type) => {
    const rules = Object.values(type.rules);
    const done = rules.filter((rule) => rule.status !== "absent").length;
    const share = noticedOf(type.id);
    return [shortTitle(type.title), `${done} of ${rules.length}`, String(casesOf(type.id)), share];
  });
  return tableOf(["game", "rules implemented", "rule cases", "mutants noticed"], rows);
}

/** How many of the mutants that change a rule the game's tests notice. */
function noticedOf(id: string): string {
  const file = `${TESTS}mutants/${id}.json`;
  if (!existsSync(file)) return "not measured";
  const { mutants } = JSON.parse(readFileSync(file, "utf8")) as Report;
  const noticed = mutants.filter((m) => m.fate === "killed" || m.fate === "timeout").length;
  return `${noticed} of ${noticed + mutants.filter((m) => m.fate === "survived").length}`;
}

/** Number of rule cases of a game. */
function casesOf(id: string): number {
  const folder = `${TESTS}cases/${id}/`;
  return readdirSync(folder)
    .filter((file) => file.endsWith(".json"))
    .map((file) => JSON.parse(readFileSync(folder + file, "utf8")) as unknown)
    .map((doc) => (doc as readonly unknown[]).length)
    .reduce((a, b) => a + b, 0);
}
