import { createHash } from "node:crypto";
import { Packr, Unpackr } from "msgpackr";
import { afterEach, describe, expect, it, vi } from "vitest";
import { Router } from "zeromq";
import type { Agent, Decisions } from "../../../agents/agent.js";
import { SeatedBatch } from "../../../agents/seats.js";
import {
  diceKeyOf,
  type Game,
  type GameType,
  KeyedDice,
  resolveOptions,
  type Seed,
  SeededDice,
} from "../../../env/index.js";
import { arena } from "../../../training/arena/arena.js";
import { playChunk } from "../../../training/arena/chunk.js";
import { arenaText } from "../../../training/arena/report.js";
import { shuffled } from "../../../training/arena/seeds.js";
import { race } from "../../toys/race.js";

const load = (type: GameType): Game => type.load(resolveOptions(type), type.data);
const game = load(race);
const GAMES = 40;

/** Plays the first legal action, and notes by instance what it sees. */
class Curious implements Agent {
  static told: Seed[] = [];

  constructor(
    readonly name: string,
    seed: Seed,
  ) {
    Curious.told.push(seed);
  }

  act({ game: { actions }, mask, size }: Decisions, out: Int32Array): void {
    const A = actions.length;
    for (let i = 0; i < size; i++) out[i] = mask.subarray(i * A, (i + 1) * A).indexOf(1);
  }
}

/** Seeds of the games that are played, by seating, in the order of their rows. */
async function seedsOf(agents: string[], options: { seed?: Seed; secret?: string } = {}) {
  const spy = vi.spyOn(SeatedBatch.prototype, "reset");
  Curious.told = [];
  const result = await arena(game, {
    agents,
    games: GAMES,
    agentFor: (name, seed) => new Curious(name, seed),
    ...options,
  });
  const seeds = spy.mock.calls.at(-1)![0] as readonly string[];
  return { result, told: Curious.told.map(String), seatings: [seeds.slice(0, GAMES / 2), seeds.slice(GAMES / 2)] };
}
afterEach(() => vi.restoreAllMocks());

describe("the seeds of an arena", () => {
  it("follow from its seed in plain text when all its agents are Kessel's own", async () => {
    const { result, seatings } = await seedsOf(["first", "second"]);
    const plain = Array.from({ length: GAMES / 2 }, (_, k) => `0/${k}`);
    expect(seatings).toEqual([plain, plain]);
    expect(result.secret).toBeNull();
    expect(arenaText(result)).not.toMatch(/secret/);
  });

  it("can't be computed by an agent outside that knows the arena's seed and its own", async () => {
    const { told, seatings } = await seedsOf(["external:spy", "second"]);
    const parts = told.flatMap((s) => s.split("/").map((_, i, all) => all.slice(0, i + 1).join("/")));
    const guesses = [...parts, ...told, "0"].flatMap((base) => [
      base,
      ...Array.from({ length: GAMES }, (_, k) => `${base}/${k}`),
    ]);
    expect(guesses).toContain("0/7"); // which was the seed of a game before
    for (const seed of seatings.flat()) {
      expect(seed).toMatch(/^[0-9a-f]{64}$/);
      expect(guesses).not.toContain(seed);
    }
  });

  it("are drawn again for each run with one, and come back with its secret, which its text prints", async () => {
    const [one, other] = [await seedsOf(["external:spy", "b"]), await seedsOf(["external:spy", "b"])];
    expect(other.seatings).not.toEqual(one.seatings);
    const secret = /--secret (\S+)/.exec(arenaText(one.result))![1]!;
    const again = await seedsOf(["external:spy", "b"], { secret });
    expect(again.seatings).toEqual(one.seatings);
    expect({ ...again.result, timing: null }).toEqual({ ...one.result, timing: null });
  });

  it("with a secret reveal nothing of its game to an agent that got hold of one: the dice have a key of their own", async () => {
    const chunk = {
      agents: ["a", "b"],
      seatings: [0, 1],
      agentSeed: "x",
      separate: false,
      valueModel: null,
      record: null,
    };
    const seeds = Array.from({ length: GAMES }, (_, k) => `known/${k}`);
    const results = async (diceKey: Uint8Array | null) =>
      (await playChunk(game, { ...chunk, seeds, diceKey }, (name, s) => new Curious(name, s))).seatings;
    const [plain, keyed, other] = [await results(null), await results(diceKeyOf("k1")), await results(diceKeyOf("k2"))];
    expect(keyed).toEqual(await results(diceKeyOf("k1")));
    expect(keyed).not.toEqual(plain);
    expect(keyed).not.toEqual(other);
  });

  it("with a secret give the dice their key", async () => {
    const dice = async (options: { secret?: string }) => {
      const spy = vi.spyOn(SeatedBatch.prototype, "reset");
      await arena(game, { agents: ["a", "b"], games: 2, agentFor: (name, s) => new Curious(name, s), ...options });
      const { batch } = spy.mock.contexts.at(-1) as unknown as { batch: { dice: object } };
      return batch.dice;
    };
    expect(await dice({})).toBeInstanceOf(SeededDice);
    expect(await dice({ secret: "0123456789abcdef" })).toBeInstanceOf(KeyedDice);
  });

  it("meet another instance of each agent in the other seating, in an order that doesn't show which is which", async () => {
    const { told, seatings } = await seedsOf(["external:spy", "b"]);
    const [north, south] = seatings as [string[], string[]];
    expect([...south].sort()).toEqual([...north].sort());
    expect(south).not.toEqual(north);
    expect(north.map((s) => south.indexOf(s))).not.toEqual([...north.keys()].reverse());
    expect(new Set(told).size).toBe(2 + 4); // one each to try the names, then one for each seating
  });

  it("count the same games, whatever their order", async () => {
    const { result } = await seedsOf(["external:spy", "twin"]);
    expect(result.pairs[0]!.pairingRatio).toBe(0); // equal agents: by seed, one wins what the other does
    expect(result.pairs[0]!.total.score).toBe(0.5);
  });

  it.each(["short", "with a space in the middle", "x".repeat(201)])("refuses %j as a secret", async (secret) => {
    await expect(seedsOf(["a", "b"], { secret })).rejects.toThrow(/a secret is 16 to 200 printable characters/);
  });

  it("orders are permutations, each as likely as any other", () => {
    const counts = new Map<string, number>();
    for (let i = 0; i < 6000; i++) {
      const order = shuffled(3, `o${i}`).join("");
      counts.set(order, (counts.get(order) ?? 0) + 1);
    }
    expect(counts.size).toBe(6);
    for (const n of counts.values()) expect(Math.abs(n - 1000)).toBeLessThan(150); // 5 standard deviations
  });
});

it("an agent outside gets a digest as its seed, never the text it was made with", async () => {
  const router = new Router({ linger: 0 });
  await router.bind("tcp://127.0.0.1:*");
  const seeds: string[] = [];
  void (async () => {
    for await (const [identity, head, data] of router) {
      const { id, op, seed, tensors } = new Unpackr({ useRecords: false }).unpack(head!) as {
        id: number;
        op: string;
        seed: string;
        tensors: [string, string, number[], number][];
      };
      const reply = new Packr({ useRecords: false }).pack({ id });
      if (op === "open") seeds.push(seed);
      if (op === "open") await router.send([identity!, reply]);
      else {
        const [, , [n, A], at] = tensors.find(([name]) => name === "mask")! as [
          string,
          string,
          [number, number],
          number,
        ];
        const actions = Int32Array.from({ length: n }, (_, i) =>
          data!.subarray(at + i * A, at + (i + 1) * A).indexOf(1),
        );
        await router.send([identity!, reply, Buffer.from(actions.buffer)]);
      }
    }
  })();
  const secret = "0123456789abcdef";
  await arena(game, { agents: [`external:${router.lastEndpoint!}`, "random"], games: 20, seed: 0, secret });
  router.close();
  expect(seeds).toHaveLength(3);
  expect(new Set(seeds).size).toBe(3);
  for (const seed of seeds) expect(seed).toMatch(/^[0-9a-f]{64}$/);
  const plain = ["0", "0/agents/0/0", "0/agents/0/0/0"].map((s) => createHash("sha256").update(s).digest("hex"));
  for (const seed of seeds) expect(plain).not.toContain(seed);
});
