import type { Game } from "../env/index.js";
import { type BatchRequest, HostedBatch } from "./hosted.js";
import { ask, type Outcome } from "./ops.js";
import { Frame, type Target, targetAt } from "./memory.js";
import type { RequestOf } from "./protocol.js";
import { type AgentFactory, Slice } from "./slice.js";
import { type Packed, Slots } from "./tensors.js";

/** A batch whose environments are stepped in this thread: the shortest way for few of them. */
export class LocalBatch extends HostedBatch {
  private readonly slots = new Slots<Target>((slot) => this.target(slot));

  private constructor(
    game: Game,
    request: RequestOf<"make">,
    private readonly slice: Slice,
    shares: boolean,
  ) {
    super(game, request, shares);
  }

  /** @throws KesselError for options, seats or agents that do not fit */
  static async make(game: Game, request: RequestOf<"make">, factory: AgentFactory, models: string | undefined, shares: boolean): Promise<LocalBatch> {
    return new LocalBatch(game, request, await Slice.make(game, request, { first: 0, size: request.size, of: request.size }, factory, models), shares);
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
        return this.show(slice.step(this.actionsIn(data)));
      case "reset":
        return this.show(slice.open(this.opening(request)));
      case "load": {
        const { rows, states } = this.situations(request, data);
        return this.show(slice.load(rows, states));
      }
      case "clone":
        this.checkClone(request);
        return this.show(slice.load(request.to, request.from.map((i) => slice.batch.states[i]!.slice())));
      default:
        return ask(slice, request);
    }
  }

  protected stop(): Promise<void> {
    return this.slice.close();
  }

  private show(done: void | Promise<void>): Outcome {
    return done === undefined ? { packed: this.pack() } : done.then(() => ({ packed: this.pack() }));
  }

  private pack(): Packed {
    const { slot, memory } = this.slots.take();
    return this.shape.finish(memory, [this.slice.writer.write(memory)], slot);
  }

  private target(slot: number | undefined): Target {
    const where = slot === undefined ? null : (this.memory?.where(slot) ?? null);
    return where === null ? new Frame(Buffer.alloc(this.shape.capacity)) : targetAt(where);
  }
}
