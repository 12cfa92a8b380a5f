// `npm run suite:table -- [GAMES] [GAME...]`: plays the language suite with random play, two levels and a stand-in for a
// language model, which gives any number, and writes the tables into server/suite/README.md
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gameIds } from "../../../env/index.js";
import { hasSuite, readSuite } from "../../../server/suite/document.js";
import { suiteText } from "../../../server/suite/report.js";
import { PARTS, runSuite } from "../../../server/suite/run.js";
import { closeStubs, stub } from "../../agents/llm-stub.js";

const README = fileURLToPath(new URL("../../../server/suite/README.md", import.meta.url));
const [BEGIN, END] = ["<!-- made by npm run suite:table -->", "<!-- end -->"];

const [count = "20", ...ids] = process.argv.slice(2);
const games = Number(count);
const { url } = await stub(({ messages }) => {
  const text = messages.map((m) => m.content).join();
  const most = Number(/Legal actions, (\d+):/.exec(text)?.[1] ?? 4);
  const number = 1 + (createHash("sha256").update(text).digest().readUInt32LE() % most);
  return text.includes("Legal actions") ? `Action: ${number}` : `Answer: ${number}`;
});
const texts: string[] = [];
for (const id of ids.length > 0 ? ids : gameIds().filter(hasSuite)) {
  const { suite, game } = readSuite(id);
  const results = [];
  for (const agent of ["random", "recruit", "commander", `llm:${url},model=any-number`])
    results.push(await runSuite(game, suite, agent, { parts: PARTS, games }));
  texts.push(suiteText(game, suite, results, games));
  console.log(`${texts.at(-1)!}\n`);
}
closeStubs();
if (ids.length === 0) {
  const readme = readFileSync(README, "utf8");
  const [before, after] = [readme.indexOf(BEGIN), readme.indexOf(END)];
  const tables = texts.map((t) => `\`\`\`\n${t}\n\`\`\``).join("\n\n");
  writeFileSync(README, `${readme.slice(0, before)}${BEGIN}\n\n${tables}\n\n${readme.slice(after)}`);
}
