import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { recorded } from "../page/recorded.js";
import { kessel } from "./kessel.js";

/** What a terminal obeys, and a line break. */
const HOSTILE = "a\u001b[2J\u009b1m\u202e\nb.json  9 decisions";
/** Everything but letters, signs and the ends of lines. */
const OBEYED = /(?!\n)[\p{Cc}\p{Bidi_Control}]/u;

const games = mkdtempSync(join(tmpdir(), "kessel-outside-"));
const replay = recorded("pocket-stalingrad");
const agents = Object.fromEntries(Object.keys(replay.agents ?? {}).map((side) => [side, `${side}${HOSTILE}`]));
writeFileSync(join(games, `${HOSTILE}.json`), JSON.stringify({ ...replay, agents }));

describe("names from files", () => {
  test("kessel games list shows one line for a game, and nothing that a terminal obeys", async () => {
    const { status, out } = await kessel(["games", "list", games]);
    expect(status).toBe(0);
    expect(out).not.toMatch(OBEYED);
    expect(out).toContain("a\\u001b[2J\\u009b1m\\u202e\\u000ab.json");
    expect(out.trimEnd().split("\n")).toHaveLength(2); // the game, and how many there are
    const json = await kessel(["games", "list", games, "--json"]);
    expect(json.out).not.toMatch(OBEYED);
    expect((JSON.parse(json.out) as { file: string }[])[0]!.file).toBe(`${HOSTILE}.json`);
  });

  test("an error names a file without obeying it", async () => {
    const { status, err } = await kessel(["games", "show", join(games, `no${HOSTILE}`)]);
    expect(status).toBe(2);
    expect(err).not.toMatch(OBEYED);
    expect(err.trimEnd().split("\n")).toHaveLength(1);
  });
});

describe("passwords in addresses", () => {
  const long = "PASS".repeat(40);

  test.each([
    ["arena", "pocket-stalingrad", "--agents", `random,llm:http://user:PASS@127.0.0.1:1/v1`],
    ["arena", "pocket-stalingrad", "--agents", `random,llm:http://user:${long}@127.0.0.1:1/v1`],
    ["arena", "pocket-stalingrad", "--agents", "random,llm:http://127.0.0.1:1/v1?api_key=PASS"],
    ["arena", "pocket-stalingrad", "--agents", "random,external:tcp://user:PASS@127.0.0.1:1"],
    ["arena", "pocket-stalingrad", "--agents", "random,nobody:http://user:PASS@127.0.0.1:1"],
    ["play", "pocket-stalingrad", "--seat", "german=llm:http://user:PASS@127.0.0.1:1/v1"],
    ["serve", "--no-page", "--bind", "tcp://user:PASS@127.0.0.1:1"],
    ["games", "list", "/nowhere/http://user:PASS@127.0.0.1/"],
    ["http://user:PASS@127.0.0.1/"],
  ])("are in no error: %j %j %j %j", async (...args) => {
    const { status, out, err } = await kessel(args.filter((a) => a !== undefined));
    expect(status).toBe(2);
    expect(out + err).not.toContain("PASS");
    expect(err).toMatch(/^kessel: /);
  });
});
