import { request } from "node:http";
import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { GAMES, KesselError } from "../../../env/index.js";
import { PageServer } from "../../../server/page/serve.js";
import { SessionStore } from "../../../server/session/store.js";
import { newFolder, SocketGuest, startPage } from "./guest.js";

let page: PageServer;
beforeAll(async () => {
  page = await startPage();
});
afterAll(() => page.close());

const PS = { game: "pocket-stalingrad", options: {}, seats: { german: "first-keep" }, seed: "page" };

/** Asks under a Host header of one's own, as a browser does for a name that points here. */
function getAs(host: string, path = "/"): Promise<{ status: number; body: string; headers: Record<string, unknown> }> {
  return new Promise((done, fail) => {
    const call = request({ host: "127.0.0.1", port: page.port, path, headers: { Host: host } }, (r) => {
      let body = "";
      r.on("data", (d: Buffer) => (body += d.toString()));
      r.on("end", () => done({ status: r.statusCode!, body, headers: r.headers }));
    });
    call.on("error", fail);
    call.end();
  });
}

describe("the page over HTTP", () => {
  test("the whole first load is under 300 KB compressed, fonts aside under 60", async () => {
    const size = async (path: string): Promise<number> => {
      const r = await fetch(page.address + path, { headers: { "Accept-Encoding": "identity" } });
      return (await r.arrayBuffer()).byteLength;
    };
    const html = await (await fetch(page.address)).text();
    const assets = [...html.matchAll(/\/(assets\/[\w.]+)/g)].map((m) => m[1]!);
    expect(assets).toHaveLength(2);
    for (const a of assets) expect(await size(a)).toBeGreaterThan(1000);
    const fonts = ["fonts/barlow-500.woff2", "fonts/barlow-600.woff2", "fonts/serif.woff2"];
    let sum = 0;
    for (const f of fonts) sum += await size(f);
    for (const a of assets) {
      const r = await getAs(`127.0.0.1:${page.port}`, `/${a}`);
      sum += Buffer.byteLength(r.body); // uncompressed here: an upper bound
    }
    expect(sum).toBeLessThan(300_000);
  });

  test("a small picture of each game's board comes in light and dark; of others none", async () => {
    for (const { id } of GAMES) {
      const [light, dark] = await Promise.all(
        ["light", "dark"].map(async (theme) => {
          const r = await fetch(`${page.address}boards/${id}.${theme}.svg`);
          expect(r.headers.get("content-type")).toBe("image/svg+xml");
          return Buffer.from(await r.arrayBuffer());
        }),
      );
      expect(light!.equals(dark!)).toBe(false);
    }
    for (const name of ["chess.light.svg", "pocket-stalingrad.svg", "pocket-stalingrad.css.svg"])
      expect((await fetch(`${page.address}boards/${name}`)).status).toBe(404);
  });

  test("scripts, styles, fonts and sockets come from here alone", async () => {
    const { headers } = await getAs(`127.0.0.1:${page.port}`);
    expect(headers["content-security-policy"]).toContain("default-src 'none'; script-src 'self'; style-src 'self'");
    expect(headers["content-security-policy"]).not.toContain("unsafe");
    expect(headers["referrer-policy"]).toBe("no-referrer");
  });

  test.each(["evil.example", "evil.example:80", "127.0.0.1", "localhost.evil.example:1"])(
    "is not served under the name %j",
    async (host) => {
      const r = await getAs(host);
      expect(r.status).toBe(403);
      expect(r.body).not.toContain("<html");
    },
  );

  test("a page of another site makes no game and opens no seat", async () => {
    const r = await fetch(`${page.address}api/games`, {
      method: "POST",
      headers: { "Content-Type": "application/json", Origin: "https://evil.example" },
      body: JSON.stringify(PS),
    });
    expect(r.status).toBe(403);
    await expect(SocketGuest.open(page, { Origin: "https://evil.example" })).rejects.toThrow("403");
  });

  test.each([
    ["no JSON", "{", "the body is not JSON"],
    ["an unknown game", { ...PS, game: "chess" }, 'there is no game "chess"'],
    ["an unknown key", { ...PS, data: {} }, "new game: data: there is no such key"],
    ["a seat the game hasn't", { ...PS, seats: { roman: "human" } }, 'has no seat "roman"'],
    ["an agent by path", { ...PS, seats: { german: "onnx:/etc/passwd" } }, `"onnx:/etc/passwd" can't play here`],
    ["an agent by address", { ...PS, seats: { german: "external:tcp://1.2.3.4:5" } }, "can't play here"],
    ["a search of its own making", { ...PS, seats: { german: "search:iterations=99999999" } }, "can't play here"],
    ["an option the game hasn't", { ...PS, options: { rain: true } }, "rain"],
  ])("%s is refused with a reason", async (_what, body, message) => {
    const r = await fetch(`${page.address}api/games`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: typeof body === "string" ? body : JSON.stringify(body),
    });
    expect(r.status).toBe(400);
    expect(((await r.json()) as { error: { message: string } }).error.message).toContain(message);
  });

  test("a huge upload is refused with its reason, an endless one cut off, and the server goes on", async () => {
    const upload = (bytes: number): Promise<Response> =>
      fetch(`${page.address}api/games`, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: "x".repeat(bytes),
      });
    const refused = await upload(5_000_000);
    expect(refused.status).toBe(413);
    expect(await refused.text()).toMatch(/a new game takes at most \d+ bytes/);
    await upload(80_000_000).catch(() => null); // whether it hears the answer before it is cut off is the network's affair
    expect((await fetch(page.address)).status).toBe(200);
  });

  test.each(["//", "http://[", "/%"])("a socket at the address %s is refused, and the server goes on", async (path) => {
    const answer = await new Promise<string>((done, fail) => {
      const headers = [`Host: 127.0.0.1:${page.port}`, "Upgrade: websocket", "Connection: Upgrade"];
      const socket = connect(page.port, "127.0.0.1", () => {
        socket.write([`GET ${path} HTTP/1.1`, ...headers, "", ""].join("\r\n"));
      });
      socket.once("data", (d: Buffer) => done(d.toString().split("\r\n")[0]!));
      socket.on("error", fail);
    });
    expect(answer).toBe("HTTP/1.1 404 Not Found");
    expect((await fetch(page.address)).status).toBe(200);
  });

  test("games between people draw their seeds: who chose one could compute what is hidden from the others", async () => {
    const drawing = await PageServer.start({ port: 0, store: new SessionStore(newFolder()) });
    const make = (seats: Record<string, string>) =>
      fetch(`${drawing.address}api/games`, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ game: "savage-streets", options: {}, seats, seed: "mine" }),
      });
    const answer = await make({});
    expect(answer.status).toBe(400);
    expect(await answer.text()).toContain("the seed of a game between people is drawn");
    expect((await make({ S: "random" })).status).toBe(200);
    await drawing.close();
  });

  test("an address in use is named, and what to do", async () => {
    const first = await startPage(newFolder());
    await expect(startPage(newFolder(), { port: first.port })).rejects.toThrow(
      `can't be served at 127.0.0.1:${first.port}: it is in use, perhaps by another server; choose another port, or 0`,
    );
    await first.close();
  });

  test("beyond loopback it requires TLS", async () => {
    const start = startPage(newFolder(), { host: "0.0.0.0" });
    await expect(start).rejects.toThrow(KesselError);
    await expect(start).rejects.toThrow("only with TLS");
  });
});
