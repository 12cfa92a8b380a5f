import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { InvariantError } from "../../env/index.js";
import { median } from "../../training/report/stats.js";
import { table } from "../../training/report/table.js";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const KESSEL = join(ROOT, "server/cli/kessel.mjs");
/** Clock ticks of proc(5) a second, on every Linux that Node.js runs on. */
const TICKS = 100;
/** Runs in a row of what takes a tenth of a second. */
const SHORT = 5;

interface Took {
  /** Seconds on the clock. */
  readonly wall: number;
  /** Seconds of processor time, with threads and ended children; null where unknown (other systems than Linux). */
  readonly cpu: number | null;
}

/** What starting something takes. */
export interface StartTime {
  readonly what: string;
  /** Medians, in seconds. */
  readonly wall: number;
  readonly cpu: number | null;
  /** Processor time in multiples of `node -e 0`; null where unknown. */
  readonly ratio: number | null;
}

/** Processor time of a process so far, in seconds; null where unknown. @param children also its ended children's */
function cpuOf(pid: number | "self", children: "only" | "also"): number | null {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]!.split(" ").map(Number);
    const ended = fields[13]! + fields[14]!;
    return (children === "only" ? ended : ended + fields[11]! + fields[12]!) / TICKS;
  } catch {
    return null;
  }
}

const startOf = (args: readonly string[], folder: string): ChildProcess =>
  spawn(process.execPath, args, { stdio: "pipe", env: { ...process.env, KESSEL_SESSIONS: folder } });

/**
 * Runs a program to its end, some times: a tick of the clock is a fifth of what bare Node.js takes.
 *
 * @returns what one took
 */
async function whole(
  program: string,
  args: readonly string[],
  { times = 1, env = {} }: { readonly times?: number; readonly env?: NodeJS.ProcessEnv } = {},
): Promise<Took> {
  const before = cpuOf("self", "only");
  const began = performance.now();
  for (let k = 0; k < times; k++) {
    const child = spawn(program, args, { stdio: "ignore", env: { ...process.env, ...env } });
    await once(child, "close");
  }
  const after = cpuOf("self", "only");
  const cpu = before === null || after === null ? null : (after - before) / times;
  return { wall: (performance.now() - began) / 1000 / times, cpu };
}

/** Starts a program, waits for what `until` waits for, and ends it. */
async function untilReady(
  args: readonly string[],
  folder: string,
  until: (child: ChildProcess, line: () => Promise<string>) => Promise<unknown>,
): Promise<Took> {
  const began = performance.now();
  const child = startOf(args, folder);
  const lines = createInterface({ input: child.stdout! })[Symbol.asyncIterator]();
  const line = async (): Promise<string> => {
    const { value, done } = (await lines.next()) as { value?: string; done?: boolean };
    if (done === true || value === undefined) throw new InvariantError(`kessel ${args.slice(1).join(" ")} ended early`);
    return value;
  };
  try {
    await until(child, line);
    return { wall: (performance.now() - began) / 1000, cpu: cpuOf(child.pid!, "also") };
  } finally {
    child.kill("SIGKILL");
    await once(child, "close");
  }
}

const GREETING = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "bench", version: "1" } },
};

/**
 * Fetches what a browser fetches for the first whole page: the page, its program and styles, the lobby and its boards.
 */
async function wholePage(address: string): Promise<void> {
  const get = async (path: string): Promise<string> => (await fetch(new URL(path, address))).text();
  const html = await get("/");
  const parts = [...html.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map(([, path]) => path!);
  const [games] = await Promise.all([get("/api/games"), ...parts.map(get)]);
  const listed = JSON.parse(games!) as readonly { id: string }[];
  await Promise.all(listed.map(({ id }) => get(`/boards/${id}.light.svg`)));
}

const FROM_PYTHON = `
import kessel
batch = kessel.make_vec("pocket-stalingrad", 64)
batch.reset(seed=1)
batch.close()
`;

/**
 * Measures what starting takes: medians over some runs of each, in turn.
 *
 * @param python a Python with numpy, pyzmq and msgpack; null leaves its row out
 */
export async function startTimes(repeats: number, python: string | null): Promise<readonly StartTime[]> {
  const folder = mkdtempSync(join(tmpdir(), "kessel-start-"));
  const kessel = (...args: string[]) => whole(process.execPath, [KESSEL, ...args], { times: SHORT });
  const ways: readonly { readonly what: string; readonly run: () => Promise<Took> }[] = [
    { what: "node -e 0", run: () => whole(process.execPath, ["-e", "0"], { times: SHORT }) },
    { what: "kessel list", run: () => kessel("list") },
    { what: "kessel --help", run: () => kessel("--help") },
    { what: "a refused option", run: () => kessel("list", "--no-such-option") },
    {
      what: "kessel tools, to the answer of initialize",
      run: () =>
        untilReady([KESSEL, "tools"], folder, (child, line) => {
          child.stdin!.write(`${JSON.stringify(GREETING)}\n`);
          return line();
        }),
    },
    {
      what: "kessel serve, to the first whole page",
      run: () =>
        untilReady([KESSEL, "serve", "--port", "0", "--page-port", "0"], folder, async (_, line) => {
          let text: string;
          do text = await line();
          while (!text.includes("play page"));
          await wholePage(/http\S+/.exec(text)![0]);
        }),
    },
    ...(python === null
      ? []
      : [
          {
            what: "kessel.make_vec from Python, to the first observation",
            run: () => whole(python, ["-c", FROM_PYTHON], { env: { PYTHONPATH: join(ROOT, "server/python") } }),
          },
        ]),
  ];
  try {
    await kessel("list"); // compiles, where that is needed
    const took: Took[][] = ways.map(() => []);
    for (let r = 0; r < repeats; r++) for (const [i, way] of ways.entries()) took[i]!.push(await way.run());
    const middle = (i: number): { wall: number; cpu: number | null } => {
      const cpus = took[i]!.map((t) => t.cpu);
      return {
        wall: median(took[i]!.map((t) => t.wall)),
        cpu: cpus.every((c) => c !== null) ? median(cpus as number[]) : null,
      };
    };
    const bare = middle(0).cpu;
    return ways.map(({ what }, i) => {
      const { wall, cpu } = middle(i);
      return { what, wall, cpu, ratio: cpu === null || bare === null || bare === 0 ? null : cpu / bare };
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A Python of the checkout or of KESSEL_PYTHON; null if there is none. */
export function pythonHere(): string | null {
  const python = process.env["KESSEL_PYTHON"] ?? join(ROOT, ".venv/bin/python");
  return existsSync(python) ? python : null;
}

/** The result as plain text. */
export function startText(times: readonly StartTime[]): string {
  const rows = times.map((t) => [
    t.what,
    t.wall.toFixed(2),
    t.cpu === null ? "-" : t.cpu.toFixed(2),
    t.ratio === null ? "-" : t.ratio.toFixed(1),
  ]);
  return table(["to start", "seconds", "CPU seconds", "times node -e 0"], rows, 1);
}
