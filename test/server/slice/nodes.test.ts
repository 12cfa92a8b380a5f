import { afterEach, describe, expect, it } from "vitest";
import { Handler, type HandlerOptions } from "../../../server/handler.js";
import { type Answer, ask, lowest, tensor } from "../ask.js";
import { TOY_LIBRARY } from "../toys.js";

const closing: Handler[] = [];
afterEach(async () => {
  for (const h of closing.splice(0)) await h.close();
});
function handlerWith(workers: number, options: HandlerOptions = TOY_LIBRARY): Handler {
  const handler = new Handler({ ...options, workers, stateKey: new Uint8Array(32) });
  closing.push(handler);
  return handler;
}

const ok = (a: Answer): Answer => {
  expect(a.header.error).toBeUndefined();
  return a;
};
const OBSERVED = ["globals", "map", "units", "decision", "mask", "actors"];
const seen = (a: Answer): unknown => OBSERVED.map((name) => tensor(a, name));
const NONE = -1;

/** A batch that was reset, and requests about it. */
async function batchOf(handler: Handler, make: Record<string, unknown>) {
  const { batch } = ok(await ask(handler, { op: "make", size: 1, nodes: 64, ...make })).header;
  const first = ok(await ask(handler, { op: "reset", batch, seed: 1 }));
  const expand = (rows: readonly (readonly [from: number, to: number, action: number])[], more: object = {}) =>
    ask(handler, { op: "expand", batch, ...more }, Int32Array.from([0, 1, 2].flatMap((k) => rows.map((r) => r[k]!))));
  const about = (op: string, more: object = {}, data?: Int32Array) => ask(handler, { op, batch, ...more }, data);
  return { first, expand, about };
}

describe.each([0, 1])("nodes (%i worker threads)", (workers) => {
  const make = (request: Record<string, unknown>) => batchOf(handlerWith(workers), { game: "toy-race", ...request });

  it("a copy of an environment goes on with the dice that it would have thrown", async () => {
    const { first, expand, about } = await make({ privileged: true });
    const copy = ok(await expand([[0, 5, NONE]], { environments: true }));
    expect(seen(copy)).toEqual(seen(first));
    let [played, stepped] = [copy, first];
    for (let node = 5; tensor(stepped, "terminated")[0] === 0; node++) {
      const [action] = lowest(stepped);
      played = ok(await expand([[node, node + 1, action!]]));
      stepped = ok(await about("step", {}, Int32Array.of(action!)));
      for (const name of [...OBSERVED, "rewards", "terminated"])
        expect(tensor(played, name), name).toEqual(tensor(stepped, name));
    }
    expect(tensor(played, "rewards").some((r) => r !== 0)).toBe(true);
  });

  it("dice dealt again follow from the seed, and differ from row to row", async () => {
    const { expand, about } = await make({ privileged: true });
    ok(await expand([[0, 0, NONE]], { environments: true }));
    const rows = Array.from({ length: 40 }, (_, k) => [0, 1 + k, 2] as const);
    const ends = async (more: object): Promise<number[]> => {
      const t = ok(await expand(rows, more));
      // what came of the dice shows in the game that follows
      const played = ok(await about("playout", { nodes: rows.map((r) => r[1]), seed: 1 }));
      return [...tensor(t, "globals"), ...tensor(played, "decisions")];
    };
    const [a, again, other] = [await ends({ seed: 7 }), await ends({ seed: 7 }), await ends({ seed: 8 })];
    expect(again).toEqual(a);
    expect(other).not.toEqual(a);
    const same = ok(await expand(rows));
    const width = tensor(same, "globals").length / rows.length;
    for (let k = 0; k < rows.length; k++)
      expect(tensor(same, "globals").slice(k * width, (k + 1) * width)).toEqual(
        tensor(same, "globals").slice(0, width),
      );
  });

  it("are read before any is written, and a row may keep none", async () => {
    const { expand } = await make({ privileged: true });
    ok(await expand([[0, 0, NONE]], { environments: true }));
    const after = ok(await expand([[0, 1, 2]], { seed: 3 }));
    const before = ok(await expand([[0, NONE, NONE]]));
    const swapped = ok(
      await expand([
        [1, 0, NONE],
        [0, 1, NONE],
      ]),
    );
    expect(tensor(swapped, "globals")).toEqual([...tensor(after, "globals"), ...tensor(before, "globals")]);
    expect(seen(ok(await expand([[0, NONE, NONE]])))).toEqual(seen(after));
  });

  it("a request with a row that is refused changes none", async () => {
    const { expand } = await make({ privileged: true });
    ok(await expand([[0, 0, NONE]], { environments: true }));
    const before = seen(ok(await expand([[0, NONE, NONE]])));
    const refusals: [number, number, number, string, RegExp][] = [
      [0, 1, 9, "illegal-action", /row 1: toy-race: "leave" is not legal for north/],
      [0, 1, 10, "bad-action", /row 1: actions of toy-race are 0 to 9, or -1 to play none, not 10/],
      [0, 64, NONE, "bad-option", /row 1: nodes are 0 to 63, or -1 to keep none, not 64/],
      [0, 0, NONE, "bad-option", /row 1: node 0 is written twice/],
      [7, 1, NONE, "bad-option", /node 7 holds no situation yet/],
      [64, 1, NONE, "bad-option", /nodes are 0 to 63, not 64/],
    ];
    for (const [from, to, action, code, says] of refusals) {
      const { error } = (
        await expand([
          [0, 0, 2],
          [from, to, action],
        ])
      ).header;
      expect(error?.code, error?.message).toBe(code);
      expect(error?.message).toMatch(says);
      expect(seen(ok(await expand([[0, NONE, NONE]])))).toEqual(before);
    }
  });

  it("are dealt from what the actor knows where the client has no privilege", async () => {
    const { first, expand } = await make({ game: "toy-ambush" });
    const copied = await expand([[0, 0, NONE]], { environments: true });
    expect(copied.header.error?.code).toBe("not-privileged");
    expect((await expand([[0, 0, NONE]], { environments: true, resample: true })).header.error?.code).toBe("bad-seed");
    const rows = Array.from({ length: 20 }, (_, k) => [0, k, NONE] as const);
    const dealt = ok(await expand(rows, { environments: true, resample: true, seed: 4 }));
    expect(dealt.header["privileged"]).toBeUndefined();
    expect(tensor(dealt, "exact").length).toBe(20);
    for (const name of OBSERVED) {
      const all = tensor(dealt, name);
      const width = all.length / 20;
      for (let k = 0; k < 20; k++) expect(all.slice(k * width, (k + 1) * width), name).toEqual(tensor(first, name));
    }
    // and what the actor doesn't know differs
    const known = await make({ game: "toy-ambush", privileged: true, size: 20 });
    ok(await known.expand(rows, { environments: true, resample: true, seed: 4 }));
    const which = rows.map(([, to]) => to);
    ok(await known.about("clone", { from: which, to: which, nodes: true }));
    const { positions } = ok(await known.about("position", { whole: true })).header;
    expect(new Set((positions as object[]).map((d) => JSON.stringify(d))).size).toBeGreaterThan(1);
  });

  it("are played out to the end or to a depth, and stay as they are", async () => {
    const { expand, about } = await make({ privileged: true });
    ok(await expand([[0, 3, NONE]], { environments: true }));
    const nodes = Array.from({ length: 40 }, () => 3);
    const out = ok(await about("playout", { nodes, seed: 5 }));
    expect(tensor(out, "terminated")).toEqual(nodes.map(() => 1));
    for (let k = 0; k < 40; k++)
      expect(
        tensor(out, "returns")
          .slice(2 * k, 2 * k + 2)
          .sort((x, y) => x - y),
      ).toEqual([-1, 1]);
    expect(new Set(tensor(out, "decisions")).size).toBeGreaterThan(1);
    expect(tensor(ok(await about("playout", { nodes, seed: 5 })), "returns")).toEqual(tensor(out, "returns"));
    const cut = ok(await about("playout", { nodes, seed: 5, depth: 1 }));
    expect(tensor(cut, "terminated")).toEqual(nodes.map(() => 0));
    expect(tensor(cut, "decisions")).toEqual(nodes.map(() => 1));
    const refused = async (policy: string): Promise<string | undefined> =>
      (await about("playout", { nodes, policy })).header.error?.code;
    expect(await refused("search:iterations=4")).toBe("bad-agent");
    expect(await refused("nobody")).toBe("bad-agent");
  });

  it("a game that is over has no action, and is played out at once", async () => {
    const { first, expand, about } = await make({ privileged: true });
    ok(await expand([[0, 0, NONE]], { environments: true }));
    let at = first;
    while (tensor(at, "terminated")[0] === 0) at = ok(await expand([[0, 0, lowest(at)[0]!]], { seed: 1 }));
    expect(tensor(at, "actors")).toEqual([-1]);
    expect((await expand([[0, 1, 2]])).header.error).toMatchObject({
      code: "not-reset",
      message: "row 0: node 0 is over",
    });
    expect((await expand([[0, 1, NONE]], { resample: true, seed: 1 })).header.error?.code).toBe("not-reset");
    expect(tensor(ok(await expand([[0, 1, NONE]])), "rewards")).toEqual(tensor(at, "rewards"));
    expect(tensor(ok(await about("playout", { nodes: [0] })), "returns")).toEqual(tensor(at, "rewards"));
  });

  it("come back into environments of a privileged batch", async () => {
    const { expand, about, first } = await make({ privileged: true });
    ok(await expand([[0, 0, NONE]], { environments: true }));
    const after = ok(await expand([[0, 1, lowest(first)[0]!]], { seed: 3 }));
    expect(seen(ok(await about("clone", { from: [1], to: [0], nodes: true })))).toEqual(seen(after));
    const saved = async (): Promise<number[]> => tensor(ok(await about("save")), "states");
    const own = await saved();
    expect(await saved()).toEqual(own);
    ok(await about("clone", { from: [0], to: [0], seed: 9 }));
    const fresh = await saved();
    expect(fresh.slice(0, 10)).not.toEqual(own.slice(0, 10)); // seal and dice
    expect(fresh.slice(14)).toEqual(own.slice(14));
  });

  it("bring the tensors that were asked for, as bytes too", async () => {
    const { expand } = await make({ privileged: true, dtype: "uint8" });
    const all = ok(await expand([[0, 0, NONE]], { environments: true }));
    expect(all.header.tensors?.map(([name, dtype]) => [name, dtype])).toEqual([
      ...["globals", "map", "units", "decision"].map((name) => [name, "uint8"]),
      ["mask", "uint8"],
      ["actors", "int32"],
      ["rewards", "float32"],
      ["terminated", "uint8"],
    ]);
    const lean = ok(await expand([[0, NONE, NONE]], { tensors: ["actors", "mask"] }));
    expect(lean.header.tensors?.map(([name]) => name)).toEqual(["mask", "actors"]);
    expect((await expand([[0, 0, NONE]], { tensors: ["value"] })).header.error?.code).toBe("unsupported");
    expect((await expand([[0, 0, NONE]], { tensors: ["moon"] })).header.error?.code).toBe("bad-message");
    expect((await expand([])).header.error?.code).toBe("bad-action");
  });

  it("of a batch that is not reset, or made without any, there are none", async () => {
    const handler = handlerWith(workers);
    const { batch } = ok(
      await ask(handler, { op: "make", game: "toy-race", size: 1, nodes: 4, privileged: true }),
    ).header;
    const row = Int32Array.of(0, 0, NONE);
    expect((await ask(handler, { op: "expand", batch, environments: true }, row)).header.error?.code).toBe("not-reset");
    const { batch: plain } = ok(await ask(handler, { op: "make", game: "toy-race", size: 1 })).header;
    ok(await ask(handler, { op: "reset", batch: plain, seed: 1 }));
    for (const [request, data] of [[{ op: "expand" }, row], [{ op: "playout", nodes: [0] }]] as const)
      expect((await ask(handler, { ...request, batch: plain }, data)).header.error?.code).toBe("unsupported");
  });
});

it("a batch with nodes counts them among its bytes", async () => {
  const handler = handlerWith(0);
  const bytes = async (nodes: object): Promise<number> => {
    const { batch } = ok(await ask(handler, { op: "make", game: "toy-race", size: 3, ...nodes })).header;
    const { batchBytes } = (await ask(handler, { op: "stats" })).header["stats"] as { batchBytes: number };
    await ask(handler, { op: "close", batch });
    return batchBytes;
  };
  const node = 4 * TOY_LIBRARY.load("toy-race", {}, {}).stateSize + 2 + 2;
  expect((await bytes({ nodes: 1000 })) - (await bytes({}))).toBe(1000 * node);
  const { error } = (await ask(handler, { op: "make", game: "toy-ambush", size: 1, nodes: 16_777_216 })).header;
  expect(error).toMatchObject({ code: "limit" });
});

describe.each([0, 1])("a net that judges nodes (%i worker threads)", (workers) => {
  it("gives chances of legal actions and an expected return, as it would in play", async () => {
    const handler = handlerWith(workers, {});
    const game = { game: "pocket-stalingrad", privileged: true, net: "commander" };
    const { first, expand, about } = await batchOf(handler, game);
    ok(await expand([[0, 0, NONE]], { environments: true }));
    let at = first;
    for (let k = 0; k < 12; k++) {
      at = ok(await expand([[0, 0, lowest(at)[0]!]], { seed: k }));
      const [policy, mask] = [tensor(at, "policy"), tensor(at, "mask")];
      expect(policy.reduce((sum, p) => sum + p, 0)).toBeCloseTo(1, 5);
      for (const [a, p] of policy.entries()) expect(p > 0).toBe(mask[a] === 1);
      expect(Math.abs(tensor(at, "value")[0]!)).toBeLessThanOrEqual(1.5);
    }
    const cut = ok(await about("playout", { nodes: [0, 0], depth: 3, seed: 1 }));
    const [mine, theirs] = tensor(cut, "returns");
    expect(mine).toBe(-theirs!);
    expect(mine).not.toBe(0);
    ok(await about("playout", { nodes: [0], policy: "commander", depth: 20, seed: 1 }));
    ok(await about("playout", { nodes: [0], policy: "heuristic:greedy", seed: 1 }));
    // its first choice is what it would play
    const chosen = tensor(
      ok(await about("playout", { nodes: [0], policy: "commander", depth: 1, seed: 1 })),
      "actions",
    )[0]!;
    const policy = tensor(ok(await expand([[0, NONE, NONE]])), "policy");
    expect(policy[chosen]).toBe(Math.max(...policy));
  });

  it("is an agent with a model", async () => {
    const handler = handlerWith(workers, {});
    const { error } = (
      await ask(handler, { op: "make", game: "pocket-stalingrad", size: 1, nodes: 2, net: "heuristic:greedy" })
    ).header;
    expect(error).toMatchObject({
      code: "bad-agent",
      message: expect.stringMatching(/net is an agent with a model/) as string,
    });
    expect(handler.stats()).toMatchObject({ batches: 0, batchBytes: 0 });
  });
});
