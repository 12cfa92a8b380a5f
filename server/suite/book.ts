import { createHash } from "node:crypto";
import { makeAgent } from "../../agents/registry.js";
import { roster } from "../../agents/roster.js";
import { Env, type Game, loadGame, type Options, Rng, schemaHash } from "../../env/index.js";
import { OneDecision } from "../session/one-decision.js";
import { makeBeliefs } from "./belief-questions.js";
import type { SuiteDocument } from "./document.js";
import { makeRules } from "./make-rules.js";
import { Positions } from "./positions.js";

/** Number of games that questions come from, of rule questions of each kind, and of belief questions. */
const GAMES = 10;
const [EACH_KIND, BELIEFS] = [12, 50];
/** One in this many decisions is random, so that positions differ. */
const BLIND = 5;

/** A hash that identifies a seed without revealing it. */
export const seedHash = (seed: string): string => createHash("sha256").update(`kessel book ${seed}`).digest("hex");

/**
 * Makes the questions of a game's suite, and the seed of its whole games. The same seed gives the same book.
 *
 * @throws KesselError `bad-option` for options that the game does not have
 */
export async function makeBook(id: string, options: Options, seed: string): Promise<SuiteDocument> {
  const game = loadGame(id, options);
  const hash = seedHash(seed);
  const games: SuiteDocument["games"] = [];
  // seeds in the book do not reveal the seed that it was made from
  for (let k = 0; k < GAMES; k++) games.push(await recorded(game, `${hash}/${k}`));
  const places = placesOf(game, games);
  const positions = new Positions(game, games);
  return {
    game: id,
    version: game.type.version,
    schema: schemaHash(game),
    options: { ...options },
    seed: "language",
    secret: createHash("sha256").update(`kessel dice ${seed}`).digest("hex"),
    book: hash,
    games,
    rules: makeRules(game, positions, places, EACH_KIND, new Rng(`${hash}/${id}/rules`)),
    beliefs: makeBeliefs(game, positions, places, BELIEFS, new Rng(`${hash}/${id}/beliefs`)),
  };
}

/** A game between scripted players that sometimes play a random action. */
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

/** Decisions with a choice. */
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

/** The text of a book's file, with a line for each game and each question. */
export function suiteFile({ games, rules, beliefs, ...head }: SuiteDocument): string {
  const list = (name: string, items: readonly unknown[]): string =>
    `  ${JSON.stringify(name)}: [${items.map((i) => `\n    ${JSON.stringify(i)}`).join(",")}\n  ]`;
  const fields = Object.entries(head).map(([k, v]) => `  ${JSON.stringify(k)}: ${JSON.stringify(v)}`);
  return `{\n${[...fields, list("games", games), list("rules", rules), list("beliefs", beliefs)].join(",\n")}\n}\n`;
}
