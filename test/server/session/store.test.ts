import {
  appendFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { KesselError, loadGame } from "../../../env/index.js";
import { resumeSession, type SeatMaker, startSession } from "../../../server/session/open.js";
import { actionsOf, seatSeed } from "../../../server/session/record.js";
import { defaultFolder, newId, NullStore, SessionStore } from "../../../server/session/store.js";

const folder = (): string => mkdtempSync(join(tmpdir(), "kessel-sessions-"));
const noData = () => ({});

async function begun(store: SessionStore, seats: Record<string, string> = { german: "first-keep" }) {
  return startSession(store, {
    game: "pocket-stalingrad",
    options: { ...loadGame("pocket-stalingrad").options },
    seats,
    seed: "kept",
  });
}

/** Plays `n` decisions of people, always the first choice. */
async function play(open: Awaited<ReturnType<typeof begun>>, n: number): Promise<void> {
  for (let k = 0; k < n; k++) {
    await open.session.advance();
    if (open.session.over) return;
    open.session.choose(open.session.env.mask.indexOf(1));
  }
  await open.session.advance();
}

describe("a kept session", () => {
  test("comes back with its seats, agents, seed, options, log and situation", async () => {
    const store = new SessionStore(folder());
    const one = await begun(store);
    await play(one, 12);
    await one.close();
    const two = await resumeSession(store, one.header.id, noData);
    expect([...two.session.env.state]).toEqual([...one.session.env.state]);
    expect(two.session.actions).toEqual(one.session.actions);
    expect(two.session.log(0)).toEqual(one.session.log(0));
    expect(two.session.seats.map((s) => (s === "human" ? s : s.name))).toEqual(["human", "heuristic:first-keep"]);
    expect(two.session.seed).toBe("kept");
    await two.close();
  });

  test("has a line on disk for each decision before anybody sees it", async () => {
    const store = new SessionStore(folder());
    const open = await begun(store);
    await open.session.advance();
    open.session.choose(open.session.env.mask.indexOf(1));
    const text = readFileSync(join(store.folder, `${open.header.id}.jsonl`), "utf8");
    expect(text.split("\n").length - 2).toBe(open.session.actions.length);
    await open.close();
  });

  test("that was taken back stays taken back", async () => {
    const store = new SessionStore(folder());
    const open = await startSession(store, {
      game: "savage-streets",
      options: loadGame("savage-streets").options,
      seats: { S: "s-need" },
      seed: "u",
    });
    await open.session.advance();
    const before = [...open.session.env.state];
    open.session.choose(open.session.env.mask.indexOf(1));
    await open.session.advance();
    expect(open.session.undo()).toBeNull();
    expect([...open.session.env.state]).toEqual(before);
    await open.close();
    const again = await resumeSession(store, open.header.id, noData);
    expect([...again.session.env.state]).toEqual(before);
    await again.close();
  });

  test("that was given up is over, and lost by the side that gave up", async () => {
    const store = new SessionStore(folder());
    const open = await begun(store);
    open.session.resign(0);
    await open.close();
    const again = await resumeSession(store, open.header.id, noData);
    expect(again.session.over).toBe(true);
    expect(again.session.returns()).toEqual([-1, 1]);
    expect(() => again.session.choose(0)).toThrow("the game is over");
    await again.close();
  });

  test("loses nothing but a line that was cut off in writing", async () => {
    const store = new SessionStore(folder());
    const open = await begun(store);
    await play(open, 6);
    const played = [...open.session.actions];
    await open.close();
    const file = join(store.folder, `${open.header.id}.jsonl`);
    appendFileSync(file, '{"do":"keep un');
    const again = await resumeSession(store, open.header.id, noData);
    expect(again.session.actions).toEqual(played);
    again.session.choose(again.session.env.mask.indexOf(1));
    await again.close();
    expect(actionsOf(store.read(open.header.id).lines).length).toBe(played.length + 1);
  });

  test.each([
    ["an empty file", () => "", "is empty"],
    ["a line that is no JSON", (t: string) => `${t}oops\n`, "is not JSON"],
    ["an unknown line", (t: string) => `${t}{"hop":1}\n`, "line"],
    ["another version of the rules", (t: string) => t.replace('"version":1', '"version":99'), "version 99"],
    [
      "an action that can't be played",
      (t: string) => `${t}{"do":"announce 5"}\n{"do":"announce 5"}\n`,
      "can't be played",
    ],
    ["another game's action", (t: string) => `${t}{"do":"hex 2507"}\n`, '"hex 2507", can\'t be played'],
  ])("%s is refused with a reason, and stays as it is", async (_what, harm, message) => {
    const store = new SessionStore(folder());
    const open = await begun(store);
    await play(open, 2);
    await open.close();
    const file = join(store.folder, `${open.header.id}.jsonl`);
    writeFileSync(file, harm(readFileSync(file, "utf8")));
    const before = readFileSync(file, "utf8");
    await expect(resumeSession(store, open.header.id, noData)).rejects.toThrow(message);
    expect(readFileSync(file, "utf8")).toBe(before);
    expect(existsSync(`${file}.lock`)).toBe(false);
  });
});

test("agents are closed where a session can't be begun or gone on with, and no new file is left", async () => {
  const store = new SessionStore(folder());
  const open = await begun(store);
  await open.close();
  const kept = readdirSync(store.folder);
  appendFileSync(join(store.folder, kept[0]!), '{"do":"announce 5"}\n{"do":"announce 5"}\n');
  let closed = 0;
  const makeSeat: SeatMaker = async (who) =>
    who === "human" ? who : { name: who, act: () => undefined, close: async () => void closed++ };
  await expect(resumeSession(store, open.header.id, noData, makeSeat)).rejects.toThrow("can't be played");
  expect(closed).toBe(1);
  const { game, options, seats, seed } = open.header;
  await expect(startSession(store, { game, options, seats, seed, position: {} }, makeSeat)).rejects.toThrow(
    KesselError,
  );
  expect(closed).toBe(2);
  expect(readdirSync(store.folder)).toEqual(kept);
});

describe("a store that keeps nothing", () => {
  test("opens, reads, lists and deletes nothing of what others keep", async () => {
    const dir = folder();
    vi.stubEnv("KESSEL_SESSIONS", dir);
    const open = await begun(new SessionStore());
    await open.close();
    const path = join(dir, `${open.header.id}.jsonl`);
    const long = new Date(Date.now() - 100 * 86_400_000);
    utimesSync(path, long, long);
    const store = new NullStore();
    await expect(resumeSession(store, open.header.id, noData)).rejects.toThrow(/there is no session .* none is kept/);
    expect(() => store.read(open.header.id)).toThrow("there is no session");
    expect(() => store.delete(open.header.id)).toThrow("there is no session");
    expect([store.list(), store.all(), store.expire()]).toEqual([[], [], 0]);
    expect(readdirSync(dir)).toEqual([`${open.header.id}.jsonl`]);
    vi.unstubAllEnvs();
  });
});

test.each([
  [{ KESSEL_SESSIONS: "/kept", XDG_STATE_HOME: "/state" }, "/kept"],
  [{ KESSEL_SESSIONS: "", XDG_STATE_HOME: "/state" }, "/state/kessel/sessions"],
  [{ KESSEL_SESSIONS: "", XDG_STATE_HOME: "" }, join(homedir(), ".local/state/kessel/sessions")],
  [{ KESSEL_SESSIONS: "", XDG_STATE_HOME: "state" }, join(homedir(), ".local/state/kessel/sessions")],
])("with %j in the environment sessions are in %s", (variables, dir) => {
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
  expect(defaultFolder()).toBe(dir);
  vi.unstubAllEnvs();
});

describe("the folder of sessions", () => {
  test("lists a damaged session apart, and lets go of it", () => {
    const store = new SessionStore(folder());
    const id = newId();
    writeFileSync(join(store.folder, `${id}.jsonl`), "oops\n");
    expect(store.list()).toEqual([]);
    expect(store.all().map((s) => [s.id, s.record])).toEqual([[id, null]]);
    store.delete(id);
    expect(readdirSync(store.folder)).toEqual([]);
  });

  test("is readable by its owner alone, and holds a file a session", async () => {
    const store = new SessionStore(join(folder(), "deep"));
    const open = await begun(store);
    expect(statSync(store.folder).mode & 0o077).toBe(0);
    expect(statSync(join(store.folder, `${open.header.id}.jsonl`)).mode & 0o077).toBe(0);
    await open.close();
  });

  test("lists the latest first; an old one expires, an open one doesn't", async () => {
    const store = new SessionStore(folder());
    const [a, b, c] = [await begun(store), await begun(store), await begun(store)];
    await a.close();
    await b.close();
    const long = new Date(Date.now() - 100 * 86_400_000);
    for (const open of [a, c]) utimesSync(join(store.folder, `${open.header.id}.jsonl`), long, long);
    expect(store.list()[0]!.id).toBe(b.header.id);
    expect(store.expire(90)).toBe(1);
    expect(
      store
        .list()
        .map((s) => s.id)
        .sort(),
    ).toEqual([b.header.id, c.header.id].sort());
    await c.close();
    store.delete(b.header.id);
    store.delete(c.header.id);
    expect(readdirSync(store.folder)).toEqual([]);
    expect(() => store.delete(b.header.id)).toThrow("there is no session");
  });

  test("leaves out a file that is gone when it is looked at", async () => {
    const store = new SessionStore(folder());
    const open = await begun(store);
    symlinkSync("nowhere", join(store.folder, `${newId()}.jsonl`)); // has a name as well, and nothing behind it
    expect(store.list().map((s) => s.id)).toEqual([open.header.id]);
    expect(store.expire(90)).toBe(0);
    await open.close();
  });

  test("takes no name that leads out of it", () => {
    expect(() => new SessionStore(folder()).read("../../etc/passwd")).toThrow(
      "a session's id has 12 to 64 small letters",
    );
  });
});

test("ids are long, and no two are alike", () => {
  const ids = new Set(Array.from({ length: 1000 }, newId));
  expect(ids.size).toBe(1000);
  for (const id of ids) expect(id).toMatch(/^[a-z2-7]{20}$/);
});

test("an agent's seed reveals nothing of the game's", () => {
  const seed = seatSeed("a game", "german");
  expect(seed).toMatch(/^[0-9a-f]{64}$/);
  expect(seed).not.toBe(seatSeed("a game", "soviet"));
  expect(seed).not.toBe(seatSeed("a game", "german", 1));
});
