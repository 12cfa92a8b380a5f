/** What the server sends to the solver of a puzzle, before and after the answer. */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { PageServer } from "../../../../server/page/serve.js";
import type { ListedPuzzle, Solved } from "../../../../server/page/learn/puzzle-view.js";
import { puzzlesOf } from "../../../../server/puzzles/puzzle.js";
import { newFolder, SocketGuest, startPage } from "../guest.js";

let page: PageServer;
beforeAll(async () => {
  page = await startPage(newFolder());
});
afterAll(() => page.close());

const GAME = "pocket-stalingrad";
const book = puzzlesOf(GAME)!;

const listed = async (game: string): Promise<readonly ListedPuzzle[]> =>
  ((await (await fetch(`${page.address}api/puzzles?game=${game}`)).json()) as { puzzles: ListedPuzzle[] }).puzzles;

async function solver(at = 0): Promise<{ guest: SocketGuest; id: string }> {
  const { link, id } = (await listed(GAME))[at]!;
  return { guest: await SocketGuest.sit(page, link), id };
}

const message = async (guest: SocketGuest, request: unknown): Promise<string> => {
  const reply = await guest.ask(request);
  return reply.op === "error" ? reply.message : `answered with ${reply.op}`;
};

test("puzzles are listed from the easiest up, without their answers", async () => {
  const list = await listed(GAME);
  expect(list).toHaveLength(book.puzzles.length);
  expect(list.map((p) => p.rating)).toEqual(list.map((p) => p.rating).sort((a, b) => a - b));
  expect(Object.keys(list[0]!).sort()).toEqual(["id", "link", "rating"]);
  expect((await fetch(`${page.address}api/puzzles?game=chess`)).status).toBe(400);
});

test("nothing reveals the answer before it is given; then the values, the reason and the choice are shown", async () => {
  const { guest, id } = await solver(3);
  const puzzle = book.puzzles.find((p) => p.id === id)!;
  const { frame } = guest;
  expect(frame!.seat).toBe(puzzle.side);
  expect(frame!.puzzle).toMatchObject({ id, number: 4, of: book.puzzles.length });
  expect(Object.keys(frame!.puzzle!).sort()).toEqual(["id", "number", "of", "rating"]);
  const raw = guest.raw.join("");
  for (const told of ["solvedBy", "margin", `"best"`, "accepted", String(puzzle.margin)])
    expect(raw).not.toContain(told);
  const act = async (name: string): Promise<Solved> => {
    const action = frame!.prompt.choices.find((c) => c.name === name)!.action;
    const reply = await guest.ask({ op: "act", n: frame!.n, action });
    expect(reply.op).toBe("solved");
    return reply as unknown as Solved;
  };
  const wrong = frame!.prompt.choices.find((c) => !puzzle.accepted.includes(c.name))!.name;
  const bad = await act(wrong);
  expect(bad).toMatchObject({ action: wrong, right: false, best: puzzle.best });
  expect(bad.choices[0]).toMatchObject({ action: puzzle.best, value: puzzle.values[puzzle.best] });
  expect(bad.choices.map((c) => c.action)).toContain(wrong);
  expect(bad.why).not.toBe("");
  for (const name of puzzle.accepted) expect((await act(name)).right, name).toBe(true);
  guest.close();
});

test("nothing is played: everybody finds the puzzle as it was, and nothing of it is kept on the disk", async () => {
  const { guest } = await solver();
  const { n, prompt, pieces } = guest.frame!;
  await guest.ask({ op: "act", n, action: prompt.choices[0]!.action });
  const { guest: other } = await solver();
  expect(other.frame!.prompt).toEqual(prompt);
  expect(other.frame!.pieces).toEqual(pieces);
  expect(other.raw.join("")).not.toContain("solved");
  guest.close();
  other.close();
});

test("no hint, no taking back, no giving up; an illegal answer is refused", async () => {
  const { guest } = await solver();
  const { n } = guest.frame!;
  expect(await message(guest, { op: "hint", n })).toMatch(/without a hint/);
  expect(await message(guest, { op: "undo", n })).toMatch(/could be taken back/);
  expect(await message(guest, { op: "resign" })).toMatch(/isn't lost/);
  expect(await message(guest, { op: "act", n, action: 99_999 })).toMatch(/not legal here/);
  expect(await message(guest, { op: "analyse", by: "commander" })).toMatch(/when it is over/);
  guest.close();
});

test("one plays on from it against an easy agent", async () => {
  const { guest } = await solver();
  const reply = await guest.ask({ op: "playOn" });
  expect(reply.op).toBe("branched");
  const { links } = reply as unknown as { links: Record<string, string> };
  const player = await SocketGuest.sit(page, links[guest.frame!.seat!]!);
  expect(player.frame!.puzzle).toBeNull();
  expect(player.frame!.prompt.choices.map((c) => c.name)).toEqual(guest.frame!.prompt.choices.map((c) => c.name));
  guest.close();
  player.close();
});

test("answers are rated beside the agents", async () => {
  const rate = async (puzzles: unknown) => {
    const response = await fetch(`${page.address}api/ratings`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ game: GAME, played: [], puzzles }),
    });
    return { status: response.status, ...((await response.json()) as { puzzles?: { value: number } | null }) };
  };
  const [first, last] = [book.puzzles[0]!.id, book.puzzles.at(-1)!.id];
  const good = await rate([{ id: first, right: true }, { id: last, right: true }]); // prettier-ignore
  const poor = await rate([{ id: first, right: false }, { id: last, right: false }]); // prettier-ignore
  expect(good.puzzles!.value).toBeGreaterThan(poor.puzzles!.value);
  expect((await rate([])).puzzles).toBeNull();
  expect((await rate([{ id: first, right: "yes" }])).status).toBe(400);
});
