/** A person's results and rating in the lobby, in a real browser. */
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { barriers, DESK, PHONE, sticksOut, visit } from "./browser.js";
import { makeGame, newFolder, SocketGuest, startPage } from "../guest.js";
import { open } from "./open.js";

const here = open(() => startPage(newFolder()));

/** Begins a game. @returns its link, and what gives it up */
async function begun(
  game: string,
  side: string,
  seats: Record<string, string>,
): Promise<{ readonly link: string; lose(): Promise<void> }> {
  const links = await makeGame(here.page, { game, options: {}, seats, seed: "lost" });
  const lose = async (): Promise<void> => {
    const guest = await SocketGuest.sit(here.page, links[side]!);
    await guest.until(() => guest.asked);
    guest.send({ op: "resign" });
    await guest.until(() => guest.frame!.result !== null);
    guest.close();
  };
  return { link: `${here.page.address}g/${links[side]!}`, lose };
}

/** Results that this browser keeps. */
const kept = (tab: Page): Promise<unknown[]> =>
  tab.evaluate(() => JSON.parse(localStorage.getItem("kessel.results") ?? "[]") as unknown[]);

test.each([
  ["phone", PHONE],
  ["desk", DESK],
] as const)("results are rated, exported and deleted, on a %s", async (_what, size) => {
  const { page: tab, context, errors } = await visit(here.browser, size);
  await tab.goto(here.page.address);
  await tab.waitForSelector("[data-game]");
  expect(await tab.locator(".results").count()).toBe(0);
  const games = [
    await begun("pocket-stalingrad", "soviet", { german: "recruit" }),
    await begun("night-fight", "german", {}),
  ];
  for (const [i, { link, lose }] of games.entries()) {
    await tab.goto(link);
    await tab.waitForSelector(".choice");
    await lose();
    await tab.waitForSelector(".result");
    await expect.poll(() => kept(tab)).toHaveLength(i + 1); // before it is left: what is shown is kept a moment later
  }
  await tab.goto(games[0]!.link);
  await tab.waitForSelector(".result");
  await tab.goto(here.page.address);
  await tab.waitForSelector(".results li p");
  const text = await tab.locator(".results").innerText();
  expect(text).toMatch(/Pocket Stalingrad\s+As Soviet: -?\d+ \(-?\d+ to -?\d+\), 1 game\./);
  expect(text).toMatch(/commander -?\d+, .*veteran -?\d+, .*recruit -?\d+/);
  expect(text).toMatch(/Mean return: -1\.00/);
  expect(await barriers(tab)).toEqual([]);
  expect(await sticksOut(tab)).toBeLessThanOrEqual(0);
  const [download] = await Promise.all([tab.waitForEvent("download"), tab.click(".results a")]);
  expect(download.suggestedFilename()).toBe("kessel-results.json");
  tab.on("dialog", (dialog) => void dialog.accept());
  await tab.click("text=Delete results");
  await tab.waitForFunction(() => document.querySelector(".results") === null);
  await tab.reload();
  await tab.waitForSelector("[data-game]");
  expect(await tab.locator(".results").count()).toBe(0);
  expect(errors).toEqual([]);
  await context.close();
});

test("a result counts where the game was seen to go on, not for who opens its address later", async () => {
  const { link, lose } = await begun("pocket-stalingrad", "soviet", { german: "recruit" });
  const player = await visit(here.browser, DESK);
  const guest = await visit(here.browser, DESK);
  await player.page.goto(link);
  await player.page.waitForSelector(".choice");
  await player.page.goto("about:blank"); // it ends while nobody looks
  await lose();
  for (const { page: tab, context } of [player, guest]) {
    await tab.goto(link);
    await tab.waitForSelector(".result");
    await tab.waitForTimeout(200);
    expect(await kept(tab)).toHaveLength(tab === player.page ? 1 : 0);
    await context.close();
  }
});

test("results that are none, which a browser kept of games it watched, are left out", async () => {
  const { page: tab, context } = await visit(here.browser, DESK);
  const watched = { session: "aaaaaa", game: "pocket-stalingrad", opponent: "random", when: 1 };
  const mine = { ...watched, session: "bbbbbb", seat: "soviet", value: -1 };
  await tab.addInitScript((all) => localStorage.setItem("kessel.results", all), JSON.stringify([watched, mine]));
  await tab.goto(here.page.address);
  await tab.waitForSelector(".results li p");
  expect(await tab.locator(".results").innerText()).toMatch(/As Soviet: .*, 1 game\./);
  await context.close();
});
