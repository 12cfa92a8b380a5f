import { expect, test } from "vitest";
import { codeMutants } from "./code.js";
import { Likely } from "./likely.js";

const TEXT = `// Rule: T 1.2, T 3
export const a = (n: number) => n < 1;

export const b = (n: number) => n < 2;
`;

test("who noticed a mutant near is asked first, then what cites the rules above", () => {
  const likely = new Likely(
    new Map([
      ["T 1.2", ["CITES"]],
      ["T 3", ["TOO"]],
    ]),
    () => TEXT,
  );
  const [one, , , , last] = codeMutants("env/toy/a.ts", TEXT);
  expect(likely.of(one!)).toEqual(["CITES", "TOO"]);
  likely.learn(last!, { killer: "FAR" });
  likely.learn({ ...last!, file: "env/toy/other.ts" }, { killer: "ELSEWHERE" });
  likely.learn(one!, { killer: "NEAR" });
  likely.learn(one!, {});
  expect(likely.of(one!)).toEqual(["NEAR", "FAR", "CITES", "TOO"]);
});
