import { spawn } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { get } from "node:https";
import { networkInterfaces, tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { TLSSocket } from "node:tls";
import { afterEach, describe, expect, test } from "vitest";
import { kessel } from "../cli/kessel.js";
import { newFolder } from "./guest.js";

const bin = fileURLToPath(new URL("../../../server/cli/kessel.mjs", import.meta.url));
const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

/** `kessel serve` as a user starts it. @returns all that it says, once it has said `last` */
async function serve(state: string, last: RegExp, ...args: string[]): Promise<string> {
  const child = spawn(process.execPath, [bin, "serve", "--port", "0", "--page-port", "0", ...args], {
    stdio: ["ignore", "pipe", "ignore"],
    env: { ...process.env, KESSEL_SESSIONS: newFolder(), XDG_STATE_HOME: state },
  });
  const ended = new Promise<void>((done) => child.once("exit", () => done()));
  stops.push(() => {
    child.kill("SIGTERM");
    return ended;
  });
  let text = "";
  for await (const line of createInterface({ input: child.stdout })) {
    text += `${line}\n`;
    if (last.test(text)) return text;
  }
  throw new Error(`the server ended: ${text}`);
}

/** Opens the page as a browser does that has accepted its certificate. */
const opened = (url: string): Promise<{ readonly status: number; readonly fingerprint: string }> =>
  new Promise((done, fail) => {
    const call = get(url, { rejectUnauthorized: false }, (r) => {
      r.resume();
      const { fingerprint256 } = (r.socket as TLSSocket).getPeerCertificate();
      done({ status: r.statusCode!, fingerprint: fingerprint256 });
    });
    call.on("error", fail);
  });

const OUTER = Object.values(networkInterfaces())
  .flatMap((all) => all ?? [])
  .filter((a) => a.family === "IPv4" && !a.internal)
  .map((a) => a.address);

describe("kessel serve --share", () => {
  test.skipIf(OUTER.length === 0)(
    "says what others open, and each of these opens; the next start has the same certificate",
    async () => {
      const state = mkdtempSync(join(tmpdir(), "kessel-share-"));
      const fingerprints: string[] = [];
      for (let start = 0; start < 2; start++) {
        const text = await serve(state, /browsers know\./, "--share");
        const own = /page is at (\S+)/.exec(text)![1]!;
        expect(own).toMatch(/^https:\/\/localhost:\d+\/$/);
        const others = /Others open (.*)/.exec(text)![1]!.split(" or ");
        expect(others.map((url) => new URL(url).hostname).sort()).toEqual([...OUTER].sort());
        const [fingerprint] = /^(?:[\dA-F]{2}:){31}[\dA-F]{2}$/m.exec(text)!;
        for (const url of [own, ...others]) expect(await opened(url)).toEqual({ status: 200, fingerprint });
        fingerprints.push(fingerprint);
      }
      expect(fingerprints[1]).toBe(fingerprints[0]);
    },
  );

  test("names what leads here first, below its base", async () => {
    const state = mkdtempSync(join(tmpdir(), "kessel-share-"));
    const args = ["--share", "--allow-host", "play.example.org", "--page-base", "/kessel"];
    const text = await serve(state, /browsers know\./, ...args);
    expect(text).toMatch(/Others open https:\/\/play\.example\.org:\d+\/kessel\//);
  });
});

describe("kessel serve refuses in one line", () => {
  test.each([
    [["--share", "--no-page"], "--share shares the play page"],
    [["--share", "--stop-with-input"], "--share shares the play page"],
    [["--allow-host", "https://play.example.org/"], "give play.example.org, without scheme, port and path"],
    [["--page-base", "kessel"], "such as /kessel"],
    [["--trust-proxy", "proxy.local"], "is no address of a proxy"],
    [["--page-host", "0.0.0.0"], "only with TLS: give --page-cert and --page-key, or --share"],
  ])("%j", async (args, why) => {
    const { status, err } = await kessel(["serve", "--port", "0", "--page-port", "0", ...args]);
    expect(status).toBe(2);
    expect(err).toMatch(/^kessel: [^\n]*\n$/);
    expect(err).toContain(why);
  });
});
