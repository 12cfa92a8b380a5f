/** What the marks on a board mean, and flags that can be read at every zoom. */
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { Env, GAMES, loadGame, sceneOf } from "../../../../env/index.js";
import { barriers, boxOf, DESK, PHONE, sticksOut, visit } from "./browser.js";
import { alone, open } from "./open.js";

const here = open();

/** Height of a flag that can be read, px. */
const READ = 18;

const listed = (tab: Page): Promise<string[]> => tab.locator(".legend li > span").allTextContents();

test.each(GAMES.flatMap(({ id }) => [DESK, PHONE].map((size) => ({ id, size, width: size.width }))))(
  "$id, $width px: the legend has the marks that are on the board, and flags can be read at every zoom",
  async ({ id, size }) => {
    const { page: tab, context, errors } = await visit(here.browser, size);
    tab.setDefaultTimeout(15_000);
    await tab.emulateMedia({ colorScheme: size === DESK ? "dark" : "light" });
    await tab.goto(await alone(here.page, id));
    await tab.waitForSelector(".choice:not([disabled])");
    const game = loadGame(id);
    const env = new Env(game);
    env.reset("browser");
    const scene = sceneOf(game, env.state, 0);
    const buttons = await tab
      .locator(".board-tools button, .board-tools summary")
      .evaluateAll((all) => all.map((b) => `${b.getBoundingClientRect().top} ${b.getBoundingClientRect().bottom}`));
    expect(new Set(buttons).size).toBe(1);
    await tab.click(".legend summary");
    await tab.waitForSelector(".legend li");
    const text = (await listed(tab)).join("\n").toLowerCase();
    const marks = [
      ...scene.overlays.flatMap((o) => (o.kind === "flags" ? [o.title] : [])),
      ...scene.board.zones.map((z) => z.name),
      ...(scene.overlays.some((o) => o.kind === "front") ? ["the front"] : []),
      ...(scene.board.ways.some((w) => w.kind === "road") ? ["road"] : []),
    ];
    for (const mark of marks) expect(text).toContain(mark.toLowerCase());
    const places = await tab.locator(".marks .may").count();
    expect(text.includes("you can choose something here")).toBe(places > 0);
    expect(text.includes("the front")).toBe(scene.overlays.some((o) => o.kind === "front"));
    expect(new Set(await listed(tab)).size).toBe(await tab.locator(".legend li").count());
    const box = await boxOf(tab.locator(".legend ul"));
    expect(box.x).toBeGreaterThanOrEqual(0);
    expect(box.y).toBeGreaterThanOrEqual(0);
    expect(await barriers(tab)).toEqual([]);
    expect(await sticksOut(tab)).toBeLessThanOrEqual(0);
    await tab.keyboard.press("Escape");
    await tab.waitForSelector(".legend ul", { state: "detached" });
    expect(await tab.evaluate(() => document.activeElement!.textContent)).toBe("Legend");

    const flags = scene.overlays.flatMap((o) => (o.kind === "flags" ? o.places : [])).length;
    expect(flags).toBeGreaterThan(0);
    const heights = (): Promise<number[]> =>
      tab.locator("svg.map .flag").evaluateAll((all) => all.map((f) => f.getBoundingClientRect().height));
    for (const zoom of [...Array<string>(8).fill("−"), ...Array<string>(12).fill("+")]) {
      const now = await heights();
      expect(now).toHaveLength(flags);
      expect(Math.min(...now)).toBeGreaterThanOrEqual(READ);
      await tab.locator(".board-tools button", { hasText: zoom }).click();
    }
    expect(errors).toEqual([]);
    await context.close();
  },
);

test("a mark that comes up is in the legend while it is there", async () => {
  const { page: tab, context, errors } = await visit(here.browser, DESK);
  tab.setDefaultTimeout(15_000);
  await tab.goto(await alone(here.page, "streets-of-stalingrad"));
  await tab.waitForSelector(".choice:not([disabled])");
  await tab.click(".legend summary");
  await tab.waitForSelector(".legend li");
  const cost = "what it costs to go here";
  expect(await listed(tab)).not.toContain(cost);
  await tab.click('[data-action="unit g1"]');
  await tab.waitForSelector(".costs .cost");
  await expect.poll(() => listed(tab), { timeout: 10_000 }).toContain(cost);
  expect(errors).toEqual([]);
  await context.close();
});
