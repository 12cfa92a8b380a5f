import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { boardsMarkdown, boardsOf } from "../suite/board.js";
import { parseSubmission } from "../suite/submission.js";

const RUNS = fileURLToPath(new URL("../suite/leaderboard/", import.meta.url));

/** Submitted runs of the language suite: a table for each game and book. */
export function leaderboard(): string {
  const files = existsSync(RUNS) ? readdirSync(RUNS).filter((f) => f.endsWith(".json")) : [];
  return boardsMarkdown(
    boardsOf(files.sort().map((f) => parseSubmission(JSON.parse(readFileSync(RUNS + f, "utf8")), f))),
  );
}
