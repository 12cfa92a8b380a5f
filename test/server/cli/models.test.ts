import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { beliefCard } from "../../../training/models/belief.js";
import { kesselHere } from "./kessel.js";
import { nightly } from "../../nightly.js";

// what `kessel train` and `kessel inspect` do with finished models, and nets of beliefs

const SS = "savage-streets";
const dir = mkdtempSync(join(tmpdir(), "kessel-models-"));
const at = (name: string) => join(dir, name);
const model = (name: string): string => fileURLToPath(new URL(`../../../models/${name}.onnx`, import.meta.url));

describe("kessel model oracle", () => {
  it("prints the returns of net, search and oracle", async () => {
    const args = ["model", "oracle", model("night-fight/commander"), "--games", "3", "--iterations", "2"];
    const { status, out, err } = await kesselHere(args);
    expect(status, err).toBe(0);
    const row = /^(.+?) {2,}-?[\d.]+ \[-?[\d.]+, -?[\d.]+\]/;
    const rows = out.split("\n").flatMap((line) => row.exec(line)?.[1] ?? []);
    expect(rows).toEqual(["the net alone", "search, 2", "oracle, 2"]);
  });

  it("measures one seat of a game of two, also with a search among plans", nightly, async () => {
    const args = ["--seat", "S", "--root", "plan", "--games", "2", "--iterations", "2"];
    const { status, out, err } = await kesselHere(["model", "oracle", model("savage-streets/veteran"), ...args]);
    expect(status, err).toBe(0);
    expect(out).toContain("oracle, 2");
  });

  it.each([
    [[], "pocket-stalingrad has more than one seat: say with --seat whose games are measured, soviet or german"],
    [["--seat", "red"], 'pocket-stalingrad has no seat "red"; seats are soviet, german or spectator'],
    [["--seat", "spectator"], "a spectator plays nothing: --seat is a side of the game"],
  ])("for a game of two it needs a valid seat: %j", async (args, said) => {
    const { status, err } = await kesselHere(["model", "oracle", model("pocket-stalingrad/commander"), ...args]);
    expect(status).not.toBe(0);
    expect(err).toContain(said);
  });
});

describe("kessel model belief", () => {
  const by = ["--by", "heuristic:g-storm"];

  it("learns from games which worlds are likely, and a search meets these", nightly, async () => {
    const out = at("belief.onnx");
    const made = await kesselHere(["model", "belief", SS, ...by, "--games", "10", "--set", "epochs=1", "--out", out]);
    expect(made.status, made.err).toBe(0);
    expect(made.out).toMatch(/the true world gets [\d.]+ times the mean weight of the worlds it is among\n/);
    expect(readFileSync(at("belief.md"), "utf8")).toBe(beliefCard(readFileSync(out), out));
    const search = `search:net=${model("savage-streets/recruit")},belief=${out},root=plan,iterations=2`;
    const played = await kesselHere(["arena", SS, "--agents", `${search},random`, "--games", "2", "--json"]);
    expect(played.status, played.err).toBe(0);
  });

  it.each([
    [["night-fight", ...by], "night-fight has one player, so that nobody chose what is hidden"],
    [
      ["pocket-stalingrad", "--by", "random"],
      "pocket-stalingrad hides nothing from soviet or german: there is nothing to believe",
    ],
    [["savage-streets", ...by, "--seat", "S"], "savage-streets hides nothing from S: there is nothing to believe"],
    [["savage-streets", ...by, "--seat", "spectator"], "a spectator decides nothing: --seat is a side of the game"],
    [["savage-streets", "--by", "random,random,random"], "--by names one agent or 2, one for each seat, not 3"],
    [["savage-streets", ...by, "--set", "epoch=1"], "configuration: epoch: there is no such key"],
  ])("refuses %j", async (args, said) => {
    const { status, err } = await kesselHere(["model", "belief", ...args, "--out", at("refused.onnx")]);
    expect(status).toBe(2);
    expect(err).toContain(said);
    expect(existsSync(at("refused.onnx"))).toBe(false);
  });
});

describe("kessel model measure", () => {
  it.each(["hot", "-1", "101", ""])("refuses the temperature %j and leaves the file as it is", async (temperature) => {
    const file = model("savage-streets/recruit");
    const before = readFileSync(file);
    const { status, err } = await kesselHere(["model", "measure", file, `--temperature=${temperature}`]);
    expect([status, err.trim()]).toEqual([
      2,
      `kessel: --temperature is a number from 0 to 100, not ${JSON.stringify(temperature)}`,
    ]);
    expect(readFileSync(file).equals(before)).toBe(true);
  });
});

describe("where a model is written", () => {
  const NF = "night-fight";
  const commander = model("night-fight/commander");
  // runs that would take long, so that a refusal after the work would not come in time
  const writers: [string, string[]][] = [
    ["imitate", [NF, "--expert", "heuristic:runner", "--games", "1000000", "--run", at("run")]],
    ["quantize", [commander]],
    ["belief", [SS, "--by", "heuristic:g-storm", "--games", "1000000"]],
  ];

  it.each(writers)("%s needs a name that its card can be told from", async (verb, args) => {
    const { status, err } = await kesselHere([
      verb === "imitate" ? "train" : "model",
      verb,
      ...args,
      "--out",
      at("no-ending"),
    ]);
    expect([status, err]).toEqual([
      2,
      `kessel: the name of a model's file ends in .onnx, and ${at("no-ending")} doesn't\n`,
    ]);
    expect(readdirSync(dir).filter((name) => name.startsWith("no-ending"))).toEqual([]);
  });

  it.each(writers)("%s says before its work that it can't write there", async (verb, args) => {
    writeFileSync(at("a-file"), "");
    const inFile = await kesselHere([
      verb === "imitate" ? "train" : "model",
      verb,
      ...args,
      "--out",
      join(at("a-file"), "x.onnx"),
    ]);
    expect([inFile.status, inFile.err]).toEqual([
      2,
      `kessel: cannot write to the folder ${at("a-file")}: it is not a folder\n`,
    ]);
    mkdirSync(at("folder.onnx"), { recursive: true });
    const onFolder = await kesselHere([
      verb === "imitate" ? "train" : "model",
      verb,
      ...args,
      "--out",
      at("folder.onnx"),
    ]);
    expect([onFolder.status, onFolder.err]).toEqual([2, `kessel: cannot write ${at("folder.onnx")}: it is a folder\n`]);
  });

  it("measure leaves a model with another ending as it is", async () => {
    copyFileSync(commander, at("plain"));
    const { status, err } = await kesselHere(["model", "measure", at("plain"), "--measure", "2"]);
    expect([status, err]).toEqual([
      2,
      `kessel: the name of a model's file ends in .onnx, and ${at("plain")} doesn't\n`,
    ]);
    expect(readFileSync(at("plain")).equals(readFileSync(commander))).toBe(true);
  });
});

describe("kessel inspect", () => {
  it.each(["savage-streets/recruit", "savage-streets/commander"])("prints the temperature of %s", async (name) => {
    const file = model(name);
    const [, said] = /(?:drawn at|\() ?temperature ([\d.]+)/.exec(readFileSync(file.replace(/onnx$/, "md"), "utf8"))!;
    const { temperature } = JSON.parse((await kesselHere(["inspect", file, "--json"])).out) as { temperature: number };
    expect(temperature).toBe(Number(said));
    expect((await kesselHere(["inspect", file])).out).toContain(`plays at    temperature ${said!}\n`);
  });
});

describe("kessel inspect of a model that comes with Kessel", () => {
  const fitting = async (name: string) => {
    const { status, out } = await kesselHere(["inspect", model(name), "--json"]);
    const { use, problem, goldenError } = JSON.parse(out) as {
      use: string;
      problem: string | null;
      goldenError: number;
    };
    expect([status, problem]).toEqual([0, null]);
    expect(goldenError).toBeLessThan(1e-4);
    return use;
  };

  it.each(["savage-streets-solo/commander", "streets-of-stalingrad-drill-kurgan/commander"])(
    "loads the game of %s with the options it was trained for",
    async (name) => {
      expect(await fitting(name)).toBe("plays");
    },
  );

  it("tells a net of beliefs from one that plays", async () => {
    expect(await fitting("savage-streets/belief")).toBe("believes");
    const { out } = await kesselHere(["inspect", model("savage-streets/belief")]);
    expect(out).toContain("beliefs     for search:net=...,belief=FILE\n");
    expect(out).not.toContain("plays at");
  });
});

describe("kessel model quantize", () => {
  const commander = model("night-fight/commander");

  it("writes a model that plays nearly as its origin does, and reports how nearly", async () => {
    const out = at("eight-bit.onnx");
    const made = await kesselHere(["model", "quantize", commander, "--out", out]);
    expect(made.status, made.err).toBe(0);
    const agreement = Number(/same action preferred in ([\d.]+) %/.exec(made.out)?.[1]);
    expect(agreement).toBeGreaterThan(95);
    expect(agreement).toBeLessThan(100);
    expect(made.out).toMatch(/batch of 64: \d+ rows a second, before \d+ \([\d.]+ times\)/);
    const { trained } = JSON.parse((await kesselHere(["inspect", out, "--json"])).out) as {
      trained: { method: string; agreement: number };
    };
    expect(trained).toMatchObject({ method: "quantize" });
    expect((100 * trained.agreement).toFixed(1)).toBe(agreement.toFixed(1));
    const played = await kesselHere(["arena", "night-fight", "--agents", `onnx:${out}`, "--games", "20", "--json"]);
    expect(played.status, played.err).toBe(0);
  });

  it("says what it can't do", async () => {
    const none = await kesselHere(["model", "quantize", at("none.onnx"), "--out", at("x.onnx")]);
    expect(none.status).not.toBe(0);
    expect(none.err).toContain("there is no model file");
    const twice = await kesselHere(["model", "quantize", at("eight-bit.onnx"), "--out", at("x.onnx")]);
    expect(twice.err).toContain("has no layers that are large enough for 8 bits");
    expect(existsSync(at("x.onnx"))).toBe(false);
  });
});
