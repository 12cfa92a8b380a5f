/** Learning by playing, words and reasons, in a real browser. */
import { nightlyUnless } from "../../../nightly.js";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { GAMES, gameType } from "../../../../env/index.js";
import { barriers, boxOf, DESK, PHONE, sticksOut, visit } from "./browser.js";
import { newFolder, startPage } from "../guest.js";
import { open } from "./open.js";

const TAUGHT = GAMES.filter((g) => g.teaching !== undefined).map((g) => g.id);

const here = open(() => startPage(newFolder(), { limits: { messages: 100_000 } }));

const says = (tab: Page): Promise<string> => tab.locator(".lesson .says").innerText();

/** From the lobby to the first page of a lesson. */
async function begin(tab: Page, game: string): Promise<void> {
  await tab.goto(here.page.address);
  await tab.waitForSelector(`[data-lesson="${game}"]`);
  expect(await barriers(tab)).toEqual([]);
  expect(await sticksOut(tab)).toBeLessThanOrEqual(0);
  await tab.click(`[data-lesson="${game}"]`);
  await tab.waitForSelector(".lesson .says");
}

/** Reads on to where something is to be done. @returns whether the lesson is over */
async function readOn(tab: Page): Promise<boolean> {
  await tab.waitForSelector(".lesson .says");
  while ((await tab.locator("#read-on").count()) > 0) await tab.click("#read-on");
  return (await tab.locator("#play-on").count()) > 0;
}

/** Takes a choice of the list, wherever it is shown. */
const take = async (tab: Page, selector: string): Promise<void> => {
  await tab.evaluate((s) => document.querySelector<HTMLElement>(s)!.click(), selector);
};

describe.each([
  ["phone", PHONE],
  ["desk", DESK],
] as const)("on a %s", (_what, size) => {
  // one of them on a phone, all at night
  const often = (id: string): boolean => size === DESK || id === TAUGHT[0];
  for (const id of TAUGHT)
    test(`the lesson of ${id} is taken, and played on from`, nightlyUnless(often(id)), async () => {
      const { lesson } = gameType(id).teaching!;
      const { page: tab, context, errors } = await visit(here.browser, size);
      await begin(tab, id);
      expect(await says(tab)).toContain(lesson.steps[0]!.says.slice(0, 30));
      const early = tab.locator(".choice:not([disabled])").first();
      await early.waitFor({ state: "attached" });
      let refusals = 0;
      for (let k = 0; !(await readOn(tab)); k++) {
        const wanted = await tab.locator(".choice.wanted").count();
        expect(wanted, await says(tab)).toBeGreaterThan(0);
        if ((await tab.locator(".choice:not(.wanted):not([disabled])").count()) > 0 && refusals < 2) {
          await take(tab, ".choice:not(.wanted):not([disabled])");
          await tab.waitForSelector(".lesson .refused");
          expect(await tab.locator(".side").evaluate((side) => side.scrollTop)).toBe(0);
          refusals++;
        }
        if (k === 1) {
          expect(await barriers(tab)).toEqual([]);
          expect(await sticksOut(tab)).toBeLessThanOrEqual(0);
        }
        const before = await tab.locator(".lesson progress").getAttribute("value");
        await take(tab, ".choice.wanted");
        await tab.waitForFunction(
          (was) =>
            document.querySelector(".lesson progress")?.getAttribute("value") !== was &&
            document.querySelector(".lesson .says") !== null,
          before,
        );
      }
      expect(refusals).toBeGreaterThan(0);
      expect(await says(tab)).toContain(lesson.steps.at(-1)!.says.slice(-30).split(".")[0]!);
      const was = tab.url();
      await tab.click("#play-on");
      await tab.waitForFunction((url) => location.href !== url, was);
      await tab.waitForSelector(".choice:not([disabled])", { state: "attached" });
      expect(await tab.locator(".lesson").count()).toBe(0);
      expect(errors).toEqual([]);
      await context.close();
    });

  test("a lesson survives that the page is loaded again", async () => {
    const { page: tab, context } = await visit(here.browser, size);
    await begin(tab, "pocket-stalingrad");
    await readOn(tab);
    await take(tab, ".choice.wanted");
    await tab.waitForFunction(() => document.querySelector(".lesson progress")?.getAttribute("value") === "1");
    const text = await says(tab);
    await tab.reload();
    await tab.waitForSelector(".lesson .says");
    expect(await says(tab)).toBe(text);
    await context.close();
  });

  test("each choice is explained with its purpose, and words are looked up", async () => {
    const { page: tab, context, errors } = await visit(here.browser, size);
    await tab.goto(here.page.address);
    await tab.click('[data-game="pocket-stalingrad"]');
    await tab.click("button[type=submit]");
    await tab.waitForSelector(".choice:not([disabled])");
    const unfolded = async (): Promise<void> => {
      const rest = tab.locator("#unfold"); // of a phone's list
      if (await rest.isVisible()) await rest.click();
    };
    await unfolded();
    await tab.click(".choice:not([disabled])"); // the dice
    await expect
      .poll(async () => {
        await unfolded();
        return tab.locator('.choice[data-action^="keep"]:not([disabled])').count();
      })
      .toBeGreaterThan(0);
    await tab.click("text=Why?");
    await tab.waitForSelector(".why dt");
    const told = await tab.locator(".why").innerText();
    expect(told).toContain("Keep the Command die");
    expect(told).toContain("PS 3 Command");
    expect(await barriers(tab)).toEqual([]);
    expect(await sticksOut(tab)).toBeLessThanOrEqual(0);
    const word = tab.locator(".why .word", { hasText: "CMD" }).first();
    if (size === PHONE) await word.tap();
    else await word.hover();
    await tab.waitForSelector("#word-card");
    expect(await tab.locator("#word-card").innerText()).toContain("What a side can spend");
    const card = await boxOf(tab.locator("#word-card"));
    expect(card.x).toBeGreaterThanOrEqual(0);
    expect(card.x + card.width).toBeLessThanOrEqual(size.width);
    await tab.keyboard.press("Escape");
    await tab.waitForSelector("#word-card", { state: "detached" });
    // a word that comes under a resting mouse is not looked up
    await tab.keyboard.press("w");
    await tab.waitForSelector(".why dt");
    await tab.waitForTimeout(500);
    expect(await tab.locator("#word-card").count()).toBe(0);
    await tab.goto(`${here.page.address}words/pocket-stalingrad`);
    await tab.waitForSelector(".words dt");
    const { terms } = gameType("pocket-stalingrad").teaching!.primer;
    expect(await tab.locator(".words dt").count()).toBe(terms.length);
    expect(await barriers(tab)).toEqual([]);
    expect(await sticksOut(tab)).toBeLessThanOrEqual(0);
    expect(errors).toEqual([]);
    await context.close();
  });
});
