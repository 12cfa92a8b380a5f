import { z } from "zod";
import { AUTORESETS, KesselError, oneOf, parseWith, shown } from "../../env/index.js";
import { EXPANSION_TENSORS } from "./expansion-tensors.js";

/** How tensors of a reply's data frame are written; always little-endian. */
export type Dtype = "float32" | "float64" | "int32" | "uint8";

/** One tensor in the data frame of a reply: name, dtype, shape, offset in bytes (a multiple of 64). */
export type TensorEntry = readonly [name: string, dtype: Dtype, shape: readonly number[], offset: number];

/** Most nodes of a batch, and most of them that one request plays out. */
const MOST_NODES = 16_777_216;
const MOST_PLAYOUTS = 4096;

const seed = z.union([z.string(), z.number()]);
const which = z.array(z.int().min(0)).min(1);
const env = z.int().min(0);
/** A side of the game, or `spectator`. */
const seat = z.string().max(64);
const options = z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]));
const data = z.record(z.string(), z.json());
const document = z.record(z.string(), z.json());
const agent = z.string().min(1).max(200);
const pool = z
  .array(z.strictObject({ agent, weight: z.number().positive().max(1e9) }))
  .min(1)
  .max(64);

/** Keys that every request may carry. */
const common = {
  op: z.string(),
  /** Echoed in the reply. */
  id: z.int().min(0),
};
const ofBatch = {
  ...common,
  batch: z.string().max(64),
  /** Slots of data frames that the client has received in whole: the server may write over their memory. */
  free: z.array(z.int().min(0)).max(64).optional(),
};

/** One schema per operation: what its header may hold, and nothing else. */
const SCHEMAS = {
  hello: z.strictObject({ ...common, protocol: z.int().optional() }),
  list: z.strictObject(common),
  describe: z.strictObject({ ...common, game: z.string(), options: options.optional(), data: data.optional() }),
  make: z.strictObject({
    ...common,
    game: z.string(),
    size: z.int().min(1),
    options: options.optional(),
    data: data.optional(),
    seats: z.record(z.string(), z.union([agent, pool])).optional(),
    autoreset: z.enum(AUTORESETS).optional(),
    ready: z.int().min(1).optional(),
    skipForced: z.boolean().optional(),
    maxDecisions: z.int().min(1).optional(),
    privileged: z.boolean().optional(),
    potentials: z.boolean().optional(),
    dtype: z.enum(["float32", "uint8"]).optional(),
    record: z.boolean().optional(),
    lease: z.number().min(1).optional(),
    shared: z.boolean().optional(),
    nodes: z.int().min(1).max(MOST_NODES).optional(),
    net: agent.optional(),
  }),
  reset: z.strictObject({
    ...ofBatch,
    seed: seed.optional(),
    seeds: z.array(seed).optional(),
    which: which.optional(),
    positions: z.array(document).optional(),
  }),
  step: z.strictObject(ofBatch),
  save: z.strictObject({ ...ofBatch, which: which.optional() }),
  load: z.strictObject({ ...ofBatch, which: which.optional() }),
  clone: z.strictObject({ ...ofBatch, from: which, to: which, nodes: z.boolean().optional(), seed: seed.optional() }),
  expand: z.strictObject({
    ...ofBatch,
    environments: z.boolean().optional(),
    resample: z.boolean().optional(),
    seed: seed.optional(),
    tensors: z.array(z.enum(EXPANSION_TENSORS)).min(1).max(EXPANSION_TENSORS.length).optional(),
  }),
  playout: z.strictObject({
    ...ofBatch,
    nodes: z.array(z.int().min(0)).min(1).max(MOST_PLAYOUTS),
    policy: agent.optional(),
    depth: z.int().min(1).optional(),
    seed: seed.optional(),
  }),
  resample: z.strictObject({ ...ofBatch, which: which.optional(), seed }),
  legal: z.strictObject({ ...ofBatch, which: which.optional() }),
  orders: z.strictObject({
    ...ofBatch,
    env,
    unit: z.string().max(100).optional(),
    order: z.string().max(2000).optional(),
  }),
  position: z.strictObject({
    ...ofBatch,
    which: which.optional(),
    seat: seat.optional(),
    whole: z.boolean().optional(),
  }),
  observe: z.strictObject({ ...ofBatch, seat, which: which.optional() }),
  render: z.strictObject({
    ...ofBatch,
    env,
    seat: seat.optional(),
    format: z.enum(["text", "svg", "rgb"]).optional(),
    width: z.int().min(320).max(1920).optional(),
  }),
  replay: z.strictObject({ ...ofBatch, env, last: z.boolean().optional(), seat: seat.optional() }),
  outcomes: z.strictObject({
    ...ofBatch,
    env,
    action: z.int().min(0),
    samples: z.int().min(1).max(100_000).optional(),
    seed: seed.optional(),
  }),
  close: z.strictObject(ofBatch),
  ping: z.strictObject({ ...common, batches: z.array(z.string().max(64)).max(1024).optional() }),
  stats: z.strictObject(common),
} as const;

export type Op = keyof typeof SCHEMAS;
export type RequestOf<O extends Op> = z.infer<(typeof SCHEMAS)[O]> & { op: O };
export type Request = { [O in Op]: RequestOf<O> }[Op];

export const OPS = Object.keys(SCHEMAS) as readonly Op[];

/** Operations that come with a data frame: int32, little-endian. */
export const WITH_DATA: readonly Op[] = ["step", "load", "expand"];

/** The request id of a header that may be broken elsewhere; null when there is none to echo. */
export function idOf(header: Readonly<Record<string, unknown>>): number | null {
  const { id } = header;
  return typeof id === "number" && Number.isSafeInteger(id) && id >= 0 ? id : null;
}

/**
 * Checks a header against the schema of its operation.
 *
 * @param hasData a data frame came with it
 * @throws KesselError `bad-message` naming the key and what is accepted
 */
export function parseRequest(header: Readonly<Record<string, unknown>>, hasData: boolean): Request {
  const { op } = header;
  if (typeof op !== "string" || !Object.hasOwn(SCHEMAS, op))
    throw new KesselError("bad-message", `op is ${oneOf(OPS, 99)}, not ${shown(op)}`);
  const request = parseWith(SCHEMAS[op as Op], withoutNil(header), "bad-message", op) as Request;
  const wants = WITH_DATA.includes(op as Op);
  if (hasData !== wants)
    throw new KesselError(
      "bad-message",
      wants ? `${op} needs a data frame of int32 after its header` : `${op} has no data frame`,
    );
  return request;
}

/** A key that may be left out may also be nil, as typed languages write it; one that is needed is then missing. */
function withoutNil(header: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.values(header).includes(null)
    ? Object.fromEntries(Object.entries(header).filter(([, value]) => value !== null))
    : header;
}

/** What goes back: a packed header, and the tensors it describes. */
export interface Reply {
  readonly header: Buffer;
  readonly data?: Uint8Array;
  /** The memory of `data` is used again by its batch. */
  readonly kept?: true;
}

/** An error reply's header. */
export const errorHeader = (id: number | null, code: string, message: string): Record<string, unknown> => ({
  id,
  error: { code, message },
});
