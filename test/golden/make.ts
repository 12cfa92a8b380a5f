import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { type Account, type Accounts, changesOf, digestOf, lineWith } from "./changes.js";
import { goldenFiles, ROOT } from "./files.js";

const HELP = `npm run golden -- [GAME...] [--because WORDS]
Writes rule tables and playthroughs of all games, or of those named, and prints what changed.

  --because WORDS   words of the line of CHANGELOG.md about a change that players could notice`;

function refuse(reason: string): never {
  console.error(`golden: ${reason}`);
  process.exit(1);
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { because: { type: "string" }, help: { type: "boolean" } },
});
if (values.help === true) {
  console.log(HELP);
  process.exit();
}

if (!["", "false", undefined].includes(process.env["CI"]))
  refuse("CI is set: golden files are not written there. Run npm run golden at home, read what it prints, and commit.");

const accountsFile = join(ROOT, "test/golden/digests.json");
const accounts: Record<string, Account> = existsSync(accountsFile)
  ? { ...(JSON.parse(readFileSync(accountsFile, "utf8")) as Accounts) }
  : {};
const changelog = readFileSync(join(ROOT, "CHANGELOG.md"), "utf8");
const words = values.because ?? null;
const lineOf = (account: string): string | null => {
  try {
    return lineWith(changelog, account);
  } catch (e) {
    return account === words ? refuse((e as Error).message) : null;
  }
};
const line = words === null ? null : lineOf(words);
/**
 * True when this run may account for another text of a file: it is a first text, or the line describes its change and
 * no earlier one.
 */
const mayAccount = (known: Account | undefined, existed: boolean): boolean =>
  known === undefined
    ? !existed || line !== null
    : line !== null && (known.changelog === null || lineOf(known.changelog) !== line);

const unexplained: string[] = [];
for (const { path, text } of goldenFiles(positionals.length > 0 ? positionals : undefined)) {
  const file = join(ROOT, path);
  const before = existsSync(file) ? readFileSync(file, "utf8") : null;
  const now = text();
  const digest = digestOf(path, now);
  const known = accounts[path];
  if (before === now && known?.digest === digest) {
    console.log(`same     ${path}`);
    continue;
  }
  console.log(`${before === null ? "new" : before === now ? "same" : "changed"}`.padEnd(9) + path);
  for (const change of changesOf(path, before ?? "", now)) console.log(`           ${change}`);
  if (known?.digest !== digest && !mayAccount(known, before !== null)) {
    unexplained.push(path);
    continue;
  }
  if (known?.digest !== digest) accounts[path] = { digest, changelog: words };
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, now);
}
writeFileSync(accountsFile, `${JSON.stringify(accounts, null, 2)}\n`);
if (unexplained.length > 0)
  refuse(
    `not written: ${unexplained.join(", ")}. Is the change meant? Then write a line into CHANGELOG.md that says what is ` +
      `different, and run this again with --because "WORDS OF THAT LINE".`,
  );
