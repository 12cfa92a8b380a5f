/** What a new player reads on the page: names as printed, why a counter stays, what came of a choice, what dice do. */
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { boxOf, DESK, visit, waiting } from "./browser.js";
import { alone, open } from "./open.js";

const here = open();

async function sit(id: string) {
  const { page: tab, context, errors } = await visit(here.browser, DESK);
  tab.setDefaultTimeout(20_000);
  await tab.goto(await alone(here.page, id));
  await waiting(tab);
  return { tab, context, errors };
}

async function say(tab: Page, order: string): Promise<void> {
  await tab.locator("#typed").fill(order);
  await tab.locator("#typed").press("Enter");
}

const asks = (tab: Page, words: string) => tab.locator(".question", { hasText: words }).waitFor();

/** The middle of a counter. */
async function middleOf(tab: Page, key: string): Promise<readonly [number, number]> {
  const box = await boxOf(tab.locator(`.pieces > g[data-key="${key}"]`));
  return [box.x + box.width / 2, box.y + box.height / 2];
}

async function drag(tab: Page, from: readonly [number, number], by: readonly [number, number]): Promise<void> {
  await tab.mouse.move(...from);
  await tab.mouse.down();
  await tab.mouse.move(from[0] + by[0], from[1] + by[1], { steps: 4 });
  await tab.mouse.up();
}

test("where a person reads a unit of Night Fight it has its printed name, through purchase, moves and the Soviet turn", async () => {
  const { tab, context, errors } = await sit("night-fight");
  const ids = /\b(vs|panther|gren|jagd|stug|marder|sdk|truck|rifle|atgun|t34|hunter|dummy)-\d/;
  const read = async (): Promise<void> => expect(await tab.locator("body").innerText()).not.toMatch(ids);
  await say(tab, "buy truck x2, vs x5, panther, done!");
  await asks(tab, "which unit moves?");
  await read();
  // orders take the printed name too
  await say(tab, "move Volkssturm 1 to 1622");
  await expect.poll(() => tab.locator(".log").innerText()).toContain("Volkssturm 1 comes on at");
  await read();
  await say(tab, "move vs-2 to 3013");
  await expect.poll(() => tab.locator("[role=alert]").innerText()).toContain("Volkssturm 2 can't move to 3013");
  await read();
  await tab.keyboard.press("Escape");
  await say(tab, "end phase!");
  await asks(tab, "Turn 2");
  await read();
  expect(errors).toEqual([]);
  await context.close();
});

test("when the Soviet turn of Night Fight has passed, the page sums up what happened in it, also after a reload", async () => {
  const { tab, context, errors } = await sit("night-fight");
  await say(tab, "buy truck x2, vs x5, panther, done!");
  await asks(tab, "which unit moves?");
  await say(tab, "end phase!"); // nobody is on the map who could fire
  await asks(tab, "Turn 2");
  const told = await tab.locator(".since").innerText();
  expect(told).toMatch(/^What came of your choice/);
  expect(told).toMatch(/Column \d throws \d/); // the dice of the Soviet columns are thrown each turn
  await tab.reload();
  await tab.locator(".since").waitFor();
  expect(await tab.locator(".since").innerText()).toBe(told);
  const since = await boxOf(tab.locator(".since"));
  expect(since.y + since.height, "above the question").toBeLessThan((await boxOf(tab.locator(".question"))).y);
  expect(errors).toEqual([]);
  await context.close();
});

test("a counter that can't be picked up says why, when it is dragged and when it is clicked", async () => {
  const { tab, context, errors } = await sit("strike-counterstrike");
  const alert = () => tab.locator("[role=alert]").allInnerTexts();
  await tab.locator('[data-action="army 16"]').click();
  await asks(tab, "which army moves next?");
  await tab.locator('[data-action="army 16"]').click(); // it is under way
  await asks(tab, "Where does Sixteenth Army");
  const why = ["First Shock Army can't move now: the question is about Sixteenth Army."];
  const other = await middleOf(tab, "1S");
  await drag(tab, other, [60, 0]);
  await expect.poll(alert).toEqual(why);
  await tab.mouse.click(other[0], other[1] - 60); // a press elsewhere takes it away
  await expect.poll(alert).toEqual([]);
  await tab.mouse.click(...other);
  await expect.poll(alert).toEqual(why);
  await drag(tab, await middleOf(tab, "marker-2001"), [-60, 0]);
  await expect.poll(alert).toEqual([expect.stringContaining("you can't move a German counter.")]);
  expect(errors).toEqual([]);
  await context.close();
});

test("where the player has scrolled the map stays in sight while the question stays open to all armies", async () => {
  const { tab, context, errors } = await sit("strike-counterstrike");
  const scrolled = () => tab.locator(".board-scroll").evaluate((e) => e.scrollTop);
  await tab.locator('[data-action="army 16"]').click();
  await asks(tab, "which army moves next?");
  await tab.mouse.move(500, 500);
  await tab.mouse.wheel(0, 600);
  await expect.poll(scrolled).toBeGreaterThan(100);
  const before = await scrolled();
  await say(tab, "move 61 to 2615");
  await expect.poll(() => tab.locator(".log").innerText()).toContain("Sixty-First Army");
  await asks(tab, "which army moves next?");
  await tab.waitForTimeout(300);
  expect(await scrolled()).toBe(before);
  expect(errors).toEqual([]);
  await context.close();
});

test("each special die of Pocket Stalingrad says what it does, and what is needed is said in plain words", async () => {
  const { tab, context, errors } = await sit("pocket-stalingrad");
  await tab.locator(".choice", { hasText: "Keep the Tactics die" }).waitFor();
  for (const die of ["Tactics", "Ratt"]) {
    const says = await tab
      .locator(".choice", { hasText: `Keep the ${die} die` })
      .locator(".help")
      .allInnerTexts();
    expect(says.length, die).toBeGreaterThan(0);
    for (const sentence of says) expect(sentence).toMatch(/^[A-Z]\w+: .*\.$/);
  }
  const chips = await tab.locator(".standing .chip").allInnerTexts();
  expect(chips.join(" ")).not.toMatch(/\b0 of 1\b/);
  expect(chips).toContain("Soviet: no areas, the enemy none");
  expect(await tab.locator(".since").count(), "the dice are on the table").toBe(0);
  expect(errors).toEqual([]);
  await context.close();
});
