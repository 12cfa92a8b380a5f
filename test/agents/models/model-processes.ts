import { readdirSync, readFileSync, readlinkSync } from "node:fs";

/** Processes that run models, for this one or another, on Linux. */
export function modelProcesses(of = process.pid): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
        const [state, parent] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
        return (
          Number(parent) === of &&
          state !== "Z" &&
          readFileSync(`/proc/${pid}/cmdline`, "latin1").includes("model-process-entry")
        );
      } catch {
        return false; // it has just ended
      }
    });
}

/** The memory that this process shares with them. */
export function modelMemory(): string[] {
  return readdirSync("/proc/self/fd").flatMap((fd) => {
    try {
      const path = readlinkSync(`/proc/self/fd/${fd}`);
      return path.includes("kessel-model-") ? [path] : [];
    } catch {
      return [];
    }
  });
}
