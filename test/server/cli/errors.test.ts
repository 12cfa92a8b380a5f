import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { kessel, kesselHere } from "./kessel.js";

const dir = mkdtempSync(join(tmpdir(), "kessel-cli-"));
const file = (name: string, text: string): string => {
  writeFileSync(join(dir, name), text);
  return join(dir, name);
};

describe("a caller's mistake is one line on standard error and exit status 2", () => {
  const mistakes: [string, string[], RegExp][] = [
    ["unknown command", ["lst"], /^kessel: unknown command 'lst' \(Did you mean list\?\)$/],
    ["unknown option", ["list", "--colour"], /^kessel: unknown option '--colour'$/],
    ["missing argument", ["describe"], /^kessel: missing required argument 'game'$/],
    ["unknown game", ["describe", "waterloo"], /^kessel: there is no game "waterloo"; there are /],
    [
      "option without a value",
      ["describe", "waterloo", "--option", "mode"],
      /^kessel: option '-o, --option <name=value>' argument 'mode' is invalid\. give it as name=value\.$/,
    ],
    ["missing folder", ["cases", join(dir, "nowhere")], /^kessel: there is no file or folder .*nowhere$/],
    ["not JSON", ["cases", file("broken.json", "[{")], /^kessel: .*broken\.json is not JSON: /],
    ["not a case", ["cases", file("odd.json", '[{"id":"X"}]')], /^kessel: .*odd\.json: \[0\]\.rule: /],
    [
      "a case of no game",
      ["cases", file("lost.json", '[{"id":"X","rule":"R","position":{"nobody":"knows"},"steps":[]}]')],
      /^kessel: .*lost\.json does not say its game, .* positions fit none; give --game, one of /,
    ],
    [
      "a case of an unknown game",
      ["cases", file("strange.json", '[{"id":"X","rule":"R","game":"waterloo","position":{},"steps":[]}]')],
      /^kessel: there is no game "waterloo"/,
    ],
    ["not a replay", ["games", "show", file("replay.json", '{"format":2}')], /^kessel: replay: format: /],
    ["a time that no timer takes", ["serve", "--stats", "3000000"], /Give a whole number from 1 to 2000000\.$/],
    ["unknown game of recorded games", ["games", dir, "--game", "nope"], /^kessel: there is no game "nope"/],
    ["no side", ["games", dir, "--won", "ger"], /^kessel: --won is .*german.*nobody, not "ger"$/],
    [
      "no side of a game",
      ["games", dir, "--game", "pocket-stalingrad", "--won", "G"],
      /soviet, german, draw or nobody/,
    ],
    ["missing folder of games", ["serve", "--games", join(dir, "nodir")], /^kessel: cannot read the folder .*nodir: /],
    [
      "hexes where there are areas",
      ["draw", "pocket-stalingrad", "--out", join(dir, "x.svg"), "--around", "S6"],
      /^kessel: --around is for hex maps; pocket-stalingrad has areas, and is drawn whole$/,
    ],
    [
      "missing replay",
      ["games", "show", join(dir, "none.json")],
      /^kessel: cannot read .*none\.json: there is no such file or folder$/,
    ],
  ];
  it.each(mistakes)("%s", async (_what, args, message) => {
    const ran = await kesselHere(args);
    expect(ran.err.trimEnd()).toMatch(message);
    expect(ran.err.trimEnd()).not.toContain("\n");
    expect(ran.out).toBe("");
    expect(ran.status).toBe(2);
  });
});

describe("help", () => {
  it.each(["list", "describe", "play", "arena", "inspect", "cases"])("of %s shows an example", async (command) => {
    const ran = await kesselHere([command, "--help"]);
    expect(ran.status).toBe(0);
    expect(ran.out).toMatch(new RegExp(`Example:\n {2}kessel ${command}`));
  });
});

describe("as a process of its own", () => {
  it("keeps the streams and the status", async () => {
    const ran = await kessel(["describe", "waterloo"]);
    expect([ran.status, ran.out]).toEqual([2, ""]);
    expect(ran.err).toMatch(/^kessel: there is no game "waterloo"; there are .*\n$/);
  });
  it("starts from any folder", async () => {
    const ran = await kessel(["--version"], "", dir);
    expect([ran.status, ran.err]).toEqual([0, ""]);
    expect(ran.out).toMatch(/^\d+\.\d+\.\d+\n$/);
  });
});
