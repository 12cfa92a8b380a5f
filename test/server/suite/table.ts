// `npm run suite -- table [GAMES] [GAME...]`: plays the language suite with random play, a scripted player, two levels
// and a stand-in for a language model, which gives any number, and writes the tables of these games into
// server/suite/README.md. Agents that take too long for this have their results in server/suite/leaderboard/results, as
// `kessel arena --suite language --json FILE` writes them.
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { roster } from "../../../agents/roster.js";
import { gameIds } from "../../../env/index.js";
import { bookHash, hasSuite, readSuite } from "../../../server/suite/document.js";
import { suiteText } from "../../../server/suite/report.js";
import { PARTS, runSuite, type SuiteResult } from "../../../server/suite/run.js";
import { closeStubs, stub } from "../../agents/llm-stub.js";

const README = fileURLToPath(new URL("../../../server/suite/README.md", import.meta.url));
const RESULTS = fileURLToPath(new URL("../../../server/suite/leaderboard/results/", import.meta.url));
const [BEGIN, END] = ["<!-- made by npm run suite -- table -->", "<!-- end -->"];

const [count = "20", ...ids] = process.argv.slice(2);
const games = Number(count);
const { url } = await stub(({ messages }) => {
  const text = messages.map((m) => m.content).join();
  const most = Number(/Legal actions, (\d+):/.exec(text)?.[1] ?? 4);
  const number = 1 + (createHash("sha256").update(text).digest().readUInt32LE() % most);
  return text.includes("Legal actions") ? `Action: ${number}` : `Answer: ${number}`;
});
/** Results of other runs in a book. Those in an earlier book of the game are left out, which is said. */
function stored(game: string, book: string): SuiteResult[] {
  const all = readdirSync(RESULTS).flatMap((f) => JSON.parse(readFileSync(RESULTS + f, "utf8")) as SuiteResult[]);
  const own = all.filter((r) => r.game === game);
  for (const { agent } of own.filter((r) => r.book !== book)) console.log(`${agent} answered another book of ${game}`);
  return own.filter((r) => r.book === book);
}

/** Puts the table of a game into the README, in the place of the one that stood there. */
function keep(id: string, text: string): void {
  const readme = readFileSync(README, "utf8");
  const [before, after] = [readme.indexOf(BEGIN) + BEGIN.length, readme.indexOf(END)];
  const blocks = readme.slice(before, after).match(/^```\n[^]*?\n```$/gm) ?? [];
  const tables = new Map(blocks.map((block) => [/^```\n(\S+)/.exec(block)![1]!, block]));
  tables.set(id, `\`\`\`\n${text}\n\`\`\``);
  const all = gameIds().flatMap((game) => tables.get(game) ?? []);
  writeFileSync(README, `${readme.slice(0, before)}\n\n${all.join("\n\n")}\n\n${readme.slice(after)}`);
}

for (const id of ids.length > 0 ? ids : gameIds().filter(hasSuite)) {
  const book = readSuite(id);
  const { game } = book;
  const results = [];
  const scripted = roster(game).find((e) => e.kind === "scripted" && e.players.length === game.players.length)!;
  for (const agent of ["random", scripted.short, "recruit", "commander", `llm:${url},model=any-number`])
    results.push(await runSuite(book, agent, { parts: PARTS, games }));
  for (const row of stored(id, bookHash(book))) results.push(row);
  const text = suiteText(book, results);
  console.log(`${text}\n`);
  keep(id, text);
}
closeStubs();
