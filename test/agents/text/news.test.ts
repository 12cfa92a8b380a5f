import { expect, test } from "vitest";
import { compacted } from "../../../agents/text/news.js";

test("what happens to several alike, one after another, is said once", () => {
  expect(
    compacted([
      "  German g2 stays in 0411 (city) (SOS 8.02).",
      "  German g3 stays in 0411 (city).",
      "  German ge stays in 0411 (city).",
      "  German g5 stays in 0410 (suburb).",
    ]),
  ).toEqual(["  German g2 stays in 0411 (city) (SOS 8.02); likewise g3, ge.", "  German g5 stays in 0410 (suburb)."]);
  const marker = "  German face-down counter (71ID) stays in 0211 (city).";
  expect(compacted([marker, marker, marker])).toEqual([
    "  German face-down counter (71ID) stays in 0211 (city), 3 times.",
  ]);
});

test("a number that differs is not a name: both sentences stay", () => {
  const lines = ["  First fire: die 3: no hit.", "  First fire: die 5: no hit."];
  expect(compacted(lines)).toEqual(lines);
});

test("what one does next goes on from what it did", () => {
  expect(
    compacted([
      "  Fourth Shock Army begins to move in 1900 with 3 MP (SC 9.1).",
      "  Fourth Shock Army attacks 1801 from 1900 (2 MP, 1 left).",
      "  The marker in 1801 is turned up: Territorial 56.",
      "  Fourth Shock Army: 8 dice 6 3: 7 hits.",
    ]),
  ).toEqual([
    "  Fourth Shock Army begins to move in 1900 with 3 MP (SC 9.1); attacks 1801 from 1900 (2 MP, 1 left).",
    "  The marker in 1801 is turned up: Territorial 56.",
    "  Fourth Shock Army: 8 dice 6 3: 7 hits.",
  ]);
  expect(compacted(["  Volkssturm 6 moves from 2624 to 2723.", "  Volkssturm 6 moves from 2723 to 2823."])).toEqual([
    "  Volkssturm 6 moves from 2624 to 2723; from 2723 to 2823.",
  ]);
});

test("each part of a sentence goes on from the same words", () => {
  const keeps = "  The German side keeps";
  expect(
    compacted([`${keeps} 1 unit die of number 1.`, `${keeps} 1 unit die of number 5.`, `${keeps} its Command die, 5.`]),
  ).toEqual([`${keeps} 1 unit die of number 1; 1 unit die of number 5; its Command die, 5.`]);
});

test("what was said of several does not go on, so nobody takes the others for the movers", () => {
  expect(
    compacted([
      "  German g2 moves from 0411 to 0412.",
      "  German g2 can't be told from others.",
      "  German g3 can't be told from others.",
    ]),
  ).toEqual(["  German g2 moves from 0411 to 0412.", "  German g2 can't be told from others; likewise g3."]);
});

test("a list that comes again is named by its number, unless another of that number came between", () => {
  const [a, b] = ["2 Panzer, 7 Infantry and Group Unruh", "9 Panzer, 8 Infantry and Group Burdach"];
  expect(compacted([`  Round 1 in 2104: Fifth Army against ${a}.`, `  ${a} are eliminated.`])).toEqual([
    `  Round 1 in 2104: Fifth Army against ${a}.`,
    "  These 3 are eliminated.",
  ]);
  const lines = [`  ${a} are drawn.`, `  ${b} are drawn.`, `  Fifth Army against ${a}.`];
  expect(compacted(lines)[2]).toBe(lines[2]);
});

test("no sentence is taken for a list", () => {
  const lines = [
    "  71/PNR moves to 7 Rodimtsev's HQ and has no movement points left.",
    "  191/HQ, late, moves to 7 Rodimtsev's HQ and has no movement points left.",
  ];
  expect(compacted(lines)).toEqual(lines);
});

test("lines that are no sentences, and other indents, stay as they are", () => {
  const lines = ["  (3 earlier reports are in the log)", "    G3 fires at H1.", "  G3 fires at H2.", "  G3: pass"];
  expect(compacted(lines)).toEqual(lines);
});
