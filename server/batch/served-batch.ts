import { randomUUID } from "node:crypto";
import { type Autoreset, checkRows, checkSeed, type Game, KesselError, tensorSizes } from "../../env/index.js";
import type { Answer } from "../slice/body.js";
import type { LongQuestion } from "../slice/long-question.js";
import { SeedSequence, type ResetDraft } from "../slice/reset.js";
import type { Request, RequestOf } from "../wire/protocol.js";
import { externalOf, seatsFrom } from "../slice/seats.js";
import { digest, frameShape, needPrivilege, withoutNodes } from "../slice/slice.js";
import { type Expansion, NodeStore } from "../slice/nodes.js";
import { PLAYOUT_ROWS } from "../slice/playouts.js";
import { EXPANSION_TENSORS } from "../wire/expansion-tensors.js";
import { savedRows } from "../wire/saved-states.js";
import { MemoryFile } from "../wire/shared-memory.js";
import { asInt32, type FrameShape, SLOTS } from "../wire/tensors.js";

/** Most bytes of a reply to `expand`. */
const MOST_BYTES = 64 * 1024 * 1024;

export type BatchRequest = Exclude<Extract<Request, { batch: string }>, { op: "close" }>;

/** A batch as clients know it. `InProcessBatch` steps it in the socket's thread, `ThreadedBatch` in worker threads. */
export abstract class ServedBatch {
  readonly token = randomUUID().replaceAll("-", "");
  /** Settles when the request that is being carried out is done; the next one waits for it. */
  pending: Promise<unknown> | null = null;
  readonly shape: FrameShape;
  /** Players whose seats are the client's. */
  readonly external: readonly string[];
  /** Shared memory that a client on this machine reads replies from, if it asked for it. */
  readonly memory: MemoryFile | null;
  private readonly seedSequence: SeedSequence;

  /**
   * @param sharesMemory clients are on this machine
   * @throws KesselError `bad-seat`
   */
  protected constructor(
    readonly game: Game,
    readonly request: RequestOf<"make">,
    sharesMemory: boolean,
  ) {
    const seats = seatsFrom(game, request.seats);
    checkReady(request);
    if (request.potentials === true) checkPotentials(game, this);
    this.external = externalOf(game, seats);
    this.shape = frameShape(game, request, request.size, seats);
    this.seedSequence = new SeedSequence(request.size);
    this.memory = sharesMemory && request.shared === true ? MemoryFile.make(this.shape.capacity, SLOTS) : null;
  }

  /** Decisions taken so far, by clients and agents. */
  abstract readonly decided: number;

  /** Notes that the client has received the frame in slot `n`. */
  abstract free(n: number): void;

  /** Carries out a request. The caller waits for the answer before it sends the next. */
  abstract run(request: BatchRequest, data: Uint8Array | undefined): Answer;

  /** Ends the request that is being carried out, where that disturbs no other batch: for a batch to be closed. */
  interrupt(): void {}

  /** Ends the batch. */
  async close(): Promise<void> {
    await this.stop();
    this.memory?.close(); // last: until then a thread may write to it
  }

  protected abstract stop(): Promise<void>;

  get size(): number {
    return this.request.size;
  }

  get privileged(): boolean {
    return this.request.privileged === true;
  }

  get autoreset(): Autoreset {
    return this.request.autoreset ?? "next-step";
  }

  protected actionsIn(data: Uint8Array | undefined): Int32Array {
    const actions = data === undefined ? null : asInt32(data);
    if (this.request.ready !== undefined) {
      if (actions !== null && actions.length % 2 === 0 && actions.length <= 2 * this.size) return actions;
      throw new KesselError(
        "bad-action",
        `a batch made with ready is stepped by int32 [2, n], environments and then their actions, of at most ${8 * this.size} bytes; ${data?.length ?? 0} came`,
      );
    }
    if (actions === null || actions.length !== this.size)
      throw new KesselError(
        "bad-action",
        `${this.size} environments need ${4 * this.size} bytes of actions (int32), ${data?.length ?? 0} came`,
      );
    return actions;
  }

  protected resetDraft(request: RequestOf<"reset">): ResetDraft {
    if (request.positions !== undefined) needPrivilege(this, "a start from a position");
    if (request.which !== undefined) {
      this.needAll("a reset of some environments");
      checkRows(request.which, this.size);
    }
    return this.seedSequence.draft(request);
  }

  /** Rows of the batch to be loaded, and what was saved for each, to be checked. */
  protected savedRows(
    request: RequestOf<"load">,
    data: Uint8Array | undefined,
  ): { which: readonly number[]; saved: Extract<LongQuestion, { what: "check" }> } {
    needPrivilege(this, "load");
    this.needAll("load");
    const which = this.rows(request.which);
    const words = data === undefined ? null : asInt32(data);
    if (words === null) throw new KesselError("bad-state", `saved states are int32; ${data?.length ?? 0} bytes came`);
    return { which, saved: { what: "check", rows: savedRows(this.game, words, which.length), first: 0 } };
  }

  protected checkClone({ from, to, nodes }: RequestOf<"clone">): void {
    needPrivilege(this, "clone");
    this.needAll("clone");
    if (nodes === true) this.needNodes();
    if (from.length !== to.length)
      throw new KesselError(
        "bad-option",
        `from names ${from.length} ${nodes === true ? "nodes" : "environments"} and to ${to.length}`,
      );
    if (nodes !== true) for (const i of from) checkRows([i], this.size);
    checkRows(to, this.size);
  }

  /** @throws KesselError `not-privileged`, `unsupported`, `bad-option`, `bad-seed`, `limit` */
  protected expansionIn(request: RequestOf<"expand">, data: Uint8Array | undefined): Expansion {
    this.needNodes();
    const { environments = false, resample = false, seed } = request;
    if (environments && !resample) needPrivilege(this, "a copy of an environment");
    if (resample && seed === undefined) throw new KesselError("bad-seed", "resample needs a seed");
    const words = data === undefined ? null : asInt32(data);
    if (words === null || words.length === 0 || words.length % 3 !== 0)
      throw new KesselError(
        "bad-action",
        `expand takes int32 [3, n]: where each row begins, the node it goes to, its action; ${data?.length ?? 0} bytes came`,
      );
    const n = words.length / 3;
    const judged = this.request.net !== undefined;
    for (const t of request.tensors ?? [])
      if (!judged && (t === "policy" || t === "value"))
        throw new KesselError("unsupported", `${t} comes from the batch's net, and it was made without one`);
    const wanted = request.tensors ?? EXPANSION_TENSORS.filter((t) => judged || (t !== "policy" && t !== "value"));
    const layout = this.shape.expansion(n, resample ? wanted : wanted.filter((t) => t !== "exact"));
    if (layout.bytes > MOST_BYTES)
      throw new KesselError(
        "limit",
        `a reply to expand has at most ${MOST_BYTES} bytes, ${n} rows of these tensors take ${layout.bytes}; ask for fewer, or name the tensors that you read`,
      );
    return {
      from: words.slice(0, n),
      to: words.slice(n, 2 * n),
      actions: words.slice(2 * n),
      environments,
      resample,
      seed: seed === undefined ? null : digest(`expand/${checkSeed(seed)}`),
      layout,
    };
  }

  /** A request to play nodes out, cut into blocks that are played one after the other, each with a seed of its own. */
  protected playoutBlocks(request: RequestOf<"playout">): { request: RequestOf<"playout">; seed: string }[] {
    this.needNodes();
    const { nodes } = request;
    const root = request.seed === undefined ? randomUUID() : checkSeed(request.seed);
    return Array.from({ length: Math.ceil(nodes.length / PLAYOUT_ROWS) }, (_, k) => ({
      request: { ...request, nodes: nodes.slice(k * PLAYOUT_ROWS, (k + 1) * PLAYOUT_ROWS) },
      seed: digest(`playout/${root}/${k}`),
    }));
  }

  private needNodes(): void {
    if (this.request.nodes === undefined) throw withoutNodes();
  }

  private needAll(what: string): void {
    if (this.request.ready !== undefined)
      throw new KesselError(
        "unsupported",
        `${what} needs a batch whose replies hold all environments, made without ready`,
      );
  }

  /** Environments a request names, all by default. @throws KesselError `bad-option` */
  protected rows(which: readonly number[] | undefined): readonly number[] {
    if (which === undefined) return Array.from({ length: this.size }, (_, i) => i);
    checkRows(which, this.size);
    return which;
  }
}

function checkReady({ ready, size, autoreset }: RequestOf<"make">): void {
  if (ready === undefined) return;
  if (ready > size) throw new KesselError("bad-option", `of ${size} environments no ${ready} can be ready at once`);
  if (autoreset === "disabled")
    throw new KesselError(
      "bad-option",
      "a batch made with ready restarts ended episodes itself: autoreset is next-step or same-step",
    );
}

/** Potentials are those of the true state. */
function checkPotentials(game: Game, batch: ServedBatch): void {
  needPrivilege(batch, "potentials");
  if (Object.keys(game.potentials).length === 0)
    throw new KesselError("bad-option", `${game.type.id} offers no potentials`);
}

/** Memory that one environment takes, in bytes, replies included. */
export function bytesPerEnvironment(game: Game, request: RequestOf<"make">): number {
  const n = tensorSizes(game.observation);
  const observation = n.globals + n.map + n.units + n.decision;
  const kept = request.autoreset === "same-step" ? 2 : 1;
  const recorded = request.record === true ? 2 * 8 * game.maxDecisions : 0;
  const searched = (request.nodes ?? 0) * NodeStore.bytes(game);
  return (
    searched / request.size + 4 * game.stateSize + 4 * observation * kept * 2 + 2 * game.actions.length + 64 + recorded
  );
}
