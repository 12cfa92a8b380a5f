/** Somebody decides in the place of the person at the page, who sees each move and can stop it. */
import type { Page } from "playwright-core";
import { afterEach, expect, test } from "vitest";
import { makeGame } from "../guest.js";
import { barriers, boxOf, DESK, PHONE, visit } from "./browser.js";
import { open } from "./open.js";

const here = open();
const MAY = ".choice:not([disabled])";
let leave = async (): Promise<void> => undefined;
afterEach(() => leave());

/** Sits at the German side of Night Fight, with a purchase made. @param speed of what is shown */
async function sit(speed: string, size = DESK): Promise<{ tab: Page; errors: string[] }> {
  const { page: tab, context, errors } = await visit(here.browser, size, false, { reducedMotion: "no-preference" });
  leave = () => context.close();
  await context.addInitScript((s) => localStorage.setItem("kessel.speed", JSON.stringify(s)), speed);
  const links = await makeGame(here.page, { game: "night-fight", options: {}, seats: {}, seed: "deputy" });
  await tab.goto(`${here.page.address}g/${links["german"]!}`);
  await tab.locator("#typed").fill("buy truck x2, vs x5, panther, done!");
  await tab.locator("#typed").press("Enter");
  await asks(tab, "which unit moves?");
  return { tab, errors };
}
const asks = (tab: Page, words: string): Promise<unknown> =>
  expect.poll(() => tab.locator(".question").innerText(), { timeout: 20_000 }).toContain(words);
const lines = (tab: Page): Promise<number> => tab.locator(".log li:not([hidden])").count();

async function handOver(tab: Page, button: string): Promise<void> {
  await tab.getByRole("button", { name: "Play for me", exact: true }).click();
  await tab.locator("#deputy").selectOption("stalker");
  await tab.locator(button).click();
}

test("a phase is played by somebody else move by move; it pauses, goes on step by step, and stops", async () => {
  const { tab, errors } = await sit("calm");
  await handOver(tab, "#hand-phase");
  await asks(tab, "stalker plays this phase for you.");
  await tab.keyboard.press("p");
  await tab.getByRole("button", { name: "Play", exact: true }).waitFor();
  expect(await tab.locator(MAY).count()).toBe(0);
  expect(await barriers(tab)).toEqual([]);
  const paused = await lines(tab);
  await tab.waitForTimeout(2500); // longer than a step takes
  expect(await lines(tab)).toBe(paused);
  await tab.getByRole("button", { name: "Next", exact: true }).click();
  await expect.poll(() => lines(tab)).toBe(paused + 1);
  await tab.waitForTimeout(2500);
  expect(await lines(tab)).toBe(paused + 1);
  await tab.locator("#hand-back").click();
  await tab.waitForSelector(MAY);
  expect(await lines(tab)).toBe(paused + 1);
  // and all of it is taken back as one
  await tab.getByRole("button", { name: "Undo", exact: true }).click();
  await asks(tab, "which unit moves?");
  expect(await lines(tab)).toBeLessThanOrEqual(paused);
  expect(errors).toEqual([]);
});

test("a turn is played to its end at once, and summed up", async () => {
  const { tab, errors } = await sit("to the end");
  await handOver(tab, "#hand-turn");
  await asks(tab, "Turn 2 of 12: which unit moves?");
  await tab.waitForSelector(MAY);
  expect(errors).toEqual([]);
});

test("one unit alone is handed over, by the keyboard, and goes on after the page was loaded again", async () => {
  const { tab, errors } = await sit("step by step");
  await tab.keyboard.press("d");
  await tab.locator("#hand-unit").focus();
  await tab.locator('.hand-over select[aria-label="One unit"]').selectOption("vs-3");
  await tab.locator("#hand-unit").press("Enter");
  await asks(tab, "plays Volkssturm 3 for you.");
  await tab.reload();
  await asks(tab, "plays Volkssturm 3 for you.");
  await tab.getByRole("button", { name: "To the end" }).click();
  await asks(tab, "which unit moves?");
  expect(await tab.locator('[data-action="unit vs-3"]').count()).toBe(0);
  expect(errors).toEqual([]);
});

test("on a phone the buttons that stop it are in sight", async () => {
  const { tab } = await sit("step by step", PHONE);
  await handOver(tab, "#hand-phase");
  await asks(tab, "plays this phase for you.");
  const box = await boxOf(tab.locator("#hand-back"));
  expect(box.y + box.height).toBeLessThanOrEqual(PHONE.height);
  expect(await barriers(tab)).toEqual([]);
});
