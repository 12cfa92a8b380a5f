import { BLOCK_ROWS, type Game } from "../../env/index.js";
import { type BatchRequest, HostedBatch } from "./served-batch.js";
import { ask, type Outcome } from "../slice/questions.js";
import { Frame, type Target, targetAt, type Where } from "../wire/shared-memory.js";
import type { RequestOf } from "../wire/protocol.js";
import type { Help } from "../slice/frame-writers.js";
import type { Scribe, ScribeDesk } from "../threads/observation-helper.js";
import { type AgentFactory, Slice } from "../slice/slice.js";
import { type Packed, Slots } from "../wire/tensors.js";

/** Environments from which on a scribe is worth being woken. */
const HELPED = 128;

/** A batch whose environments are stepped in this thread: the shortest way for few of them. */
export class LocalBatch extends HostedBatch {
  private readonly slots = new Slots<Target>((slot) => this.target(slot));

  private constructor(
    game: Game,
    request: RequestOf<"make">,
    private readonly slice: Slice,
    shares: boolean,
    private readonly desk: ScribeDesk | null,
  ) {
    super(game, request, shares);
  }

  /**
   * @param scribe helps where it can
   * @throws KesselError for options, seats or agents that do not fit
   */
  static async make(
    game: Game,
    request: RequestOf<"make">,
    factory: AgentFactory,
    models: string | undefined,
    shares: boolean,
    scribe: Scribe | null,
  ): Promise<LocalBatch> {
    const helper = request.size >= HELPED && request.ready === undefined ? scribe : null;
    const slice = await Slice.make(
      game,
      request,
      { first: 0, size: request.size, of: request.size },
      factory,
      models,
      helper !== null,
    );
    const { states, viewers } = slice.batch;
    const desk =
      helper?.desk(request, states[0]!.buffer as SharedArrayBuffer, viewers.buffer as SharedArrayBuffer) ?? null;
    return new LocalBatch(game, request, slice, shares, desk);
  }

  get decided(): number {
    return this.slice.batch.asked;
  }

  free(n: number): void {
    this.slots.free(n);
  }

  run(request: BatchRequest, data: Uint8Array | undefined): Outcome {
    const { slice } = this;
    switch (request.op) {
      case "step":
        return this.step(this.actionsIn(data));
      case "reset":
        return this.show(slice.open(this.opening(request)));
      case "load": {
        const { rows, states } = this.situations(request, data);
        return this.show(slice.load(rows, states));
      }
      case "clone":
        this.checkClone(request);
        return this.show(
          slice.load(
            request.to,
            request.from.map((i) => slice.batch.states[i]!.slice()),
          ),
        );
      default:
        return ask(slice, request);
    }
  }

  protected stop(): Promise<void> {
    this.desk?.leave();
    return this.slice.close();
  }

  /** Plays a step; what has moved may be written while the rest moves. */
  private step(actions: Int32Array): Outcome {
    const { slice, desk } = this;
    if (desk === null || slice.hasAgents) return this.show(slice.step(actions));
    return this.packed((help) => slice.stepBlocks(actions, (end) => help?.ready(Math.floor(end / BLOCK_ROWS))));
  }

  private show(done: void | Promise<void>): Outcome {
    return done === undefined ? this.packed() : done.then(() => this.packed());
  }

  /** @param play plays what is to be shown, if that hasn't been done */
  private packed(play?: (help: Help | null) => void): { packed: Packed } {
    const { slot, memory } = this.slots.take();
    const help =
      slot === undefined || this.desk === null ? null : this.desk.help(slot, Math.ceil(this.size / BLOCK_ROWS));
    try {
      play?.(help);
      return { packed: this.shape.finish(memory, [this.slice.writer.write(memory, help)], slot) };
    } catch (e) {
      help?.finish();
      if (slot !== undefined) this.slots.free(slot);
      throw e;
    }
  }

  private target(slot: number | undefined): Target {
    const where: Where | null = slot === undefined ? null : (this.memory?.where(slot) ?? null);
    if (this.desk === null || slot === undefined)
      return where === null ? new Frame(Buffer.alloc(this.shape.capacity)) : targetAt(where);
    const shared = where ?? { memory: new SharedArrayBuffer(this.shape.capacity) };
    this.desk.slot(slot, shared);
    return targetAt(shared);
  }
}
