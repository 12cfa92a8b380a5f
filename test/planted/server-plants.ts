import { unpack } from "msgpackr";
import type { Batch } from "../../env/index.js";
import { SPECTATOR } from "../../env/index.js";
import { Handler } from "../../server/handler.js";
import { SubsetWriter, FrameWriter } from "../../server/slice/frame-writers.js";
import { Slice } from "../../server/slice/slice.js";
import { pack } from "../../server/wire/msgpack.js";
import type { Reply } from "../../server/wire/protocol.js";
import { BYTES, type FrameShape } from "../../server/wire/tensors.js";
import { TRUTHS } from "../conformance/wire/world.js";
import { bit, type CodePlant, replaced, truth } from "./plant.js";

/**
 * Changes each reply. @param change receives the true state of the first environment by `bit`
 */
const replying = (change: (reply: Reply, secret: number, op: string, all: number) => Reply) => () =>
  replaced(
    Handler.prototype,
    "handle",
    (honest) =>
      async function (this: Handler, ...args: never[]): Promise<Reply> {
        const reply = (await honest.apply(this, args)) as Reply;
        const [, frames] = args as unknown as [string, readonly Buffer[]];
        const s = TRUTHS.get(this)!();
        return change(reply, bit(s), String((unpack(frames[0]!) as { op: string }).op), truth(s));
      },
  );

/** Changes what the header of one operation's reply holds. @param secret a number that depends on all the truth */
const heading = (of: string, change: (told: Record<string, unknown>, secret: number) => object) =>
  replying((reply, _, op, secret) => {
    if (op !== of) return reply;
    const told = unpack(reply.header) as Record<string, unknown>;
    return "error" in told ? reply : { ...reply, header: pack({ ...told, ...change(told, secret) }) };
  });

/** Changes the last byte of the data of one operation's reply. */
const lastByte = (of: string) =>
  replying((reply, _, op, secret) => {
    if (op !== of || reply.data === undefined || reply.data.length === 0) return reply;
    const data = Buffer.from(reply.data);
    data[data.length - 1]! ^= secret & 255;
    return { ...reply, data };
  });

interface WriterParts {
  readonly shape: FrameShape;
  readonly batch: Batch;
  readonly rows: Int32Array;
}
interface Target {
  put(bytes: Uint8Array, at: number): void;
}

/** Shows one tensor of a `ready` reply with its first two rows exchanged. */
const exchangingRows = (tensor: string) =>
  replaced(
    SubsetWriter.prototype,
    "write",
    (honest) =>
      function (this: SubsetWriter, ...args: never[]) {
        const result = honest.apply(this, args);
        const { shape } = this as unknown as WriterParts;
        const [, dtype, [, ...row], at] = shape.base.entries.find(([n]) => n === tensor)!;
        const bytes = row.reduce((n, d) => n * d, BYTES[dtype]);
        const target = args[0] as unknown as Target & { sent(bytes: number): Uint8Array | undefined };
        const [first, second] = [0, 1].map((k) =>
          target.sent(shape.base.bytes)?.slice(at + k * bytes, at + (k + 1) * bytes),
        );
        if (first === undefined || second === undefined) return result; // in shared memory, which isn't read here
        target.put(second, at);
        target.put(first, at + bytes);
        return result;
      },
  );

export const SERVER_PLANTS: readonly CodePlant[] = [
  {
    name: "server: orders have another form in some worlds",
    install: heading("orders", (_, x) => ({ forms: [x % 7] })),
  },
  {
    name: "server: a drawing carries a word of the truth",
    install: heading("render", (told, x) => ({ text: `${String(told["text"])}${x % 7}` })),
  },
  { name: "server: a replay counts hidden decisions", install: heading("replay", (_, x) => ({ decisions: x % 97 })) },
  {
    name: "server: legal actions come in another order",
    install: heading("legal", ({ legal }, x) => ({
      legal: x % 2 === 0 ? legal : (legal as string[][]).map((l) => [...l].reverse()),
    })),
  },
  {
    name: "server: a description depends on the world at hand",
    install: heading("describe", (_, x) => ({ about: x % 97 })),
  },
  { name: "server: a search is shown a bit of the true world", install: lastByte("expand") },
  { name: "server: a playout ends as the true world would", install: lastByte("playout") },
  {
    name: "server: padding between tensors holds words of the true state",
    install: () =>
      replaced(
        FrameWriter.prototype,
        "write",
        (honest) =>
          function (this: FrameWriter, ...args: never[]) {
            const result = honest.apply(this, args);
            const { shape, batch } = this as unknown as WriterParts;
            const [, dtype, dims, at] = shape.base.entries.find(([n]) => n === "actors")!;
            const end = at + dims.reduce((n, d) => n * d, BYTES[dtype]);
            (args[0] as unknown as Target).put(Uint8Array.of(truth(batch.states[0]!) & 255), end);
            return result;
          },
      ),
  },
  {
    name: "shared memory: the part behind a frame holds words of the true state",
    install: () =>
      replaced(
        FrameWriter.prototype,
        "write",
        (honest) =>
          function (this: FrameWriter, ...args: never[]) {
            const result = honest.apply(this, args);
            const { shape, batch } = this as unknown as WriterParts;
            const target = args[0] as unknown as Target & { file?: number };
            if (target.file !== undefined)
              target.put(Uint8Array.of(truth(batch.states[0]!) & 255), shape.base.bytes + 9);
            return result;
          },
      ),
  },
  {
    name: "server: the final observation is that of the wrong seat",
    install: () =>
      replaced(
        FrameWriter.prototype,
        "write",
        (honest) =>
          function (this: FrameWriter, ...args: never[]) {
            const { batch } = this as unknown as WriterParts;
            const { game, viewers } = batch;
            const held = viewers.slice();
            const { actors } = batch;
            for (let i = 0; i < batch.size; i++)
              if (actors[i]! < 0) viewers[i] = (viewers[i]! + 1) % game.players.length;
            const result = honest.apply(this, args);
            viewers.set(held);
            return result;
          },
      ),
  },
  {
    name: "server: a row of a ready reply shows another environment",
    install: () =>
      replaced(
        SubsetWriter.prototype,
        "write",
        (honest) =>
          function (this: SubsetWriter, ...args: never[]) {
            const { rows } = this as unknown as WriterParts;
            const held = rows.slice();
            const result = honest.apply(this, args);
            const { shape } = this as unknown as WriterParts;
            // the numbers are exchanged, the rows stay
            const names = Int32Array.from(held).reverse();
            (args[0] as unknown as Target).put(new Uint8Array(names.buffer), shape.offset("environments"));
            return result;
          },
      ),
  },
  {
    name: "server: the units of a ready row are those of another environment",
    install: () => exchangingRows("units"),
  },
  {
    name: "server: the mask of a ready row is that of another environment",
    install: () => exchangingRows("mask"),
  },
  {
    name: "server: keys of a header come in another order",
    install: replying((reply, secret, op) =>
      secret === 0 || op !== "position"
        ? reply
        : { ...reply, header: pack(Object.fromEntries(Object.entries(unpack(reply.header) as object).reverse())) },
    ),
  },
  {
    name: "server: stats count hidden things",
    install: replying((reply, secret, op) => {
      if (op !== "stats") return reply;
      const told = unpack(reply.header) as { stats: Record<string, number> };
      return { header: pack({ ...told, stats: { ...told.stats, requests: told.stats["requests"]! + secret } }) };
    }),
  },
  {
    name: "server: an error text is a word longer",
    install: replying((reply, secret) => {
      const told = unpack(reply.header) as { error?: { code: string; message: string } };
      if (told.error === undefined || secret === 0) return reply;
      return { header: pack({ ...told, error: { ...told.error, message: `${told.error.message} now` } }) };
    }),
  },
  {
    name: "server: a frame is longer in some worlds",
    install: replying((reply, secret) =>
      reply.data === undefined || secret === 0
        ? reply
        : { ...reply, data: Buffer.concat([reply.data, Buffer.alloc(64)]) },
    ),
  },
  {
    name: "server: the spectator is shown what the other seat knows",
    install: () =>
      replaced(
        Slice.prototype,
        "viewer",
        (honest) =>
          function (this: Slice, ...args: never[]) {
            const viewer = honest.apply(this, args) as number;
            const own = this.seats.findIndex((s) => s === null);
            return viewer === SPECTATOR ? 1 - own : viewer;
          },
      ),
  },
];
