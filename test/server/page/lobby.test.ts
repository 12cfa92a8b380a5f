import { expect, test } from "vitest";
import { makeAgent } from "../../../agents/registry.js";
import { roster } from "../../../agents/roster.js";
import { Env, GAMES, loadGame, resolveOptions } from "../../../env/index.js";
import { streetsOfStalingrad } from "../../../env/streets-of-stalingrad/index.js";
import { OneDecision } from "../../../server/session/one-decision.js";
import { Lobby } from "../../../server/page/lobby.js";
import { startPage } from "./guest.js";

interface Offered {
  readonly id: string;
  readonly minutes: readonly [number, number];
  readonly options: readonly {
    readonly id: string;
    readonly values: readonly unknown[];
    readonly names: readonly string[];
    readonly default: unknown;
  }[];
}

const games = JSON.parse((await new Lobby(() => Promise.resolve()).games()).body.toString()) as readonly Offered[];
const optionsOf = (id: string) => games.find((g) => g.id === id)!.options;

test.each(GAMES.map((g) => g.id))("every value that %s offers has a name, and the default is offered", (id) => {
  for (const o of optionsOf(id)) {
    expect(o.names).toHaveLength(o.values.length);
    expect(new Set(o.names).size).toBe(o.values.length);
    expect(o.values).toContain(o.default);
  }
});

test("scenarios are offered by names that say what is fought over, not by their ids", () => {
  const { values, names } = optionsOf("streets-of-stalingrad").find((o) => o.id === "scenario")!;
  expect(values).toEqual([
    "sandbox-1",
    "sandbox-2",
    "drill-kurgan",
    "sandbox-3",
    "drill-landing",
    "drill-elevator",
    "scenario-1",
    "scenario-2",
    "scenario-4",
    "scenario-5",
    "scenario-6",
    "scenario-7",
    "scenario-8",
    "campaign",
  ]);
  expect(names.map((n) => n.split(":")[0])).toEqual([
    "Block fight",
    "Hill",
    "Mamayev Kurgan",
    "Landing",
    "Central Landing",
    "Grain Elevator",
    "South of the Tsaritsa",
    "City centre",
    "Orlovka",
    "The Tractor Factory",
    "Red October",
    "Lyudnikov's Island",
    "The Factories",
    "Campaign",
  ]);
});

test("the scenario without a map of its own is for programs: no lobby offers it, but it loads", () => {
  expect(resolveOptions(streetsOfStalingrad, { scenario: "sandbox" })["scenario"]).toBe("sandbox");
  expect(loadGame("streets-of-stalingrad", { scenario: "sandbox" }).players).toEqual(["german", "soviet"]);
});

test("a card says how long the shortest and the longest fight take", () => {
  const { briefings = [] } = streetsOfStalingrad;
  expect(games.find((g) => g.id === "streets-of-stalingrad")!.minutes).toEqual([15, 6000]);
  expect(briefings.find((b) => b.options["scenario"] === "campaign")!.minutes).toBe(6000);
  const one = games.filter((g) => g.id !== "streets-of-stalingrad").map((g) => g.minutes);
  expect(one.map(([least, most]) => most - least)).toEqual([0, 0, 0, 0]);
});

test("the lobby learns how long the chosen fight takes", async () => {
  const page = await startPage();
  const minutes = async (query: string): Promise<unknown> =>
    ((await (await fetch(`${page.address}api/agents?${query}`)).json()) as { minutes: unknown }).minutes;
  expect(await minutes("game=streets-of-stalingrad&scenario=campaign")).toBe(6000);
  expect(await minutes("game=streets-of-stalingrad&scenario=drill-landing")).toBe(45);
  expect(await minutes("game=night-fight")).toBe(loadGame("night-fight").type.lobby!.minutes);
  await page.close();
});

/** Seconds that a person takes for a decision: from a click on the only sensible one to a long look at the map. */
const SECONDS = { least: 5, most: 20 };

test.each(GAMES.map((g) => g.id))(
  "the minutes that the lobby says of %s fit the decisions of its games",
  async (id) => {
    const game = loadGame(id);
    const agents = await Promise.all(
      game.players.map((_, seat) => {
        const scripted = roster(game).filter((e) => e.name.startsWith("heuristic:") && e.players.includes(seat));
        return makeAgent(scripted[0]!.name, { game, seed: "minutes" });
      }),
    );
    const env = new Env(game);
    const choice = new Int32Array(1);
    const games = 4;
    let decisions = 0;
    for (let g = 0; g < games; g++) {
      env.reset(g);
      for (; env.actor >= 0; decisions++) {
        await agents[env.actor]!.act(new OneDecision(env), choice);
        env.step(choice[0]!);
      }
    }
    const each = decisions / games / game.players.length;
    const seconds = (60 * game.type.lobby!.minutes) / each;
    expect(seconds).toBeGreaterThan(SECONDS.least);
    expect(seconds).toBeLessThan(SECONDS.most);
  },
);
