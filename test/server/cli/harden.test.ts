import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { HardenFolder, hardenText, isHard } from "../../../training/runs/harden.js";
import { kesselHere } from "./kessel.js";

const PS = "pocket-stalingrad";
const dir = mkdtempSync(join(tmpdir(), "kessel-harden-"));
const at = (...names: string[]) => join(dir, ...names);
const set = (values: Record<string, unknown>): string[] =>
  Object.entries(values).flatMap(([key, value]) => ["--set", `${key}=${JSON.stringify(value)}`]);
/** Counts so small that a run takes a second; every answer gains more than a bound of 0. */
const tiny = set({
  backend: "wasm",
  bound: 0,
  rounds: 2,
  measure: { games: 20 },
  exploiter: { updates: 2, games: 4 },
  commander: { updates: 2, games: 4 },
  pool: ["random"],
});
const train = (...args: string[]) => kesselHere(["train", "harden", PS, ...args]);

describe("kessel train harden", () => {
  it("begins from a model that has a card", async () => {
    const net = set({ "imitate.net": { kind: "mlp", hidden: [8] }, backend: "wasm" });
    const few = ["--games", "4", "--epochs", "1", "--against", "random", "--measure", "2"];
    const files = ["--run", at("imitation"), "--out", at("a.onnx")];
    const ran = await kesselHere(["train", "imitate", PS, "--expert", "heuristic:greedy", ...few, ...files, ...net]);
    expect([ran.err, ran.status]).toEqual(["", 0]);
  });

  it("trains an answer a seat, measures it, and the model on against those that gain too much", async () => {
    const ran = await train("--model", at("a.onnx"), "--run", at("whole"), ...tiny);
    expect([ran.err, ran.status]).toEqual(["", 0]);
    const folder = new HardenFolder(at("whole"));
    const [one, two, ...more] = folder.rounds();
    expect(more).toEqual([]);
    expect([one!.model, two!.model]).toEqual([at("a.onnx"), at("whole/01/commander/models/000002.onnx")]);
    for (const { mirror, answers } of [one!, two!]) {
      expect(answers.map((a) => [a.seat, a.start])).toEqual([
        ["soviet", "warm"],
        ["german", "warm"],
      ]);
      expect(mirror["soviet"]!.score + mirror["german"]!.score).toBeCloseTo(1, 12);
      for (const { score, interval } of Object.values(mirror)) {
        expect(interval[0]).toBeLessThan(score);
        expect(interval[1]).toBeGreaterThan(score);
      }
      for (const a of answers) expect(a.gain).toBeCloseTo(a.score - mirror[a.seat]!.score, 12);
    }
    expect(ran.out).toContain(hardenText([one!, two!]));
    expect(ran.out).toMatch(/done after 2 rounds; an answer still gains too much/);
  });

  it("has an answer play its seat against the model alone, and the model meet the answers and the pool", () => {
    const config = (...names: string[]) =>
      (JSON.parse(readFileSync(at("whole", ...names, "config.json"), "utf8")) as { ppo: Record<string, unknown> }).ppo;
    const model = `onnx:${at("a.onnx")}`;
    expect(config("01", "german-warm")).toMatchObject({ opponents: [model], selfPlay: 0, seats: ["german"] });
    const answers = ["soviet-warm", "german-warm"].map((a) => `onnx:${at("whole/01", a, "models/000002.onnx")}`);
    expect(config("01", "commander")).toMatchObject({ opponents: [...answers, "random"], seats: [], selfPlay: 0.5 });
  });

  it("goes on where it stopped, to the same end", async () => {
    // what the first run had when its second answer had been trained
    const kept = at("pieces");
    const begun = await train("--model", at("a.onnx"), "--run", kept, ...tiny);
    expect(begun.status).toBe(0);
    for (const gone of ["01/gains.json", "01/commander", "02"]) rmSync(join(kept, gone), { recursive: true });
    const ran = await train("--run", kept, "--resume");
    expect([ran.err, ran.status]).toEqual(["", 0]);
    const gains = (name: string) =>
      new HardenFolder(at(name)).rounds().map(({ mirror, first, answers }) => ({
        mirror,
        first,
        gains: answers.map((a) => a.gain),
      }));
    expect(gains("pieces")).toEqual(gains("whole"));
  });

  it("stops when no answer's gain may exceed the bound", () => {
    const [round] = new HardenFolder(at("whole")).rounds();
    const config = new HardenFolder(at("whole")).config();
    const most = Math.max(...round!.answers.map((a) => a.gainInterval[1]));
    const gain = Math.max(...round!.answers.map((a) => a.gain));
    expect(isHard([round!], { ...config, gain, bound: most })).toBe(true);
    expect(isHard([round!], { ...config, gain, bound: most - 1e-6 })).toBe(false);
    expect(isHard([round!], { ...config, gain: gain - 1e-6, bound: most })).toBe(false);
    expect(isHard([], config)).toBe(false);
  });

  it.each([
    [["--run", at("new")], /name the model with --model FILE/],
    [["--run", at("new"), "--model", "no.onnx"], /there is no model no\.onnx/],
    [["--run", at("whole"), "--model", at("a.onnx")], /holds a hardening already; --resume goes on/],
    [["--run", at("whole"), "--resume", "--seed", "2"], /keeps the configuration of its folder/],
    [["--run", at("nowhere"), "--resume"], /nowhere holds no hardening/],
    [["--run", at("new"), "--model", at("a.onnx"), "--set", "exploiter.gamse=4"], /exploiter.*PPO doesn't have/],
  ])("refuses %j in one line", async (flags, message) => {
    const ran = await train(...flags);
    expect([ran.status, ran.err.trim().split("\n").length]).toEqual([2, 1]);
    expect(ran.err).toMatch(message);
  });
});
