import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { type FoundRule, type GameType, sectionsOf } from "../../env/index.js";
import { SANS, SERIF } from "../draw/theme.js";
import { PAGE_FONTS } from "../page/fonts.js";
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
    if (picture !== undefined) drawings.set(address, withFonts(drawn(type, picture, "light")));
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

/** A drawing with its fonts inside: a page shows it as a picture, which cannot load them. */
function withFonts(svg: string): string {
  const { resolve } = createRequire(import.meta.url);
  const face = ([family, weight, file]: (typeof FACES)[number]): string => {
    const data = readFileSync(resolve(PAGE_FONTS[file])).toString("base64");
    return `@font-face{font-family:"${family}";font-weight:${weight};src:url(data:font/woff2;base64,${data})}`;
  };
  const faces = FACES.filter(([family]) => svg.includes(family)).map(face);
  return svg.replace(/<svg [^>]*>/, (open) => `${open}<style>${faces.join("")}</style>`);
}

/** Family, weights and file of each font in drawings. */
const FACES = [
  [SANS, "500", "barlow-500.woff2"],
  [SANS, "600 700", "barlow-600.woff2"],
  [SERIF, "200 900", "serif.woff2"],
] as const;

function indexOf(rules: readonly FoundRule[]): string {
  if (rules.length === 0) return "";
  const rows = rules.map(({ id, says, status, option, reason }) => {
    const note =
      status === "option" ? ` (option ${option ?? ""})` : status === "absent" ? ` (not played: ${reason ?? ""})` : "";
    return [`\`${id}\``, plain(`${says}${note}`)];
  });
  return `::: details ${rules.length === 1 ? "One rule" : `${rules.length} rules`}\n${tableOf(["rule", "what it says"], rows)}\n:::`;
}
