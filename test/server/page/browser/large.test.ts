import { expect, test } from "vitest";
import { nightly } from "../../../nightly.js";
import { boxOf, DESK, visit } from "./browser.js";
import { makeGame } from "../guest.js";
import { open } from "./open.js";

const here = open();

test("a board of 592 hexes opens on what is fought over, and only counters stand out of all hexes that can be shelled", async () => {
  const options = { scenario: "scenario-7" };
  const seats = { soviet: "heuristic:ferryman" };
  const links = await makeGame(here.page, { game: "streets-of-stalingrad", options, seats, seed: "large/1" });
  const { page: tab, context, errors } = await visit(here.browser, DESK);
  await tab.goto(`${here.page.address}g/${links["german"]!}`);
  await tab.waitForSelector('[data-place="0549"]');
  for (const hex of ["0360", "0549"]) {
    const at = await boxOf(tab.locator(`.marks [data-place="${hex}"]`).first());
    expect(at.x).toBeGreaterThan(0);
    expect(at.x + at.width).toBeLessThan(DESK.width);
    expect(at.y + at.height).toBeGreaterThan(0);
    expect(at.y).toBeLessThan(DESK.height);
  }
  const weak = (hex: string) => tab.locator(`.marks .weak[data-place="${hex}"]`).count();
  expect(await weak("2555")).toBe(1);
  expect(await weak("0755")).toBe(0);
  expect(errors).toEqual([]);
  await context.close();
});

test("what is in the boxes is shown beside the map, and units are set up by an order", async () => {
  const options = { scenario: "scenario-7", setup: "free" };
  const seats = { german: "heuristic:planner" };
  const links = await makeGame(here.page, { game: "streets-of-stalingrad", options, seats, seed: "large/2" });
  const { page: tab, context, errors } = await visit(here.browser, DESK);
  await tab.goto(`${here.page.address}g/${links["soviet"]!}`);
  const question = () => tab.locator(".question").innerText();
  await expect.poll(question, { timeout: 20_000 }).toContain("the first of 63 that are left");
  expect(await tab.getByLabel(/^Northern Sector \(eb-n\): /).count()).toBe(1);
  await tab.locator("#typed").fill("place S39GRD-112-1-* at 0748; rest");
  await tab.locator("#typed").press("Enter");
  await expect.poll(question, { timeout: 20_000 }).toContain("Turn 60 (1 of 8), bombardment");
  expect(errors).toEqual([]);
  await context.close();
});

test(
  "in the campaign too only counters stand out of the hexes that can be shelled, fewer than half",
  nightly,
  async () => {
    const options = { scenario: "campaign" };
    const seats = { german: "heuristic:planner" };
    const links = await makeGame(here.page, { game: "streets-of-stalingrad", options, seats, seed: "large/3" });
    const { page: tab, context, errors } = await visit(here.browser, DESK);
    await tab.goto(`${here.page.address}g/${links["soviet"]!}`);
    await tab.waitForSelector(".marks .may", { timeout: 60_000 });
    const rings = await tab.locator(".marks [data-place]").count();
    expect(rings).toBeGreaterThan(200);
    expect(await tab.locator(".marks .halo").count()).toBeLessThan(rings / 2);
    expect(await tab.locator(".marks .weak").count()).toBeGreaterThan(rings / 2);
    expect(errors).toEqual([]);
    await context.close();
  },
);
