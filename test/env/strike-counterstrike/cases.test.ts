import { readdirSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { parseCases, runCase } from "../../../env/core/cases.js";
import { caseFile, type } from "./table.js";

const folder = new URL("../../cases/strike-counterstrike/", import.meta.url);

for (const file of readdirSync(folder))
  describe(file, () => {
    for (const rc of parseCases(JSON.parse(caseFile(file)), file))
      test(`${rc.id} (${rc.rule})`, () => expect(runCase(type, rc)).toEqual([]));
  });
