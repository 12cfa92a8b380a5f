/**
 * More games than a table keeps open: those in use stay, the others are closed and opened again, and none loses a
 * decision.
 */
import { mkdtempSync, readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { NullStore, SessionStore } from "../../../server/session/store.js";
import { type SeatedGame, SeatTable } from "../../../server/tools/seat-table.js";

const tables: SeatTable[] = [];
afterEach(async () => {
  for (const table of tables.splice(0)) await table.close();
});

function tableFor(most: number) {
  const store = new SessionStore(mkdtempSync(join(tmpdir(), "seats-")));
  const table = new SeatTable(store, false, most);
  tables.push(table);
  const begin = (): Promise<string> => table.begin("pocket-stalingrad", "german", "random", {});
  /** Games that are open: each has its file locked. */
  const open = (): string[] =>
    readdirSync(store.folder)
      .filter((f) => f.endsWith(".lock"))
      .map((f) => f.split(".")[0]!)
      .sort();
  return { store, table, begin, open };
}

/** Takes the first legal action of the person who decides. */
const choose = ({ open: { session }, player }: SeatedGame): void =>
  session.choose(session.prompt(player).choices[0]!.action);

const decisions = ({ open: { session } }: SeatedGame): number => session.actions.length;

/** A promise that is kept by hand. */
function gate() {
  let release = (): void => undefined;
  const passed = new Promise<void>((done) => (release = done));
  return { passed, release };
}

async function inTurns(turns: number): Promise<void> {
  for (let n = 0; n < turns; n++) await Promise.resolve();
}

describe("a table whose games are kept nowhere", () => {
  test("closes none that goes on: one more is refused, until one is over", async () => {
    const table = new SeatTable(new NullStore(), false, 2);
    tables.push(table);
    const begin = (): Promise<string> => table.begin("pocket-stalingrad", "german", "random", {});
    const [a, b] = [await begin(), await begin()];
    await expect(begin()).rejects.toThrow(/^2 games are under way, .* play or resign one of them first$/);
    const before = await table.with(a, decisions);
    await table.with(b, ({ open: { session }, player }) => session.resign(player));
    const c = await begin();
    expect(await table.with(a, decisions)).toBe(before);
    expect(await table.with(c, ({ open: { session } }) => session.over)).toBe(false);
    await expect(table.with(b, decisions)).rejects.toThrow(/there is no session/);
  });

  test("begins no more than it may when many are asked for at once", async () => {
    const table = new SeatTable(new NullStore(), false, 2);
    tables.push(table);
    const asked = [1, 2, 3, 4].map(() => table.begin("pocket-stalingrad", "german", "random", {}));
    const came = await Promise.allSettled(asked);
    expect(came.map((r) => r.status).sort()).toEqual(["fulfilled", "fulfilled", "rejected", "rejected"]);
  });
});

test("a table that is closed while a game begins leaves no lock, and begins no other", async () => {
  const { table, begin, open } = tableFor(2);
  const begun = begin().catch(() => undefined);
  await table.close();
  await begun;
  expect(open()).toEqual([]);
  await expect(begin()).rejects.toThrow("the server of this game ends");
});

test("a game for one takes no opponent", async () => {
  const { table } = tableFor(2);
  await expect(table.begin("strike-counterstrike", null, "random", {})).rejects.toThrow(
    "strike-counterstrike is a game for one; leave the opponent out",
  );
});

describe("one game more than a table keeps open", () => {
  test("closes the one that was touched longest ago, and no other", async () => {
    const { table, begin, open } = tableFor(2);
    const [a, b] = [await begin(), await begin()];
    await table.with(a, decisions);
    const c = await begin();
    expect(open()).toEqual([a, c].sort());
    await table.with(b, decisions);
    expect(open()).toEqual([b, c].sort());
  });

  test("begun in the same moment as others closes one for each", async () => {
    const { begin, open } = tableFor(3);
    const first = [await begin(), await begin(), await begin()];
    const more = await Promise.all([begin(), begin()]);
    expect(open()).toEqual([first[2]!, ...more].sort());
  });

  test("closes none where there is no such game", async () => {
    const { table, begin, open } = tableFor(2);
    const all = [await begin(), await begin()];
    const asked = ["a".repeat(20), "b".repeat(20)].map((id) => table.with(id, decisions));
    for (const { status } of await Promise.allSettled(asked)) expect(status).toBe("rejected");
    expect(open()).toEqual(all.sort());
  });

  test("can be asked for in the moment in which it is closed", async () => {
    const { table, begin } = tableFor(1);
    const [a, b] = [await begin(), await begin()];
    const before = [await table.with(a, decisions), await table.with(b, decisions)];
    const asked = [table.with(a, decisions), table.with(b, decisions), table.with(a, decisions)];
    expect(await Promise.all(asked)).toEqual([before[0], before[1], before[0]]);
    // a is closed some turns of the promises after b was used: one of these requests comes just then
    for (let turns = 0; turns < 16; turns++) {
      await table.with(a, decisions);
      let again: Promise<number> | undefined;
      await table.with(b, () => {
        again = inTurns(turns).then(() => table.with(a, decisions));
      });
      expect(await again, `after ${turns} turns`).toBe(before[0]);
    }
  });

  test("leaves a game in use open, until it isn't", async () => {
    const { table, begin, open } = tableFor(1);
    const a = await begin();
    const { passed, release } = gate();
    const used: SeatedGame[] = [];
    const slow = table.with(a, async (g) => {
      await passed;
      choose(g);
      used.push(g);
    });
    await begin();
    const next = table.with(a, (g) => used.push(g));
    const meanwhile = open();
    release();
    await Promise.all([slow, next]);
    expect(meanwhile).toContain(a);
    expect(used[1]).toBe(used[0]); // not opened again
    expect(open()).toHaveLength(1);
  });

  test("loses no decision, however many are asked at once", async () => {
    const { store, table, begin } = tableFor(1);
    const ids = [await begin(), await begin(), await begin(), await begin()];
    const before = new Map<string, number>();
    for (const id of ids) before.set(id, await table.with(id, decisions));
    const closed = ids.slice(0, -1);
    await Promise.all(closed.map((id) => table.with(id, choose)));
    await table.close();
    for (const id of closed) expect(store.read(id).lines, id).toHaveLength(before.get(id)! + 1);
  });
});
