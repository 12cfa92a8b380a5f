/** Counters are carried by the mouse from place to place: one gesture, one intention. */
import type { Page } from "playwright-core";
import { afterEach, beforeEach, expect, test } from "vitest";
import { makeGame } from "../guest.js";
import { boxOf, DESK, visit } from "./browser.js";
import { open } from "./open.js";

const here = open();
let tab: Page;
let errors: string[];
let leave: () => Promise<void>;
/** Actions and orders that the page has sent. */
let acts: number;

beforeEach(async () => {
  const visitor = await visit(here.browser, DESK);
  ({ page: tab, errors } = visitor);
  leave = () => visitor.context.close();
  acts = 0;
  tab.on("websocket", (socket) =>
    socket.on("framesent", ({ payload }) => (acts += /"op":"(act|order)"/.test(String(payload)) ? 1 : 0)),
  );
  const links = await makeGame(here.page, {
    game: "streets-of-stalingrad",
    options: {},
    seats: { soviet: "random" },
    seed: "carry",
  });
  await tab.goto(`${here.page.address}g/${links["german"]!}`);
  await tab.waitForSelector('.marks .may[data-place="0315"]');
});
afterEach(async () => {
  expect(errors).toEqual([]);
  await leave();
});

/** Carries the counter in 0315 down the map. @param hexes how far */
async function carry(hexes: number, beforeRelease: () => Promise<unknown> = async () => undefined): Promise<void> {
  const box = await boxOf(tab.locator('.marks .may[data-place="0315"]'));
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  await tab.mouse.move(x, y);
  await tab.mouse.down();
  await tab.mouse.move(x, y + (hexes * box.height) / 2, { steps: 4 });
  await tab.mouse.move(x, y + hexes * box.height, { steps: 4 });
  await beforeRelease();
  await tab.mouse.up();
}
const log = (): Promise<string> => tab.locator('[aria-label="Log"], .log').first().innerText();

test("a counter is picked up and put down by one drag, which is one order", async () => {
  await carry(1, async () => {
    expect(await tab.locator(".ghost").isVisible()).toBe(true);
    await tab.locator(".planned .way").waitFor({ state: "attached" }); // the way is drawn before it is let go
  });
  await expect.poll(log).toContain("g1 moves from 0315 to 0314");
  expect(acts).toBe(1);
  expect(await tab.locator(".ghost").isVisible()).toBe(false);
});

test("the counter that is carried shows what letting go here does, and what lapses", async () => {
  const links = await makeGame(here.page, { game: "strike-counterstrike", options: {}, seats: {}, seed: "carry" });
  await tab.goto(`${here.page.address}g/${links["soviet"]!}`);
  await tab.locator('[data-action="army 1S"]').click(); // the engineers' host
  const army = await boxOf(tab.locator('.marks .may[data-place="2000"]'));
  const [x, y] = [army.x + army.width / 2, army.y + army.height / 2];
  await tab.mouse.move(x, y);
  await tab.mouse.down();
  await tab.mouse.move(x + 20, y, { steps: 3 });
  const near = await boxOf(tab.locator('.reach [data-cost="2100"]'));
  await tab.mouse.move(near.x + near.width / 2, near.y + near.height / 2, { steps: 4 });
  await expect
    .poll(() => tab.locator(".ghost p").innerText())
    .toBe("Third Shock Army goes to 2100, cost 1. 1 MP of Third Shock Army lapses; it is done for the turn.");
  await tab.keyboard.press("Escape");
  await tab.mouse.up();
  // under way, a place beyond the next says what a click does
  await tab.locator('[data-action="army 3S"]').click();
  await tab.locator('[data-action="hex 2100"]').waitFor();
  await tab.mouse.move(x, y); // away from the list, which shows what its choices reach
  const far = await boxOf(tab.locator('.reach [data-cost="2201"]'));
  await tab.mouse.move(far.x + far.width / 2, far.y + far.height / 2, { steps: 4 });
  await expect
    .poll(() => tab.locator(".place .again").innerText())
    .toBe("Click: Third Shock Army goes to 2201, cost 2.");
  await tab.mouse.click(far.x + far.width / 2, far.y + far.height / 2);
  await expect.poll(log).toMatch(/Third Shock Army .*2201/);
});

test("let go where it was, or after Escape, it stays", async () => {
  await carry(0.2);
  await carry(1, () => tab.keyboard.press("Escape"));
  await tab.waitForTimeout(300);
  expect(acts).toBe(0);
  expect(await tab.locator(".ghost").isVisible()).toBe(false);
});

test("where it cannot go in one move it is picked up, and the page says so", async () => {
  await carry(8);
  await expect
    .poll(() => tab.locator("[role=alert], .error").allInnerTexts())
    .toContainEqual(expect.stringContaining("It cannot go there in one move."));
  expect(acts).toBe(1);
});

test("of many places to go the list shows the first twelve, and all when it is unfolded", async () => {
  await tab.locator('[data-action="unit g1"]').click();
  const listed = tab.locator(".choices:not(.ending) .choice");
  const unfold = tab.locator("#unfold");
  await unfold.waitFor();
  const before = await listed.count();
  const more = Number.parseInt(await unfold.innerText(), 10);
  const placeless = before - 12;
  expect(placeless).toBeLessThan(4);
  expect(await tab.locator(".marks .may").count(), "the map has all").toBeGreaterThan(before);
  await unfold.click();
  expect(await listed.count()).toBe(before + more);
});
