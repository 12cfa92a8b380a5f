import { describe, expect, test } from "vitest";
import { makeAgent } from "../../agents/registry.js";
import { fromShortName, roster } from "../../agents/roster.js";
import { GAMES, loadGame } from "../../env/index.js";

describe.each(GAMES.map((g) => g.id))("who can play %s", (id) => {
  const game = loadGame(id);
  const list = roster(game);

  test("each entry names the seats that its agent can take", async () => {
    for (const { name, players } of list) {
      const agent = await makeAgent(name, { game, seed: "r" });
      expect(players, name).toEqual(agent.players ?? game.players.map((_, i) => i));
      await agent.close?.();
    }
  });

  test("every scripted player is described, and no two alike", () => {
    const about = list.filter((e) => e.kind === "scripted").map((e) => e.about);
    expect(about.length).toBeGreaterThan(0);
    expect(about).not.toContain("a scripted player");
    expect(new Set(about).size).toBe(about.length);
  });

  test("short names are unique, and mean the agent of the same entry", () => {
    expect(new Set(list.map((e) => e.short)).size).toBe(list.length);
    for (const { short, name } of list) expect(fromShortName(short, game)).toBe(name);
  });

  test("somebody can take each seat", () => {
    for (const p of game.players.keys()) expect(list.some((e) => e.players.includes(p))).toBe(true);
  });
});

test("the marshal is the commander with a search, and is listed with the levels without being one", () => {
  const list = roster(loadGame("pocket-stalingrad"));
  const marshal = list.find((e) => e.short === "marshal")!;
  expect(marshal.name).toMatch(/^search:net=pocket-stalingrad\/commander\.onnx,iterations=\d+,root=gumbel$/);
  expect(list.filter((e) => e.kind === "level").map((e) => e.short)).toEqual(["recruit", "veteran", "commander"]);
  expect(marshal.players).toEqual([0, 1]);
});

test("where the commander has no place, the marshal has none", () => {
  const other = roster(loadGame("pocket-stalingrad", { gumrakReinforcements: 2 }));
  expect(other.some((e) => e.short === "marshal")).toBe(other.some((e) => e.short === "commander"));
});

test("a card of other options is no measure of this game: the block fight's nets were measured with even levels", () => {
  const levelsOf = (options: Record<string, string>) =>
    roster(loadGame("streets-of-stalingrad", options)).filter((e) => e.kind === "level");
  for (const e of levelsOf({})) {
    expect(e.results).toEqual([]);
    expect(e.measured?.otherwise).toEqual({ levels: "even" });
  }
  for (const e of levelsOf({ levels: "even" })) {
    expect(e.results.length).toBeGreaterThan(0);
    expect(e.measured?.otherwise).toEqual({});
    const against = e.results.map((r) => r.against.replace(/^.*\//, ""));
    expect(new Set(against).size).toBe(against.length);
    for (const { against, seats } of e.results)
      expect(seats[0] === null, against).toBe(["pusher", "odds", "planner"].some((german) => against.endsWith(german)));
  }
});
