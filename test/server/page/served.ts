import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { newFolder } from "./guest.js";

/** `kessel serve` as a user starts it, with sessions in a folder of its own. */
export interface Served {
  readonly process: ChildProcess;
  /** Where ZeroMQ clients come, and where browsers do. */
  readonly address: string;
  readonly page: string;
}

export async function serve(): Promise<Served> {
  const process_ = spawn(
    process.execPath,
    [
      fileURLToPath(new URL("../../../server/cli/kessel.mjs", import.meta.url)),
      ...["serve", "--port", "0", "--page-port", "0"],
    ],
    { stdio: ["ignore", "pipe", "inherit"], env: { ...process.env, KESSEL_SESSIONS: newFolder() } },
  );
  let text = "";
  for await (const line of createInterface({ input: process_.stdout! })) {
    text += `${line}\n`;
    const page = /page is at (\S+)/.exec(text)?.[1];
    if (page !== undefined) return { process: process_, address: /tcp:\/\/[\d.:]+/.exec(text)![0], page };
  }
  throw new Error(`the server ended: ${text}`);
}
