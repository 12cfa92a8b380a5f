import { createHash, randomBytes } from "node:crypto";
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, platform } from "node:os";
import { dirname, join } from "node:path";
import { type Command, InvalidArgumentError, Option } from "commander";
import { importGame } from "../../agents/import-game.js";
import { SHIPPED } from "../../agents/model-file.js";
import { gameIds, KesselError } from "../../env/index.js";
import { logLine } from "../stack-lines.js";
import { stateFolder } from "../session/state-folder.js";
import { DEFAULT_LIMITS, type Limits } from "../wire/limits.js";
import { DEFAULT_PORT, PROTOCOL } from "../wire/version.js";
import type { ServerOptions } from "../zmq.js";
import { example, listFolder, print, readText, several, whole } from "./common.js";

interface Flags {
  port: number;
  bind?: string;
  models: string;
  trustModels?: boolean;
  workers: number;
  keys?: string;
  clients?: string;
  stateKey?: string;
  keyedDice?: boolean;
  limit: Partial<Record<LimitName, number>>;
  stats?: number;
  json?: boolean;
  stopWithInput?: boolean;
  pipe?: boolean;
  page: boolean;
  pagePort: number;
  pageHost: string;
  pageCert?: string;
  pageKey?: string;
  pageBase?: string;
  allowHost: readonly string[];
  trustProxy: readonly string[];
  share?: boolean;
  games?: string;
  runs?: string;
}

/** A timer of Node takes no longer times, and would fire all the time. */
const MOST_STATS_SECONDS = 2_000_000;
const MIB = 1024 * 1024;
const OWN_STATE_KEY = join(stateFolder(), "state-key");
/** What one connection may take of environments and memory, unless options say otherwise. */
const CLIENT_SHARE = 0.75;
const DEFAULT_PAGE_PORT = 7558;
/** A process that is asked to stop ends within 5 seconds. */
const EXIT_MS = 4_800;

/** Milliseconds between two looks whether npm, which started this process, is still there. */
const PARENT_MS = 500;

/** A limit that the command line sets: its default, its bounds, and what it limits. */
interface LimitOption {
  readonly value: number | null;
  readonly least?: number;
  readonly most?: number;
  readonly about: string;
}

const d = DEFAULT_LIMITS;
const LIMITS = {
  message: { value: d.messageBytes / MIB, most: 2048, about: "size of a message frame, MiB" },
  batches: { value: d.batchesPerClient, about: "batches of one connection" },
  environments: { value: d.environments, about: "environments of all clients together" },
  memory: { value: d.batchBytes / MIB, about: "memory of all batches together, MiB" },
  "client-environments": { value: null, about: "environments of one connection; default three quarters of all" },
  "client-memory": { value: null, about: "memory of one connection's batches, MiB; default three quarters of all" },
  searches: {
    value: d.searchesPerClient,
    about: "threads of one connection for batches with agents that search, or with models in their own processes",
  },
  "searches-at-once": { value: d.searchesAtOnce, about: "concurrent searches" },
  "decision-seconds": {
    value: d.decisionSeconds,
    about: "time limit for one decision of an agent, and for one run of a model in its own process",
  },
  "request-seconds": { value: d.requestSeconds, about: "time limit for a thread's work on one request" },
  "in-flight": { value: d.inFlight, about: "unanswered requests of one connection" },
  "idle-seconds": { value: d.idleSeconds, about: "time without a request after which a batch is closed" },
  "grace-seconds": { value: 60, least: 0, about: "time that a batch is kept after its connection is lost" },
} as const satisfies Readonly<Record<string, LimitOption>>;
type LimitName = keyof typeof LIMITS;

const limitsText = (): string =>
  `\nLimits:\n${Object.entries<LimitOption>(LIMITS)
    .map(([name, { value, about }]) => `  ${name.padEnd(20)} ${about}${value === null ? "" : ` (default ${value})`}`)
    .join("\n")}`;

function collectLimit(text: string, earlier: Partial<Record<LimitName, number>>): Partial<Record<LimitName, number>> {
  const at = text.indexOf("=");
  const name = text.slice(0, Math.max(at, 0));
  if (!Object.hasOwn(LIMITS, name))
    throw new InvalidArgumentError(`Give it as name=value; limits are ${Object.keys(LIMITS).join(", ")}.`);
  const { least = 1, most }: LimitOption = LIMITS[name as LimitName];
  return { ...earlier, [name]: whole(least, most)(text.slice(at + 1)) };
}

export function register(command: Command): void {
  command
    .option("--port <port>", "TCP port on the loopback address; 0 takes a free one", whole(0, 65535), DEFAULT_PORT)
    .addOption(new Option("--bind <address>", "ZeroMQ address instead of a port").conflicts("port"))
    .option("--models <dir>", "folder that agents' model files are read from", SHIPPED)
    .option(
      "--trust-models",
      "run models inside the server (faster); by default each runs in its own process and is killed if it hangs or crashes",
    )
    .option(
      "--workers <n>",
      "threads that step batches (one more helps write observations); 0: the socket's thread steps all",
      whole(0, 256),
      Math.max(2, availableParallelism() - 1),
    )
    .option(
      "--keys <file>",
      "key pair of this server (`kessel keys`), needed for addresses that other machines can reach",
    )
    .option("--clients <file>", "public keys of the clients that may connect, one a line; goes with --keys")
    .option(
      "--state-key <file>",
      "secret of at least 32 bytes that signs saved states, so that they load on all servers with the same file; by default one that your servers on this machine share",
    )
    .option(
      "--keyed-dice",
      "dice come from a cipher under a key drawn at the start, so that no client can compute those to come from those it saw",
    )
    .option("--limit <name=value>", "a limit of the server, listed below; may be repeated", collectLimit, {})
    .option("--stats <seconds>", "log what the server does, at this interval", whole(1, MOST_STATS_SECONDS))
    .option("--json", "print the address as JSON")
    .option("--page-port <port>", "port of the play page; 0 takes a free one", whole(0, 65535), DEFAULT_PAGE_PORT)
    .option(
      "--share",
      "open the play page to other machines of this network: at 0.0.0.0 unless --page-host says otherwise, with a certificate made here unless you bring one; prints what others open",
    )
    .option(
      "--page-host <host>",
      "address that the play page listens at; beyond loopback it needs --page-cert and --page-key, or --share",
      "127.0.0.1",
    )
    .option("--page-cert <file>", "TLS certificate of the play page (PEM)")
    .option("--page-key <file>", "its key (PEM)")
    .option(
      "--allow-host <name>",
      "a name by which a proxy, a tunnel or the network leads to the play page, accepted at any port; may be repeated",
      several,
      [],
    )
    .option(
      "--page-base <path>",
      "path before all addresses of the play page, such as /kessel; a proxy passes it on unchanged",
    )
    .option(
      "--trust-proxy <address>",
      "a proxy whose X-Forwarded-Host, -Proto and -For count, as an address or 10.0.0.0/8; those of others are ignored; may be repeated",
      several,
      [],
    )
    .option("--games <dir>", "recorded games that anyone who opens the page may look at (kessel arena --record)")
    .option("--runs <dir>", "training runs that anyone who opens the page may watch at /runs (kessel train --run)")
    .option("--no-page", "do not serve the play page (implied by --stop-with-input)")
    .option("--stop-with-input", "stop when standard input ends (for programs that start a server)")
    .addOption(
      new Option(
        "--pipe",
        "speak over standard input and output, to the program that starts this one (for single environments)",
      ).conflicts(["port", "bind", "keys", "clients", "workers", "json", "stats", "stopWithInput", "share"]),
    )
    .addHelpText("after", limitsText)
    .addHelpText(
      "after",
      example(
        "kessel serve --port 7557",
        "kessel serve --limit environments=4096 --limit memory=2048",
        "kessel serve --share",
        "kessel serve --page-base /kessel --allow-host play.example.org",
        'python -c \'import kessel; print(kessel.make_vec("pocket-stalingrad", 64, address="tcp://127.0.0.1:7557"))\'',
      ),
    )
    .action(serve);
}

async function serve(flags: Flags): Promise<void> {
  if (flags.pipe === true) return pipe(flags);
  const { Server } = await import("../zmq.js"); // libzmq starts threads: only when wanted
  const version = versionOf();
  if (flags.games !== undefined) listFolder(flags.games, "bad-option");
  const keys = await keysFrom(flags);
  const stateKey = stateKeyFrom(flags.stateKey);
  const stopped = untilStopped(flags.stopWithInput === true);
  const starting = flags.page && flags.stopWithInput !== true ? startPage(flags) : null;
  if (starting === null && flags.share === true)
    throw new KesselError(
      "bad-option",
      "--share shares the play page: it goes without --no-page and --stop-with-input",
    );
  starting?.catch(() => undefined); // it is waited for below
  // before any connection takes a file: Node.js never tries a module again that it could not read
  for (const id of gameIds()) await importGame(id);
  const server = await Server.start({
    ...(keys && { keys }),
    bind: flags.bind ?? `tcp://127.0.0.1:${flags.port === 0 ? "*" : flags.port}`,
    models: flags.models,
    trustModels: flags.trustModels === true,
    ...(stateKey && { stateKey }),
    ...(flags.keyedDice === true && { diceKey: randomBytes(32) }),
    workers: flags.workers,
    limits: limitsFrom(flags),
    graceSeconds: flags.limit["grace-seconds"] ?? LIMITS["grace-seconds"].value,
    log,
    version,
  }).catch(async (e: unknown) => {
    await starting?.then((page) => page.close()).catch(() => undefined); // it would keep this process alive
    throw e;
  });
  const page = await Promise.race([starting, stopped.then(() => null)]).catch(async (e: unknown) => {
    await server.close(); // whoever asked for a page is not left with half of a server
    throw e;
  });
  const { address } = server;
  if (flags.json) print(JSON.stringify({ ready: true, address, protocol: PROTOCOL, version, pid: process.pid }));
  else
    print(
      `kessel ${version} serves ${gameIds().length} games at ${address}; in Python: kessel.make_vec("${gameIds()[0] ?? "GAME"}", 64, address="${address}"). Ctrl-C stops it.`,
    );
  if (page !== null && !flags.json) print(page.says);
  if (flags.stats !== undefined) setInterval(() => log("stats", server.handler.stats()), flags.stats * 1000).unref();
  await stopped;
  // a thread inside a library's code keeps the process alive and can't be stopped in any other way
  setTimeout(() => process.kill(process.pid, "SIGKILL"), EXIT_MS).unref();
  await Promise.all([starting?.then((p) => p.close()), server.close()]);
  log("stopped", server.handler.stats());
}

/** Serves the program that started this one; its environments are its own, so limits leave it what the machine has. */
async function pipe(flags: Flags): Promise<void> {
  const { servePipe } = await import("../pipe.js");
  const stateKey = stateKeyFrom(flags.stateKey);
  await servePipe({
    models: flags.models,
    trustModels: flags.trustModels === true,
    ...(stateKey && { stateKey }),
    ...(flags.keyedDice === true && { diceKey: randomBytes(32) }),
    limits: { ...limitsFrom(flags), batchesPerClient: flags.limit.batches ?? 1_000_000 },
    log,
    version: versionOf(),
  });
}

const versionOf = (): string =>
  (JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")) as { version: string }).version;

/** The play page in a thread of its own, so that it waits for no trainer's batch. @throws KesselError `bad-option` */
async function startPage(f: Flags) {
  const { PageThread } = await import("../page/thread.js");
  if ((f.pageCert === undefined) !== (f.pageKey === undefined))
    throw new KesselError("bad-option", "--page-cert and --page-key go together");
  const tls =
    f.pageCert === undefined
      ? null
      : { cert: readText(f.pageCert, "bad-option"), key: readText(f.pageKey!, "bad-option") };
  const share = f.share === true ? (await import("../page/share.js")).shareAt(f.pageHost, f.allowHost, tls) : null;
  const start = {
    port: f.pagePort,
    host: f.pageHost,
    allowHosts: f.allowHost,
    trustProxies: f.trustProxy,
    ...(f.pageBase === undefined ? {} : { base: f.pageBase }),
    ...(f.games === undefined ? {} : { games: f.games }),
    ...(f.runs === undefined ? {} : { runs: f.runs }),
    ...(tls === null ? {} : { tls }),
    ...share?.start,
  };
  const page = await PageThread.start(start, log);
  const says = [`The play page is at ${page.address}`, ...(share?.says(page.address) ?? [])].join("\n");
  return { close: () => page.close(), says };
}

/**
 * The key that saved states are signed with. Without a file it is one that this user's servers on this machine share,
 * made at the first start, so that states load after a restart.
 *
 * @throws KesselError `bad-option`
 */
function stateKeyFrom(file: string | undefined): Uint8Array | undefined {
  const text = file === undefined ? ownStateKey() : readText(file, "bad-option").trim();
  if (text === null) return undefined;
  if (Buffer.byteLength(text) < 32)
    throw new KesselError(
      "bad-option",
      `${file ?? OWN_STATE_KEY} holds ${Buffer.byteLength(text)} bytes; a state key has at least 32 (openssl rand -hex 32 makes one)`,
    );
  return createHash("sha256").update(text).digest();
}

/** @returns null where it can't be kept */
function ownStateKey(): string | null {
  try {
    mkdirSync(dirname(OWN_STATE_KEY), { recursive: true, mode: 0o700 });
    const draft = `${OWN_STATE_KEY}.${process.pid}`;
    writeFileSync(draft, `${randomBytes(32).toString("hex")}\n`, { mode: 0o600 });
    try {
      linkSync(draft, OWN_STATE_KEY); // whole at once, and only if there is none
    } finally {
      rmSync(draft);
    }
  } catch (e) {
    if ((e as NodeJS.ErrnoException).code !== "EEXIST") {
      log("state-key-not-kept", { file: OWN_STATE_KEY, why: (e as Error).message });
      return null;
    }
  }
  return readText(OWN_STATE_KEY, "bad-option").trim();
}

async function keysFrom({ keys, clients }: Flags): Promise<ServerOptions["keys"]> {
  if (keys === undefined && clients === undefined) return undefined;
  if (keys === undefined || clients === undefined)
    throw new KesselError("bad-option", "--keys and --clients go together");
  const { readAllowed, readKeys } = await import("../wire/curve.js");
  return { own: readKeys(keys), clients: readAllowed(clients) };
}

function limitsFrom({ limit }: Flags): Limits {
  const of = (name: LimitName): number => limit[name] ?? LIMITS[name].value ?? Number.NaN;
  const share = (name: "client-environments" | "client-memory", all: number): number =>
    limit[name] ?? Math.ceil(all * CLIENT_SHARE);
  return {
    messageBytes: of("message") * MIB,
    batchesPerClient: of("batches"),
    environments: of("environments"),
    environmentsPerClient: share("client-environments", of("environments")),
    batchBytes: of("memory") * MIB,
    batchBytesPerClient: share("client-memory", of("memory")) * MIB,
    searchesPerClient: of("searches"),
    searchesAtOnce: of("searches-at-once"),
    decisionSeconds: of("decision-seconds"),
    requestSeconds: of("request-seconds"),
    inFlight: of("in-flight"),
    idleSeconds: of("idle-seconds"),
  };
}

function untilStopped(withInput: boolean): Promise<void> {
  return new Promise((resolve) => {
    const stop = (): void => {
      if (withInput) process.stdin.destroy(); // while it is read, this process does not end
      resolve();
    };
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, stop);
    if (withInput) process.stdin.on("end", stop).on("error", stop).resume();
    if (process.env["npm_lifecycle_event"] !== undefined) {
      const began = startedBy();
      setInterval(() => (startedBy() ?? began) !== began && stop(), PARENT_MS).unref();
    }
  });
}

/**
 * The shell that npm started this process with, and npm where the system says: a signal to npm ends only these. Null
 * where it can't be read at this moment, for example without a free file.
 */
function startedBy(): string | null {
  const { ppid } = process;
  if (platform() !== "linux") return String(ppid);
  try {
    return `${ppid} ${readFileSync(`/proc/${ppid}/stat`, "latin1").split(") ").at(-1)!.split(" ")[1]!}`;
  } catch {
    return null;
  }
}

/** One JSON line an event, to standard error. */
function log(event: string, facts: Readonly<Record<string, unknown>>): void {
  process.stderr.write(logLine({ time: new Date().toISOString(), event, ...facts }));
}
