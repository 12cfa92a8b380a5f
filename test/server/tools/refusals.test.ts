/** What the tools refuse, each in one line that says what came and what would do. */
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { SessionStore } from "../../../server/session/store.js";
import { SeatTable } from "../../../server/tools/seat-table.js";
import { type Guest, guestOf, sessionOf } from "./guest.js";

const table = new SeatTable(new SessionStore(mkdtempSync(join(tmpdir(), "refusals-"))));
let guest: Guest;
beforeAll(async () => (guest = await guestOf(table)));
afterAll(async () => {
  await guest.close();
  await table.close();
});

const begin = async (): Promise<string> =>
  sessionOf(await guest.call("new_game", { game: "pocket-stalingrad", seat: "german", opponent: "random" }));

const ACTION = "(a legal action: its number in the list, or its name)";

describe("arguments", () => {
  test.each<[string, Record<string, unknown>, string]>([
    ["act", { session: "s", action: 0 }, `act: action is a text or a whole number from 1 to 100000, not 0 ${ACTION}`],
    [
      "act",
      { session: "s", action: null },
      `act: action is a text or a whole number from 1 to 100000, not null ${ACTION}`,
    ],
    ["act", { session: "s" }, `act: action is missing; it is a text or a whole number from 1 to 100000 ${ACTION}`],
    [
      "act",
      { session: "s", actoin: "3" },
      'act has no argument "actoin"; it takes session, action, decision and request',
    ],
    ["list_games", { game: "chess" }, 'list_games has no argument "game"; it takes none'],
    ["log", { session: "s", last: "all" }, 'log: last is a whole number from 1 to 1000, not "all" (how many reports, the latest last)'], // prettier-ignore
    ["log", { session: "s", last: 0 }, "log: last is a whole number from 1 to 1000, not 0 (how many reports, the latest last)"], // prettier-ignore
    ["log", { session: "s", last: 1.5 }, "log: last is a whole number from 1 to 1000, not 1.5 (how many reports, the latest last)"], // prettier-ignore
    ["rules", { game: "g", length: "all" }, 'rules: length is short, medium or long, not "all" (about 120, 800, or thousands of words)'], // prettier-ignore
    ["rule", { game: "g", words: "w".repeat(201) }, "rule: words is a text of 1 to 200 characters, not of 201 (a rule's id such as 7.31, or words to search for)"], // prettier-ignore
    ["look", { session: "s", place: "p".repeat(101) }, "look: place is a text of at most 100 characters, not of 101 (a place or a unit by its name; empty for all places with counters)"], // prettier-ignore
    ["new_game", { game: "g", options: "x" }, 'new_game: options is an object with a text, a number, true or false for each name, not "x" (options as list_games names them)'], // prettier-ignore
    ["new_game", { game: "g", options: { x: [1] } }, "new_game: options.x is a text, a number, true or false, not [1] (options as list_games names them)"], // prettier-ignore
  ])("of %s: %j", async (tool, input, says) => {
    expect(await guest.call(tool, input)).toEqual({ isError: true, text: `bad-message: ${says}` });
  });

  test("of a tool that there is not", async () => {
    await expect(guest.call("fly")).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining(
        'there is no tool "fly"; there are list_games, rules, rule, new_game, observe, map, legal_actions, act, orders, order, odds, look, standing, log, undo, resign, result or replay',
      ) as string,
    });
  });

  test("that are missing and have a default need not be given", async () => {
    expect(await guest.call("rules", { game: "pocket-stalingrad" })).toEqual(
      await guest.call("rules", { game: "pocket-stalingrad", length: "medium" }),
    );
  });

  test("are sent to clients with their limits", async () => {
    const { tools } = await guest.client.listTools();
    expect(tools.find((t) => t.name === "log")!.inputSchema).toMatchObject({
      properties: { last: { type: "integer", minimum: 1, maximum: 1000 } },
      required: ["session"],
      additionalProperties: false,
    });
  });

  test("of nothing but blanks name no rule", async () => {
    for (const words of [" ", "\t \n"])
      expect(await guest.call("rule", { game: "pocket-stalingrad", words })).toEqual({
        isError: true,
        text: "bad-message: rule: words has nothing but blanks; give a rule's id such as 7.31, or words to search for",
      });
  });
});

test("after the end of a game every tool that would change it says where its result is", async () => {
  const session = await begin();
  expect((await guest.call("resign", { session })).isError).toBe(false);
  const over = { isError: true, text: "closed: the game is over; result shows how it ended" };
  for (const tool of ["act", "odds"]) expect(await guest.call(tool, { session, action: "1" }), tool).toEqual(over);
  for (const tool of ["undo", "resign"]) expect(await guest.call(tool, { session }), tool).toEqual(over);
});
