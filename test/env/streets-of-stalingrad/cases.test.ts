import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { parseCases, runCase } from "../../../env/index.js";
import { streetsOfStalingrad } from "../../../env/streets-of-stalingrad/index.js";

const folder = new URL("../../cases/streets-of-stalingrad/", import.meta.url);

for (const file of readdirSync(folder))
  describe(file, () => {
    const cases = parseCases(JSON.parse(readFileSync(new URL(file, folder), "utf8")), file);
    for (const rc of cases)
      test(`${rc.id} (${rc.rule})`, () => expect(runCase(streetsOfStalingrad, rc)).toEqual([]), 20_000);
  });
