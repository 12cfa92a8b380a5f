import { mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Locator,
  type Page,
} from "playwright-core";
import { expect } from "vitest";
import { PATIENCE_MS } from "../../../patience.js";

/** Sizes at which the page is tried: a phone and a desk. */
export const PHONE = { width: 390, height: 844 };
export const DESK = { width: 1440, height: 900 };

type Box = NonNullable<Awaited<ReturnType<Locator["boundingBox"]>>>;

/** What unpacking a browser may take, ms. */
const UNPACKING_MS = PATIENCE_MS;

/** A real Chromium: `$KESSEL_CHROME`, by default the one that the package brings (Linux). */
export async function launch(): Promise<Browser> {
  const executablePath = process.env["KESSEL_CHROME"] ?? (await packaged());
  const args = ["--no-sandbox", "--font-render-hinting=none"];
  const end = Date.now() + UNPACKING_MS;
  for (;;)
    try {
      return await chromium.launch({ executablePath, args });
    } catch (e) {
      // another test file is unpacking the same browser
      if (!(e as Error).message.includes("ETXTBSY") || Date.now() > end) throw e;
      await sleep(500);
    }
}

/**
 * The package unpacks into the temporary folder and takes any browser that it finds there: it gets a folder of its own.
 */
async function packaged(): Promise<string> {
  const before = process.env["TMPDIR"];
  process.env["TMPDIR"] = join(tmpdir(), "kessel-chromium");
  mkdirSync(process.env["TMPDIR"], { recursive: true });
  try {
    const { default: chrome } = await import("@sparticuz/chromium");
    return await chrome.executablePath();
  } finally {
    if (before === undefined) delete process.env["TMPDIR"];
    else process.env["TMPDIR"] = before;
  }
}

/**
 * A browser context of its own; errors of the page fail the test that asks for them.
 *
 * @param briefings true when a briefing opens each new game, as on a first visit
 */
export async function visit(
  browser: Browser,
  size: typeof PHONE,
  briefings = false,
  more: BrowserContextOptions = {},
): Promise<{ page: Page; context: BrowserContext; errors: string[] }> {
  const context = await browser.newContext({
    viewport: size,
    hasTouch: size.width < 700,
    reducedMotion: "reduce",
    ...more,
  });
  await context.addInitScript(() => localStorage.setItem("kessel.speed", '"to the end"'));
  if (!briefings) await context.addInitScript(() => localStorage.setItem("kessel.briefings", "false"));
  context.setDefaultTimeout(PATIENCE_MS);
  const page = await context.newPage();
  const errors: string[] = [];
  page.on("pageerror", (e) => errors.push(e.message));
  page.on("console", (m) => m.type() === "error" && errors.push(m.text()));
  return { page, context, errors };
}

const AXE = createRequire(import.meta.url).resolve("axe-core/axe.min.js");

/** What axe finds that keeps people out. */
export async function barriers(tab: Page): Promise<string[]> {
  await tab.evaluate(readFileSync(AXE, "utf8"));
  return tab.evaluate(async () => {
    const { axe } = window as unknown as {
      axe: { run(): Promise<{ violations: { id: string; impact: string; nodes: { html: string }[] }[] }> };
    };
    const { violations } = await axe.run();
    return violations
      .filter((v) => v.impact === "serious" || v.impact === "critical")
      .map((v) => `${v.id}: ${v.nodes[0]!.html.slice(0, 160)}`);
  });
}

/** Pixels that the page is wider than the window. */
export const sticksOut = (tab: Page): Promise<number> =>
  tab.evaluate(() => document.documentElement.scrollWidth - innerWidth);

/** Waits until a choice can be taken or the game is over. @returns whether it goes on */
export async function waiting(page: Page): Promise<boolean> {
  await page.waitForSelector(".choice:not([disabled]), .result");
  return (await page.locator(".result").count()) === 0;
}

/** Takes the first choice until a question begins with these words. @throws Error when none does */
export async function untilAsked(page: Page, words: string): Promise<void> {
  for (let k = 0; k < 30; k++) {
    await waiting(page);
    const question = await page.locator(".question").innerText();
    if (question.startsWith(words)) return;
    await page.locator(".choice").first().click();
    await expect.poll(() => page.locator(".question").innerText()).not.toBe(question);
  }
  throw new Error(`nobody is asked: ${words}`);
}

/** Where an element is, as soon as it is somewhere and neither moves nor is drawn again. */
export async function boxOf(element: Locator): Promise<Box> {
  let last: Box | null = null;
  for (const end = Date.now() + PATIENCE_MS; Date.now() < end; await sleep(50)) {
    const box = await element.boundingBox();
    if (box !== null && last !== null && box.x === last.x && box.y === last.y && box.height === last.height) return box;
    last = box;
  }
  throw new Error(`no resting box: ${element.toString()}`);
}

/**
 * What the page shows that a click may change.
 * A dialog opens in an effect, which runs up to a frame after the click was drawn.
 * So this looks two frames later.
 */
const shown = (page: Page): Promise<{ lines: number; choices: number; asked: boolean }> =>
  page.evaluate(async () => {
    for (let k = 0; k < 2; k++) await new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn)));
    return {
      lines: document.querySelectorAll(".log li").length,
      choices: document.querySelectorAll(".choice:not([disabled])").length,
      asked: document.querySelector("dialog[open] #confirm") !== null,
    };
  });

/** Brings one of the places that may be clicked into sight. @returns its middle; null where there is none */
export const placeToClick = (page: Page, pick: number): Promise<{ x: number; y: number } | null> =>
  page.evaluate((pick) => {
    const marks = document.querySelectorAll(".marks .may");
    if (marks.length === 0) return null;
    const mark = marks[pick % marks.length]!;
    const sheet = document.querySelector(".board")!.getBoundingClientRect();
    const scroll = document.querySelector(".board-scroll")!;
    const b = mark.getBoundingClientRect();
    scroll.scrollTo(
      b.left - sheet.left + b.width / 2 - scroll.clientWidth / 2,
      b.top - sheet.top + b.height / 2 - scroll.clientHeight / 2,
    );
    const now = mark.getBoundingClientRect();
    return { x: now.left + now.width / 2, y: now.top + now.height / 2 };
  }, pick);

/** Takes one choice by clicks: on the map where that works, otherwise in the list. */
export async function clickOn(page: Page, pick: number): Promise<void> {
  const { lines, asked } = await shown(page);
  if (asked) return page.click("#confirm");
  const place = pick % 3 === 0 ? null : await placeToClick(page, pick);
  if (place !== null) await page.mouse.click(place.x, place.y);
  // the map may have listed several or asked whether that is meant, or nothing may be there to click
  let now = await shown(page);
  if (!now.asked && now.lines === lines && now.choices > 0) {
    const plain = page.locator(".choices:not(.ending) .choice:not([disabled])");
    const n = await plain.count();
    const button = n > 0 ? plain.nth(pick % n) : page.locator(".choice:not([disabled])").first();
    await button.click({ timeout: 5000 }).catch(() => undefined); // it may have been answered by the map meanwhile
    now = await shown(page);
  }
  if (now.asked) await page.click("#confirm");
}
