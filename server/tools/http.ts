import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { KesselError, shown } from "../../env/index.js";
import { HostNames, Proxies } from "../host-names.js";
import { listenFailure } from "../listen-failure.js";
import { faultText } from "../stack-lines.js";
import type { Allowed } from "./desk.js";
import type { SeatTable } from "./seat-table.js";
import { toolServer } from "./tool-server.js";

/** Clients at once; the one that has been silent longest makes room for another. */
const MOST_CLIENTS = 256;

const PATH = "/mcp";
const HOST = "127.0.0.1";
/** Behind a proxy the tools look at the names that they are asked under, and at nothing else. */
const NO_PROXIES = new Proxies([]);

/** The tools over streamable HTTP, on loopback: whoever reaches the port may play, and other machines may not. */
export class ToolHttp {
  private readonly clients = new Map<string, StreamableHTTPServerTransport>();

  private constructor(
    private readonly http: Server,
    private readonly table: SeatTable,
    private readonly complain: (reason: string) => void,
    private readonly names: HostNames,
    private readonly allowed?: Allowed,
  ) {}

  /**
   * @param hosts names by which a proxy or a tunnel leads to the tools, at any port
   * @throws KesselError `bad-config` when the port is taken, `bad-option` for a name that is none
   */
  static async start(
    table: SeatTable,
    port: number,
    complain: (reason: string) => void,
    allowed?: Allowed,
    hosts: readonly string[] = [],
  ): Promise<ToolHttp> {
    const names = new HostNames(HOST, hosts);
    const http = createServer();
    const here = new ToolHttp(http, table, complain, names, allowed);
    http.on("request", (request, response) => void here.answer(request, response));
    await new Promise<void>((done, fail) => {
      http.once("error", (e) =>
        fail(new KesselError("bad-config", `port ${port} can't be opened: ${listenFailure(e)}`)),
      );
      http.listen(port, HOST, done);
    });
    return here;
  }

  get port(): number {
    return (this.http.address() as AddressInfo).port;
  }

  get address(): string {
    return `http://${HOST}:${this.port}${PATH}`;
  }

  async close(): Promise<void> {
    for (const client of this.clients.values()) await client.close();
    this.http.closeAllConnections();
    await new Promise((done) => this.http.close(done));
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const [pathname] = (request.url ?? "/").split("?") as [string];
      if (pathname !== PATH)
        return refuse(response, 404, `there is nothing at ${shown(pathname)}; the tools are at ${PATH}`);
      // a page of another site that resolves its name to this machine must not reach the tools
      const call = NO_PROXIES.call(request, false);
      if (!this.names.answer(call, request.socket))
        return refuse(
          response,
          403,
          `the Host header names another server, ${shown(call.host)}; kessel tools --allow-host adds one`,
        );
      if (!this.names.trust(call, request.headers.origin))
        return refuse(response, 403, "pages of other sites may not call the tools");
      const id = request.headers["mcp-session-id"];
      const known = typeof id === "string" ? this.clients.get(id) : undefined;
      if (known !== undefined) {
        this.clients.delete(id as string);
        this.clients.set(id as string, known);
        return await known.handleRequest(request, response);
      }
      if (id !== undefined)
        return refuse(response, 404, "that MCP session has ended; begin a new one (games go on in it)");
      await (await this.connect()).handleRequest(request, response);
    } catch (e) {
      this.complain(faultText(e));
      if (!response.headersSent) refuse(response, 500, "the server failed at this");
    }
  }

  private async connect(): Promise<StreamableHTTPServerTransport> {
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => {
        if (this.clients.size >= MOST_CLIENTS) void this.clients.values().next().value!.close();
        this.clients.set(id, transport);
      },
    });
    transport.onclose = () => {
      if (transport.sessionId !== undefined) this.clients.delete(transport.sessionId);
    };
    await toolServer(this.table, this.complain, this.allowed).connect(transport);
    return transport;
  }
}

function refuse(response: ServerResponse, status: number, message: string): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify({ jsonrpc: "2.0", error: { code: -32000, message }, id: null }));
}
