// Plain JavaScript: it runs before anything reads TypeScript.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Gives a run of the tests a folder of its own for temporary files, and removes it with all that was left there. */
export default function setup() {
  const folder = mkdtempSync(join(tmpdir(), "kessel-tests-"));
  process.env["TMPDIR"] = folder;
  return () => rmSync(folder, { recursive: true, force: true });
}
