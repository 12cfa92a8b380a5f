import { expect, test } from "vitest";
import { findAll } from "./find.js";

test("every leak planted in a game is found by the kit that watches its place", { timeout: 180_000 }, () => {
  const found = findAll();
  expect(found.filter((f) => f.by === null).map((f) => f.name)).toEqual([]);
  expect(found.length).toBeGreaterThan(25);
});
