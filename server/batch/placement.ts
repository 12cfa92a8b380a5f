import type { Game } from "../../env/index.js";

/** A batch of up to this many environments doesn't count towards the bytes of the socket's thread. */
export const SMALL = 16;
/** Most environments of a batch that the socket's thread steps beside worker threads. */
const IN_PROCESS_SIZE = 1024;
/**
 * Defaults of `localBytes`: so much is stepped and written in a few milliseconds. Where a step takes longer than to
 * write what it changed, threads that share the steps are worth the way to them sooner.
 */
const IN_PROCESS_BYTES = 24 * 1024 * 1024;
const IN_PROCESS_BYTES_HEAVY = 8 * 1024 * 1024;

/** What a client asks for, as far as the choice of the thread needs it. */
export interface Placed {
  readonly size: number;
  readonly privileged?: boolean | undefined;
  readonly data?: unknown;
  readonly seats?: Readonly<Record<string, unknown>> | undefined;
  readonly nodes?: number | undefined;
}

/**
 * True when the socket's thread steps a batch itself, which saves the way to a worker thread: when the batch is small,
 * or among the first. Agents that think, searches in nodes, games with data of one's own and questions about hidden
 * things go to worker threads.
 *
 * @param bytes of the batch
 * @param used bytes of the batches above `SMALL` that this thread steps already
 * @param localBytes the server's limit, where it was given one
 */
export function stepsHere(
  game: Pick<Game, "heavySteps">,
  request: Placed,
  bytes: number,
  used: number,
  localBytes?: number,
): boolean {
  const { size, privileged, data, seats = {}, nodes } = request;
  if (privileged === true || data !== undefined || nodes !== undefined) return false;
  if (!Object.values(seats).every((agent) => agent === "external" || agent === "random")) return false;
  if (size <= SMALL) return true;
  const most = localBytes ?? (game.heavySteps === true ? IN_PROCESS_BYTES_HEAVY : IN_PROCESS_BYTES);
  return size <= IN_PROCESS_SIZE && used + bytes <= most;
}
