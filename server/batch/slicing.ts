import { BLOCK_ROWS } from "../../env/index.js";
import type { SliceRange } from "../slice/range.js";
import { BLOCK } from "../slice/slice.js";

/**
 * Smallest batch that is cut into slices for all threads: environments, without agents also bytes. The server's agents
 * take most of the time of a step, so they are worth more threads sooner.
 */
const SLICED_SIZE = 512;
const SLICED_SIZE_AGENTS = 2 * BLOCK;
const SLICED_BYTES = 4 * 1024 * 1024;
/** Smallest reply that several threads share. */
const SHARED_ROWS = 64;
/**
 * Most environments of a slice: other clients of its thread wait while it is stepped. More where slices share replies
 * (`ready`), and where each has a thread of its own.
 */
const LARGEST_SLICE = 256;
const LARGEST_SEPARATE = 1024;

interface Cut {
  readonly size: number;
  readonly ready?: number | undefined;
  readonly bytes: number;
  readonly agents: boolean;
  readonly ownThreads?: boolean;
  /** Its nodes are on one thread, and with them all environments. */
  readonly whole?: boolean;
}

/**
 * How a batch is cut into slices: large ones over all threads, at multiples of the blocks that share an agent, or
 * without agents of those that are written at once.
 *
 * @param ready environments of a reply, if not all; cutting a batch with small replies saves nothing
 * @param ownThreads each slice has a thread of its own
 */
export function slicesOf(
  { size, ready = size, bytes, agents, ownThreads = false, whole = false }: Cut,
  threads: number,
): SliceRange[] {
  const large = agents ? size >= SLICED_SIZE_AGENTS : size >= SLICED_SIZE || bytes >= SLICED_BYTES;
  const largest = ready < size || ownThreads ? LARGEST_SEPARATE : LARGEST_SLICE;
  // as many for each thread
  const wanted = large && !whole && ready >= SHARED_ROWS ? threads * Math.ceil(size / largest / threads) : 1;
  const block = agents ? BLOCK : BLOCK_ROWS;
  const step = block * Math.max(1, Math.ceil(size / wanted / block));
  return Array.from({ length: Math.ceil(size / step) }, (_, k) => ({
    first: k * step,
    size: Math.min(step, size - k * step),
    of: size,
  }));
}

/**
 * The largest batch with agents, smaller than `cut`, that has at most `slices` slices; 0 for none. Where the number of
 * slices grows, it does so after a multiple of a block, or where a batch is large enough to be cut.
 */
export function largestWithin(slices: number, cut: Cut, threads: number): number {
  const fits = (size: number): boolean =>
    slicesOf({ ...cut, size, ready: Math.min(cut.ready ?? size, size) }, threads).length <= slices;
  for (let size = BLOCK * (Math.ceil(cut.size / BLOCK) - 1); size >= SLICED_SIZE_AGENTS; size -= BLOCK)
    if (fits(size)) return size;
  return slices > 0 ? SLICED_SIZE_AGENTS - 1 : 0;
}
