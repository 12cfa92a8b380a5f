/** Dice are chosen on the table, several at a time, and one button keeps them and throws the others. */
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { makeGame } from "../guest.js";
import { barriers, boxOf, DESK, PHONE, visit, waiting } from "./browser.js";
import { open } from "./open.js";

const here = open();
const SIZES = [
  ["phone", PHONE],
  ["desk", DESK],
] as const;

/** What the browser sends: actions by number, orders as they are written. */
type Sent = { op: string; order?: string }[];

async function thrown(size: typeof DESK): Promise<{ tab: Page; sent: Sent; errors: string[] }> {
  const seats = { german: "random" };
  const links = await makeGame(here.page, { game: "pocket-stalingrad", options: {}, seats, seed: "dice" });
  const { page: tab, errors } = await visit(here.browser, size);
  const sent: Sent = [];
  tab.on("websocket", (socket) =>
    socket.on("framesent", ({ payload }) => {
      const request = JSON.parse(String(payload)) as Sent[number];
      if (request.op === "act" || request.op === "order") sent.push(request);
    }),
  );
  await tab.goto(`${here.page.address}g/${links["soviet"]!}`);
  await tab.waitForSelector("[data-die]");
  return { tab, sent, errors };
}

const loose = (tab: Page): Promise<string[]> =>
  tab.locator("[data-die]").evaluateAll((all) => all.map((e) => e.getAttribute("data-die")!));
const pressed = (tab: Page): Promise<string[]> =>
  tab.locator('[data-die][aria-pressed="true"]').evaluateAll((all) => all.map((e) => e.getAttribute("data-die")!));
const kept = (tab: Page): Promise<number> => tab.locator('.tray[aria-label*="kept" i] [data-id]').count();
const ofFace = (ids: readonly string[], id: string): string[] =>
  ids.filter((other) => other.replace(/-\d+$/, "") === id.replace(/-\d+$/, ""));

test.each(SIZES)("on a %s several dice are chosen, kept by one button, and the others thrown", async (what, size) => {
  const { tab, sent, errors } = await thrown(size);
  const ids = await loose(tab);
  expect(ids).toHaveLength(8);
  const press = (id: string): Promise<void> => {
    const die = tab.locator(`[data-die="${id}"]`);
    return what === "phone" ? die.tap() : die.click();
  };
  const second = ids.find((id) => /^unit-\d-2$/.test(id))!;
  const button = tab.locator("#keep");
  expect(await button.isDisabled()).toBe(true);
  expect(await button.innerText()).toBe("Choose dice to keep");
  await press(second); // its face goes together
  const same = ofFace(ids, second);
  expect(same.length).toBeGreaterThan(1);
  expect(await pressed(tab)).toEqual(same);
  await press("command");
  expect(await pressed(tab)).toEqual(ids.filter((id) => same.includes(id) || id === "command"));
  expect(sent).toEqual([]);
  await press("command"); // and back
  expect(await pressed(tab)).toEqual(same);
  await press("command");
  const n = same.length + 1;
  expect(await button.innerText()).toBe(`Keep ${n} dice and throw ${8 - n} dice`);
  await button.click();
  await expect.poll(() => kept(tab)).toBe(n);
  await expect.poll(async () => (await loose(tab)).length).toBe(8 - n);
  expect(sent.map((s) => s.order)).toEqual([`keep unit ${second[5]!}, keep command, roll`]);
  expect(await pressed(tab)).toEqual([]);
  expect(errors).toEqual([]);
});

test("dice are above the question", async () => {
  const { tab } = await thrown(DESK);
  const dice = await boxOf(tab.locator(".dice-tray"));
  const question = await boxOf(tab.locator(".prompt .question"));
  expect(dice.y + dice.height).toBeLessThanOrEqual(question.y);
});

test("with all dice chosen the button keeps them and throws none", async () => {
  const { tab, sent } = await thrown(DESK);
  for (const id of await loose(tab))
    if ((await tab.getAttribute(`[data-die="${id}"]`, "aria-pressed")) === "false")
      await tab.locator(`[data-die="${id}"]`).click();
  expect(await tab.locator("#keep").innerText()).toBe("Keep the last 8 dice: no more throws");
  await tab.click("#keep");
  await tab.waitForSelector("[data-die]", { state: "detached" });
  expect(sent.map((s) => s.order)).toEqual([expect.stringMatching(/^keep [^!]*keep ratt!$/)]);
});

test("once one is kept the button throws the others", async () => {
  const { tab, sent } = await thrown(DESK);
  await tab.locator('.choice[data-action="keep command"]').click();
  await expect.poll(async () => (await loose(tab)).length).toBe(7);
  expect(await tab.locator("#keep").innerText()).toBe("Throw the 7 loose dice again");
  await tab.click("#keep");
  await expect.poll(() => sent.length).toBe(2);
  await waiting(tab);
  expect(sent.map((s) => s.op)).toEqual(["act", "act"]);
});

test("by keys alone: a die is a button that is pressed or not", async () => {
  const { tab, sent, errors } = await thrown(DESK);
  await tab.locator('[data-die="ratt"]').focus();
  await tab.keyboard.press("Space");
  expect(await pressed(tab)).toEqual(["ratt"]);
  expect(await tab.getAttribute('[data-die="ratt"]', "aria-label")).toMatch(/^Keep: ratt die \d/);
  await tab.keyboard.press("Tab");
  await expect.poll(() => tab.evaluate(() => document.activeElement?.id)).toBe("keep");
  await tab.keyboard.press("Enter");
  await expect.poll(() => kept(tab)).toBe(1);
  expect(sent.map((s) => s.order)).toEqual(["keep ratt, roll"]);
  expect(errors).toEqual([]);
});

test.each(SIZES)("on a %s no die keeps anybody out, and each has room for a finger", async (_what, size) => {
  const { tab } = await thrown(size);
  expect(await barriers(tab)).toEqual([]);
  const dice = await Promise.all((await loose(tab)).map((id) => boxOf(tab.locator(`[data-die="${id}"]`))));
  expect(new Set(dice.map((d) => Math.round(d!.y))).size, "one row").toBe(1);
  for (const [i, d] of dice.entries()) {
    expect(d!.height).toBeGreaterThanOrEqual(35);
    if (i > 0) expect(d!.x - dice[i - 1]!.x).toBeGreaterThanOrEqual(38);
  }
});
