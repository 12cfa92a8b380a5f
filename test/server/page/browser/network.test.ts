import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { BrowserContextOptions } from "playwright-core";
import { afterEach, expect, test } from "vitest";
import { certificateFor } from "../../../../server/page/certificate.js";
import type { PageServer } from "../../../../server/page/serve.js";
import { newFolder, playedGame, startPage } from "../guest.js";
import { recorded } from "../recorded.js";
import { type ReverseProxy, reverseProxy } from "../reverse-proxy.js";
import { clickOn, DESK, visit, waiting } from "./browser.js";
import { open } from "./open.js";

const here = open();
const closing: { close(): Promise<unknown> }[] = [];
afterEach(async () => {
  for (const c of closing.splice(0).reverse()) await c.close();
});

async function pageBehind(base: string): Promise<{ page: PageServer; proxy: ReverseProxy }> {
  const tls = certificateFor(["play.localhost"], join(newFolder(), "c.pem"));
  const page = await startPage(newFolder(), { base, runs: newFolder(), allowHosts: ["play.localhost"] });
  const proxy = await reverseProxy(page.port, () => undefined, tls);
  closing.push(page, proxy);
  return { page, proxy };
}

const SELF_SIGNED: BrowserContextOptions = { ignoreHTTPSErrors: true };

test.each(["/kessel", "/a/b.c", ""])("a proxy that ends TLS and serves below %j shows the whole page", async (base) => {
  const { proxy } = await pageBehind(base);
  const { page: tab, context, errors } = await visit(here.browser, DESK, false, SELF_SIGNED);
  const origin = `https://play.localhost:${proxy.port}`;
  const astray: string[] = [];
  tab.on("request", (r) => {
    if (!r.url().startsWith(`${origin}${base}/`) && !r.url().startsWith("data:")) astray.push(r.url());
  });
  const missing: string[] = [];
  tab.on("response", (r) => void (r.status() >= 400 && missing.push(`${r.status()} ${r.url()}`)));
  await tab.goto(`${origin}${base}/`);
  await tab.click('[data-game="pocket-stalingrad"]');
  await tab.waitForFunction(() => [...document.fonts].some((f) => f.status === "loaded"));
  await tab.click("button[type=submit]");
  await tab.waitForSelector(".pieces > g");
  expect(new URL(tab.url()).pathname).toMatch(new RegExp(`^${base}/g/[a-z2-7]{20}$`));
  for (let k = 0; k < 3 && (await waiting(tab)); k++) await clickOn(tab, k);
  const hrefs = await tab.locator("a[href]").evaluateAll((all) => all.map((a) => (a as HTMLAnchorElement).href));
  for (const href of hrefs) expect(href).toMatch(new RegExp(`^${origin}${base}/`));
  for (const path of ["words/pocket-stalingrad", "rules/pocket-stalingrad", "runs", "g/cut-off"]) {
    await tab.goto(`${origin}${base}/${path}`);
    await tab.waitForSelector("main");
    await tab.getByText("All games").first().click();
    await tab.waitForSelector('[data-game="pocket-stalingrad"]');
  }
  // a game that is known here is found again
  await tab.locator(`a[href^="${base}/g/"]`).first().click();
  await tab.waitForSelector(".pieces > g");
  expect(astray).toEqual([]);
  expect(missing).toEqual([]);
  expect(errors).toEqual([]);
  await context.close();
});

test("a lesson, a puzzle, a replay and a rematch stay below the base", async () => {
  const { proxy, page } = await pageBehind("/kessel");
  const at = `https://play.localhost:${proxy.port}/kessel/`;
  const { page: tab, context, errors } = await visit(here.browser, DESK, false, SELF_SIGNED);
  const table = new RegExp(`^${at}g/[a-z2-7]{20}`);
  await tab.goto(at);
  await tab.locator('[data-game="pocket-stalingrad"]').click();
  await tab.getByRole("button", { name: /learn/i }).first().click();
  await tab.waitForURL(table);
  await tab.goto(at);
  await tab
    .getByRole("button", { name: /puzzle/i })
    .first()
    .click();
  await tab.waitForURL(table);
  await tab.goto(at);
  const file = join(newFolder(), "game.json");
  writeFileSync(file, JSON.stringify(recorded("pocket-stalingrad")));
  await tab.setInputFiles('.recorded input[type="file"]', file);
  await tab.waitForURL(table);
  const { me, link } = await playedGame(page, "pocket-stalingrad", "soviet", 1, true);
  me.socket.close();
  const over = `${at}g/${link.slice(-20)}`;
  await tab.goto(over);
  await tab.click('[data-rematch="same"]');
  await tab.waitForURL((url) => table.test(url.href) && url.href !== over);
  await tab.waitForSelector(".pieces > g");
  expect(errors).toEqual([]);
  await context.close();
});

test("at a shared page the creator's own seat is here, and invitations lead other machines here", async () => {
  const tls = certificateFor(["localhost"], join(newFolder(), "c.pem"));
  const shared = { allowHosts: ["play.localhost"], shared: ["play.localhost"] };
  const page = await startPage(newFolder(), { host: "0.0.0.0", tls, ...shared });
  closing.push(page);
  expect(page.address).toBe(`https://localhost:${page.port}/`);
  const one = await visit(here.browser, DESK, false, SELF_SIGNED);
  await one.page.goto(page.address);
  await one.page.click('[data-game="pocket-stalingrad"]');
  await one.page.selectOption('select[name="seat"]', "soviet");
  await one.page.selectOption('select[name="opponent-german"]', "human");
  await one.page.click("button[type=submit]");
  await one.page.waitForSelector(".links a");
  const links = await one.page
    .locator(".links a")
    .evaluateAll((all) => all.map((a) => ({ href: (a as HTMLAnchorElement).href, text: a.textContent! })));
  const [own, theirs, watch] = links;
  expect(links).toHaveLength(3);
  expect(own!.href).toMatch(new RegExp(`^https://localhost:${page.port}/g/[a-z2-7]{20}$`));
  for (const link of [theirs!, watch!]) {
    expect(link.href).toMatch(new RegExp(`^https://play\\.localhost:${page.port}/g/[a-z2-7]{20}$`));
    expect(link.text).toBe(link.href);
    expect(link.href.slice(-20)).not.toBe(own!.href.slice(-20));
  }
  const two = await visit(here.browser, DESK, false, SELF_SIGNED);
  await two.page.goto(theirs!.href);
  await one.page.goto(own!.href);
  for (const tab of [one.page, two.page]) await tab.waitForSelector(".pieces > g");
  // one of them decides; the other sees it happen
  const asked = await one.page.locator(".choice:not([disabled])").count();
  const [mover, seer] = asked > 0 ? [one.page, two.page] : [two.page, one.page];
  const before = await seer.locator(".log").innerText();
  await waiting(mover);
  await clickOn(mover, 0);
  await seer.waitForFunction((text) => document.querySelector<HTMLElement>(".log")!.innerText !== text, before);
  for (const { errors, context } of [one, two]) {
    expect(errors).toEqual([]);
    await context.close();
  }
});
