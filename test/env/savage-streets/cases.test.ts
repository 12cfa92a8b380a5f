import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { gameType, parseCases, runCase } from "../../../env/index.js";

const folder = new URL("../../cases/savage-streets/", import.meta.url);

for (const file of readdirSync(folder))
  describe(file, () => {
    const cases = parseCases(JSON.parse(readFileSync(new URL(file, folder), "utf8")), file);
    for (const rc of cases)
      test(`${rc.id} (${rc.rule})`, () => expect(runCase(gameType("savage-streets"), rc)).toEqual([]));
  });
