import { createHash } from "node:crypto";
import { closeSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, writeSync } from "node:fs";
import { z } from "zod";
import { type JsonObject, KesselError, parseWith } from "../../env/index.js";

const MAGIC = "KESSEL CHECKPOINT 1\n";
const DIGEST = 32;
/** The largest file that Node reads at once. */
const MOST_BYTES = 2 ** 31 - 1;

export type Numbers = Float32Array | Int32Array;

/** State to resume a run from: JSON facts, and arrays by name. */
export interface Checkpoint {
  readonly facts: JsonObject;
  readonly arrays: Readonly<Record<string, Numbers>>;
}

/**
 * Writes a file atomically: after a crash it holds either the old contents or the new. Not by write-file-atomic: that
 * passes over a short write, so a disk that fills up puts a truncated file in the place of the old one.
 *
 * @throws KesselError `bad-config` when it cannot be written; the old file is then untouched
 */
export function writeAtomic(file: string, bytes: Uint8Array | string): void {
  const temporary = `${file}.${process.pid}.tmp`;
  try {
    const fd = openSync(temporary, "w");
    try {
      const data = typeof bytes === "string" ? Buffer.from(bytes) : bytes;
      for (let at = 0; at < data.length;) at += writeSync(fd, data, at);
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
    renameSync(temporary, file);
  } catch (e) {
    rmSync(temporary, { force: true });
    throw new KesselError(
      "bad-config",
      `cannot save ${file}: ${(e as Error).message}; what was saved before is intact`,
    );
  }
}

/**
 * A checkpoint as bytes: a magic line, the length of a JSON header, the header, the arrays, a SHA-256 of all that.
 *
 * @throws KesselError `bad-config` for more than Node can read back
 */
export function packCheckpoint({ facts, arrays }: Checkpoint): Uint8Array {
  const size = Object.values(arrays).reduce((sum, a) => sum + a.byteLength, 0);
  if (size > MOST_BYTES)
    throw new KesselError(
      "bad-config",
      `the checkpoint takes ${(size / 2 ** 30).toFixed(1)} GiB, and at most 2 GiB can be read back: record fewer games`,
    );
  const head = Buffer.from(
    JSON.stringify({
      facts,
      arrays: Object.entries(arrays).map(([name, a]) => [
        name,
        a instanceof Int32Array ? "int32" : "float32",
        a.length,
      ]),
    }),
  );
  const length = Buffer.alloc(4);
  length.writeUInt32LE(head.length);
  const body = [
    Buffer.from(MAGIC),
    length,
    head,
    ...Object.values(arrays).map((a) => Buffer.from(a.buffer, a.byteOffset, a.byteLength)),
  ];
  const digest = createHash("sha256");
  for (const part of body) digest.update(part);
  return Buffer.concat([...body, digest.digest()]);
}

/** @throws KesselError `bad-config` for a file that is not a checkpoint, or is truncated or damaged */
export function unpackCheckpoint(bytes: Uint8Array, name: string): Checkpoint {
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (!all.subarray(0, MAGIC.length).equals(Buffer.from(MAGIC)))
    throw new KesselError("bad-config", `${name} is not a checkpoint`);
  const body = all.subarray(0, Math.max(0, all.length - DIGEST));
  if (!createHash("sha256").update(body).digest().equals(all.subarray(body.length)))
    throw new KesselError("bad-config", `${name} is truncated or damaged`);
  const at = MAGIC.length;
  const torn = new KesselError("bad-config", `${name} is truncated or damaged`);
  if (body.length < at + 4) throw torn;
  const start = at + 4 + body.readUInt32LE(at);
  const head = headOf(body.toString("utf8", at + 4, start), name);
  const arrays: Record<string, Numbers> = {};
  let from = start;
  if (head.arrays.reduce((sum, [, , length]) => sum + 4 * length, start) !== body.length) throw torn;
  for (const [key, type, length] of head.arrays) {
    const { buffer } = new Uint8Array(body.subarray(from, from + 4 * length)); // a copy, and so aligned
    arrays[key] = type === "int32" ? new Int32Array(buffer) : new Float32Array(buffer);
    from += 4 * length;
  }
  return { facts: head.facts, arrays };
}

const headSchema = z.strictObject({
  facts: z.record(z.string(), z.json()),
  arrays: z.array(z.tuple([z.string(), z.enum(["int32", "float32"]), z.int().min(0)])),
});

function headOf(text: string, name: string): z.infer<typeof headSchema> & { facts: JsonObject } {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new KesselError("bad-config", `${name} is truncated or damaged`);
  }
  return parseWith(headSchema, value, "bad-config", name) as z.infer<typeof headSchema> & { facts: JsonObject };
}

export const saveCheckpoint = (file: string, checkpoint: Checkpoint): void =>
  writeAtomic(file, packCheckpoint(checkpoint));

/** @throws KesselError `bad-config` for a missing, truncated or damaged file, or one that is not a checkpoint */
export function loadCheckpoint(file: string): Checkpoint {
  let bytes: Uint8Array;
  try {
    bytes = readFileSync(file);
  } catch {
    throw new KesselError("bad-config", `there is no checkpoint ${file}`);
  }
  return unpackCheckpoint(bytes, file);
}
