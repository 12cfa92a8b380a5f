/** What a new player stumbled over in the first ten minutes at the table. */
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { boxOf, DESK, untilAsked, visit, waiting } from "./browser.js";
import { alone, open } from "./open.js";

const here = open();

/** Savage Streets at the first German movement: every area of entry holds several counters side by side. */
async function moving() {
  const link = await alone(here.page, "savage-streets");
  const { page: tab, context, errors } = await visit(here.browser, DESK);
  await tab.goto(link);
  await untilAsked(tab, "Choose a German unit to move");
  return { tab, context, errors };
}

/** The middle of a counter of the map. */
async function middleOf(tab: Page, unit: string): Promise<readonly [number, number]> {
  const box = await boxOf(tab.locator(".pieces > g", { hasText: unit }).first());
  return [box.x + box.width / 2, box.y + box.height / 2];
}

test("a click on one of several counters side by side picks up that one", async () => {
  const { tab, context, errors } = await moving();
  const [first, second] = (await tab.locator(".choice").allInnerTexts()).flatMap(
    (t) => /Move (\S+)/.exec(t)?.[1] ?? [],
  );
  for (const unit of [second!, first!]) {
    await tab.mouse.click(...(await middleOf(tab, unit)));
    await expect.poll(() => tab.locator(".question").innerText()).toContain(`Move ${unit} on`);
    await tab.getByRole("button", { name: "Undo" }).click();
    await expect.poll(() => tab.locator(".question").innerText()).toContain("Choose a German unit");
  }
  expect(errors).toEqual([]);
  await context.close();
});

test("what a unit may reach leaves out the place where it is", async () => {
  const { tab, context, errors } = await moving();
  const unit = "I/194"; // in A, from where the way to B and back costs less than it has
  await tab.keyboard.down("Shift");
  await tab.mouse.click(...(await middleOf(tab, unit)));
  await tab.keyboard.up("Shift");
  await tab.locator(".reach [data-place]").first().waitFor({ state: "attached" });
  const reached = await tab
    .locator(".reach [data-place]")
    .evaluateAll((all) => all.map((e) => e.getAttribute("data-place")));
  expect(reached).toContain("12");
  expect(reached).not.toContain("A");
  expect(errors).toEqual([]);
  await context.close();
});

test("the newest line of the log is in sight on a desk, and the lobby says how far a game is", async () => {
  const link = await alone(here.page, "savage-streets");
  const { page: tab, context, errors } = await visit(here.browser, DESK);
  await tab.goto(link);
  await waiting(tab);
  await tab.locator(".choice").first().click(); // a unit enters; that there were others before it fills the log
  await tab.locator(".log li", { hasText: "I/517 enters" }).first().waitFor();
  const last = await boxOf(tab.locator(".log li", { hasText: "I/517 enters" }).first());
  expect(last.y + last.height).toBeLessThanOrEqual(DESK.height);
  const caption = await tab.locator(".caption").innerText();
  await tab.goto(here.page.address);
  expect(await tab.locator(".known li").first().innerText()).toContain(caption);
  expect(errors).toEqual([]);
  await context.close();
});

test("who can be played against is listed by what it is, the levels first", async () => {
  const { page: tab, context, errors } = await visit(here.browser, DESK);
  await tab.goto(here.page.address);
  await tab.click('[data-game="savage-streets"]');
  const groups = tab.locator('select[name="opponent-S"] optgroup');
  const labels = await groups.evaluateAll((all) => all.map((g) => (g as HTMLOptGroupElement).label));
  expect(labels[0]).toBe("Levels");
  expect(await groups.first().locator("option").allInnerTexts()).toContain("recruit (easy)");
  expect(await tab.locator('select[name="opponent-S"] > option').count()).toBe(0);
  expect(errors).toEqual([]);
  await context.close();
});

test("counters that wait off the map are above the question about them, and are dragged from there", async () => {
  const link = await alone(here.page, "night-fight");
  const { page: tab, context, errors } = await visit(here.browser, DESK);
  tab.setDefaultTimeout(10_000);
  await tab.goto(link);
  await waiting(tab);
  await tab.locator("#typed").fill("buy truck x2, vs x5, panther, done!");
  await tab.locator("#typed").press("Enter");
  await tab.locator(".question", { hasText: "which unit moves?" }).waitFor();
  const truck = await boxOf(tab.locator('.tray [data-id="truck-1"]'));
  const question = await boxOf(tab.locator(".question"));
  expect(truck.y + truck.height).toBeLessThan(question.y);
  // a mouse picks several of them, and sees which
  await tab.getByRole("button", { name: "Several" }).click();
  await tab.locator('.tray [data-id="vs-1"]').click();
  await expect.poll(() => tab.locator(".tray .picked").count()).toBe(1);
  await tab.locator('.tray [data-id="vs-2"]').click();
  await expect.poll(() => tab.locator(".tray .picked").count()).toBe(2);
  // it has no room for both: what stops the second is said without names of actions and lists of hexes
  const hex = await boxOf(tab.locator('.reach [data-place="1716"]'));
  await tab.mouse.click(hex.x + hex.width / 2, hex.y + hex.height / 2);
  await expect
    .poll(() => tab.locator("[role=alert]").innerText())
    .toBe("The order stopped: Volkssturm 2 can't move to 1716.");
  expect(errors).toEqual([]);
  await context.close();
});
