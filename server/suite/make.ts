/**
 * Makes the language suite of games: `npm run suite -- [GAME...] [--option NAME=VALUE]`. Options of a game that has a
 * suite stay as they are there, unless one is given.
 */
import { importGame } from "../../agents/import-game.js";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { Command } from "commander";
import { makeAgent } from "../../agents/registry.js";
import { roster } from "../../agents/roster.js";
import { Env, type Game, gameIds, KesselError, loadGame, type Options, Rng, schemaHash } from "../../env/index.js";
import { OneDecision } from "../session/one-decision.js";
import { makeBeliefs } from "./belief-questions.js";
import { type SuiteDocument, suitePath } from "./document.js";
import { makeRules } from "./make-rules.js";
import { Positions } from "./positions.js";

/** Games that questions are taken from, and questions of each kind. */
const GAMES = 10;
const QUESTIONS = 50;
/** One decision of so many is drawn blindly, so that positions differ. */
const BLIND = 5;

/** A game between scripted players who sometimes choose blindly. */
async function recorded(game: Game, seed: string): Promise<SuiteDocument["games"][number]> {
  const scripted = game.players.map(
    (_, i) => roster(game).find((e) => e.kind === "scripted" && e.players.includes(i))?.name ?? "random",
  );
  const agents = await Promise.all(scripted.map((name, i) => makeAgent(name, { game, seed: `${seed}/${i}` })));
  const rng = new Rng(`${seed}/blind`);
  const env = new Env(game);
  const choice = new Int32Array(1);
  const actions: number[] = [];
  env.reset(seed);
  while (env.actor >= 0) {
    const legal = game.actions.flatMap((_, a) => (env.mask[a] === 1 ? [a] : []));
    if (legal.length === 1 || rng.below(BLIND) === 0) choice[0] = legal[rng.below(legal.length)]!;
    else await agents[env.actor]!.act(new OneDecision(env), choice);
    actions.push(choice[0]!);
    env.step(choice[0]!);
  }
  return { seed, actions };
}

/** Decisions with something to choose. */
function placesOf(game: Game, games: SuiteDocument["games"]): { readonly game: number; readonly at: number }[] {
  const env = new Env(game);
  return games.flatMap(({ seed, actions }, g) => {
    env.reset(seed);
    return actions.flatMap((action, at) => {
      const open = env.legalCount > 1;
      env.step(action);
      return open ? [{ game: g, at }] : [];
    });
  });
}

async function make(id: string, given: Options): Promise<SuiteDocument> {
  const path = suitePath(id);
  const before = existsSync(path) ? (JSON.parse(readFileSync(path, "utf8")) as SuiteDocument).options : {};
  const options = { ...before, ...given };
  await importGame(id);
  const game = loadGame(id, options);
  const games: SuiteDocument["games"] = [];
  for (let k = 0; k < GAMES; k++) games.push(await recorded(game, `language/${k}`));
  const places = placesOf(game, games);
  const positions = new Positions(game, games);
  return {
    game: id,
    version: game.type.version,
    schema: schemaHash(game),
    options,
    seed: "language",
    secret: "kessel-language-suite-1",
    games,
    rules: makeRules(game, positions, places, QUESTIONS, new Rng(`language/${id}/rules`)),
    beliefs: makeBeliefs(game, positions, places, QUESTIONS, new Rng(`language/${id}/beliefs`)),
  };
}

/** A line for each game and each question. */
function written({ games, rules, beliefs, ...head }: SuiteDocument): string {
  const list = (name: string, items: readonly unknown[]): string =>
    `  ${JSON.stringify(name)}: [${items.map((i) => `\n    ${JSON.stringify(i)}`).join(",")}\n  ]`;
  const fields = Object.entries(head).map(([k, v]) => `  ${JSON.stringify(k)}: ${JSON.stringify(v)}`);
  return `{\n${[...fields, list("games", games), list("rules", rules), list("beliefs", beliefs)].join(",\n")}\n}\n`;
}

await new Command("suite")
  .argument("[games...]")
  .option("--option <name=value...>", "options of the game", [])
  .action(async (ids: string[], { option }: { option: string[] }) => {
    const given = Object.fromEntries(option.map((o) => o.split("=") as [string, string]));
    for (const id of ids.length > 0 ? ids : gameIds()) {
      const suite = await make(id, given);
      writeFileSync(suitePath(id), written(suite));
      process.stdout.write(
        `${id}: ${suite.games.length} games, ${suite.rules.length} rule questions, ${suite.beliefs.length} belief questions\n`,
      );
    }
  })
  .parseAsync()
  .catch((e: unknown) => {
    if (!(e instanceof KesselError)) throw e;
    process.stderr.write(`${e.message}\n`);
    process.exitCode = 2;
  });
