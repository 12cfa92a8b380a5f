/** A finger can't hover: its first tap on a place shows what the second one does. */
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { makeGame } from "../guest.js";
import { PHONE, placeToClick, visit, waiting } from "./browser.js";
import { game, open } from "./open.js";

const here = open();

async function phone(
  id: string,
  seat: string,
  seats: Record<string, string>,
): Promise<{ tab: Page; sent: string[]; errors: string[] }> {
  const links = await makeGame(here.page, game(id, seats));
  const { page: tab, errors } = await visit(here.browser, PHONE);
  const sent: string[] = [];
  tab.on("websocket", (socket) =>
    socket.on("framesent", ({ payload }) => {
      const { op, order } = JSON.parse(String(payload)) as { op: string; order?: string };
      if (op === "act" || op === "order") sent.push(order ?? op);
    }),
  );
  await tab.goto(`${here.page.address}g/${links[seat]!}`);
  await waiting(tab);
  await tab.waitForSelector(".pieces > g");
  return { tab, sent, errors };
}

/** Longer than two taps of a double tap are apart. */
const apart = (tab: Page): Promise<void> => tab.waitForTimeout(450);

test("the first tap on a place shows it and what another does; the second does it", async () => {
  const { tab, sent, errors } = await phone("savage-streets", "G", { S: "random" });
  const card = tab.locator("section.place");
  const first = (await placeToClick(tab, 0))!;
  await tab.touchscreen.tap(first.x, first.y);
  await card.waitFor();
  const text = await tab.locator(".place .again").innerText();
  expect(text).toMatch(/^Tap again: Enter at [BC] /);
  expect(sent).toEqual([]);
  await apart(tab);
  const second = (await placeToClick(tab, 1))!;
  await tab.touchscreen.tap(second.x, second.y); // another place: shown, too
  await expect.poll(() => tab.locator(".place .again").innerText()).not.toBe(text);
  expect(sent).toEqual([]);
  await apart(tab);
  await tab.touchscreen.tap(second.x, second.y);
  await expect.poll(() => sent).toEqual(["act"]);
  await expect.poll(() => card.count()).toBe(0);
  expect(errors).toEqual([]);
});

test("looking never acts: places where nothing can be done are shown by any number of taps", async () => {
  const { tab, sent } = await phone("savage-streets", "G", { S: "random" });
  /** Taps the spot of this number, among those on the board where nothing may be chosen. */
  const tapNothing = async (number: number): Promise<void> => {
    const spots = await tab.evaluate(() => {
      const legal = [...document.querySelectorAll(".marks .may")].map((m) => m.getBoundingClientRect());
      const box = document.querySelector(".board-scroll")!.getBoundingClientRect();
      const found: (readonly [number, number])[] = [];
      for (let y = box.top + 30; y < box.bottom - 60; y += 36)
        for (let x = box.left + 30; x < box.right - 140; x += 36)
          if (!legal.some((b) => x > b.left && x < b.right && y > b.top && y < b.bottom)) found.push([x, y]);
      return found;
    });
    const [x, y] = spots[number % spots.length]!;
    await tab.touchscreen.tap(x, y);
    await apart(tab);
  };
  // some spots are beside the map
  let spot = -1;
  await expect.poll(() => tapNothing(++spot).then(() => tab.locator("section.place").count())).toBe(1);
  for (let k = 0; k < 2; k++) await tapNothing(spot);
  expect(await tab.locator("section.place").count()).toBe(1);
  expect(await tab.locator(".place .again").count()).toBe(0);
  expect(sent).toEqual([]);
});

test("a far place is sent to by the second tap, and the way is drawn at the first", async () => {
  const { tab, sent, errors } = await phone("night-fight", "german", {});
  for (const order of ["buy truck x2, vs x5, panther, done!", "move truck-1 to 1620"]) {
    await tab.locator("#typed").fill(order);
    await tab.locator("#typed").press("Enter");
    await expect.poll(() => tab.locator("#typed").inputValue()).toBe("");
  }
  await tab.locator("#unfold").click();
  await tab.locator('[data-action="unit panther-1"]').click();
  await expect.poll(() => tab.locator(".reach .within").count()).toBeGreaterThan(12);
  sent.length = 0;
  const far = await tab.evaluate(() => {
    const legal = new Set([...document.querySelectorAll(".marks .may")].map((m) => m.getAttribute("d")));
    const box = document.querySelector(".board-scroll")!.getBoundingClientRect();
    const seen = [...document.querySelectorAll(".reach .within")]
      .filter((m) => !legal.has(m.getAttribute("d")))
      .map((m) => m.getBoundingClientRect())
      .map((b) => ({ x: b.left + b.width / 2, y: b.top + b.height / 2 }))
      .filter(
        ({ x, y }) => (document.elementFromPoint(x, y)?.closest(".board") ?? null) !== null && y < box.bottom - 60,
      );
    return seen[0]!;
  });
  await tab.touchscreen.tap(far.x, far.y);
  await expect
    .poll(() => tab.locator(".place .again").innerText())
    .toMatch(/^Tap again: Panther 1 goes to \d{4}, cost \d/);
  await expect.poll(() => tab.locator(".arrows.planned .way").count()).toBe(1);
  expect(sent).toEqual([]);
  await apart(tab);
  await tab.touchscreen.tap(far.x, far.y);
  await expect.poll(() => sent).toEqual([expect.stringMatching(/^move panther-1 to \d{4}$/)]);
  expect(errors).toEqual([]);
});
