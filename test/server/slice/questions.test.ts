import { beforeEach, describe, expect, it } from "vitest";
import { Env, gameType, outcomesOf, parseReplay, playReplay, type Replay } from "../../../env/index.js";
import { Handler } from "../../../server/handler.js";
import { savedWords } from "../../../server/wire/saved-states.js";
import { type Answer, ask, lowest, tensor } from "../ask.js";
import { TOY_LIBRARY } from "../toys.js";

let handler: Handler;
beforeEach(() => {
  handler = new Handler(TOY_LIBRARY);
});

async function start(args: Record<string, unknown>, seed: number): Promise<{ batch: string; answer: Answer }> {
  const { header } = await ask(handler, { op: "make", game: "toy-race", size: 2, ...args });
  expect(header.error).toBeUndefined();
  const batch = header["batch"] as string;
  const answer = await ask(handler, { op: "reset", batch, seed });
  expect(answer.header.error).toBeUndefined();
  return { batch, answer };
}

const code = async (answer: Promise<Answer>): Promise<string | undefined> => (await answer).header.error?.code;

describe("observe", () => {
  it("shows what each seat of the client's knows, whichever player acts", async () => {
    const { batch } = await start({ game: "toy-ambush" }, 3);
    const env = new Env(TOY_LIBRARY.load("toy-ambush", {}, {}), { skipForced: true });
    env.reset("3/1/0");
    for (const [seat, viewer] of [
      ["red", 0],
      ["blue", 1],
      ["spectator", -1],
    ] as const)
      expect(tensor(await ask(handler, { op: "observe", batch, seat, which: [1] }), "units")).toEqual([
        ...env.observe(viewer).units,
      ]);
  });

  it("never shows another's seat", async () => {
    const { batch } = await start({ game: "toy-ambush", seats: { red: "random" } }, 3);
    for (const op of ["observe", "position"])
      expect(await code(ask(handler, { op, batch, seat: "red" }))).toBe("bad-seat");
    for (const op of ["render", "replay"])
      expect(await code(ask(handler, { op, batch, env: 0, seat: "red" }))).toBe("bad-seat");
    expect(await code(ask(handler, { op: "observe", batch, seat: "blue" }))).toBeUndefined();
  });
});

describe("outcomes", () => {
  it("are all situations an action leads to, with their probabilities", async () => {
    const { batch } = await start({ privileged: true }, 1);
    const answer = await ask(handler, { op: "outcomes", batch, env: 0, action: 1 });
    const env = new Env(TOY_LIBRARY.load("toy-race", {}, {}), { skipForced: true });
    env.reset("1/0/0");
    const expected = outcomesOf(env.game, env.state, 1);
    expect(tensor(answer, "probabilities")).toEqual(expected.map((o) => o.probability));
    const words = savedWords(env.game);
    const states = tensor(answer, "states");
    expected.forEach((o, k) =>
      expect(states.slice((k + 1) * words - env.game.stateSize, (k + 1) * words)).toEqual([...o.state]),
    );
    expect(answer.header["privileged"]).toBe(true);
  });

  it("can be sampled, and loaded", async () => {
    const { batch, answer } = await start({ privileged: true, size: 50 }, 1);
    const sampled = await ask(handler, { op: "outcomes", batch, env: 0, action: 2, samples: 50, seed: 4 });
    expect(tensor(sampled, "probabilities")).toEqual(Array.from({ length: 50 }, () => 1 / 50));
    const loaded = await ask(handler, { op: "load", batch }, Int32Array.from(tensor(sampled, "states")));
    expect(loaded.header.error).toBeUndefined();
    expect(new Set(tensor(loaded, "map").join().match(/.{20}/g)).size).toBeGreaterThan(5);
    expect(tensor(loaded, "mask")).not.toEqual(tensor(answer, "mask"));
  });

  it("are refused for what isn't legal, too much or not privileged", async () => {
    const { batch } = await start({ privileged: true }, 1);
    expect(await code(ask(handler, { op: "outcomes", batch, env: 0, action: 9 }))).toBe("illegal-action");
    expect(await code(ask(handler, { op: "outcomes", batch, env: 0, action: 10 }))).toBe("bad-action");
    expect(await code(ask(handler, { op: "outcomes", batch, env: 2, action: 1 }))).toBe("bad-option");
    expect(await code(ask(handler, { op: "outcomes", batch, env: 0, action: 2, samples: 100_001 }))).toBe(
      "bad-message",
    );
    const plain = await start({}, 1);
    expect(await code(ask(handler, { op: "outcomes", batch: plain.batch, env: 0, action: 1 }))).toBe("not-privileged");
  });
});

describe("replays", () => {
  async function playToEnd(args: Record<string, unknown>, seed: number): Promise<{ batch: string; ended: number }> {
    const { batch, answer } = await start({ record: true, ...args }, seed);
    for (let a = answer; ; a = await ask(handler, { op: "step", batch }, lowest(a))) {
      const ended = tensor(a, "terminated").indexOf(1);
      if (ended >= 0) return { batch, ended };
    }
  }

  it.each(["toy-race", "toy-ambush", "pocket-stalingrad"])(
    "of %s replay to the same end, forced decisions and agents' included",
    async (game) => {
      handler = game.startsWith("toy") ? handler : new Handler();
      const seats = game === "toy-ambush" ? { red: "random" } : {};
      const { batch, ended } = await playToEnd({ game, privileged: true, seats }, 6);
      const { replay, privileged } = (await ask(handler, { op: "replay", batch, env: ended })).header as unknown as {
        replay: Replay;
        privileged: boolean;
      };
      expect(privileged).toBe(true);
      const type = TOY_LIBRARY.games.find((g) => g.id === game) ?? gameType(game);
      const env = playReplay(type, parseReplay(replay));
      expect(env.terminated).toBe(true);
      expect((await ask(handler, { op: "position", batch, which: [ended], whole: true })).header["positions"]).toEqual([
        env.game.write(env.state),
      ]);
      expect(Object.keys(replay.returns!)).toEqual(env.game.players);
    },
  );

  it("show the client's seat what it saw, when the episode is over", async () => {
    const { batch, ended } = await playToEnd(
      { game: "toy-ambush", seats: { red: "random" }, autoreset: "next-step" },
      2,
    );
    const { lines } = (await ask(handler, { op: "replay", batch, env: ended, seat: "blue" })).header as unknown as {
      lines: { action: string | null; view: unknown }[];
    };
    expect(lines.at(-1)!.view).toEqual(
      (
        (await ask(handler, { op: "position", batch, which: [ended], seat: "blue" })).header["positions"] as unknown[]
      )[0],
    );
    expect(await code(ask(handler, { op: "replay", batch, env: 1 - ended, seat: "blue" }))).toBe("not-privileged");
    expect(await code(ask(handler, { op: "replay", batch, env: ended }))).toBe("not-privileged");
  });

  it("need a record", async () => {
    const { batch } = await start({ privileged: true }, 1);
    expect(await code(ask(handler, { op: "replay", batch, env: 0 }))).toBe("unsupported");
    const kept = await start({ privileged: true, record: true }, 1);
    expect(await code(ask(handler, { op: "replay", batch: kept.batch, env: 0 }))).toBeUndefined();
    expect(await code(ask(handler, { op: "replay", batch: kept.batch, env: 0, last: true }))).toBe("unsupported");
    await ask(handler, { op: "clone", batch: kept.batch, from: [1], to: [0] });
    expect(await code(ask(handler, { op: "replay", batch: kept.batch, env: 0 }))).toBe("unsupported");
  });
});
