import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { unpack } from "msgpackr";
import { afterEach, describe, expect, it } from "vitest";
import { Rng } from "../../env/index.js";
import { Handler } from "../../server/handler.js";
import { pack } from "../../server/wire/msgpack.js";
import { Server } from "../../server/zmq.js";
import { ask, bytes, lowest, Peer, send, tensor } from "./ask.js";
import { TOY_LIBRARY } from "./toys.js";
import { nightly } from "../nightly.js";

/** Messages that are sent. */
const FEW = 3_000;
const MANY = Number(process.env["KESSEL_FUZZ"] ?? 20_000);

/** One random change to one frame: bits, cuts, doubled or foreign bytes; or a frame more or less. */
function mutate(frames: readonly Uint8Array[], rng: Rng): Uint8Array[] {
  const out = frames.map((f) => Uint8Array.from(f));
  const k = rng.below(out.length);
  const f = out[k]!;
  const at = rng.below(f.length + 1);
  switch (rng.below(7)) {
    case 0:
      if (f.length > 0) f[rng.below(f.length)]! ^= 1 << rng.below(8);
      break;
    case 1:
      out[k] = f.slice(0, at);
      break;
    case 2:
      out[k] = Uint8Array.from([
        ...f.slice(0, at),
        ...Array.from({ length: 1 + rng.below(9) }, () => rng.below(256)),
        ...f.slice(at),
      ]);
      break;
    case 3:
      out[k] = Uint8Array.from([...f, ...f.slice(at)]);
      break;
    case 4:
      out.push(Uint8Array.from({ length: rng.below(20) }, () => rng.below(256)));
      break;
    case 5:
      for (let i = at; i < Math.min(at + 4, f.length); i++) f[i] = rng.below(256);
      break;
    default:
      out.splice(k, 1);
  }
  return out;
}

const ODD = [
  0,
  1,
  2,
  3,
  -1,
  7.5,
  2 ** 31,
  2 ** 53,
  NaN,
  Infinity,
  "",
  "a",
  "north",
  "x".repeat(300),
  "spectator",
  null,
  true,
  false,
  [],
  [0],
  [2, 1],
  [0, 0],
  {},
  { north: "random" },
];

/** One key of a header given another value, taken away or made up. */
function twist(frames: readonly Uint8Array[], rng: Rng): Uint8Array[] {
  const header = unpack(frames[0]!) as Record<string, unknown>;
  const keys = Object.keys(header).filter((k) => k !== "op" && k !== "id");
  const key = keys.length > 0 ? keys[rng.below(keys.length)]! : "extra";
  if (rng.below(4) === 0) delete header[key];
  else header[key] = ODD[rng.below(ODD.length)];
  return [pack(header), ...frames.slice(1)];
}

describe("fuzzed messages", () => {
  const fuzz = async (count: number): Promise<void> => {
    const codes = new Map<string, number>();
    const handler = new Handler({ ...TOY_LIBRARY, limits: { environments: 2000 } });
    const batch = (await ask(handler, { op: "make", game: "toy-race", size: 3, privileged: true })).header["batch"];
    let last = await ask(handler, { op: "reset", batch, seed: 1 });
    const states = Int32Array.from(tensor(await ask(handler, { op: "save", batch }), "states"));
    const victim = (await ask(handler, { op: "make", game: "toy-race", size: 3, privileged: true, record: true }))
      .header["batch"];
    await ask(handler, { op: "reset", batch: victim, seed: 1 });
    const seedlings: Uint8Array[][] = [
      [pack({ op: "hello", id: 1, protocol: 1 })],
      [pack({ op: "describe", id: 2, game: "toy-ambush", options: {} })],
      [
        pack({
          op: "make",
          id: 3,
          game: "toy-ambush",
          size: 2,
          seats: { red: "random", blue: "external" },
          dtype: "uint8",
          lease: 5,
        }),
      ],
      [
        pack({
          op: "make",
          id: 3,
          game: "toy-race",
          size: 2,
          seats: { north: [{ agent: "random", weight: 2 }] },
          options: { target: 10 },
        }),
      ],
      [pack({ op: "reset", id: 4, batch: victim, seeds: ["a", 2, "c"], free: [0, 1] })],
      [pack({ op: "reset", id: 4, batch: victim, seed: 5, which: [1, 2] })],
      [pack({ op: "step", id: 5, batch: victim, free: [0] }), bytes(Int32Array.of(2, 2, 2))],
      [pack({ op: "load", id: 6, batch: victim }), bytes(states)],
      [pack({ op: "clone", id: 7, batch: victim, from: [0, 1], to: [2, 0] })],
      [pack({ op: "position", id: 8, batch: victim, which: [0], whole: true })],
      [pack({ op: "outcomes", id: 9, batch: victim, env: 0, action: 1, samples: 3, seed: "x" })],
      [pack({ op: "replay", id: 10, batch: victim, env: 1, last: true, seat: "north" })],
      [pack({ op: "resample", id: 11, batch: victim, seed: 1 })],
      [pack({ op: "ping", id: 12, batches: [victim] })],
    ];
    const rng = new Rng("fuzz");
    for (let i = 0; i < count; i++) {
      let frames: Uint8Array[] = seedlings[rng.below(seedlings.length)]!;
      if (rng.below(2) === 0) frames = twist(frames, rng);
      else
        do frames = mutate(frames, rng);
        while (rng.below(2) === 0 && frames.length > 0);
      const { header } = await send(handler, frames, `client ${rng.below(50)}`);
      const code = header.error?.code ?? "ok";
      codes.set(code, (codes.get(code) ?? 0) + 1);
      if (header.error === undefined && typeof header["batch"] === "string")
        await ask(handler, { op: "close", batch: header["batch"] });
      if (i % 50 === 0) {
        last = await ask(handler, { op: "step", batch }, lowest(last));
        expect(last.header.error, `after ${i}`).toBeUndefined();
      }
    }
    expect(codes.get("internal")).toBeUndefined();
    expect(codes.get("bad-message")).toBeGreaterThan(count / 5);
    expect(codes.get("ok")).toBeGreaterThan(count / 50);
    const stats = (await ask(handler, { op: "stats" })).header["stats"];
    expect(stats).toMatchObject({ batches: 2, environments: 6 });
  };

  it(`are answered one by one (${FEW} of them), and well-formed ones between them as before`, () => fuzz(FEW));
  it(`are answered one by one, ${MANY} of them too`, nightly, () => fuzz(MANY));
});

describe("many clients", () => {
  let server: Server | null = null;
  afterEach(() => server?.close());

  it("200 of them with 8 environments each, all at once", async () => {
    server = await Server.start({ ...TOY_LIBRARY, bind: "tcp://127.0.0.1:*" });
    const { address, handler } = server;
    await Promise.all(
      Array.from({ length: 200 }, async (_, k) => {
        const p = new Peer(address);
        const { header } = await p.ask({ op: "make", game: "toy-race", size: 8 });
        let answer = await p.ask({ op: "reset", batch: header["batch"], seed: k });
        for (let i = 0; i < 20; i++) answer = await p.ask({ op: "step", batch: header["batch"] }, lowest(answer));
        expect(answer.header.error).toBeUndefined();
        await p.ask({ op: "close", batch: header["batch"] });
        p.close();
      }),
    );
    expect(handler.stats()).toMatchObject({ batches: 0, environments: 0, batchBytes: 0, errors: 0 });
  });

  it("that come and go leave nothing behind", async () => {
    server = await Server.start({ ...TOY_LIBRARY, bind: "tcp://127.0.0.1:*", graceSeconds: 0 });
    for (let k = 0; k < 60; k++) {
      const p = new Peer(server.address);
      const { header } = await p.ask({ op: "make", game: "toy-race", size: 8, lease: 1 });
      await p.ask({ op: "reset", batch: header["batch"], seed: k });
      for (let i = 0; i < 5; i++) await p.put({ op: "render", batch: header["batch"], env: 0 });
      p.close(); // in the middle of its requests
    }
    await expect
      .poll(() => server!.handler.stats(), { interval: 200 })
      .toMatchObject({ batches: 0, environments: 0, batchBytes: 0 });
    expect(Reflect.get(server, "connections")).toHaveProperty("size", 0);
  });
});

describe("a client that is killed in the middle of a step", () => {
  let server: Server | null = null;
  afterEach(() => server?.close());

  it("disturbs no other client, and its batch is closed", async () => {
    server = await Server.start({ ...TOY_LIBRARY, bind: "tcp://127.0.0.1:*" });
    const script = fileURLToPath(new URL("./stepper.ts", import.meta.url));
    const child: ChildProcess = spawn(process.execPath, ["env/run.mjs", script, server.address], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    await new Promise<void>((resolve) => createInterface({ input: child.stdout! }).once("line", () => resolve()));
    expect(server.handler.stats()).toMatchObject({ batches: 1 });
    child.kill("SIGKILL");
    const p = new Peer(server.address);
    const { header } = await p.ask({ op: "make", game: "toy-race", size: 4 });
    let answer = await p.ask({ op: "reset", batch: header["batch"], seed: 1 });
    for (let i = 0; i < 100; i++) answer = await p.ask({ op: "step", batch: header["batch"] }, lowest(answer));
    expect(answer.header.error).toBeUndefined();
    p.close();
    await expect.poll(() => server!.handler.stats(), { interval: 200 }).toMatchObject({ batches: 1 });
  });
});
