/** Somebody decides in the place of a person: how far, with what knowledge, and what an undo takes back. */
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { importGame } from "../../../agents/import-game.js";
import { RandomAgent } from "../../../agents/random.js";
import { Env, gameIds, loadGame, newState, OrderRun, promptOf, Rng, sameSituation } from "../../../env/index.js";
import { Deputy, type HandedOver } from "../../../server/session/deputy.js";
import { deputiesFor, handedOver, parseHandOver } from "../../../server/session/hand-over.js";
import { type OpenSession, resumeSession, startSession } from "../../../server/session/open.js";
import { Session } from "../../../server/session/session.js";
import { SessionStore } from "../../../server/session/store.js";
import { Starts } from "../../conformance/starts.js";
import { Table } from "../../env/streets-of-stalingrad/table.js";

const store = new SessionStore(mkdtempSync(join(tmpdir(), "kessel-deputy-")));
const begun = async (game: string, seats: Record<string, string> = {}): Promise<OpenSession> => {
  const open = await startSession(store, { game, options: {}, seats, seed: "deputy" });
  await open.session.advance();
  return open;
};
const kind = ({ session }: OpenSession): string => session.prompt(session.actor).kind;

/** Lets somebody decide as an order says it. */
async function letDecide({ session }: OpenSession, order: string): Promise<readonly string[]> {
  const deputy = await handedOver(session, parseHandOver(order)!);
  await session.advance();
  return deputy.actions;
}

test.each([
  ["finish phase with stalker", { what: "phase", who: "stalker" }],
  ["Finish this turn with heuristic:planner.", { what: "turn", who: "planner" }],
  ["finish truck-1, truck-2 and vs-1 with stalker", { what: ["truck-1", "truck-2", "vs-1"], who: "stalker" }],
  ["finish phase", null],
  ["move g1 with all to 0411", null],
])("%s", (order, handOver) => expect(parseHandOver(order)).toEqual(handOver));

describe("what is handed over", () => {
  test("a phase is played to its end, and the person decides what comes after it", async () => {
    const open = await begun("night-fight");
    await letDecide(open, "finish phase with stalker");
    expect(kind(open)).toBe("move");
    expect(open.session.deputyOf(0)).toBeNull();
    expect(open.session.actions.at(-1)).toBe("done");
    await letDecide(open, "finish phase with stalker");
    expect(kind(open)).toBe("fire");
    await open.close();
  });

  test("a turn is played to its end", async () => {
    const open = await begun("night-fight");
    await letDecide(open, "finish turn with stalker");
    expect([kind(open), open.session.game.view(open.session.env.state, 0)["turn"]]).toEqual(["move", 2]);
    await open.close();
  });

  test("a phase that other sides decide in goes on after their decisions, and ends where no choice ends it", async () => {
    const open = await begun("savage-streets", { S: "s-bluff" });
    const { session } = open;
    const phase = (): unknown => session.game.view(session.env.state, 0)["phase"];
    while (phase() !== "combat") await letDecide(open, "finish phase with g-storm");
    const before = session.actions.length;
    await letDecide(open, "finish phase with g-storm");
    expect(phase()).not.toBe("combat");
    const took = session.log(0).filter((e) => e.actor === "S" && e.number > before);
    expect(took.length).toBeGreaterThan(0);
    await open.close();
  });

  test("units go one after another and no other does; they may be under way", async () => {
    const open = await begun("night-fight");
    open.session.order("buy truck x2, vs x5, panther, done!");
    await open.session.advance();
    const done = await letDecide(open, "finish truck-2, vs-1 with stalker");
    expect(done.filter((a) => a.startsWith("unit "))).toEqual(["unit truck-2", "unit vs-1"]);
    expect(kind(open)).toBe("move");
    open.session.choose(open.session.game.actions.indexOf("unit vs-2"));
    const rest = await letDecide(open, "finish vs-2 with stalker");
    expect(rest.every((a) => a.startsWith("hex ") || a === "stop")).toBe(true);
    expect(rest.length).toBeGreaterThan(0);
    expect(kind(open)).toBe("move");
    await open.close();
  });

  test.each(gameIds())("%s: all of the sides' turns can be played so, to the end of the game", async (id) => {
    const open = await begun(id);
    const { session } = open;
    for (let turns = 0; !session.over; turns++) {
      expect(turns, "turns that end").toBeLessThan(200);
      const before = session.actions.length;
      const who = deputiesFor(session.game, session.actor).at(-1)!.short;
      await letDecide(open, `finish turn with ${who}`);
      expect(session.actions.length, "something is done").toBeGreaterThan(before);
    }
    await open.close();
  });
});

describe("a deputy is done", () => {
  const carriedOut = (env: Env, order: string): Env => {
    const run = new OrderRun(env.game, env.state, env.actor, order);
    for (let a = run.next(env.state); a !== null; a = run.next(env.state)) env.step(a);
    return env;
  };
  const deputy = ({ game, state, actor }: Env, what: HandedOver): Deputy =>
    new Deputy(game, state, actor, new RandomAgent("deputy"), "random", what);

  test("with a phase where the next begins, and with a turn only where the turn has passed", () => {
    const units = { gm: "g-mortar 2010", g1: "g-inf 2010", s1: "s-inf 2014" };
    const { env } = new Table(units, { turn: 3, phase: 2, stage: "plot-first" });
    const [ofPhase, ofTurn] = [deputy(env, "phase"), deputy(env, "turn")];
    const isOver = (): boolean[] => [ofPhase.isOver(env.state), ofTurn.isOver(env.state)];
    expect(isOver()).toEqual([false, false]);
    carriedOut(env, "end phase!"); // no choice is marked as the end of this phase
    expect(isOver()).toEqual([true, false]);
    while (env.game.write(env.state)["turn"] === 3) env.step(env.mask.lastIndexOf(1));
    expect(isOver()).toEqual([true, true]);
  });

  test("with units where another phase asks, before they have all moved", () => {
    const env = new Env(loadGame("night-fight"), { skipForced: true });
    const asks = (): string => promptOf(env.game, env.state, env.actor).kind;
    const turn = (): unknown => env.game.write(env.state)["turn"];
    let units: Deputy;
    for (let seed = 0, begun: unknown; asks() !== "fire" || turn() !== begun; seed++) {
      env.reset(`deputy/${seed}`);
      carriedOut(env, "buy truck x2, vs x5, panther, done!");
      units = deputy(env, ["truck-2", "vs-1"]);
      begun = turn();
      expect(units.isOver(env.state)).toBe(false);
      carriedOut(env, "move vs-1, vs-2, vs-3 toward 3013!");
      carriedOut(env, "end phase!");
    }
    expect(units!.isOver(env.state)).toBe(true);
  });
});

describe("what a person keeps", () => {
  test("an undo takes back all that was decided without dice, in a game that was gone on with too", async () => {
    const open = await begun("night-fight");
    open.session.choose(open.session.game.actions.indexOf("buy sdk"));
    await letDecide(open, "finish phase with stalker");
    expect(open.session.actions.length).toBeGreaterThan(3);
    const { id } = open.header;
    await open.close();
    const again = await resumeSession(store, id, () => ({}));
    expect(again.session.undo()).toBeNull();
    expect(again.session.actions).toEqual(["buy sdk"]);
    await again.close();
  });

  test("after a die an undo takes back what was decided since", async () => {
    const open = await begun("pocket-stalingrad");
    const { session } = open;
    await letDecide(open, "finish turn with planner");
    while (!session.over && session.whyNoUndo(session.actor) !== null)
      await letDecide(open, "finish phase with planner");
    expect(session.over).toBe(false);
    const before = session.actions.length;
    expect(session.undo()).toBeNull();
    expect(session.actions.length).toBeLessThan(before);
    await open.close();
  });

  test("each decision waits until it is granted, and a choice of the person's own ends the rest", async () => {
    const open = await begun("night-fight");
    const { session } = open;
    const deputy = await handedOver(session, parseHandOver("finish phase with stalker")!);
    deputy.granted = 0;
    await session.advance();
    expect(session.actions).toHaveLength(0);
    deputy.granted = 1;
    await session.advance();
    expect(session.actions).toHaveLength(1);
    expect(session.log(0).at(-1)!.deputy).toBe("stalker");
    session.choose(session.game.actions.indexOf("buy vs"));
    deputy.granted = Infinity;
    await session.advance();
    expect([session.deputyOf(0), session.actions.length]).toEqual([null, 2]);
    await open.close();
  });

  test("the game counts as one with help, and others don't learn who decided", async () => {
    const open = await begun("savage-streets");
    const { session } = open;
    const [own, other] = [session.actor, 1 - session.actor];
    await letDecide(open, `finish phase with ${deputiesFor(session.game, own).at(-1)!.short}`);
    expect(session.helped).toBe(true);
    expect(session.log(own).some((e) => e.deputy !== undefined)).toBe(true);
    expect(session.log(other).every((e) => e.deputy === undefined)).toBe(true);
    await open.close();
  });

  test.each([
    ["finish phase with nobody", /nobody called "nobody" can decide for you; there are .*stalker/],
    ["finish phase with g-storm", /nobody called "g-storm"/],
    ["finish truck-9 with stalker", /"truck-9" can't act now/],
  ])("%s is refused, and nothing changes", async (order, why) => {
    const open = await begun("night-fight");
    await expect(handedOver(open.session, parseHandOver(order)!)).rejects.toThrow(why);
    expect(open.session.helped).toBe(false);
    await open.close();
  });
});

test.each(gameIds())("%s: a deputy decides alike in worlds that its side can't tell apart", async (id) => {
  await importGame(id);
  const game = loadGame(id);
  const rng = new Rng(`${id} deputy`);
  const starts = new Starts(game, `${id} deputy`, 4);
  const other = newState(game.stateSize);
  let different = 0;
  for (let round = 0; round < 60 && different < 12; round++) {
    const world = starts.pick(round, rng);
    const player = game.actor(world);
    if (player < 0) continue;
    if (!game.resample(world, player, other, rng)) continue;
    if (!sameSituation(world, other)) different++;
    const decided: string[] = [];
    for (const s of [world, other]) {
      const session = new Session(
        game,
        game.players.map(() => "human"),
        "twins",
      );
      session.env.restore(s);
      const deputy = await handedOver(session, { what: "phase", who: deputiesFor(game, player).at(-1)!.short });
      deputy.granted = 1;
      await session.advance();
      decided.push(deputy.actions[0]!);
    }
    expect(decided[0]).toBe(decided[1]);
  }
  if (id === "savage-streets") expect(different).toBe(12);
});
