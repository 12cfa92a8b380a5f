import { expect, test } from "vitest";
import { loadGame, type MapAnswer } from "../../../../env/index.js";
import { boxOf, clickOn, DESK, PHONE, placeToClick, visit, waiting } from "./browser.js";
import { makeGame } from "../guest.js";
import { alone, game, open } from "./open.js";

const here = open();

test("the map is walked by arrows and chosen on by Enter; a screen reader hears what happened", async () => {
  const links = await makeGame(here.page, game("strike-counterstrike"));
  const { page: tab, context } = await visit(here.browser, DESK);
  await tab.goto(`${here.page.address}g/${links["soviet"]!}`);
  await waiting(tab);
  await tab.keyboard.press("m");
  const first = await tab.evaluate(() => document.activeElement?.getAttribute("data-cursor"));
  expect(first).not.toBeNull();
  for (const key of ["ArrowLeft", "ArrowUp", "ArrowRight", "ArrowRight"]) {
    await tab.keyboard.press(key);
    await tab.waitForTimeout(60);
  }
  const now = await tab.evaluate(() => document.activeElement?.getAttribute("data-cursor"));
  expect(now).not.toBe(first);
  expect(await tab.evaluate(() => document.activeElement?.getAttribute("aria-label"))).toMatch(/choice/);
  await tab.locator(".choice:not([disabled])").first().click();
  await tab.waitForFunction(() => document.querySelector("[role=status]")!.textContent!.length > 5);
  await context.close();
});

test("what one hex sees of another is asked on the map by keys, and answered with its reasons", async () => {
  const { page: tab, context, errors } = await visit(here.browser, DESK);
  await tab.goto(await alone(here.page, "streets-of-stalingrad"));
  await tab.waitForSelector(".choice:not([disabled])");
  const card = tab.locator("section.place");
  await tab.keyboard.press("s");
  await expect.poll(() => card.innerText()).toContain("Choose the place to look from.");
  await tab.keyboard.press("m");
  const from = await tab.evaluate(() => document.activeElement?.getAttribute("data-cursor"));
  await tab.keyboard.press("Enter");
  await expect.poll(() => card.innerText()).toContain(`From ${from!}`);
  const cursor = () => tab.evaluate(() => document.activeElement?.getAttribute("data-cursor") ?? null);
  await tab.keyboard.press("ArrowRight");
  await expect.poll(cursor).not.toBe(from);
  await expect.poll(cursor).not.toBeNull();
  const to = await cursor();
  await tab.keyboard.press("Enter");
  const { type, options } = loadGame("streets-of-stalingrad");
  const question = { kind: type.mapQuestions![0]!.kind, from: from!, to: to! };
  const { text, says } = type.query!(question, options, type.data) as unknown as MapAnswer;
  await expect.poll(() => card.locator("h2").textContent()).toBe(text);
  expect(await card.innerText()).toContain(says[0]!.text);
  await tab.keyboard.press("Escape");
  await expect.poll(() => tab.getAttribute(".ask-map", "aria-pressed")).toBe("false");
  expect(errors).toEqual([]);
  await context.close();
});

test("on a phone the card of a question is above the map's buttons, and the filter's hint is whole", async () => {
  const { page: tab, context, errors } = await visit(here.browser, PHONE);
  const options = { scenario: "drill-kurgan" };
  const links = await makeGame(here.page, { ...game("streets-of-stalingrad", { german: "random" }), options });
  await tab.goto(`${here.page.address}g/${links["soviet"]!}`);
  await waiting(tab);
  await tab.click(".ask-map");
  const card = await boxOf(tab.locator("section.place.open"));
  const tools = await boxOf(tab.locator(".board-tools"));
  expect(card.y + card.height).toBeLessThanOrEqual(tools.y);
  const hint = await tab.locator("#typed").evaluate((input: HTMLInputElement) => {
    input.value = input.placeholder; // letters typed scroll where those of a hint are cut
    return [input.scrollWidth, input.clientWidth];
  });
  expect(hint[0]).toBeLessThanOrEqual(hint[1]!);
  expect(errors).toEqual([]);
  await context.close();
});

test("names of places are over the counters and catch no click", async () => {
  const { page: tab, context, errors } = await visit(here.browser, DESK);
  await tab.goto(await alone(here.page, "strike-counterstrike"));
  await waiting(tab);
  await tab.waitForSelector(".pieces > g");
  const tula = tab.locator(".map .names text", { hasText: "Tula" });
  const follows = await tula.evaluate(
    (name) => document.querySelector(".pieces")!.compareDocumentPosition(name) & Node.DOCUMENT_POSITION_FOLLOWING,
  );
  expect(follows).not.toBe(0);
  const box = await boxOf(tula);
  await tab.mouse.click(box.x + box.width / 2, box.y + 2);
  await expect.poll(() => tab.textContent("section.place")).toContain("Tula");
  expect(errors).toEqual([]);
  await context.close();
});

test("counters are drawn too when the board comes after them", async () => {
  const { page: tab, context, errors } = await visit(here.browser, DESK);
  let sent = (): void => undefined;
  const held = new Promise<void>((go) => (sent = go));
  await tab.route("**/base/*.json", async (route) => {
    await held;
    await route.continue();
  });
  await tab.goto(await alone(here.page, "savage-streets"));
  await tab.waitForSelector(".choice:not([disabled])");
  expect(await tab.locator(".pieces > g").count(), "there is no board yet").toBe(0);
  sent();
  await tab.waitForSelector(".pieces > g");
  const places = await tab.locator(".marks .may, .marks .careful").count();
  expect(places, "what may be chosen glows").toBeGreaterThan(0);
  expect(errors).toEqual([]);
  await context.close();
});

test("a finger that moves the map asks nothing; one that stays does", async () => {
  const { page: tab, context, errors } = await visit(here.browser, PHONE);
  await tab.goto(await alone(here.page, "savage-streets"));
  await waiting(tab);
  await tab.waitForSelector(".pieces > g");
  const box = await boxOf(tab.locator(".board-scroll"));
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  const fingers = await context.newCDPSession(tab);
  const touch = (type: "touchStart" | "touchMove" | "touchEnd", ...touchPoints: { x: number; y: number }[]) =>
    fingers.send("Input.dispatchTouchEvent", { type, touchPoints });
  const card = tab.locator("section.place");
  await touch("touchStart", { x, y });
  for (let k = 1; k <= 8; k++) await touch("touchMove", { x: x - 10 * k, y });
  await tab.waitForTimeout(700); // longer than a long press
  expect(await card.count()).toBe(0);
  await touch("touchEnd");
  await touch("touchStart", { x, y });
  await card.waitFor();
  await touch("touchEnd");
  expect(errors).toEqual([]);
  await context.close();
});

test("a double click on the map answers one decision", async () => {
  const links = await makeGame(here.page, game("savage-streets", { S: "random" }));
  const { page: tab, context } = await visit(here.browser, DESK);
  let acts = 0;
  tab.on("websocket", (socket) =>
    socket.on("framesent", ({ payload }) => (acts += String(payload).includes('"op":"act"') ? 1 : 0)),
  );
  await tab.goto(`${here.page.address}g/${links["G"]!}`);
  const each: number[] = [];
  for (let k = 0; k < 30 && (await waiting(tab)); k++) {
    const place = await placeToClick(tab, k);
    const before = acts;
    if (place !== null) {
      await tab.mouse.click(place.x, place.y);
      await tab.waitForTimeout(120); // the answer has come
      await tab.mouse.click(place.x, place.y);
      await tab.waitForTimeout(60);
      each.push(acts - before);
    }
    if (acts === before) await clickOn(tab, 3 * k);
    await tab.waitForTimeout(400); // what follows is no double click
  }
  expect(each).toContain(1);
  expect(Math.max(...each)).toBe(1);
  await context.close();
});
