import { GAMES } from "../../../../env/index.js";
import { expect, test } from "vitest";
import { DESK, visit } from "./browser.js";
import { open } from "./open.js";

const here = open();

test("what the lobby offers follows what was chosen before", async () => {
  const { page: tab, context, errors } = await visit(here.browser, DESK);
  await tab.goto(here.page.address);
  await tab.click('[data-game="savage-streets"]');
  await tab.click("summary:has-text('Options')");
  const seat = tab.locator('select[name="seat"]');
  const seed = tab.locator('input[name="seed"]');
  await seat.selectOption("hot");
  expect(await seed.count()).toBe(0); // of a game between people it is drawn
  await tab.selectOption('select[name="option-mode"]', { index: 1 }); // for one
  await tab.waitForFunction(() => document.querySelector<HTMLSelectElement>('select[name="seat"]')?.value === "G");
  await tab.selectOption('select[name="option-mode"]', { index: 0 });
  await tab.selectOption('select[name="opponent-S"]', "human");
  expect(await seed.count()).toBe(0);
  await seat.selectOption("watch");
  expect(await tab.locator('select[name="opponent-S"]').inputValue()).not.toBe("human");
  await seat.selectOption("G");
  await tab.selectOption('select[name="opponent-S"]', "random");
  await seed.fill("mine");
  await tab.click("button[type=submit]");
  await tab.waitForSelector(".choice:not([disabled])");
  expect(errors).toEqual([]);
  await context.close();
});

test("an even game is offered first to a person who plays one of two sides", async () => {
  const { page: tab, context, errors } = await visit(here.browser, DESK, true);
  await tab.goto(here.page.address);
  await tab.click('[data-game="pocket-stalingrad"]');
  const buttons = tab.locator("form button");
  const seat = tab.locator('select[name="seat"]');
  expect(await buttons.allInnerTexts()).toEqual(["Start an even game", "Start"]);
  await seat.selectOption("watch");
  expect(await buttons.allInnerTexts()).toEqual(["Start"]);
  await seat.selectOption("german");
  await tab.click("summary:has-text('Options')");
  await tab.selectOption('select[name="option-balance"]', "printed");
  expect(await buttons.allInnerTexts()).toEqual(["Start"]);
  await tab.goto(here.page.address);
  await tab.click('[data-game="pocket-stalingrad"]');
  await tab.click("button[name=even]");
  await tab.waitForSelector("dialog[open]"); // the briefing, which names the options
  expect(await tab.locator("dialog[open]").innerText()).toContain("even game (house rule)");
  expect(errors).toEqual([]);
  await context.close();
});

test("the lobby says what a game is about, and which to begin with; credits and what is reconstructed are behind About", async () => {
  const { page: tab, context, errors } = await visit(here.browser, DESK);
  await tab.goto(here.page.address);
  const card = tab.locator("li.panel", { has: tab.locator('[data-game="pocket-stalingrad"]') });
  await card.waitFor();
  const { lobby, credits, reconstructed } = GAMES.find((g) => g.id === "pocket-stalingrad")!;
  const text = await card.innerText();
  for (const said of [lobby!.situation, "Start here", "1 or 2 players", `about ${lobby!.minutes} minutes`])
    expect(text).toContain(said);
  expect(await tab.getByText("Start here").count()).toBe(1);
  expect(await card.getByText(credits).isVisible()).toBe(false);
  await card.locator("details.about summary").click();
  for (const told of [credits, reconstructed!]) expect(await card.getByText(told).isVisible()).toBe(true);
  expect(errors).toEqual([]);
  await context.close();
});

test("Settings keep the links of a game between people; a link that was cut off gets a message", async () => {
  const { page: tab, context } = await visit(here.browser, DESK);
  await tab.goto(here.page.address);
  await tab.click('[data-game="savage-streets"]');
  await tab.selectOption('select[name="opponent-S"]', "human");
  await tab.click("button[type=submit]");
  await tab.waitForSelector(".links a");
  const own = await tab.getByText("play the German side").evaluate((a) => (a as HTMLAnchorElement).href);
  const shown = [own, ...(await tab.locator(".links a").allInnerTexts()).slice(1)];
  expect(shown).toHaveLength(3); // the German's, the Soviet's, and the one to watch
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await tab.locator(".copy").first().click();
  await expect.poll(() => tab.evaluate("navigator.clipboard.readText()")).toBe(shown[1]);
  await tab.goto(shown[0]!);
  await tab.waitForSelector("svg.map");
  await tab.click("header button");
  expect(await tab.locator(".settings .links a").allInnerTexts()).toEqual(shown.slice(1));
  await tab.keyboard.press("Escape");
  await expect.poll(() => tab.locator(".settings").count()).toBe(0);
  await tab.goto(shown[0]!.slice(0, -1));
  expect(await tab.textContent("[role=alert]")).toMatch(/^This link leads to no game/);
  await tab.click("a");
  await tab.waitForSelector('[data-game="savage-streets"]');
  await context.close();
});
