/** A map that is larger than its box: the overview, and the keys and buttons that jump. */
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { barriers, boxOf, DESK, PHONE, visit, waiting } from "./browser.js";
import { makeGame } from "../guest.js";
import { alone, game, open } from "./open.js";

const here = open();

async function table(id: string, size: typeof DESK): Promise<{ tab: Page; errors: string[] }> {
  const { page: tab, errors } = await visit(here.browser, size);
  await tab.goto(await alone(here.page, id));
  await waiting(tab);
  await tab.waitForSelector(".pieces > g");
  return { tab, errors };
}

/** What is seen of the map, as shares of it: left, top, width, height. */
const seen = (tab: Page): Promise<number[]> =>
  tab.evaluate(() => {
    const [box, map] = [document.querySelector(".board-scroll")!, document.querySelector(".board")!];
    const { clientWidth, clientHeight, scrollLeft, scrollTop } = box;
    const { width, height } = map.getBoundingClientRect();
    return [
      scrollLeft / width,
      scrollTop / height,
      Math.min(1, clientWidth / width),
      Math.min(1, clientHeight / height),
    ];
  });

/** What the overview shows as seen, in the same shares. */
const told = (tab: Page): Promise<number[]> =>
  tab.evaluate(() => {
    const whole = document.querySelector(".overview .whole")!;
    const [part, all] = [whole.querySelector(".seen")!.getBoundingClientRect(), whole.getBoundingClientRect()];
    const [left, top] = [all.left + whole.clientLeft, all.top + whole.clientTop];
    const { clientWidth: w, clientHeight: h } = whole;
    return [(part.left - left) / w, (part.top - top) / h, part.width / w, part.height / h];
  });

/** The overview shows what is really seen. */
const agree = (tab: Page): Promise<void> =>
  expect
    .poll(async () => {
      const [really, shown] = [await seen(tab), await told(tab)];
      return Math.max(...really.map((share, i) => Math.abs(share - shown[i]!)));
    })
    .toBeLessThan(0.02);

/** A point of the overview, as shares of it. */
async function at(tab: Page, x: number, y: number): Promise<[number, number]> {
  const box = await boxOf(tab.locator(".overview .whole"));
  return [box.x + box.width * x, box.y + box.height * y];
}

const cursor = (tab: Page): Promise<string | null> =>
  tab.evaluate(() => document.activeElement?.getAttribute("data-cursor") ?? null);

/** What is on the screen in the middle of a place. */
const under = (tab: Page, id: string): Promise<string> =>
  tab.evaluate((id) => {
    const b = document.querySelector(`[data-cursor="${id}"]`)!.getBoundingClientRect();
    const top = document.elementFromPoint(b.left + b.width / 2, b.top + b.height / 2);
    return top?.closest(".overview, .board-tools, .place, .board")?.className ?? "outside";
  }, id);

test("it is there while the map doesn't fit, and shows which part is seen", async () => {
  const { tab, errors } = await table("savage-streets", DESK);
  const overview = tab.locator(".overview");
  expect(await overview.count()).toBe(0);
  for (let k = 0; k < 4; k++) await tab.getByLabel("Larger map").click();
  await overview.waitFor();
  await agree(tab);
  await tab.evaluate(() => document.querySelector(".board-scroll")!.scrollTo(100_000, 0));
  await expect.poll(async () => (await told(tab))[0]).toBeGreaterThan(0.3);
  await agree(tab);
  await tab.getByLabel("Whole map").click();
  await overview.waitFor({ state: "detached" });
  expect(errors).toEqual([]);
});

test("a click on it and a drag over it move the map there, and so do the arrow keys", async () => {
  const { tab, errors } = await table("night-fight", DESK);
  await tab.mouse.click(...(await at(tab, 0.5, 0.85)));
  const middle = async (): Promise<number> => {
    const [, top, , height] = await seen(tab);
    return top! + height! / 2;
  };
  // beyond the map there is room for the buttons
  const end = (): Promise<number> =>
    tab.evaluate(() => {
      const { scrollHeight, clientHeight } = document.querySelector(".board-scroll")!;
      return (scrollHeight - clientHeight / 2) / document.querySelector(".board")!.clientHeight;
    });
  await expect.poll(middle).toBeCloseTo(Math.min(0.85, await end()), 1);
  await tab.mouse.move(...(await at(tab, 0.5, 0.8)));
  await tab.mouse.down();
  await tab.mouse.move(...(await at(tab, 0.5, 0.5)), { steps: 4 });
  await expect.poll(middle).toBeCloseTo(0.5, 1);
  await tab.mouse.up();
  await tab.mouse.move(...(await at(tab, 0.5, 0.1)), { steps: 4 });
  expect(await middle(), "let go").toBeCloseTo(0.5, 1);
  await tab.getByRole("group", { name: /^Overview/ }).focus();
  await tab.keyboard.press("ArrowUp");
  await expect.poll(middle).toBeLessThan(0.45);
  expect(errors).toEqual([]);
});

test("it is in the upper corner where it hides fewer counters", async () => {
  const { page: tab, errors } = await visit(here.browser, DESK);
  const options = { scenario: "scenario-5" };
  const links = await makeGame(here.page, { game: "streets-of-stalingrad", options, seats: {}, seed: "corner" });
  await tab.goto(`${here.page.address}g/${links["german"]!}`);
  await waiting(tab);
  const hidden = (): Promise<number[]> =>
    tab.evaluate(() => {
      const box = document.querySelector(".board-scroll")!.getBoundingClientRect();
      const it = document.querySelector(".overview")!.getBoundingClientRect();
      const mirrored = box.left + box.right - it.right;
      const middles = [...document.querySelectorAll(".pieces > g")].map((g) => {
        const r = g.getBoundingClientRect();
        return [r.left + r.width / 2, r.top + r.height / 2] as const;
      });
      return [it.left, mirrored].map(
        (left) => middles.filter(([x, y]) => x > left && x < left + it.width && y > it.top && y < it.bottom).length,
      );
    });
  await expect.poll(async () => (await hidden())[0]).toBe(0);
  expect((await hidden())[1]).toBeGreaterThan(2);
  expect(errors).toEqual([]);
});

test("on a phone a finger moves the map by it, and it opens no place", async () => {
  const { tab, errors } = await table("night-fight", PHONE);
  const before = await seen(tab);
  await tab.touchscreen.tap(...(await at(tab, 0.85, 0.9)));
  await expect.poll(async () => (await seen(tab))[0]).toBeGreaterThan(before[0]! + 0.1);
  expect(await tab.locator("section.place").count()).toBe(0);
  await agree(tab);
  expect(errors).toEqual([]);
});

test("N goes from one counter that can act to the next, in sight and under the cursor; Shift goes back", async () => {
  const { page: tab, errors } = await visit(here.browser, PHONE);
  const links = await makeGame(here.page, game("strike-counterstrike"));
  await tab.goto(`${here.page.address}g/${links["soviet"]!}`);
  await waiting(tab);
  await tab.waitForSelector(".pieces > g");
  const asked = new Set<string>();
  let last = "";
  for (let k = 0; k < 30; k++) {
    await tab.keyboard.press("n");
    await expect.poll(() => cursor(tab)).not.toBe(last === "" ? null : last);
    const now = (await cursor(tab))!;
    if (asked.has(now)) break;
    asked.add(now);
    last = now;
    expect(await tab.getAttribute(`[data-cursor="${now}"]`, "aria-label")).toMatch(/\d+ choices$/);
    await expect.poll(() => under(tab, now)).toBe("board");
  }
  const armies = await tab.locator(".marks .may").count();
  expect(asked.size).toBe(armies);
  const [first, second] = asked;
  await expect.poll(() => cursor(tab)).toBe(first);
  await tab.keyboard.press("Shift+N");
  await expect.poll(() => cursor(tab)).toBe(last);
  expect(second).not.toBe(first);
  expect(errors).toEqual([]);
});

test("G, and a button for fingers, go from objective to objective", async () => {
  const { tab, errors } = await table("night-fight", PHONE);
  const flags = await tab.locator(".overview .goal").count();
  expect(flags).toBeGreaterThan(1);
  await tab.getByLabel("Next objective").tap();
  await expect.poll(() => cursor(tab)).not.toBeNull();
  const first = (await cursor(tab))!;
  await expect.poll(() => under(tab, first)).toBe("board");
  await tab.keyboard.press("g");
  await expect.poll(() => cursor(tab)).not.toBe(first);
  expect(errors).toEqual([]);
});

test("folded it stays folded, here and in the next game; its buttons stay", async () => {
  const { tab } = await table("night-fight", PHONE);
  const fold = tab.getByRole("button", { name: "Overview" });
  expect(await fold.getAttribute("aria-expanded")).toBe("true");
  await fold.tap();
  await tab.locator(".overview .whole").waitFor({ state: "detached" });
  await tab.reload();
  await tab.waitForSelector(".overview");
  expect(await tab.locator(".overview .whole").count()).toBe(0);
  await tab.getByLabel("Next objective").waitFor();
  await tab.getByRole("button", { name: "Overview" }).tap();
  await tab.locator(".overview .whole").waitFor();
});

test.each([DESK, PHONE])("with it, nothing keeps people out at %o", async (size) => {
  const { tab } = await table("night-fight", size);
  await tab.waitForSelector(".overview .whole");
  expect(await barriers(tab)).toEqual([]);
});

test("the ground is drawn in the colours of the table", async () => {
  const { tab } = await table("night-fight", DESK);
  const ground = (): Promise<string> =>
    tab.evaluate(() => decodeURIComponent((document.querySelector(".overview img") as HTMLImageElement).src));
  const light = await ground();
  expect(light).not.toContain("var(");
  await tab.getByRole("button", { name: "Settings" }).click();
  await tab.getByLabel("Colours").selectOption("dark");
  await expect.poll(ground).not.toBe(light);
  expect(await ground()).not.toContain("var(");
  const size = await tab.evaluate(() => (document.querySelector(".overview img") as HTMLImageElement).naturalWidth);
  expect(size).toBeGreaterThan(0);
});

test("the lower edge can be scrolled out from under the buttons", async () => {
  const { tab, errors } = await table("night-fight", DESK);
  const [map, buttons] = await tab.evaluate(() => {
    const scroll = document.querySelector(".board-scroll")!;
    scroll.scrollTop = scroll.scrollHeight;
    return ["svg.map", ".board-tools"].map((s) => document.querySelector(s)!.getBoundingClientRect());
  });
  expect(map!.bottom).toBeLessThanOrEqual(buttons!.top);
  expect(errors).toEqual([]);
});
