import { copyFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { META, readModel } from "../../../agents/model.js";
import { SHIPPED } from "../../../agents/model-file.js";
import { loadGame, type Options, resolveOptions } from "../../../env/index.js";
import { startBackend } from "../../../training/nets/backend.js";
import { card } from "../../../training/models/card.js";
import { metadataOf, playsSameGame, type TrainingMetadata, withMetadata } from "../../../training/models/metadata.js";
import { measureModel, publish } from "../../../training/models/publish.js";
import { exportNet, selfPlaySamples } from "../../../training/models/golden-pairs.js";
import { verifyModel } from "../../../training/models/verify-models.js";
import { patrol } from "../../toys/patrol.js";
import { edited, setMeta } from "../models.js";
import { nim } from "../nim.js";
import { raceGame } from "../arena/race.js";
import { arena } from "../../../training/arena/arena.js";
import { folder, from, netOf, put, read, text } from "./published.js";
import { nightly } from "../../nightly.js";

beforeAll(() => startBackend("auto").then(() => undefined));

test("a model is measured against the others of its game in the folder, whose cards get their side of it", async () => {
  const at = folder("levels");
  const game = nim.load({}, {});
  await put(netOf(raceGame(), "r"), at("other.onnx"));
  await put(netOf(game, "a"), at("recruit.onnx"));
  expect(read(at("recruit.onnx")).results.map((r) => r.against)).toEqual(["random"]);
  await put(netOf(game, "b"), at("veteran.onnx"));
  await put(netOf(game, "c"), at("commander.onnx"));
  const names = (file: string) => read(at(file)).results.map((r) => r.against);
  expect(names("commander.onnx")).toEqual(["random", "recruit.onnx", "veteran.onnx"]);
  expect(names("veteran.onnx")).toEqual(["random", "recruit.onnx", "commander.onnx"]);
  expect(names("recruit.onnx")).toEqual(["random", "veteran.onnx", "commander.onnx"]);
  expect(names("other.onnx")).toEqual(["random"]);
  const mine = read(at("commander.onnx")).results[1]!;
  const theirs = read(at("recruit.onnx")).results[2]!;
  expect([theirs.total.wins, theirs.total.losses, theirs.total.games]).toEqual([
    mine.total.losses,
    mine.total.wins,
    40,
  ]);
  expect(theirs.seats.map((s) => [s.wins, s.losses])).toEqual([...mine.seats].reverse().map((s) => [s.losses, s.wins]));
  expect(theirs.total.interval[0]).toBeCloseTo(1 - mine.total.interval[1], 12);
  for (const file of ["recruit.onnx", "veteran.onnx", "commander.onnx"]) expect(text(at(file))).toBe(card(at(file)));
  expect(text(at("recruit.onnx"))).toContain(`| commander.onnx | 40 | ${(100 * theirs.total.score).toFixed(1)} [`);
});

test("nothing beside a model is the model itself: names that don't end in .onnx are refused", async () => {
  const at = folder("endings");
  const net = netOf(nim.load({}, {}), "a");
  await expect(put(net, at("a"))).rejects.toThrow(/the name of a model's file ends in \.onnx, and .*\/a doesn't/);
  expect(existsSync(at("a"))).toBe(false);
  await put(net, at("a.onnx"), 8);
  copyFileSync(at("a.onnx"), at("b.ONNX"));
  await expect(measureModel(at("b.ONNX"), ["random"], { games: 8 })).rejects.toThrow(
    /ends in \.onnx, and .*b\.ONNX doesn/,
  );
  expect(readFileSync(at("b.ONNX")).equals(readFileSync(at("a.onnx")))).toBe(true);
});

test("a model beside it whose list of seats is broken is refused by name", async () => {
  const at = folder("broken");
  const game = nim.load({}, {});
  await put(netOf(game, "a"), at("a.onnx"), 8);
  const broken = edited(new Uint8Array(readFileSync(at("a.onnx"))), (m) => setMeta(m, META.seats, "[first"));
  writeFileSync(at("b.onnx"), broken);
  await expect(put(netOf(game, "c"), at("c.onnx"), 8)).rejects.toThrow(
    /b\.onnx: metadata kessel\.seats is a JSON list of sides, not "\[first"/,
  );
});

test("against an agent that plays one side only the card leaves the other seat empty", async () => {
  const at = folder("one-sided");
  const net = netOf(loadGame("streets-of-stalingrad"), "a");
  const samples = await selfPlaySamples(net, 1, "s");
  const measured = { against: ["heuristic:pusher"], games: 4, seed: "p" }; // pusher plays the German
  await publish(net, samples, at("a.onnx"), from, measured);
  const [{ total, seats }] = read(at("a.onnx")).results as [TrainingMetadata["results"][0]];
  expect([total.games, seats.map((t) => t.games)]).toEqual([4, [0, 4]]);
  expect(seats[0]!.meanReturnInterval).toEqual([-Infinity, Infinity]);
  expect(text(at("a.onnx"))).toMatch(/\| heuristic:pusher \| 4 \| \d+\.\d \[[^|]*\| {2}\| \d+\.\d \[[^|]*\|\n/);
});

test("a model that was made before an option came is of the same game while the option has its default", () => {
  const file = "models/savage-streets-solo/commander-1.onnx";
  const made = metadataOf(new Uint8Array(readFileSync(file)), file)!;
  const before = Object.fromEntries(Object.entries(made.trained.options).filter(([name]) => name !== "guns"));
  const withOptions = (options: Options) => ({ ...made, trained: { ...made.trained, options } });
  expect(playsSameGame(withOptions(before), withOptions({ ...before, guns: "revealed" }))).toBe(true);
  expect(playsSameGame(withOptions({ ...before, guns: "revealed" }), withOptions(before))).toBe(true);
  expect(playsSameGame(withOptions(before), withOptions({ ...before, guns: "area" }))).toBe(false);
  expect(playsSameGame(withOptions(before), { ...withOptions(before), schema: "another" })).toBe(false);
});

test("of a solitaire game the card reports returns, differences on the same seeds, and endings where they have names", async () => {
  const at = folder("solo");
  const game = patrol.load(resolveOptions(patrol, {}), patrol.data);
  await put(netOf(game, "a"), at("a.onnx"));
  await put(netOf(game, "b"), at("b.onnx"));
  const [random, level] = read(at("b.onnx")).results;
  expect(random!.total.meanReturn - random!.alone!.other.meanReturn).toBeCloseTo(random!.alone!.difference.mean, 12);
  expect(read(at("a.onnx")).results[1]!.alone!.difference.mean).toBeCloseTo(-level!.alone!.difference.mean, 12);
  expect(text(at("b.onnx"))).toMatch(
    /\| agent \| games \| return \| won % \| drawn % \| lost % \| difference \|\n.*\n\| this model \| 40 \| -?[01]\.\d{3} \[.*\n\| random \| 40 \|/,
  );
  expect(text(at("b.onnx"))).not.toContain("How games ended"); // this game has no names for it
  expect(card("models/savage-streets-solo/commander.onnx")).toMatch(
    /How games ended.*\n\n\| agent \| endings \|\n.*\n\| this model \| [A-Z] \d/,
  );
});

test("false results, a false exploiter and false parity are each detected", async () => {
  const at = folder("verify");
  const game = loadGame("pocket-stalingrad");
  const net = netOf(game, "a");
  await put(net, at("a.onnx"), 20);
  await put(net, at("a.onnx"), 20, {
    bytes: await exportNet(netOf(game, "e"), {}),
    against: `onnx:${at("a.onnx")}`,
    effort: {},
    command: "",
    run: "runs/e",
  });
  const bytes = new Uint8Array(readFileSync(at("a.onnx")));
  const honest = read(at("a.onnx"));
  const verify = async (trained: TrainingMetadata) => {
    writeFileSync(at("a.onnx"), withMetadata(bytes, trained));
    return (await verifyModel(at("a.onnx"), 20, "v")).map((c) => [c.what, c.agrees]);
  };
  const whats = [
    "random as soviet",
    "random as german",
    "itself as soviet",
    "itself as german",
    "its exploiter's points as soviet",
    "its exploiter's points as german",
    "parity",
  ];
  expect(await verify(honest)).toEqual(whats.map((w) => [w, true]));
  const { exploiter } = honest;
  const opposite = exploiter!.seats.map((s) => ({ ...s, games: 1000, score: s.score > 0.5 ? 0.02 : 0.98 }));
  const mirror = honest.mirror!.map((s) => ({ ...s, games: 1000, score: s.score > 0.5 ? 0.02 : 0.98 }));
  const parity = { ...honest.parity, policy: 0.5 };
  const lies = { ...honest, mirror, exploiter: { ...exploiter!, seats: opposite }, parity };
  expect(await verify(lies)).toEqual(whats.map((w, i) => [w, i < 2]));
});

test("a written model is measured against further agents, whose rows come to its card or replace those that are there", async () => {
  const at = folder("further");
  await put(netOf(loadGame("pocket-stalingrad"), "a"), at("a.onnx"), 4);
  await measureModel(at("a.onnx"), ["heuristic:first-keep", "random"], { games: 6 });
  expect(read(at("a.onnx")).results.map((r) => [r.against, r.total.games])).toEqual([
    ["random", 6],
    ["heuristic:first-keep", 6],
  ]);
  expect(text(at("a.onnx"))).toBe(card(at("a.onnx")));
  expect(text(at("a.onnx"))).toMatch(/\| heuristic:first-keep \| 6 \|/);
  writeFileSync(at("bare.onnx"), await exportNet(netOf(loadGame("pocket-stalingrad"), "b"), {}));
  await expect(measureModel(at("bare.onnx"), ["random"], { games: 2 })).rejects.toThrow(
    /bare\.onnx has no training metadata: it was not written by kessel train/,
  );
});

test("another model of the folder is measured by its file name, and its card gets its side of it", async () => {
  const at = folder("named");
  const game = loadGame("pocket-stalingrad");
  await put(netOf(game, "a"), at("a.onnx"), 4);
  await put(netOf(game, "b"), at("b.onnx"), 4);
  await measureModel(at("a.onnx"), ["b.onnx"], { games: 8 });
  const [mine, theirs] = [read(at("a.onnx")), read(at("b.onnx"))].map((m) => m.results.at(-1)!);
  expect([mine!.against, theirs!.against]).toEqual(["b.onnx", "a.onnx"]);
  expect([theirs!.total.games, theirs!.total.wins]).toEqual([8, mine!.total.losses]);
});

test("measured with another version of the game, a card keeps no results of the old one", async () => {
  const at = folder("version");
  const game = loadGame("pocket-stalingrad");
  await put(netOf(game, "a"), at("a.onnx"), 4);
  const old = { ...read(at("a.onnx")), version: game.type.version - 1 };
  writeFileSync(at("a.onnx"), withMetadata(new Uint8Array(readFileSync(at("a.onnx"))), old));
  await measureModel(at("a.onnx"), ["heuristic:first-keep"], { games: 4 });
  const { version, results } = read(at("a.onnx"));
  expect(version).toBe(game.type.version);
  expect(results.map((r) => r.against)).toEqual(["heuristic:first-keep"]);
});

test("at another temperature a model meets again all that it met, and the others of its folder get their side", async () => {
  const at = folder("warm");
  const game = loadGame("pocket-stalingrad");
  await put(netOf(game, "a"), at("a.onnx"), 4);
  await put(netOf(game, "b"), at("b.onnx"), 4);
  await measureModel(at("a.onnx"), ["heuristic:greedy"], { games: 6 }, { temperature: 1.5 });
  const { temperature, trained } = metadataOf(new Uint8Array(readFileSync(at("a.onnx"))), "a.onnx")!;
  expect(temperature).toBe(1.5);
  expect(trained.results.map((r) => [r.against, r.total.games])).toEqual([
    ["heuristic:greedy", 6],
    ["random", 6],
    ["b.onnx", 6],
  ]);
  expect(trained.mirror!.map((t) => t.games)).toEqual([3, 3]);
  expect(read(at("b.onnx")).results.find((r) => r.against === "a.onnx")!.total.wins).toBe(
    trained.results[2]!.total.losses,
  );
  expect(text(at("a.onnx"))).toContain("actions drawn at temperature 1.5");
  // the games are those of an agent that plays so
  const alone = await arena(game, { agents: [`onnx:${at("a.onnx")}?temperature=1.5`, "random"], games: 6, seed: "p" });
  const meanReturn = (r: typeof alone): number => r.standings.find((x) => x.agent !== "random")!.total.meanReturn;
  expect(trained.results[1]!.total.meanReturn).toBe(meanReturn(alone));
  expect(trained.command).toBe(`npx kessel train ppo\nnpx kessel model measure ${at("a.onnx")} --temperature 1.5`);
  expect(text(at("b.onnx"))).toContain("best action taken (temperature 0)");
  await measureModel(at("a.onnx"), [], { games: 4 }, { temperature: 1.5 });
  expect(read(at("a.onnx")).results.map((r) => r.total.games)).toEqual([6, 6, 6]);
  const before = readFileSync(at("a.onnx"));
  await expect(measureModel(at("a.onnx"), ["heuristic:nobody"], { games: 4 }, { temperature: 2 })).rejects.toThrow(
    /nobody/,
  );
  expect(readFileSync(at("a.onnx")).equals(before)).toBe(true);
  await measureModel(at("a.onnx"), [], { games: 4 }, { temperature: 0 });
  expect(read(at("a.onnx")).command).toBe("npx kessel train ppo");
  expect(readModel(new Uint8Array(readFileSync(at("a.onnx"))), "a").metadata[META.temperature]).toBeUndefined();
  expect(text(at("a.onnx"))).toContain("best action taken (temperature 0)");
  expect(read(at("a.onnx")).results.map((r) => r.total.games)).toEqual([4, 4, 4]);
});

test(
  "a level that draws its actions meets what is in its folder now, not what was, and its claims agree",
  nightly,
  async () => {
    const at = folder("drawing");
    for (const [from, to] of [
      ["veteran", "a"],
      ["recruit", "b"],
    ] as const)
      writeFileSync(at(`${to}.onnx`), readFileSync(join(SHIPPED, `pocket-stalingrad/${from}.onnx`)));
    const few = { games: 12 };
    // at 100 it plays nearly anything: against itself as it was it would get next to nothing in either seat
    await measureModel(at("a.onnx"), [], few, { temperature: 100 });
    expect(read(at("a.onnx")).results.map((r) => r.against)).toEqual([
      "random",
      "heuristic:first-keep",
      "heuristic:greedy",
      "heuristic:planner",
      "b.onnx",
    ]);
    const checks = await verifyModel(at("a.onnx"), 12, "v");
    expect(checks.filter((c) => !c.agrees)).toEqual([]);
    expect(checks.map((c) => c.what)).toContain("itself as german");
    const points = read(at("a.onnx")).mirror!.reduce((sum, t) => sum + t.score, 0);
    expect(points).toBeGreaterThan(0.5);
  },
);
