/** Several seats of one game in the hands of one client: what each sees, and what nobody gets without being allowed. */
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type Game, gameIds, loadGame, newState, Rng, sameSituation } from "../../../env/index.js";
import type { OpenSession } from "../../../server/session/open.js";
import { Session } from "../../../server/session/session.js";
import { NullStore, SessionStore } from "../../../server/session/store.js";
import { TextSeat } from "../../../server/text/decision.js";
import { SessionFile } from "../../../server/session/session-file.js";
import { type SeatedGame, type Seats, SeatTable } from "../../../server/tools/seat-table.js";
import type { Allowed } from "../../../server/tools/desk.js";
import { type Guest, guestOf } from "./guest.js";

const ALL: Allowed = { seeds: true, potentials: false, allSeats: true };

/** Begins a game with all seats. @returns the sessions in the order of the players */
async function sit(guest: Guest, game: string): Promise<string[]> {
  const { text } = await guest.call("new_game", { game, all_seats: true, seed: "table" });
  return [...text.matchAll(/^session: (.+)$/gm)].map((m) => m[1]!);
}

/** What an answer says of events. */
const happened = (text: string): string => /^What happened:\n((?: {2}.*\n)*)/m.exec(text)?.[1]?.trimEnd() ?? "";

describe("all seats of a game", () => {
  test("are taken by permitted clients; each session sees what its side knows, and decides for it alone", async () => {
    const guest = await guestOf(new SeatTable(new NullStore(), true), ALL);
    const sessions = await sit(guest, "pocket-stalingrad");
    expect(sessions.map((s) => s.split("/")[1])).toEqual(["soviet", "german"]);
    const [soviet, german] = sessions as [string, string];
    const first = await guest.call("observe", { session: soviet, changes: true });
    expect(first.text).toMatch(/^The map:\n[^]*You are the Soviet side\./);
    for (const tool of ["act", "odds"])
      expect(await guest.call(tool, { session: german, action: "1" })).toEqual({
        isError: true,
        text: "illegal-action: it is not your decision: the soviet side decides",
      });
    expect((await guest.call("undo", { session: german })).text).toMatch(/it is not your decision/);
    expect((await guest.call("act", { session: soviet, action: "1", brief: true })).text).toMatch(
      /^You chose: [^\n]+$/,
    );
    const later = await guest.call("observe", { session: soviet, changes: true });
    expect(later.text).toMatch(/^What happened:/);
    expect(later.text).not.toMatch(/The map:|The board:/);
    expect((await guest.call("observe", { session: german, changes: true })).text).toMatch(/^The map:/);
    await guest.close();
  });

  test("are named in the facts as the client must name them", async () => {
    const guest = await guestOf(new SeatTable(new NullStore(), true), ALL);
    const [soviet] = (await sit(guest, "pocket-stalingrad")) as [string];
    const { facts } = await guest.call("act", { session: soviet, action: "1" });
    expect((JSON.parse(facts!) as { session: string }).session).toBe(soviet);
    await guest.close();
  });

  test("see the choice that came in the place of one taken back", async () => {
    const guest = await guestOf(new SeatTable(new NullStore(), true), ALL);
    const [mine, other] = (await sit(guest, "pocket-stalingrad")) as [string, string];
    const told = async (): Promise<string> => (await guest.call("observe", { session: other, changes: true })).text;
    const chosen = async (action: string): Promise<void> =>
      expect((await guest.call("act", { session: mine, action })).isError).toBe(false);
    await told();
    await chosen("1");
    const first = happened(await told());
    expect(first).not.toBe("");
    expect((await guest.call("undo", { session: mine })).isError).toBe(false);
    await chosen("2");
    const second = happened(await told());
    expect(second).toMatch(/^ {2}Part of what an earlier text reported has been undone\.\n./);
    expect(second).not.toContain(first);
    expect(happened(await told())).toBe("");
    await guest.close();
  });

  test("are offered to nobody else", async () => {
    const guest = await guestOf(new SeatTable(new NullStore()));
    const asked = await guest.call("new_game", { game: "pocket-stalingrad", all_seats: true });
    expect([asked.isError, asked.text]).toEqual([true, expect.stringContaining("all_seats")]);
    await guest.close();
  });

  test("are gone on with after a restart by who may, and by nobody else", async () => {
    const store = new SessionStore(mkdtempSync(join(tmpdir(), "tables-")));
    const before = new SeatTable(store, true);
    const first = await guestOf(before, ALL);
    const [soviet] = (await sit(first, "pocket-stalingrad")) as [string];
    await first.call("observe", { session: soviet });
    const { text } = await first.call("observe", { session: soviet }); // with nothing new
    await first.close();
    await before.close();
    const others = await guestOf(new SeatTable(store));
    for (const session of [soviet, soviet.split("/")[0]!])
      expect((await others.call("observe", { session })).text).toMatch(/^bad-session: .*2 people; tools play for one/);
    await others.close();
    const again = await guestOf(new SeatTable(store, true), ALL);
    expect((await again.call("observe", { session: soviet })).text).toBe(text);
    const unnamed = await again.call("observe", { session: soviet.split("/")[0]! });
    expect(unnamed.text).toMatch(/^bad-session: name the seat .*\/soviet or .*\/german$/);
    await again.close();
  });
});

/** Two sessions of one game that were played alike, until one of them came into another world. */
class TwinTables implements Seats {
  private readonly games = new Map<string, SeatedGame>();
  readonly sessions: readonly [Session, Session];

  constructor(game: Game, seed: string) {
    const made = (): Session =>
      new Session(
        game,
        game.players.map(() => "human"),
        seed,
      );
    this.sessions = [made(), made()];
    for (const [i, session] of this.sessions.entries())
      for (const player of game.players.keys()) {
        const open = { session, header: { id: "twin" }, file: new SessionFile(null, "", 0) } as OpenSession;
        this.games.set(`${i}/${player}`, { open, player, text: new TextSeat(session, player), name: open.header.id });
      }
  }

  begin = (): never => expect.unreachable("twins are made, not begun");
  beginForAll = this.begin;

  async with<T>(id: string, use: (game: SeatedGame) => Promise<T> | T): Promise<T> {
    return use(this.games.get(id)!);
  }
}

/** Decisions played in one game, and after how many the worlds part. */
const [DECISIONS, EVERY] = [160, 8];
/** Pairs of worlds that are compared at least. */
const WORLDS = 12;

/**
 * Plays a game twice alike, each side reading its texts when it decides, and asks now and then what a side would read
 * if the second game stood in another world that it can't tell from its own.
 */
async function compare(game: Game, seed: string, change: (text: string, s: Int32Array) => string = (text) => text) {
  const tables = new TwinTables(game, seed);
  const guest = await guestOf(tables, ALL);
  const [here, there] = tables.sessions;
  const rng = new Rng(seed);
  const [world, twin] = [newState(game.stateSize), newState(game.stateSize)];
  const found = { compared: 0, different: 0, leaks: [] as string[] };
  for (let n = 0; n < DECISIONS; n++) {
    for (const session of tables.sessions) await session.advance();
    if (here.over) break;
    const player = here.actor;
    world.set(here.env.state);
    const parts = n % EVERY === EVERY - 1 && game.resample(world, player, twin, rng);
    if (parts) there.env.restore(twin);
    const texts: string[] = [];
    for (const [i, session] of tables.sessions.entries()) {
      const { text } = await guest.call("observe", { session: `${i}/${player}`, changes: true });
      texts.push(change(text, session.env.state));
    }
    if (parts) {
      found.compared++;
      if (!sameSituation(world, twin)) found.different++;
      if (texts[0] !== texts[1]) found.leaks.push(`${game.players[player]!} at decision ${n + 1}`);
      there.env.restore(world);
    }
    const legal = here.prompt(player).choices.length;
    const action = String(1 + rng.below(legal));
    for (const i of [0, 1]) await guest.call("act", { session: `${i}/${player}`, action, brief: true });
  }
  await guest.close();
  return found;
}

const tabled = gameIds().filter((id) => loadGame(id).players.length > 1);

test.each(tabled)(
  "%s: who decides reads the same since its last decision in worlds it can't tell apart",
  async (id) => {
    const game = loadGame(id);
    const hides = id !== "pocket-stalingrad"; // where nothing is hidden there is one world
    let worlds = 0;
    for (let n = 0; worlds < WORLDS; n++) {
      expect(n, "games that were played").toBeLessThan(6);
      const { compared, different, leaks } = await compare(game, `${id} table ${n}`);
      expect(leaks).toEqual([]);
      worlds += hides ? different : compared;
    }
  },
);

test("a text that depends on what is hidden is found", async () => {
  const sum = (s: Int32Array) => s.reduce((a, b) => (31 * a + b) | 0, 0);
  const { leaks } = await compare(loadGame("savage-streets"), "planted", (text, s) => `${text}${sum(s)}`);
  expect(leaks.length).toBeGreaterThan(0);
});
