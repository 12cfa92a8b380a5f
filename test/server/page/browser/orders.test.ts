/** One gesture is one intention: far places by one drag or one click, and orders in words. */
import type { Page } from "playwright-core";
import { afterEach, beforeEach, expect, test } from "vitest";
import { makeGame } from "../guest.js";
import { boxOf, DESK, visit } from "./browser.js";
import { open } from "./open.js";

const here = open();
let tab: Page;
let errors: string[];
let leave: () => Promise<void>;
/** Requests that the page has sent, but for questions. */
let sent: string[];

beforeEach(async () => {
  const visitor = await visit(here.browser, DESK);
  ({ page: tab, errors } = visitor);
  leave = () => visitor.context.close();
  tab.setDefaultTimeout(10_000);
  sent = [];
  tab.on("websocket", (socket) =>
    socket.on("framesent", ({ payload }) => {
      const request = JSON.parse(String(payload)) as { op: string; order?: string };
      if (request.op === "act" || request.op === "order") sent.push(request.order ?? request.op);
      if (request.op === "goOn") sent.push(`goOn ${request.order!}`);
    }),
  );
  const links = await makeGame(here.page, { game: "night-fight", options: {}, seats: {}, seed: "orders" });
  await tab.goto(`${here.page.address}g/${links["german"]!}`);
  await say("buy truck x2, vs x5, panther, done!");
  await carriedOut();
  await say("move truck-1 to 1620");
  await carriedOut();
  await question("which unit moves?");
  sent = [];
});
afterEach(async () => {
  expect(errors).toEqual([]);
  await leave();
});

/** Types an order, and waits until the page gives it. */
async function say(order: string): Promise<void> {
  await type(order);
  await expect.poll(() => sent).toContain(order);
}
async function type(order: string): Promise<void> {
  await tab.locator("#typed").fill(order);
  await tab.locator("#typed").press("Enter");
}
/** Another decision is asked: what was typed is gone. */
const carriedOut = (): Promise<unknown> => expect.poll(() => tab.locator("#typed").inputValue()).toBe("");
const question = (words: string): Promise<unknown> =>
  expect.poll(() => tab.locator("body").innerText()).toContain(words);

test("one click skips to a later phase, and asks first where units have not moved", async () => {
  await tab.click('.skips button:has-text("Skip to fire")');
  await expect.poll(() => tab.locator("dialog[open]").innerText()).toMatch(/Skip to fire\s+7 units have not moved\./);
  await tab.click("#confirm");
  await question("Turn 1 of 12: which unit fires or looks?");
  expect(sent).toEqual(["skip to fire", "goOn skip to fire"]);
});

test("orders in words are taken where choices are filtered, and what stops one is said", async () => {
  await say("move truck-2 to 1621");
  await carriedOut();
  await say("end phase");
  await expect.poll(() => tab.locator("dialog[open]").innerText()).toMatch(/End phase\s+6 units have not moved\./);
  await tab.getByRole("button", { name: "Not now" }).click();
  await expect.poll(() => tab.locator("dialog[open]").count()).toBe(0);
  await say("move truck-9 to 2020");
  await expect
    .poll(() => tab.locator("[role=alert], .error").allInnerTexts())
    .toContainEqual(expect.stringContaining('"truck-9" can\'t move now'));
  expect(sent).toEqual(["move truck-2 to 1621", "end phase", "move truck-9 to 2020"]);
});

test("an order typed before the answer to the last one has come is given when it can be", async () => {
  let hold = true;
  const kept: (() => void)[] = [];
  await tab.routeWebSocket(/./, (page) => {
    const server = page.connectToServer();
    server.onMessage((message) => {
      if (hold && sent.length > 0) kept.push(() => page.send(message));
      else page.send(message);
    });
  });
  await tab.reload();
  await question("which unit moves?");
  await say("move truck-2 to 1621");
  await expect.poll(() => kept.length).toBeGreaterThan(0);
  await type("move vs-1 to 1622");
  await tab.getByText("Your order is given at your next decision.").waitFor();
  expect(sent).toEqual(["move truck-2 to 1621"]);
  hold = false;
  for (const tell of kept) tell();
  await expect.poll(() => sent).toEqual(["move truck-2 to 1621", "move vs-1 to 1622"]);
});

test("an order that a warning stops goes on when it is confirmed", async () => {
  await say("end phase");
  await tab.locator("#confirm").click();
  await question("which unit fires or looks?");
  expect(sent).toEqual(["end phase", "goOn end phase"]);
});

test("a unit that is considered shows where it can get to; one that is under way goes to a far place by one click", async () => {
  await tab.locator('[data-action="unit panther-1"]').hover();
  await expect.poll(() => tab.locator(".reach .within").count()).toBeGreaterThan(12);
  await tab.locator('[data-action="unit panther-1"]').click();
  await question("Where to?");
  await expect.poll(() => tab.locator(".reach .within").count()).toBeGreaterThan(12);
  const far = await tab.evaluate(() => {
    const legal = new Set([...document.querySelectorAll(".marks .may")].map((m) => m.getAttribute("d")));
    const boxes = [...document.querySelectorAll(".reach .within")]
      .filter((r) => !legal.has(r.getAttribute("d")))
      .map((r) => r.getBoundingClientRect());
    const box = boxes.findLast((r) => r.top > 100 && r.bottom < innerHeight - 100)!;
    return [box.x + box.width / 2, box.y + box.height / 2] as const;
  });
  await tab.mouse.click(...far);
  await question("which unit moves?");
  expect(sent).toHaveLength(2);
  expect(sent.at(-1)).toMatch(/^move panther-1 to \d{4}$/);
});

test("a counter that waits off the map is carried from its tray to a hex by one drag", async () => {
  const item = tab.locator('.tray [data-id="vs-1"]').first();
  await item.scrollIntoViewIfNeeded();
  const box = await boxOf(item);
  await tab.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await tab.mouse.down();
  await tab.mouse.move(box.x - 40, box.y, { steps: 3 });
  await expect.poll(() => tab.locator(".reach .within").count()).toBeGreaterThan(3);
  expect(await tab.locator(".ghost").isVisible()).toBe(true);
  const [x, y] = await tab.evaluate(() => {
    const boxes = [...document.querySelectorAll(".reach .within")].map((r) => r.getBoundingClientRect());
    const to = boxes.findLast((r) => r.top > 300 && r.bottom < innerHeight - 100)!;
    return [to.x + to.width / 2, to.y + to.height / 2] as const;
  });
  await tab.mouse.move(x, y, { steps: 3 });
  await tab.mouse.up();
  await question("which unit moves?");
  await expect.poll(() => sent.at(-1)).toMatch(/^move vs-1 to \d{4}$/);
  expect(sent).toHaveLength(1);
});

test("let go over a panel, or after Escape, it stays off the map", async () => {
  const item = tab.locator('.tray [data-id="vs-1"]').first();
  await item.scrollIntoViewIfNeeded();
  const box = await boxOf(item);
  for (const ends of ["panel", "escape"]) {
    await tab.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    await tab.mouse.down();
    await tab.mouse.move(ends === "panel" ? box.x + 30 : 400, box.y + (ends === "panel" ? 60 : 0), { steps: 4 });
    if (ends === "escape") await tab.keyboard.press("Escape");
    await tab.mouse.up();
  }
  await tab.waitForTimeout(300);
  expect(sent).toEqual([]);
  expect(await tab.locator(".ghost").isVisible()).toBe(false);
});
