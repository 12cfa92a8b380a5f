/** Games that an arena writes down, and the list of them. */
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { gameType, loadGame, parseReplay, playReplay, type Replay } from "../../../env/index.js";
import { Library } from "../../../server/session/library.js";
import { arena } from "../../../training/arena/arena.js";

const folder = (): string => mkdtempSync(join(tmpdir(), "kessel-games-"));
const replaysIn = (dir: string): Replay[] =>
  readdirSync(dir)
    .filter((f) => /^pocket.*\.json$/.test(f))
    .map((f) => parseReplay(JSON.parse(readFileSync(join(dir, f), "utf8"))));
const play = (dir: string): void => replaysIn(dir).forEach((r) => playReplay(gameType(r.game), r));

describe("every game of an arena is written down", () => {
  const game = loadGame("pocket-stalingrad");
  const agents = ["random", "heuristic:greedy"];

  test("with agents, seed and result, and plays again as recorded", async () => {
    const dir = folder();
    const result = await arena(game, { agents, games: 10, record: dir });
    const replays = replaysIn(dir);
    expect(replays.length).toBe(10);
    play(dir);
    expect(new Set(replays.map((r) => r.seed))).toEqual(new Set([0, 1, 2, 3, 4].map((k) => `0/${k}`)));
    for (const side of game.players) expect(replays.filter((r) => r.agents![side] === "random").length).toBe(5);
    const won = replays.filter((r) =>
      Object.keys(r.agents!).some((s) => r.agents![s] === "random" && r.returns![s] === 1),
    );
    expect(won.length).toBe(result.pairs[0]!.total.wins);
  });

  test("with its dice where they don't follow from the seed; another run writes over none", async () => {
    const dir = folder();
    await arena(game, { agents, games: 2, record: dir, secret: "sixteen letters!".replace(" ", "-") });
    expect(replaysIn(dir).every((r) => r.dice !== undefined)).toBe(true);
    play(dir);
    await arena(game, { agents, games: 2, record: dir });
    await arena(game, { agents, games: 2, record: dir, seed: "1" });
    expect(replaysIn(dir).length).toBe(6);
    await arena(game, { agents, games: 2, record: dir, seed: "1" });
    expect(replaysIn(dir).length).toBe(6);
  });

  test("or not at all, where it can't be", async () => {
    const dir = folder();
    await arena(game, { agents, games: 2, record: dir });
    for (const name of readdirSync(dir).filter((f) => f.endsWith(".json"))) {
      rmSync(join(dir, name));
      mkdirSync(join(dir, name, "in the way"), { recursive: true });
    }
    const before = readdirSync(dir).sort();
    await expect(arena(game, { agents, games: 2, record: dir })).rejects.toThrow(/the game can't be recorded in/);
    expect(readdirSync(dir).sort()).toEqual(before);
  });

  test("and stays when the arena is killed", async () => {
    const dir = folder();
    const kessel = fileURLToPath(new URL("../../../server/cli/kessel.mjs", import.meta.url));
    const child = spawn(
      process.execPath,
      [kessel, "arena", "pocket-stalingrad", "-a", agents.join(), "-n", "100000", "--record", dir],
      { stdio: "ignore" },
    );
    const ended = new Promise((done) => child.once("exit", done));
    while (readdirSync(dir).length < 20) await new Promise((done) => setTimeout(done, 20));
    child.kill("SIGKILL");
    await ended;
    expect(replaysIn(dir).length).toBeGreaterThanOrEqual(19);
    play(dir);
  });
});

test("games that were given up are over, for one side or the other, and in a game for one", async () => {
  const dir = folder();
  const write = (name: string, id: string, more: Partial<Replay>): void => {
    const { version } = gameType(id);
    const replay: Replay = { format: 1, game: id, version, options: {}, seed: "1", actions: [], ...more };
    writeFileSync(join(dir, `${name}.json`), JSON.stringify(replay));
  };
  write("one", "strike-counterstrike", { resigned: loadGame("strike-counterstrike").players[0]!, agents: {} });
  write("two", "pocket-stalingrad", { resigned: "soviet", agents: { soviet: "human" } });
  write("zero", "pocket-stalingrad", {});
  const games = await new Library(dir).list();
  expect(games.map((g) => g.won)).toEqual(["nobody", "german", null]);
  expect(games.map((g) => Object.values(g.returns ?? {}))).toEqual([[-1], [-1, 1], []]);
});

test("an agent is found by any part of its name, also where that has an =", async () => {
  const dir = folder();
  const agents = { soviet: "search:net=a.onnx,deals=4", german: "random" };
  const { version } = gameType("pocket-stalingrad");
  const replay = { format: 1, game: "pocket-stalingrad", version, options: {}, seed: "1", actions: [], agents };
  writeFileSync(join(dir, "one.json"), JSON.stringify(replay));
  const found = async (agent: string): Promise<number> => (await new Library(dir).list({ agent })).length;
  expect(await found("net=a.onnx")).toBe(1);
  expect(await found("soviet=search:net=a.onnx,deals=4")).toBe(1);
  expect(await found("soviet=net=b.onnx")).toBe(0);
  expect(await found("german=net=a.onnx")).toBe(0);
});

test("recorded games are listed by seed, result, length and agents", async () => {
  const dir = folder();
  await arena(loadGame("pocket-stalingrad"), { agents: ["random", "heuristic:greedy"], games: 6, record: dir });
  writeFileSync(join(dir, "notes.json"), "{}");
  writeFileSync(join(dir, "broken.json"), "{");
  const library = new Library(dir);
  const all = await library.list();
  const replays = replaysIn(dir);
  expect(all.length).toBe(6);
  const count = (holds: (r: Replay) => boolean): number => replays.filter(holds).length;
  expect((await library.list({ seed: "0/1" })).length).toBe(2);
  expect((await library.list({ won: "german" })).length).toBe(count((r) => r.returns!["german"] === 1));
  expect((await library.list({ agent: "soviet=greedy" })).length).toBe(3);
  expect((await library.list({ agent: "greedy" })).length).toBe(6);
  expect(await library.list({ agent: "commander" })).toEqual([]);
  const middle = all[3]!.decisions;
  expect((await library.list({ least: middle })).length).toBe(count((r) => r.actions.length >= middle));
  expect((await library.list({ most: middle })).length).toBe(count((r) => r.actions.length <= middle));
  expect(await library.list({ game: "night-fight" })).toEqual([]);
  expect((await library.replay(all[0]!.link))!.seed).toBe(all[0]!.seed);
  expect(await library.replay("a".repeat(20))).toBeNull();
  await expect(new Library(join(dir, "none")).list()).rejects.toThrow(/cannot read the folder/);
});
