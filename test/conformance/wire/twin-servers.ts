import { closeSync, openSync, readSync } from "node:fs";
import { unpack } from "msgpackr";
import type { Game, Rng, State } from "../../../env/index.js";
import { pack } from "../../../server/wire/msgpack.js";
import type { Reply, TensorEntry } from "../../../server/wire/protocol.js";
import type { World } from "./world.js";

/** What the comparison of replies adds to. */
interface Tally {
  replies: number;
  readonly operations: Map<string, number>;
  readonly differences: string[];
}

export interface Replies {
  /** That of the first world. */
  readonly reply: Reply;
  /** Notes a difference between the two, where they have to be the same. */
  readonly compare: () => void;
}

/** Of `stats`: what the clock, the process and other threads make. */
const VOLATILE = ["uptime", "processBytes", "cpuSeconds", "helperBlocks"];

/** Two servers that are asked the same; with worker threads, two more without any, which know the true states. */
export class TwinServers {
  private id = 0;

  /**
   * @param judges servers whose true states are known
   * @param compared the servers whose replies are compared; may be the same
   */
  constructor(
    private readonly game: Game,
    private readonly player: number,
    private readonly judges: readonly [World, World],
    private readonly compared: readonly [World, World],
    private readonly tally: Tally,
  ) {}

  async make(twins: readonly [State, State][], header: Record<string, unknown>): Promise<Reply> {
    const begun = new Map<World, object>();
    for (const pair of new Set([this.judges, this.compared]))
      pair.forEach((world, k) => begun.set(world, world.begin(twins.map((t) => t[k]!))));
    const { reply, compare } = await this.put(header, undefined, begun);
    compare();
    return reply;
  }

  /** Asks both worlds the same, and notes a difference. @returns the reply of the first */
  async ask(header: Record<string, unknown>, data?: Int32Array, client = "twin"): Promise<Reply> {
    const { reply, compare } = await this.put(header, data, new Map(), client);
    compare();
    return reply;
  }

  /** Asks both worlds; the caller decides whether the replies have to be the same. */
  async put(
    header: Record<string, unknown>,
    data?: Int32Array,
    own: ReadonlyMap<World, object> = new Map(),
    client = "twin",
  ): Promise<Replies> {
    const id = ++this.id;
    const replies = new Map<World, Reply>();
    for (const world of new Set([...this.judges, ...this.compared]))
      replies.set(world, await askOne(world, { ...header, id, ...own.get(world) }, data, client));
    if (header["op"] === "make")
      for (const [world, { header: head }] of replies) {
        const { batch, memory } = unpack(head) as { batch: string; memory?: World["memory"] };
        world.token = batch;
        world.memory = memory ?? null;
      }
    const compare = (): void => {
      const op = String(header["op"]);
      const [x, y] = this.compared.map((world) => textOf(replies.get(world)!, op, world)) as [string, string];
      this.tally.replies++;
      this.tally.operations.set(op, (this.tally.operations.get(op) ?? 0) + 1);
      if (x !== y) this.tally.differences.push(`${this.game.players[this.player]}: ${op}: ${differenceOf(x, y)}`);
    };
    return { reply: replies.get(this.compared[0])!, compare };
  }
}

async function askOne(
  { handler, token, memory }: World,
  header: Record<string, unknown>,
  data: Int32Array | undefined,
  client: string,
): Promise<Reply> {
  const frames = [pack({ ...header, ...("batch" in header && { batch: token }) })];
  if (data !== undefined) frames.push(Buffer.from(Int32Array.from(data).buffer));
  const reply = await handler.handle(client, frames);
  const { slot } = unpack(reply.header) as { slot?: number };
  const sent = reply.data && Uint8Array.from(reply.data);
  const read = sent ?? (memory !== null && slot !== undefined ? slotOf(memory, slot) : undefined);
  return { header: Buffer.from(reply.header), ...(read && { data: read }) };
}

/** A reply as text: all its bytes, but for the names of the batch and its memory, and what clock and process make. */
function textOf({ header, data }: Reply, op: string, { token, memory, before }: World): string {
  let head = Buffer.from(header).toString("latin1");
  for (const name of [token, memory?.path ?? ""]) if (name !== "") head = head.replaceAll(name, "NAME");
  if (op === "stats") {
    const told = unpack(header) as { stats: Record<string, number> };
    const counted = Object.entries(told.stats).filter(([k]) => !VOLATILE.includes(k));
    head = JSON.stringify({ ...told, stats: counted.map(([k, n]) => [k, n - (before[k] ?? 0)]) });
  }
  return `${head} | ${data === undefined ? "no data" : Buffer.from(data).toString("latin1")}`;
}

/** A whole slot of shared memory, including the part behind the frame. */
function slotOf({ path, slotBytes }: NonNullable<World["memory"]>, slot: number): Uint8Array {
  const bytes = new Uint8Array(slotBytes);
  const file = openSync(path, "r");
  try {
    readSync(file, bytes, 0, slotBytes, slot * slotBytes);
  } finally {
    closeSync(file);
  }
  return bytes;
}

/** The bytes of one tensor of a reply. */
export function cells({ data }: Reply, tensors: readonly TensorEntry[], name: string): Buffer {
  const [, dtype, shape, at] = tensors.find(([n]) => n === name)!;
  const bytes = shape.reduce((n, d) => n * d, dtype === "uint8" ? 1 : dtype === "float64" ? 8 : 4);
  return Buffer.from(data!.subarray(at, at + bytes));
}

export const ints = (reply: Reply, tensors: readonly TensorEntry[], name: string): Int32Array =>
  new Int32Array(Uint8Array.from(cells(reply, tensors, name)).buffer);

export function legalAction(
  reply: Reply,
  tensors: readonly TensorEntry[],
  row: number,
  rows: number,
  rng: Rng,
): number {
  const mask = cells(reply, tensors, "mask");
  const A = mask.length / rows;
  const legal = Array.from({ length: A }, (_, a) => a).filter((a) => mask[row * A + a] === 1);
  return legal[rng.below(legal.length)]!;
}

/** Where two texts part. */
function differenceOf(a: string, b: string): string {
  let i = 0;
  while (i < a.length && a[i] === b[i]) i++;
  return `byte ${i} of ${a.length} and ${b.length}: ${JSON.stringify(a.slice(i, i + 20))} and ${JSON.stringify(b.slice(i, i + 20))}`;
}
