/** Puzzles from the lobby to the rating, in a real browser. */
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { GAMES } from "../../../../env/index.js";
import { puzzlesOf } from "../../../../server/puzzles/puzzle.js";
import { barriers, DESK, PHONE, sticksOut, visit } from "./browser.js";
import { newFolder, startPage } from "../guest.js";
import { open } from "./open.js";

const WITH = GAMES.map((g) => g.id).filter((id) => (puzzlesOf(id)?.puzzles.length ?? 0) > 1);

const here = open(() => startPage(newFolder(), { limits: { messages: 100_000 } }));

/** From the lobby to a puzzle. */
async function begin(tab: Page, game: string): Promise<void> {
  await tab.goto(here.page.address);
  await tab.click(`[data-puzzles="${game}"]`);
  await tab.waitForSelector(".puzzle");
  await tab.waitForSelector(".choice:not([disabled])", { state: "attached" });
}

/** The id of the puzzle that is shown. */
const shownId = (tab: Page): Promise<string | null> => tab.locator(".puzzle").getAttribute("data-puzzle");

const known = (tab: Page): Promise<{ id: string; right: boolean }[]> =>
  tab.evaluate(() => JSON.parse(localStorage.getItem("kessel.puzzles") ?? "[]") as { id: string; right: boolean }[]);

const choose = (tab: Page, selector: string): Promise<void> =>
  tab.evaluate((s) => document.querySelector<HTMLElement>(s)!.click(), selector);

describe.each([
  ["phone", PHONE],
  ["desk", DESK],
] as const)("on a %s", (_what, size) => {
  test.each(WITH)("a puzzle of %s is answered wrongly, then looked at, then the next is solved", async (id) => {
    const { page: tab, context, errors } = await visit(here.browser, size);
    await begin(tab, id);
    expect(await tab.locator(".puzzle").innerText()).not.toMatch(/Right|Not the best/);
    expect(await barriers(tab)).toEqual([]);
    expect(await sticksOut(tab)).toBeLessThanOrEqual(0);
    expect(await tab.getByRole("button", { name: "Hint" }).count()).toBe(0);
    const first = await shownId(tab);
    const answers = new Set(puzzlesOf(id)!.puzzles.flatMap((p) => p.accepted));
    const names = await tab.locator(".choice").evaluateAll((all) => all.map((b) => b.getAttribute("data-action")!));
    const wrong = names.find((n) => !answers.has(n)) ?? names[0]!;
    await choose(tab, `.choice[data-action="${wrong}"]`);
    await tab.waitForSelector(".puzzle .verdict");
    if ((await tab.locator(".verdict.wrong").count()) > 0) {
      expect(await tab.locator(".puzzle").innerText()).toMatch(/Not the best\. “.+” gives away \d\.\d\d/);
      const [answer] = await known(tab);
      expect(answer!.right).toBe(false);
    }
    expect(await tab.locator(".puzzle .values li").count()).toBeGreaterThan(1);
    expect(await tab.locator(".puzzle").innerText()).toMatch(/[+−]\d\.\d\d/);
    expect(await tab.locator(".choice.wanted").count()).toBe(1);
    expect(await tab.locator(".side").evaluate((side) => side.scrollTop)).toBe(0);
    expect(await barriers(tab)).toEqual([]);
    expect(await sticksOut(tab)).toBeLessThanOrEqual(0);
    // the answer may be tried, and no longer counts
    await choose(tab, ".choice.wanted");
    await tab.waitForSelector(".verdict.right");
    const before = await known(tab);
    expect(before).toHaveLength(1);
    await tab.click("#next-puzzle");
    await tab.waitForFunction(
      (was) => (document.querySelector(".puzzle")?.getAttribute("data-puzzle") ?? was) !== was,
      first,
    );
    await tab.waitForSelector(".choice:not([disabled])", { state: "attached" });
    expect(await tab.locator(".verdict").count()).toBe(0);
    expect(errors).toEqual([]);
    await context.close();
  });

  test("answers are rated in the lobby, and deleted there; puzzles are no games of mine", async () => {
    const { page: tab, context, errors } = await visit(here.browser, size);
    await begin(tab, "pocket-stalingrad");
    await choose(tab, ".choice:not([disabled])");
    await tab.waitForSelector(".puzzle .verdict");
    await tab.goto(here.page.address);
    await tab.waitForSelector(".results li p");
    expect(await tab.locator(".results").innerText()).toMatch(
      /Puzzles: -?\d+ \(-?\d+ to -?\d+\), [01] of 1 right\. .*commander -?\d+.*random 0/s,
    );
    expect(await tab.getByText("Continue", { exact: true }).count()).toBe(0);
    expect(await barriers(tab)).toEqual([]);
    expect(await sticksOut(tab)).toBeLessThanOrEqual(0);
    tab.on("dialog", (dialog) => void dialog.accept());
    await tab.click("text=Delete results");
    await tab.waitForFunction(() => document.querySelector(".results") === null);
    expect(await known(tab)).toEqual([]);
    expect(errors).toEqual([]);
    await context.close();
  });
});
