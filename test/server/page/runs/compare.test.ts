/** Comparisons whose thread can't be begun. */
import { expect, test } from "vitest";
import { BaseCache } from "../../../../server/page/picture.js";
import { compareNets } from "../../../../server/page/runs/compare.js";
import type { RunShelf } from "../../../../server/page/runs/run-library.js";

test("a comparison that finds no thread doesn't count as running", async () => {
  const unsendable = () => undefined; // no thread can be begun with a function
  const shelf = { dir: "", gameOf: () => ({ game: "pocket-stalingrad", options: { unsendable } }) };
  const nets = { run: "learnt", one: "000010", other: "000020" };
  const compare = () => compareNets(shelf as unknown as RunShelf, nets, new BaseCache(), async () => "");
  for (let k = 0; k < 3; k++) await expect(compare()).rejects.toThrow("could not be cloned");
});
