import { unpack } from "msgpackr";
import { type Game, Rng, sameSituation, SPECTATOR, type State, type Viewer } from "../../../env/index.js";
import type { TensorEntry } from "../../../server/wire/protocol.js";
import { sameDocument } from "../leaks.js";
import type { Starts } from "../starts.js";
import { cells, ints, legalAction, type Replies, TwinServers } from "./twin-servers.js";
import { OPPONENT, World } from "./world.js";

// Twin worlds over the wire: two servers hold worlds that one seat can't tell apart, and every byte of every reply to
// that seat is compared, in step, as long as nothing comes out that rightly tells the worlds apart.

/** Decisions that a session is played on. */
const STEPS = 6;
const WIDE = 48;
/** Situations that a session searches in. */
const NODES = 3;
/** Environments of a `ready` session, of which a reply shows some. They begin in situations of their own. */
const READY = { size: 4, ready: 2 };

export interface WireCount {
  /** Pairs of truly different worlds of which everything was asked, and the sessions in which. */
  pairs: number;
  sessions: number;
  /** Replies compared that had to be the same. */
  replies: number;
  /** Sessions that were rightly told apart before `STEPS` decisions were played. */
  parted: number;
  /** Of those, decisions after which a spectator could not tell the worlds apart, and was asked on. */
  spectated: number;
  /** Replies by operation. */
  readonly operations: Map<string, number>;
  readonly differences: string[];
}

export interface WireOptions {
  /** Threads of the servers that are compared; 0 plays in the socket's thread. */
  readonly workers?: number;
  /** Environments of every other session, which is more for asking than for playing on. Default 48. */
  readonly wide?: number;
}

/**
 * Compares all that a seat hears from servers whose worlds it can't tell apart. With worker threads, a second pair of
 * servers without any plays the same, for its true states.
 *
 * @param pairs truly different pairs to compare
 * @param starts situations to begin in
 */
export async function wirePairs(
  game: Game,
  pairs: number,
  seed: string,
  starts: Starts,
  { workers = 0, wide: most = WIDE }: WireOptions = {},
): Promise<WireCount> {
  const rng = new Rng(seed);
  const count: WireCount = {
    ...{ pairs: 0, sessions: 0, replies: 0, parted: 0, spectated: 0 },
    operations: new Map(),
    differences: [],
  };
  const mask = new Uint8Array(game.actions.length);
  const judges: [World, World] = [new World(game, 0), new World(game, 0)];
  const compared: [World, World] = workers === 0 ? judges : [new World(game, workers), new World(game, workers)];
  try {
    for (let tries = 0, idle = 0; count.pairs < pairs && idle < 200; tries++) {
      const before = count.pairs;
      const player = rng.below(game.players.length);
      const wide = tries % 4 < 2;
      const ready = !wide && tries % 3 === 2;
      const wanted = ready ? READY.size : wide ? most : 1;
      const twins: [State, State][] = [];
      // what is played before the first reply may rightly part the worlds: another side's decisions and forced ones
      for (let n = 0; n < 4 * WIDE && twins.length < wanted; n++) {
        const x = starts.pick(tries + n, rng).slice();
        if (game.actor(x) < 0 || (wide && (game.actor(x) !== player || game.legalMask(x, mask, 0) < 2))) continue;
        const y = x.slice();
        // a sample that ignores some of the history is no twin
        if (game.resample(x, player, y, rng) && !sameSituation(x, y)) twins.push([x, y]);
      }
      if (twins.length > 0 && (!ready || twins.length === wanted)) {
        const servers = new TwinServers(game, player, judges, compared, count);
        await new Session(game, player, servers, judges, count, rng).play(twins, tries, ready);
        count.sessions++;
      }
      idle = count.pairs > before ? 0 : idle + 1;
    }
  } finally {
    for (const w of new Set([...judges, ...compared])) await w.close();
  }
  return count;
}

/** One batch on both servers, played and asked in step. */
class Session {
  constructor(
    private readonly game: Game,
    private readonly player: number,
    private readonly servers: TwinServers,
    private readonly judges: readonly [World, World],
    private readonly count: WireCount,
    private readonly dice: Rng,
  ) {}

  async play(twins: readonly [State, State][], nth: number, ready: boolean): Promise<void> {
    const { game, player, servers, judges, count, dice } = this;
    const { players, type } = game;
    const seats = Object.fromEntries(players.flatMap((p, i) => (i === player ? [] : [[p, OPPONENT]])));
    const size = ready ? READY : { size: twins.length };
    const autoreset = nth % 5 < 3 ? { autoreset: "same-step" } : {};
    const shared = nth % 7 < 3 ? { shared: true } : {};
    const made = await servers.make(twins, {
      ...{ op: "make", game: type.id, options: game.options, seats, nodes: NODES },
      ...{ ...size, ...autoreset, ...shared, record: nth % 3 === 1 },
    });
    const { tensors } = unpack(made.header) as { tensors: TensorEntry[] };
    let told = await servers.put({ op: "reset", batch: "", seed: 1 });
    for (let step = 0; ; step++) {
      if (!this.alike(player)) {
        count.parted++;
        await this.spectate();
        break;
      }
      told.compare();
      const { reply } = told;
      if (reply.data === undefined) {
        // the choice was legal by the mask that the seat was shown
        count.differences.push(`${players[player]!}: step: ${JSON.stringify(unpack(reply.header))}`);
        break;
      }
      const rows = ready ? [...ints(reply, tensors, "environments")] : twins.map((_, i) => i);
      if (ready) await this.checkRows(reply, tensors, rows);
      await this.askAll(rows, step);
      const [x, y] = judges;
      count.pairs += rows.filter((i) => !sameSituation(x.states[i]!, y.states[i]!)).length;
      if (step === STEPS || ints(reply, tensors, "actors").some((a) => a < 0)) break;
      const chosen = rows.map((_, r) => legalAction(reply, tensors, r, rows.length, dice));
      told = await servers.put({ op: "step", batch: "" }, Int32Array.from(ready ? [...rows, ...chosen] : chosen));
    }
    await servers.ask({ op: "close", batch: "" });
  }

  /** Everything that the seat may ask, and much that it may not. */
  private async askAll(rows: readonly number[], step: number): Promise<void> {
    const { game, player, servers } = this;
    const of = { batch: "" };
    const env = rows[step % rows.length]!;
    for (const seat of [...game.players, "spectator", "nobody"]) {
      await servers.ask({ op: "observe", ...of, seat });
      await servers.ask({ op: "position", ...of, seat });
      await servers.ask({ op: "render", ...of, env, seat });
      await servers.ask({ op: "replay", ...of, env, seat, last: true });
    }
    await servers.ask({ op: "position", ...of, whole: true });
    await servers.ask({ op: "position", ...of, seat: game.players[player]!, which: [...rows] });
    for (const op of ["save", "legal", "load"]) await servers.ask({ op, ...of });
    await servers.ask({ op: "clone", ...of, from: [0], to: [0] });
    await servers.ask({ op: "orders", ...of, env });
    await servers.ask({ op: "orders", ...of, env, order: "no such thing" });
    if (step === 0) {
      for (const format of ["svg", "rgb"]) await servers.ask({ op: "render", ...of, env, format, width: 320 });
      for (const op of ["list", "hello"]) await servers.ask({ op });
      await servers.ask({ op: "describe", game: game.type.id, options: game.options });
    }
    await servers.ask({ op: "resample", ...of, seed: 5 });
    await servers.ask({ op: "outcomes", ...of, env, action: 0 });
    await this.search(env, step);
    await servers.ask({ op: "step", ...of }, Int32Array.from({ length: 9 }));
    await servers.ask(
      { op: "step", ...of },
      Int32Array.from(rows, () => game.actions.length),
    );
    await servers.ask({ op: "ping", batches: [] });
    await servers.ask({ op: "stats" });
    await servers.ask({ op: "nonsense" });
  }

  /** A search in worlds that the player imagines, and attempts to search in the true one. */
  private async search(env: number, step: number): Promise<void> {
    const { servers, dice } = this;
    const nodes = Array.from({ length: NODES }, (_, k) => k);
    const rows = (from: number, action: number): Int32Array =>
      Int32Array.from([...nodes.map((k) => (from < 0 ? k : from)), ...nodes, ...nodes.map(() => action)]);
    const of = { op: "expand", batch: "" };
    await servers.ask({ ...of, environments: true }, rows(env, -1));
    await servers.ask({ ...of, environments: true, seed: 3 }, rows(env, 0));
    const dealt = await servers.ask({ ...of, environments: true, resample: true, seed: step }, rows(env, -1));
    const { tensors } = unpack(dealt.header) as { tensors?: TensorEntry[] };
    if (tensors === undefined) return; // nobody acts
    await servers.ask({ ...of, seed: 4 }, rows(-1, legalAction(dealt, tensors, 0, NODES, dice)));
    await servers.ask({ op: "playout", batch: "", nodes, seed: 5, depth: 20 });
    await servers.ask({ op: "clone", batch: "", from: [0], to: [env], nodes: true });
  }

  /** The player has learnt which world it is; a spectator may not have. */
  private async spectate(): Promise<void> {
    if (!this.alike(SPECTATOR)) return;
    this.count.spectated++;
    for (const op of ["observe", "position"])
      await this.servers.ask({ op, batch: "", seat: "spectator" }, undefined, "spectator");
    await this.servers.ask({ op: "render", batch: "", env: 0, seat: "spectator" }, undefined, "spectator");
  }

  /** Rows of a `ready` reply equal the answers to questions about their environments. */
  private async checkRows(reply: Replies["reply"], tensors: TensorEntry[], rows: number[]): Promise<void> {
    if (ints(reply, tensors, "actors").some((a) => a < 0)) return;
    const seat = this.game.players[this.player]!;
    const asked = await this.servers.ask({ op: "observe", batch: "", seat, which: rows });
    const own = (unpack(asked.header) as { tensors: TensorEntry[] }).tensors;
    for (const [name] of own)
      if (!cells(reply, tensors, name).equals(cells(asked, own, name)))
        this.count.differences.push(`${seat}: ready: ${name} is not that of environments ${rows.join(", ")}`);
    const { legal } = unpack((await this.servers.ask({ op: "legal", batch: "", which: rows })).header) as {
      legal: string[][];
    };
    const mask = cells(reply, tensors, "mask");
    const { actions } = this.game;
    const shown = rows.map((_, r) => actions.filter((_, a) => mask[r * actions.length + a] === 1));
    if (!sameDocument(shown, legal))
      this.count.differences.push(`${seat}: ready: mask is not that of environments ${rows.join(", ")}`);
  }

  /**
   * True when a viewer sees the same in both true worlds, now and at all ends since the last look. A player is a
   * spectator too.
   */
  private alike(viewer: Viewer): boolean {
    const { game } = this;
    const [x, y] = this.judges.map((world) => [...world.states, ...world.takeEnds()]) as [State[], State[]];
    const viewers = viewer === SPECTATOR ? [SPECTATOR] : [viewer, SPECTATOR];
    return (
      this.judges[0].applied === this.judges[1].applied &&
      x.length === y.length &&
      x.every(
        (s, i) => sameSituation(s, y[i]!) || viewers.every((v) => sameDocument(game.view(s, v), game.view(y[i]!, v))),
      )
    );
  }
}
