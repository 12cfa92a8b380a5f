import { existsSync, readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type Feature, type Game, type GameType, gameType, loadGame, schemaHash, shapesOf } from "../../env/index.js";
import { type RosterEntry, roster } from "../../agents/roster.js";
import { hundredths } from "../../env/core/words.js";
import { learningCurves } from "./learning-curves.js";
import { plain, tableOf } from "./markdown.js";
import { dots, factsOf, rowsOf, shortTitle } from "../cli/readme.js";

/** Where `npm run pictures` draws the boards. */
const PICTURES = fileURLToPath(new URL("../../.github/", import.meta.url));

const capital = (text: string): string => text[0]!.toUpperCase() + text.slice(1);

/** A section for each game of the README's table: a picture, what it is about, and the facts of its row. */
export const gamesOverview = (readme: string): string =>
  [...rowsOf(readme)].map(([id, { hidden }]) => overviewOf(gameType(id), hidden)).join("\n\n");

function overviewOf(type: GameType, hidden: string): string {
  const { players, minutes, complexity } = factsOf(type);
  const count = players.at(-1) === 1 ? "1 player" : `${players.join(" or ")} players`;
  return [
    `## [${shortTitle(type.title)}](/env/${type.id}/README.md)`,
    picture(type),
    type.lobby?.situation ?? "",
    `${count} · ${range(minutes)} minutes · complexity ${dots(complexity)} · hidden: ${hidden} · [rules](/env/${type.id}/data/rulebook.json)`,
  ]
    .filter((part) => part !== "")
    .join("\n\n");
}

const picture = (type: GameType): string =>
  existsSync(`${PICTURES}${type.id}.png`) ? `![${shortTitle(type.title)} in play](/.github/${type.id}.png)` : "";

/** The picture of a game, then those of its fights: `GAME-NAME.png`. */
const pictures = (type: GameType): string[] => {
  const more = readdirSync(PICTURES)
    .filter((file) => file.startsWith(`${type.id}-`) && file.endsWith(".png"))
    .sort();
  const fights = more.map((file) => {
    const name = file.slice(type.id.length + 1, -".png".length);
    return `![${shortTitle(type.title)}, ${name}](/.github/${file})`;
  });
  return [picture(type), ...fights];
};

const range = ([least, most]: readonly [number, number]): string =>
  least === most ? String(least) : `${least} to ${most}`;

/**
 * The page of a game: its data, then the sections of its README.
 *
 * @param type a game whose code is loaded
 * @param readme the game's own README, whose table of options is left out: the data have it
 */
export function gamePage(type: GameType, readme: string): string {
  const game = loadGame(type.id);
  const sections = readme.split(/^(?=## )/m).slice(1);
  return [
    `# ${type.title}`,
    type.lobby?.situation ?? "",
    ...pictures(type),
    facts(game),
    type.reconstructed === null ? "" : `::: warning Reconstructed\n${capital(plain(type.reconstructed))}\n:::`,
    `## How to play\n\n${howToPlay(type)}`,
    `## Options\n\n${options(type)}`,
    `## Observation\n\n${observation(game)}`,
    `## Actions\n\n${actions(game)}`,
    `## Agents\n\n${agents(game)}`,
    ...sections.filter((section) => !section.startsWith("## Options")).concat(afterOptions(sections)),
  ]
    .filter((part) => part !== "")
    .map((part) => part.trim())
    .join("\n\n");
}

/** The text below a README's table of options, under a heading of its own. */
function afterOptions(sections: readonly string[]): string[] {
  const text = sections.find((section) => section.startsWith("## Options"))?.replace(/^## Options\s*/, "") ?? "";
  const rest = text.replace(/^\| option \| values[\s\S]*?\n\n/m, "").trim();
  return rest === "" ? [] : [`## Balance by option\n\n${rest}`];
}

function facts(game: Game): string {
  const { type } = game;
  const { players, minutes, complexity } = factsOf(type);
  const sides = game.players.map((side) => `\`${side}\``).join(", ");
  return tableOf(
    ["", ""],
    [
      ["id", `\`${type.id}\``],
      ["players", `${players.join(" or ")}; sides: ${sides}`],
      ["minutes", range(minutes)],
      ["complexity", `${dots(complexity)}`],
      ["version", `${type.version}, schema \`${schemaHash(game)}\``],
      ["decisions", `at most ${game.maxDecisions} in a game`],
      [
        "potentials",
        Object.keys(game.potentials)
          .map((name) => `\`${name}\``)
          .join(", ") || "none",
      ],
      ["by", plain(type.credits)],
    ],
  );
}

/** The rules in brief, with the first word of each paragraph as its heading. */
function howToPlay(type: GameType): string {
  const learn = `The [rules in full](/env/${type.id}/data/rulebook.json) have pictures of real positions. On the page, **Learn by playing** walks you through the first turn.`;
  const paragraphs = type.guide.medium.map((text) => text.replace(/^([^:]+): /, "**$1.** "));
  return [learn, ...paragraphs].join("\n\n");
}

function options(type: GameType): string {
  if (type.options.length === 0) return "This game has no options.";
  const rows = type.options.map((o) => [
    `\`${o.id}\``,
    o.values.map((v) => (v === o.default ? `**\`${v}\`**` : `\`${v}\``)).join(", "),
    plain(o.about),
    plain(o.provenance),
  ]);
  return `The default is in bold. On the command line: \`-o ID=VALUE\`.\n\n${tableOf(["option", "values", "meaning", "source"], rows)}`;
}

function observation(game: Game): string {
  const shapes = shapesOf(game.observation);
  const { globals, map, units, decision, mapRows, unitRows } = game.observation;
  const rowNames = (names: readonly string[]): string =>
    `One row each: \`${names[0]}\` to \`${names.at(-1)}\`, ${names.length} in all.`;
  return [
    "Four float32 tensors hold what the viewer may know. Every value is within the range of its feature.",
    tableOf(
      ["tensor", "shape"],
      Object.entries(shapes).map(([name, shape]) => [`\`${name}\``, `\`[${shape.join(", ")}]\``]),
    ),
    features("globals", globals, ""),
    features("map", map, rowNames(mapRows)),
    features("units", units, rowNames(unitRows)),
    features("decision", decision, ""),
  ].join("\n\n");
}

function features(tensor: string, list: readonly Feature[], rows: string): string {
  const table = tableOf(
    ["", "feature", "value", "range"],
    list.map((f, i) => [String(i), `\`${f.name}\``, plain(f.norm), `${f.range[0]} to ${f.range[1]}`]),
  );
  return `::: details ${tensor}: ${list.length} features\n${rows === "" ? "" : `${rows}\n\n`}${table}\n:::`;
}

/** The action list as ranges of actions that begin with the same word, and what each range is for. */
function actions(game: Game): string {
  const runs: { word: string; first: number; names: string[] }[] = [];
  game.actions.forEach((name, i) => {
    const word = name.split(" ")[0]!;
    if (runs.at(-1)?.word === word) runs.at(-1)!.names.push(name);
    else runs.push({ word, first: i, names: [name] });
  });
  const moves = game.type.teaching?.primer.moves ?? [];
  const meaning = (word: string): string =>
    moves
      .filter((m) => m.actions.some((action) => action.split(" ")[0] === word))
      .map((m) => m.name[0]!.toLowerCase() + m.name.slice(1))
      .filter((name, i, all) => all.indexOf(name) === i)
      .join("; ");
  const rows = runs.map(({ word, first, names }) => [
    names.length === 1 ? String(first) : unbroken(`${first} to ${first + names.length - 1}`),
    names.length === 1 ? `\`${names[0]}\`` : `\`${names[0]}\` to \`${names.at(-1)}\``,
    plain(meaning(word)),
  ]);
  return `${game.actions.length} actions in one flat list; \`action_mask\` marks the legal ones.\n\n${tableOf(["index", "action", "meaning"], rows)}`;
}

/** The agents that can play, and the measured strength of the trained levels. */
function agents(game: Game): string {
  const list = roster(game);
  const seats = (e: RosterEntry): string =>
    e.players.length === game.players.length ? unbroken("any side") : e.players.map((p) => game.players[p]!).join(", ");
  const rows = list.map((e) => [nameOf(e), seats(e), plain(e.about)]);
  const play = `npx kessel arena ${game.type.id} --agents ${list[0]!.short},random --games 20`;
  const measured = list.filter((e) => e.results.length > 0).map((e) => strength(e, game));
  const { text: curves } = learningCurves(game.type.id);
  return [
    tableOf(["name", "plays", "what it is"], rows),
    `\`\`\`\n${play}\n\`\`\``,
    ...(measured.length === 0 ? [] : ["### Strength", ...measured]),
    ...(curves === "" ? [] : ["### Learning curves", curves]),
  ].join("\n\n");
}

/** The agent's name; that of a level links to its card. */
function nameOf(e: RosterEntry): string {
  const file = /^onnx:(.*)\.onnx$/.exec(e.name)?.[1];
  return e.kind === "level" && file !== undefined ? `[\`${e.short}\`](/models/${file}.md)` : `\`${e.short}\``;
}

/** A number with its interval, which no line breaks. */
const unbroken = (text: string): string => text.replaceAll(" ", "\u00a0");

/** The results on an agent's card: points in percent against others, or mean returns in a solitaire game. */
export function strength(e: RosterEntry, game: Game): string {
  const rules = e.measured?.version ?? null;
  const note = rules === null ? "" : ` It was measured with version ${rules} of the rules.`;
  const [first] = e.results;
  if (first?.alone !== undefined) {
    const own = [`**${e.short}**`, first.alone.own.toFixed(3), String(first.games)];
    const rows = e.results.map((r) => [r.against, r.alone!.other.toFixed(3), String(r.games)]);
    return `Mean return of ${nameOf(e)} and of others on the same seeds, from -1 to 1.${note}\n\n${tableOf(["agent", "return", "games"], [own, ...rows])}`;
  }
  const rows = e.results.map((r) => [
    r.against,
    unbroken(`${hundredths(r.score)} [${r.interval.map((x) => hundredths(x)).join(", ")}]`),
    ...r.seats.map((x) => (x === null ? "" : hundredths(x))),
    String(r.games),
  ]);
  const head = ["against", unbroken("all [95 %]"), ...game.players.map((p) => `as ${p}`), "games"];
  return `Points of ${nameOf(e)} in percent; a draw is half a point.${note}\n\n${tableOf(head, rows)}`;
}
