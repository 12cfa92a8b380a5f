import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { gameType, parseCases, runCase } from "../../../env/index.js";

const folder = new URL("../../cases/night-fight/", import.meta.url);
const cases = readdirSync(folder).flatMap((file) =>
  parseCases(JSON.parse(readFileSync(new URL(file, folder), "utf8")), file),
);

test.each(cases)("$id ($rule): $why", (rc) => {
  expect(runCase(gameType("night-fight"), rc)).toEqual([]);
});
