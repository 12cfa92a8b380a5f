/** Before a new game the page says who one is, what wins, how long it takes and what to do first. */
import type { Page } from "playwright-core";
import { afterEach, expect, test } from "vitest";
import { GAMES, loadGame, type Options } from "../../../../env/index.js";
import { lasting } from "../../../../env/core/words.js";
import { makeGame } from "../guest.js";
import { barriers, boxOf, DESK, PHONE, sticksOut, visit } from "./browser.js";
import { open } from "./open.js";

const here = open();
let leave: () => Promise<void> = async () => undefined;
let errors: string[] = [];

/** Somebody who has never been here. */
async function newcomer(size = DESK, theme: "light" | "dark" = "light"): Promise<Page> {
  const visitor = await visit(here.browser, size, true);
  const { page: tab, context } = visitor;
  ({ errors } = visitor);
  leave = () => context.close();
  await tab.emulateMedia({ colorScheme: theme });
  tab.setDefaultTimeout(15_000);
  return tab;
}
afterEach(async () => {
  expect(errors).toEqual([]);
  await leave();
});

/** A game of one person. @returns links by side */
function links(game: string, seat: string, options: Options = {}): Promise<Record<string, string>> {
  const others = loadGame(game, options).players.filter((p) => p !== seat);
  const seats = Object.fromEntries(others.map((p) => [p, "random"]));
  return makeGame(here.page, { game, options, seats, seed: "briefing" });
}
async function sit(tab: Page, game: string, seat: string, options: Options = {}): Promise<void> {
  await tab.goto(`${here.page.address}g/${(await links(game, seat, options))[seat]!}`);
  await tab.waitForSelector("svg.map");
}
const briefing = (tab: Page) => tab.locator("dialog.briefing[open]");
const focused = (tab: Page): Promise<string> => tab.evaluate(() => document.activeElement!.textContent ?? "");
const decided = (tab: Page): Promise<void> => tab.waitForSelector(".choice:not([disabled])").then(() => undefined);

/** Every game and side, scenarios and ways to play alone too. */
const SEATS = GAMES.flatMap(({ id }): [string, Options][] => [
  [id, {}],
  ...(id === "savage-streets" ? [[id, { mode: "solo" }] as [string, Options]] : []),
  ...(id === "streets-of-stalingrad"
    ? (["sandbox-2", "drill-kurgan", "sandbox-3", "drill-landing", "drill-elevator", "scenario-7"] as const).map(
        (scenario): [string, Options] => [id, { scenario }],
      )
    : []),
]).flatMap(([id, options]) => loadGame(id, options).players.map((seat) => ({ id, options, seat })));

test.each(SEATS)("$id, $seat, $options: who, what wins, how long, and what first", async ({ id, options, seat }) => {
  const game = loadGame(id, options);
  const written = game.type.briefings!.find(
    (b) => b.seat === seat && Object.entries(b.options).every(([o, v]) => game.options[o] === v),
  )!;
  for (const [size, theme] of [
    [DESK, "light"],
    [PHONE, "dark"],
  ] as const) {
    const tab = await newcomer(size, theme);
    await sit(tab, id, seat, options);
    await briefing(tab).waitFor();
    const says = await briefing(tab).innerText();
    for (const told of [written.you, written.first, `about ${lasting(written.minutes ?? game.type.lobby!.minutes)}`])
      expect(says).toContain(told);
    expect(says).toMatch(/^.+\n+You are the (German|Soviet) side\n/);
    expect(says).toMatch(/\d+ turns \(.+ to .+\)/);
    expect(says.toLowerCase()).toContain(game.type.credits.toLowerCase());
    expect(says).toContain(`Reconstructed: ${game.type.reconstructed!.replace(/\.$/, "")}.`);
    const conditions = await briefing(tab).locator(".conditions li").allInnerTexts();
    expect(conditions.length).toBeGreaterThan(0);
    const amount = /\d+ .*(of|no more than) \d+|\d+ .*, (\d+ needed|none allowed)|(\d+|no) .*, the enemy (\d+|none)/;
    for (const c of conditions) expect(c).toMatch(amount);
    expect(await focused(tab)).toBe("Begin");
    expect(await barriers(tab)).toEqual([]);
    expect(await sticksOut(tab)).toBeLessThanOrEqual(0);
    expect(
      await briefing(tab).evaluate((d) => d.querySelector(".reads")!.scrollWidth - d.clientWidth),
    ).toBeLessThanOrEqual(0);
    const begin = await boxOf(tab.locator("#begin"));
    expect(begin.y + begin.height).toBeLessThanOrEqual(size.height);
    await tab.keyboard.press("Enter");
    await briefing(tab).waitFor({ state: "detached" });
    await decided(tab);
    expect(errors).toEqual([]);
    await leave();
  }
});

test("an option that is not the default is named with its value; options that it sets are not", async () => {
  const tab = await newcomer();
  await sit(tab, "pocket-stalingrad", "soviet", { balance: "even", breach: "after-deploy" });
  await briefing(tab).waitFor();
  const listed = await briefing(tab).locator("h2:has-text('Played with') + ul li").allInnerTexts();
  expect(listed).toHaveLength(2);
  expect(listed[0]).toMatch(/^Breach: after-deploy \(When Breach takes its CMD.*[^.]\)$/);
  expect(listed[1]).toMatch(/^Balance: even game \(house rule\) \(a house rule .*two German units/);
  await leave();
});

test("it opens once a game; the header and Settings open it again, Escape closes it and the focus comes back", async () => {
  const tab = await newcomer();
  let acts = 0;
  tab.on("websocket", (socket) =>
    socket.on("framesent", ({ payload }) => (acts += String(payload).includes('"op":"act"') ? 1 : 0)),
  );
  await sit(tab, "pocket-stalingrad", "soviet");
  await briefing(tab).waitFor();
  await tab.keyboard.press("1"); // no key reaches the table
  await tab.keyboard.press("Escape");
  await briefing(tab).waitFor({ state: "detached" });
  await decided(tab);
  expect(acts).toBe(0);
  await tab.reload();
  await decided(tab);
  expect(await briefing(tab).count()).toBe(0);
  const button = tab.locator("header > .brief");
  await button.focus();
  await tab.keyboard.press("Enter");
  await briefing(tab).waitFor();
  expect(await focused(tab)).toBe("Begin");
  await tab.keyboard.press("Escape");
  await briefing(tab).waitFor({ state: "detached" });
  expect(await focused(tab)).toBe("Briefing");
  await tab.getByText("Settings", { exact: true }).click();
  await tab.locator(".settings .brief").click();
  await briefing(tab).waitFor();
  await tab.keyboard.press("Escape");
  await briefing(tab).waitFor({ state: "detached" });
  expect(await tab.locator(".settings .brief").evaluate((b) => b === document.activeElement)).toBe(true);
});

test("what the other side does first waits until it has been read", async () => {
  const tab = await newcomer();
  await sit(tab, "savage-streets", "G");
  await briefing(tab).waitFor();
  await tab.getByText(/To the end \([2-9]/).waitFor(); // the Soviet side has set up meanwhile
  expect(await tab.locator("header .caption").innerText()).toContain("Soviet set-up");
  await tab.click("#begin");
  await decided(tab);
  expect(await tab.locator("header .caption").innerText()).not.toContain("Soviet set-up");
});

test("lessons, puzzles, spectators and resumed games have none; nor do players who turned it off", async () => {
  const tab = await newcomer();
  await tab.goto(here.page.address);
  await tab.click('[data-lesson="pocket-stalingrad"]');
  await tab.waitForSelector(".lesson .says");
  expect(await tab.locator(".briefing[open], .brief").count()).toBe(0);
  await tab.goto(here.page.address);
  await tab.click('[data-puzzles="pocket-stalingrad"]');
  await tab.waitForSelector(".puzzle");
  expect(await tab.locator(".briefing[open], .brief").count()).toBe(0);
  const { soviet, watch } = await links("pocket-stalingrad", "soviet");
  await tab.goto(`${here.page.address}g/${watch!}`);
  await tab.waitForSelector("svg.map");
  expect(await tab.locator(".briefing[open], .brief").count()).toBe(0);
  // somebody has begun it in another browser
  await tab.goto(`${here.page.address}g/${soviet!}`);
  await tab.click("#begin");
  await tab.click(".choice:not([disabled])");
  await tab.waitForSelector('.choice[data-action^="keep"]:not([disabled])');
  await tab.evaluate(() => localStorage.clear());
  await tab.reload();
  await decided(tab);
  expect(await briefing(tab).count()).toBe(0);
  await tab.getByText("Settings", { exact: true }).click();
  await tab.getByLabel("A briefing opens each new game").uncheck();
  await sit(tab, "night-fight", "german");
  await decided(tab);
  expect(await briefing(tab).count()).toBe(0);
});

test("both sides of one screen read their own", async () => {
  const tab = await newcomer();
  const { soviet, german } = await makeGame(here.page, {
    game: "pocket-stalingrad",
    options: {},
    seats: {},
    seed: "hot",
  });
  await tab.goto(`${here.page.address}g/${soviet!}#hot=${german!}`);
  await briefing(tab).waitFor();
  expect(await briefing(tab).innerText()).toContain("You are the Soviet side");
  await tab.click("#begin");
  for (;;) {
    await tab.waitForSelector(".choice:not([disabled]), main.waiting .primary");
    if ((await tab.locator("main.waiting").count()) > 0) break;
    // a choice that may ask whether it is meant
    const next = tab.locator("dialog[open] #confirm, .choice:not([disabled])");
    await next
      .last()
      .click({ timeout: 1000 })
      .catch(() => undefined);
  }
  await tab.click("main.waiting .primary");
  await briefing(tab).waitFor();
  expect(await briefing(tab).innerText()).toContain("You are the German side");
  await tab.click("#begin");
  await decided(tab);
  expect(await tab.locator("main.waiting").count()).toBe(0);
});

test("from the briefing the way leads to the lesson, and to the rules", async () => {
  const tab = await newcomer();
  await sit(tab, "night-fight", "german");
  expect(await briefing(tab).getByRole("link").getAttribute("href")).toBe("/rules/night-fight");
  await briefing(tab).getByText("Lesson").click();
  await tab.waitForSelector(".lesson .says");
  await tab.goto(`${here.page.address}words/night-fight`);
  await tab.getByText("Rules of Night Fight: Escape the Encirclement in brief").waitFor();
  const [first] = GAMES.find((g) => g.id === "night-fight")!.guide.medium;
  expect(await tab.locator(".guide").innerText()).toContain(first!.split(": ")[1]!);
  expect(await barriers(tab)).toEqual([]);
});
