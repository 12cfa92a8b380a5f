/**
 * Kills a program that plays and keeps a session, at random moments, and looks whether a decision that it had confirmed
 * is lost: `npm run soak -- sessions [TIMES]`.
 */
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { actionsOf } from "../../../server/session/record.js";
import { SessionStore } from "../../../server/session/store.js";

const script = fileURLToPath(new URL("./kill-child.ts", import.meta.url));

/** One player killed. @returns decisions confirmed and decisions lost */
export async function killOnce(folder: string, after: number): Promise<{ confirmed: number; lost: number }> {
  const child = spawn(process.execPath, ["env/run.mjs", script, folder], { stdio: ["ignore", "pipe", "inherit"] });
  let out = "";
  const first = new Promise<void>((done) =>
    child.stdout.on("data", (b: Buffer) => {
      out += b.toString();
      if (out.includes("\n")) done();
    }),
  );
  const ended = new Promise((done) => child.on("close", done));
  await Promise.race([first, ended]);
  await new Promise((done) => setTimeout(done, after));
  child.kill("SIGKILL");
  await ended;
  const [id, ...rest] = out.split("\n").slice(0, -1);
  const confirmed = rest.length;
  const kept = actionsOf(new SessionStore(folder).read(id!).lines);
  const lost = rest.filter((action, i) => kept[i] !== action).length;
  return { confirmed, lost };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const times = Number(process.argv[2] ?? 200);
  const folder = mkdtempSync(join(tmpdir(), "kessel-kill-"));
  let confirmed = 0;
  let lost = 0;
  for (let k = 0; k < times; k++) {
    const one = await killOnce(folder, Math.random() * 120);
    confirmed += one.confirmed;
    lost += one.lost;
  }
  console.log(`killed ${times} times; ${confirmed} decisions were confirmed, ${lost} of them lost`);
  rmSync(folder, { recursive: true, force: true });
  process.exitCode = lost === 0 && confirmed > 0 ? 0 : 1;
}
