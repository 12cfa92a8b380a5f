import { importGame } from "../../../agents/import-game.js";
import { fileURLToPath } from "node:url";
import { type Command, Option } from "commander";
import {
  type FoundRule,
  type GameType,
  GUIDE_LENGTHS,
  type GuideLength,
  guideText,
  KesselError,
  oneOf,
  ruleById,
  searchRules,
} from "../../../env/index.js";
import { example, print, printJson } from "../common.js";
import { type Citation, type Citations, citationsOf, hasTests } from "./citations.js";
import { type FoundRuling, rulingNamed, rulingsOf, rulingsOn } from "./rulings.js";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));

export function register(command: Command): void {
  command
    .argument("<game>", "as `kessel list` names it")
    .argument("[words...]", "id of a rule (`7.31`, `SS 7.31`) or of a ruling (`R41`), or words to search for")
    .addOption(
      new Option("--length <length>", "the rules of the game, in place of a rule's id or words").choices(GUIDE_LENGTHS),
    )
    .option("--json", "machine-readable")
    .addHelpText(
      "after",
      example(
        "kessel rule savage-streets 7.31",
        "kessel rule savage-streets R41",
        "kessel rule savage-streets breakthrough",
        "kessel rule savage-streets --length medium",
      ),
    )
    .action(async (game: string, words: string[], flags: { length?: GuideLength; json?: boolean }) => {
      const type = await importGame(game);
      if ((flags.length === undefined) === (words.length === 0)) throw eitherOr(game, words);
      if (flags.length !== undefined) {
        const text = guideText(type, flags.length);
        if (flags.json) printJson({ game, length: flags.length, text });
        else print(text);
        return;
      }
      const rulings = rulingsOf(type, ROOT);
      const ruling = rulingNamed(rulings, words.join(" "));
      if (ruling !== null && !isRule(type, ruling.ruling)) {
        if (flags.json) printJson(ruling);
        else print(rulingText(type, ruling));
        return;
      }
      const found = findRules(type, words.join(" "));
      if (found.length > 1) {
        if (flags.json) printJson(found);
        else print(found.map((r) => `${r.id}  ${r.says}`).join("\n"));
        return;
      }
      const rule = found[0]!;
      const citations = citationsOf(type, ROOT).rules.get(rule.id)!;
      const on = rulingsOn(rulings, rule.id);
      if (flags.json)
        printJson({ ...rule, rulings: on, ...citations, ...(hasTests(ROOT) ? {} : { tests: null, cases: null }) });
      else print(ruleText(rule, on, citations));
    });
}

function eitherOr(game: string, words: readonly string[]): KesselError {
  const given = words.length === 0 ? "neither is given" : "both are given";
  return new KesselError(
    "bad-option",
    `kessel rule ${game} takes the id of a rule or words to search for, or --length ${oneOf(GUIDE_LENGTHS)}; ${given}`,
  );
}

/** The rule of that id, or all rules that contain the words. @throws KesselError `unknown-rule` */
function findRules(type: GameType, words: string): FoundRule[] {
  try {
    return [ruleById(type, words)];
  } catch (e) {
    if (!(e instanceof KesselError) || e.code !== "unknown-rule") throw e;
    const found = searchRules(type, words);
    if (found.length === 0) throw e;
    return found;
  }
}

function isRule(type: GameType, id: string): boolean {
  return Object.keys(type.rules).some((k) => k.replace(/^\S+ /, "") === id);
}

function rulingText(type: GameType, { ruling, says, rules }: FoundRuling): string {
  const on = rules.map((id) => `  ${id}: ${type.rules[id]!.says}`);
  return [`ruling ${ruling}: ${says}`, ...(on.length === 0 ? [] : ["rules:", ...on])].join("\n");
}

function ruleText(rule: FoundRule, rulings: readonly FoundRuling[], { code, cases, tests }: Citations): string {
  const status =
    rule.status === "done"
      ? "done"
      : rule.status === "option"
        ? `option ${rule.option ?? ""}`
        : `absent: ${rule.reason ?? ""}`;
  const proofs = hasTests(ROOT)
    ? [section("cases", cases, true), section("tests", tests, true)]
    : ["cases and tests: an installed package has none; see the repository"];
  const ruled = rulings.map((r) => `ruling ${r.ruling}: ${r.says}`);
  return [`${rule.id}: ${rule.says}`, `status: ${status}`, ...ruled, section("code", code, false), ...proofs].join(
    "\n",
  );
}

/** One line per place; several citations on a line count once. */
function section(name: string, citations: readonly Citation[], named: boolean): string {
  if (citations.length === 0) return `${name}: none`;
  const lines = citations.map((c) => `  ${c.file}:${c.line}${named ? `  ${c.text}` : ""}`);
  return [`${name}:`, ...new Set(lines)].join("\n");
}
