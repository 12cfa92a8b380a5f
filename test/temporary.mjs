// Plain JavaScript: it runs before anything reads TypeScript.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { compiled } from "../env/source.mjs";

/** Compiles once for all processes; gives a run its own folder for temporary files and removes it afterwards. */
export default async function setup() {
  await compiled(new URL("runner.ts", import.meta.url));
  const folder = mkdtempSync(join(tmpdir(), "kessel-tests-"));
  process.env["TMPDIR"] = folder;
  return () => rmSync(folder, { recursive: true, force: true });
}
