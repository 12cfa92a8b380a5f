/** Watching training in a real browser. */
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { PageServer } from "../../../../server/page/serve.js";
import { barriers, DESK, launch, PHONE, sticksOut, visit } from "../browser.js";
import { newFolder, startPage } from "../guest.js";
import { runsFolder } from "./folder.js";

let page: PageServer;
let browser: Browser;
beforeAll(async () => {
  page = await startPage(newFolder(), { runs: runsFolder(), limits: { messages: 100_000 } });
  browser = await launch();
}, 120_000);
afterAll(async () => {
  await browser.close();
  await page.close();
});

describe.each([
  ["phone", PHONE],
  ["desk", DESK],
] as const)("on a %s", (_what, size) => {
  test("curves of a run, with a measurement at each net", { timeout: 60_000 }, async () => {
    const { page: tab, context, errors } = await visit(browser, size);
    await tab.goto(`${page.address}runs`);
    await tab.click("text=learnt");
    await tab.waitForSelector('[data-run="learnt"] .run-chart');
    const measured = tab.locator(".run-chart", { hasText: "measured against" });
    expect(await measured.locator("path.curve").count()).toBe(2);
    expect(await measured.locator("circle").count()).toBe(4);
    expect(await measured.locator(".told").innerText()).toMatch(/update 20: as soviet 68 \(58 to 78\), as german 58/);
    expect(await tab.locator(".run-chart", { hasText: "entropy" }).locator("circle").count()).toBe(20);
    expect(await barriers(tab)).toEqual([]);
    expect(await sticksOut(tab)).toBeLessThanOrEqual(0);
    await tab.click("text=begun");
    await tab.waitForSelector('[data-run="begun"]');
    expect(await tab.locator("article").innerText()).toContain("No net has been kept yet");
    expect(errors).toEqual([]);
    await context.close();
  });

  test("the newest net is watched", { timeout: 60_000 }, async () => {
    const { page: tab, context, errors } = await visit(browser, size);
    await tab.goto(`${page.address}runs#run=learnt`);
    await tab.waitForSelector(".watch");
    expect(await tab.locator('[name="watch-soviet"] option:checked').innerText()).toBe("net 20 (the newest)");
    await tab.getByRole("button", { name: "Begin" }).click();
    await tab.waitForSelector(".board .drawing svg");
    await tab.waitForSelector(".result", { timeout: 50_000 });
    if (size === DESK)
      expect(await tab.locator("header .seats").innerText()).toMatch(/Soviet: net 20\s*German: net 20/);
    expect(errors).toEqual([]);
    await context.close();
  });

  test("two nets are compared, and a decision of theirs is opened on the board", { timeout: 60_000 }, async () => {
    const { page: tab, context, errors } = await visit(browser, size);
    await tab.goto(`${page.address}runs#run=learnt`);
    await tab.getByRole("button", { name: "Compare" }).click();
    await tab.waitForSelector(".differences ol > li", { timeout: 40_000 });
    expect(await tab.locator(".differences").innerText()).toMatch(/net 20 takes “.+” with \d+ %, the other with \d+ %/);
    expect(await barriers(tab)).toEqual([]);
    expect(await sticksOut(tab)).toBeLessThanOrEqual(0);
    const first = tab.locator(".differences ol > li a").first();
    const number = Number(/\d+/.exec(await first.innerText())![0]);
    await first.click();
    await tab.waitForSelector(".board .drawing svg");
    await tab.waitForFunction((at) => document.body.innerText.includes(`Decision ${at} of`), number - 1);
    expect(errors).toEqual([]);
    await context.close();
  });
});
