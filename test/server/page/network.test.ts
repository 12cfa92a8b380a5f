import { readdirSync, readFileSync } from "node:fs";
import { request, type RequestOptions } from "node:http";
import { request as requestTls } from "node:https";
import { networkInterfaces } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import WebSocket from "ws";
import { afterEach, describe, expect, test } from "vitest";
import { certificateFor } from "../../../server/page/certificate.js";
import type { PageOptions, PageServer } from "../../../server/page/serve.js";
import { makeGame, newFolder, SocketGuest, startPage } from "./guest.js";
import { type ReverseProxy, reverseProxy, type Rewrite } from "./reverse-proxy.js";

const open: { close(): Promise<unknown> }[] = [];
afterEach(async () => {
  for (const o of open.splice(0).reverse()) await o.close();
});

async function start(options: Partial<PageOptions>): Promise<PageServer> {
  const page = await startPage(newFolder(), options);
  open.push(page);
  return page;
}

async function behind(page: PageServer, rewrite?: Rewrite): Promise<ReverseProxy> {
  const proxy = await reverseProxy(page.port, rewrite);
  open.push(proxy);
  return proxy;
}

interface Answer {
  readonly status: number;
  readonly body: string;
  readonly headers: Readonly<Record<string, unknown>>;
}

function ask(port: number, headers: Record<string, string>, path = "/", more: RequestOptions = {}): Promise<Answer> {
  return new Promise((done, fail) => {
    const how = { host: "127.0.0.1", port, path, headers, ...more };
    const call = (more.protocol === "https:" ? requestTls : request)(how, (r) => {
      let body = "";
      r.on("data", (d: Buffer) => (body += d.toString()));
      r.on("end", () => done({ status: r.statusCode!, body, headers: r.headers }));
    });
    call.on("error", fail);
    call.end(more.method === "POST" ? JSON.stringify(PS) : undefined);
  });
}

const PS = { game: "pocket-stalingrad", options: {}, seats: { german: "first-keep" }, seed: "network" };
const post = { "Content-Type": "application/json" };

/**
 * Sits down under a Host and an Origin of one's own. @returns what the upgrade is refused with, otherwise null
 */
function sit(port: number, headers: Record<string, string>, path = "/seat"): Promise<string | null> {
  return new Promise((done) => {
    const socket = new WebSocket(`ws://127.0.0.1:${port}${path}`, { headers });
    socket.once("open", () => {
      socket.close();
      done(null);
    });
    socket.once("error", (e) => done(e.message));
  });
}

describe("names", () => {
  test("a name that is allowed is answered at any port, with or without TLS before it: page, game and seat", async () => {
    const page = await start({ allowHosts: ["play.example.org"] });
    for (const host of ["play.example.org", "play.example.org:8443"])
      for (const scheme of ["http", "https"]) {
        const headers = { Host: host, Origin: `${scheme}://${host}` };
        expect((await ask(page.port, headers)).status).toBe(200);
        expect((await ask(page.port, { ...headers, ...post }, "/api/games", { method: "POST" })).status).toBe(200);
        expect(await sit(page.port, headers)).toBeNull();
      }
    const other = { Host: "other.example.org", Origin: "https://other.example.org" };
    expect((await ask(page.port, other)).body).toContain('does not answer under the name \\"other.example.org\\"');
    expect(await sit(page.port, other)).toContain("403");
    const evil = { Host: "play.example.org", Origin: "https://evil.example", ...post };
    expect((await ask(page.port, evil, "/api/games", { method: "POST" })).status).toBe(403);
  });

  const tls = certificateFor(["localhost"], join(newFolder(), "certificate.pem"));

  test.each([
    ["no certificate", { ...tls, cert: "x" }],
    ["no key", { ...tls, key: "x" }],
    ["the key of another", { ...tls, key: certificateFor(["other"], join(newFolder(), "certificate.pem")).key }],
  ])("what is %s is refused by name", async (_what, wrong) => {
    await expect(startPage(newFolder(), { tls: wrong })).rejects.toThrow(
      /^--page-cert and --page-key can't be used: .*; both are PEM files, and the key is that of the certificate$/,
    );
  });

  test.each(["0.0.0.0", "::"])("a page at %s is refused where no name is allowed", async (host) => {
    await expect(startPage(newFolder(), { host, tls })).rejects.toThrow(/name the host .* with --allow-host/);
  });

  test("a page at 0.0.0.0 is at the name that is allowed, and at the addresses of the machine", async () => {
    const page = await start({ host: "0.0.0.0", tls, allowHosts: ["play.example.org"] });
    expect(page.address).toBe(`https://play.example.org:${page.port}/`);
    const https = { protocol: "https:", rejectUnauthorized: false };
    const status = async (Host: string, host = "127.0.0.1") =>
      (await ask(page.port, { Host }, "/", { ...https, host })).status;
    expect(await status("play.example.org")).toBe(200);
    expect(await status(`localhost:${page.port}`)).toBe(200);
    expect(await status("evil.example")).toBe(403);
    const outer = Object.values(networkInterfaces())
      .flatMap((all) => all ?? [])
      .filter((a) => a.family === "IPv4" && !a.internal);
    for (const { address } of outer) {
      expect(await status(`${address}:${page.port}`, address)).toBe(200);
      expect(await status(`${address}:${page.port}`)).toBe(403); // reached at another address
    }
  });

  test("a page at an IPv6 address is answered under it", async () => {
    const page = await start({ host: "::1" });
    expect(page.address).toBe(`http://[::1]:${page.port}/`);
    expect((await fetch(page.address)).status).toBe(200);
  });
});

test("a fault is logged with its reason, its place and the client behind a listed proxy", async () => {
  const logged: [string, Readonly<Record<string, unknown>>][] = [];
  const log = (what: string, about: Readonly<Record<string, unknown>>): void => void logged.push([what, about]);
  const page = await start({ trustProxies: ["127.0.0.1"], log });
  page.hub.lobby.games = () => Promise.reject(new RangeError("no room at http://user:PASS@host"));
  const headers = { Host: `127.0.0.1:${page.port}`, "X-Forwarded-For": "198.51.100.9" };
  const { status, body } = await ask(page.port, headers, "/api/games");
  expect(status).toBe(500);
  expect(body).not.toContain("no room");
  expect(logged).toHaveLength(1);
  const [what, { name, says, where, from }] = logged[0]!;
  expect([what, name, says]).toEqual(["page-failed", "RangeError", "no room at http://***@host"]);
  expect(String(where)).toContain("network.test.ts");
  expect(from).toBe("198.51.100.9");
});

describe("a path before all addresses", () => {
  test("everything is below it, through a proxy that passes it on", async () => {
    const page = await start({ base: "/kessel", allowHosts: ["127.0.0.1"] });
    const proxy = await behind(page);
    expect(page.address).toBe(`http://127.0.0.1:${page.port}/kessel/`);
    const at = `http://127.0.0.1:${proxy.port}/kessel/`;
    const html = await (await fetch(at)).text();
    const parts = [...html.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map(([, path]) => path!);
    expect(parts).toHaveLength(2);
    for (const path of parts) {
      expect(path).toMatch(/^\/kessel\/assets\//);
      expect((await fetch(`http://127.0.0.1:${proxy.port}${path}`)).status).toBe(200);
    }
    const links = await makeGame({ address: at }, PS);
    expect((await fetch(`${at}g/${links["soviet"]!}`)).status).toBe(200);
    const guest = await SocketGuest.sit({ address: at }, links["soviet"]!);
    expect(guest.frame!.game).toBe("pocket-stalingrad");
    guest.socket.close();
  });

  test("the rules of a game lead to nothing above it", async () => {
    const page = await start({ base: "/kessel" });
    const html = await (await fetch(`${page.address}rules/pocket-stalingrad`)).text();
    const paths = [...html.matchAll(/(?:src|href|srcset)="(\/[^"]*)"/g)].map(([, path]) => path!);
    expect(paths.length).toBeGreaterThan(5);
    for (const path of new Set(paths)) {
      expect(path).toMatch(/^\/kessel\//);
      expect((await fetch(`http://127.0.0.1:${page.port}${path}`)).status).toBe(200);
    }
  });

  test("the client asks for nothing but by `at`, which knows the base", () => {
    const client = fileURLToPath(new URL("../../../server/page/client/", import.meta.url));
    const routes = /["'`]\/(?:["'`]|(?:api|assets|base|boards|fonts|g|guides|primers|rules|runs|seat|words)\b)/g;
    const named: string[] = [];
    for (const file of readdirSync(client, { recursive: true, encoding: "utf8" }).filter((f) => /\.tsx?$/.test(f))) {
      const text = readFileSync(join(client, file), "utf8");
      for (const { index } of text.matchAll(routes)) {
        const before = text.slice(0, index);
        // a path that the client compares with, and a key that is pressed, are no addresses
        if (!/(?:\b(?:at|forOthers|startsWith|split)\(\s*|=== )$/.test(before))
          named.push(`${file}:${before.split("\n").length}`);
      }
    }
    expect(named).toEqual([]);
    for (const sheet of readdirSync(client).filter((f) => f.endsWith(".css")))
      expect(readFileSync(join(client, sheet), "utf8")).not.toMatch(/url\(["']?\//);
  });

  test("the base itself leads to the page; what is above it says where the page is", async () => {
    const page = await start({ base: "/kessel/" });
    const here = { Host: `127.0.0.1:${page.port}` };
    expect(await ask(page.port, here, "/kessel")).toMatchObject({ status: 308, headers: { location: "/kessel/" } });
    for (const path of ["/", "/api/games", "/kesselx/", "/g/abc"]) {
      const { status, body } = await ask(page.port, here, path);
      expect(status).toBe(404);
      expect(body).toContain("the page is below /kessel/; a proxy passes that part of the path on, too");
    }
    expect(await sit(page.port, here)).toContain("404");
    expect(await sit(page.port, here, "/kessel/seat")).toBeNull();
  });

  test.each(["kessel", "/a b", "//evil.example", "/a//b", "/../x", "/?", '/"', "https://x/"])(
    "%j is no base",
    async (base) => {
      await expect(startPage(newFolder(), { base })).rejects.toThrow("such as /kessel");
    },
  );
});

describe("X-Forwarded headers", () => {
  const forward: Rewrite = (headers) => {
    headers["host"] = "inner";
    headers["x-forwarded-host"] = "play.example.org";
    headers["x-forwarded-proto"] = "https";
  };
  const outer = { Host: "play.example.org", Origin: "https://play.example.org" };

  test("of a listed proxy are what was asked for", async () => {
    const page = await start({ allowHosts: ["play.example.org"], trustProxies: ["127.0.0.1"] });
    const proxy = await behind(page, forward);
    const { status, headers } = await ask(proxy.port, outer);
    expect(status).toBe(200);
    expect(headers["content-security-policy"]).toContain("connect-src 'self' wss://play.example.org;");
    expect(await sit(proxy.port, outer)).toBeNull();
    // the name is still one that has been allowed
    const other = await behind(page, (h) => (h["x-forwarded-host"] = "evil.example"));
    expect((await ask(other.port, outer)).status).toBe(403);
  });

  test("of others are ignored", async () => {
    const page = await start({ allowHosts: ["play.example.org"], trustProxies: ["192.0.2.1"] });
    const proxy = await behind(page, forward);
    expect((await ask(proxy.port, outer)).status).toBe(403); // `inner` is no name of this server
    expect(await sit(proxy.port, outer)).toContain("403");
  });
});
