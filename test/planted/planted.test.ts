import { expect, test } from "vitest";
import { nightlyUnless } from "../nightly.js";
import { HONEST, PLANTED } from "./find.js";

test.each(HONEST)("$kit show no difference where nothing is planted", async ({ difference }) => {
  expect(await difference()).toBeNull();
});

/** The first leak of each group stands for the others. */
const first = new Set(new Map(PLANTED.toReversed().map((p) => [p.group, p.name])).values());

for (const { name, kit, find } of PLANTED)
  test(`${kit}: ${name} is found`, nightlyUnless(first.has(name)), async () => {
    expect(await find()).toBe(true);
  });

test("leaks are planted in games, the server and the page", () => {
  expect(PLANTED.length).toBeGreaterThanOrEqual(70);
  expect(new Set(PLANTED.map((p) => p.name)).size).toBe(PLANTED.length);
});
