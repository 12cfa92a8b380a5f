/** Milliseconds that a task counts until its time is known, so that clients without any take turns. */
const UNKNOWN_MS = 0.01;

interface Waiting<T> {
  readonly tasks: T[];
  /** Milliseconds used, by a clock that all clients share. */
  used: number;
}

/**
 * Tasks that wait, by client. The client that has used the least time goes first (start-time fair queueing): many tasks
 * or long ones bring no client more than its share while others wait. A client that comes back after a pause begins
 * where the others are: time that was not used is not saved up.
 */
export class FairQueue<T> {
  private readonly clients = new Map<string, Waiting<T>>();
  /** What the client had used whose task was taken last. */
  private clock = 0;

  push(client: string, task: T): void {
    const known = this.clients.get(client);
    if (known === undefined) this.clients.set(client, { tasks: [task], used: this.clock });
    else known.tasks.push(task);
  }

  /** Takes the next task; null when none waits. */
  next(): { readonly client: string; readonly task: T } | null {
    let first: string | null = null;
    for (const [client, { tasks, used }] of this.clients)
      if (tasks.length > 0 && (first === null || used < this.clients.get(first)!.used)) first = client;
    if (first === null) return null;
    const waiting = this.clients.get(first)!;
    this.clock = waiting.used;
    waiting.used += UNKNOWN_MS;
    return { client: first, task: waiting.tasks.shift()! };
  }

  /** A task that was taken for the client took `ms` milliseconds. */
  spent(client: string, ms: number): void {
    const waiting = this.clients.get(client);
    if (waiting !== undefined) waiting.used += ms - UNKNOWN_MS;
    // who comes back later begins at the clock
    for (const [name, { tasks, used }] of this.clients)
      if (tasks.length === 0 && used <= this.clock) this.clients.delete(name);
  }

  /** Takes all tasks out, and forgets what was used. */
  clear(): T[] {
    const all = [...this.clients.values()].flatMap(({ tasks }) => tasks);
    this.clients.clear();
    return all;
  }
}
