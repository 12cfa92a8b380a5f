import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { InvariantError } from "../../env/index.js";
import { faultOf, faultText, logLine } from "../../server/stack-lines.js";

describe("a fault in a log", () => {
  it("has its name, its reason and its place", () => {
    const fault = faultOf(new RangeError("the board has no hex 99"));
    expect(fault).toMatchObject({ name: "RangeError", says: "the board has no hex 99" });
    expect(fault.where![0]).toMatch(/stack-lines\.test\.ts/);
  });

  it("has a reason where the system gives no place", async () => {
    const e: unknown = await readFile("/nowhere/at/all").catch((e: unknown) => e);
    expect(faultOf(e).says).toMatch(/ENOENT.*nowhere/);
  });

  it("has the reason of its reason", () => {
    const e = new TypeError("fetch failed", { cause: new Error("connect ECONNREFUSED") });
    expect(faultOf(e).says).toBe("fetch failed: connect ECONNREFUSED");
  });

  it.each(["a word", null, undefined, 7])("may be no error at all: %s", (e) => {
    expect(faultOf(e).says).toBe(String(e));
  });

  it("of another thread has its reason once, and its place there", () => {
    const there = new Error("boom");
    const { says, where } = faultOf(new Error(there.stack));
    expect(says).toBe("Error: boom");
    expect(where![0]).toMatch(/stack-lines\.test\.ts/);
  });

  it("contains nothing of a state, no passwords, and no book", () => {
    expect(faultText(new InvariantError("unit G3 is hidden in area 7"))).not.toContain("G3");
    const inGame = new Error("unit G3 is hidden in area 7");
    inGame.stack = `Error: ${inGame.message}\n    at move (file:///kessel/env/savage-streets/rules/move.ts:3:4)`;
    for (const e of [inGame, new Error(inGame.stack)]) {
      expect(faultText(e)).not.toContain("G3");
      expect(faultText(e)).toContain("move.ts:3:4");
    }
    expect(faultText(new Error("no answer from http://user:PASS@host/"))).not.toContain("PASS");
    expect(faultOf(new Error("x".repeat(100_000))).says).toHaveLength(500);
  });

  it("is one line of JSON that no terminal obeys", () => {
    const line = logLine({ what: "failed", name: "\u001b[2J\u009b\n", at: "http://user:PASS@host" });
    expect(line).toMatch(/^[\x20-\x7e]+\n$/);
    expect(JSON.parse(line)).toEqual({ what: "failed", name: "\u001b[2J\u009b\n", at: "http://***@host" });
  });
});
