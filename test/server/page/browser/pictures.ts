/** Draws the page's pictures of the README in a real browser; a part of `npm run pictures`. */
import { join } from "node:path";
import type { Page } from "playwright-core";
import { loadGame } from "../../../../env/index.js";
import { buildProgram } from "../../../../server/cli/run.js";
import { Library } from "../../../../server/session/library.js";
import { arena } from "../../../../training/arena/arena.js";
import { DESK, launch, visit } from "./browser.js";
import { newFolder, startPage } from "../guest.js";

const games = newFolder();
const agents = ["heuristic:greedy", "onnx:pocket-stalingrad/recruit.onnx"];
await arena(loadGame("pocket-stalingrad"), { agents, games: 2, seed: "2", record: games });
const runs = newFolder();
const learn = ["evaluate.every=8", "evaluate.games=100", 'evaluate.against=["heuristic:greedy"]', "ppo.opponents=[]"];
const values = learn.flatMap((value) => ["--set", value]);
const run = ["pocket-stalingrad", "--run", join(runs, "first"), "--updates", "40", ...values];
await (await buildProgram()).parseAsync(["train", "ppo", ...run], { from: "user" });
const server = await startPage(newFolder(), { games, runs });
const browser = await launch();
try {
  const { page } = await visit(browser, DESK);
  await review(page);
  await page.screenshot({ path: ".github/review.png" });
  await puzzle(page);
  await page.screenshot({ path: ".github/puzzle.png" });
  await page.goto(`${server.address}runs#run=first`);
  await page.waitForSelector('[data-run="first"] .run-chart');
  await page.screenshot({ path: ".github/runs.png" });
} finally {
  await browser.close();
  await server.close();
}

/** A recorded game with the best actions of two evaluators. */
async function review(page: Page): Promise<void> {
  await page.goto(`${server.address}g/${(await new Library(games).list())[0]!.link}#at=30&eyes=all`);
  await page.getByRole("button", { name: "Analyse" }).click();
  await page.waitForSelector(".analysis .chart", { timeout: 300_000 });
  await page.getByRole("button", { name: "Best actions" }).click();
  await page.selectOption('[aria-label="Compared with"]', "recruit");
  await page.waitForSelector(".options .verdict");
  // on to a decision where both have something to draw
  for (let k = 0; k < 40 && (await page.locator(".opinions .way").count()) === 0; k++) {
    await page.click('[aria-label="One decision on"]');
    await page.waitForTimeout(1000);
  }
  await page.locator(".analysis").scrollIntoViewIfNeeded();
  await page.locator(".analysis h2").evaluate((h) => h.scrollIntoView());
}

/** A puzzle, answered. */
async function puzzle(page: Page): Promise<void> {
  await page.goto(server.address);
  await page.click('[data-puzzles="savage-streets"]');
  await page.waitForSelector(".puzzle");
  await page.locator(".choice:not([disabled])").first().click();
  await page.waitForSelector(".puzzle .verdict");
}
