import { appendFileSync, readFileSync } from "node:fs";
import { relative } from "node:path";
import { afterAll, beforeAll, expect } from "vitest";

/** Seconds of CPU time since this process started: its own, with its threads, and its ended child processes'. */
function cpuSeconds(): { own: number; children: number } {
  const { user, system } = process.cpuUsage();
  let children = 0;
  try {
    // fields 16 and 17 of proc(5), in hundredths of a second
    const after = readFileSync("/proc/self/stat", "utf8").split(") ")[1]!.split(" ");
    children = (Number(after[13]) + Number(after[14])) / 100;
  } catch {
    // other systems than Linux: children are not counted
  }
  return { own: (user + system) / 1e6, children };
}

/** Appends the CPU and wall seconds of each test file to the file that KESSEL_CPU names, a line of JSON each. */
const out = process.env["KESSEL_CPU"];
if (out !== undefined) {
  const start = cpuSeconds();
  const startedAt = performance.now();
  let loaded = start;
  let loadedAt = startedAt;
  beforeAll(() => {
    loaded = cpuSeconds();
    loadedAt = performance.now();
  });
  afterAll(() => {
    const end = cpuSeconds();
    const line = {
      file: relative(process.cwd(), expect.getState().testPath!),
      load: loaded.own - start.own,
      run: end.own - loaded.own,
      children: end.children - start.children,
      loadWall: (loadedAt - startedAt) / 1000,
      runWall: (performance.now() - loadedAt) / 1000,
      pid: process.pid,
    };
    appendFileSync(out, `${JSON.stringify(line)}\n`);
  });
}
