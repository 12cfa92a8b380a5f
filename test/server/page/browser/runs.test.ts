/** Watching training in a real browser. */
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import type { Base } from "../../../../server/page/frame.js";
import type { Comparison, Difference } from "../../../../server/page/runs/runs-view.js";
import { barriers, DESK, PHONE, sticksOut, visit } from "./browser.js";
import { newFolder, startPage } from "../guest.js";
import { open } from "./open.js";
import { runsFolder } from "../runs/folder.js";

const here = open(() => startPage(newFolder(), { runs: runsFolder(), limits: { messages: 100_000 } }));

/** Games that are compared until one has what is looked for. */
const TRIES = 6;

/** Presses "Compare" until the nets differ in a decision about which both would act somewhere on the map. */
async function compareOnMap(tab: Page): Promise<{ difference: Difference; nth: number }> {
  for (let k = 0; k < TRIES; k++) {
    const told = tab.waitForResponse("**/api/comparisons");
    await tab.getByRole("button", { name: "Compare" }).click();
    const { differences } = (await (await told).json()) as Comparison;
    const nth = differences.findIndex((d) => d.opinions.every((o) => o.choices[0]!.way.length > 0));
    if (nth >= 0) return { difference: differences[nth]!, nth };
  }
  throw new Error(`in ${TRIES} games the nets never differed about a place`);
}

describe.each([
  ["phone", PHONE],
  ["desk", DESK],
] as const)("on a %s", (_what, size) => {
  test("curves of a run, with a measurement at each net", async () => {
    const { page: tab, context, errors } = await visit(here.browser, size);
    await tab.goto(`${here.page.address}runs`);
    await tab.click("text=learnt");
    await tab.waitForSelector('[data-run="learnt"] .run-chart');
    const measured = tab.locator(".run-chart", { hasText: "measured against" });
    expect(await measured.locator("path.curve").count()).toBe(2);
    expect(await measured.locator("circle").count()).toBe(4);
    expect(await measured.locator(".values").innerText()).toMatch(/update 20: as soviet 68 \(58 to 78\), as german 58/);
    expect(await tab.locator(".run-chart", { hasText: "entropy" }).locator("circle").count()).toBe(20);
    expect(await barriers(tab)).toEqual([]);
    expect(await sticksOut(tab)).toBeLessThanOrEqual(0);
    await tab.click("text=begun");
    await tab.waitForSelector('[data-run="begun"]');
    expect(await tab.locator("article").innerText()).toContain("No net has been kept yet");
    expect(errors).toEqual([]);
    await context.close();
  });

  test("the newest net is watched", async () => {
    const { page: tab, context, errors } = await visit(here.browser, size);
    await tab.goto(`${here.page.address}runs#run=learnt`);
    await tab.waitForSelector(".watch");
    expect(await tab.locator('[name="watch-soviet"] option:checked').innerText()).toBe("net 20 (the newest)");
    await tab.getByRole("button", { name: "Begin" }).click();
    await tab.waitForSelector(".board .drawing svg");
    await tab.waitForSelector(".result");
    if (size === DESK)
      expect(await tab.locator("header .seats").innerText()).toMatch(/Soviet: net 20\s*German: net 20/);
    expect(errors).toEqual([]);
    await context.close();
  });

  test("two nets are compared, and a decision of theirs is opened on the board", async () => {
    const { page: tab, context, errors } = await visit(here.browser, size);
    await tab.goto(`${here.page.address}runs#run=learnt`);
    await tab.getByRole("button", { name: "Compare" }).click();
    await tab.waitForSelector(".differences ol > li");
    expect(await tab.locator(".differences").innerText()).toMatch(/net 20 takes “.+” with \d+ %, the other with \d+ %/);
    expect(await barriers(tab)).toEqual([]);
    expect(await sticksOut(tab)).toBeLessThanOrEqual(0);
    const first = tab.locator(".differences > ol > li > a").first();
    const number = Number(/\d+/.exec(await first.innerText())![0]);
    await first.click();
    await tab.waitForSelector(".board .drawing svg");
    await tab.waitForFunction((at) => document.body.innerText.includes(`Decision ${at} of`), number - 1);
    expect(errors).toEqual([]);
    await context.close();
  });

  test("the map shows what both nets would do where they differ", async () => {
    const { page: tab, context, errors } = await visit(here.browser, size);
    await tab.goto(`${here.page.address}runs#run=learnt`);
    const { difference, nth } = await compareOnMap(tab);
    const shown = tab.locator(".differences > ol > li").nth(nth);
    const show = shown.getByRole("button", { name: "on the map" });
    if ((await show.count()) > 0) await show.click();
    await shown.locator(".still-board .opinions .opinion").first().waitFor();
    expect(await tab.locator(".still-board").count()).toBe(1);

    const { places } = (await (await fetch(`${here.page.address}base/${difference.drawing.base}.json`)).json()) as Base;
    const colours: string[] = [];
    for (const [k, { choices }] of difference.opinions.entries()) {
      const best = choices[0]!;
      const target = places.find((p) => p.id === best.way.at(-1))!;
      const mark = shown.locator(`.still-board .opinion.k${k}`).first();
      const line = mark.locator(best.way.length === 1 ? ".spot" : ".way");
      if (best.way.length === 1) expect(await line.getAttribute("d")).toBe(target.outline);
      else {
        const tip = await mark.locator(".tip").getAttribute("transform");
        const [x, y] = /translate\((\S+) (\S+)\)/.exec(tip!)!.slice(1).map(Number);
        const nearest = places.reduce((a, b) =>
          Math.hypot(b.x - x!, b.y - y!) < Math.hypot(a.x - x!, a.y - y!) ? b : a,
        );
        expect(nearest.id).toBe(target.id);
      }
      // choices of one way are one mark
      const sum = choices.slice(0, 3).reduce((n, c) => n + (String(c.way) === String(best.way) ? c.probability : 0), 0);
      expect(Math.abs(Number(await mark.locator("text").textContent()) - 100 * sum)).toBeLessThan(6);
      colours.push(await line.evaluate((node) => getComputedStyle(node).stroke));
      expect(await shown.locator(`.options .opinion.k${k}`).first().innerText()).toMatch(
        new RegExp(`^\\s*net ${k === 0 ? 20 : 10} \\d+ %`),
      );
    }
    expect(colours[0]).not.toBe(colours[1]);
    const unseen = await shown.locator(".still-box").evaluate((board) => {
      const b = board.getBoundingClientRect();
      return [...board.querySelectorAll(".opinion text")].filter((text) => {
        const m = text.getBoundingClientRect();
        return m.left < b.left || m.right > b.right || m.top < b.top || m.bottom > b.bottom;
      }).length;
    });
    expect(unseen, "marks outside the part of the map that is shown").toBe(0);
    expect(await shown.locator(".still-board .piece").count()).toBe(difference.drawing.pieces.length);
    expect(await barriers(tab)).toEqual([]);
    expect(await sticksOut(tab)).toBeLessThanOrEqual(0);
    expect(errors).toEqual([]);
    await context.close();
  });
});

test("a run whose server is away for a moment stays, with what was compared", async () => {
  const { page: tab, context } = await visit(here.browser, DESK);
  await tab.clock.install();
  await tab.goto(`${here.page.address}runs#run=learnt`);
  await tab.getByRole("button", { name: "Compare" }).click();
  await tab.waitForSelector(".differences ol > li");
  await tab.route("**/api/runs/learnt", (route) => route.abort(), { times: 1 });
  await tab.clock.fastForward(16_000);
  await tab.waitForSelector("article [role=alert]");
  expect(await tab.locator(".differences ol > li").count()).toBeGreaterThan(0);
  await tab.clock.fastForward(16_000);
  await tab.waitForSelector("article [role=alert]", { state: "detached" });
  await context.close();
});
