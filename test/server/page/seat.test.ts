import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { Decisions } from "../../../agents/agent.js";
import { streetsOfStalingrad } from "../../../env/streets-of-stalingrad/index.js";
import { diff, type Frame, patched } from "../../../server/page/frame.js";
import type { PageServer } from "../../../server/page/serve.js";
import { makeGame, newFolder, SocketGuest, startPage } from "./guest.js";

let page: PageServer;
beforeAll(async () => {
  page = await startPage();
});
afterAll(() => page.close());

const PS = { game: "pocket-stalingrad", options: {}, seats: { german: "first-keep" }, seed: "page" };

test("a message that is small until it is inflated cuts its own socket, and no other", async () => {
  const other = await SocketGuest.open(page);
  const bomber = await SocketGuest.open(page);
  bomber.socket.send("x".repeat(50_000_000), { compress: true });
  await bomber.until(() => bomber.closedWith !== null);
  expect(bomber.closedWith).toMatch(/^1009/);
  expect(other.closedWith).toBeNull();
  other.close();
});

describe("a seat over its socket", () => {
  test("an act is answered with what changed; a stale one with the reason", async () => {
    const links = await makeGame(page, PS);
    const me = await SocketGuest.sit(page, links["soviet"]!);
    const first = me.frame!;
    expect(first.seat).toBe("soviet");
    const action = first.prompt.choices[0]!.action;
    me.send({ op: "act", n: first.n, action });
    await me.until(() => me.frame!.n > first.n && me.asked);
    expect(me.frame!.log.length).toBeGreaterThan(first.log.length);
    expect(await me.ask({ op: "act", n: first.n, action })).toMatchObject({ op: "error", code: "stale" });
    expect(await me.ask({ op: "act", n: me.frame!.n, action: 9999 })).toMatchObject({
      op: "error",
      code: "illegal-action",
    });
    me.close();
  });

  test("what was chosen on one connection is refused by the next, which never showed it", async () => {
    const links = await makeGame(page, PS);
    const one = await SocketGuest.sit(page, links["soviet"]!);
    await one.until(() => one.asked);
    const { n, prompt } = one.frame!;
    const act = { op: "act", n, action: prompt.choices[0]!.action };
    one.send(act);
    await one.until(() => one.frame!.n > n && one.asked);
    one.close();
    const two = await SocketGuest.sit(page, links["soviet"]!);
    await two.until(() => two.asked);
    const { log } = two.frame!;
    expect(await two.ask(act)).toMatchObject({ op: "error", code: "stale" });
    expect(two.frame!.log).toEqual(log);
    two.close();
  });

  test("who comes and goes makes nobody's choice stale", async () => {
    const links = await makeGame(page, { ...PS, seats: {} });
    const me = await SocketGuest.sit(page, links["soviet"]!);
    await me.ask({ op: "rule", words: "x" }); // what is forced has been played
    const { n, log, prompt } = me.frame!;
    const isThere = (): boolean => me.frame!.seats.find((s) => s.side === "german")!.present;
    const other = await SocketGuest.sit(page, links["german"]!);
    await me.until(isThere);
    other.close();
    await me.until(() => !isThere());
    me.send({ op: "act", n, action: prompt.choices[0]!.action });
    await me.until(() => me.frame!.log.length > log.length);
    expect(me.frame!.n).toBeGreaterThan(n);
    me.close();
  });

  test.each([
    ["no JSON", "{"],
    ["an unknown operation", { op: "cheat" }],
    ["an unknown key", { op: "resign", really: true }],
    ["a number that is none", { op: "act", n: 1, action: "1" }],
    ["a token that can't be one", { op: "sit", token: "../../etc" }],
  ])("%s is a typed error, and the socket goes on", async (_what, message) => {
    const links = await makeGame(page, PS);
    const me = await SocketGuest.sit(page, links["soviet"]!);
    expect(await me.ask(message)).toMatchObject({ op: "error", code: "bad-message" });
    expect(await me.ask({ op: "rule", words: "fortify" })).toMatchObject({ op: "rules" });
    me.close();
  });

  test("an unknown link leads nowhere; a message too long closes the socket; nobody else notices", async () => {
    const links = await makeGame(page, PS);
    const other = await SocketGuest.sit(page, links["soviet"]!);
    const stranger = await SocketGuest.sit(page, "a".repeat(20));
    expect(stranger.replies[0]).toMatchObject({ op: "error", code: "bad-seat" });
    stranger.send("y".repeat(100_000));
    await stranger.until(() => stranger.closedWith !== null);
    expect(await other.ask({ op: "rule", words: "sniper" })).toMatchObject({ op: "rules" });
    other.close();
  });

  test("you see a game of two scripts while it goes on, and other guests of the page get answers", async () => {
    const wanted = { game: "streets-of-stalingrad", options: { scenario: "drill-kurgan" }, seed: "watched" };
    const links = await makeGame(page, { ...wanted, seats: { german: "random", soviet: "random" } });
    const watcher = await SocketGuest.sit(page, links["watch"]!);
    expect((await fetch(page.address)).status).toBe(200);
    expect(watcher.frame!.result).toBeNull();
    await watcher.until(() => watcher.frame!.result !== null);
    watcher.close();
  });

  test("the other side's decision can't be taken, nor anything by a spectator", async () => {
    const links = await makeGame(page, { ...PS, seats: {} });
    const german = await SocketGuest.sit(page, links["german"]!);
    const watcher = await SocketGuest.sit(page, links["watch"]!);
    const { n } = german.frame!;
    expect(german.frame!.prompt.choices).toEqual([]);
    expect(await german.ask({ op: "act", n, action: 0 })).toMatchObject({ op: "error", code: "stale" });
    for (const message of [
      { op: "act", n: 1, action: 0 },
      { op: "undo", n: 1 },
      { op: "hint", n: 1 },
      { op: "odds", n: 1, action: 0 },
      { op: "resign" },
      { op: "moveNow" },
    ])
      expect(await watcher.ask(message)).toMatchObject({ op: "error", code: "bad-seat" });
    german.close();
    watcher.close();
  });

  test("a hint delays no later question, and is shown at its own decision only", async () => {
    const links = await makeGame(page, PS);
    const me = await SocketGuest.sit(page, links["soviet"]!);
    await me.ask({ op: "rule", words: "x" }); // what is forced has been played
    const { table } = await page.hub.find(links["soviet"]!);
    let think = (): void => undefined;
    const thinking = new Promise<void>((done) => (think = done));
    /** What it was asked each time. */
    const could: number[][] = [];
    const act = async ({ mask }: Decisions, out: Int32Array): Promise<void> => {
      could.push([...mask.keys()].filter((action) => mask[action] === 1));
      await thinking;
      out[0] = mask.indexOf(1);
    };
    vi.spyOn(table["services"], "advisor").mockResolvedValue({ name: "slow", act });
    const { n, prompt } = me.frame!;
    me.send({ op: "hint", n });
    me.send({ op: "act", n, action: prompt.choices[0]!.action });
    await me.until(() => me.frame!.n > n && me.asked);
    await me.ask({ op: "rule", words: "x" });
    const now = me.frame!;
    me.send({ op: "hint", n: now.n });
    think();
    await me.until(() => me.replies.at(-1)!.op === "hint");
    expect(could.at(-1)).toEqual(now.prompt.choices.map((c) => c.action).sort((a, b) => a - b));
    const first = now.prompt.choices.reduce((a, b) => (a.action < b.action ? a : b));
    expect(me.replies.filter((r) => r.op === "hint")).toEqual([
      { op: "hint", n: now.n, action: first.action, by: "slow", text: `would choose: ${first.text}.` },
    ]);
    me.close();
  });

  test("too many sockets are refused, those that sit stay", async () => {
    const small = await startPage(newFolder(), { limits: { sockets: 3 } });
    const links = await makeGame(small, PS);
    const sitting = await Promise.all([1, 2, 3].map(() => SocketGuest.sit(small, links["soviet"]!)));
    await expect(SocketGuest.open(small)).rejects.toThrow("503");
    expect(await sitting[0]!.ask({ op: "rule", words: "air" })).toMatchObject({ op: "rules" });
    await small.close();
  });

  test("a socket whose browser answers no ping is cut off; one that answers stays, however quiet", async () => {
    const small = await startPage(newFolder(), { limits: { sockets: 2, pingSeconds: 1 } });
    const links = await makeGame(small, { ...PS, seats: {} });
    const quiet = await SocketGuest.sit(small, links["soviet"]!);
    const gone = await SocketGuest.sit(small, links["german"]!);
    await expect(SocketGuest.open(small)).rejects.toThrow("503");
    gone.socket.pause(); // reads nothing more, so it answers nothing
    await quiet.until(() => !quiet.frame!.seats.some((s) => s.side === "german" && s.present));
    const next = await SocketGuest.open(small);
    expect(quiet.closedWith).toBeNull();
    expect(await quiet.ask({ op: "rule", words: "air" })).toMatchObject({ op: "rules" });
    gone.close();
    next.close();
    await small.close();
  });

  test("a game goes on after the server was stopped and started again, by the same link", async () => {
    const folder = newFolder();
    const one = await startPage(folder);
    const links = await makeGame(one, PS);
    const before = await SocketGuest.sit(one, links["soviet"]!);
    for (let k = 0; k < 5; k++) {
      await before.until(() => before.asked);
      const { n, prompt } = before.frame!;
      before.send({ op: "act", n, action: prompt.choices[0]!.action });
      await before.until(() => before.frame!.n > n);
    }
    await before.until(() => before.asked);
    const seen = before.frame!;
    await one.close();
    const two = await startPage(folder);
    const after = await SocketGuest.sit(two, links["soviet"]!);
    await after.until(() => after.asked);
    expect({ ...after.frame!, n: 0 }).toEqual({ ...seen, n: 0 });
    await two.close();
  });

  test("the map is asked about a line of sight, by spectators too; where a game offers none, that is said", async () => {
    const game = { game: "streets-of-stalingrad", options: { scenario: "sandbox-2" }, seats: {}, seed: "look" };
    const links = await makeGame(page, game);
    for (const seat of ["german", "soviet", "watch"]) {
      const guest = await SocketGuest.sit(page, links[seat]!);
      expect(guest.frame!.questions.map((q) => q.kind)).toEqual(["look"]);
      const asked = { op: "ask", kind: "look", from: "0318", to: "0321" };
      const reply = await guest.ask(asked);
      const answer = streetsOfStalingrad.query!({ ...asked }, { scenario: "sandbox-2" }, streetsOfStalingrad.data);
      expect(reply).toEqual({ ...asked, op: "answer", answer });
      expect(await guest.ask({ ...asked, kind: "unit" })).toMatchObject({ op: "error", code: "bad-query" });
      expect(await guest.ask({ ...asked, to: "nowhere" })).toMatchObject({ op: "error", code: "bad-query" });
      guest.close();
    }
    const other = await SocketGuest.sit(page, (await makeGame(page, PS))["soviet"]!);
    expect(other.frame!.questions).toEqual([]);
    const reply = await other.ask({ op: "ask", kind: "look", from: "1", to: "2" });
    expect(reply).toMatchObject({ op: "error", code: "bad-query" });
    other.close();
  });

  test("a game that is over is put away when the last has left, and opens again by its link", async () => {
    const links = await makeGame(page, PS);
    const me = await SocketGuest.sit(page, links["soviet"]!);
    me.send({ op: "resign" });
    await me.until(() => me.frame!.result !== null);
    const { table } = await page.hub.find(links["soviet"]!);
    me.close();
    await expect.poll(async () => (await page.hub.find(links["soviet"]!)).table === table).toBe(false);
    const again = await SocketGuest.sit(page, links["soviet"]!);
    expect({ ...again.frame!, n: 0 }).toEqual({ ...me.frame!, n: 0 });
    again.close();
  });

  test("it opens again at once too, while the thread that looked back at it still ends", async () => {
    const links = await makeGame(page, PS);
    const me = await SocketGuest.sit(page, links["soviet"]!);
    me.send({ op: "resign" });
    await me.until(() => me.frame!.result !== null);
    const picture = { op: "export", what: "svg", at: 0, eyes: "all", theme: "light" };
    expect(await me.ask(picture)).toMatchObject({ op: "file" });
    const { table } = await page.hub.find(links["soviet"]!);
    me.close();
    const next = async () => (await page.hub.find(links["soviet"]!)).table;
    while ((await next()) === table) await new Promise(setImmediate);
    const again = await SocketGuest.sit(page, links["soviet"]!);
    expect(again.frame!.result).not.toBeNull();
    again.close();
  });

  test("a table that fails to close is logged, and nobody else notices", async () => {
    const told: unknown[] = [];
    const own = await startPage(newFolder(), {
      limits: { openSessions: 1 },
      log: (what, about) => told.push({ what, ...about }),
    });
    const links = await makeGame(own, PS);
    const { table } = await own.hub.find(links["soviet"]!);
    vi.spyOn(table, "close").mockRejectedValueOnce(new TypeError("a mistake"));
    expect(Object.keys(await makeGame(own, PS))).toContain("soviet"); // the other table is closed for it
    expect(told).toEqual([{ what: "table-not-closed", name: "TypeError" }]);
    await own.close();
  });

  test("a game that is opened where all others are watched is not closed before anybody has sat down", async () => {
    const own = await startPage(newFolder(), { limits: { openSessions: 1 } });
    const guests: SocketGuest[] = [];
    for (const links of [await makeGame(own, PS), await makeGame(own, PS)])
      guests.push(await SocketGuest.sit(own, links["soviet"]!));
    for (const guest of guests) {
      await guest.until(() => guest.asked);
      const { n, log, prompt } = guest.frame!;
      guest.send({ op: "act", n, action: prompt.choices[0]!.action });
      await guest.until(() => guest.frame!.log.length > log.length);
      expect(guest.frame!.unsaved).toBe(false);
      guest.close();
    }
    await own.close();
  });

  test("a table that a guest has found isn't closed before the guest sits down", async () => {
    const limits = { openSessions: 10 };
    const own = await startPage(newFolder(), { limits });
    const [one, other] = [await makeGame(own, PS), await makeGame(own, PS)];
    await own.hub.find(other["soviet"]!);
    Object.assign(own.hub.tables, { most: 1 });
    const trimmed = own.hub.tables.trim();
    const { table, viewer } = await own.hub.find(one["soviet"]!);
    const guest = { viewer, send: () => undefined };
    table.join(guest);
    await trimmed;
    expect((await own.hub.find(one["soviet"]!)).table).toBe(table);
    table.leave(guest);
    await own.close();
  });

  test("a request that arrives as its page closes is refused, and is not logged as a failure", async () => {
    const links = await makeGame(page, { ...PS, seats: {} });
    const said: string[] = [];
    for (const side of ["soviet", "german"]) {
      const { table, viewer } = await page.hub.find(links[side]!);
      const guest = { viewer, send: () => undefined };
      table.join(guest);
      table.leave(guest);
      for (const request of [
        { op: "act", n: 1, action: 0 },
        { op: "ways", n: 1, unit: "x" },
        { op: "order", n: 1, order: "roll" },
        { op: "beliefs", n: 1 },
      ] as const)
        await table.ask(guest, request).catch((e: unknown) => said.push(String(e)));
    }
    expect(said).toHaveLength(8);
    for (const text of said) expect(text).toMatch(/^KesselError: /);
    expect(said.filter((text) => text.includes("closed before that was carried out")).length).toBeGreaterThan(3);
  });

  test("the marshal plays, thinking in a thread of its own", async () => {
    const links = await makeGame(page, { ...PS, seats: { soviet: "marshal" } });
    const german = await SocketGuest.sit(page, links["german"]!);
    await german.until(() => german.frame!.thinking === "soviet");
    await german.ask({ op: "rule", words: "night" }); // the socket's thread answers meanwhile
    await german.until(() => german.frame!.log.some((l) => l.actor === "soviet"));
    expect(german.frame!.seats[0]!.who).toBe("marshal"); // not the settings of its search
    german.close();
  });

  test("an agent that thinks long can be made to move now", async () => {
    const links = await makeGame(page, { ...PS, seats: { soviet: "search, 10 s a move" } });
    const german = await SocketGuest.sit(page, links["german"]!);
    await german.until(() => german.frame!.thinking === "soviet");
    const before = german.frame!.log.length;
    german.send({ op: "moveNow" });
    await german.until(() => german.frame!.log.length > before);
    german.close();
  });
});

test("patches add up to the frame, in every game", async () => {
  for (const { id } of (await (await fetch(`${page.address}api/games`)).json()) as { id: string }[]) {
    const links = await makeGame(page, { game: id, options: {}, seats: {}, seed: "patch" });
    const seats = Object.keys(links).filter((s) => s !== "watch");
    const guests = await Promise.all(seats.map((s) => SocketGuest.sit(page, links[s]!)));
    for (let k = 0; k < 40; k++) {
      await guests[0]!.until(() => guests.some((g) => g.asked || g.frame!.result !== null));
      if (guests[0]!.frame!.result !== null) break;
      const me = guests.find((g) => g.asked)!;
      const { n, prompt } = me.frame!;
      me.send({ op: "act", n, action: prompt.choices[(k * 7) % prompt.choices.length]!.action });
      await me.until(() => me.frame!.n > n);
    }
    for (const g of guests) {
      await g.ask({ op: "rule", words: "x" }); // everything has come
      const from = g.replies.length;
      g.send({ op: "whole" });
      const adding = g.frame!;
      await g.until(() => g.replies.slice(from).some((r) => r.op === "frame"));
      expect({ ...g.frame!, n: 0 }, id).toEqual({ ...adding, n: 0 });
    }
    for (const g of guests) g.close();
  }
});

test("a patch turns the old frame into the new one, and no difference is no patch", async () => {
  const links = await makeGame(page, PS);
  const me = await SocketGuest.sit(page, links["soviet"]!);
  const a = me.frame!;
  me.send({ op: "act", n: a.n, action: a.prompt.choices[0]!.action });
  await me.until(() => me.frame!.n > a.n);
  const b: Frame = { ...me.frame!, n: a.n + 1, pieces: [...me.frame!.pieces].reverse(), log: me.frame!.log.slice(1) };
  expect(patched(a, diff(a, b)!)).toEqual(b);
  expect(patched(b, diff(b, a)!)).toEqual(a);
  expect(diff(a, { ...a, n: a.n + 1 })).toBeNull();
  me.close();
});
