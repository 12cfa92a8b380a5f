import { randomUUID } from "node:crypto";
import { type Autoreset, checkRows, type Game, KesselError, shown, type State, tensorSizes } from "../../env/index.js";
import type { Outcome } from "../slice/questions.js";
import { Opener, type Opening } from "../slice/reset.js";
import type { Request, RequestOf } from "../wire/protocol.js";
import { externalOf, seatsFrom } from "../slice/seats.js";
import { frameShape } from "../slice/slice.js";
import { readStates } from "../wire/saved-states.js";
import { MemoryFile } from "../wire/shared-memory.js";
import { asInt32, type FrameShape, SLOTS } from "../wire/tensors.js";

export type BatchRequest = Exclude<Extract<Request, { batch: string }>, { op: "close" }>;

/** A batch as clients know it, wherever its environments are: `LocalBatch` in this thread, `RemoteBatch` in others. */
export abstract class HostedBatch {
  readonly token = randomUUID().replaceAll("-", "");
  /** Set while a request is at work that takes its time; the next one waits for it. */
  pending: Promise<unknown> | null = null;
  readonly shape: FrameShape;
  /** Players whose seats are the client's. */
  readonly external: readonly string[];
  /** Where a client of this machine reads replies from, if it wants to. */
  readonly memory: MemoryFile | null;
  private readonly opener: Opener;

  /**
   * @param shares clients are on this machine
   * @throws KesselError `bad-seat`
   */
  protected constructor(
    readonly game: Game,
    readonly request: RequestOf<"make">,
    shares: boolean,
  ) {
    const seats = seatsFrom(game, request.seats);
    checkReady(request);
    this.external = externalOf(game, seats);
    this.shape = frameShape(game, request, request.size, seats);
    this.opener = new Opener(game, request.size);
    this.memory = shares && request.shared === true ? MemoryFile.make(this.shape.capacity, SLOTS) : null;
  }

  /** Decisions that players or agents took. */
  abstract readonly decided: number;

  /** The client has received the frame in slot `n`. */
  abstract free(n: number): void;

  /** Carries out a request. Whoever calls sees to it that one comes after the other. */
  abstract run(request: BatchRequest, data: Uint8Array | undefined): Outcome;

  /** Ends the batch. */
  async close(): Promise<void> {
    await this.stop();
    this.memory?.close(); // last: a thread may have been writing to it
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

  protected opening(request: RequestOf<"reset">): Opening {
    if (request.positions !== undefined) needPrivilege(this, "a start from a position");
    if (request.which !== undefined) {
      this.needAll("a reset of some environments");
      checkRows(request.which, this.size);
    }
    return this.opener.open(request);
  }

  protected situations(
    request: RequestOf<"load">,
    data: Uint8Array | undefined,
  ): { rows: readonly number[]; states: State[] } {
    needPrivilege(this, "load");
    this.needAll("load");
    const rows = this.rows(request.which);
    const words = data === undefined ? null : asInt32(data);
    if (words === null) throw new KesselError("bad-state", `saved states are int32; ${data?.length ?? 0} bytes came`);
    return { rows, states: readStates(this.game, words, rows.length) };
  }

  protected checkClone({ from, to }: RequestOf<"clone">): void {
    needPrivilege(this, "clone");
    this.needAll("clone");
    if (from.length !== to.length)
      throw new KesselError("bad-option", `from names ${from.length} environments and to ${to.length}`);
    for (const i of from) checkRows([i], this.size);
    checkRows(to, this.size);
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
      "a batch made with ready begins ended episodes anew by itself: autoreset is next-step or same-step",
    );
}

export function needPrivilege(batch: { readonly privileged: boolean }, what: string): void {
  if (!batch.privileged)
    throw new KesselError(
      "not-privileged",
      `${what} shows or sets what players don't know; make the batch with privileged: ${shown(true)}`,
    );
}

/** Memory that one environment takes, replies included. */
export function bytesPerEnvironment(game: Game, request: RequestOf<"make">): number {
  const n = tensorSizes(game.observation);
  const observation = n.globals + n.map + n.units + n.decision;
  const kept = request.autoreset === "same-step" ? 2 : 1;
  const recorded = request.record === true ? 2 * 8 * game.maxDecisions : 0;
  return 4 * game.stateSize + 4 * observation * kept * 2 + 2 * game.actions.length + 64 + recorded;
}
