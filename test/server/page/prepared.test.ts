import { mkdtempSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { textAsset } from "../../../server/page/asset.js";
import { prepared } from "../../../server/page/prepared.js";

test.each([
  ["page.css", false, 2],
  ["page.tsx", false, 2],
  ["page.ts", false, 1], // as of games: the folder of the compiled sources is another one then
  ["page.ts", true, 2], // as of the page's client, which is not among them
])(
  "an asset is made again when %s changes (sources: %s), and not otherwise: %i times",
  async (file, sources, times) => {
    const folder = mkdtempSync(join(tmpdir(), "prepared-"));
    writeFileSync(join(folder, file), "one");
    let made = 0;
    const ask = async (): Promise<string> => {
      const make = () => Promise.resolve(textAsset("text/plain", Buffer.from(String(++made)), false));
      return String((await prepared(`test-${file}`, [pathToFileURL(`${folder}/`)], make, sources)).body);
    };
    expect([await ask(), await ask()]).toEqual(["1", "1"]);
    utimesSync(join(folder, file), 1, 1);
    expect(Number(await ask())).toBe(times);
  },
);
