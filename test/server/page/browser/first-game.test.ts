/** The tutorial "Play your first game" in a real browser: the buttons that its text names, in its order. */
import { expect, test } from "vitest";
import { textOf } from "../../../documents.js";
import { newFolder, startPage } from "../guest.js";
import { DESK, visit } from "./browser.js";
import { open } from "./open.js";

const BUTTONS = [
  ...(["Start here", "Learn by playing", "Play", "Start", "Start an even game", "Why?", "Undo"] as const),
  ...(["Look back", "Analyse"] as const),
] as const;
const here = open(() => startPage(newFolder()));

test("the tutorial's way through the page is there, button by button", async () => {
  const named = [...textOf("server/site/pages/start/play.md").matchAll(/\*\*(.+?)\*\*/g)].map((m) => m[1]!);
  const [start, learn, play, begin, even, why, undo] = BUTTONS;
  expect(named).toEqual([...BUTTONS]);
  const { page: tab, context, errors } = await visit(here.browser, DESK, true);
  const game = tab.locator("li", { has: tab.getByText(start, { exact: true }) });
  await tab.goto(here.page.address);
  await game.getByRole("button", { name: learn }).click();
  await tab.waitForSelector(".lesson .says");
  await tab.goto(here.page.address);
  await game.getByRole("button", { name: play, exact: false }).first().click();
  await game.getByRole("button", { name: even }).waitFor();
  await tab.getByRole("button", { name: begin, exact: true }).click();
  await tab.waitForSelector("dialog[open]"); // the briefing
  await tab.keyboard.press("Escape");
  await tab.waitForSelector(".choice:not([disabled])");
  await tab.getByRole("button", { name: why }).first().click();
  await tab.locator(".choice:not([disabled])").first().click();
  await tab.getByRole("button", { name: undo }).first().waitFor();
  expect(errors).toEqual([]);
  await context.close();
});
