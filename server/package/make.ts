import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, renameSync, rmSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { makeApp, ROOT } from "./app.js";
import { makeWheel } from "./wheel.js";

// `npm run pack -- tarball`, `npm run pack -- wheel`: Kessel for this platform as one file, for npm or for pip
const USAGE = "usage: tsx server/package/make.ts [--out DIR] tarball|wheel...";
const { values, positionals } = parseArgs({ options: { out: { type: "string" } }, allowPositionals: true });
if (positionals.length === 0 || positionals.some((kind) => kind !== "tarball" && kind !== "wheel")) {
  console.error(USAGE);
  process.exit(2);
}
const out = resolve(values.out ?? join(ROOT, "dist"));
mkdirSync(out, { recursive: true });
const stage = mkdtempSync(join(out, "making-"));
try {
  const app = join(stage, "package");
  const { version } = await makeApp(app);
  if (positionals.includes("tarball")) {
    const file = `kessel-${version}-${process.platform}-${process.arch}.tgz`;
    execFileSync("tar", ["-czf", file, "package"], { cwd: stage }); // npm pack leaves files of bundled packages out
    renameSync(join(stage, file), join(out, file));
    printUse(file, `npm install ${join(out, file)}`);
  }
  if (positionals.includes("wheel")) {
    const sources = join(stage, "python");
    const own = join(ROOT, "server/python");
    for (const file of ["pyproject.toml", "README.md", "hatch_build.py", "kessel", "kessel_verifiers", "examples"])
      cpSync(join(own, file), join(sources, file), { recursive: true, filter: (f) => !f.includes("__pycache__") });
    renameSync(app, join(sources, "kessel/_server"));
    const file = makeWheel(sources, out);
    printUse(file, `pip install '${join(out, file)}[node]', or without [node] where Node 20 is`);
  }
} finally {
  rmSync(stage, { recursive: true });
}

function printUse(file: string, use: string): void {
  console.log(`${join(out, file)}: ${Math.round(statSync(join(out, file)).size / 1e6)} MB; ${use}`);
}
