import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { vi } from "vitest";
import { run } from "../../../server/cli/run.js";

export interface Ran {
  readonly status: number | null;
  readonly out: string;
  readonly err: string;
}

const bin = fileURLToPath(new URL("../../../server/cli/kessel.mjs", import.meta.url));

/**
 * Runs `kessel ARGS...` as a process of its own, in another folder than the repository, `input` on its standard input.
 */
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

/** The same in this process: quicker, for what doesn't read standard input. */
export async function kesselHere(args: readonly string[]): Promise<Ran> {
  const texts: Record<"out" | "err", string> = { out: "", err: "" };
  const catching = (into: "out" | "err") => (text: string | Uint8Array) => {
    texts[into] += String(text);
    return true;
  };
  const spies = [
    vi.spyOn(process.stdout, "write").mockImplementation(catching("out")),
    vi.spyOn(process.stderr, "write").mockImplementation(catching("err")),
  ];
  const before = process.exitCode;
  process.exitCode = 0;
  try {
    await run(args);
    return { status: Number(process.exitCode), ...texts };
  } finally {
    process.exitCode = before;
    for (const spy of spies) spy.mockRestore();
  }
}
