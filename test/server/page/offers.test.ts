import { expect, test } from "vitest";
import { type RosterEntry, roster } from "../../../agents/roster.js";
import { loadGame } from "../../../env/index.js";
import { offer } from "../../../server/page/offers.js";

const result = (against: string, score: number) => ({
  against,
  games: 100,
  score,
  interval: [score - 0.1, score + 0.1] as const,
  seats: [score, score / 2],
});
const entry = (short: string, kind: RosterEntry["kind"], results: RosterEntry["results"] = []): RosterEntry => ({
  name: short,
  short,
  kind,
  players: [0, 1],
  about: "",
  results,
  measured: null,
});

test("a level's strength is given against other levels, not against models that nobody is offered", () => {
  const all = [
    entry("recruit", "level", [
      result("random", 0.9),
      result("veteran.onnx", 0.28),
      result("candidate.onnx", 0.11),
      result("commander.onnx", 0.08),
      result("commander-1.onnx", 0.1),
    ]),
    entry("veteran", "level"),
    entry("commander", "level"),
    entry("random", "random"),
  ];
  expect(offer(all[0]!, 0, all).strength).toEqual({
    0: "on this side wins 28 % against veteran, 8 % against commander",
    1: "on this side wins 14 % against veteran, 4 % against commander",
  });
});

test("where there is no other level, it is given against scripted players", () => {
  const results = [result("random", 1), result("heuristic:planner", 0.6), result("search:net=x.onnx", 0.4)];
  const all = [
    entry("commander", "level", results),
    entry("planner", "scripted"),
    entry("random", "random"),
    entry("search", "search"),
  ];
  expect(offer(all[0]!, 0, all).strength[0]).toBe("on this side wins 100 % against random, 60 % against planner");
});

test("a seat that no game was played in is left out", () => {
  const one = { ...result("heuristic:planner", 0.6), seats: [null, 0.6] };
  const all = [entry("commander", "level", [one]), entry("planner", "scripted")];
  expect(offer(all[0]!, 0, all).strength).toEqual({ 0: "", 1: "on this side wins 60 % against planner" });
});

test("results with other options are left out; results with other rules say so", () => {
  const results = [result("random", 0.9)];
  const told = (measured: RosterEntry["measured"]) => {
    const level = { ...entry("recruit", "level", results), measured };
    return offer(level, 0, [level, entry("random", "random")]).strength[0];
  };
  expect(told({ version: null, otherwise: { levels: "even" } })).toBe("not measured with these options");
  expect(told({ version: 2, otherwise: {} })).toBe("on this side wins 90 % against random, by the rules of version 2");
  expect(told({ version: null, otherwise: {} })).toBe("on this side wins 90 % against random");
});

test.each([
  ["pocket-stalingrad", {}],
  ["savage-streets", {}],
  ["streets-of-stalingrad", { levels: "even" }],
  ["streets-of-stalingrad", { scenario: "drill-kurgan" }],
])("%s %j: each level says how it fares in each seat", (id, options) => {
  const all = roster(loadGame(id, options));
  for (const e of all.filter((x) => x.kind === "level"))
    for (const seat of e.players)
      expect(offer(e, 0, all).strength[seat]).toMatch(
        /^on this side wins \d+ % against (recruit|veteran|commander)(, \d+ % against (veteran|commander|recruit))?(, by the rules of version \d)?$/,
      );
});
