/**
 * Games are played to their ends by dragging: whatever goes somewhere is carried there, the rest is answered by
 * buttons.
 */
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { type Choice, GAMES, loadGame, type OpenWay, Rng } from "../../../../env/index.js";
import { type Frame, patched, type Piece, type Reply } from "../../../../server/page/frame.js";
import { nightlyUnless } from "../../../nightly.js";
import { makeGame } from "../guest.js";
import { boxOf, DESK, visit } from "./browser.js";
import { game, open } from "./open.js";

const here = open();

/** The game whose walk to the end stands for those of the others. */
const SHORT = "pocket-stalingrad";

/** What a page hears and says. */
class Overheard {
  frame: Frame | null = null;
  /** Where units can be sent, by the number of the frame and the unit. */
  readonly ways = new Map<string, readonly OpenWay[]>();
  /** Actions and orders that it has sent. */
  sent = 0;

  constructor(tab: Page) {
    tab.on("websocket", (socket) => {
      socket.on("framereceived", ({ payload }) => {
        const reply = JSON.parse(String(payload)) as Reply;
        if (reply.op === "frame") this.frame = reply.frame;
        if (reply.op === "patch") this.frame = patched(this.frame!, reply.patch);
        if (reply.op === "ways") this.ways.set(`${reply.n} ${reply.unit}`, reply.ways);
      });
      socket.on("framesent", ({ payload }) => (this.sent += /"op":"(act|order|goOn)"/.test(String(payload)) ? 1 : 0));
    });
  }
}

/** The middle of a place or a counter on the screen, brought into sight. */
const onScreen = (tab: Page, x: number, y: number): Promise<{ x: number; y: number }> =>
  tab.evaluate(
    ([x, y]) => {
      const svg = document.querySelector("svg.map") as SVGSVGElement;
      const scroll = document.querySelector(".board-scroll")!;
      const at = (): { x: number; y: number } => {
        const r = svg.getBoundingClientRect();
        const { width, height } = svg.viewBox.baseVal;
        return { x: r.left + (x * r.width) / width, y: r.top + (y * r.height) / height };
      };
      const [now, box] = [at(), scroll.getBoundingClientRect()];
      const inside =
        now.x > box.left + 60 && now.x < box.right - 260 && now.y > box.top + 60 && now.y < box.bottom - 90;
      if (!inside) scroll.scrollBy(now.x - box.left - box.width / 2, now.y - box.top - box.height / 2);
      return at();
    },
    [x, y] as const,
  );

/** Something that is carried: where it is gripped, and the places that it may be let go over. */
interface Carried {
  readonly what: { readonly piece: Piece } | { readonly tray: string };
  readonly to: readonly string[];
}

const holds = (piece: Piece, unit: string): boolean =>
  [piece, ...(piece.stack ?? [])].some((c) => c.unit === unit || c.key === unit);

/** What can be carried at a decision. */
function carriedNow(frame: Frame): Carried[] {
  const { pieces, prompt, trays } = frame;
  const free = prompt.choices.filter((c) => c.warning === null);
  const find = (unit: string): Carried["what"] | null => {
    const piece = pieces.find((p) => holds(p, unit));
    if (piece !== undefined) return { piece };
    return trays.some((t) => t.svg.includes(`data-id="${unit}"`)) ? { tray: unit } : null;
  };
  const list: Carried[] = [];
  const [asked] = prompt.units;
  const goes = free.filter((c) => c.places.length > 0 && c.units.every((u) => u === asked));
  const own = asked === undefined || goes.length === 0 ? null : find(asked);
  const there = goes.map((c) => c.places.at(-1)!);
  if (own !== null) list.push({ what: own, to: there });
  if (list.length > 0) return list;
  for (const unit of new Set(frame.sendable)) {
    const what = find(unit);
    if (what !== null) list.push({ what, to: [] });
  }
  for (const { places, units } of free) {
    const piece = pieces.find((p) => p.place === places[0] && p.side === frame.seat);
    if (units.length === 0 && places.length === 2 && piece !== undefined)
      list.push({ what: { piece }, to: [places[1]!] });
  }
  return list;
}

/** Carries something to one of its places. @returns whether it was let go anywhere */
async function drag(tab: Page, heard: Overheard, { what, to }: Carried, rng: Rng): Promise<boolean> {
  const places = new Map(
    (
      await tab.evaluate(async (base) => {
        const answer = await fetch(base);
        return ((await answer.json()) as { places: { id: string; x: number; y: number }[] }).places;
      }, `/base/${heard.frame!.base}.json`)
    ).map((p) => [p.id, p]),
  );
  let from: { x: number; y: number };
  if ("piece" in what) from = await onScreen(tab, what.piece.x, what.piece.y);
  else {
    const item = tab.locator(`.tray [data-id="${what.tray}"]`).first();
    await item.scrollIntoViewIfNeeded();
    const box = await boxOf(item);
    from = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  }
  await tab.mouse.move(from.x, from.y);
  await tab.mouse.down();
  let ends = to;
  if (ends.length === 0) {
    const units = "piece" in what ? [what.piece, ...(what.piece.stack ?? [])].map((c) => c.unit ?? c.key) : [what.tray];
    const told = () => units.map((u) => heard.ways.get(`${heard.frame!.n} ${u}`)).find((w) => w !== undefined);
    await expect.poll(told, { timeout: 15_000 }).toBeDefined();
    ends = told()!.flatMap((w) => (w.warning === null ? [w.place] : []));
  }
  const here = "piece" in what ? what.piece.place : "";
  const able = ends.filter((p) => places.has(p) && p !== here);
  if (able.length === 0) {
    await tab.mouse.up();
    return false;
  }
  const target = places.get(able[rng.below(able.length)]!)!;
  await tab.mouse.move(from.x + 12, from.y + 12);
  const at = await onScreen(tab, target.x, target.y);
  await tab.mouse.move(at.x, at.y, { steps: 3 });
  await tab.mouse.up();
  return true;
}

/** Answers by a button. */
async function press(tab: Page, choices: readonly Choice[], rng: Rng): Promise<void> {
  const calm = choices.filter((c) => c.warning === null);
  const among = calm.length > 0 ? calm : choices;
  const { name, warning } = among[rng.below(among.length)]!;
  const unfold = tab.locator("#unfold");
  const button = tab.locator(`.choice[data-action="${name}"]`);
  if ((await button.count()) === 0 && (await unfold.count()) > 0) await unfold.click();
  // what was carried may just be put down by the page: then something else is asked
  await button.click({ timeout: 5000 }).catch(() => undefined);
  if (warning !== null) await tab.click("#confirm", { timeout: 5000 }).catch(() => undefined);
}

/** What is asked, once nothing more comes and the page shows it. */
async function settled(tab: Page, heard: Overheard): Promise<Frame> {
  for (;;) {
    const [frame, sent] = [heard.frame!, heard.sent];
    await tab.waitForTimeout(120); // what was carried is picked up, then put down
    const shown = await tab
      .locator(".choice:not([disabled])")
      .evaluateAll((all) => all.map((b) => b.getAttribute("data-action")));
    const names = new Set(frame.prompt.choices.map((c) => c.name));
    if (heard.frame === frame && heard.sent === sent && shown.length > 0 && shown.every((name) => names.has(name!)))
      return frame;
  }
}

/** Games, the first side of each; the landing from both. */
const PLAYED: readonly { readonly id: string; readonly seat: string; readonly options: Record<string, string> }[] = [
  ...GAMES.map(({ id }) => ({ id, seat: loadGame(id).players[0]!, options: {} })),
  ...["german", "soviet"].map((seat) => ({ id: "streets-of-stalingrad", seat, options: { scenario: "sandbox-3" } })),
];

for (const { id, seat, options } of PLAYED)
  test(
    `a game of ${[id, ...Object.values(options)].join(" ")} is played to its end by dragging, as ${seat}`,
    nightlyUnless(id === SHORT),
    async () => {
      const { page: tab, context, errors } = await visit(here.browser, DESK);
      const heard = new Overheard(tab);
      const others = loadGame(id, options).players.filter((s) => s !== seat);
      const links = await makeGame(here.page, {
        ...game(id, Object.fromEntries(others.map((s) => [s, "random"]))),
        options,
      });
      await tab.goto(`${here.page.address}g/${links[seat]!}`);
      const rng = new Rng(`drags ${id}`);
      const done = { drags: 0, presses: 0 };
      while ((await tab.locator(".result").count()) === 0) {
        await tab.waitForSelector(".choice:not([disabled]), .result");
        if ((await tab.locator(".result").count()) > 0) break;
        expect(done.drags + done.presses, "decisions").toBeLessThan(1500);
        const frame = await settled(tab, heard);
        const before = heard.sent;
        const all = rng.below(5) === 0 ? [] : carriedNow(frame);
        const dragged = all.length > 0 && (await drag(tab, heard, all[rng.below(all.length)]!, rng));
        if (dragged) done.drags++;
        else {
          done.presses++;
          await press(tab, frame.prompt.choices, rng);
          if (heard.sent === before) continue;
        }
        const what = `${frame.prompt.text} ${dragged ? "by dragging" : "by a button"}`;
        await expect.poll(() => heard.sent, { message: what, timeout: 15_000 }).toBeGreaterThan(before);
        await expect.poll(() => heard.frame!.n, { message: what, timeout: 15_000 }).toBeGreaterThan(frame.n);
      }
      expect(await tab.textContent(".result")).toMatch(/You have (won|lost)|A draw/);
      expect(done.drags).toBeGreaterThan(10);
      expect(errors).toEqual([]);
      await context.close();
    },
  );
