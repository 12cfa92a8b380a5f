/**
 * Puzzles of every game that has some: they fit the game, and nothing that their side can't know reaches who solves
 * them.
 */
import { describe, expect, test } from "vitest";
import { type Game, GAMES, loadGame, Rng, Env, sameSituation, sampleFor, type State } from "../../../env/index.js";
import { openPuzzle, TablePuzzle } from "../../../server/page/learn/puzzle.js";
import { BaseCache } from "../../../server/page/picture.js";
import { Table, type TableServices } from "../../../server/page/table.js";
import { keyOf } from "../../../server/puzzles/check.js";
import { mostRight } from "../../../server/puzzles/candidates.js";
import { chanceOf, noThought } from "../../../server/puzzles/no-thought.js";
import { type Puzzle, puzzlesOf } from "../../../server/puzzles/puzzle.js";
import { factsOf, itemOf, likeness } from "../../../server/puzzles/select.js";
import { loadOnce } from "../../load-once.js";
import { nightlyUnless } from "../../nightly.js";

/** Games that can be solved for a while. */
const MANY: Readonly<Record<string, number>> = { "pocket-stalingrad": 20, "savage-streets": 10 };

/** Puzzles of each side whose bytes are compared, and worlds of each. */
const [COMPARED, WORLDS] = [3, 2];

const books = GAMES.flatMap((type) => {
  const book = puzzlesOf(type.id);
  return book === null ? [] : [{ id: type.id, type, book }];
});

test.each(Object.entries(MANY))("%s has at least %i puzzles", (id, least) => {
  expect(puzzlesOf(id)?.puzzles.length ?? 0).toBeGreaterThanOrEqual(least);
});

/** The puzzle's position as an environment, in the world of the file. */
function positioned({ options, position }: Puzzle, id: string): Env {
  const env = new Env(loadOnce(id, options));
  env.resetTo(position, "puzzle");
  return env;
}

/** Every byte that who solves a puzzle gets: the table, odds, and what two of the answers are worth. */
async function heard(game: Game, puzzle: Puzzle, id: string, state: State): Promise<string[]> {
  const book = puzzlesOf(id)!;
  const open = openPuzzle(game, { ...puzzle, position: game.write(state) });
  const services = { log: () => undefined, done: () => undefined } as unknown as TableServices;
  const shelved = { book, at: book.puzzles.indexOf(puzzle) };
  const table = new Table(open, new BaseCache(), services, new TablePuzzle(open, shelved));
  const raw: string[] = [];
  const guest = {
    viewer: game.players.indexOf(puzzle.side),
    send: (reply: unknown) => raw.push(JSON.stringify(reply)),
  };
  table.join(guest);
  const other = [...open.session.env.mask.keys()].find(
    (a) => open.session.env.mask[a] === 1 && !puzzle.accepted.includes(game.actions[a]!),
  );
  for (const action of [game.actions.indexOf(puzzle.best), other!]) {
    await table.ask(guest, { op: "odds", n: 1, action });
    await table.ask(guest, { op: "act", n: 1, action });
  }
  await table.close();
  return raw;
}

/**
 * First difference of what is heard in worlds of a puzzle that its side can't tell apart; how many worlds were
 * compared.
 */
async function compared(game: Game, puzzle: Puzzle, id: string): Promise<{ pairs: number; differences: string[] }> {
  const { state, actor } = positioned(puzzle, id);
  const rng = new Rng(`twins/${puzzle.id}`);
  const differences: string[] = [];
  let pairs = 0;
  for (let k = 0; k < WORLDS; k++) {
    const twin = sampleFor(game, state, actor, rng);
    if (sameSituation(twin, state)) continue;
    pairs++;
    const [one, two] = [await heard(game, puzzle, id, state.slice()), await heard(game, puzzle, id, twin)];
    const at = one.findIndex((text, i) => text !== two[i]);
    if (at >= 0) differences.push(`${puzzle.id}: ${one[at]!.slice(0, 80)}`);
  }
  return { pairs, differences };
}

describe.each(books)("$id", ({ id, type, book }) => {
  test("its puzzles are of this version, and no two are the same", () => {
    expect(book.version, "make them again: kessel games puzzles").toBe(type.version);
    expect(new Set(book.puzzles.map((p) => p.id)).size).toBe(book.puzzles.length);
    expect(book.made.held).toBeGreaterThanOrEqual(book.puzzles.length);
    expect(book.made.found).toBeGreaterThanOrEqual(book.made.held);
  });

  test.each(book.puzzles.map((puzzle) => ({ id: puzzle.id, puzzle })))("$id can be solved", ({ puzzle }) => {
    const env = positioned(puzzle, id);
    const { game, state, mask } = env;
    expect(game.players[env.actor]).toBe(puzzle.side);
    expect(env.legalCount).toBeGreaterThanOrEqual(3);
    expect(keyOf(game, state)).toBe(puzzle.id);
    const legal = game.actions.filter((_, a) => mask[a] === 1);
    expect(Object.keys(puzzle.values).sort(), "every legal action is judged").toEqual(legal.sort());
    expect(puzzle.accepted.length).toBeLessThanOrEqual(mostRight(legal.length));
    const wrong = legal.filter((a) => !puzzle.accepted.includes(a)).map((a) => puzzle.values[a]!);
    // an action that left the race early was tried in fewer worlds than the best: its mean is of those
    expect(puzzle.values[puzzle.best]! - Math.max(...wrong)).toBeGreaterThan(0);
    expect(puzzle.margin).toBeGreaterThanOrEqual(book.made.least);
    expect(puzzle.interval[0]).toBeGreaterThan(0);
    expect(puzzle.visits).toBeGreaterThanOrEqual(0.5);
  });

  test("few have the same kind and answer, and no two are near-identical", () => {
    const keys = book.puzzles.map((p) => `${p.kind} ${p.best}`);
    const most = Math.max(0, ...keys.map((k) => keys.filter((o) => o === k).length));
    expect(most).toBeLessThanOrEqual(Math.max(1, Math.floor(0.03 * book.puzzles.length)));
    const facts = book.puzzles.map((p) => factsOf(loadOnce(id, p.options), p));
    const alike = likeness(facts);
    for (const a of facts.keys()) for (let b = 0; b < a; b++) expect(alike(a, b)).toBeLessThanOrEqual(0.8);
  });

  test("who chooses without thought solves no more than five points above chance", () => {
    const items = book.puzzles.map((p) => itemOf(loadOnce(id, p.options), p));
    const chance = chanceOf(items);
    for (const { policy, share } of noThought(items)) expect(share - chance, policy).toBeLessThanOrEqual(0.05);
  });

  for (const side of new Set(book.puzzles.map((p) => p.side)))
    book.puzzles
      .filter((p) => p.side === side)
      .slice(0, COMPARED)
      .forEach((puzzle, i) => {
        test(
          `worlds that ${side} can't tell apart in ${puzzle.id} bring the same bytes`,
          nightlyUnless(i === 0),
          async () => {
            expect((await compared(loadOnce(id, puzzle.options), puzzle, id)).differences).toEqual([]);
          },
        );
      });
});

test("a leak planted in the scene of a puzzle is found", async () => {
  const puzzle = puzzlesOf("savage-streets")!.puzzles.find((p) => p.side === "G"); // who can't know the chits
  const game = loadGame("savage-streets", puzzle!.options);
  const honest = game.scene!.bind(game);
  const scene: NonNullable<typeof game.scene> = (s, viewer) => ({
    ...honest(s, viewer),
    caption: JSON.stringify(game.write(s)),
  });
  const leaky = Object.assign(Object.create(game) as typeof game, { scene });
  const { pairs, differences } = await compared(leaky, puzzle!, "savage-streets");
  expect(pairs).toBeGreaterThan(0);
  expect(differences).toHaveLength(pairs);
});
