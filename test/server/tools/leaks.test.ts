import { beforeAll, expect, test } from "vitest";
import { gameIds, loadGame } from "../../../env/index.js";
import { NullStore } from "../../../server/session/store.js";
import { SeatTable } from "../../../server/tools/seat-table.js";
import { guestOf } from "./guest.js";
import { comparePairs } from "./leak-pairs.js";

/** Tools that don't answer from a game that goes on: they begin it, end it, or look up rules. */
const OTHERS = ["list_games", "new_game", "resign", "rule", "rules"];
let TELLING: string[];
beforeAll(async () => {
  const guest = await guestOf(new SeatTable(new NullStore(), false, 2));
  const { tools } = await guest.client.listTools();
  TELLING = tools
    .map((t) => t.name)
    .filter((name) => !OTHERS.includes(name))
    .sort();
  await guest.close();
});

test.each(gameIds())("tools report %s alike in worlds that a seat can't tell apart", async (id) => {
  const { compared, different, leaks, tools } = await comparePairs(loadGame(id), 160, "tools");
  expect(leaks).toEqual([]);
  expect([...tools].sort()).toEqual(TELLING);
  expect(compared).toBeGreaterThanOrEqual(160);
  if (id !== "pocket-stalingrad") expect(different).toBeGreaterThan(20);
});

test("a server that reveals a word of the true state is found", async () => {
  const sum = (s: Int32Array) => s.reduce((a, b) => (31 * a + b) | 0, 0);
  const { leaks } = await comparePairs(loadGame("savage-streets"), 120, "planted", (text, s) => `${text}${sum(s)}`);
  expect(leaks.join("\n")).toMatch(/may tell worlds apart by/);
});
