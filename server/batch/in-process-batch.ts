import { BLOCK_ROWS, type Game } from "../../env/index.js";
import { type BatchRequest, ServedBatch } from "./served-batch.js";
import type { Answer, Body } from "../slice/body.js";
import type { Expansion } from "../slice/nodes.js";
import { joinBlocks } from "./join-bodies.js";
import { answerLongQuestion } from "../slice/long-question.js";
import { gather, type Question } from "../slice/questions.js";
import { readPosition, type ResetDraft } from "../slice/reset.js";
import { checkSaved, stateIn } from "../wire/saved-states.js";
import type { OffThread } from "./off-thread.js";
import { GatheredSlot, OwnMemory, type FrameTarget, targetAt, type FrameLocation } from "../wire/shared-memory.js";
import type { RequestOf } from "../wire/protocol.js";
import type { FrameHelp } from "../slice/frame-writers.js";
import type { ObservationHelper, HelpedBatch } from "../threads/observation-helper.js";
import { type AgentFactory, Slice, type SliceHost } from "../slice/slice.js";
import { type PackedFrame, Slots } from "../wire/tensors.js";

/** Largest frame that is gathered before it is written to shared memory. */
const GATHERED_BYTES = 64 * 1024;
/** Smallest batch for which waking the helper pays. */
const HELPED_SIZE = 128;

/** A batch stepped in the socket's thread: the fastest way for a small one. */
export class InProcessBatch extends ServedBatch {
  private readonly slots = new Slots<FrameTarget>((slot) => this.target(slot));

  private constructor(
    game: Game,
    request: RequestOf<"make">,
    private readonly slice: Slice,
    shares: boolean,
    private readonly helped: HelpedBatch | null,
    private readonly offThread: OffThread | null,
  ) {
    super(game, request, shares);
  }

  /**
   * @param helper writes observations of large batches along with this thread; null without one
   * @param offThread answers what takes long; null leaves it to this thread
   * @throws KesselError for options, seats or agents that do not fit
   */
  static async make(
    game: Game,
    request: RequestOf<"make">,
    factory: AgentFactory,
    host: SliceHost,
    shares: boolean,
    helper: ObservationHelper | null,
    offThread: OffThread | null,
  ): Promise<InProcessBatch> {
    const assistant = request.size >= HELPED_SIZE && request.ready === undefined ? helper : null;
    const slice = await Slice.make(
      game,
      request,
      { first: 0, size: request.size, of: request.size },
      factory,
      host,
      assistant !== null,
    );
    const { states, viewers } = slice.batch;
    const helped =
      assistant?.add(request, states[0]!.buffer as SharedArrayBuffer, viewers.buffer as SharedArrayBuffer) ?? null;
    try {
      return new InProcessBatch(game, request, slice, shares, helped, offThread);
    } catch (e) {
      helped?.leave(); // the helper keeps what is added until then
      await slice.close();
      throw e;
    }
  }

  get decided(): number {
    return this.slice.batch.asked;
  }

  free(n: number): void {
    this.slots.free(n);
  }

  run(request: BatchRequest, data: Uint8Array | undefined): Answer {
    const { slice } = this;
    switch (request.op) {
      case "step":
        return this.step(this.actionsIn(data));
      case "reset":
        return this.reset(this.resetDraft(request));
      case "load": {
        const { which, saved } = this.savedRows(request, data);
        checkSaved(this.game, saved.rows, slice.answerKeys.seal);
        return this.show(slice.load(which, saved.rows.map(stateIn)));
      }
      case "clone":
        this.checkClone(request);
        return this.show(slice.load(request.to, slice.copies(request)));
      case "expand":
        return this.expand(this.expansionIn(request, data));
      case "playout":
        return this.playOut(request);
      default:
        return this.ask(request);
    }
  }

  protected stop(): Promise<void> {
    this.helped?.leave();
    return this.slice.close();
  }

  private reset({ documents, plan }: ResetDraft): Answer {
    const states =
      documents === null
        ? null
        : documents.documents.map((doc, k) => readPosition(this.game, doc, documents.seeds[k]!));
    return this.show(this.slice.reset(plan(states)));
  }

  private expand(expansion: Expansion): Answer {
    const { layout } = expansion;
    const fits = layout.bytes <= this.shape.capacity;
    const { slot, memory } = fits ? this.slots.take() : { slot: undefined, memory: OwnMemory.of(layout.bytes) };
    const answer = (): Answer => ({
      packed: {
        tensors: layout.entries,
        data: memory.sent(layout.bytes),
        slot,
        ...(slot !== undefined && { kept: true }),
      },
    });
    const failed = (e: unknown): never => {
      if (slot !== undefined) this.slots.free(slot);
      throw e;
    };
    try {
      return this.slice.expand(expansion, memory)?.then(answer).catch(failed) ?? answer();
    } catch (e) {
      return failed(e);
    }
  }

  private async playOut(request: RequestOf<"playout">): Promise<Body> {
    const blocks = this.playoutBlocks(request);
    const frames: PackedFrame[] = [];
    for (const { request: block, seed } of blocks) frames.push((await this.slice.playOut(block, seed)).frame());
    return joinBlocks(frames);
  }

  private ask(request: Question): Answer {
    const gathered = gather(this.slice, request);
    if ("body" in gathered) return gathered.body;
    const { question } = gathered;
    const inPlace = (): Answer => answerLongQuestion(this.game, question, this.slice.answerKeys);
    return this.offThread === null ? inPlace() : this.offThread.ask(question, inPlace);
  }

  /** Plays a step. With a helper, blocks that have moved are written while the rest moves. */
  private step(actions: Int32Array): Answer {
    const { slice, helped } = this;
    if (helped === null || slice.hasAgents) return this.show(slice.step(actions));
    return this.packed((help) => slice.stepBlocks(actions, (end) => help?.ready(Math.floor(end / BLOCK_ROWS))));
  }

  private show(done: void | Promise<void>): Answer {
    return done === undefined ? this.packed() : done.then(() => this.packed());
  }

  /** Writes a frame. @param play moves the environments first, if that isn't done yet */
  private packed(play?: (help: FrameHelp | null) => void): { packed: PackedFrame } {
    const { slot, memory } = this.slots.take();
    const help =
      slot === undefined || this.helped === null
        ? null
        : this.helped.beginFrame(slot, Math.ceil(this.size / BLOCK_ROWS));
    try {
      play?.(help);
      return { packed: this.shape.finish(memory, [this.slice.writer.write(memory, help)], slot) };
    } catch (e) {
      help?.finish();
      if (slot !== undefined) this.slots.free(slot);
      throw e;
    }
  }

  private target(slot: number | undefined): FrameTarget {
    const where: FrameLocation | null = slot === undefined ? null : (this.memory?.where(slot) ?? null);
    if (this.helped === null || slot === undefined) {
      if (where === null) return new OwnMemory(Buffer.alloc(this.shape.capacity));
      if ("file" in where && this.shape.capacity <= GATHERED_BYTES)
        return new GatheredSlot(where.file, where.from, this.shape.capacity);
      return targetAt(where);
    }
    const shared = where ?? { memory: new SharedArrayBuffer(this.shape.capacity) };
    this.helped.setSlot(slot, shared);
    return targetAt(shared);
  }
}
