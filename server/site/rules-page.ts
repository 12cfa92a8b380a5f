import { type FoundRule, type GameType, sectionsOf } from "../../env/index.js";
import { drawn } from "../page/learn/rules-page.js";
import { plain, tableOf } from "./markdown.js";
import { shortTitle } from "../cli/readme.js";

/** A text and its pictures: SVG by address. */
interface Illustrated {
  readonly text: string;
  readonly drawings: ReadonlyMap<string, string>;
}

/**
 * The rules of a game in full sentences, with drawings of positions. A game without sections gets a list of its rules.
 */
export function rulesPage(type: GameType): Illustrated {
  const drawings = new Map<string, string>();
  const parts = sectionsOf(type).map(({ title, text, picture, rules }, i) => {
    const address = `/pictures/${type.id}-${i + 1}.svg`;
    if (picture !== undefined) drawings.set(address, drawn(type, picture, "light"));
    return [
      `## ${title}`,
      ...text,
      ...(picture === undefined
        ? []
        : [`![${picture.says.replace(/[[\]]/g, "")}](${address})`, `*${plain(picture.says)}*`]),
      indexOf(rules),
    ].join("\n\n");
  });
  const head = `# Rules of ${shortTitle(type.title)}\n\nThe rules in our own words. \`npx kessel rule ${type.id} ID\` prints the code, the cases and the tests of a rule.`;
  return { text: [head, ...parts].join("\n\n"), drawings };
}

function indexOf(rules: readonly FoundRule[]): string {
  if (rules.length === 0) return "";
  const rows = rules.map(({ id, says, status, option, reason }) => {
    const note =
      status === "option" ? ` (option ${option ?? ""})` : status === "absent" ? ` (not played: ${reason ?? ""})` : "";
    return [`\`${id}\``, plain(`${says}${note}`)];
  });
  return `::: details ${rules.length === 1 ? "One rule" : `${rules.length} rules`}\n${tableOf(["rule", "what it says"], rows)}\n:::`;
}
