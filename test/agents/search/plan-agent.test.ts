import { expect, test } from "vitest";
import { makeAgent } from "../../../agents/registry.js";
import { chosen, PlanAgent } from "../../../agents/search/plan-agent.js";
import { Plans } from "../../../agents/search/plans.js";
import { loadGame, type Observation, observationRows, Rng, type State } from "../../../env/index.js";
import { Levers, pulled, pulledIn } from "../../training/levers.js";

/**
 * A net that pulls levers to the left, more or less, and counts its runs. It knows that both to the right is good, and
 * is wrong about one to the right.
 */
class LeftHanded {
  runs = 0;

  constructor(private readonly preference = 0.5) {}

  run(input: unknown, _mask: Uint8Array, n: number) {
    this.runs++;
    const policy = Float32Array.from({ length: 2 * n }, (_, k) => (k % 2 === 0 ? this.preference : 0));
    const { globals } = input as Observation;
    return Promise.resolve({
      policy,
      value: Float32Array.from({ length: n }, (_, k) => {
        const [first, second] = pulledIn(globals, k);
        return first === 2 && second === 2 ? 0.5 : first === 2 && second === 0 ? 0.9 : 0;
      }),
    });
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

const ofGame = (game: Levers, net = new LeftHanded(), seed = "levers", limit?: number) => ({
  game,
  net,
  agent: new PlanAgent("plan", game, seed, 64, net, limit),
});

/** What the agent pulls in these states, asked together. */
async function ask({ game, agent }: ReturnType<typeof ofGame>, ...states: State[]): Promise<string[]> {
  const { all, rows } = observationRows(game, states.length);
  states.forEach((state, i) => game.observe(state, game.actor(state), rows[i]!));
  const out = new Int32Array(states.length);
  await agent.act(
    {
      game,
      size: states.length,
      actors: Int32Array.from(states, (state) => game.actor(state)),
      observation: all,
      mask: new Uint8Array(2 * states.length).fill(1),
      view: () => expect.fail("a plan needs no position"),
      sample: (row: number, to: State, rng: Rng) => game.resample(states[row]!, 0, to, rng),
      known: () => expect.fail("a plan needs no position"),
    },
    out,
  );
  return [...out].map((action) => game.actions[action]!);
}

test.each([0, 1])(
  "a plan is found whose first action alone would lose, and is followed without another search, as player %d",
  async (puller) => {
    const asked = ofGame(new Levers(puller));
    expect(await ask(asked, pulled("none"))).toEqual(["right"]);
    const { runs } = asked.net;
    expect(await ask(asked, pulled("right"))).toEqual(["right"]);
    expect(asked.net.runs).toBe(runs);
  },
);

test.each([64, 200, 1000])("as many playouts as were asked for go into a choice: %d", async (iterations) => {
  const game = new Levers();
  const net = new LeftHanded(0);
  const agent = new PlanAgent("plan", game, "levers", iterations, net);
  const plans = Reflect.get(agent, "plans") as Plans;
  let played = 0;
  const playOut = plans.playOut.bind(plans);
  plans.playOut = (lanes) => {
    played += lanes.length;
    return playOut(lanes);
  };
  await ask({ game, net, agent }, pulled("none"));
  // each round plays as many of each plan, so some of the last don't fit
  expect(played).toBeGreaterThan(0.9 * iterations);
  expect(played).toBeLessThanOrEqual(iterations);
});

test("a seat that sees something else than it planned for plans again", async () => {
  const asked = ofGame(new Levers());
  expect(await ask(asked, pulled("none"))).toEqual(["right"]);
  const { runs } = asked.net;
  expect(await ask(asked, pulled("left"))).toEqual(["left"]);
  expect(asked.net.runs).toBeGreaterThan(runs);
});

test("a plan ends where dice roll: what they showed in one world is not planned for", async () => {
  for (let die = 1; die <= 6; die++) {
    const asked = ofGame(new Levers(0, true));
    expect(await ask(asked, pulled("none"))).toEqual(["left"]); // to the right, the net would not go on
    const { runs } = asked.net;
    await ask(asked, pulled("left", die));
    expect(asked.net.runs).toBeGreaterThan(runs);
  }
});

test.each([0, 1])("plans are worth what the net thinks at the end of the turn, as player %d", async (puller) => {
  expect(await ask(ofGame(new Levers(puller, false, true)), pulled("none"))).toEqual(["right"]);
});

test("plans are drawn from the policy: what it never does is not found, and a single plan is not tried", async () => {
  const asked = ofGame(new Levers(0, false, true), new LeftHanded(60));
  expect(await ask(asked, pulled("none"))).toEqual(["left"]);
  expect(asked.net.runs).toBe(2); // one a lever
});

test("a plan is tried up to a roll alone, since what follows is decided again then", async () => {
  for (let seed = 0; seed < 16; seed++)
    expect(await ask(ofGame(new Levers(0, "hidden"), new LeftHanded(), `${seed}`), pulled("none"))).toEqual(["left"]);
});

test("where all plans are worth the same, the net's own is played", async () => {
  for (let seed = 0; seed < 8; seed++) {
    const asked = ofGame(new Levers(0, false, true), new LeftHanded(0.1), `${seed}`);
    expect(await ask(asked, pulled("right", 0, 1))).toEqual(["left"]);
  }
});

test("games asked about together have their own plans", async () => {
  const asked = ofGame(new Levers());
  expect(await ask(asked, pulled("none"), pulled("left"))).toEqual(["right", "left"]);
  const { runs } = asked.net;
  expect(await ask(asked, pulled("left"), pulled("right"))).toEqual(["left", "right"]);
  expect(asked.net.runs).toBe(runs);
});

test("values of plans are compared in the same world, whichever was played to its end first", async () => {
  const plan = { actions: [], values: [] };
  const root = { actor: 0, world: pulled("none") };
  const lanes = [pulled("none"), pulled("right")].map((state, world) => ({ root, plan, state, world }));
  await new Plans(new Levers(), new LeftHanded(), new Rng("worlds")).playOut(lanes);
  expect(plan.values).toEqual([0, -1]); // left and left draw; right and left lose, a decision earlier
});

test.each([
  ["is better in every world", [0.5, 0.25, 1], true],
  ["is better by more than a standard error", [1, 1, 0], true],
  ["is better by less", [1, -1, 0.5], false],
  ["is no better", [0, 0, 0], false],
  ["is worse", [-1, -1, 0], false],
])("a plan that %s than what the net would do replaces it: %j, %s", (_, values, replaces) => {
  const first = { actions: [0], values: [0, 0, 0] };
  const other = { actions: [1], values };
  expect(chosen([first, other])).toBe(replaces ? other : first);
});

test("the time limit is kept", async () => {
  await expect(ask(ofGame(new Levers(), new LeftHanded(), "late", -1), pulled("none"))).rejects.toThrow(
    "plan thinks longer than",
  );
});

test.each([
  ["search:root=plan", "root=plan of search goes with net=..."],
  ["search:net=a.onnx,root=plan,ms=4", "search takes root=... or ms=..., not both"],
])("%s is refused: %s", async (name, reason) => {
  await expect(makeAgent(name, { game: loadGame("pocket-stalingrad"), seed: 1 })).rejects.toThrow(reason);
});
