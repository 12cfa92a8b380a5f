import { spawn } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { loadCheckpoint } from "../../../training/learn/checkpoint.js";
import { RunFolder } from "../../../training/runs/run-folder.js";
import type { StrengthPoint } from "../../../training/runs/strength.js";
import { kesselHere } from "./kessel.js";

const bin = fileURLToPath(new URL("../../../server/cli/kessel.mjs", import.meta.url));
const PS = "pocket-stalingrad";
const dir = mkdtempSync(join(tmpdir(), "kessel-train-"));
const at = (name: string) => join(dir, name);
const tiny = [
  "--set",
  'ppo.net={"kind":"mlp","hidden":[8]}',
  "--set",
  "ppo.games=4",
  "--set",
  "evaluate.games=4",
  "--set",
  "backend=wasm",
];

describe("kessel train imitate", () => {
  it("writes a model that inspect accepts, and its card", async () => {
    const args = [
      "train",
      "imitate",
      PS,
      "--expert",
      "heuristic:first-keep",
      "--games",
      "4",
      "--epochs",
      "2",
      "--run",
      at("imitation"),
      "--out",
      at("a.onnx"),
      "--against",
      "random",
      "--measure",
      "4",
      "--seed",
      "7",
      "--set",
      'imitate.net={"kind":"mlp","hidden":[8]}',
      "--set",
      "backend=wasm",
    ];
    const ran = await kesselHere(args);
    expect(ran.err).toBe("");
    expect(ran.status).toBe(0);
    expect(ran.out).toMatch(
      /backend wasm[^]*epoch 2: policy .*agreement .* samples\/s[^]*wrote .*a\.onnx and its card/,
    );
    const card = readFileSync(at("a.md"), "utf8");
    for (const text of [
      "Imitation of heuristic:first-keep",
      "| seed | 7 |",
      "| games | 4 |",
      "the trainer against the written model",
      "| random | 4 |",
      "as soviet | as german",
      "npx kessel",
    ])
      expect(card).toContain(text);
    const facts = JSON.parse((await kesselHere(["inspect", at("a.onnx"), "--json"])).out) as {
      problem: string | null;
      goldenError: number;
      trained: { seed: string; results: unknown[] };
    };
    expect(facts.problem).toBeNull();
    expect(facts.goldenError).toBeLessThan(1e-5);
    expect(facts.trained.seed).toBe("7");
    expect(facts.trained.results).toHaveLength(1);
    expect(
      readFileSync(join(at("imitation"), "metrics.jsonl"), "utf8")
        .trim()
        .split("\n"),
    ).toHaveLength(2);
  });
});

describe("kessel train ppo", () => {
  it("trains, begins from a model, goes on, and publishes", async () => {
    const run = at("ppo");
    const warm = await kesselHere([
      "train",
      "ppo",
      PS,
      "--run",
      run,
      "--updates",
      "2",
      "--set",
      `warmStart=${at("a.onnx")}`,
      ...tiny,
    ]);
    expect([warm.err, warm.status]).toEqual(["", 0]);
    expect(warm.out).toMatch(/update 2\/2 .* samples\/s .*entropy/);
    const again = await kesselHere(["train", "ppo", PS, "--run", run, "--resume"]);
    expect([again.err, again.status]).toEqual(["", 0]);
    const drawn = await kesselHere(["train", "report", "--run", run]);
    expect([drawn.err, drawn.status, drawn.out]).toEqual(["", 0, `wrote ${join(run, "report.html")}\n`]);
    expect(readFileSync(join(run, "report.html"), "utf8")).toContain("measured against random");
    const measured = ["--against", "random,heuristic:greedy", "--measure", "4", "--json"];
    const curve = await kesselHere(["model", "strength", PS, "--run", run, ...measured]);
    expect([curve.err, curve.status]).toEqual(["", 0]);
    const points = JSON.parse(curve.out) as StrengthPoint[];
    const lines = new RunFolder(run).metrics.read();
    expect(points.map((p) => p.update)).toEqual([2]);
    expect(points[0]!.decisions).toBe(lines.reduce((sum, line) => sum + Number(line["decisions"]), 0));
    expect(Object.keys(points[0]!.scores)).toEqual(["random", "heuristic:greedy"]);
    const misnamed = await kesselHere(["model", "publish", PS, "--run", run, "--out", at("b")]);
    expect([misnamed.status, existsSync(at("b"))]).toEqual([2, false]);
    expect(misnamed.err).toContain("the name of a model's file ends in .onnx");
    const published = await kesselHere([
      "model",
      "publish",
      PS,
      "--run",
      run,
      "--out",
      at("b.onnx"),
      "--against",
      "random",
      "--measure",
      "4",
    ]);
    expect([published.err, published.status]).toEqual(["", 0]);
    expect(readFileSync(at("b.md"), "utf8")).toContain("Self-play (PPO), begun from a.onnx: 2 updates.");
    expect(existsSync(at("b.onnx"))).toBe(true);
  });

  it("publishes a net that learns two fights for any fight of the game", async () => {
    const SOS = "streets-of-stalingrad";
    const run = at("fights");
    const fight = { options: { scenario: "sandbox-1" }, minibatch: 64 };
    const net = { kind: "pooled", embed: 4, hidden: [8] };
    const values = {
      fights: [fight],
      "options.scenario": "drill-landing",
      "ppo.net": net,
      "ppo.games": 2,
      "evaluate.games": 2,
    };
    const set = Object.entries(values).flatMap(([key, value]) => ["--set", `${key}=${JSON.stringify(value)}`]);
    const ran = await kesselHere(["train", "ppo", SOS, "--run", run, "--updates", "1", ...set]);
    expect([ran.err, ran.status]).toEqual(["", 0]);
    const out = at("elevator.onnx");
    const args = ["model", "publish", SOS, "--out", out, "--against", "random", "--measure", "2"];
    const published = await kesselHere([...args, "--run", run, "-o", "scenario=drill-elevator"]);
    expect([published.err, published.status]).toEqual(["", 0]);
    expect(readFileSync(at("elevator.md"), "utf8")).toContain(`| game | ${SOS} version 5, scenario=drill-elevator,`);
    const inspected = JSON.parse((await kesselHere(["inspect", out, "--json"])).out) as { problem: string | null };
    expect(inspected.problem).toBeNull();
    const other = await kesselHere([
      "model",
      "publish",
      PS,
      "--out",
      at("x.onnx"),
      "--run",
      at("ppo"),
      "-o",
      "autoSingle=true",
    ]);
    expect([other.status, other.err]).toEqual([
      2,
      "kessel: a net of kind mlp plays only the fight that it was trained for; leave out -o and --data\n",
    ]);
  });

  it.each(["SIGINT", "SIGTERM"] as const)("ends the update and keeps it on %s", async (signal) => {
    const run = at(signal);
    const child = spawn(process.execPath, [bin, "train", "ppo", PS, "--run", run, "--updates", "100000", ...tiny], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    let out = "";
    const status = await new Promise((done) => {
      child.stdout.on("data", (text: Buffer) => {
        if (!out.includes("update 1/") && text.toString().includes("update 1/")) child.kill(signal);
        out += text.toString();
      });
      child.on("close", done);
    });
    expect(status).toBe(0);
    const stopped = Number(/stopped after update (\d+); --resume goes on/.exec(out)![1]);
    expect(loadCheckpoint(join(run, "checkpoint.bin")).facts["update"]).toBe(stopped);
  });

  it("plays one agent only with --best-response-to", async () => {
    const ran = await kesselHere([
      "train",
      "ppo",
      PS,
      "--run",
      at("best"),
      "--updates",
      "1",
      "--best-response-to",
      `onnx:${at("a.onnx")}`,
      ...tiny,
    ]);
    expect([ran.err, ran.status]).toEqual(["", 0]);
    const line = JSON.parse(readFileSync(join(at("best"), "metrics.jsonl"), "utf8").trim()) as {
      sovietInSelfPlay?: number;
      againstLeague: number;
      evaluation: object;
    };
    expect(line.sovietInSelfPlay).toBeUndefined();
    expect(line.againstLeague).toBeGreaterThanOrEqual(0);
    expect(Object.keys(line.evaluation)).toEqual([`onnx:${at("a.onnx")}`]);
  });

  it("keeps what such a run learnt as the exploiter of a model that is there already, and its curve", async () => {
    mkdirSync(at("levels"));
    cpSync(at("a.onnx"), at("levels/a.onnx"));
    const measure = ["model", "measure", at("levels/a.onnx"), "--measure", "2", "--exploiter"];
    const refused = await kesselHere([...measure, at("ppo")]);
    expect([refused.status, refused.err]).toEqual([2, expect.stringMatching(/not made with --best-response-to/)]);
    const ran = await kesselHere([...measure, at("best")]);
    expect([ran.err, ran.status]).toEqual(["", 0]);
    expect(readdirSync(at("levels")).sort()).toEqual([
      "a.exploiter.curve.jsonl.gz",
      "a.exploiter.onnx",
      "a.md",
      "a.onnx",
    ]);
    expect(readFileSync(at("levels/a.md"), "utf8")).toMatch(/## Exploited by[^]*\| a\.exploiter\.onnx \| 2 \|/);
  });

  it("takes one seat only with ppo.seats", async () => {
    const args = ["--updates", "1", "--best-response-to", `onnx:${at("a.onnx")}`, ...tiny];
    const ran = await kesselHere(["train", "ppo", PS, "--run", at("seat"), ...args, "--set", 'ppo.seats=["soviet"]']);
    expect([ran.err, ran.status]).toEqual(["", 0]);
  });

  it.each([
    [["--run", at("new"), "--set", "ppo.gamse=4"], /configuration: ppo\.gamse/],
    [["--run", at("nowhere"), "--resume"], /nowhere holds no run/],
    [["--run", at("ppo")], /ppo holds a run already; --resume goes on with it/],
    [["--run", at("imitation"), "--resume"], /configuration: /],
    [["--run", at("ppo"), "--resume", "--updates", "9"], /a run that goes on keeps the configuration of its folder/],
    [["--run", at("ppo"), "--resume", "--config", "none.json"], /a run that goes on keeps the configuration/],
    [["--run", at("ppo"), "--resume", "--seed", "2"], /a run that goes on keeps the configuration of its folder/],
    [["--run", at("ppo"), "--resume", "--set", "ppo.games=4"], /keeps the configuration .* begin a run with warmStart/],
    [["--run", at("ppo"), "--resume", "--best-response-to", "random"], /keeps the configuration of its folder/],
    [["--run", at("new2"), "--set", 'ppo.opponents=["heuristic:nobody"]'], /has no heuristic "nobody"/],
    [["--run", at("new3"), "--set", "warmStart=no.onnx"], /there is no model no\.onnx to start from/],
    [["--run", at("new4"), "--config", "nothing.json"], /cannot read nothing\.json/],
    [[], /required option '--run <dir>'/],
  ])("refuses %j in one line", async (flags, message) => {
    const ran = await kesselHere(["train", "ppo", PS, ...flags]);
    expect(ran.status).toBe(2);
    expect(ran.err).toMatch(message);
    expect(ran.err.trim().split("\n")).toHaveLength(1);
  });

  it("refuses an answer to an agent in a game for one", async () => {
    const ran = await kesselHere(["train", "ppo", "night-fight", "--run", at("new5"), "--best-response-to", "random"]);
    expect([ran.status, ran.err.trim()]).toEqual([
      2,
      "kessel: --best-response-to: night-fight is a game for one, nobody is met there",
    ]);
  });

  it("makes no folder for a run that can't begin", () => {
    for (const name of ["new", "new2", "new3", "new4", "new5"]) expect(existsSync(at(name))).toBe(false);
  });

  it("refuses to draw what isn't a run, or where it can't write", async () => {
    const nowhere = await kesselHere(["train", "report", "--run", at("nowhere")]);
    expect([nowhere.status, nowhere.err]).toEqual([2, expect.stringContaining("nowhere holds no run")]);
    const out = await kesselHere(["train", "report", "--run", at("ppo"), "--out", at("no/where.html")]);
    expect([out.status, out.err]).toEqual([2, expect.stringContaining("there is no such file or folder")]);
  });

  it.each([
    [
      "best",
      /kessel: the exploiter was trained against onnx:.*a\.onnx, whose weights aren't those of the model to be published/,
    ],
    ["ppo", /kessel: the run in .*ppo was not made with --best-response-to: it met itself/],
    ["seat", /kessel: the run in .*seat didn't learn to answer as german; .* so train it with ppo\.seats=\[\]/],
  ])("refuses the run %s as an exploiter", async (run, message) => {
    const ran = await kesselHere([
      "model",
      "publish",
      PS,
      "--run",
      at("ppo"),
      "--out",
      at("d.onnx"),
      "--exploiter",
      at(run),
    ]);
    expect([ran.status, ran.err]).toEqual([2, expect.stringMatching(message)]);
    expect(existsSync(at("d.onnx"))).toBe(false);
  });

  it("refuses to publish what isn't there", async () => {
    const ran = await kesselHere([
      "model",
      "publish",
      PS,
      "--run",
      at("ppo"),
      "--model",
      "000009.onnx",
      "--out",
      at("c.onnx"),
    ]);
    expect([ran.status, ran.err]).toEqual([
      2,
      expect.stringContaining('has no model "000009.onnx"; it has 000002.onnx'),
    ]);
  });
});
