import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

export interface Ran {
  readonly status: number | null;
  readonly out: string;
  readonly err: string;
}

const bin = fileURLToPath(new URL("../../../server/cli/kessel.mjs", import.meta.url));

/** Runs `kessel ARGS...` as a process of its own, in another folder than the repository, `input` on its standard input. */
export function kessel(args: readonly string[], input = "", cwd = "/"): Promise<Ran> {
  return new Promise((done, fail) => {
    const child = spawn(process.execPath, [bin, ...args], { cwd, stdio: "pipe" });
    let out = "";
    let err = "";
    child.stdout.on("data", (b: Buffer) => (out += b.toString()));
    child.stderr.on("data", (b: Buffer) => (err += b.toString()));
    child.on("error", fail);
    child.on("close", (status) => done({ status, out, err }));
    child.stdin.on("error", () => undefined); // a child that ends early doesn't read its input
    child.stdin.end(input);
  });
}
