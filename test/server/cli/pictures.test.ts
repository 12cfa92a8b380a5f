import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { GAMES } from "../../../env/index.js";
import { drawPictures, PICTURES } from "../../../server/cli/draw-pictures.js";
import { ROOT } from "../../documents.js";
import { nightly } from "../../nightly.js";

test("the pictures of the games are those that npm run pictures draws now", nightly, async () => {
  const folder = mkdtempSync(join(tmpdir(), "kessel-pictures-"));
  try {
    await drawPictures(folder);
    const files = readdirSync(folder);
    expect(files.sort()).toEqual(
      Object.keys(PICTURES)
        .map((name) => `${name}.png`)
        .sort(),
    );
    for (const { id } of GAMES) expect(files).toContain(`${id}.png`);
    const old = files.filter((file) => {
      const now = readFileSync(join(folder, file));
      return !readFileSync(join(ROOT, ".github", file)).equals(now);
    });
    expect(old, "out of date: npm run pictures draws them again").toEqual([]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
