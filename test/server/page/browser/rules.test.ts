/** The rules of a game in a real browser. */
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { GAMES, gameType } from "../../../../env/index.js";
import { ruleAnchor } from "../../../../server/page/learn/rule-anchor.js";
import { barriers, DESK, PHONE, sticksOut, visit } from "./browser.js";
import { alone, open } from "./open.js";

const here = open();

async function rules(id: string, size = DESK, anchor = ""): Promise<{ tab: Page; errors: string[] }> {
  const { page: tab, errors } = await visit(here.browser, size);
  await tab.goto(`${here.page.address}rules/${id}${anchor}`);
  return { tab, errors };
}

/** The place on the screen that the address leads to, and the heading above it. */
const targeted = (tab: Page): Promise<{ text: string; heading: string; top: number }> =>
  tab.evaluate(() => {
    const target = document.querySelector(":target")!;
    return {
      text: target.textContent!,
      heading: target.closest("section")!.querySelector("h2")!.textContent!,
      top: target.getBoundingClientRect().top,
    };
  });

test.each(GAMES.map((g) => g.id))("every rule of %s has its place on the page, once", async (id) => {
  const { tab, errors } = await rules(id);
  const ids = await tab.evaluate(() => [...document.querySelectorAll("[id]")].map((e) => e.id));
  expect(new Set(ids).size).toBe(ids.length);
  for (const rule of Object.keys(gameType(id).rules)) expect(ids).toContain(ruleAnchor(rule));
  const dead = await tab.evaluate(() =>
    [...document.querySelectorAll<HTMLAnchorElement>('a[href^="#"]')]
      .map((a) => a.getAttribute("href")!.slice(1))
      .filter((to) => document.getElementById(to) === null),
  );
  expect(dead).toEqual([]);
  expect(errors).toEqual([]);
});

test.each(GAMES.map((g) => g.id))("every position among the rules of %s is drawn, light and dark", async (id) => {
  const pictured = gameType(id).rulebook!.flatMap((s, i) => (s.picture === undefined ? [] : [i + 1]));
  expect(pictured.length).toBeGreaterThan(2);
  for (const n of pictured) {
    const drawings = await Promise.all(
      ["light", "dark"].map(async (theme) => (await fetch(`${here.page.address}rules/${id}/${n}.${theme}.svg`)).text()),
    );
    for (const svg of drawings) expect(svg).toMatch(/^<svg/);
    expect(drawings[0]).not.toBe(drawings[1]);
  }
  const other = [0, gameType(id).rulebook!.length + 1];
  for (const n of other) expect((await fetch(`${here.page.address}rules/${id}/${n}.light.svg`)).status).toBe(404);
  expect((await fetch(`${here.page.address}rules/chess`)).status).toBe(404);
});

test.each([DESK, PHONE])("nothing keeps people out, and nothing sticks out, at %o", async (size) => {
  const { tab } = await rules("savage-streets", size);
  expect(await barriers(tab)).toEqual([]);
  expect(await sticksOut(tab)).toBe(0);
});

test("a rule's tag beside the question opens the rules at its section, and the next one uses the same window", async () => {
  const { page: tab, context } = await visit(here.browser, DESK);
  await tab.goto(await alone(here.page, "savage-streets"));
  await tab.waitForSelector(".choice:not([disabled])");
  const tag = tab.locator(".prompt a.rule").first();
  expect(await tag.innerText()).toBe("SS 2.1");
  const [window] = await Promise.all([context.waitForEvent("page"), tag.click()]);
  await window.waitForSelector(":target");
  const at = await targeted(window);
  expect(at.text).toBe("SS 2.1");
  expect(at.heading).toContain("Reinforcements");
  expect(at.top).toBeGreaterThan(0);
  expect(at.top).toBeLessThan(DESK.height);
  await tab.locator(".standing summary").click();
  await tab.locator(".standing a.rule", { hasText: "SS 8.2" }).first().click();
  await window.waitForURL(/#SS-8\.2$/);
  expect(context.pages()).toHaveLength(2);
});

test("a rule that the text doesn't cite is found in the list, and one that isn't played is unfolded", async () => {
  const { tab } = await rules("streets-of-stalingrad", DESK, "#SOS-7.4");
  expect((await targeted(tab)).text).toContain("SOS 7.4");
  await tab.goto(`${here.page.address}rules/streets-of-stalingrad#SOS-13.1`);
  const row = tab.locator(":target");
  await row.waitFor({ state: "visible" });
  expect((await targeted(tab)).heading).toContain("Raids of the storm group");
});

test("the field leaves what holds all its words, and says how much that is", async () => {
  const { tab } = await rules("pocket-stalingrad");
  await tab.getByLabel("Find in the rules").fill("attrition pioneers");
  const left = (await tab.locator("section:visible h2").allInnerTexts()).join().toLowerCase();
  expect(left).toContain("tactics");
  expect(left).not.toContain("reinforcements");
  for (const part of await tab.locator("section > p:visible, .rules > div:visible").allInnerTexts())
    expect(part.toLowerCase()).toMatch(/attrition.*pioneers|pioneers.*attrition/s);
  expect(await tab.getByRole("status").innerText()).toMatch(/^[1-9]\d* found$/);
  await tab.getByLabel("Find in the rules").fill("zeppelin");
  expect(await tab.getByRole("status").innerText()).toBe("Nothing found.");
  expect(await tab.locator("section:visible").count()).toBe(0);
  await tab.getByLabel("Find in the rules").fill("");
  expect(await tab.locator("section:visible").count()).toBe(gameType("pocket-stalingrad").rulebook!.length);
});

test("the colours are those that were chosen for the table", async () => {
  const { page: tab } = await visit(here.browser, DESK);
  await tab.addInitScript(() => localStorage.setItem("kessel.theme", '"dark"'));
  await tab.goto(`${here.page.address}rules/night-fight`);
  const drawn = tab.locator("figure img").first();
  await drawn.scrollIntoViewIfNeeded();
  await tab.waitForFunction(() => document.querySelector("img")!.complete);
  expect(await drawn.evaluate((i: HTMLImageElement) => i.currentSrc)).toMatch(/\.dark\.svg$/);
  expect(await tab.evaluate(() => getComputedStyle(document.body).backgroundColor)).toBe("rgb(23, 24, 26)");
});

test("a game at the table loads nothing of the rules", async () => {
  const { page: tab } = await visit(here.browser, DESK);
  const asked: string[] = [];
  tab.on("request", (r) => asked.push(new URL(r.url()).pathname));
  await tab.goto(await alone(here.page, "night-fight"));
  await tab.waitForSelector("svg.map");
  const html = await (await fetch(`${here.page.address}rules/night-fight`)).text();
  const own = [...html.matchAll(/\/assets\/[\w.]+/g)].map((m) => m[0]);
  expect(own).toHaveLength(3);
  // the style of the table they share
  expect(own.filter((name) => asked.includes(name))).toEqual([expect.stringMatching(/css$/)]);
});
