import { readdirSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { fileURLToPath } from "node:url";
import { GAMES } from "../../env/index.js";
import { citation } from "./citation.js";
import { commandsHelp } from "./commands.js";
import { gamePage, gamesOverview } from "./game-page.js";
import { learningCurves } from "./learning-curves.js";
import { shortTitle } from "../cli/readme.js";
import { leaderboard } from "./leaderboard.js";
import { rulesPage } from "./rules-page.js";
import { testingFigures } from "./testing-figures.js";
import { trainedAgents } from "./trained-agents.js";

export const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const OWN = "server/site/pages";

/** A page of the site. */
export interface Page {
  /** Its address from the site's root, without `.html`. */
  readonly path: string;
  readonly title: string;
  /** Markdown. Links are paths of files in the repository, relative to `from`. */
  readonly text: string;
  /** The file that it is generated from, or that has its text. */
  readonly from: string;
  /** Generated pictures: SVG by address. */
  readonly drawings?: ReadonlyMap<string, string>;
}

/** A part of the menu with its pages. A path alone is a file in `server/site/pages`; a pair names another file. */
interface Part {
  readonly title: string;
  readonly pages: readonly (string | readonly [path: string, file: string])[];
}

const PARTS: readonly Part[] = [
  {
    title: "Start",
    pages: ["start/train", "start/play", "start/language-model", "start/add-a-game"],
  },
  { title: "Games", pages: ["games/index", ...GAMES.map((g) => [`games/${g.id}`, `env/${g.id}/README.md`] as const)] },
  {
    title: "Guides",
    pages: [
      "guide/playing",
      "guide/language-models",
      "guide/compare",
      ["guide/training", "training/README.md"],
      ["guide/models", "models/README.md"],
      "guide/operations",
      ["guide/network", "server/page/README.md"],
    ],
  },
  {
    title: "Reference",
    pages: [
      ["reference/python", "server/python/README.md"],
      "reference/python-api",
      "reference/commands",
      ["reference/protocol", "server/PROTOCOL.md"],
      ["reference/tools", "server/tools/README.md"],
      ["reference/suite", "server/suite/README.md"],
      ["reference/puzzles", "server/puzzles/README.md"],
      ["reference/analysis", "server/analysis/README.md"],
    ],
  },
  {
    title: "About",
    pages: [
      "results",
      "testing",
      ["test-tools", "test/README.md"],
      "faq",
      "cite",
      ["contributing", "CONTRIBUTING.md"],
      ["inside", "server/README.md"],
      ["changelog", "CHANGELOG.md"],
    ],
  },
];

/** Markdown files of a folder and of those in it, but its README. */
const documentsIn = (folder: string): string[] =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".md") && file !== "README.md")
    .map((file) => file.replaceAll("\\", "/"))
    .sort();

/** Cards of models: pages that other pages link to, and that are not in the menu. */
const cards = (): (readonly [path: string, file: string])[] =>
  documentsIn("models").map((file) => [`models/${file.replace(/\.md$/, "")}`, `models/${file}`] as const);

/** What a game has besides its README, such as the keys of its positions: pages that its own page links to. */
const papers = (): (readonly [path: string, file: string])[] =>
  GAMES.flatMap(({ id }) =>
    documentsIn(`env/${id}`).map((file) => {
      const name = file.replace(/(?:\/README)?\.md$/, "").toLowerCase();
      return [`games/${id}/${name}`, `env/${id}/${file}`] as const;
    }),
  );

const read = (file: string): string => readFileSync(join(ROOT, file), "utf8");

/** The page of a file. A game's page begins with the game's data. */
function pageOf(entry: string | readonly [path: string, file: string], api: string): Page {
  const [path, from] = typeof entry === "string" ? [entry, `${OWN}/${entry}.md`] : entry;
  const game = GAMES.find((g) => path === `games/${g.id}`);
  const text = game === undefined ? filled(read(from), api) : gamePage(game, read(from));
  const title = game === undefined ? /^# (.*)$/m.exec(text)?.[1] : shortTitle(game.title);
  const drawings = game === undefined ? {} : { drawings: learningCurves(game.id).drawings };
  return { path, title: (title ?? "Kessel").replaceAll("`", ""), text, from, ...drawings };
}

/** Generated texts, by the name in the line that they replace. */
const PARTS_OF_DATA: Readonly<Record<string, (api: string) => string>> = {
  games: () => gamesOverview(read("README.md")),
  commands: commandsHelp,
  python: (api) => api,
  trained: trainedAgents,
  leaderboard,
  figures: testingFigures,
  citation: () => citation(read(".github/CITATION.cff")),
};

/** Replaces lines such as `{{games}}` with their generated texts. */
const filled = (text: string, api: string): string =>
  text.replace(/^\{\{(\w+)\}\}$/gm, (_, name: string) => PARTS_OF_DATA[name]!(api));

/**
 * Returns every page of the site, the start page first. Games must be loaded.
 *
 * @param api the reference of the Python package, in Markdown (`python-api.py`)
 */
export function allPages(api: string): Page[] {
  const menu = PARTS.flatMap((part) => part.pages);
  const rules = GAMES.map((type): Page => {
    const title = `Rules of ${shortTitle(type.title)}`;
    return { path: `rules/${type.id}`, title, from: `env/${type.id}/data/rulebook.json`, ...rulesPage(type) };
  });
  return [...["index", ...menu, ...cards(), ...papers()].map((entry) => pageOf(entry, api)), ...rules];
}

/** The menu in VitePress's form: the navigation bar and the sidebar. */
export function menuOf(pages: readonly Page[]): object {
  const title = (path: string): string => pages.find((page) => page.path === path)!.title;
  const sidebar = PARTS.map((part) => ({
    text: part.title,
    items: part.pages.map((entry) => {
      const path = typeof entry === "string" ? entry : entry[0];
      return { text: title(path), link: `/${path.replace(/index$/, "")}` };
    }),
  }));
  const nav = [
    { text: "Start", link: "/start/train" },
    { text: "Games", link: "/games/" },
    { text: "Python", link: "/reference/python" },
    { text: "Results", link: "/results" },
  ];
  return { nav, sidebar };
}

/** Pictures of pages. They are in `.github`; on the site, in `/pictures`. */
const PICTURE = /^\.github\/([\w-]+\.png)$/;

/** A text with its links changed for the site. */
export interface Linked {
  readonly text: string;
  /** Pictures in the text, as files of the repository. */
  readonly pictures: readonly string[];
  /** Links whose target does not exist. */
  readonly broken: readonly string[];
}

/**
 * Turns links to files of the repository into links to their pages. A file without a page is linked in the repository;
 * without `repository`, the link becomes plain text.
 *
 * @param exists whether the repository has a file or folder
 */
export function linked(
  page: Page,
  pages: readonly Page[],
  repository: string | null,
  exists: (file: string) => boolean,
): Linked {
  const pictures: string[] = [];
  const broken: string[] = [];
  const addresses = new Map(pages.map((p) => [p.from, p] as const));
  const replace = (whole: string, mark: string, words: string, target: string): string => {
    if (/^https?:/.test(target) || page.drawings?.has(target) === true) return whole;
    const [file = "", hash] = target.split("#");
    const start = file.startsWith("/") ? "" : posix.dirname(page.from); // generated pages use absolute paths
    const path = file === "" ? page.from : posix.normalize(posix.join(start, file)).replace(/^\//, "");
    const picture = PICTURE.exec(path);
    if (!exists(path) && !addresses.has(path)) broken.push(target);
    if (mark === "!" && picture !== null) {
      pictures.push(path);
      return `![${words}](/pictures/${picture[1]!})`;
    }
    const to = file === "" ? page : addresses.get(path);
    if (to !== undefined) {
      if (hash !== undefined && !anchorsOf(to.text).includes(hash)) broken.push(target);
      return `[${words}](/${to.path.replace(/(^|\/)index$/, "$1")}${hash === undefined ? "" : `#${hash}`})`;
    }
    if (picture !== null) {
      pictures.push(path);
      return `[${words}](/pictures/${picture[1]!}){target="_blank"}`;
    }
    return repository === null ? words : `[${words}](${repository}/blob/main/${path})`;
  };
  const text = outsideCode(page.text, (part) =>
    part.replace(/<!--.*?-->\n?/gs, "").replace(/(!?)\[([^\][]*)\]\(([^()\s]+)\)/g, replace),
  );
  return { text, pictures, broken };
}

/** Changes a text outside of code blocks and words in backticks. */
export function outsideCode(text: string, change: (part: string) => string): string {
  return text
    .split(/(^ *```[\s\S]*?^ *```$)/m)
    .map((part, i) => (i % 2 === 1 ? part : withoutSpans(part, change)))
    .join("");
}

/** Changes a text outside of words in backticks. The words of a link may be in backticks. */
function withoutSpans(part: string, change: (part: string) => string): string {
  const spans: string[] = [];
  const open = part.replace(/`[^`\n]+`/g, (span) => `\u0001${spans.push(span) - 1}\u0002`);
  return change(open).replace(/\u0001(\d+)\u0002/g, (_, i: string) => spans[Number(i)]!);
}

/** Anchors of the headings, computed as VitePress does. */
function anchorsOf(text: string): string[] {
  const headings = outsideCode(text, (part) => part).replace(/^ *```[\s\S]*?^ *```$/gm, "");
  return [...headings.matchAll(/^#+ (.*)$/gm)].map(([, heading]) =>
    heading!
      .replaceAll("`", "")
      .normalize("NFKD")
      .replace(/[\s~`!@#$%^&*()\-_+=[\]{}|\\;:"'“”‘’<>,.?/]+/g, "-")
      .split("-")
      .filter((word) => word !== "")
      .join("-")
      .toLowerCase(),
  );
}
