import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { pack as packAny } from "msgpackr";
import { beforeEach, describe, expect, it } from "vitest";
import { Handler } from "../../server/handler.js";
import { pack } from "../../server/wire/msgpack.js";
import { type Answer, ask, lowest, send } from "./ask.js";
import { TOY_LIBRARY } from "./toys.js";

let handler: Handler;
let batch: string;
/** What the batch showed last. */
let last: Answer;
beforeEach(async () => {
  handler = new Handler({ ...TOY_LIBRARY, limits: { batchesPerClient: 3, environments: 100, batchBytes: 1_000_000 } });
  batch = (await ask(handler, { op: "make", game: "toy-race", size: 2 })).header["batch"] as string;
  last = await ask(handler, { op: "reset", batch, seed: 1 });
});

const THREE_DICE = Int32Array.of(2, 2);

/** The refusal has the code and says what came; afterwards the batch steps as if nothing had been. */
async function refused(
  answer: Promise<{ header: { error?: { code: string; message: string } } }>,
  code: string,
  says: RegExp,
): Promise<void> {
  const { error } = (await answer).header;
  expect(error?.code).toBe(code);
  expect(error?.message).toMatch(says);
  expect(error?.message).not.toMatch(/\n/);
  last = await ask(handler, { op: "step", batch }, lowest(last));
  expect(last.header.error).toBeUndefined();
}

describe("messages that are none", () => {
  const cases: [string, Uint8Array[], string, RegExp][] = [
    ["empty", [new Uint8Array(0)], "bad-message", /empty/],
    ["no frame", [], "bad-message", /not 0 frames/],
    [
      "four frames",
      [pack({ op: "ping", id: 1 }), ...Array.from({ length: 3 }, () => new Uint8Array(1))],
      "bad-message",
      /not 4 frames/,
    ],
    ["cut", [pack({ op: "ping", id: 1, batches: ["aaaa"] }).subarray(0, 12)], "bad-message", /ends after 12 bytes/],
    ["with more behind", [Buffer.concat([pack({ op: "ping", id: 1 }), Buffer.of(1)])], "bad-message", /1 bytes follow/],
    ["JSON", [Buffer.from('{"op":"ping","id":1}')], "bad-message", /begins with byte 123/],
    ["an array", [pack([1, 2])], "bad-message", /begins with byte/],
    ["with a key that is no string", [Buffer.of(0x81, 1, 1)], "bad-message", /not a string/],
    ["with binary inside", [packAny({ op: "ping", id: 1, x: Buffer.from("abc") })], "bad-message", /byte 196 at/],
    [
      "with an extension type",
      [packAny({ op: "ping", id: 1, x: new Date(0) })],
      "bad-message",
      /no type a header may hold/,
    ],
    [
      "claiming a huge array",
      [Buffer.concat([Buffer.of(0x81, 0xa1, 0x78, 0xdd, 0xff, 0xff, 0xff, 0xff)])],
      "bad-message",
      /ends after 8 bytes/,
    ],
    [
      "nested without end",
      [Buffer.concat([Buffer.of(0x81, 0xa1, 0x78), Buffer.alloc(100_000, 0x91), Buffer.of(1)])],
      "limit",
      /64 deep/,
    ],
    [
      "with a giant key",
      [Buffer.concat([Buffer.of(0x81, 0xda, 0x10, 0x00), Buffer.alloc(4096, 97), Buffer.of(1)])],
      "limit",
      /key has at most 256/,
    ],
    [
      "with too many values",
      [Buffer.concat([Buffer.of(0x81, 0xa1, 0x78, 0xdd, 0x00, 0x20, 0x00, 0x00), Buffer.alloc(0x200000, 1)])],
      "limit",
      /at most 1000000 values/,
    ],
  ];
  it.each(cases)("%s", async (_, frames, code, says) => {
    await refused(send(handler, frames), code, says);
  });

  it("an id that can't be echoed comes back as null, another as it was", async () => {
    expect((await send(handler, [pack({ op: "ping", id: "seven" })])).header).toMatchObject({
      id: null,
      error: { code: "bad-message" },
    });
    expect((await send(handler, [pack({ op: "pong", id: 7 })])).header).toMatchObject({
      id: 7,
      error: { code: "bad-message" },
    });
  });

  it("keys of Object.prototype are keys like others", async () => {
    await refused(ask(handler, { op: "constructor" }), "bad-message", /op is hello, list/);
    await refused(
      send(handler, [
        Buffer.concat([Buffer.of(0x83), pack("op"), pack("ping"), pack("id"), pack(1), pack("__proto__"), pack(1)]),
      ]),
      "bad-message",
      /ping: /,
    );
  });
});

describe("requests that ask for what there isn't", () => {
  const cases: [string, Record<string, unknown>, string, RegExp][] = [
    ["unknown key", { op: "ping", speed: 9 }, "bad-message", /ping: .*speed/],
    ["wrong type", { op: "make", game: "toy-race", size: "many" }, "bad-message", /make: size/],
    ["size 0", { op: "make", game: "toy-race", size: 0 }, "bad-message", /make: size/],
    ["protocol of another time", { op: "hello", protocol: 99 }, "bad-version", /protocol 1, the client speaks 99/],
    ["unknown game", { op: "make", game: "chess", size: 1 }, "unknown-game", /no game "chess"; there are toy-race/],
    [
      "unknown option",
      { op: "make", game: "toy-race", size: 1, options: { fog: true } },
      "bad-option",
      /no option "fog"/,
    ],
    [
      "unknown option value",
      { op: "describe", game: "toy-race", options: { target: 21 } },
      "bad-option",
      /10, 20 or 30, not 21/,
    ],
    [
      "unknown seat",
      { op: "make", game: "toy-race", size: 1, seats: { west: "random" } },
      "bad-seat",
      /no seat "west"; seats are north or south/,
    ],
    [
      "no seat of one's own",
      { op: "make", game: "toy-race", size: 1, seats: { north: "random", south: "random" } },
      "bad-seat",
      /at least one seat/,
    ],
    [
      "unknown agent",
      { op: "make", game: "toy-race", size: 1, seats: { north: "genius" } },
      "bad-agent",
      /no agent "genius"/,
    ],
    [
      "a pool with the client in it",
      { op: "make", game: "toy-race", size: 1, seats: { north: [{ agent: "external", weight: 1 }] } },
      "bad-seat",
      /pool of north/,
    ],
    [
      "an empty pool",
      { op: "make", game: "toy-race", size: 1, seats: { north: [] } },
      "bad-message",
      /make: seats.north/,
    ],
    [
      "autoreset of another kind",
      { op: "make", game: "toy-race", size: 1, autoreset: "sometimes" },
      "bad-message",
      /make: autoreset/,
    ],
    ["too many environments", { op: "make", game: "toy-race", size: 99 }, "limit", /98 are left, 99 were asked for/],
    ["an unknown batch", { op: "reset", batch: "00", seed: 1 }, "unknown-batch", /no batch "00"/],
    ["an unknown batch to keep", { op: "ping", batches: ["00"] }, "unknown-batch", /no batch "00"/],
  ];
  it.each(cases)("%s", async (_, header, code, says) => {
    await refused(ask(handler, header), code, says);
  });

  it("more batches than a connection may hold", async () => {
    for (let i = 0; i < 2; i++) await ask(handler, { op: "make", game: "toy-race", size: 1 });
    await refused(ask(handler, { op: "make", game: "toy-race", size: 1 }), "limit", /may hold 3 batches/);
    expect(
      (await ask(handler, { op: "make", game: "toy-race", size: 1 }, undefined, "another")).header.error,
    ).toBeUndefined();
  });

  it("more memory than the server gives", async () => {
    handler = new Handler({ ...TOY_LIBRARY, limits: { batchBytes: 10_000 } });
    expect((await ask(handler, { op: "make", game: "toy-race", size: 1000 })).header.error).toMatchObject({
      code: "limit",
    });
    expect((await ask(handler, { op: "stats" })).header["stats"]).toMatchObject({
      batches: 0,
      environments: 0,
      batchBytes: 0,
    });
  });
});

describe("a batch asked for what it can't do", () => {
  const cases: [string, () => [Record<string, unknown>, ArrayBufferView?], string, RegExp][] = [
    [
      "illegal action",
      () => [{ op: "step" }, Int32Array.of(2, 9)],
      "illegal-action",
      /environment 1: toy-race: "leave" is not legal for north; 3 actions are/,
    ],
    [
      "action that is none",
      () => [{ op: "step" }, Int32Array.of(2, 10)],
      "bad-action",
      /environment 1: actions of toy-race are 0 to 9, not 10/,
    ],
    ["negative action", () => [{ op: "step" }, Int32Array.of(-1, 2)], "bad-action", /environment 0: .* not -1/],
    [
      "too few actions",
      () => [{ op: "step" }, Int32Array.of(2)],
      "bad-action",
      /2 environments need 8 bytes of actions \(int32\), 4 came/,
    ],
    ["int64 actions", () => [{ op: "step" }, BigInt64Array.of(2n, 2n)], "bad-action", /16 came/],
    ["actions of 7 bytes", () => [{ op: "step" }, new Uint8Array(7)], "bad-action", /7 came/],
    ["no actions", () => [{ op: "step" }], "bad-message", /step needs a data frame/],
    [
      "data where none belongs",
      () => [{ op: "reset", seed: 1 }, Int32Array.of(1)],
      "bad-message",
      /reset has no data frame/,
    ],
    ["seed and seeds", () => [{ op: "reset", seed: 1, seeds: [1, 2] }], "bad-seed", /not both/],
    ["too few seeds", () => [{ op: "reset", seeds: [1] }], "bad-seed", /expected 2 seeds .* got 1/],
    ["half a seed", () => [{ op: "reset", seed: 0.5 }], "bad-seed", /not 0.5/],
    ["an empty seed", () => [{ op: "reset", seed: "" }], "bad-seed", /1 to 200 characters/],
    ["an endless seed", () => [{ op: "reset", seed: "x".repeat(199) }], "bad-seed", /150 characters/],
    ["environment that isn't there", () => [{ op: "reset", seed: 1, which: [2] }], "bad-option", /0 to 1, not 2/],
    ["environment named twice", () => [{ op: "reset", seed: 1, which: [1, 1] }], "bad-option", /named twice/],
    ["save without privilege", () => [{ op: "save" }], "not-privileged", /privileged: true/],
    ["load without privilege", () => [{ op: "load" }, Int32Array.of(1)], "not-privileged", /load/],
    ["clone without privilege", () => [{ op: "clone", from: [0], to: [1] }], "not-privileged", /clone/],
    [
      "the whole position without privilege",
      () => [{ op: "position", whole: true }],
      "not-privileged",
      /whole position/,
    ],
    [
      "a position without privilege",
      () => [{ op: "reset", seed: 1, positions: [{}, {}] }],
      "not-privileged",
      /position/,
    ],
    ["render of nothing", () => [{ op: "render", env: 5 }], "bad-option", /0 to 1, not 5/],
    ["resample with a bad seed", () => [{ op: "resample", seed: "" }], "bad-seed", /1 to 200/],
  ];
  it.each(cases)("%s", async (_, request, code, says) => {
    const [header, data] = request();
    await refused(ask(handler, { batch, ...header }, data), code, says);
  });

  it("step before reset", async () => {
    const fresh = (await ask(handler, { op: "make", game: "toy-race", size: 2 })).header["batch"];
    await refused(ask(handler, { op: "step", batch: fresh }, THREE_DICE), "not-reset", /reset the batch first/);
    await refused(
      ask(handler, { op: "reset", batch: fresh, seed: 1, which: [0] }),
      "not-reset",
      /first reset must include every environment/,
    );
  });

  it("a closed batch", async () => {
    const gone = (await ask(handler, { op: "make", game: "toy-race", size: 2 })).header["batch"];
    expect((await ask(handler, { op: "close", batch: gone })).header.error).toBeUndefined();
    await refused(ask(handler, { op: "legal", batch: gone }), "unknown-batch", /was closed/);
    await refused(ask(handler, { op: "step", batch: gone }, THREE_DICE), "unknown-batch", /was closed/);
  });
});

describe("model files", () => {
  it("are read from the model folder only, and messages don't say where that is", async () => {
    const models = mkdtempSync(join(tmpdir(), "kessel-models-"));
    const outside = join(models, "..", `${basename(models)}-outside.onnx`);
    writeFileSync(outside, "secret");
    symlinkSync(outside, join(models, "link.onnx"));
    handler = new Handler({ ...TOY_LIBRARY, models });
    for (const name of [
      "../../etc/passwd",
      "/etc/passwd",
      `../${basename(outside)}`,
      "link.onnx",
      "none.onnx",
      ".",
      "",
      "\0",
    ]) {
      const { error } = (
        await ask(handler, { op: "make", game: "toy-race", size: 1, seats: { north: `onnx:${name}` } })
      ).header;
      expect(error?.code, name).toMatch(/^bad-(model|agent)$/);
      expect(error?.message, name).not.toContain(models);
      expect(error?.message, name).not.toMatch(/secret|root:/);
    }
    rmSync(outside);
    rmSync(models, { recursive: true });
  });
});

it.each([0, 1])(
  "an agent that plays one side only is refused in the seat of the other (%i threads)",
  async (workers) => {
    const own = new Handler({ workers });
    const make = (side: string) =>
      ask(own, { op: "make", game: "streets-of-stalingrad", size: 2, seats: { [side]: "heuristic:pusher" } });
    expect((await make("soviet")).header.error).toEqual({
      code: "bad-seat",
      message: "heuristic:pusher does not play soviet",
    });
    expect((await make("german")).header.error).toBeUndefined();
    await own.close();
  },
);
