/** What the server lets the learner of a lesson do, and what it refuses. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { GAMES, gameType } from "../../../env/index.js";
import type { PageServer } from "../../../server/page/serve.js";
import { newFolder, SocketGuest, startPage } from "./guest.js";

let page: PageServer;
const folder = newFolder();
beforeAll(async () => {
  page = await startPage(folder);
});
afterAll(() => page.close());

const post = async (
  body: unknown,
): Promise<{ status: number; links?: Record<string, string>; error?: { message: string } }> => {
  const response = await fetch(`${page.address}api/lessons`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
  return { status: response.status, ...((await response.json()) as object) };
};

async function learner(game: string): Promise<SocketGuest> {
  const { links } = await post({ game });
  const seats = Object.entries(links!);
  expect(seats.map(([side]) => side)).toEqual([gameType(game).teaching!.lesson.seat]); // nobody else has a link
  const guest = await SocketGuest.sit(page, seats[0]![1]);
  await guest.until(() => guest.asked);
  return guest;
}

const message = async (guest: SocketGuest, request: unknown): Promise<string> => {
  const reply = await guest.ask(request);
  return reply.op === "error" ? reply.message : `answered with ${reply.op}`;
};

test("another choice is refused with the reason of the step, and nothing has happened", async () => {
  const guest = await learner("pocket-stalingrad");
  const { n, prompt, lesson } = guest.frame!;
  const other = prompt.choices.find((c) => !lesson!.do.includes(c.name))!;
  const why = await message(guest, { op: "act", n, action: other.action });
  expect(why).toBe(lesson!.otherwise);
  expect(why).toMatch(/Command die/);
  expect(guest.frame!.n).toBe(n);
  guest.close();
});

test("nothing is taken back, given up or hinted at, and one plays on at the end only", async () => {
  const guest = await learner("pocket-stalingrad");
  const act = (): void => {
    const { n, prompt, lesson } = guest.frame!;
    guest.send({ op: "act", n, action: prompt.choices.find((c) => lesson!.do.includes(c.name))!.action });
  };
  act();
  await guest.until(() => guest.frame!.lesson!.done === 1);
  const { n } = guest.frame!;
  expect(await message(guest, { op: "undo", n })).toMatch(/takes nothing back/);
  expect(await message(guest, { op: "hint", n })).toMatch(/says what to do/);
  expect(await message(guest, { op: "resign" })).toMatch(/isn't lost/);
  expect(await message(guest, { op: "playOn" })).toMatch(/isn't over/);
  expect(guest.frame!.beliefs).toBe(false);
  guest.close();
});

test("what others do comes by itself, and the seats say who plays them", async () => {
  const guest = await learner("savage-streets");
  const { n, prompt, seats } = guest.frame!;
  expect(seats).toContainEqual({ side: "S", who: "lesson", present: true });
  guest.send({ op: "act", n, action: prompt.choices.find((c) => c.name === "area A")!.action });
  await guest.until(() => guest.frame!.lesson!.done === 1 && guest.asked);
  expect(guest.frame!.log.filter((l) => l.actor === "S")).toHaveLength(3); // three chits, of which nothing is shown
  expect(JSON.stringify(guest.frame!.log)).not.toMatch(/molotov|strongpoint|artillery/);
  guest.close();
});

test("a lesson of a game that isn't there is refused, and so is what a lesson doesn't need", async () => {
  const unknown = await post({ game: "chess" });
  expect(unknown.status).toBe(400);
  expect(unknown.error!.message).toContain("chess");
  expect((await post({ game: "savage-streets", seed: "mine" })).error!.message).toContain("seed: there is no such key");
});

test("an ordinary game knows no lesson", async () => {
  const response = await fetch(`${page.address}api/games`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ game: "pocket-stalingrad", options: {}, seats: { german: "random" } }),
  });
  const { links } = (await response.json()) as { links: Record<string, string> };
  const guest = await SocketGuest.sit(page, links["soviet"]!);
  expect(guest.frame!.lesson).toBeNull();
  expect(await message(guest, { op: "playOn" })).toMatch(/no lesson/);
  guest.close();
});

test.each(GAMES.filter((g) => g.teaching !== undefined).map((g) => g.id))(
  "the primer of %s comes with the rules that its words name",
  async (id) => {
    const doc = (await (await fetch(`${page.address}primers/${id}.json`)).json()) as {
      terms: { rule: string }[];
      rules: Record<string, string>;
    };
    expect(doc.terms.length).toBeGreaterThan(10);
    for (const { rule } of doc.terms) expect(doc.rules[rule]).toBe(gameType(id).rules[rule]!.says);
    expect((await fetch(`${page.address}words/${id}`)).headers.get("content-type")).toContain("text/html");
  },
);

test("there is no primer of a game that isn't there", async () => {
  expect((await fetch(`${page.address}primers/chess.json`)).status).toBe(404);
});
