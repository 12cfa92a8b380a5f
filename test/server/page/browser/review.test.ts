/** Looking back at a game and asking for beliefs, in a real browser. */
import { nightlyUnless } from "../../../nightly.js";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { barriers, boxOf, DESK, PHONE, sticksOut, visit } from "./browser.js";
import { newFolder, playedGame, startPage } from "../guest.js";
import { open } from "./open.js";

const here = open(() => startPage(newFolder(), { limits: { messages: 100_000 } }));

/** @returns the link to a game played so far */
async function played(...game: [id: string, side: string, most: number, over: boolean]): Promise<string> {
  const { me, link } = await playedGame(here.page, ...game);
  me.close();
  return link;
}

const at = (tab: Page): Promise<string> => tab.locator(".replay input[type=range]").inputValue();
const caption = (tab: Page): Promise<string> => tab.locator("header .caption").innerText();

describe.each([
  ["phone", PHONE],
  ["desk", DESK],
] as const)("on a %s", (_what, size) => {
  test("a game that is over is walked through, analysed and played on", nightlyUnless(size === DESK), async () => {
    const { page: tab, context, errors } = await visit(here.browser, size);
    await tab.goto(await played("pocket-stalingrad", "soviet", 1000, true));
    await tab.waitForSelector(".replay");
    const last = Number(await at(tab));
    expect(last).toBeGreaterThan(20);
    const end = await caption(tab);

    await tab.click('[aria-label="To the start"]');
    await tab.waitForFunction((text) => document.querySelector("header .caption")!.textContent !== text, end);
    expect(await at(tab)).toBe("0");
    await tab.keyboard.press("ArrowRight");
    await tab.waitForSelector(".replay .led h3");
    expect(await at(tab)).toBe("1");
    // a screen reader hears each moment once
    expect(await tab.locator(".status[role=status]").innerText()).not.toBe("");
    expect(await tab.locator(".replay [aria-live]").count()).toBe(0);
    await tab.keyboard.press("ArrowLeft");
    await tab.locator(".replay input[type=range]").focus();
    await tab.keyboard.press("End");
    expect(await at(tab)).toBe(String(last));
    await tab.selectOption('[aria-label="Seen with the eyes of"]', "german");
    expect(await at(tab)).toBe(String(last));

    await tab.getByRole("button", { name: "Analyse" }).click();
    await tab.waitForSelector(".analysis .chart");
    expect(await tab.locator(".analysis .chart").count()).toBe(2);
    const jump = tab.locator(".analysis .jump").first();
    const number = Number((await jump.innerText()).split(":")[0]);
    await jump.click();
    await tab.waitForFunction(
      (n) => document.querySelector<HTMLInputElement>(".replay input[type=range]")!.value === String(n),
      number - 1,
    );
    await tab.getByRole("button", { name: "Best actions" }).click();
    await tab.waitForSelector(".options li");
    expect(await tab.locator(".options li").first().innerText()).toMatch(/\d+ % value [+−]\d/);
    await tab.selectOption('[aria-label="Compared with"]', "recruit");
    await tab.waitForSelector(".options .verdict");
    expect(await tab.locator(".options .verdict").innerText()).toMatch(/^(Both would take|They differ): /);
    // going back from the end, an action with a place comes soon
    await tab.click('[aria-label="To the end"]');
    for (let k = 1; (await tab.locator(".opinions .k0 text").count()) === 0; k++) {
      await tab.click('[aria-label="One decision back"]');
      await tab.waitForFunction(
        (n) => document.querySelector<HTMLInputElement>(".replay input[type=range]")!.value === String(n),
        last - k,
      );
      await tab.waitForSelector(".options li");
    }
    expect(await tab.locator(".opinions .k0 text").first().textContent()).toMatch(/^\d+$/);
    expect(await barriers(tab)).toEqual([]);
    expect(await sticksOut(tab)).toBeLessThanOrEqual(0);

    await tab.click('[aria-label="To the start"]'); // from the end it would be over at once
    await tab.locator(".play-on summary").click();
    await tab.selectOption('.play-on select[data-side="german"]', "random");
    const over = tab.url();
    await tab.click(".play-on .primary");
    await tab.waitForURL((url) => url.href !== over);
    await tab.waitForSelector(".choice:not([disabled]), .result");
    expect(tab.url()).toMatch(/\/g\/[a-z2-7]{20}$/);
    expect(await tab.locator(".replay").count()).toBe(0);
    expect(errors).toEqual([]);
    await context.close();
  });

  test("a game that goes on is looked back at, analysed and gone on with", async () => {
    const { page: tab, context, errors } = await visit(here.browser, size);
    await tab.goto(await played("savage-streets", "G", 20, false));
    await tab.waitForSelector(".choice:not([disabled])");
    const now = await caption(tab);
    const first = await tab.locator(".choice").first().innerText();
    await tab.getByRole("button", { name: "Look back" }).click();
    await tab.waitForSelector(".replay");
    expect(await tab.locator(".choice").count()).toBe(0);
    const last = Number(await at(tab));
    await tab.click('[aria-label="One decision back"]');
    await tab.waitForSelector(".replay .led h3");
    expect(await at(tab)).toBe(String(last - 1));
    expect(await tab.locator('[aria-label="Seen with the eyes of"]').count()).toBe(0);
    expect(await tab.locator(".files").innerText()).not.toContain("the position");
    await tab.getByRole("button", { name: "Analyse" }).click();
    await tab.waitForSelector(".analysis .chart");
    expect(await tab.locator(".analysis .chart").count()).toBe(1); // luck would reveal what is hidden
    await tab.getByRole("button", { name: "Best actions" }).click();
    await tab.waitForSelector(".options li, .analysis p:has-text('The other side decides here')");
    expect(await barriers(tab)).toEqual([]);
    expect(await sticksOut(tab)).toBeLessThanOrEqual(0);
    await tab.getByRole("button", { name: "Back to the game" }).click();
    await tab.waitForSelector(".choice:not([disabled])");
    expect(await tab.locator(".choice").first().innerText()).toBe(first);
    expect(await caption(tab)).toBe(now);
    expect(tab.url()).not.toContain("at=");
    await tab.locator(".choice:not([disabled])").first().click();
    await tab.waitForFunction((text) => document.querySelector(".log")!.textContent !== text, "");
    expect(errors).toEqual([]);
    await context.close();
  });

  test(
    "while a game goes on, own actions have names, and of others one reads what came of them",
    nightlyUnless(size === DESK),
    async () => {
      const { page: tab, context, errors } = await visit(here.browser, size);
      await tab.goto(await played("savage-streets", "S", 40, false));
      await tab.getByRole("button", { name: "Look back" }).click();
      await tab.waitForSelector(".replay");
      const heads = new Set<string>();
      const last = Number(await at(tab));
      for (let n = last - 1; n > last - 16; n--) {
        await tab.click('[aria-label="One decision back"]');
        await expect.poll(() => at(tab)).toBe(String(n));
        await tab.waitForSelector(".replay .led");
        for (const head of await tab.locator(".replay .led:has(.event) h3").allInnerTexts()) heads.add(head);
      }
      expect(heads).toContain("German");
      expect([...heads].filter((h) => h.startsWith("Soviet: ")).length).toBeGreaterThan(0);
      expect([...heads].filter((h) => h.startsWith("German: "))).toEqual([]);
      expect(errors).toEqual([]);
      await context.close();
    },
  );

  test("a place shows what its face-down counters can be", async () => {
    const { page: tab, context, errors } = await visit(here.browser, size);
    await tab.goto(await played("savage-streets", "G", 40, false));
    await tab.waitForSelector(".choice:not([disabled])");
    const piece = tab.locator('.piece[data-key^="hidden-"]').first();
    await piece.scrollIntoViewIfNeeded();
    const box = await boxOf(piece);
    await tab.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    await tab.waitForSelector(".place .beliefs li");
    expect(await tab.locator(".place .beliefs").innerText()).toMatch(
      /all that fits what you know, weighed by how trained nets hide/,
    );
    expect(await tab.locator(".place .beliefs li").first().innerText()).toMatch(/^\d+ % \S/);
    expect(await barriers(tab)).toEqual([]);
    expect(errors).toEqual([]);
    await context.close();
  });
});

test("looking back goes on after the connection was lost", async () => {
  const { page: tab, context, errors } = await visit(here.browser, DESK);
  let deaf = false;
  let lose = (): void => undefined;
  await tab.routeWebSocket("**/seat", (socket) => {
    const server = socket.connectToServer();
    socket.onMessage((text) => {
      if (!deaf) server.send(text);
    });
    lose = () => void Promise.all([server.close(), socket.close()]);
  });
  await tab.goto(await played("pocket-stalingrad", "soviet", 1000, true));
  await tab.waitForSelector(".replay");
  await tab.click('[aria-label="To the start"]');
  await tab.waitForSelector(".replay .next");
  await tab.getByRole("button", { name: "Best actions" }).click();
  await tab.waitForSelector(".options li");
  deaf = true;
  await tab.click('[aria-label="One decision on"]');
  await tab.getByRole("button", { name: "Analyse" }).click();
  await tab.waitForSelector(".analysis progress");
  await tab.waitForTimeout(200); // the moment was asked for too
  deaf = false;
  lose();
  await tab.waitForSelector(".replay .led");
  expect(await at(tab)).toBe("1");
  expect(await tab.locator(".analysis progress").count()).toBe(0);
  await tab.waitForSelector(".options li");
  await tab.getByRole("button", { name: "Analyse" }).click();
  await tab.waitForSelector(".analysis .chart");
  expect(errors).toEqual([]);
  await context.close();
});
