// Plain JavaScript: it runs before anything reads TypeScript.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { compiled } from "../env/source.mjs";

/**
 * Compiles once for all processes; gives a run its own folder for temporary files and for what programs keep of their
 * user, such as sessions, and removes it afterwards.
 */
export default async function setup() {
  await compiled(new URL("runner.ts", import.meta.url));
  const folder = mkdtempSync(join(tmpdir(), "kessel-tests-"));
  process.env["TMPDIR"] = folder;
  process.env["XDG_STATE_HOME"] = join(folder, "state");
  return () => rmSync(folder, { recursive: true, force: true });
}
