/** Several choices are picked one by one and carried out as one order, on the map, in the list and by the keyboard. */
import type { Page } from "playwright-core";
import { afterEach, expect, test } from "vitest";
import { makeGame } from "../guest.js";
import { barriers, boxOf, DESK, PHONE, visit } from "./browser.js";
import { open } from "./open.js";

const here = open();
let leave = async (): Promise<void> => undefined;
afterEach(() => leave());

/** Orders and actions that a page has sent. */
type Sent = string[];

async function sit(
  id: string,
  side: string,
  size = DESK,
  seed = "picks",
  options: Record<string, string> = {},
): Promise<{ tab: Page; sent: Sent; errors: string[] }> {
  const { page: tab, context, errors } = await visit(here.browser, size);
  leave = () => context.close();
  tab.setDefaultTimeout(15_000);
  const sent: Sent = [];
  tab.on("websocket", (socket) =>
    socket.on("framesent", ({ payload }) => {
      const request = JSON.parse(String(payload)) as { op: string; order?: string };
      if (["act", "order", "goOn"].includes(request.op)) sent.push(request.order ?? request.op);
    }),
  );
  const links = await makeGame(here.page, { game: id, options, seats: {}, seed });
  await tab.goto(`${here.page.address}g/${links[side]!}`);
  await tab.waitForSelector(".choice:not([disabled])");
  return { tab, sent, errors };
}
const question = (tab: Page, words: string): Promise<unknown> =>
  expect.poll(() => tab.locator(".question").innerText()).toContain(words);

async function say(tab: Page, order: string): Promise<void> {
  await tab.locator("#typed").fill(order);
  await tab.locator("#typed").press("Enter");
  await expect.poll(() => tab.locator("#typed").inputValue()).toBe("");
}

/** The middle of a place on the map, brought into sight. */
async function middle(tab: Page, place: string): Promise<{ x: number; y: number }> {
  await tab.waitForSelector(`.marks [data-place="${place}"]`, { state: "attached" });
  await tab.evaluate((p) => {
    const scroll = document.querySelector(".board-scroll")!;
    const box = document.querySelector(`.marks [data-place="${p}"]`)!.getBoundingClientRect();
    const seen = scroll.getBoundingClientRect();
    scroll.scrollBy(box.x + box.width / 2 - seen.x - seen.width / 2, box.y + box.height / 2 - seen.y - seen.height / 2);
  }, place);
  return tab.evaluate((p) => {
    const box = document.querySelector(`.marks [data-place="${p}"]`)!.getBoundingClientRect();
    return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  }, place);
}

test("purchases are picked as often as they are wanted, one less by its button, and made by one order", async () => {
  const { tab, sent, errors } = await sit("night-fight", "german");
  await tab.locator("#several").click();
  expect(await tab.locator("#do-picked").isDisabled()).toBe(true);
  for (const unit of ["truck", "truck", "truck", "vs"]) await tab.locator(`[data-action="buy ${unit}"]`).click();
  expect(sent).toEqual([]); // looking never commits
  expect(await tab.locator('[data-action="buy truck"]').innerText()).toContain("×3");
  await tab.getByRole("button", { name: /^One less: .*truck/i }).click();
  expect(await barriers(tab)).toEqual([]);
  await tab.locator("#do-picked").click();
  await expect.poll(() => sent).toEqual(["buy truck x2, buy vs"]);
  await question(tab, "34 of 40 points");
  expect(errors).toEqual([]);
});

test("counters are picked on the map with Shift, let go again, and go together by one drag", async () => {
  const { tab, sent, errors } = await sit("streets-of-stalingrad", "german");
  const stack = await middle(tab, "0315");
  await tab.keyboard.down("Shift");
  await tab.mouse.click(stack.x, stack.y);
  await tab.keyboard.up("Shift");
  // the stack is picked, and shown with each counter
  await expect.poll(() => tab.locator('.place button[aria-pressed="true"]').count()).toBeGreaterThan(1);
  const many = await tab.locator('.place button[aria-pressed="true"]').count();
  await tab.locator('.place button[aria-pressed="true"]').last().click();
  await expect.poll(() => tab.locator('.place button[aria-pressed="true"]').count()).toBe(many - 1);
  expect(sent).toEqual([]);
  await expect.poll(() => tab.locator(".reach .within").count()).toBeGreaterThan(5);
  const box = await boxOf(tab.locator('.marks .may[data-place="0315"]'));
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  await tab.mouse.move(x, y);
  await tab.mouse.down();
  await tab.mouse.move(x, y + box.height, { steps: 6 });
  await tab.mouse.up();
  await expect.poll(() => sent.length).toBe(1);
  expect(sent[0]).toMatch(/^move g1(, g\d)+ to 0314$/);
  expect(errors).toEqual([]);
});

test("a drag carries the top counter of a stack and shows it alone; with Shift it carries the stack", async () => {
  const { tab, sent, errors } = await sit("streets-of-stalingrad", "german");
  const { x, y } = await middle(tab, "0315");
  const box = await boxOf(tab.locator('.marks .may[data-place="0315"]'));
  let said = "";
  const carry = async (): Promise<string> => {
    await tab.mouse.move(x, y);
    await tab.mouse.down();
    await tab.mouse.move(x, y + box.height, { steps: 6 });
    const words = await tab.locator(".ghost svg").textContent();
    said = await tab.locator(".ghost p").innerText();
    await tab.mouse.up();
    return words!;
  };
  await tab.keyboard.down("Shift");
  const stack = await carry();
  await tab.keyboard.up("Shift");
  await expect.poll(() => sent.length).toBe(1);
  expect(sent[0]).toMatch(/^move g1(, g\d)+ to 0314$/);
  const gone = sent[0]!.split(",").length;
  expect(said).toBe(`${gone} units go to 0314, cost 1.`);
  await tab.getByRole("button", { name: "Undo" }).click();
  await expect.poll(() => tab.locator('[data-action="unit g1"], [data-action*=" g1"]').count()).toBeGreaterThan(0);
  sent.length = 0;
  const one = await carry();
  expect(stack).toBe(`${one}${gone}`); // the disc with their number
  expect(said).toBe("g1 goes to 0314, cost 1.");
  await expect.poll(() => sent.length).toBe(1);
  expect(sent[0]).not.toContain(",");
  expect(errors).toEqual([]);
});

test("units are picked by the keyboard alone and go together by one click on the map", async () => {
  const { tab, sent, errors } = await sit("night-fight", "german");
  await say(tab, "buy truck x2, vs x5, panther, done!");
  await question(tab, "which unit moves?");
  sent.length = 0;
  await tab.keyboard.press("v");
  await tab.keyboard.press("1");
  await tab.keyboard.press("3");
  await expect.poll(() => tab.locator(".picks p").innerText()).toMatch(/^Volkssturm 1 and Volkssturm 3: drag/);
  await expect.poll(() => tab.locator(".reach .within").count()).toBeGreaterThan(3);
  const place = await tab.evaluate(() => {
    const boxes = [...document.querySelectorAll(".reach .within")].map((r) => r.getBoundingClientRect());
    const box = boxes.find((r) => r.top > 300 && r.bottom < innerHeight - 100)!;
    return [box.x + box.width / 2, box.y + box.height / 2] as const;
  });
  await tab.mouse.click(...place);
  await expect.poll(() => sent.at(-1)).toMatch(/^move vs-1, vs-3 to \d{4}$/);
  const gone = (unit: string) => expect.poll(() => tab.locator(`[data-action="unit ${unit}"]`).count()).toBe(0);
  await gone("vs-3");
  await tab.keyboard.press("v");
  await tab.keyboard.press("1");
  // others are ordered to stay
  await tab.locator("#hold-picked").click();
  await expect.poll(() => sent.at(-1)).toBe("hold vs-2");
  await gone("vs-2");
  await tab.keyboard.press("v");
  await tab.keyboard.press("1");
  await tab.keyboard.press("Escape");
  expect(await tab.locator("#several").getAttribute("aria-pressed")).toBe("false");
  expect(errors).toEqual([]);
});

test("a choice that cannot be picked follows what is picked and loses none of it", async () => {
  const { tab, sent, errors } = await sit("streets-of-stalingrad", "german", DESK, "picks", {
    scenario: "drill-kurgan",
  });
  // every hex can be shelled: the rings round those with Soviets stand out
  const weak = (hex: string): Promise<number> => tab.locator(`.marks .weak[data-place="${hex}"]`).count();
  expect(await Promise.all(["1335", "1039", "0938"].map(weak))).toEqual([1, 0, 0]);
  await say(tab, "hex 1039");
  await question(tab, "Choose a gun");
  sent.length = 0;
  await tab.locator("#several").click();
  const guns = tab.locator(".choice", { hasText: "Fire with" });
  expect(await guns.count()).toBe(2);
  const names = [0, 1].map((i) => guns.nth(i).getAttribute("data-action"));
  await guns.nth(0).click();
  await guns.nth(1).click();
  expect(await tab.locator("#do-picked").innerText()).toBe("Do these 2");
  await tab.locator(".choice", { hasText: "Send 2 Stukas" }).click();
  await expect.poll(() => sent[0]).toMatch(`${(await Promise.all(names)).join(", ")}, `);
  await question(tab, "Fire of G295ID-516-I-M, G295ID-AR-1 and 2 Stukas at 1039");
  expect(errors).toEqual([]);
});

test("hexes are marked by taps, each once, and a second tap lets go", async () => {
  const { tab, sent, errors } = await sit("streets-of-stalingrad", "german", PHONE);
  await say(tab, "move all toward 0311");
  await question(tab, "mark");
  sent.length = 0;
  await tab.locator("#several").tap();
  const marks = await tab.locator(".marks .may").evaluateAll((all) => all.map((m) => m.getAttribute("data-place")!));
  expect(marks.length).toBeGreaterThan(1);
  for (const [place, picked] of [
    [marks[0]!, 1],
    [marks[1]!, 2],
    [marks[0]!, 1],
  ] as const) {
    const { x, y } = await middle(tab, place);
    await tab.touchscreen.tap(x, y);
    await expect.poll(() => tab.locator(".marks .picked").count()).toBe(picked);
  }
  expect(await tab.locator("#do-picked").innerText()).toBe("Do this one");
  expect(sent).toEqual([]);
  expect(await barriers(tab)).toEqual([]);
  await tab.locator("#do-picked-on").tap();
  await expect.poll(() => sent[0]).toBe(`hex ${marks[1]!}, done`);
  expect(errors).toEqual([]);
});
