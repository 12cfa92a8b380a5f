/** What is asked, and what can be chosen, is seen without scrolling, at a desk and on a phone. */
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { loadGame } from "../../../../env/index.js";
import { nightlyUnless } from "../../../nightly.js";
import { makeGame } from "../guest.js";
import { clickOn, DESK, PHONE, visit, waiting } from "./browser.js";
import { open } from "./open.js";

const here = open();
const SHOWN = ["pocket-stalingrad", "savage-streets", "night-fight", "strike-counterstrike", "streets-of-stalingrad"];

const rows = SHOWN.flatMap((id) =>
  (["desk", "phone"] as const).flatMap((on) => [
    { id, on, games: 1, decisions: 15 },
    { id, on, games: 20, decisions: Infinity },
  ]),
);
for (const { id, on, games, decisions } of rows)
  test(
    `the whole question of each decision of ${id} is in sight on a ${on}, ${games} of its games`,
    nightlyUnless(games === 1),
    async () => {
      const { page: tab, context, errors } = await visit(here.browser, on === "desk" ? DESK : PHONE);
      const [seat, ...others] = loadGame(id).players;
      const seats = Object.fromEntries(others.map((s) => [s, "random"]));
      let looked = 0;
      for (let g = 0; g < games; g++) {
        const links = await makeGame(here.page, { game: id, options: {}, seats, seed: `fits/${g}` });
        await tab.goto(`${here.page.address}g/${links[seat!]!}`);
        for (let n = 0; n < decisions && (await waiting(tab)); n++) {
          await expect.poll(() => outOfSight(tab), { message: `game ${g}, decision ${n}` }).toEqual([]);
          looked++;
          await clickOn(tab, n * 7 + g);
        }
      }
      expect(looked).toBeGreaterThan(10);
      expect(errors).toEqual([]);
      await context.close();
    },
  );

/** Parts of the question outside the window or a panel's visible part. */
const outOfSight = (tab: Page): Promise<string[]> =>
  tab.evaluate(() => {
    const panel = document.querySelector(".panel.prompt")!;
    const parts = [panel.querySelector(".question")!, ...panel.querySelectorAll(".choice, #unfold")];
    return parts.flatMap((part) => {
      const b = part.getBoundingClientRect();
      let [top, bottom] = [0, innerHeight];
      for (let at = part.parentElement; at !== null; at = at.parentElement) {
        if (!/auto|scroll|hidden/.test(getComputedStyle(at).overflowY)) continue;
        const box = at.getBoundingClientRect();
        [top, bottom] = [Math.max(top, box.top), Math.min(bottom, box.bottom)];
      }
      return b.top >= top - 1 && b.bottom <= bottom + 1
        ? []
        : [
            `${part.textContent.slice(0, 60)}: ${Math.round(b.top)} to ${Math.round(b.bottom)}, seen ${Math.round(top)} to ${Math.round(bottom)}`,
          ];
    });
  });
