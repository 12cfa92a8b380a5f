import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, expect, test } from "vitest";
import { filesOf, replaceFile } from "../../../env/streets-of-stalingrad/data-files.js";

const folder = mkdtempSync(join(tmpdir(), "kessel-files-"));
afterAll(() => rmSync(folder, { recursive: true }));

test("data files are read when they are first asked for, and once", () => {
  const files = filesOf(pathToFileURL(`${folder}/`), ["map", "units"]);
  writeFileSync(join(folder, "map.json"), "[1, 2]");
  writeFileSync(join(folder, "units.json"), '{"a": 1}');
  const first = files();
  expect(first).toEqual({ map: [1, 2], units: { a: 1 } });
  writeFileSync(join(folder, "map.json"), "[3]");
  expect(files()).toBe(first);
});

test("a file that nobody asks for is not read, nor when another is replaced", () => {
  const files = filesOf(pathToFileURL(`${folder}/`), ["asked", "absent"])();
  writeFileSync(join(folder, "asked.json"), "1");
  expect(files["asked"]).toBe(1);
  const other = replaceFile(files, "asked", 2);
  expect([files["asked"], other["asked"]]).toEqual([1, 2]);
  expect(Object.keys(other)).toEqual(["asked", "absent"]);
  expect(() => other["absent"]).toThrow("ENOENT");
});
