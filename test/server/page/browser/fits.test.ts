/** What is asked, and what can be chosen, is seen without scrolling, at a desk and on a phone. */
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
    { id, on, games: [0], decisions: 15 },
    ...[0, 4, 8, 12, 16].map((g) => ({ id, on, games: [g, g + 1, g + 2, g + 3], decisions: Infinity })),
  ]),
);
// the decisions that did not fit once: the last of each
for (const [game, decisions] of [
  [2, 34],
  [5, 90],
] as const)
  rows.push({ id: "pocket-stalingrad", on: "phone", games: [game], decisions });
for (const { id, on, games, decisions } of rows)
  test(
    `the whole question of each decision of ${id} is in sight on a ${on}, ${games.length === 1 ? `the first ${decisions} of game ${games[0]!}` : `games ${games.join(", ")}`}`,
    nightlyUnless(games.length === 1),
    async () => {
      const { page: tab, context, errors } = await visit(here.browser, on === "desk" ? DESK : PHONE);
      const [seat, ...others] = loadGame(id).players;
      const seats = Object.fromEntries(others.map((s) => [s, "random"]));
      let looked = 0;
      for (const g of games) {
        const links = await makeGame(here.page, { game: id, options: {}, seats, seed: `fits/${g}` });
        await tab.goto(`${here.page.address}g/${links[seat!]!}`);
        for (let n = 0; n < decisions && (await waiting(tab));) {
          // by the mouse now and then, from the list most of the time
          const { seen, faults } = await tab.evaluate(lookOn, { from: n, pick: g, most: Math.min(decisions - n, 40) });
          expect(faults, `game ${g}, decision ${n + seen}`).toEqual([]);
          looked += seen;
          n += seen;
          if (n < decisions && (await waiting(tab))) await clickOn(tab, n * 7 + g);
        }
      }
      expect(looked).toBeGreaterThan(10);
      expect(errors).toEqual([]);
      await context.close();
    },
  );

test("the list of choices comes to rest, whatever grows above it", async () => {
  const { page: tab, context, errors } = await visit(here.browser, DESK);
  // of its dice those that are on the map are listed first, and shown last: their texts are shorter
  const links = await makeGame(here.page, { game: "pocket-stalingrad", options: {}, seats: {}, seed: "rest" });
  await tab.goto(`${here.page.address}g/${links["soviet"]!}`);
  await waiting(tab);
  const { restless, lengths } = await tab.evaluate(async () => {
    const above = document.querySelector<HTMLElement>(".panel.prompt .question")!;
    const panel = document.querySelector(".panel.prompt")!;
    const frames = async (n: number): Promise<void> => {
      for (; n > 0; n--) await new Promise((frame) => requestAnimationFrame(() => setTimeout(frame)));
    };
    const restless: number[] = [];
    const lengths: number[] = [];
    // little by little, for more than the height of a choice
    for (let height = 0; height <= 200; height += 2) {
      above.style.paddingBottom = `${height}px`;
      await frames(5);
      let changes = 0;
      const watch = new MutationObserver((all) => (changes += all.length));
      watch.observe(panel, { childList: true, subtree: true });
      await frames(4);
      watch.disconnect();
      if (changes > 0) restless.push(height);
      lengths.push(document.querySelectorAll(".choices:not(.ending) .choice").length);
    }
    return { restless, lengths };
  });
  expect(restless).toEqual([]);
  expect(lengths.at(-1)!).toBeLessThan(lengths[0]!);
  expect(errors).toEqual([]);
  await context.close();
});

interface Stretch {
  /** Decisions before it. */
  readonly from: number;
  readonly pick: number;
  /** Decisions at most. */
  readonly most: number;
}

/**
 * Runs in the page: looks at one decision after another, and takes choices of the list, until a decision has none.
 *
 * @returns how many decisions were looked at, and parts of the last question outside the window or a panel's visible
 *   part
 */
async function lookOn({ from, pick, most }: Stretch): Promise<{ seen: number; faults: string[] }> {
  const PATIENCE_MS = 15_000;
  const drawn = () => new Promise((frame) => requestAnimationFrame(() => setTimeout(frame)));
  async function until(test: () => boolean): Promise<boolean> {
    for (const end = Date.now() + PATIENCE_MS; Date.now() < end; await drawn()) if (test()) return true;
    return false;
  }
  const button = (selector: string) => document.querySelector<HTMLButtonElement>(selector);
  const isAsked = () => button(".choice:not([disabled])") !== null || button(".result") !== null;
  function outOfSight(): string[] {
    if (document.querySelector(".result") !== null) return []; // the game has ended meanwhile
    const panel = document.querySelector(".panel.prompt")!;
    const question = panel.querySelector(".question");
    if (question === null) return ["no question"];
    const parts = [question, ...panel.querySelectorAll(".choice, #unfold")];
    return parts.flatMap((part) => {
      const b = part.getBoundingClientRect();
      let [top, bottom] = [0, innerHeight];
      for (let at = part.parentElement; at !== null; at = at.parentElement) {
        if (!/auto|scroll|hidden/.test(getComputedStyle(at).overflowY)) continue;
        const box = at.getBoundingClientRect();
        [top, bottom] = [Math.max(top, box.top), Math.min(bottom, box.bottom)];
      }
      const [y, end, first, last] = [b.top, b.bottom, top, bottom].map(Math.round);
      return b.top >= top - 1 && b.bottom <= bottom + 1
        ? []
        : [`${part.textContent.slice(0, 60)}: ${y} to ${end}, seen ${first} to ${last}`];
    });
  }
  for (let seen = 0; seen < most;) {
    if (!(await until(isAsked))) return { seen, faults: ["nothing to choose"] };
    if (button(".result") !== null) return { seen, faults: [] };
    let faults: string[] = [];
    await drawn();
    await until(() => (faults = outOfSight()).length === 0);
    seen++;
    if (faults.length > 0) return { seen, faults };
    const list = document.querySelectorAll<HTMLButtonElement>(".choices:not(.ending) .choice:not([disabled])");
    const n = (from + seen) * 7 + pick;
    const choice = list[n % Math.max(1, list.length)] ?? button(".choice:not([disabled])");
    if (choice === null || seen === most) return { seen, faults };
    // buttons are used again for the next question, so look for any change
    const panel = document.querySelector(".panel.prompt")!;
    let changed = false;
    const watch = new MutationObserver(() => (changed = true));
    watch.observe(panel, { attributes: true, characterData: true, childList: true, subtree: true });
    const confirm = () => button("dialog[open] #confirm");
    choice.click();
    await until(() => changed || confirm() !== null);
    await drawn();
    if (confirm() !== null) {
      changed = false;
      confirm()!.click();
      await until(() => changed);
    }
    watch.disconnect();
  }
  return { seen: most, faults: [] };
}
