import { closeSync, openSync, readSync } from "node:fs";
import { unpack } from "msgpackr";
import { RandomAgent } from "../../agents/random.js";
import { canonical, type Game, Rng, RNG_WORDS, sameSituation, SPECTATOR, type State } from "../../env/index.js";
import { Handler } from "../../server/handler.js";
import { pack } from "../../server/wire/msgpack.js";
import type { Reply, TensorEntry } from "../../server/wire/protocol.js";
import { wrapped } from "../planted/plant.js";
import type { Starts } from "./starts.js";

// Twin worlds over the wire: two servers hold worlds that one seat can't tell apart, and every byte of every reply to that
// seat is compared, in step, as long as nothing comes out that rightly tells the worlds apart.

/** The true state of a server's first environment, for planted leaks. */
export const TRUTHS = new WeakMap<Handler, () => State>();

interface World {
  readonly handler: Handler;
  /** The states of its environments, in the order of their first start. */
  readonly states: State[];
  /** States at the ends of episodes since the last look. */
  readonly ends: State[];
  /** Actions applied so far. */
  applied: number;
  token: string;
  /** Where replies lie that are not sent. */
  memory: { path: string; slotBytes: number } | null;
}

const STATE_KEY = new Uint8Array(32).fill(7);
const VOLATILE = ["uptime", "processBytes", "cpuSeconds"];
/** Decisions that a pair is played on. */
const STEPS = 6;

/** Serves `game` with every episode beginning in `start`. */
function worldOf(game: Game, start: State): World {
  const states: State[] = [];
  const ends: State[] = [];
  const begun = wrapped(game, (honest) => ({
    start(s) {
      s.set(start.subarray(RNG_WORDS), RNG_WORDS);
      if (!states.includes(s)) states.push(s);
    },
    apply(s, action, dice, narrator) {
      honest.apply(s, action, dice, narrator);
      world.applied++;
      if (honest.actor(s) < 0) ends.push(s.slice());
    },
  }));
  const handler = new Handler({
    games: [game.type],
    load: () => begun,
    makeAgent: (_name, { seed }) => Promise.resolve(new RandomAgent(seed)),
    stateKey: STATE_KEY,
    shares: true,
  });
  const world: World = { handler, states, ends, applied: 0, token: "", memory: null };
  TRUTHS.set(handler, () => states[0] ?? start);
  return world;
}

/** Two worlds that `player` can't tell apart, and how they are served. */
class WirePair {
  private id = 0;

  constructor(
    private readonly game: Game,
    private readonly player: number,
    private readonly worlds: readonly [World, World],
    private readonly count: WireCount,
  ) {}

  /** Asks both worlds the same. @returns the reply of the first */
  async ask(header: Record<string, unknown>, data?: Int32Array): Promise<Reply> {
    const { reply, compare } = await this.put(header, data);
    compare();
    return reply;
  }

  /** Asks both worlds; the caller decides whether the replies have to be the same. */
  async put(header: Record<string, unknown>, data?: Int32Array): Promise<{ reply: Reply; compare: () => void }> {
    const id = ++this.id;
    const replies: Reply[] = [];
    for (const { handler, token, memory } of this.worlds) {
      const named = { ...header, id, ...("batch" in header && { batch: token }) };
      const frames = [pack(named)];
      if (data !== undefined) frames.push(Buffer.from(Int32Array.from(data).buffer));
      const reply = await handler.handle("twin", frames);
      const { slot } = unpack(reply.header) as { slot?: number };
      const sent = reply.data && Uint8Array.from(reply.data);
      const read = sent ?? (memory !== null && slot !== undefined ? slotOf(memory, slot) : undefined);
      replies.push({ header: Buffer.from(reply.header), ...(read && { data: read }) });
    }
    const compare = (): void => {
      const [x, y] = replies.map((r, i) => this.text(r, String(header["op"]), this.worlds[i]!)) as [string, string];
      const op = String(header["op"]);
      this.count.replies++;
      this.count.operations.set(op, (this.count.operations.get(op) ?? 0) + 1);
      if (x !== y) this.count.differences.push(`${this.game.players[this.player]}: ${op}: ${firstDifference(x, y)}`);
    };
    return { reply: replies[0]!, compare: header["op"] === "make" ? () => this.made(replies, compare) : compare };
  }

  /** Everything that the seat may ask, and much that it may not. */
  async askAll(rows: readonly number[]): Promise<void> {
    const own = this.game.players[this.player]!;
    const of = { batch: "" };
    for (const seat of [...this.game.players, "spectator", "nobody"]) {
      await this.ask({ op: "observe", ...of, seat });
      await this.ask({ op: "position", ...of, seat });
      await this.ask({ op: "render", ...of, env: rows[0]!, seat });
      await this.ask({ op: "replay", ...of, env: rows[0]!, seat, last: true });
    }
    await this.ask({ op: "position", ...of, whole: true });
    await this.ask({ op: "position", ...of, seat: own, which: [...rows] });
    for (const op of ["save", "legal"]) await this.ask({ op, ...of });
    await this.ask({ op: "resample", ...of, seed: 5 });
    await this.ask({ op: "outcomes", ...of, env: rows[0]!, action: 0 });
    await this.ask({ op: "step", ...of }, Int32Array.from({ length: 9 }));
    await this.ask(
      { op: "step", ...of },
      Int32Array.from(rows, () => this.game.actions.length),
    );
    await this.ask({ op: "ping", batches: [] });
    await this.ask({ op: "stats" });
    await this.ask({ op: "nonsense" });
  }

  private made(replies: readonly Reply[], compare: () => void): void {
    replies.forEach((r, i) => {
      const { batch, memory } = unpack(r.header) as { batch: string; memory?: World["memory"] };
      this.worlds[i]!.token = batch;
      this.worlds[i]!.memory = memory ?? null;
    });
    compare();
  }

  /** A reply as text: all its bytes, but for the names of the batch and its memory, and what the clock and the process make. */
  private text({ header, data }: Reply, op: string, { token, memory }: World): string {
    let head = Buffer.from(header).toString("latin1");
    for (const name of [token, memory?.path ?? ""]) if (name !== "") head = head.replaceAll(name, "NAME");
    if (op === "stats") {
      const told = unpack(header) as { stats: Record<string, number> };
      head = JSON.stringify({ ...told, stats: Object.entries(told.stats).filter(([k]) => !VOLATILE.includes(k)) });
    }
    return `${head} | ${data === undefined ? "no data" : Buffer.from(data).toString("latin1")}`;
  }
}

export interface WireCount {
  /** Pairs of worlds played, truly different ones. */
  pairs: number;
  /** Replies compared that had to be the same. */
  replies: number;
  /** Pairs that were rightly told apart before `STEPS` decisions were played. */
  parted: number;
  /** Replies by operation. */
  readonly operations: Map<string, number>;
  readonly differences: string[];
}

/**
 * Compares all that a seat hears from servers whose worlds it can't tell apart.
 *
 * @param starts situations to begin in
 */
export async function wirePairs(game: Game, pairs: number, seed: string, starts: Starts): Promise<WireCount> {
  const rng = new Rng(seed);
  const count: WireCount = { pairs: 0, replies: 0, parted: 0, operations: new Map(), differences: [] };
  for (let tries = 0; count.pairs < pairs && tries < 20 * pairs; tries++) {
    const x = starts.pick(tries, rng).slice();
    const player = rng.below(game.players.length);
    if (game.actor(x) < 0) continue;
    const y = x.slice();
    game.resample(x, player, y, rng);
    if (sameSituation(x, y)) continue;
    count.pairs++;
    const worlds: [World, World] = [worldOf(game, x), worldOf(game, y)];
    const pair = new WirePair(game, player, worlds, count);
    await playPair(game, player, pair, worlds, tries, rng);
    for (const w of worlds) await w.handler.close();
  }
  return count;

  async function playPair(
    { players, type }: Game,
    player: number,
    pair: WirePair,
    worlds: readonly [World, World],
    nth: number,
    dice: Rng,
  ): Promise<void> {
    const ready = nth % 3 === 2;
    const seats = Object.fromEntries(players.flatMap((p, i) => (i === player ? [] : [[p, "random"]])));
    const size = ready ? { size: 3, ready: 2 } : { size: 1 };
    const autoreset = nth % 2 === 0 ? { autoreset: "same-step" } : {};
    const shared = nth % 5 < 2 ? { shared: true } : {};
    const made = await pair.ask({ op: "make", game: type.id, ...size, seats, ...autoreset, ...shared });
    const { tensors } = unpack(made.header) as { tensors: TensorEntry[] };
    const began = await pair.put({ op: "reset", batch: "", seed: 1 });
    if (!alike(game, player, worlds)) return void count.parted++;
    began.compare();
    let { reply } = began;
    for (let step = 0; step < STEPS; step++) {
      const rows = ready ? [...ints(reply, tensors, "environments")] : [0];
      if (ready) await checkRows(pair, reply, tensors, rows, players[player]!);
      await pair.askAll(rows);
      const actors = ints(reply, tensors, "actors");
      if (actors.some((a) => a < 0)) return;
      const chosen = rows.map((_, r) => legalAction(reply, tensors, r, rows.length, dice));
      const stepped = await pair.put({ op: "step", batch: "" }, Int32Array.from(ready ? [...rows, ...chosen] : chosen));
      if (!alike(game, player, worlds)) return void count.parted++;
      stepped.compare();
      reply = stepped.reply;
      if (reply.data === undefined)
        // the choice was legal by the mask that the seat was shown
        return void count.differences.push(`${players[player]!}: step: ${JSON.stringify(unpack(reply.header))}`);
    }
  }

  /** Rows of a `ready` reply are what a question about their environments is told. */
  async function checkRows(pair: WirePair, reply: Reply, tensors: TensorEntry[], rows: number[], seat: string) {
    if (ints(reply, tensors, "actors").some((a) => a < 0)) return;
    const asked = await pair.ask({ op: "observe", batch: "", seat, which: rows });
    const own = (unpack(asked.header) as { tensors: TensorEntry[] }).tensors;
    for (const [name] of own)
      if (!cells(reply, tensors, name).equals(cells(asked, own, name)))
        count.differences.push(`${seat}: ready: ${name} is not that of environments ${rows.join(", ")}`);
  }
}

/** Does `player` see the same in both true worlds, now and at all ends since the last look? */
function alike(game: Game, player: number, worlds: readonly [World, World]): boolean {
  const [x, y] = worlds.map(({ states, ends, applied }) => {
    const seen = [...states, ...ends.splice(0)].map((s) =>
      [player, SPECTATOR].map((v) => canonical(game.view(s, v))).join(),
    );
    return `${applied}|${seen.join("|")}`;
  });
  return x === y;
}

/** A whole slot of shared memory, with what lies behind the frame. */
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

function cells({ data }: Reply, tensors: readonly TensorEntry[], name: string): Buffer {
  const [, dtype, shape, at] = tensors.find(([n]) => n === name)!;
  const bytes = shape.reduce((n, d) => n * d, dtype === "uint8" ? 1 : dtype === "float64" ? 8 : 4);
  return Buffer.from(data!.subarray(at, at + bytes));
}

const ints = (reply: Reply, tensors: readonly TensorEntry[], name: string): Int32Array =>
  new Int32Array(Uint8Array.from(cells(reply, tensors, name)).buffer);

function legalAction(reply: Reply, tensors: readonly TensorEntry[], row: number, rows: number, rng: Rng): number {
  const mask = cells(reply, tensors, "mask");
  const A = mask.length / rows;
  const legal = Array.from({ length: A }, (_, a) => a).filter((a) => mask[row * A + a] === 1);
  return legal[rng.below(legal.length)]!;
}

function firstDifference(a: string, b: string): string {
  let i = 0;
  while (i < a.length && a[i] === b[i]) i++;
  return `byte ${i} of ${a.length} and ${b.length}: ${JSON.stringify(a.slice(i, i + 20))} and ${JSON.stringify(b.slice(i, i + 20))}`;
}
