import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { Rng } from "../../../env/index.js";
import { pack, readId, readStep, unpack } from "../../../server/wire/msgpack.js";
import { OPS, parseRequest } from "../../../server/wire/protocol.js";
import { DEFAULT_PORT, PROTOCOL } from "../../../server/wire/version.js";

const page = readFileSync(new URL("../../../server/PROTOCOL.md", import.meta.url), "utf8");
const codesOf = (text: string): Set<string> =>
  new Set(
    [...text.matchAll(/^\| ((?:`[a-z-]+`(?:, )?)+) \|/gm)].flatMap((m) => m[1]!.split(", ")).map((c) => c.slice(1, -1)),
  );

describe("PROTOCOL.md", () => {
  it("has every operation, and no other", () => {
    const table = page.slice(page.indexOf("## Operations"), page.indexOf("### make"));
    const named = [...table.matchAll(/^\| `([a-z]+)` \|/gm)].map((m) => m[1]);
    expect(named.sort()).toEqual([...OPS].sort());
  });

  it("has every error code that the server's code gives", () => {
    const table = codesOf(page.slice(page.indexOf("## Errors")));
    const files = [
      "handler",
      "zmq",
      "wire/msgpack",
      "wire/protocol",
      "wire/saved-states",
      "slice/questions",
      "slice/reset",
      "slice/seats",
      "slice/slice",
      "batch/served-batch",
      "batch/threaded-batch",
      "threads/slice-worker",
      "threads/worker-pool",
    ].map((f) => readFileSync(new URL(`../../../server/${f}.ts`, import.meta.url), "utf8"));
    const given = new Set(
      files.flatMap((text) =>
        [
          ...text.matchAll(
            /(?:KesselError|refuse|parseWith)\([^)]*?"(bad-[a-z]+|[a-z]+-[a-z]+|limit|busy|closed|internal|unsupported)"/g,
          ),
        ].map((m) => m[1]!),
      ),
    );
    expect(given.size).toBeGreaterThan(8);
    for (const code of given) expect(table, code).toContain(code);
  });

  it("has the version and the port of the code", () => {
    expect(page).toContain(`# The Kessel protocol, version ${PROTOCOL}\n`);
    expect(page).toContain(`tcp://127.0.0.1:${DEFAULT_PORT}`);
  });
});

describe("the short way to read a step", () => {
  const token = "0123456789abcdef0123456789abcdef";
  const whole = (b: Buffer): unknown => {
    const { op, ...rest } = parseRequest(unpack(b), true);
    return op === "step" ? rest : null;
  };

  it("reads what clients write", () => {
    for (const id of [0, 1, 127, 128, 255, 256, 65_535, 65_536, 2 ** 32 - 1, 2 ** 32, Number.MAX_SAFE_INTEGER])
      for (const free of [undefined, [], [0], [3, 1, 127]]) {
        const header = { op: "step", id, batch: token, ...(free && { free }) };
        expect(readStep(pack(header))).toEqual({ free: undefined, ...(whole(pack(header)) as object) });
      }
    expect(readStep(pack({ free: [2], batch: token, id: 9, op: "step" }))).toEqual({ id: 9, batch: token, free: [2] });
  });

  it("leaves to the long way what is another message, or none", () => {
    for (const other of [
      { op: "reset", id: 1, batch: token },
      { op: "step", id: 1 },
      { op: "step", id: 1, batch: "short" },
      { op: "step", id: -1, batch: token },
      { op: "step", id: 1.5, batch: token },
      { op: "step", id: 1, batch: token, seed: 1 },
      { op: "step", id: 1, batch: token, free: [200] },
    ])
      expect(readStep(pack(other)), JSON.stringify(other)).toBeNull();
    expect(readStep(Buffer.concat([pack({ op: "step", id: 1, batch: token }), Buffer.alloc(1)]))).toBeNull();
    expect(readStep(Buffer.alloc(0))).toBeNull();
  });

  it("agrees with the long way about any bytes that it takes", () => {
    const rng = new Rng("steps");
    let taken = 0;
    for (let i = 0; i < 100_000; i++) {
      const b = Buffer.from(
        pack({ op: "step", id: rng.below(70_000), batch: token, ...(rng.below(2) && { free: [rng.below(8)] }) }),
      );
      for (let n = rng.below(3); n > 0; n--) b[rng.below(b.length)] = rng.below(128);
      const read = readStep(b);
      if (read === null) continue;
      taken++;
      expect(whole(b)).toEqual(read.free === undefined ? { id: read.id, batch: read.batch } : read);
    }
    expect(taken).toBeGreaterThan(30_000);
  });
});

it("the id of a long header is read without the rest, where clients write it", () => {
  const batches = Array.from({ length: 1000 }, () => "x".repeat(100));
  for (const id of [0, 1, 127, 128, 255, 256, 65_535, 65_536, 2 ** 32 - 1, 2 ** 32, Number.MAX_SAFE_INTEGER])
    expect(readId(pack({ op: "ping", id, batches }))).toBe(id);
  for (const other of [
    { id: 1, op: "ping" },
    { op: "ping", batches },
    { op: "x".repeat(40), id: 1 },
    { op: "ping", id: -1 },
    { op: "ping", id: "1" },
  ])
    expect(readId(pack(other))).toBeNull();
  const whole = pack({ op: "ping", id: 65_536 });
  for (let n = 0; n < whole.length; n++) expect(readId(whole.subarray(0, n))).toBeNull();
});

describe("what typed languages read and write", () => {
  it("whole numbers are integers at every size", () => {
    const FLOAT = [0xca, 0xcb];
    for (const n of [0, -1, 127, 255, 65_535, 2 ** 31, 2 ** 32 - 1, 2 ** 32, -(2 ** 31) - 1, Number.MAX_SAFE_INTEGER])
      expect(FLOAT, String(n)).not.toContain(pack(n)[0]);
    const header = { id: 2 ** 53 - 1, limits: { bytes: 2 ** 32, rates: [2 ** 40, 0.5] }, none: null };
    expect(pack(header).filter((byte) => byte === 0xcb)).toHaveLength(1);
    expect(unpack(pack(header))).toEqual(header);
  });

  it("a number beyond 2^53 is no id", () => {
    const large = Buffer.from([0x82, ...pack("op"), ...pack("ping"), ...pack("id"), 0xcf, ...Buffer.alloc(8, 0xff)]);
    expect(readId(large)).toBeNull();
    expect(() => parseRequest(unpack(large), false)).toThrow("id");
  });

  it("keys may be strings of any width", () => {
    const widths = [[0xa2], [0xd9, 2], [0xda, 0, 2], [0xdb, 0, 0, 0, 2]];
    for (const width of widths)
      expect(unpack(Buffer.from([0x81, ...width, ...Buffer.from("id"), 7]))).toEqual({ id: 7 });
  });

  it("a key that may be left out may be nil, one that is needed may not", () => {
    const made = { op: "make", id: 1, game: "pocket-stalingrad", size: 2 };
    expect(parseRequest({ ...made, options: null, seats: null, lease: null }, false)).toEqual(made);
    expect(() => parseRequest({ ...made, size: null }, false)).toThrow("size");
  });
});
