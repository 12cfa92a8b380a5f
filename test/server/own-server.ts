import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

/** What a server logs when all is well. */
const EXPECTED = ["lease-ended", "stopped"];

/** A server in a process of its own. */
export interface OwnServer {
  readonly address: string;
  /** Lines of its log that report a fault, and its exit when it wasn't asked for. */
  readonly faults: readonly string[];
  /** Stops it, as the end of its input does. */
  close(): Promise<void>;
}

/** @param args of `kessel serve`, beyond a port of its own */
export async function startServer(...args: string[]): Promise<OwnServer> {
  const kessel = fileURLToPath(new URL("../../server/cli/kessel.mjs", import.meta.url));
  const server = spawn(
    process.execPath,
    [kessel, "serve", ...(args.includes("--bind") ? [] : ["--port", "0"]), "--json", "--stop-with-input", ...args],
    {
      stdio: ["pipe", "pipe", "pipe"],
    },
  );
  const faults: string[] = [];
  let closing = false;
  const ended = new Promise<void>((resolve) => {
    server.once("exit", (status, signal) => {
      if (!closing || status !== 0) faults.push(`the server ended with ${signal ?? `status ${status}`}`);
      resolve();
    });
  });
  createInterface({ input: server.stderr }).on("line", (line) => {
    if (!EXPECTED.some((event) => line.includes(`"event":"${event}"`))) faults.push(line);
  });
  const told = new Promise<string>((resolve) => createInterface({ input: server.stdout }).once("line", resolve));
  const line = await Promise.race([told, ended.then(() => Promise.reject(new Error(faults.join("\n"))))]);
  const { address } = JSON.parse(line) as { address: string };
  const close = (): Promise<void> => {
    closing = true;
    server.stdin.end();
    return ended;
  };
  return { address, faults, close };
}

/** What `stats` answers. */
export type Stats = Record<
  "batches" | "environments" | "batchBytes" | "processBytes" | "requests" | "errors" | "decisions",
  number
>;

/** The server's memory over time. */
export class Levels {
  private readonly samples: { readonly at: number; readonly bytes: number }[] = [];

  /** @param at ms since the start */
  note(at: number, bytes: number): void {
    this.samples.push({ at, bytes });
  }

  /**
   * Mean over `round` ms that end at `at`, in MiB; if the server was silent for all of them, its last report before.
   */
  mean(at: number, round: number): number {
    const before = this.samples.filter((s) => s.at <= at);
    const recent = before.filter((s) => s.at > at - round);
    const those = recent.length > 0 ? recent : before.slice(-1);
    return those.reduce((sum, s) => sum + s.bytes, 0) / those.length / 2 ** 20;
  }
}
