import { unpack } from "msgpackr";
import { beforeEach, describe, expect, it } from "vitest";
import type { Agent } from "../../agents/agent.js";
import { RandomAgent } from "../../agents/random.js";
import { Env, SPECTATOR } from "../../env/index.js";
import { pixelsOf } from "../../server/draw/png.js";
import { renderSvg } from "../../server/draw/render-scene.js";
import { type Pass, UNHINDERED } from "../../server/gate/pass.js";
import { Handler } from "../../server/handler.js";
import { pack } from "../../server/wire/msgpack.js";
import { type Answer, ask, type Header, lowest, tensor } from "./ask.js";
import { TOY_LIBRARY } from "./toys.js";

let handler: Handler;
beforeEach(() => {
  handler = new Handler({ ...TOY_LIBRARY, version: "9.9.9" });
});

async function make(args: Record<string, unknown> = {}): Promise<string> {
  const { header } = await ask(handler, { op: "make", game: "toy-race", size: 3, ...args });
  expect(header.error).toBeUndefined();
  return header["batch"] as string;
}

const ok = (answer: Answer): Answer => {
  expect(answer.header.error).toBeUndefined();
  return answer;
};

const ambushActions = TOY_LIBRARY.load("toy-ambush", {}, {}).actions;

describe("what is static", () => {
  it("hello names protocol, version, operations and limits", async () => {
    const { header } = await ask(handler, { op: "hello", protocol: 1 });
    expect(header).toMatchObject({
      protocol: 1,
      server: "kessel",
      version: "9.9.9",
      games: ["toy-race", "toy-ambush", "toy-patrol"],
    });
    expect(header["operations"]).toContain("step");
    expect(header["limits"]).toMatchObject({ environments: 65_536 });
  });

  it("list and describe return the games on offer", async () => {
    const list = (await ask(handler, { op: "list" })).header["games"] as { id: string }[];
    expect(list.map((g) => g.id)).toEqual(["toy-race", "toy-ambush", "toy-patrol"]);
    const { game } = (await ask(handler, { op: "describe", game: "toy-race", options: { target: 30 } }))
      .header as unknown as { game: Record<string, unknown> };
    expect(game).toMatchObject({ id: "toy-race", chosen: { target: 30, mercy: false } });
  });

  it("ping answers, and stats counts", async () => {
    await make();
    ok(await ask(handler, { op: "ping" }));
    expect((await ask(handler, { op: "stats" })).header["stats"]).toMatchObject({
      batches: 1,
      environments: 3,
      requests: 3,
      errors: 0,
    });
  });
});

describe("a batch", () => {
  it("starts and steps as environments of its own would with the same seeds", async () => {
    const batch = await make();
    let answer = ok(await ask(handler, { op: "reset", batch, seeds: [5, "six", 7] }));
    const envs = [5, "six", 7].map((seed) => {
      const env = new Env(TOY_LIBRARY.load("toy-race", {}, {}), { skipForced: true });
      env.reset(seed);
      return env;
    });
    while (!envs.some((e) => e.terminated)) {
      expect(tensor(answer, "mask")).toEqual(envs.flatMap((e) => [...e.mask]));
      expect(tensor(answer, "actors")).toEqual(envs.map((e) => e.actor));
      for (const name of ["globals", "map", "units", "decision"] as const)
        expect(tensor(answer, name)).toEqual(envs.flatMap((e) => [...e.observe()[name]]));
      const actions = lowest(answer);
      answer = ok(await ask(handler, { op: "step", batch }, actions));
      expect(tensor(answer, "rewards")).toEqual(envs.flatMap((e, i) => [...e.step(actions[i]!).rewards]));
      expect(tensor(answer, "terminated")).toEqual(envs.map((e) => Number(e.terminated)));
    }
  });

  it("repeats itself from the same seed, also with agents in seats", async () => {
    const batch = await make({ game: "toy-ambush", seats: { blue: "random" } });
    const run = async (): Promise<number[]> => {
      const seen: number[] = [];
      let answer = ok(await ask(handler, { op: "reset", batch, seed: 11 }));
      for (let i = 0; i < 40; i++) {
        seen.push(...tensor(answer, "units"), ...tensor(answer, "rewards"));
        answer = ok(await ask(handler, { op: "step", batch }, lowest(answer)));
      }
      return seen;
    };
    expect(await run()).toEqual(await run());
  });

  it("asks the client only for the seats that are its own", async () => {
    const { header } = await ask(handler, { op: "make", game: "toy-ambush", size: 8, seats: { red: "random" } });
    expect(header["external"]).toEqual(["blue"]);
    let answer = ok(await ask(handler, { op: "reset", batch: header["batch"], seed: 1 }));
    for (let i = 0; i < 60; i++) {
      for (const [k, actor] of tensor(answer, "actors").entries())
        expect(actor, `environment ${k}`).toBe(tensor(answer, "terminated")[k] === 1 ? -1 : 1);
      answer = ok(await ask(handler, { op: "step", batch: header["batch"] }, lowest(answer)));
    }
  });

  it.each([{}, { ready: 2 }])(
    "whose agent failed half-way shows nothing and goes nowhere until it is reset: %j",
    async (more) => {
      let left = 3;
      const fails = (): Promise<Agent> =>
        Promise.resolve({
          name: "fails",
          act: (d, out) => (left-- > 0 ? new RandomAgent(1).act(d, out) : Promise.reject(new Error("secret"))),
        });
      handler = new Handler({ ...TOY_LIBRARY, makeAgent: fails });
      const batch = await make({ game: "toy-ambush", size: 4, seats: { blue: "fails" }, skipForced: false, ...more });
      let answer = await ask(handler, { op: "reset", batch, seed: 1 });
      const actions = (): Int32Array => {
        const rows = "ready" in more ? tensor(answer, "environments") : [];
        return Int32Array.from([...rows, ...lowest(answer)]);
      };
      while (answer.header.error === undefined) answer = await ask(handler, { op: "step", batch }, actions());
      expect(answer.header.error).toMatchObject({
        code: "internal",
        message: expect.not.stringContaining("secret") as string,
      });
      const half = { code: "not-reset", message: expect.stringContaining("failed half-way") as string };
      expect((await ask(handler, { op: "step", batch }, new Int32Array(4))).header.error).toMatchObject(half);
      for (const q of [
        { op: "legal" },
        { op: "position" },
        { op: "observe", seat: "red" },
        { op: "render", env: 0 },
        { op: "resample", seed: 1 },
      ])
        expect((await ask(handler, { ...q, batch })).header.error, q.op).toMatchObject(half);
      left = 1000;
      ok(await ask(handler, { op: "reset", batch, seed: 2 }));
      ok(await ask(handler, { op: "legal", batch }));
    },
  );

  it("draws an opponent from a pool for each episode and reports which", async () => {
    const pool = [
      { agent: "random", weight: 1 },
      { agent: "random", weight: 3 },
    ];
    const batch = await make({ game: "toy-ambush", size: 200, seats: { blue: pool } });
    const opponents = tensor(ok(await ask(handler, { op: "reset", batch, seed: 3 })), "opponents");
    const second = opponents.filter((_, i) => i % 2 === 1);
    expect(opponents.filter((_, i) => i % 2 === 0).every((o) => o === -1)).toBe(true);
    const often = second.filter((o) => o === 1).length; // binomial, 200 draws at 3/4: sd 6
    expect(often).toBeGreaterThan(110);
    expect(often).toBeLessThan(190);
  });

  it("keeps the last observation of ended episodes in same-step mode", async () => {
    const batch = await make({ autoreset: "same-step", size: 5 });
    const twin = await make({ autoreset: "disabled", size: 5 });
    let answer = ok(await ask(handler, { op: "reset", batch, seed: 2 }));
    ok(await ask(handler, { op: "reset", batch: twin, seed: 2 }));
    for (;;) {
      const actions = lowest(answer);
      answer = ok(await ask(handler, { op: "step", batch }, actions));
      const plain = ok(await ask(handler, { op: "step", batch: twin }, actions));
      const ended = tensor(plain, "terminated").flatMap((t, i) => (t === 1 ? [i] : []));
      if (ended.length === 0) continue;
      expect(tensor(answer, "final_rows")).toEqual(ended);
      const rows = ended.flatMap((i) => tensor(plain, "globals").slice(3 * i, 3 * i + 3));
      expect(tensor(answer, "final_globals")).toEqual(rows);
      expect(tensor(answer, "actors").every((a) => a >= 0)).toBe(true);
      expect(tensor(answer, "rewards")).toEqual(tensor(plain, "rewards"));
      return;
    }
  });

  it("sends bytes scaled by the range of each feature when asked to", async () => {
    const [floats, coarse] = [await make(), await make({ dtype: "uint8" })];
    const a = ok(await ask(handler, { op: "reset", batch: floats, seed: 4 }));
    const b = ok(await ask(handler, { op: "reset", batch: coarse, seed: 4 }));
    expect(tensor(a, "globals").some((x) => x > 0 && x < 1)).toBe(true);
    for (const name of ["globals", "map", "units", "decision"])
      expect(tensor(b, name)).toEqual(tensor(a, name).map((x) => Math.round(x * 255))); // all ranges are 0..1
  });

  it("resets some environments and leaves the others", async () => {
    const batch = await make();
    await ask(handler, { op: "reset", batch, seed: 1 });
    const before = ok(await ask(handler, { op: "step", batch }, Int32Array.of(2, 2, 2)));
    const after = ok(await ask(handler, { op: "reset", batch, seeds: ["x"], which: [1] }));
    expect(tensor(after, "decisions")[1]).toBe(0);
    for (const i of [0, 2])
      expect(tensor(after, "globals").slice(3 * i, 3 * i + 3)).toEqual(
        tensor(before, "globals").slice(3 * i, 3 * i + 3),
      );
  });

  it("writes over a frame's memory only when the client has freed it", async () => {
    const batch = await make();
    const request = { op: "reset", batch, seed: 1 };
    const first = await raw(request);
    const second = await raw(request);
    expect(second.data!.buffer).not.toBe(first.data!.buffer);
    const third = await raw({ ...request, free: [first.header["slot"]] });
    expect(third.data!.buffer).toBe(first.data!.buffer);
    for (let i = 0; i < 20; i++) expect((await raw(request)).data!.buffer).not.toBe(second.data!.buffer);
  });

  it("sends nothing between the tensors of a frame", async () => {
    Buffer.allocUnsafe(1 << 20).fill(0xaa); // memory that a careless server would send on
    const made = await raw({ op: "make", game: "toy-ambush", size: 3 });
    const { batch } = made.header;
    for (let i = 0; i < 30; i++) {
      const { header, data } = await raw({
        op: i === 0 ? "reset" : "observe",
        batch,
        ...(i === 0 ? { seed: 1 } : { seat: "red" }),
      });
      const covered = new Uint8Array(data!.length);
      for (const [, dtype, shape, offset] of header.tensors ?? made.header.tensors!)
        covered.fill(1, offset, offset + shape.reduce((n, d) => n * d, dtype === "uint8" ? 1 : 4));
      expect([...data!].filter((byte, k) => covered[k] === 0 && byte !== 0)).toEqual([]);
    }
  });

  it("answers in order while an agent is at work, and other batches meanwhile", async () => {
    let release = (): void => {};
    const gate = new Promise<void>((resolve) => (release = resolve));
    const slow = new Handler({
      ...TOY_LIBRARY,
      makeAgent: async () => ({
        name: "slow",
        async act(d, out) {
          await gate;
          for (let i = 0; i < d.size; i++)
            out[i] = d.mask.indexOf(1, i * d.game.actions.length) - i * d.game.actions.length;
        },
      }),
    });
    const { header } = await ask(slow, { op: "make", game: "toy-ambush", size: 2, seats: { red: "slow" } });
    const other = await ask(slow, { op: "make", game: "toy-race", size: 2 });
    const order: string[] = [];
    const note = (what: string) => (a: Answer) => (ok(a), order.push(what));
    const reset = ask(slow, { op: "reset", batch: header["batch"], seed: 1 }).then(note("reset"));
    const legal = ask(slow, { op: "legal", batch: header["batch"] }).then(note("legal"));
    await ask(slow, { op: "reset", batch: other.header["batch"], seed: 1 }).then(note("other"));
    release();
    await Promise.all([reset, legal]);
    expect(order).toEqual(["other", "reset", "legal"]);
  });

  it("shows its pass which operation it is, and waits behind the batch's earlier requests by it", async () => {
    let release = (): void => {};
    const acting = new Promise<void>((resolve) => (release = resolve));
    const slow = new Handler({
      ...TOY_LIBRARY,
      makeAgent: async (name, { seed }) => {
        const agent = new RandomAgent(seed);
        return { name, act: (d, out) => acting.then(() => agent.act(d, out)) };
      },
    });
    const told: string[] = [];
    const pass: Pass = {
      admit: (op) => void told.push(`admit ${op}`),
      begin: () => void told.push("begin"),
      behind(earlier, isStep, rest) {
        told.push(`behind, ${isStep ? "a step" : "no step"}`);
        return UNHINDERED.behind(earlier, isStep, rest);
      },
    };
    const asked = async (header: Record<string, unknown>, data?: Buffer): Promise<Header> => {
      const frames = [pack({ id: 1, ...header }), ...(data === undefined ? [] : [data])];
      return unpack((await slow.handle("asks", frames, pass)).header) as Header;
    };
    const { batch } = await asked({
      op: "make",
      game: "toy-ambush",
      size: 1,
      seats: { red: "slow" },
      privileged: true,
    });
    const answers = [
      asked({ op: "reset", batch, seed: 1 }),
      asked({ op: "load", batch }, Buffer.alloc(4)),
      asked({ op: "step", batch }, Buffer.alloc(4, 255)),
      asked({ op: "legal", batch }),
    ];
    expect(told).toEqual([
      "admit make",
      ...["admit reset", "begin"],
      ...["admit load", "behind, no step"],
      "behind, a step",
      ...["admit legal", "behind, no step"],
    ]);
    release();
    const codes = (await Promise.all(answers)).map(({ error }) => error?.code);
    expect(codes).toEqual([undefined, "bad-state", "bad-action", undefined]);
  });

  it("shows positions, names and boards as the deciding seat sees them", async () => {
    const batch = await make({ game: "toy-ambush", size: 2 });
    ok(await ask(handler, { op: "reset", batch, seed: 8 }));
    const env = new Env(TOY_LIBRARY.load("toy-ambush", {}, {}), { skipForced: true });
    env.reset("8/1/0");
    expect((await ask(handler, { op: "position", batch, which: [1] })).header["positions"]).toEqual([
      env.game.view(env.state, env.actor),
    ]);
    expect((await ask(handler, { op: "legal", batch, which: [1] })).header["legal"]).toEqual([env.legal()]);
    expect((await ask(handler, { op: "render", batch, env: 1 })).header["text"]).toBe(
      env.game.render(env.state, env.actor),
    );
  });

  it("returns the orders that the actor can give, and what one comes to", async () => {
    const batch = await make({ game: "toy-ambush", size: 2 });
    expect((await ask(handler, { op: "orders", batch, env: 0 })).header.error?.code).toBe("not-reset");
    ok(await ask(handler, { op: "reset", batch, seed: 8 }));
    // until environment 1 has an action that environment 0 has not
    let name: string | undefined;
    for (;;) {
      const [one, other] = (await ask(handler, { op: "legal", batch })).header["legal"] as string[][];
      name = other!.find((action) => !one!.includes(action));
      if (name !== undefined) break;
      const actions = Int32Array.of(ambushActions.indexOf(one!.at(0)!), ambushActions.indexOf(other!.at(-1)!));
      ok(await ask(handler, { op: "step", batch }, actions));
    }
    const { header } = await ask(handler, { op: "orders", batch, env: 1, order: name });
    expect(header.error, name).toBeUndefined();
    expect(header["forms"]).toBeInstanceOf(Array);
    expect(header["expansion"]).toMatchObject({ actions: [ambushActions.indexOf(name)], skipped: [] });
    const refused = await ask(handler, { op: "orders", batch, env: 1, order: "fly" });
    expect(refused.header.error).toEqual({
      code: "bad-action",
      message: expect.stringContaining('"fly" is no order and names no action; an order is ') as string,
    });
    expect((await ask(handler, { op: "orders", batch, env: 2 })).header.error?.code).toBe("bad-option");
  });

  it("draws the board as an SVG document and as pixels, as the seat sees it", async () => {
    const batch = await make({ game: "toy-ambush", size: 2 });
    ok(await ask(handler, { op: "reset", batch, seed: 8 }));
    const env = new Env(TOY_LIBRARY.load("toy-ambush", {}, {}), { skipForced: true });
    env.reset("8/1/0");
    for (const [from, viewer] of [
      [{}, env.actor],
      [{ seat: "red" }, env.game.players.indexOf("red")],
      [{ seat: "spectator" }, SPECTATOR],
    ] as const) {
      const drawn = ok(await ask(handler, { op: "render", batch, env: 1, ...from, format: "svg", width: 700 }));
      expect(drawn.header["text"]).toBe(renderSvg(env.game, env.state, viewer, { width: 700 }));
      const dots = ok(await ask(handler, { op: "render", batch, env: 1, ...from, format: "rgb", width: 400 }));
      expect(dots.header.tensors).toEqual([["pixels", "uint8", [300, 400, 3], 0]]);
      const { rgb } = await pixelsOf(renderSvg(env.game, env.state, viewer, { width: 400, height: 300 }));
      expect(Buffer.from(dots.data!).equals(rgb)).toBe(true);
    }
    const nobody = await ask(handler, { op: "render", batch, env: 1, seat: "blue", format: "gif" });
    expect(nobody.header.error?.code).toBe("bad-message");
  });

  it("resample gives a state that looks the same to the acting player", async () => {
    const batch = await make({ game: "toy-ambush", size: 4, privileged: true });
    const seen = ok(await ask(handler, { op: "reset", batch, seed: 5 }));
    const sample = ok(await ask(handler, { op: "resample", batch, seed: "s" }));
    const again = ok(await ask(handler, { op: "load", batch }, Int32Array.from(tensor(sample, "states"))));
    for (const name of ["globals", "map", "units", "decision", "mask"])
      expect(tensor(again, name)).toEqual(tensor(seen, name));
  });
});

describe("a privileged batch", () => {
  it("saves and loads whole situations, dice included", async () => {
    const batch = await make({ privileged: true });
    ok(await ask(handler, { op: "reset", batch, seed: 1 }));
    const saved = ok(await ask(handler, { op: "save", batch }));
    expect(saved.header["privileged"]).toBe(true);
    const states = Int32Array.from(tensor(saved, "states"));
    const one = ok(await ask(handler, { op: "step", batch }, Int32Array.of(2, 2, 2)));
    ok(await ask(handler, { op: "load", batch }, states));
    const two = ok(await ask(handler, { op: "step", batch }, Int32Array.of(2, 2, 2)));
    for (const name of ["map", "mask", "units"]) expect(tensor(two, name)).toEqual(tensor(one, name));
  });

  it("returns the game's potentials of the true states if asked to", async () => {
    const batch = await make({ privileged: true, potentials: true, autoreset: "disabled" });
    let answer = ok(await ask(handler, { op: "reset", batch, seeds: [5, 6, 7] }));
    const game = TOY_LIBRARY.load("toy-race", {}, {});
    const envs = [5, 6, 7].map((seed) => {
      const env = new Env(game, { skipForced: true });
      env.reset(seed);
      return env;
    });
    const values = () => envs.flatMap((e) => Object.values(game.potentials).map((f) => Math.fround(f(e.state))));
    expect(tensor(answer, "potentials")).toEqual(values());
    while (!envs.some((e) => e.terminated)) {
      const actions = lowest(answer);
      answer = ok(await ask(handler, { op: "step", batch }, actions));
      envs.forEach((e, i) => e.step(actions[i]!));
      expect(tensor(answer, "potentials")).toEqual(values());
    }
    expect(new Set(values()).size).toBeGreaterThan(1);
    const some = await make({ privileged: true, potentials: true, ready: 2 });
    const ready = ok(await ask(handler, { op: "reset", batch: some, seeds: [5, 6, 7] }));
    expect(tensor(ready, "potentials").length).toBe(2 * Object.keys(game.potentials).length);
    const { header } = await ask(handler, { op: "make", game: "toy-race", size: 1, potentials: true });
    expect(header.error?.code).toBe("not-privileged");
  });

  it("clones environments into others", async () => {
    const batch = await make({ privileged: true });
    ok(await ask(handler, { op: "reset", batch, seed: 1 }));
    ok(await ask(handler, { op: "step", batch }, Int32Array.of(2, 2, 2)));
    const cloned = ok(await ask(handler, { op: "clone", batch, from: [0, 0], to: [1, 2] }));
    const map = tensor(cloned, "map");
    expect([map.slice(5, 10), map.slice(10)]).toEqual([map.slice(0, 5), map.slice(0, 5)]);
    const next = tensor(
      ok(await ask(handler, { op: "step", batch }, new Int32Array(3).fill(lowest(cloned)[0]!))),
      "globals",
    );
    expect([next.slice(3, 6), next.slice(6)]).toEqual([next.slice(0, 3), next.slice(0, 3)]);
  });

  it("starts from positions and gives whole ones back", async () => {
    const batch = await make({ game: "toy-ambush", privileged: true, skipForced: false });
    ok(await ask(handler, { op: "reset", batch, seed: 1 }));
    const whole = (await ask(handler, { op: "position", batch, whole: true })).header as unknown as {
      positions: unknown[];
      privileged: boolean;
    };
    expect(whole.privileged).toBe(true);
    ok(await ask(handler, { op: "reset", batch, seed: 2 }));
    ok(await ask(handler, { op: "reset", batch, seed: 2, positions: whole.positions }));
    expect((await ask(handler, { op: "position", batch, whole: true })).header["positions"]).toEqual(whole.positions);
  });
});

async function raw(header: Record<string, unknown>): Promise<{ header: Header; data?: Uint8Array }> {
  const reply = await handler.handle("test", [pack({ id: 1, ...header })]);
  return { ...reply, header: unpack(reply.header) as Header };
}
