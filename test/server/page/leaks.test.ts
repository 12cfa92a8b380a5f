import { afterAll, beforeAll, expect, test } from "vitest";
import { GAMES, loadGame } from "../../../env/index.js";
import type { PageServer } from "../../../server/page/serve.js";
import { requestSchema } from "../../../server/page/messages.js";
import { SocketGuest, startPage } from "./guest.js";
import { compareLookBack } from "./look-back-pairs.js";
import { comparePuzzles } from "./puzzle-pairs.js";
import { comparePairs, hides } from "./leaks.js";
import { nightly } from "../../nightly.js";

let page: PageServer;
beforeAll(async () => {
  page = await startPage();
});
afterAll(() => page.close());

const HIDING = GAMES.map((g) => g.id).filter((id) => hides(loadGame(id)));

test("there are games that hide something", () => expect(HIDING).toContain("savage-streets"));

test.each(HIDING)("worlds that a seat of %s can't tell apart bring the same bytes over its socket", async (id) => {
  expect(await comparePairs(page, loadGame(id), 5, "page")).toMatchObject({ pairs: 5, differences: [] });
});

test.each(HIDING)("nor do 25 pairs of worlds of %s", nightly, async (id) => {
  expect(await comparePairs(page, loadGame(id), 25, "more")).toMatchObject({ pairs: 25, differences: [] });
});

test("puzzles whose hidden things are others bring a solver the same bytes", async () => {
  const { pairs, differences } = await comparePuzzles(page, 2, "puzzles");
  expect(differences).toEqual([]);
  expect(pairs).toBeGreaterThan(2);
});

/** What a seat's page may send that no kit compares, and why. */
const ENDS = {
  resign: "it ends the game, and then everybody is shown everything",
  ping: "it is answered before anything is known of the seat",
};

test("everything that a seat's page may ask is asked in worlds that it can't tell apart", async () => {
  const game = loadGame("savage-streets");
  SocketGuest.asked.clear();
  await comparePairs(page, game, 4, "asked");
  await compareLookBack(page, game, 1, "asked", false);
  const { options } = requestSchema as unknown as { options: { shape: { op: { value: string } } }[] };
  const all = options.map((o) => o.shape.op.value).filter((op) => !Object.hasOwn(ENDS, op));
  expect([...SocketGuest.asked].sort()).toEqual(all.sort());
});

test("a leak planted in a game's scene is found", async () => {
  const game = loadGame("savage-streets");
  const honest = game.scene!.bind(game);
  const scene: NonNullable<typeof game.scene> = (s, viewer) => ({
    ...honest(s, viewer),
    caption: `${game.invariantViolation(s) ?? ""}${s[s.length - 1]}${[...Array.from({ length: s.length }, (_, i) => s[i]!)].reduce((a, b) => (a * 31 + b) | 0, 7)}`,
  });
  const leaky = Object.assign(Object.create(game) as typeof game, { scene });
  const { differences } = await comparePairs(page, leaky, 3, "planted");
  expect(differences.length).toBeGreaterThan(0);
});
