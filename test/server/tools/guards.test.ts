/** Calls that come late or twice: a decision's number and a call's name guard what changes a game. */
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { gameIds, loadGame } from "../../../env/index.js";
import { NullStore, SessionStore } from "../../../server/session/store.js";
import { SeatTable } from "../../../server/tools/seat-table.js";
import { type Answer, type Guest, guestOf, sessionOf } from "./guest.js";

const folder = mkdtempSync(join(tmpdir(), "guards-"));
let table: SeatTable;
let guest: Guest;
beforeAll(async () => {
  table = new SeatTable(new SessionStore(folder));
  guest = await guestOf(table);
});
afterAll(async () => {
  await guest.close();
  await table.close();
});

const begin = (game = "pocket-stalingrad"): Promise<Answer> => {
  const [seat, ...others] = loadGame(game).players;
  return guest.call("new_game", { game, seat, ...(others.length === 0 ? {} : { opponent: "random" }) });
};
const numberIn = ({ text }: Answer): string => /^Decision ([\d.]+)\.$/m.exec(text)![1]!;
const factOf = ({ facts }: Answer): unknown => (JSON.parse(facts!) as { decision: unknown }).decision;

test.each(gameIds())("each text of %s names its decision, and so do the facts", async (game) => {
  let answer = await begin(game);
  const session = sessionOf(answer);
  const seen = new Set<string>();
  for (let k = 0; k < 6; k++) {
    expect(factOf(answer)).toBe(numberIn(answer));
    expect(seen).not.toContain(numberIn(answer));
    seen.add(numberIn(answer));
    answer = await guest.call("act", { session, action: "1", decision: numberIn(answer) });
    expect(answer.isError, answer.text).toBe(false);
  }
});

test("a choice for an earlier decision is refused with what has changed, and nothing is done", async () => {
  const first = await begin();
  const session = sessionOf(first);
  const second = await guest.call("act", { session, action: "1" });
  for (const [tool, input] of [
    ["act", { action: "1" }],
    ["order", { order: "no matter" }],
    ["undo", {}],
  ] as const) {
    const late = await guest.call(tool, { session, ...input, decision: numberIn(first) });
    expect(late.isError).toBe(true);
    expect(late.text).toMatch(/^stale: that was chosen for decision "[\d.]+"; decision [\d.]+ is asked now/);
    expect(late.text).toContain(`Decision ${numberIn(second)}.`);
    expect(late.text).toContain("Legal actions");
  }
  expect((await guest.call("act", { session, action: "1", decision: numberIn(second) })).isError).toBe(false);
});

test("after a choice was taken back no number is used twice", async () => {
  let answer = await begin("strike-counterstrike");
  const session = sessionOf(answer);
  const numbers = [numberIn(answer)];
  for (const [tool, input] of [
    ["act", { action: "1" }],
    ["undo", {}],
    ["act", { action: "2" }],
  ] as const) {
    answer = await guest.call(tool, { session, ...input });
    expect(answer.isError, answer.text).toBe(false);
    numbers.push(numberIn(answer));
  }
  expect(new Set(numbers).size).toBe(numbers.length);
  // nor when another server goes on with the game
  await guest.close();
  await table.close();
  table = new SeatTable(new SessionStore(folder));
  guest = await guestOf(table);
  expect(numberIn(await guest.call("observe", { session }))).toBe(numbers.at(-1));
});

test("a call that is repeated under its name gets its answer again and is carried out once", async () => {
  const session = sessionOf(await begin());
  const once = await guest.call("act", { session, action: "1", request: "a" });
  const now = (await guest.call("observe", { session })).text;
  expect(await guest.call("act", { session, action: "1", request: "a" })).toEqual(once);
  expect((await guest.call("observe", { session })).text).toBe(now);
  const other = sessionOf(await begin());
  const elsewhere = await guest.call("act", { session: other, action: "1", request: "a" });
  expect(elsewhere.isError).toBe(false);
  expect((JSON.parse(elsewhere.facts!) as { session: string }).session).toBe(other);
});

test("a call that was refused may be tried again under its name", async () => {
  const session = sessionOf(await begin());
  expect((await guest.call("act", { session, action: "no such thing", request: "a" })).isError).toBe(true);
  expect((await guest.call("act", { session, action: "1", request: "a" })).isError).toBe(false);
});

test("two seats of one game give their calls the same name, and each gets its own answer", async () => {
  const both = await guestOf(new SeatTable(new NullStore(), true), { seeds: true, potentials: false, allSeats: true });
  const { text } = await both.call("new_game", { game: "savage-streets", all_seats: true, seed: "names" });
  const sessions = [...text.matchAll(/^session: (.+)$/gm)].map((m) => m[1]!);
  for (let k = 0; k < 40; k++)
    for (const session of sessions) {
      const asked = await both.call("observe", { session });
      if (!asked.text.includes("Legal actions")) continue;
      const answer = await both.call("act", { session, action: "1", request: `${k}` });
      expect((JSON.parse(answer.facts!) as { session: string }).session).toBe(session);
    }
  await both.close();
});

test("of a game fifty answers are kept, the latest", async () => {
  let answer = await begin("night-fight");
  const session = sessionOf(answer);
  for (let k = 0; k <= 50; k++) answer = await guest.call("act", { session, action: "1", request: `${k}` });
  expect(await guest.call("act", { session, action: "1", request: "50" })).toEqual(answer);
  const forgotten = await guest.call("act", { session, action: "1", request: "0" });
  expect(numberIn(forgotten)).not.toBe(numberIn(answer));
  expect(Number(numberIn(forgotten))).toBeGreaterThan(Number(numberIn(answer)));
});
