import { expect, test } from "vitest";
import { makeAgent } from "../../agents/registry.js";
import { PlanAgent } from "../../agents/search/plan-agent.js";
import { loadGame, type Rng, observationRows, type State } from "../../env/index.js";
import { Levers, pulled } from "../training/levers.js";

const game = new Levers();

/** A net that pulls levers to the left, more or less, and counts its runs. */
class LeftHanded {
  runs = 0;

  constructor(private readonly preference = 0.5) {}

  run(_input: unknown, _mask: Uint8Array, n: number) {
    this.runs++;
    const policy = Float32Array.from({ length: 2 * n }, (_, k) => (k % 2 === 0 ? this.preference : 0));
    return Promise.resolve({ policy, value: new Float32Array(n) });
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

/** What the agent pulls after the first lever. */
async function ask(agent: PlanAgent, first: "none" | "left" | "right"): Promise<string> {
  const state = pulled(first);
  const { all, rows } = observationRows(game, 1);
  game.observe(state, 0, rows[0]!);
  const out = new Int32Array(1);
  await agent.act(
    {
      game,
      size: 1,
      actors: Int32Array.of(0),
      observation: all,
      mask: Uint8Array.of(1, 1),
      view: () => game.view(state, 0),
      sample: (_row: number, to: State, rng: Rng) => game.resample(state, 0, to, rng),
      known: () => expect.fail("a plan needs no position"),
    },
    out,
  );
  return game.actions[out[0]!]!;
}

test("a plan is found whose first action alone would lose, and is followed without another search", async () => {
  const net = new LeftHanded();
  const agent = new PlanAgent("plan", game, "levers", 64, net);
  expect(await ask(agent, "none")).toBe("right");
  const { runs } = net;
  expect(await ask(agent, "right")).toBe("right");
  expect(net.runs).toBe(runs);
});

test("where a seat sees something else than it planned for, it plans anew", async () => {
  const net = new LeftHanded();
  const agent = new PlanAgent("plan", game, "levers", 64, net);
  expect(await ask(agent, "none")).toBe("right");
  const { runs } = net;
  expect(await ask(agent, "left")).toBe("left");
  expect(net.runs).toBeGreaterThan(runs);
});

test("plans are drawn from the policy: what it never does is not found", async () => {
  expect(await ask(new PlanAgent("plan", game, "levers", 64, new LeftHanded(60)), "none")).toBe("left");
});

test("the time limit is kept", async () => {
  await expect(ask(new PlanAgent("plan", game, "levers", 64, new LeftHanded(), -1), "none")).rejects.toThrow(
    "plan thinks longer than",
  );
});

test.each([
  ["search:root=plan", "root=plan of search goes with net=..."],
  ["search:net=a.onnx,root=plan,ms=4", "search takes root=... or ms=..., not both"],
])("%s is refused: %s", async (name, reason) => {
  await expect(makeAgent(name, { game: loadGame("pocket-stalingrad"), seed: 1 })).rejects.toThrow(reason);
});
