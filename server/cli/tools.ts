import type { Command } from "commander";
import { logLine } from "../stack-lines.js";
import type { SeatTable } from "../tools/seat-table.js";
import type { Allowed } from "../tools/desk.js";
import { KesselError } from "../../env/index.js";
import { example, several, whole } from "./common.js";

interface Flags {
  readonly http?: number;
  readonly allowHost: readonly string[];
  readonly seeds?: true;
  readonly potentials?: true;
  readonly allSeats?: true;
  readonly keep: boolean;
}

type Complain = (reason: string) => void;

export function register(command: Command): void {
  command
    .option("--http <port>", "serve streamable HTTP at 127.0.0.1 instead; 0 takes a free port", whole(0, 65535))
    .option(
      "--seeds",
      "clients may choose the seed of a game: for trusted programs, as who knows it can compute what is hidden",
    )
    .option(
      "--potentials",
      "facts beside the texts hold potentials and progress for rewards: for trainers, as they read the true state",
    )
    .option(
      "--all-seats",
      "clients may take all seats of a game, to let several models play each other: for programs that may know what every side knows",
    )
    .option(
      "--allow-host <name>",
      "with --http: a name by which a proxy or a tunnel leads here, accepted at any port; may be repeated",
      several,
      [],
    )
    .option("--no-keep", "keep no game on disk")
    .addHelpText(
      "after",
      `${example("kessel tools", "kessel tools --http 8765")}
A client's configuration, for one that starts its servers itself:
  {"mcpServers": {"kessel": {"command": "npx", "args": ["kessel", "tools"], "cwd": "/where/kessel/is"}}}
Games are kept like those of \`kessel play\` and go on after a restart: clients name them by their session id.`,
    )
    .action(async (flags: Flags) => {
      if (flags.http === undefined && flags.allowHost.length > 0)
        throw new KesselError("bad-option", "--allow-host goes with --http");
      const { NullStore, SessionStore } = await import("../session/store.js");
      const { SeatTable } = await import("../tools/seat-table.js");
      const store = flags.keep ? new SessionStore() : new NullStore();
      if (flags.keep) store.expire();
      const allowed = {
        seeds: flags.seeds === true,
        potentials: flags.potentials === true,
        allSeats: flags.allSeats === true,
      };
      const table = new SeatTable(store, allowed.allSeats);
      const complain: Complain = (reason) => void process.stderr.write(logLine({ what: "failed", reason }));
      if (flags.http === undefined) await serveInput(table, complain, allowed);
      else await serveHttp(table, flags.http, complain, allowed, flags.allowHost);
      await table.close();
    });
}

async function serveInput(table: SeatTable, complain: Complain, allowed: Allowed): Promise<void> {
  const { LineTransport } = await import("../tools/line-transport.js");
  const { toolServer } = await import("../tools/tool-server.js");
  const { Unanswered } = await import("../tools/unanswered.js");
  const server = toolServer(table, complain, allowed);
  const signalled = new Promise<void>((done) => {
    server.server.onclose = done;
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => done());
  });
  const ended = new Promise<void>((done) => process.stdin.once("end", done));
  const transport = new LineTransport(process.stdin, process.stdout);
  await server.connect(transport);
  const unanswered = new Unanswered(transport);
  // who has said all still gets the answers; who sends a signal doesn't wait for agents that think
  await Promise.race([signalled, ended.then(() => unanswered.settled())]);
  await server.close();
}

async function serveHttp(
  table: SeatTable,
  port: number,
  complain: Complain,
  allowed: Allowed,
  hosts: readonly string[],
): Promise<void> {
  const { ToolHttp } = await import("../tools/http.js");
  const http = await ToolHttp.start(table, port, complain, allowed, hosts);
  process.stdout.write(`tools at ${http.address}\n`);
  await new Promise<void>((done) => {
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => done());
  });
  await http.close();
}
