import { mkdtempSync, readdirSync } from "node:fs";
import { request as httpRequest } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { gameIds, loadGame, parseReplay, playReplay, Rng } from "../../../env/index.js";
import { SessionStore } from "../../../server/session/store.js";
import { ToolHttp } from "../../../server/tools/http.js";
import { SeatTable } from "../../../server/tools/seat-table.js";
import { gameType } from "../../../env/index.js";
import { kessel } from "../cli/kessel.js";
import { Guest, sessionOf } from "./guest.js";

const folder = (): string => mkdtempSync(join(tmpdir(), "tools-"));
const legalCount = (text: string): number => Number(/Legal actions, (\d+):/.exec(text)?.[1] ?? 0);

describe("kessel tools over standard input and output", () => {
  const sessions = folder();
  let guest: Guest;
  beforeAll(async () => (guest = await Guest.spawned(sessions)));
  afterAll(() => guest.close());

  test("every tool says what it does and what it takes", async () => {
    const { tools } = await guest.client.listTools();
    expect(tools.map((t) => t.name).sort()).toEqual(
      ["act", "legal_actions", "list_games", "log", "look", "map", "new_game", "observe", "odds", "order", "orders", "replay", "resign", "result", "rule", "rules", "standing", "undo"], // prettier-ignore
    );
    for (const t of tools) {
      expect(t.description, t.name).toMatch(/\.$/);
      for (const about of Object.values(t.inputSchema.properties ?? {}))
        expect(about, t.name).toHaveProperty("description");
    }
    expect(guest.client.getInstructions()).toContain("new_game");
  });

  test.each(gameIds())("a whole game of %s is played to its end", async (id) => {
    const rng = new Rng(id);
    const [seat, ...others] = loadGame(id).players;
    const opponent = others.length === 0 ? {} : { opponent: "random" };
    let answer = await guest.call("new_game", { game: id, seat, ...opponent });
    const session = sessionOf(answer);
    expect(answer.text).toContain("The map:");
    for (let n = 0; !answer.text.includes("The game is over."); n++) {
      expect(answer.isError, answer.text).toBe(false);
      const legal = legalCount(answer.text);
      expect(legal, answer.text).toBeGreaterThan(0);
      if (n % 40 === 3) {
        const odds = await guest.call("odds", { session, action: "1" });
        expect(odds.isError, odds.text).toBe(false);
        for (const tool of ["observe", "legal_actions", "standing", "log", "map"])
          expect((await guest.call(tool, { session })).isError, tool).toBe(false);
        expect((await guest.call("look", { session, place: "" })).text).not.toBe("");
        expect((await guest.call("replay", { session })).text).toContain("only after the end");
      }
      answer = await guest.call("act", { session, action: String(1 + rng.below(legal)) });
    }
    expect(answer.text).toMatch(/Returns: /);
    expect((await guest.call("result", { session })).text).toMatch(/^The game is over\. Returns: /);
    const closed = await guest.call("act", { session, action: "1" });
    const over = { isError: true, text: "closed: the game is over; result shows how it ended" };
    expect(closed).toEqual(over);
    expect(await guest.call("odds", { session, action: "1" })).toEqual(over);
    const replay = parseReplay(JSON.parse((await guest.call("replay", { session })).text));
    expect(() => playReplay(gameType(id), replay)).not.toThrow();
  });

  test("an order stands for many actions, and says what it came to", async () => {
    const session = sessionOf(await guest.call("new_game", { game: "night-fight" }));
    const ask = async (tool: string, more: Record<string, unknown>): Promise<string> =>
      (await guest.call(tool, { session, ...more })).text;
    expect(await ask("orders", {})).toMatch(/^ACTION, ACTION, \.\.\.: Several in turn/);
    const bought = await ask("order", { order: "buy truck x2, vs x5, panther, done!" });
    expect(bought).toMatch(/^You did 9 actions: buy truck, buy truck, buy vs/);
    expect(bought).toContain("which unit moves?");
    expect(await ask("orders", {})).toMatch(/^move UNIT, \.\.\. to PLACE by PLACE, .* Units: vs-1, /);
    const [nearest] = (await ask("orders", { unit: "truck-1" })).split("\n");
    const place = /^(\d{4}) \(\d+ MP\)/.exec(nearest!)![1]!;
    expect(await ask("order", { order: `move truck-1 to ${place}` })).toMatch(
      new RegExp(`^You did \\d actions: unit truck-1, hex ${place}`),
    );
    expect(await ask("order", { order: "end phase" })).toMatch(
      /^Nothing was done\.\nThe order stopped: \d units have not moved\..*"!"/,
    );
    expect(await ask("order", { order: "move truck-9 to 2020" })).toMatch(/^bad-action: .*"truck-9" can't move now/);
    expect(await ask("orders", { unit: "truck-9" })).toMatch(/^bad-action: .*"truck-9" can't be sent now/);
    expect(await ask("undo", {})).not.toMatch(/^unsupported/);
    expect(await ask("orders", { unit: "truck-1" })).toContain(place);
    expect(await ask("orders", {})).toMatch(/\nfinish phase \| turn \| UNIT, \.\.\. with NAME: .*stalker/);
    expect(await ask("order", { order: "finish phase with stalker" })).toMatch(
      /^stalker did \d+ actions: unit truck-1, [^]*\nWhat happened:\n[^]*which unit fires or looks\?/,
    );
    expect(await ask("order", { order: "finish phase with nobody" })).toMatch(/^bad-agent: nobody called "nobody"/);
  });

  test("rules come at three lengths", async () => {
    const words = async (length: string) =>
      (await guest.call("rules", { game: "savage-streets", length })).text.split(/\s+/).length;
    const [short, medium, long] = [await words("short"), await words("medium"), await words("long")];
    expect(short).toBeLessThan(150);
    expect(medium).toBeGreaterThan(3 * short);
    expect(long).toBeGreaterThan(medium);
  });

  test("bad input gets an error that says what would do", async () => {
    const begun = await guest.call("new_game", { game: "pocket-stalingrad", seat: "german", opponent: "random" });
    const session = sessionOf(begun);
    const wrong = async (tool: string, input: Record<string, unknown>, says: RegExp) => {
      const answer = await guest.call(tool, input);
      expect(answer.isError, `${tool} ${JSON.stringify(input)}: ${answer.text}`).toBe(true);
      expect(answer.text).toMatch(says);
      expect(answer.text).not.toMatch(/\n {4}at /);
    };
    await wrong("new_game", { game: "chess" }, /unknown-game: there is no game "chess"; there are pocket-stalingrad/);
    await wrong("new_game", { game: "pocket-stalingrad" }, /bad-seat: say which seat you take: soviet or german/);
    await wrong("new_game", { game: "pocket-stalingrad", seat: "us" }, /bad-seat: .*seats are soviet or german/);
    await wrong(
      "new_game",
      { game: "pocket-stalingrad", seat: "german", opponent: "onnx:/etc/passwd" },
      /bad-agent: nobody called/,
    );
    await wrong(
      "new_game",
      { game: "pocket-stalingrad", seat: "german", opponent: "external:tcp://1.2.3.4:5" },
      /bad-agent/,
    );
    await wrong(
      "new_game",
      { game: "pocket-stalingrad", seat: "german", options: { gumrak: 1 } },
      /bad-option: .*has no option "gumrak"/,
    );
    await wrong("new_game", { game: "pocket-stalingrad", seat: "german", seed: "1" }, /seed/);
    await wrong("act", { session }, /action/);
    await wrong("act", { session, action: "fly" }, /bad-answer: "fly" names no legal action; give a number from 1 to/);
    await wrong("act", { session: "abcdefghijkl", action: "1" }, /bad-session: there is no session/);
    await wrong("act", { session: "../../etc/passwd", action: "1" }, /bad-session: a session's id/);
    await wrong("rule", { game: "pocket-stalingrad", words: "zebra" }, /unknown-rule/);
    expect((await guest.call("observe", { session })).isError).toBe(false);
  });

  test("undo takes a choice back with the facts of that decision, and says why when it can't", async () => {
    const asked = async (name: string, input: Record<string, unknown>) => {
      const { content, isError, structuredContent } = await guest.client.callTool({ name, arguments: input });
      return { text: (content as { text: string }[])[0]!.text, isError, facts: structuredContent };
    };
    let before = await asked("new_game", { game: "savage-streets", seat: "german", opponent: "random" });
    const session = sessionOf(before);
    expect(before.facts).toMatchObject({ session, seat: "G", actor: "G", over: false });
    const refused = await guest.call("undo", { session });
    expect(refused.isError).toBe(true);
    expect(refused.text).toMatch(/^unsupported: that can't be taken back: /);
    for (let n = 0; ; n++) {
      expect(n, "choices after which dice were thrown").toBeLessThan(40);
      const after = await asked("act", { session, action: "1" });
      const undone = await asked("undo", { session });
      if (undone.isError !== true) {
        const { decision } = before.facts as { decision: string };
        expect(undone.facts).toEqual({ ...(before.facts as object), decision: `${decision}.1` });
        break;
      }
      before = after;
    }
  });

  test("calls at once to one game are all answered", async () => {
    const session = sessionOf(
      await guest.call("new_game", { game: "pocket-stalingrad", seat: "german", opponent: "random" }),
    );
    const answers = await Promise.all([1, 2, 3].map(() => guest.call("act", { session, action: "1" })));
    for (const a of answers) expect(a.text).toMatch(/^You chose: /);
  });
});

test("what is asked of one game waits for what was asked before", async () => {
  const table = new SeatTable(new SessionStore(folder()));
  const [id, other] = [
    await table.begin("pocket-stalingrad", "german", "random", {}),
    await table.begin("pocket-stalingrad", "german", "random", {}),
  ];
  const order: string[] = [];
  const slow = table.with(id, async () => {
    order.push("slow begins");
    await new Promise((done) => setTimeout(done, 50));
    order.push("slow ends");
  });
  const failing = table.with(id, () => {
    order.push("failing");
    throw new Error("planted");
  });
  const last = table.with(id, () => order.push("last"));
  const elsewhere = table.with(other, () => order.push("another game"));
  await expect(failing).rejects.toThrow("planted");
  await Promise.all([slow, last, elsewhere]);
  expect(order).toEqual(["slow begins", "another game", "slow ends", "failing", "last"]);
  await table.close();
});

test("requests that were sent before the input ended are answered, and no game stays locked", async () => {
  const request = (id: number, method: string, params: object): string =>
    JSON.stringify({ jsonrpc: "2.0", id, method, params });
  const client = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "guest", version: "1" } };
  const game = { game: "pocket-stalingrad", seat: "german", opponent: "veteran" };
  const sent = [
    request(1, "initialize", client),
    JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" }),
    request(2, "tools/call", { name: "new_game", arguments: game }),
  ];
  const sessions = folder();
  vi.stubEnv("KESSEL_SESSIONS", sessions);
  const { status, out } = await kessel(["tools"], `${sent.join("\n")}\n`);
  vi.unstubAllEnvs();
  const answers = out
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as { id: number });
  expect([status, answers.map((a) => a.id)]).toEqual([0, [1, 2]]);
  expect(out).toContain("session: ");
  expect(readdirSync(sessions).map((f) => f.split(".").slice(1).join("."))).toEqual(["jsonl"]);
});

test("a game goes on after the client and its server are gone", async () => {
  const sessions = folder();
  const first = await Guest.spawned(sessions);
  const session = sessionOf(
    await first.call("new_game", { game: "savage-streets", seat: "soviet", opponent: "random" }),
  );
  await first.call("act", { session, action: "1" });
  const before = await first.call("observe", { session });
  await first.close();
  const second = await Guest.spawned(sessions);
  const after = await second.call("observe", { session });
  expect(after.text).toBe(before.text);
  expect((await second.call("resign", { session })).text).toMatch(/The Soviet side gave up\.\nThe game is over/);
  await second.close();
  expect(readdirSync(sessions).filter((f) => f.endsWith(".jsonl"))).toHaveLength(1);
});

describe("over streamable HTTP", () => {
  let http: ToolHttp;
  let table: SeatTable;
  beforeAll(async () => {
    table = new SeatTable(new SessionStore(folder()));
    http = await ToolHttp.start(table, 0, (reason) => expect.unreachable(reason));
  });
  afterAll(async () => {
    await http.close();
    await table.close();
  });
  const connect = () => Guest.on(new StreamableHTTPClientTransport(new URL(http.address)));

  test("two clients play games of their own, and one goes on with its game in a new MCP session", async () => {
    const [one, two] = [await connect(), await connect()];
    const game = { game: "pocket-stalingrad", seat: "soviet", opponent: "random" };
    const [a, b] = [sessionOf(await one.call("new_game", game)), sessionOf(await two.call("new_game", game))];
    expect(a).not.toBe(b);
    const before = await one.call("observe", { session: a });
    await one.close();
    const again = await connect();
    expect(await again.call("observe", { session: a })).toEqual(before);
    await again.close();
    await two.close();
  });

  const status = (headers: Record<string, string>, path = "/mcp", body = "{}", port = http.port): Promise<number> =>
    new Promise((done, fail) => {
      const call = httpRequest({ port, host: "127.0.0.1", method: "POST", path, headers }, (r) => {
        r.resume();
        done(r.statusCode!);
      });
      call.on("error", fail);
      call.end(body);
    });

  test("other paths, hosts and origins are refused", async () => {
    expect(await status({}, "/")).toBe(404);
    expect(await status({}, "//")).toBe(404); // no URL
    expect(await status({ host: "evil.example" })).toBe(403);
    expect(await status({ host: `127.0.0.1:${http.port}`, origin: "https://evil.example" })).toBe(403);
    expect(await status({ "mcp-session-id": "gone" })).toBe(404);
    expect(await status({ "content-type": "application/json" })).toBeGreaterThanOrEqual(400);
  });

  test("a name that is allowed is answered at any port, and only that", async () => {
    const complain = (reason: string) => expect.unreachable(reason);
    const named = await ToolHttp.start(table, 0, complain, undefined, ["tools.example.org"]);
    const at = (host: string, origin: string) => status({ ...JSON_HEADERS, host, origin }, "/mcp", "{}", named.port);
    for (const host of ["tools.example.org", "tools.example.org:8443"])
      expect(await at(host, `https://${host}`)).toBe(400); // heard, and no message of MCP
    expect(await at("other.example.org", "https://other.example.org")).toBe(403);
    expect(await at("tools.example.org", "https://evil.example")).toBe(403);
    await named.close();
    await expect(ToolHttp.start(table, 0, complain, undefined, ["https://x.org"])).rejects.toThrow("give x.org");
  });

  const JSON_HEADERS = { "content-type": "application/json", accept: "application/json, text/event-stream" };

  test("a body that is no JSON is refused as such, and one that is too long as too long", async () => {
    expect(await status(JSON_HEADERS, "/mcp", "{")).toBe(400);
    expect(await status(JSON_HEADERS, "/mcp", JSON.stringify({ text: "x".repeat(6_000_000) }))).toBe(413);
  });
});

test("kessel tools needs --http for --allow-host", async () => {
  const { status, err } = await kessel(["tools", "--allow-host", "tools.example.org"]);
  expect([status, err]).toEqual([2, "kessel: --allow-host goes with --http\n"]);
});

test("kessel tools refuses bad ports in one line", async () => {
  const { status, err } = await kessel(["tools", "--http", "99999"]);
  expect(status).toBe(2);
  expect(err).toMatch(/^kessel: .*Give a whole number from 0 to 65535\.\n$/);
});
