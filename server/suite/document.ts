import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { type Game, gameType, KesselError, loadGame, parseWith, schemaHash } from "../../env/index.js";

const place = {
  /** Index into `games`, and decisions taken in it. */
  game: z.number().int().min(0),
  at: z.number().int().min(0),
};

const ruleQuestion = z.discriminatedUnion("kind", [
  z.strictObject({ ...place, kind: z.literal("legal"), action: z.string(), answer: z.string() }),
  z.strictObject({ ...place, kind: z.literal("cost"), action: z.string(), answer: z.string() }),
  z.strictObject({ ...place, kind: z.literal("odds"), action: z.string(), outcome: z.string(), answer: z.string() }),
  z.strictObject({
    ...place,
    kind: z.literal("result"),
    action: z.string(),
    /** What is thrown or drawn, in order, and what may come of it, each a list of outcomes. */
    dice: z.array(z.union([z.number(), z.string()])),
    options: z.array(z.array(z.string())),
    answer: z.string(),
  }),
  z.strictObject({ ...place, kind: z.literal("standing"), condition: z.number().int().min(0), answer: z.string() }),
  z.strictObject({
    ...place,
    kind: z.literal("map"),
    question: z.string(),
    from: z.string(),
    to: z.string(),
    answer: z.string(),
  }),
]);

const beliefQuestion = z.strictObject({
  ...place,
  seat: z.string(),
  place: z.string(),
  side: z.string(),
  /** What a counter picked blindly among those face-down there can be, and how likely each is. */
  what: z.array(z.string()).min(2),
  shares: z.array(z.number().min(0).max(1)),
});

const suiteDocument = z.strictObject({
  game: z.string(),
  /** Of the game when the suite was made. */
  version: z.number().int(),
  schema: z.string(),
  options: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
  /** Of the whole games that are played: the same dice for every agent. */
  seed: z.string(),
  secret: z.string(),
  /** Games that questions are taken from: actions by number, from the seed on. */
  games: z.array(z.strictObject({ seed: z.string(), actions: z.array(z.number().int()) })),
  rules: z.array(ruleQuestion),
  beliefs: z.array(beliefQuestion),
});

export type SuiteDocument = z.infer<typeof suiteDocument>;
export type RuleQuestion = z.infer<typeof ruleQuestion>;
export type BeliefQuestion = z.infer<typeof beliefQuestion>;

export const suitePath = (id: string): string => fileURLToPath(new URL(`./data/${id}.json`, import.meta.url));

export const hasSuite = (id: string): boolean => existsSync(suitePath(id));

/**
 * The language suite of a game, with the game as it is played there.
 *
 * @throws KesselError `unknown-game`; `bad-option` for a game without a suite; `bad-data` for one that was made for
 *   another version
 */
export function readSuite(id: string): { readonly suite: SuiteDocument; readonly game: Game } {
  const type = gameType(id);
  if (!hasSuite(id))
    throw new KesselError("bad-option", `${id} has no language suite; npm run suite -- ${id} makes one`);
  const suite = parseWith(suiteDocument, JSON.parse(readFileSync(suitePath(id), "utf8")), "bad-data", `suite of ${id}`);
  const game = loadGame(id, suite.options);
  if (suite.version !== type.version || suite.schema !== schemaHash(game))
    throw new KesselError(
      "bad-data",
      `the suite of ${id} was made for version ${suite.version}, schema ${suite.schema}, and the game has version ${type.version}, schema ${schemaHash(game)}; npm run suite -- ${id} makes it anew`,
    );
  return { suite, game };
}
