import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { GAMES } from "../../../../env/index.js";
import { barriers, boxOf, clickOn, DESK, PHONE, sticksOut, visit, waiting } from "./browser.js";
import { makeGame } from "../guest.js";
import { alone, game, open } from "./open.js";
import { nightly, nightlyUnless } from "../../../nightly.js";

const here = open();

/** The game whose walk to the end stands for those of the others. */
const SHORT = "pocket-stalingrad";

test("three clicks from the address to the first move, at a desk", async () => {
  const { page: tab, context, errors } = await visit(here.browser, DESK);
  await tab.goto(here.page.address);
  await tab.click('[data-game="pocket-stalingrad"]');
  await tab.click("button[type=submit]");
  await tab.waitForSelector(".choice:not([disabled])");
  const before = await tab.locator(".log li").count();
  await tab.locator(".choice:not([disabled])").first().click();
  await tab.waitForFunction((n) => document.querySelectorAll(".log li").length > n, before);
  expect(errors).toEqual([]);
  await context.close();
});

describe.each(GAMES.map((g) => g.id))("%s", (id) => {
  test("is played to its end by clicks", nightlyUnless(id === SHORT), async () => {
    const { page: tab, context, errors } = await visit(here.browser, DESK);
    await tab.goto(await alone(here.page, id));
    for (let k = 0; k < 1500 && (await waiting(tab)); k++) await clickOn(tab, k * 7 + 1);
    await tab.waitForSelector(".result");
    expect(await tab.textContent(".result")).toMatch(/You have (won|lost)|A draw/);
    expect(errors).toEqual([]);
    await context.close();
  });

  test.each([
    ["phone", PHONE],
    ["desk", DESK],
  ])("has nothing that keeps people out, and nothing that sticks out, on a %s", async (_what, size) => {
    const { page: tab, context, errors } = await visit(here.browser, size);
    await tab.goto(await alone(here.page, id));
    await waiting(tab);
    await tab.waitForSelector("svg.map");
    expect(await barriers(tab)).toEqual([]);
    expect(await sticksOut(tab)).toBeLessThanOrEqual(0);
    for (const button of await tab.locator(".choice").all()) {
      const box = await boxOf(button);
      expect(box.height).toBeGreaterThanOrEqual(44);
    }
    expect(errors).toEqual([]);
    await context.close();
  });
});

/** Everything that can be pressed and seen, by a name of its own; what Tab has come to so far is marked. */
const pressable = (tab: Page): Promise<string[]> =>
  tab.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>("button, a[href], select, input, summary")]
      .filter((e) => e.checkVisibility() && !(e as HTMLButtonElement).disabled && e.dataset["met"] === undefined)
      .map((e) => e.outerHTML.slice(0, 120)),
  );

for (const id of [SHORT, "savage-streets", "night-fight"])
  test(
    `Tab comes to everything that can be pressed in ${id}, in the lobby too`,
    nightlyUnless(id === SHORT),
    async () => {
      const { page: tab, context } = await visit(here.browser, DESK);
      const walk = async (): Promise<void> => {
        const many = (await pressable(tab)).length;
        expect(many).toBeGreaterThan(4);
        for (let k = 0; k < many + 3; k++) {
          await tab.keyboard.press("Tab");
          await tab.evaluate(() => ((document.activeElement as HTMLElement).dataset["met"] = ""));
        }
        expect(await pressable(tab)).toEqual([]);
      };
      await tab.goto(here.page.address);
      await tab.click(`[data-game="${id}"]`);
      await walk();
      await tab.goto(await alone(here.page, id));
      await waiting(tab);
      await tab.waitForSelector(".cursor");
      await tab.click("header button");
      await walk();
      await context.close();
    },
  );

test("a game of Pocket Stalingrad is played to its end by the keyboard alone", nightly, async () => {
  const links = await makeGame(here.page, game("pocket-stalingrad", { german: "random" }));
  const { page: tab, context, errors } = await visit(here.browser, DESK);
  await tab.goto(`${here.page.address}g/${links["soviet"]!}`);
  for (let k = 0; k < 1500 && (await waiting(tab)); k++) {
    const before = await tab.textContent(".table");
    await tab.keyboard.press(String(1 + (k % Math.min(9, await tab.locator(".choice").count()))));
    if ((await tab.locator("dialog[open]").count()) > 0) {
      await tab.locator("#confirm").focus();
      await tab.keyboard.press("Enter");
    }
    await tab.waitForFunction((text) => document.querySelector(".table")?.textContent !== text, before);
  }
  expect(await tab.textContent(".result")).toMatch(/You have/);
  expect(errors).toEqual([]);
  await context.close();
});

test("on a phone the log opens at what is new", async () => {
  const { page: tab, context } = await visit(here.browser, PHONE);
  await tab.goto(await alone(here.page, "savage-streets"));
  for (let k = 0; k < 30 && (await waiting(tab)); k++) await clickOn(tab, k * 7 + 1);
  await waiting(tab);
  await tab.click('.tabs button:has-text("log")');
  await tab.waitForTimeout(200);
  const [hidden, seen] = await tab.evaluate(() => {
    const side = document.querySelector(".side")!.getBoundingClientRect();
    const lines = [...document.querySelectorAll(".log li:not([hidden])")];
    const within = lines.map((e) => {
      const { top, bottom } = e.getBoundingClientRect();
      return bottom > side.top && top < side.bottom;
    });
    return [!within[0]!, within.at(-1)! || lines.some((e, i) => e.matches(".fresh") && within[i]!)];
  });
  expect([hidden, seen]).toEqual([true, true]);
  await context.close();
});

test("two browsers play each other, a third watches; a reload changes nothing", async () => {
  const links = await makeGame(here.page, game("savage-streets"));
  const g = await visit(here.browser, DESK);
  const s = await visit(here.browser, DESK);
  const w = await visit(here.browser, PHONE);
  await g.page.goto(`${here.page.address}g/${links["G"]!}`);
  await s.page.goto(`${here.page.address}g/${links["S"]!}`);
  await w.page.goto(`${here.page.address}g/${links["watch"]!}`);
  for (let k = 0; k < 24; k++) {
    await Promise.race([
      g.page.waitForSelector(".choice:not([disabled])"),
      s.page.waitForSelector(".choice:not([disabled])"),
    ]);
    const mover = (await s.page.locator(".choice:not([disabled])").count()) > 0 ? s.page : g.page;
    await clickOn(mover, k);
    await mover.waitForTimeout(120);
  }
  await g.page.waitForTimeout(400);
  expect(await w.page.locator(".choice").count()).toBe(0);
  expect(await w.page.locator(".log li").count()).toBeGreaterThan(3);
  const shown = await g.page.locator(".log").innerText();
  await g.page.reload();
  await g.page.waitForSelector(".log li");
  expect(await g.page.locator(".log").innerText()).toBe(shown);
  expect([...g.errors, ...s.errors, ...w.errors]).toEqual([]);
  for (const v of [g, s, w]) await v.context.close();
});
