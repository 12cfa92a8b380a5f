/** Dice that can be kept are above the question, and each is a button. */
import { expect, test } from "vitest";
import { makeGame } from "../guest.js";
import { DESK, PHONE, visit } from "./browser.js";
import { open } from "./open.js";

const here = open();

test.each([
  ["phone", PHONE],
  ["desk", DESK],
] as const)("on a %s a click on any die of a face keeps all of that face", async (_what, size) => {
  const links = await makeGame(here.page, {
    game: "pocket-stalingrad",
    options: {},
    seats: { german: "random" },
    seed: "dice",
  });
  const { page: tab, context, errors } = await visit(here.browser, size);
  await tab.goto(`${here.page.address}g/${links["soviet"]!}`);
  const loose = tab.locator(".tray", { has: tab.locator("[data-id^=unit-]") }).first();
  await loose.waitFor();
  const question = (await tab.locator(".prompt .question").boundingBox())!;
  const dice = (await loose.boundingBox())!;
  expect(dice.y + dice.height).toBeLessThanOrEqual(question.y);
  const ids = await loose.locator("[data-id]").evaluateAll((all) => all.map((e) => e.getAttribute("data-id")!));
  const second = ids.find((id) => /^unit-\d-2$/.test(id))!;
  const face = second[5]!;
  const same = ids.filter((id) => id.startsWith(`unit-${face}-`)).length;
  await loose.locator(`[data-id="${second}"]`).click();
  const kept = tab.locator('.tray[aria-label*="kept" i]');
  await expect.poll(() => kept.locator(`[data-id^="unit-${face}-"]`).count()).toBe(same);
  expect(errors).toEqual([]);
  await context.close();
});
