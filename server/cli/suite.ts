import { readFileSync } from "node:fs";
import { importGame } from "../../agents/import-game.js";
import { gameIds, KesselError, oneOf, shown } from "../../env/index.js";
import type { Book } from "../suite/document.js";
import type { SuiteResult } from "../suite/run.js";
import type { Measured } from "../suite/submission.js";
import { print, printJson, splitAgents, writeOut } from "./common.js";

export interface SuiteFlags {
  suite: string;
  agents: string;
  games: number;
  parts?: string;
  items?: number;
  secret?: string;
  heldOut?: string;
  json?: string | boolean;
  submit?: string;
}

/** Plays the language suite of one game, or of all that have one, and prints a table for each. */
export async function runLanguageSuite(id: string | undefined, flags: SuiteFlags): Promise<void> {
  if (flags.suite !== "language")
    throw new KesselError("bad-option", `there is no suite ${shown(flags.suite)}; there is "language"`);
  const [
    { agentKinds },
    { checkAgents, labelsOf },
    { hasSuite, readHeldOut, readSuite },
    { PARTS, runSuite },
    { heldOutText, suiteText },
    { submissionOf },
    { progressBar },
  ] = await Promise.all([
    import("../../agents/registry.js"),
    import("../suite/agents.js"),
    import("../suite/document.js"),
    import("../suite/run.js"),
    import("../suite/report.js"),
    import("../suite/submission.js"),
    import("../../training/runs/progress.js"),
  ]);
  const parts = (flags.parts?.split(",") ?? [...PARTS]).map((text) => {
    const part = PARTS.find((p) => p === text);
    if (part === undefined) throw new KesselError("bad-option", `parts are ${oneOf(PARTS)}, not ${shown(text)}`);
    return part;
  });
  const agents = splitAgents(flags.agents, agentKinds());
  const labels = labelsOf(agents);
  const ids = id === undefined ? gameIds().filter(hasSuite) : [id];
  for (const each of ids) await importGame(each);
  const { games, secret, json, heldOut, submit, items } = flags;
  const books = ids.map((each) => ({ open: readSuite(each), secret: secretBook(heldOut, each, readHeldOut) }));
  await checkAgents(
    books.flatMap((b) => [b.open, ...(b.secret === null ? [] : [b.secret])]),
    agents,
    parts.includes("puzzles"),
  );
  const all: SuiteResult[] = [];
  const measured = agents.map((name, i) => ({
    name,
    label: labels[i]!,
    results: [] as { book: Book; result: SuiteResult }[],
    heldOut: [] as { book: Book; result: SuiteResult }[],
  }));
  try {
    for (const { open, secret: held } of books) {
      const results: SuiteResult[] = [];
      const heldOutResults: SuiteResult[] = [];
      try {
        for (const [i, agent] of agents.entries()) {
          const bar = progressBar("games");
          const options = {
            parts,
            games,
            label: labels[i]!,
            progress: bar.update,
            ...(items === undefined ? {} : { items }),
          };
          let result;
          try {
            result = await runSuite(open, agent, { ...options, ...(secret === undefined ? {} : { secret }) });
            // whole games have the same rules in both: what is known by heart are questions and puzzles
            if (held !== null) {
              const asked = await runSuite(held, agent, { ...options, parts: parts.filter((p) => p !== "games") });
              heldOutResults.push(asked);
              measured[i]!.heldOut.push({ book: held, result: asked });
            }
          } finally {
            bar.stop();
          }
          results.push(result);
          measured[i]!.results.push({ book: open, result });
          all.push(result);
          if (typeof json === "string") writeOut(json, `${JSON.stringify(all, null, 2)}\n`);
          if (submit !== undefined)
            writeOut(submit, `${JSON.stringify(submissionOf(versionOf(), games, finished(measured)), null, 2)}\n`);
        }
      } finally {
        // answers cost money: when a later agent fails, report what earlier ones reached
        if (json !== true && results.length > 0) {
          print(`${suiteText(open, results)}\n`);
          if (held !== null && heldOutResults.length === results.length) {
            const text = heldOutText([open, held], results, heldOutResults);
            if (text !== "") print(`${text}\n`);
          }
        }
      }
    }
  } finally {
    if (json === true) printJson(all);
  }
}

const finished = (measured: readonly Measured[]): Measured[] => measured.filter((m) => m.results.length > 0);

/** @throws KesselError `bad-option` for a folder without a book of the game */
function secretBook(dir: string | undefined, id: string, read: (dir: string, id: string) => Book | null): Book | null {
  if (dir === undefined) return null;
  const book = read(dir, id);
  if (book === null)
    throw new KesselError(
      "bad-option",
      `${dir} has no book of ${id}; kessel suite make ${id} --book-seed SECRET --out ${dir} makes one`,
    );
  return book;
}

const versionOf = (): string =>
  (JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")) as { version: string }).version;
