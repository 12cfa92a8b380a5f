/** The configurations that server/page/README.md gives, with the programs they are for, where these are installed. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { type AddressInfo, connect, createServer } from "node:net";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { certificateFor } from "../../../../server/page/certificate.js";
import { PATIENCE_MS } from "../../../patience.js";
import { newFolder, startPage } from "../guest.js";
import { clickOn, DESK, visit, waiting } from "./browser.js";
import { open } from "./open.js";

const here = open();
const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

const readme = readFileSync(new URL("../../../../server/page/README.md", import.meta.url), "utf8");

/** A configuration of the README, for a port and a name that can be had here. */
function configuration(language: string, changes: Readonly<Record<string, string>>): string {
  let text = readme.split(`\`\`\`${language}\n`)[1]!.split("```")[0]!;
  for (const [from, to] of Object.entries(changes)) {
    expect(text).toContain(from);
    text = text.replaceAll(from, to);
  }
  return text;
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  await new Promise((done) => server.close(done));
  return port;
}

const listens = (port: number): Promise<boolean> =>
  new Promise((done) => {
    const socket = connect(port, "127.0.0.1", () => done(true));
    socket.on("error", () => done(false));
    socket.on("connect", () => socket.end());
  });

const installed = (program: string): boolean => spawnSync(program, ["-v"]).error === undefined;

interface Place {
  readonly folder: string;
  /** Where the proxy is, and where the page is. */
  readonly port: number;
  readonly page: number;
  readonly cert: string;
  readonly key: string;
}

const PROXIES: Readonly<Record<string, (place: Place) => ChildProcess>> = {
  nginx({ folder, port, page, cert, key }) {
    const site = configuration("nginx", {
      "listen 443 ssl": `listen 127.0.0.1:${port} ssl`,
      "play.example.org": "play.localhost",
      "127.0.0.1:7558": `127.0.0.1:${page}`,
      "/etc/ssl/play.pem": cert,
      "/etc/ssl/play.key": key,
    });
    const temp = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((t) => `${t}_temp_path ${folder}/${t};`);
    const main = `${process.getuid?.() === 0 ? "user root; " : ""}daemon off; pid ${folder}/pid; error_log stderr; events {}`;
    writeFileSync(join(folder, "nginx.conf"), `${main} http { access_log off; ${temp.join(" ")}\n${site}}`);
    return spawn("nginx", ["-p", folder, "-e", "stderr", "-c", join(folder, "nginx.conf")], { stdio: "inherit" });
  },
  caddy({ folder, port, page, cert, key }) {
    const site = configuration("caddyfile", {
      "play.example.org {": `play.localhost:${port} {\n  bind 127.0.0.1\n  tls ${cert} ${key}`,
      "127.0.0.1:7558": `127.0.0.1:${page}`,
    });
    writeFileSync(join(folder, "Caddyfile"), `{\n  admin off\n  auto_https disable_redirects\n}\n${site}`);
    const env = { ...process.env, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder };
    const args = ["run", "--adapter", "caddyfile", "--config", join(folder, "Caddyfile")];
    return spawn("caddy", args, { stdio: ["ignore", "ignore", "ignore"], env });
  },
};

for (const [program, start] of Object.entries(PROXIES))
  test.skipIf(!installed(program))(`${program} as the README has it serves the page and its seats`, async () => {
    const page = await startPage(newFolder(), { base: "/kessel", allowHosts: ["play.localhost"] });
    closing.push(() => page.close());
    const folder = newFolder();
    const tls = certificateFor(["play.localhost"], join(folder, "c.pem"));
    const [cert, key] = [join(folder, "cert.pem"), join(folder, "key.pem")];
    writeFileSync(cert, tls.cert);
    writeFileSync(key, tls.key);
    const place = { folder, port: await freePort(), page: page.port, cert, key };
    const child = start(place);
    closing.push(
      () =>
        new Promise((done) => {
          child.once("exit", done);
          child.kill("SIGTERM");
        }),
    );
    await expect.poll(() => listens(place.port), { timeout: PATIENCE_MS }).toBe(true);
    const { page: tab, context, errors } = await visit(here.browser, DESK, false, { ignoreHTTPSErrors: true });
    const at = `https://play.localhost:${place.port}/kessel/`;
    expect((await tab.goto(at))!.status()).toBe(200);
    await tab.click('[data-game="pocket-stalingrad"]');
    await tab.click("button[type=submit]");
    await waiting(tab);
    const before = await tab.locator(".log").innerText();
    await clickOn(tab, 0);
    await tab.waitForFunction((text) => document.querySelector<HTMLElement>(".log")!.innerText !== text, before);
    // a replay that is as long as may be is refused by the page, for what it is
    const huge = await tab.evaluate(async () => {
      const r = await fetch("/kessel/api/replays", {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: `"${"x".repeat((4 << 20) - 2)}"`,
      });
      return [r.status, await r.text()] as const;
    });
    expect(huge[0]).toBe(400);
    expect(huge[1]).toContain("replay");
    expect(errors.filter((e) => !e.includes("status of 400"))).toEqual([]);
    await context.close();
  });
