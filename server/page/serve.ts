import { createServer, type IncomingMessage, type Server as HttpServer, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { type AddressInfo, isIPv6, type Socket } from "node:net";
import { hostname } from "node:os";
import { type WebSocket, WebSocketServer } from "ws";
import { importGame } from "../../agents/import-game.js";
import { gameIds, gameType, KesselError, parseWith, shown } from "../../env/index.js";
import { allowedHost, type Call, HostNames, isWildcard, LOOPBACK, Proxies } from "../host-names.js";
import { listenFailure } from "../listen-failure.js";
import { faultOf } from "../stack-lines.js";
import { endThread } from "../threads/library.js";
import type { SessionStore } from "../session/store.js";
import type { Asset } from "./asset.js";
import { bundle } from "./bundle.js";
import { bodyOf, decodedName, filterOf, HttpError, json, MISTAKE, optionsOf } from "./http.js";
import { Hub, HUB_DEFAULTS } from "./hub.js";
import { guideOf, primerOf } from "./learn/primer.js";
import { listedPuzzles, puzzleRatingOf } from "./learn/puzzle.js";
import { ratingsOf } from "./learn/ratings.js";
import { RulesPages } from "./learn/rules-page.js";
import { newComparisonSchema, newGameSchema, newLessonSchema, playedSchema, rematchSchema } from "./messages.js";
import { type SeatServices, serveSeat } from "./seat-connection.js";

export interface PageOptions {
  /** 0 takes a free one. */
  readonly port: number;
  /** Address to listen at. Other than loopback needs `tls`. Default 127.0.0.1. */
  readonly host?: string;
  readonly tls?: { readonly cert: string; readonly key: string };
  readonly store: SessionStore;
  /** Folder of recorded games that everybody who opens the page may look back at. */
  readonly games?: string;
  /** Folder of training runs that everybody who opens the page may watch. */
  readonly runs?: string;
  /** Names by which a proxy, a tunnel or the network leads to the page, at any port. */
  readonly allowHosts?: readonly string[];
  /** Path before all addresses of the page, such as `/kessel`: a proxy passes it on. */
  readonly base?: string;
  /** Addresses of the proxies whose `X-Forwarded-*` headers count. */
  readonly trustProxies?: readonly string[];
  /** Names of this machine for others: invitations that are made at it lead there. */
  readonly shared?: readonly string[];
  readonly limits?: Partial<PageLimits>;
  /** Games between people may be made with a seed, too, from which all that is hidden can be computed: for tests. */
  readonly seeds?: true;
  readonly log?: (what: string, about: Readonly<Record<string, unknown>>) => void;
}

export interface PageLimits {
  readonly sockets: number;
  /** Bytes of one message of a socket, and of a request's body. */
  readonly messageBytes: number;
  readonly bodyBytes: number;
  /** Bytes of a replay that is opened. */
  readonly replayBytes: number;
  /** Messages that a socket may send in ten seconds. */
  readonly messages: number;
  /** Seconds between two pings of a socket; one that hasn't answered the last is cut off. */
  readonly pingSeconds: number;
  readonly openSessions: number;
  readonly newPerMinute: number;
}

export const PAGE_LIMITS: PageLimits = {
  sockets: 500,
  messageBytes: 4096,
  bodyBytes: 16_384,
  replayBytes: 4 << 20,
  messages: 300,
  pingSeconds: 30,
  ...HUB_DEFAULTS,
};

/** Replies larger than this go out compressed. */
const DEFLATED_BYTES = 32 << 10;

/** What the lobby asks for. */
const LOBBY = /^\/api\/games$|^\/boards\//;

/** What is asked for; null when that is no address, such as `//`. */
function addressOf({ url }: IncomingMessage): URL | null {
  try {
    return new URL(url ?? "/", "http://x");
  } catch {
    return null;
  }
}

/** The path before all addresses. @throws KesselError `bad-option` */
function baseOf(text = "/"): string {
  const base = text.replace(/\/$/, "");
  if (/^(?:\/[\w-][\w.~-]*)*$/.test(base)) return base;
  throw new KesselError(
    "bad-option",
    `the page can't be served below ${shown(text)}: give a path of letters, digits and hyphens that begins with a slash, such as /kessel`,
  );
}

/** @throws KesselError `bad-option` for a certificate that is none, or a key of another one */
function tlsServer(tls: NonNullable<PageOptions["tls"]>): HttpServer {
  try {
    return createTlsServer(tls);
  } catch (e) {
    const why = (e as Error).message.split(":").at(-1)!;
    throw new KesselError(
      "bad-option",
      `--page-cert and --page-key can't be used: ${why}; both are PEM files, and the key is that of the certificate`,
    );
  }
}

/** Headers of every answer. */
function headers({ host, secure }: Call): Record<string, string> {
  const socket = /^[\w.:[\]-]+$/.test(host) ? ` ${secure ? "wss" : "ws"}://${host}` : "";
  return {
    "Content-Security-Policy": `default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self' data:; connect-src 'self'${socket}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
  };
}

/** The play page: serves it over HTTP, and each seat over a WebSocket of its own. */
export class PageServer {
  private readonly sockets = new Set<WebSocket>();
  private readonly connections = new Set<Socket>();

  private constructor(
    private readonly http: HttpServer,
    /** The sessions it serves. */
    readonly hub: Hub,
    private readonly assets: ReadonlyMap<string, Asset>,
    private readonly rules: RulesPages,
    private readonly limits: PageLimits,
    private readonly names: HostNames,
    private readonly proxies: Proxies,
    private readonly base: string,
    /** How this machine is named in the page's own address. */
    private readonly name: string,
    private readonly secure: boolean,
    private readonly log: NonNullable<PageOptions["log"]>,
    /** Loads the code of all games: the page and its lobby do without. */
    private readonly code: () => Promise<unknown>,
  ) {}

  /** @throws KesselError `bad-option` for an address that can't be used */
  static async start(options: PageOptions): Promise<PageServer> {
    const host = options.host ?? "127.0.0.1";
    if (!LOOPBACK.includes(host) && options.tls === undefined)
      throw new KesselError(
        "bad-option",
        `the page is served beyond loopback (${shown(host)}) only with TLS: give --page-cert and --page-key, or --share`,
      );
    const { allowHosts = [], trustProxies = [], shared = [] } = options;
    if (isWildcard(host) && allowHosts.length === 0)
      throw new KesselError(
        "bad-option",
        `nobody's browser asks for ${shown(host)}: name the host that browsers ask for with --allow-host, such as --allow-host ${hostname()}, or give one address of this machine as --page-host`,
      );
    const names = new HostNames(host, allowHosts);
    const proxies = new Proxies(trustProxies);
    const base = baseOf(options.base);
    const limits = { ...PAGE_LIMITS, ...options.limits };
    const log = options.log ?? (() => undefined);
    const { openSessions, newPerMinute } = limits;
    const runs =
      options.runs === undefined ? undefined : new (await import("./runs/run-library.js")).RunShelf(options.runs);
    runs?.list(); // fails now for a folder that can't be read
    const { store, games, seeds } = options;
    let loading: Promise<unknown> | null = null;
    const code = (): Promise<unknown> => (loading ??= Promise.all(gameIds().map(importGame)).catch(endThread));
    const hub = new Hub({ code, store, games, runs, openSessions, newPerMinute, seeds, log });
    const http = options.tls === undefined ? createServer() : tlsServer(options.tls);
    const { assets, rules } = await bundle(base, shared);
    const server = new PageServer(
      http,
      hub,
      assets,
      new RulesPages(rules, base),
      limits,
      names,
      proxies,
      base,
      !isWildcard(host) ? host : shared.length > 0 ? "localhost" : allowedHost(allowHosts[0]!),
      options.tls !== undefined,
      log,
      code,
    );
    server.listenTo();
    await new Promise<void>((done, fail) => {
      http.once("error", (e: NodeJS.ErrnoException) =>
        fail(new KesselError("bad-option", `the page can't be served at ${host}:${options.port}: ${listenFailure(e)}`)),
      );
      http.listen(options.port, host, done);
    });
    return server;
  }

  get port(): number {
    return (this.http.address() as AddressInfo).port;
  }

  get address(): string {
    const name = isIPv6(this.name) ? `[${this.name}]` : this.name.toLowerCase();
    return `${this.secure ? "https" : "http"}://${name}:${this.port}${this.base}/`;
  }

  /** Loads what the first game of a visitor needs. */
  async warm(): Promise<void> {
    await this.code();
  }

  async close(): Promise<void> {
    for (const socket of this.sockets) socket.close(1001, "the server stops");
    for (const c of this.connections) c.destroy();
    await new Promise((done) => this.http.close(done));
    await this.hub.close();
  }

  private listenTo(): void {
    const { http, limits } = this;
    http.headersTimeout = 10_000;
    http.requestTimeout = 15_000;
    http.maxConnections = limits.sockets + 200;
    http.on("connection", (c: Socket) => {
      this.connections.add(c);
      c.on("close", () => this.connections.delete(c));
    });
    http.on("request", (request, response) => {
      const { from } = this.call(request);
      this.answer(request, response).catch((e: unknown) => this.refuse(response, e, from));
    });
    const ws = new WebSocketServer({
      noServer: true,
      maxPayload: limits.messageBytes,
      // whole frames only: for what a move changes it isn't worth the time
      perMessageDeflate: { threshold: DEFLATED_BYTES, serverNoContextTakeover: true, clientNoContextTakeover: true },
    });
    const services: SeatServices = {
      messages: limits.messages,
      pingSeconds: limits.pingSeconds,
      find: async (token) => {
        await this.code();
        return this.hub.find(token);
      },
      log: this.log,
    };
    http.on("upgrade", (request, socket, head) => {
      socket.on("error", () => socket.destroy());
      const why = this.wrongUpgrade(request);
      if (why !== null) {
        socket.end(`HTTP/1.1 ${why}\r\nConnection: close\r\n\r\n`);
        return;
      }
      ws.handleUpgrade(request, socket, head, (open) => {
        this.sockets.add(open);
        open.on("close", () => this.sockets.delete(open));
        serveSeat(open, socket, this.call(request).from, services);
      });
    });
  }

  private wrongUpgrade(request: IncomingMessage): string | null {
    if (!this.names.answer(this.call(request), request.socket) || !this.originFits(request)) return "403 Forbidden";
    if (addressOf(request)?.pathname !== `${this.base}/seat`) return "404 Not Found";
    return this.sockets.size >= this.limits.sockets ? "503 Service Unavailable" : null;
  }

  private call(request: IncomingMessage): Call {
    return this.proxies.call(request, this.secure);
  }

  private originFits(request: IncomingMessage): boolean {
    return this.names.trust(this.call(request), request.headers.origin);
  }

  /** The path of an address below the page's base. @returns null where it is none */
  private below(path: string): string | null {
    return path.startsWith(`${this.base}/`) ? path.slice(this.base.length) : null;
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const call = this.call(request);
    for (const [name, value] of Object.entries(headers(call))) response.setHeader(name, value);
    if (!this.names.answer(call, request.socket))
      throw new HttpError(
        403,
        "bad-message",
        `this server does not answer under the name ${shown(call.host)}; kessel serve --allow-host adds one`,
      );
    const url = addressOf(request);
    if (url === null) throw new HttpError(400, "bad-message", "the address is not well formed");
    const path = this.below(url.pathname);
    if (path === null && url.pathname === this.base) {
      response.writeHead(308, { Location: `${this.base}/` });
      return void response.end();
    }
    if (path === null)
      throw new HttpError(
        404,
        "bad-message",
        `the page is below ${this.base}/; a proxy passes that part of the path on, too`,
      );
    const reads = request.method === "GET" || request.method === "HEAD";
    if (!reads || (!this.assets.has(path) && !LOBBY.test(path))) await this.code();
    if (request.method === "POST" && path === "/api/games")
      return this.takeIn(request, response, "a new game", async (doc) => ({
        links: await this.hub.create(parseWith(newGameSchema, doc, "bad-message", "new game")),
      }));
    if (request.method === "POST" && path === "/api/lessons")
      return this.takeIn(request, response, "a lesson", async (doc) => ({
        links: await this.hub.createLesson(parseWith(newLessonSchema, doc, "bad-message", "lesson").game),
      }));
    if (request.method === "POST" && path === "/api/rematches")
      return this.takeIn(request, response, "a rematch", async (doc) => {
        const { token, way } = parseWith(rematchSchema, doc, "bad-message", "rematch");
        return { link: await this.hub.rematch(token, way) };
      });
    if (request.method === "POST" && path === "/api/ratings")
      return this.takeIn(request, response, "what was played", async (doc) => {
        const { game, played, puzzles } = parseWith(playedSchema, doc, "bad-message", "results");
        return { ratings: ratingsOf(this.hub.standard(game), played), puzzles: puzzleRatingOf(game, puzzles) };
      });
    if (request.method === "POST" && path === "/api/comparisons")
      return this.takeIn(request, response, "a comparison", (doc) =>
        this.hub.runs.compare(
          parseWith(newComparisonSchema, doc, "bad-message", "comparison"),
          this.call(request).from,
        ),
      );
    if (request.method === "POST" && path === "/api/replays") return this.openReplay(request, response);
    if (!reads) throw new HttpError(405, "bad-message", `${shown(request.method)} is not answered here; GET is`);
    if (path === "/api/agents")
      return json(response, this.hub.agentsFor(url.searchParams.get("game") ?? "", optionsOf(url.searchParams)));
    if (path === "/api/puzzles")
      return json(response, { puzzles: listedPuzzles(gameType(url.searchParams.get("game") ?? "").id) });
    if (path === "/api/runs") return json(response, { runs: this.hub.runs.list() });
    const run = /^\/api\/runs\/([^/]+)$/.exec(path)?.[1];
    if (run !== undefined) return json(response, this.hub.runs.view(decodedName(run)));
    if (path === "/api/recorded") return json(response, await this.hub.replays.list(filterOf(url.searchParams)));
    const asset = await this.asset(path);
    if (asset === undefined) throw new HttpError(404, "bad-message", `there is nothing at ${shown(path)}`);
    response.setHeader("Content-Type", asset.type);
    response.setHeader("Cache-Control", asset.forever ? "public, max-age=31536000, immutable" : "no-store");
    const small = asset.brotli !== null && /\bbr\b/.test(String(request.headers["accept-encoding"] ?? ""));
    if (small) response.setHeader("Content-Encoding", "br");
    response.end(request.method === "HEAD" ? undefined : small ? asset.brotli : asset.body);
  }

  private asset(path: string): Asset | Promise<Asset> | undefined {
    if (path === "/api/games") return this.hub.lobby.games();
    const [, board, theme] = /^\/boards\/([\w-]+)\.(light|dark)\.svg$/.exec(path) ?? [];
    if (board !== undefined) return this.hub.lobby.thumbnail(board, theme as "light" | "dark");
    const base = /^\/base\/(\w+)\.json$/.exec(path)?.[1];
    if (base !== undefined) return this.hub.bases.asset(base);
    const primer = /^\/primers\/([\w-]+)\.json$/.exec(path)?.[1];
    if (primer !== undefined) return primerOf(primer);
    const guide = /^\/guides\/([\w-]+)\.json$/.exec(path)?.[1];
    if (guide !== undefined) return guideOf(guide);
    const [, ruled, section, colours] = /^\/rules\/([\w-]+)(?:\/(\d{1,3})\.(light|dark)\.svg)?$/.exec(path) ?? [];
    if (ruled !== undefined)
      return section === undefined
        ? this.rules.page(ruled)
        : this.rules.picture(ruled, Number(section), colours as "light" | "dark");
    // a link that was cut off too: the page says that no game is there, and leads to the others
    return this.assets.get(/^\/g\/[\w-]*$|^\/words\/[\w-]+$|^\/runs$/.test(path) ? "/" : path);
  }

  /** What a page of this server has sent. @throws HttpError */
  private async posted(request: IncomingMessage, what: string, most: number): Promise<string> {
    if (!this.originFits(request))
      throw new HttpError(403, "bad-message", `${what} is sent from this server's own page`);
    if (!/^application\/json\b/.test(request.headers["content-type"] ?? ""))
      throw new HttpError(415, "bad-message", `${what} is sent as application/json`);
    return bodyOf(request, what, most);
  }

  private async openReplay(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const text = await this.posted(request, "a replay", this.limits.replayBytes);
    json(response, { link: await this.hub.replays.open(text, this.call(request).from) });
  }

  /** Answers a document that a page of this server has sent. */
  private async takeIn(
    request: IncomingMessage,
    response: ServerResponse,
    what: string,
    answer: (doc: unknown) => Promise<unknown>,
  ): Promise<void> {
    const body = await this.posted(request, what, this.limits.bodyBytes);
    let doc: unknown;
    try {
      doc = JSON.parse(body);
    } catch {
      throw new KesselError("bad-message", "the body is not JSON");
    }
    json(response, await answer(doc));
  }

  private refuse(response: ServerResponse, e: unknown, from: string): void {
    if (!(e instanceof KesselError)) this.log("page-failed", { ...faultOf(e), from });
    const status =
      e instanceof HttpError ? e.status : e instanceof KesselError ? (e.code === "limit" ? 429 : 400) : 500;
    if (response.headersSent) return void response.destroy();
    response.statusCode = status;
    const { code, message } = e instanceof KesselError ? e : MISTAKE;
    json(response, { error: { code, message } });
  }
}
