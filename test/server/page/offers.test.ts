import { expect, test } from "vitest";
import { type RosterEntry, roster } from "../../../agents/roster.js";
import { loadGame } from "../../../env/index.js";
import { offer } from "../../../server/page/offers.js";

const result = (against: string, score: number) => ({
  against,
  games: 100,
  score,
  interval: [score - 0.1, score + 0.1] as const,
  seats: [score, score],
});
const entry = (short: string, kind: RosterEntry["kind"], results: RosterEntry["results"] = []): RosterEntry => ({
  name: short,
  short,
  kind,
  players: [0, 1],
  about: "",
  results,
});

test("a level's strength is told against other levels, not against models that nobody is offered", () => {
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
  expect(offer(all[0]!, 0, all).strength).toBe("wins 28 % against veteran, 8 % against commander");
});

test("where there is no other level, it is told against scripted players", () => {
  const results = [result("random", 1), result("heuristic:planner", 0.6), result("search:net=x.onnx", 0.4)];
  const all = [
    entry("commander", "level", results),
    entry("planner", "scripted"),
    entry("random", "random"),
    entry("search", "search"),
  ];
  expect(offer(all[0]!, 0, all).strength).toBe("wins 100 % against random, 60 % against planner");
});

test.each(["pocket-stalingrad", "savage-streets", "streets-of-stalingrad"])(
  "%s: each level says how it fares",
  (id) => {
    const all = roster(loadGame(id));
    for (const e of all.filter((x) => x.kind === "level"))
      expect(offer(e, 0, all).strength).toMatch(
        /^wins \d+ % against (recruit|veteran|commander)(, \d+ % against (veteran|commander|recruit))?$/,
      );
  },
);
