import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { importGames } from "../../../env/index.js";
import { withTable } from "../../../server/cli/readme.js";
import { measuredTables } from "../../../server/site/measured-tables.js";

await importGames();

test.each(measuredTables())("$page has the table $name as it was measured", ({ page, name, rows }) => {
  const text = readFileSync(new URL(`../../../${page}`, import.meta.url), "utf8");
  expect(withTable(text, name, rows)).toBe(text);
});

test("a table is written between its comments, and nothing else changes", () => {
  const page = "Before.\n\n<!-- sums -->\n\n| old |\n\n<!-- end sums -->\n\nAfter.\n";
  expect(withTable(page, "sums", ["| a |", "| b |"])).toBe(
    "Before.\n\n<!-- sums -->\n\n| a |\n| b |\n\n<!-- end sums -->\n\nAfter.\n",
  );
  expect(() => withTable(page, "means", [])).toThrow("no table between <!-- means --> and <!-- end means -->");
});
