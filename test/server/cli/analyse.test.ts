import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { loadGame, type Replay } from "../../../env/index.js";
import type { Beliefs } from "../../../server/analysis/beliefs.js";
import type { Analysis } from "../../../server/analysis/document.js";
import { inTurn, played } from "../analysis/nets.js";
import { kesselHere } from "./kessel.js";

const dir = mkdtempSync(join(tmpdir(), "kessel-analyse-"));
const kept = (name: string, doc: unknown): string => {
  const file = join(dir, name);
  writeFileSync(file, JSON.stringify(doc));
  return file;
};
const replay = played(loadGame("savage-streets"), "analyse", [], inTurn, 140);
const file = kept("game.json", replay);
const whole = played(loadGame("pocket-stalingrad"), "analyse", [], inTurn);
const wholeFile = kept("whole.json", whole);

describe("analyse", () => {
  it("reports the same as JSON, text and a page", async () => {
    const html = join(dir, "game.html");
    const ran = await kesselHere([
      "games",
      "analyse",
      wholeFile,
      "--with",
      "recruit",
      "--json",
      "--html",
      html,
      "--worst",
      "2",
    ]);
    expect([ran.status, ran.err]).toEqual([0, ""]);
    const found = JSON.parse(ran.out) as Analysis;
    expect(found.decisions.map((d) => d.action)).toEqual(whole.actions);
    expect(found.returns).toEqual(whole.returns);
    expect(found.sides.every((s) => s.worst.length <= 2)).toBe(true);
    const text = (await kesselHere(["games", "analyse", wholeFile, "--with", "recruit", "--worst", "2"])).out;
    const unbroken = text.replace(/\s+/g, " ");
    const page = readFileSync(html, "utf8");
    const worst = found.sides.flatMap((s) => s.worst);
    expect(worst.length).toBeGreaterThan(1);
    for (const told of [...worst, ...found.turningPoints]) {
      expect(unbroken).toContain(told.text.replace(/\s+/g, " "));
      expect(page).toContain(`<h3>${told.number}: `);
    }
    for (const b of worst) expect(unbroken).toContain(`better: ${b.bestText}`);
  });

  it("makes a page that needs nothing else, with two curves and a board for each turning point", async () => {
    const html = join(dir, "alone.html");
    const ran = await kesselHere(["games", "analyse", wholeFile, "--with", "recruit", "--json", "--html", html]);
    const { turningPoints } = JSON.parse(ran.out) as Analysis;
    const page = readFileSync(html, "utf8");
    expect(page).not.toMatch(/<script|<link|src=|url\((?!#)/);
    expect(page.match(/<svg[^>]*role="img"/g)?.length).toBe(turningPoints.length);
    expect(page).toContain("Value: expected return");
    expect(page).toContain("Luck of the Soviet side");
  });

  it("analyses a game that goes on", async () => {
    const ran = await kesselHere(["games", "analyse", file, "--with", "recruit"]);
    expect(ran.status).toBe(0);
    expect(ran.out).toContain("The game is not over after 140 decisions.");
  });

  it("--seat shows one side's decisions and values, and no luck where something is hidden from it", async () => {
    const ran = await kesselHere(["games", "analyse", file, "--with", "recruit", "--seat", "G", "--json"]);
    const found = JSON.parse(ran.out) as Analysis;
    expect(found.knowledge).toBe("G");
    expect(found.sides.map((s) => s.side)).toEqual(["G"]);
    for (const d of found.decisions) {
      expect(Object.keys(d.value)).toEqual(["G"]);
      expect(d.luck).toBeNull();
      if (d.by === "S") expect(d.alternatives).toEqual([]);
    }
  });

  it("--beliefs shows what a seat could believe of the face-down counters, as text and JSON", async () => {
    const args = ["games", "analyse", file, "--seat", "G", "--beliefs", "130"];
    const { places, model } = JSON.parse((await kesselHere([...args, "--json"])).out) as Beliefs;
    expect(model).toBe("uniform over consistent worlds");
    expect(places.length).toBeGreaterThan(0);
    const { out } = await kesselHere(args);
    for (const { place, hidden } of places) expect(out).toContain(`${place}: ${hidden} face-down`);
    const weighed = JSON.parse((await kesselHere([...args, "--habits", "--json"])).out) as Beliefs;
    expect(weighed.model).toBe("consistent worlds, weighed by habits learnt from games");
    expect(weighed.places.map((p) => p.place)).toEqual(places.map((p) => p.place));
    expect(weighed.places).not.toEqual(places);
    const none = await kesselHere(["games", "analyse", wholeFile, "--seat", "german", "--beliefs", "1"]);
    expect(none.out).toBe("Nothing is face down on the map for this seat.\n");
  });

  const soon = (doc: object): Replay => ({ ...whole, returns: undefined, ...doc }) as unknown as Replay;
  it.each([
    ["a file that isn't there", join(dir, "nothing.json"), ["--with", "recruit"], /cannot read .*nothing.json/],
    ["what is no replay", kept("no.json", { moves: [] }), ["--with", "recruit"], /replay/],
    [
      "another version",
      kept("version.json", soon({ version: 999 })),
      ["--with", "recruit"],
      /made with version 999 of pocket-stalingrad/,
    ],
    ["an action that isn't legal", kept("bent.json", soon({ actions: ["done"] })), ["--with", "recruit"], /action 1/],
    [
      "another game's model",
      wholeFile,
      ["--with", "onnx:savage-streets/recruit.onnx"],
      /savage-streets.*pocket-stalingrad|pocket-stalingrad.*savage-streets/,
    ],
    ["an agent without values", wholeFile, ["--with", "random"], /gives no values to analyse with/],
    ["no seat of the game", wholeFile, ["--with", "recruit", "--seat", "nato"], /has no seat "nato"/],
    ["a spectator", wholeFile, ["--with", "recruit", "--seat", "spectator"], /a spectator decides nothing/],
    ["no evaluator", wholeFile, [], /--with/],
    ["habits of nothing", file, ["--with", "recruit", "--habits"], /--habits goes with --beliefs/],
    [
      "habits that nobody learnt",
      wholeFile,
      ["--beliefs", "3", "--seat", "german", "--habits"],
      /no net of habits comes with pocket-stalingrad/,
    ],
    ["beliefs of nobody", file, ["--beliefs", "3"], /say whose with --seat/],
    ["a decision that was not taken", file, ["--beliefs", "141", "--seat", "G"], /from 1 to 140, not 141/],
  ])("refuses %s in one line", async (_what, path, flags, why) => {
    const ran = await kesselHere(["games", "analyse", path, ...flags]);
    expect(ran.status).toBe(2);
    expect(ran.err).toMatch(why);
    expect(ran.err.trimEnd().split("\n").length).toBe(1);
    expect(ran.out).toBe("");
  });
});
