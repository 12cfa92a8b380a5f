import { expect, test } from "vitest";
import { pickLegal } from "../../agents/random.js";
import { type Game, GAMES, newState, Rng, SeededDice, seedStream, type State } from "../../env/index.js";
import { optionSets } from "./option-sets.js";
import { recordedGames } from "./starts.js";
import { checkTexts, faultOf, type Found } from "./texts.js";

/** Random games of each option set; each `SPARSE`-th situation of one is read, of a recorded game each `DENSE`-th. */
const RANDOM = Number(process.env["TEXT_GAMES"] ?? 1);
const SPARSE = 24;
const DENSE = 6;

function begun(game: Game, seed: string): State {
  const s = newState(game.stateSize);
  seedStream(seed, s);
  const dice = new SeededDice();
  dice.begin(s);
  game.start(s, dice);
  return s;
}

test.each(GAMES.map((type) => ({ id: type.id, type })))(
  "no text of $id shows a value that was not found or a broken sentence",
  ({ type }) => {
    const found: Found = new Map();
    for (const { name, game } of optionSets(type)) {
      const rng = new Rng(`texts/${name}`);
      for (const { seed, actions } of recordedGames(game)) {
        let at = 0;
        checkTexts(game, begun(game, seed), () => actions[at++] ?? -1, DENSE, found, rng);
      }
      for (let g = 0; g < RANDOM; g++)
        checkTexts(
          game,
          begun(game, `texts/${name}/${g}`),
          (_, mask) => pickLegal(mask, 0, mask.length, rng),
          SPARSE,
          found,
          rng,
        );
    }
    expect([...found.values()]).toEqual([]);
  },
  300_000,
);

test.each([
  "Turn 3, undefined player turn",
  "column NaN",
  "[object Object] moves",
  "1801 (balka, balka)",
  "9 of 0 Soviet counters",
  "1 stars",
  "1 Stuka fly against 2010",
  "so is lost left without a unit",
  "moves the the unit",
  "held by , ready",
])("%s is a fault", (text) => expect(faultOf(text)).not.toBeNull());

test.each([
  "2010 (balka, 1 point)",
  "9 of 10 points",
  "1 Stuka flies",
  "AT gun 1 fires at AT gun 2",
  "0 of 1 points",
  "nobody is left: all are lost.",
])("%s is none", (text) => expect(faultOf(text)).toBeNull());
