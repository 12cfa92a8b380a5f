/** Steps of others: they pause, go on one by one or at a speed, or all at once with a summary. */
import type { BrowserContext, Page } from "playwright-core";
import { expect, test } from "vitest";
import { makeGame } from "../guest.js";
import { barriers, DESK } from "./browser.js";
import { alone, game, open } from "./open.js";

const here = open();

/** Somebody who sees things move, with a speed. */
async function visitor(speed: string): Promise<{ tab: Page; context: BrowserContext; errors: string[] }> {
  const context = await here.browser.newContext({ viewport: DESK });
  await context.addInitScript((s) => {
    localStorage.setItem("kessel.speed", JSON.stringify(s));
    localStorage.setItem("kessel.briefings", "false");
  }, speed);
  context.setDefaultTimeout(10_000);
  const tab = await context.newPage();
  const errors: string[] = [];
  tab.on("pageerror", (e) => errors.push(e.message));
  return { tab, context, errors };
}

const MAY = ".choice:not([disabled])";
const left = async (tab: Page): Promise<number> => {
  const button = tab.getByRole("button", { name: /^To the end/ });
  if ((await button.count()) === 0) return 0;
  return Number(/\d+/.exec(await button.innerText())![0]);
};

/** Plays the first choices until the agents take several steps. */
async function agentsPlay(tab: Page): Promise<void> {
  for (let k = 0; k < 60; k++) {
    await tab.waitForSelector(`${MAY}, .pace`);
    if ((await left(tab)) > 2) return;
    if ((await tab.locator(MAY).count()) === 0) continue;
    await tab.locator(MAY).last().click();
    await tab.waitForTimeout(100);
    if ((await tab.locator("dialog[open] #confirm").count()) > 0) await tab.click("#confirm");
    await tab.waitForTimeout(150);
  }
  throw new Error("the agents took no steps");
}

test("agents' steps pause, go on one by one, and play again", async () => {
  const { tab, context, errors } = await visitor("calm");
  await tab.goto(await alone(here.page, "pocket-stalingrad"));
  await agentsPlay(tab);
  await tab.getByRole("button", { name: "Pause" }).click();
  const stopped = await left(tab);
  expect(stopped).toBeGreaterThan(0);
  await tab.waitForTimeout(2000); // longer than a step takes
  expect(await left(tab)).toBe(stopped);
  expect(await barriers(tab)).toEqual([]);
  await tab.getByRole("button", { name: "Next" }).click();
  expect(await left(tab)).toBeLessThan(stopped);
  const one = await left(tab);
  await tab.waitForTimeout(2000);
  expect(await left(tab)).toBe(one);
  await tab.keyboard.press("p");
  await expect.poll(() => left(tab), { timeout: 8000 }).toBeLessThan(one);
  expect(errors).toEqual([]);
  await context.close();
});

test("after a jump to the end a summary says what came of the others' steps, and shows it on the map", async () => {
  const { tab, context, errors } = await visitor("step by step");
  await tab.goto(await alone(here.page, "pocket-stalingrad"));
  await agentsPlay(tab);
  expect(await tab.locator(".since").count()).toBe(0);
  await tab.getByRole("button", { name: /^To the end/ }).click();
  await tab.waitForSelector(MAY);
  const since = tab.locator(".since");
  expect(await since.innerText()).toMatch(/^Since your last choice: \d+ steps/);
  const log = (await tab.locator(".log li.fresh").allInnerTexts()).join(" ");
  expect(log).not.toBe("");
  expect(await since.locator("li").count()).toBeGreaterThan(0);
  expect(await since.locator("li").count()).toBeLessThanOrEqual(10);
  // who comes back reads it again
  const told = await since.innerText();
  await tab.reload();
  await since.waitFor();
  expect(await since.innerText()).toBe(told);
  expect(await barriers(tab)).toEqual([]);
  await since.getByRole("button", { name: "Show on the map" }).click();
  // and it goes with the next choice
  await tab.locator(MAY).first().click();
  await expect.poll(() => since.count()).toBe(0);
  expect(errors).toEqual([]);
  await context.close();
});

test("a new game has nothing to sum up", async () => {
  const links = await makeGame(here.page, game("savage-streets", { S: "random" }));
  const { tab, context } = await visitor("to the end");
  await tab.goto(`${here.page.address}g/${links["G"]!}`);
  await tab.waitForSelector(MAY);
  expect(await tab.locator(".since").count()).toBe(0);
  await context.close();
});
