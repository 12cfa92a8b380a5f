import { expect, test } from "vitest";
import { KesselError } from "../../../env/index.js";
import { readAnswer } from "../../../agents/text/answer.js";
import { growth } from "../../growth.js";

const LEGAL = ["pass", "move 5", "move 51", "attack 5 from 12", "attack 5", "done", "end turn"];

test.each([
  ["3", "move 51"],
  ["#3", "move 51"],
  ["3.", "move 51"],
  ["3) move 51", "move 51"],
  ["move 5", "move 5"],
  ["MOVE 5", "move 5"],
  ["`move 5`", "move 5"],
  ['"move 5".', "move 5"],
  ["end", "end turn"],
  ["attack 5 from 12", "attack 5 from 12"],
  ["I shall attack 5 from 12, since it is weak.", "attack 5 from 12"],
  ["They may pass us by, so I take the best: move 51\n\nAction: move 51", "move 51"],
  ["I could pass or move 5.\n\n**Action:** 4", "attack 5 from 12"],
  ["I could pass or move 5, so Action: 7", "end turn"],
  ["My move is to pass", "pass"],
  ["I could pass or move 5.\nFinal answer: attack 5", "attack 5"],
  ["First idea: pass.\nAction: pass\nNo, better:\nAction: move 5", "move 5"],
  ["Let me think.\n```\nmove 51\n```", "move 51"],
  ["Let me think.\n```text\n2\n```\nThat is it.", "move 5"],
  ["So the answer is \\boxed{6}", "done"],
  ["My choice is option 7 because it is safe.", "end turn"],
  ["number 1", "pass"],
  ["The attack on 12 is bad; I am for option 2.", "move 5"],
])("%j is %s", (text, action) => {
  expect(readAnswer(LEGAL, text)).toBe(action);
});

test.each([
  ["", /is empty/],
  ["dance", /"dance" names no legal action; give a number from 1 to 7 or a name: "pass", "move 5"/],
  ["0", /names no legal action/],
  ["8", /names no legal action/],
  ["1e1", /names no legal action/],
  ["move", /"move" may mean 2 actions: 2 move 5 or 3 move 51; give one number/],
  ["attack", /may mean 2 actions/],
  ["pass or done", /may mean 2 actions: 1 pass or 6 done/],
  ["Action: pass\n```\ndone\n```", /may mean 2 actions/],
  ["option 1 or option 2", /may mean 2 actions/],
  ["option 99, or else option 3", /names no legal action; give a number from 1 to 7/],
  ["2 move 51", /may mean 2 actions/],
  ["I have 3 units in 5.", /names no legal action/],
  ["movement and passing are doneish", /names no legal action/],
  ["x".repeat(100_001), /100001 characters/],
])("%j is no action, and the error helps", (text, message) => {
  const read = () => readAnswer(LEGAL, text);
  expect(read).toThrow(KesselError);
  expect(read).toThrow(message);
});

/** Reads `text`, whether or not it has an answer. */
function read(text: string): void {
  try {
    readAnswer(LEGAL, text);
  } catch {
    // it has none
  }
}

test.each([
  ["dots", (n: number) => `x${".".repeat(n)}x`],
  ["blanks", (n: number) => `x${" ".repeat(n)}x`],
  ["blanks after a mark", (n: number) => `action${" ".repeat(n)}x`],
  ["a number of many digits", (n: number) => "7".repeat(n)],
  ["a number and blanks", (n: number) => `7${" ".repeat(n)}x`],
  ["an answer again and again", (n: number) => "pass ".repeat(n / 5)],
  ["marks again and again", (n: number) => "action: ".repeat(n / 8)],
  ["open fences", (n: number) => "```\n".repeat(n / 4)],
])("an answer of %s is read in time linear in its length", (_name, text) => {
  expect(growth((n) => read(text(n)), 90_000)).toBeLessThan(40);
});
