/**
 * Lists of states travel between threads as one array: thousands of small ones take the socket's thread long to send,
 * and longer to collect.
 */
interface Block {
  readonly rows: number;
  /** int32 `[rows, n]`. */
  readonly block: Int32Array;
}

/** Tasks and reports hold their lists no deeper than this: `done.gathered.question.states`. */
const DEPTH = 4;

const isPlain = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;

const isRows = (value: unknown): value is readonly Int32Array[] =>
  Array.isArray(value) &&
  value.length > 0 &&
  value.every((row) => row instanceof Int32Array && row.length === (value[0] as Int32Array).length);

const isBlock = (value: Record<string, unknown>): boolean => value["block"] instanceof Int32Array;

/**
 * A message with its lists of int32 arrays of one length turned into blocks.
 *
 * @param moved gets the memory of the blocks, to be moved to the other thread
 */
export function withBlocks(message: unknown, moved: ArrayBuffer[], depth = DEPTH): unknown {
  if (isRows(message)) return blockOf(message, moved);
  if (depth === 0 || !isPlain(message)) return message;
  const sent: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(message)) sent[key] = withBlocks(value, moved, depth - 1);
  return sent;
}

/** The message that `withBlocks` was given. */
export function withRows(message: unknown, depth = DEPTH): unknown {
  if (!isPlain(message)) return message;
  if (isBlock(message)) return rowsOf(message as unknown as Block);
  if (depth === 0) return message;
  for (const [key, value] of Object.entries(message)) message[key] = withRows(value, depth - 1);
  return message;
}

function blockOf(rows: readonly Int32Array[], moved: ArrayBuffer[]): Block {
  const n = rows[0]!.length;
  const block = new Int32Array(rows.length * n);
  rows.forEach((row, k) => block.set(row, k * n));
  moved.push(block.buffer);
  return { rows: rows.length, block };
}

function rowsOf({ rows, block }: Block): Int32Array[] {
  const n = block.length / rows;
  return Array.from({ length: rows }, (_, k) => block.subarray(k * n, (k + 1) * n));
}
