import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { DEFAULT_PORT, OPS, PROTOCOL } from "../../server/protocol.js";

const page = readFileSync(new URL("../../server/PROTOCOL.md", import.meta.url), "utf8");
const codesOf = (text: string): Set<string> => new Set([...text.matchAll(/^\| ((?:`[a-z-]+`(?:, )?)+) \|/gm)].flatMap((m) => m[1]!.split(", ")).map((c) => c.slice(1, -1)));

describe("PROTOCOL.md", () => {
  it("has every operation, and no other", () => {
    const table = page.slice(page.indexOf("## Operations"), page.indexOf("### make"));
    const named = [...table.matchAll(/^\| `([a-z]+)` \|/gm)].map((m) => m[1]);
    expect(named.sort()).toEqual([...OPS].sort());
  });

  it("has every error code that the server's code gives", () => {
    const table = codesOf(page.slice(page.indexOf("## Errors")));
    const files = ["handler", "hosted", "msgpack", "ops", "protocol", "states", "zmq"].map((f) => readFileSync(new URL(`../../server/${f}.ts`, import.meta.url), "utf8"));
    const given = new Set(files.flatMap((text) => [...text.matchAll(/(?:KesselError|refuse|parseWith)\([^)]*?"(bad-[a-z]+|[a-z]+-[a-z]+|limit|busy|closed|internal|unsupported)"/g)].map((m) => m[1]!)));
    expect(given.size).toBeGreaterThan(8);
    for (const code of given) expect(table, code).toContain(code);
  });

  it("has the version and the port of the code", () => {
    expect(page).toContain(`# The Kessel protocol, version ${PROTOCOL}\n`);
    expect(page).toContain(`tcp://127.0.0.1:${DEFAULT_PORT}`);
  });
});
