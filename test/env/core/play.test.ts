import { expect, test } from "vitest";
import { Play, voiceOf } from "../../../env/core/play.js";
import { EventLog, ScriptedDice, SPECTATOR } from "../../../env/index.js";

const { eventOf, say } = voiceOf({
  fixed: { says: "It has both", changes: [], rule: "T 1", by: "red" },
  nobody: { says: "No side did it", changes: [], rule: "T 2", by: null },
  open: { says: "It has neither", changes: [] },
});

test("an event has the rule and the side of its kind, or its own where the kind has none", () => {
  expect(eventOf("fixed", { text: "A" })).toEqual({ what: "fixed", rule: "T 1", by: "red", text: "A" });
  expect(eventOf("nobody", { text: "B" }).by).toBeNull();
  expect(eventOf("open", { rule: "T 3", by: null, text: "C" })).toMatchObject({ rule: "T 3", by: null });
});

test("an event without a rule or a side is a mistake of the program", () => {
  expect(() => eventOf("open", { text: "C", by: null })).toThrow("event open has no rule or no side");
  expect(() => eventOf("open", { text: "C", rule: "T 3" })).toThrow("event open has no rule or no side");
});

test("what is said is read by every viewer", () => {
  const log = new EventLog([SPECTATOR, 0]);
  say(new Play().begin(new ScriptedDice([]), log), "fixed", { text: "A" });
  for (const viewer of [SPECTATOR, 0]) expect(log.take(viewer).map((e) => e.text)).toEqual(["A"]);
});

test("dice that nobody gave can't be rolled", () => {
  expect(() => new Play().dice.d6()).toThrow();
});
