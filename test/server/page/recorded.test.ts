/** Replays that come from files, over HTTP and the socket. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { PageServer } from "../../../server/page/serve.js";
import { SessionStore } from "../../../server/session/store.js";
import { recorded } from "./recorded.js";
import { newFolder, playedGame, SocketGuest, startPage } from "./guest.js";

let page: PageServer;
beforeAll(async () => {
  page = await startPage(newFolder(), { limits: { messages: 100_000, replayBytes: 200_000, newPerMinute: 1000 } });
});
afterAll(() => page.close());

async function send(body: string, headers: Record<string, string> = {}) {
  const response = await fetch(`${page.address}api/replays`, {
    method: "POST",
    headers: { "Content-Type": "application/json", ...headers },
    body,
  });
  return { status: response.status, ...((await response.json()) as { link?: string; error?: { message: string } }) };
}
const refused = async (doc: unknown): Promise<string> =>
  (await send(typeof doc === "string" ? doc : JSON.stringify(doc))).error?.message ?? "it was opened";

test.each([
  ["from a seed", false],
  ["with dice of its own", true],
])("a finished game %s is looked back at by whoever has its link", async (_what, keepDice) => {
  const replay = recorded("night-fight", Infinity, keepDice);
  const text = JSON.stringify(replay);
  const { link } = await send(text);
  expect((await send(text)).link).toBe(link);
  const guest = await SocketGuest.sit(page, link!);
  const { result, seat, seats, log } = guest.frame!;
  expect(seat).toBeNull();
  expect(seats.map((s) => s.who)).toEqual(Object.values(replay.agents!));
  expect(result!.returns).toEqual(replay.returns);
  expect(result!.review.decisions).toBe(replay.actions.length);
  // everything is shown: what was hidden from the sides too
  expect(log.filter((l) => l.action !== null).map((l) => l.action)).toEqual(replay.actions);
  const saved = await guest.ask({ op: "replay" });
  if (saved.op !== "replay") throw new Error(saved.op);
  expect(JSON.parse(saved.text)).toEqual(replay);
  guest.close();
});

test("a game that was given up is over, here as where it was played", async () => {
  const { me } = await playedGame(page, "pocket-stalingrad", "soviet", 3, true);
  const saved = await me.ask({ op: "replay" });
  if (saved.op !== "replay") throw new Error(saved.op);
  const again = await SocketGuest.sit(page, (await send(saved.text)).link!);
  expect(again.frame!.result!.text).toBe(me.frame!.result!.text);
  again.close();
  me.close();
  const replay = { ...recorded("pocket-stalingrad", 9), resigned: "soviet" };
  const guest = await SocketGuest.sit(page, (await send(JSON.stringify(replay))).link!);
  expect(guest.frame!.result!.returns).toEqual({ soviet: -1, german: 1 });
  guest.close();
  expect(await refused({ ...replay, resigned: "nato" })).toMatch(/"nato" can't have given up; soviet or german can/);
  expect(await refused({ ...recorded("pocket-stalingrad"), resigned: "soviet" })).toMatch(/but the game is over/);
});

describe("refused with the reason", () => {
  test("what is no replay", async () => {
    expect(await refused("PK\u0003\u0004")).toMatch(/no replay: it is not JSON/);
    expect(await refused({ hello: 1 })).toMatch(/^replay.*format/);
    expect(await refused([])).toMatch(/^replay/);
    expect(await refused({ ...recorded("pocket-stalingrad"), game: "chess" })).toMatch(/chess/);
    expect(await refused({ ...recorded("pocket-stalingrad"), script: "<b>" })).toMatch(/script/);
  });

  test("a game that goes on, with what hides in it", async () => {
    const going = recorded("savage-streets", 50);
    expect(await refused(going)).toMatch(/not over after 50 decisions; only finished games/);
  });

  test("another version of the rules", async () => {
    expect(await refused({ ...recorded("pocket-stalingrad"), version: 99 })).toMatch(
      /made with version 99 of pocket-stalingrad; these rules are version \d+/,
    );
  });

  test("what does not play as recorded", async () => {
    const replay = recorded("pocket-stalingrad");
    expect(await refused({ ...replay, actions: ["fly", ...replay.actions] })).toMatch(/action 1: .*"fly"/);
    expect(await refused({ ...replay, returns: { soviet: 0, german: 0 } })).toMatch(/played again it is/);
    expect(await refused({ ...replay, dice: [] })).toMatch(/lists of dice/);
  });

  test("too large a file, another site's page, another kind of body", async () => {
    const large = await send(" ".repeat(5_000_000));
    expect(large.status).toBe(413);
    expect(large.error?.message).toMatch(/a replay takes at most \d+ bytes/);
    expect((await send("{}", { Origin: "http://evil.example" })).status).toBe(403);
    expect((await send("{}", { "Content-Type": "text/plain" })).status).toBe(415);
  });
});

test("a session is found by its links alone, not by its id", async () => {
  const folder = newFolder();
  const own = await startPage(folder);
  await own.hub.create({ game: "pocket-stalingrad", options: {}, seats: {} });
  const { id } = new SessionStore(folder).list()[0]!;
  await expect(own.hub.find(id)).rejects.toThrow(/leads to no game here/);
  await own.close();
});

describe("recorded games of a folder", () => {
  test("are listed and opened, also by links older than the server; without a folder there are none", async () => {
    const games = newFolder();
    const one = recorded("pocket-stalingrad");
    writeFileSync(join(games, "one.json"), JSON.stringify(one));
    writeFileSync(join(games, "going.json"), JSON.stringify(recorded("pocket-stalingrad", 9))); // its seed stays secret
    const old = await startPage(newFolder(), { games });
    const list = async (at: PageServer, query: string) => (await fetch(`${at.address}api/recorded?${query}`)).json();
    const { total, games: told } = (await list(old, "")) as { total: number; games: { link: string; seed: string }[] };
    expect([total, told[0]!.seed]).toEqual([1, one.seed]);
    expect(await list(old, "seed=other")).toEqual({ total: 0, games: [] });
    expect(await list(old, "least=many")).toMatchObject({
      error: { message: expect.stringMatching(/least/) as string },
    });
    await old.close();
    const next = await startPage(newFolder(), { games });
    const guest = await SocketGuest.sit(next, told[0]!.link);
    expect(guest.frame!.result!.returns).toEqual(one.returns);
    guest.close();
    await next.close();
    expect(await list(page, "")).toBeNull();
  });
});
