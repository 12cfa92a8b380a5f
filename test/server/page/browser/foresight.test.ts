/** Before you commit you see what a choice comes to and what that leads to. */
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { makeGame } from "../guest.js";
import { barriers, DESK, PHONE, untilAsked, visit, waiting } from "./browser.js";
import { game, open } from "./open.js";

const here = open();

/** The German side of Savage Streets, asked where its first unit goes that can reach the enemy. */
async function moving(size: typeof DESK): Promise<{ tab: Page; sent: string[]; errors: string[] }> {
  const links = await makeGame(here.page, game("savage-streets", { S: "random" }));
  const { page: tab, errors } = await visit(here.browser, size);
  const sent: string[] = [];
  tab.on("websocket", (socket) =>
    socket.on("framesent", ({ payload }) => void sent.push((JSON.parse(String(payload)) as { op: string }).op)),
  );
  tab.setDefaultTimeout(10_000);
  await tab.goto(`${here.page.address}g/${links["G"]!}`);
  await untilAsked(tab, "Move ");
  return { tab, sent, errors };
}

const leads = (tab: Page) => tab.locator(".odds .leads");

test("a choice in the list shows the combat that it leads to, in per cent", async () => {
  const { tab, sent, errors } = await moving(DESK);
  await tab.locator('.choice[data-action="area 12"]').hover();
  await leads(tab).waitFor();
  const text = await leads(tab).innerText();
  expect(text).toContain("It leads to");
  expect(text).toMatch(/\d+ ?%[^%]*12: (German|Soviet) win/);
  expect(text).toContain("if both sides do no more than they must");
  expect(text).toMatch(/\d+ ?%[^%]*12 Contested/); // who is there afterwards
  expect(sent.filter((op) => op === "act" || op === "order").length).toBeGreaterThan(0);
  const acted = sent.filter((op) => op === "act").length;
  await tab.locator('.choice[data-action="area 3"]').hover(); // nobody is there
  await expect.poll(() => leads(tab).count()).toBe(0);
  expect(sent.filter((op) => op === "act")).toHaveLength(acted);
  expect(errors).toEqual([]);
});

test("so does the place on the map that is pointed at, and on a phone the one that is tapped once", async () => {
  for (const size of [DESK, PHONE]) {
    const { tab, errors } = await moving(size);
    await tab.waitForSelector('.marks [data-place="12"]', { state: "attached" });
    const middle = await tab.evaluate(() => {
      const box = document.querySelector(".board-scroll")!;
      const find = (): DOMRect => document.querySelector('.marks [data-place="12"]')!.getBoundingClientRect();
      const b = find();
      const s = box.getBoundingClientRect();
      box.scrollBy(b.left + b.width / 2 - s.left - s.width / 2, b.top + b.height / 2 - s.top - s.height / 2);
      const now = find();
      return [now.left + now.width / 2, now.top + now.height / 2] as const;
    });
    if (size === PHONE) await tab.touchscreen.tap(...middle);
    else await tab.mouse.move(...middle);
    await leads(tab).waitFor();
    expect(await leads(tab).innerText()).toMatch(/12: (German|Soviet) win/);
    expect(await barriers(tab)).toEqual([]);
    expect(errors).toEqual([]);
  }
});

test("a warning says what its choice comes to", async () => {
  const links = await makeGame(here.page, game("night-fight"));
  const { page: tab, errors } = await visit(here.browser, DESK);
  tab.setDefaultTimeout(10_000);
  // the odds of an early end of purchases are nothing: others replace them
  await tab.routeWebSocket("**/seat", (browser) => {
    const server = browser.connectToServer();
    server.onMessage((text) => {
      const reply = JSON.parse(String(text)) as { op: string; odds?: { results: { outcomes: string[] }[] } };
      if (reply.op === "odds") reply.odds!.results[0]!.outcomes = ["nobody gets out"];
      browser.send(JSON.stringify(reply));
    });
  });
  await tab.goto(`${here.page.address}g/${links["german"]!}`);
  await waiting(tab);
  await tab.locator('.choice[data-action="done"]').click();
  const dialog = tab.locator("dialog[open]");
  await expect.poll(() => dialog.innerText()).toMatch(/points[^]*It is certain: nobody gets out\./);
  expect(await barriers(tab)).toEqual([]);
  await tab.getByRole("button", { name: "Not now" }).click();
  await expect.poll(() => dialog.count()).toBe(0);
  expect(errors).toEqual([]);
});
