import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { recipesOf, type RecipeTimes, timesText } from "../../../training/runs/times.js";
import { kesselHere } from "./kessel.js";

const dir = mkdtempSync(join(tmpdir(), "kessel-times-"));
const at = (...names: string[]) => join(dir, ...names);
mkdirSync(at("configs"));
const list = at("configs", "times.json");
const recipe = (name: string) => ({
  ...{ name, game: "pocket-stalingrad", config: "tiny.json", every: 1 },
  against: ["random", "heuristic:planner"],
});
writeFileSync(list, JSON.stringify([recipe("one"), recipe("two")]));
writeFileSync(
  at("configs", "tiny.json"),
  JSON.stringify({
    backend: "wasm",
    warmStart: "a model that is not there",
    ppo: { net: { kind: "mlp", hidden: [8] }, updates: 2, games: 4 },
  }),
);
const times = (...args: string[]) =>
  kesselHere(["model", "times", "--list", list, "--runs", at("runs"), "--measure", "4", "-j", "1", ...args]);

it("trains a recipe from nothing and says when its scripts were matched and beaten", async () => {
  const ran = await times("one", "--json", at("times.json"));
  expect([ran.err, ran.status]).toEqual(["", 0]);
  const [row, ...more] = JSON.parse(readFileSync(at("times.json"), "utf8")) as RecipeTimes[];
  expect(more).toEqual([]);
  expect(row!.curve.map((p) => p.update)).toEqual([1, 2]);
  expect(ran.out).toContain(timesText([row!]));
  expect(ran.out).toMatch(/^one +random .*after 0\.\d min$/m);
});

it("goes on with what is there: nothing is trained twice", async () => {
  const before = readFileSync(at("runs/one/metrics.jsonl"), "utf8");
  const ran = await times();
  expect([ran.err, ran.status]).toEqual(["", 0]);
  expect(ran.out).toMatch(/^two +planner/m);
  expect(readFileSync(at("runs/one/metrics.jsonl"), "utf8")).toBe(before);
});

it("refuses a recipe that isn't in the list", async () => {
  const ran = await times("three");
  expect([ran.status, ran.err.trim()]).toEqual([2, expect.stringContaining('no recipe "three"; it has one or two')]);
});

it("the list of the repository names configurations that are there, a recipe for each game and fight for two", () => {
  const folder = new URL("../../../training/configs/", import.meta.url);
  const recipes = recipesOf(new URL("times.json", folder).pathname, []);
  expect(recipes.map((r) => r.name)).toEqual([
    "pocket-stalingrad",
    "savage-streets",
    "block-fight",
    "hill",
    "mamayev-kurgan",
  ]);
  for (const r of recipes) expect(readFileSync(new URL(r.config, folder), "utf8")).toContain('"ppo"');
});
