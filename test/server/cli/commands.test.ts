import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it, vi } from "vitest";
import {
  describe as described,
  Env,
  GAMES,
  gameType,
  GUIDE_LENGTHS,
  guideText,
  loadGame,
  Rng,
  toReplay,
} from "../../../env/index.js";
import { pickLegal } from "../../../agents/random.js";
import { startSession } from "../../../server/session/open.js";
import { SessionStore } from "../../../server/session/store.js";
import { kessel, kesselHere } from "./kessel.js";

const dir = mkdtempSync(join(tmpdir(), "kessel-cli-"));
const PS = "pocket-stalingrad";
const cases = fileURLToPath(new URL(`../../cases/${PS}`, import.meta.url));
const json = (text: string): unknown => JSON.parse(text);

describe("list and describe", () => {
  it("name every game", async () => {
    const ran = await kesselHere(["list", "--json"]);
    expect((json(ran.out) as { id: string }[]).map((g) => g.id)).toEqual(GAMES.map((g) => g.id));
    const plain = await kesselHere(["list"]);
    for (const g of GAMES) expect(plain.out).toContain(g.title);
  });
  it("describe --json is what the library describes, options included", async () => {
    const ran = await kesselHere(["describe", PS, "--json", "-o", "gumrakReinforcements=2"]);
    expect(json(ran.out)).toEqual(described(loadGame(PS, { gumrakReinforcements: 2 })));
  });
  it("describe prints sides, options and shapes", async () => {
    const game = loadGame(PS);
    const { out } = await kesselHere(["describe", PS]);
    for (const word of [...game.players, ...game.type.options.map((o) => o.id), `${game.actions.length}, such as`])
      expect(out).toContain(word);
  });
  it.each([
    [["-o", "gumrak=2"], /has no option "gumrak"; it has /],
    [["-o", "gumrakReinforcements=9"], /option gumrakReinforcements of pocket-stalingrad is 1, 2 or 3, not "9"/],
    [["--data", join(dir, "nowhere")], /cannot read the folder .*: there is no such file or folder/],
  ])("describe %j is refused", async (flags, message) => {
    const ran = await kesselHere(["describe", PS, ...flags]);
    expect([ran.status, ran.out]).toEqual([2, ""]);
    expect(ran.err).toMatch(message);
  });
  it("an owner's data file replaces the game's; an unknown or broken one is refused", async () => {
    const own = join(dir, "own");
    mkdirSync(own);
    const units = structuredClone(gameType(PS).data["units"]);
    writeFileSync(join(own, "units.json"), JSON.stringify(units));
    expect((await kesselHere(["describe", PS, "--data", own])).status).toBe(0);
    writeFileSync(join(own, "units.json"), "{");
    expect((await kesselHere(["describe", PS, "--data", own])).err).toMatch(/units\.json is not JSON: /);
    writeFileSync(join(own, "units.json"), "{}");
    const odd = await kesselHere(["describe", PS, "--data", own]);
    expect([odd.status, odd.err.trimEnd().split("\n").length]).toEqual([2, 1]);
    writeFileSync(join(own, "tanks.json"), "{}");
    expect((await kesselHere(["describe", PS, "--data", own])).err).toMatch(
      /tanks\.json: pocket-stalingrad has no such data file; it has /,
    );
  });
});

describe("cases", () => {
  it("are read from files that begin with a byte order mark", async () => {
    const file = join(dir, "marked.json");
    writeFileSync(file, `\uFEFF${readFileSync(join(cases, "05-combat.json"), "utf8")}`);
    const ran = await kesselHere(["cases", file, "--game", PS]);
    expect([ran.status, ran.out]).toEqual([0, expect.stringMatching(/^[1-9]\d* passed, 0 failed/)]);
  });
  it("an empty list, or a link to nothing, is an error that names the file", async () => {
    const none = join(mkdtempSync(join(dir, "none-")), "a.json");
    writeFileSync(none, "[]");
    const empty = await kesselHere(["cases", none]);
    expect([empty.status, empty.err]).toEqual([2, expect.stringContaining(`${none} holds no case`)]);
    const dead = mkdtempSync(join(dir, "dead-"));
    symlinkSync(join(dir, "nowhere"), join(dead, "a"));
    const ran = await kesselHere(["cases", dead]);
    expect([ran.status, ran.err]).toEqual([2, expect.stringContaining(`${join(dead, "a")} is a link to nothing`)]);
  });
  it("runs a folder of any name and closes with the count", async () => {
    const elsewhere = join(dir, "elsewhere");
    cpSync(cases, elsewhere, { recursive: true });
    const ran = await kessel(["cases", elsewhere]);
    expect(ran.status).toBe(0);
    expect(ran.out).toMatch(/^\d+ passed, 0 failed\n$/);
  });
  it("finds the game of each file of a mixed folder by its positions", async () => {
    const mixed = join(dir, "mixed");
    mkdirSync(mixed);
    const other = fileURLToPath(new URL("../../cases/night-fight/11-movement.json", import.meta.url));
    cpSync(join(cases, "05-combat.json"), join(mixed, "a.json"));
    cpSync(other, join(mixed, "b.json"));
    const wanted = [join(mixed, "a.json"), join(mixed, "b.json")].flatMap(
      (f) => (json(readFileSync(f, "utf8")) as unknown[]).length,
    );
    const ran = await kesselHere(["cases", mixed]);
    expect([ran.status, ran.out]).toEqual([0, `${wanted[0]! + wanted[1]!} passed, 0 failed\n`]);
  });
  it("says of a failing case its id, rule, what was expected and what came, in one line, and exits with 1", async () => {
    const wrong = join(dir, "wrong.json");
    const [first] = json(readFileSync(join(cases, "00-setup-and-areas.json"), "utf8")) as [Record<string, unknown>];
    writeFileSync(
      wrong,
      JSON.stringify([
        { ...first, id: "WRONG", rule: "PS 0", game: PS, steps: [{ expect: { terminal: true } }] },
        { ...first, game: PS },
      ]),
    );
    const ran = await kesselHere(["cases", wrong]);
    expect(ran.out.trimEnd().split("\n")).toEqual([
      "FAILED WRONG (PS 0): step 1: terminal: expected true, got false",
      "1 passed, 1 failed",
    ]);
    expect(ran.status).toBe(1);
  });
});

describe("replay", () => {
  const game = loadGame(PS);
  const env = new Env(game);
  const rng = new Rng("replay");
  env.reset("replay");
  const actions: string[] = [];
  while (!env.terminated) {
    const a = pickLegal(env.mask, 0, game.actions.length, rng);
    actions.push(game.actions[a]!);
    env.step(a);
  }
  const replay = toReplay(game, "replay", actions, env);
  const file = join(dir, "game.json");
  writeFileSync(file, JSON.stringify(replay));

  it("plays a whole game again", async () => {
    const ran = await kesselHere(["games", "show", file]);
    expect(ran.status).toBe(0);
    expect(ran.out).toContain(
      `${actions.length} decisions played again, all as recorded; returns: soviet ${replay.returns!["soviet"]}`,
    );
  });
  it("--as shows a seat's view", async () => {
    const ran = await kesselHere(["games", "show", file, "--as", "german", "--json"]);
    const shown = json(ran.out) as { seat: string; steps: { action: string | null; view: unknown }[] };
    expect(shown.seat).toBe("german");
    expect(shown.steps.length).toBe(actions.length + 1);
    expect(shown.steps.at(-1)!.view).toEqual(game.view(env.state, 1));
    expect((await kesselHere(["games", "show", file, "--as", "nato"])).err).toMatch(
      /has no seat "nato"; seats are soviet, german or spectator/,
    );
  });
  it("--step prints each decision with what came of it, and its rule", async () => {
    const ran = await kesselHere(["games", "show", file, "--step"]);
    expect(ran.status).toBe(0);
    const told = [...ran.out.matchAll(/^ {2}(?:Soviet|German): (.+)$/gm)].map((m) => m[1]!);
    expect(told).toEqual(actions);
    expect(ran.out).toMatch(/\(PS [^)]+\)\./);
    expect((await kesselHere(["games", "show", file, "--step", "--json"])).err).toMatch(/--step is for reading/);
  });
  it("refuses one that does not come out as recorded", async () => {
    const bent = join(dir, "bent.json");
    writeFileSync(bent, JSON.stringify({ ...replay, returns: { soviet: 0.5, german: -0.5 } }));
    const ran = await kesselHere(["games", "show", bent]);
    expect([ran.status, ran.err]).toEqual([
      2,
      expect.stringMatching(/^kessel: the replay records 0\.5 for soviet, played again it is (1|-1|0)\n$/),
    ]);
    writeFileSync(bent, JSON.stringify({ ...replay, actions: ["done", ...actions] }));
    expect((await kesselHere(["games", "show", bent])).err).toMatch(/^kessel: action 1: .*"done" is not legal/);
  });
});

describe("play", () => {
  it("is played through a pipe, saved, and gone on with", async () => {
    const save = join(dir, "saved.json");
    const first = await kessel(["play", PS, "--seat", "german=random", "--seed", "5", "--save", save], "1\n1\nquit\n");
    expect(first.status).toBe(0);
    expect(first.out).toContain("Soviet> ");
    const saved = json(readFileSync(save, "utf8")) as { actions: string[]; agents: object };
    expect(saved.agents).toEqual({ soviet: "human", german: "random" });
    const later = await kessel(["play", PS, "--seat", "german=random", "--resume", save, "--save", save], "1\n");
    expect(later.status).toBe(0);
    const after = json(readFileSync(save, "utf8")) as { actions: string[] };
    expect(after.actions.slice(0, saved.actions.length)).toEqual(saved.actions);
    expect(after.actions.length).toBeGreaterThan(saved.actions.length);
  });
  it("shows the end of a game that was given up, and plays on in none", async () => {
    const save = join(dir, "resigned.json");
    const flags = ["play", PS, "--seat", "german=random", "--no-keep", "--save", save];
    await kessel(flags, "1\nresign\nyes\n");
    const again = await kessel(["play", "--resume", save, "--no-keep", "--save", save], "1\n1\n");
    expect(again.out).toContain("The Soviet side gave up.");
    expect(again.out).not.toContain("Soviet> ");
    expect((json(readFileSync(save, "utf8")) as { resigned: string }).resigned).toBe("soviet");
  });
  it("goes on with a kept game as it is, or not at all", async () => {
    const folder = mkdtempSync(join(tmpdir(), "kessel-kept-"));
    vi.stubEnv("KESSEL_SESSIONS", folder);
    const open = await startSession(new SessionStore(), { game: PS, options: {}, seats: {}, seed: "kept" });
    await open.close();
    const { id } = open.header;
    const before = readFileSync(join(folder, `${id}.jsonl`), "utf8");
    for (const [args, message] of [
      [["--no-keep"], /is kept, and so is what is played in it; leave --no-keep out/],
      [["--data", folder], /was begun with the game's own data, not with those in /],
      [["night-fight"], /is a game of pocket-stalingrad, not of night-fight/],
    ] as const) {
      const ran = await kesselHere(["play", ...args, "--resume", id]);
      expect([ran.status, ran.err]).toEqual([2, expect.stringMatching(message)]);
    }
    expect(readFileSync(join(folder, `${id}.jsonl`), "utf8")).toBe(before);
    vi.unstubAllEnvs();
  });
  it.each([
    [["--seat", "roman=human"], /has no seat "roman"; seats are soviet or german/],
    [["--seat", "soviet"], /--seat takes SIDE=WHO/],
    [["--seat", "soviet=kasparov"], /there is no agent "kasparov"/],
  ])("refuses %j", async (flags, message) => {
    const ran = await kesselHere(["play", PS, ...flags]);
    expect(ran.status).toBe(2);
    expect(ran.err).toMatch(message);
  });
});

describe("sessions", () => {
  it("names damaged games, and deletes them", async () => {
    const folder = mkdtempSync(join(tmpdir(), "kessel-damaged-"));
    vi.stubEnv("KESSEL_SESSIONS", folder);
    const id = "damaged23456";
    writeFileSync(join(folder, `${id}.jsonl`), "oops\n");
    expect((await kesselHere(["sessions"])).out).toBe(
      `${id} is damaged and can't go on; kessel sessions --delete ${id}\n`,
    );
    expect(json((await kesselHere(["sessions", "--json"])).out)).toEqual({ folder, sessions: [], damaged: [id] });
    expect((await kesselHere(["sessions", "--delete", id])).out).toBe(`Deleted ${id}.\n`);
    expect((await kesselHere(["sessions"])).out).toBe(`No games are kept in ${folder}.\n`);
    vi.unstubAllEnvs();
  });
  it("names the folder of games", async () => {
    expect((await kesselHere(["sessions", "--help"])).out).toContain("$XDG_STATE_HOME");
  });
});

describe("rule", () => {
  it("prints text, code, cases and tests of a rule with file and line", async () => {
    const { out, status } = await kesselHere(["rule", "savage-streets", "7.31"]);
    expect(status).toBe(0);
    expect(out).toMatch(
      /^SS 7\.31: .*\nstatus: done\n(?:ruling R(?:18|27): .*\n){2}code:\n {2}env\/savage-streets\/\S+\.ts:\d+\n/,
    );
    const [, file, line, id] = /cases:\n {2}(\S+):(\d+) {2}(\S+)/.exec(out)!;
    expect(readFileSync(file!, "utf8").split("\n")[Number(line) - 1]).toContain(id);
    const [, code, at] = /code:\n {2}(\S+):(\d+)/.exec(out)!;
    expect(readFileSync(code!, "utf8").split("\n")[Number(at) - 1]).toContain("Rule: SS");
    expect((await kesselHere(["rule", "savage-streets", "ss", "7.31"])).out).toBe(out);
  });
  it("searches by words, also those that the text writes apart", async () => {
    const { out } = await kesselHere(["rule", "savage-streets", "breakthrough"]);
    expect(out).toContain("SS 7.31");
    const found = json((await kesselHere(["rule", PS, "german", "units", "--json"])).out) as {
      id: string;
      says: string;
    }[];
    expect(found.length).toBeGreaterThan(1);
    for (const { id, says } of found) expect(`${id} ${says}`.toLowerCase()).toMatch(/german.*units|units.*german/);
  });
  it("says that an installed package has no tests", async () => {
    const installed = mkdtempSync(join(tmpdir(), "kessel-installed-"));
    const root = fileURLToPath(new URL("../../..", import.meta.url));
    for (const name of ["env", "agents", "server/cli", "server/shortages.ts", "training/report", "package.json"])
      cpSync(join(root, name), join(installed, name), { recursive: true });
    symlinkSync(join(root, "node_modules"), join(installed, "node_modules"));
    const rules = Object.keys(gameType(PS).rules);
    const out = execFileSync(process.execPath, ["server/cli/kessel.mjs", "rule", PS, rules[0]!], {
      cwd: installed,
      encoding: "utf8",
    });
    expect(out).toContain("cases and tests: an installed package has none; see the repository");
    expect(out).toContain(`env/${PS}/`);
  });
  it.each(GUIDE_LENGTHS)("prints a game's rules, %s", async (length) => {
    const { out, status } = await kesselHere(["rule", PS, "--length", length]);
    expect([status, out]).toEqual([0, `${guideText(gameType(PS), length)}\n`]);
    const data = json((await kesselHere(["rule", PS, "--length", length, "--json"])).out);
    expect(data).toEqual({ game: PS, length, text: out.trimEnd() });
  });
  it.each<[string[], RegExp]>([
    [["--length", "huge"], /'huge' is invalid\. Allowed choices are short, medium, long\./],
    [[], /takes the id of a rule or words to search for, or --length short, medium or long; neither is given/],
    [["night", "--length", "short"], /or --length short, medium or long; both are given/],
  ])("refuses %j", async (flags, message) => {
    const ran = await kesselHere(["rule", PS, ...flags]);
    expect([ran.status, ran.out]).toEqual([2, ""]);
    expect(ran.err).toMatch(message);
    expect(ran.err.trimEnd()).not.toContain("\n");
  });
  it("refuses what no rule has", async () => {
    const ran = await kesselHere(["rule", PS, "zebra"]);
    expect([ran.status, ran.out]).toEqual([2, ""]);
    expect(ran.err).toContain('has no rule "zebra"');
  });
});
