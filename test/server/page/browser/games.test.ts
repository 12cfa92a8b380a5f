import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { GAMES, loadGame, type MapAnswer } from "../../../env/index.js";
import type { PageServer } from "../../../server/page/serve.js";
import { barriers, clickOn, DESK, launch, PHONE, placeToClick, sticksOut, visit, waiting } from "./browser.js";
import { makeGame, newFolder, startPage } from "./guest.js";

let page: PageServer;
let browser: Browser;
beforeAll(async () => {
  page = await startPage();
  browser = await launch();
}, 120_000);
afterAll(async () => {
  await browser.close();
  await page.close();
});

const game = (id: string, seats: Record<string, string> = {}) => ({ game: id, options: {}, seats, seed: "browser" });

test("three clicks from the address to the first move, at a desk", { timeout: 90_000 }, async () => {
  const { page: tab, context, errors } = await visit(browser, DESK);
  await tab.goto(page.address);
  await tab.click('[data-game="pocket-stalingrad"]');
  await tab.click("button[type=submit]");
  await tab.waitForSelector(".choice:not([disabled])");
  const before = await tab.locator(".log li").count();
  await tab.locator(".choice:not([disabled])").first().click();
  await tab.waitForFunction((n) => document.querySelectorAll(".log li").length > n, before);
  expect(errors).toEqual([]);
  await context.close();
});

test("what the lobby offers follows what was chosen before", { timeout: 90_000 }, async () => {
  const { page: tab, context, errors } = await visit(browser, DESK);
  await tab.goto(page.address);
  await tab.click('[data-game="savage-streets"]');
  await tab.click("summary:has-text('Options')");
  const seat = tab.locator('select[name="seat"]');
  const seed = tab.locator('input[name="seed"]');
  await seat.selectOption("hot");
  expect(await seed.count()).toBe(0); // of a game between people it is drawn
  await tab.selectOption('select[name="option-mode"]', { index: 1 }); // for one
  await tab.waitForFunction(() => document.querySelector<HTMLSelectElement>('select[name="seat"]')?.value === "G");
  await tab.selectOption('select[name="option-mode"]', { index: 0 });
  await tab.selectOption('select[name="opponent-S"]', "human");
  expect(await seed.count()).toBe(0);
  await seat.selectOption("watch");
  expect(await tab.locator('select[name="opponent-S"]').inputValue()).not.toBe("human");
  await seat.selectOption("G");
  await tab.selectOption('select[name="opponent-S"]', "random");
  await seed.fill("mine");
  await tab.click("button[type=submit]");
  await tab.waitForSelector(".choice:not([disabled])");
  expect(errors).toEqual([]);
  await context.close();
});

/** A game in which the first side is a person. @returns its link */
async function alone(id: string): Promise<string> {
  const sides = loadGame(id).players;
  const links = await makeGame(page, game(id, Object.fromEntries(sides.slice(1).map((s) => [s, "random"]))));
  return `${page.address}g/${links[sides[0]!]!}`;
}

describe.each(GAMES.map((g) => g.id))("%s", (id) => {
  test("is played to its end by clicks", { timeout: 600_000 }, async () => {
    const { page: tab, context, errors } = await visit(browser, DESK);
    await tab.goto(await alone(id));
    for (let k = 0; k < 1500 && (await waiting(tab)); k++) await clickOn(tab, k * 7 + 1);
    await tab.waitForSelector(".result");
    expect(await tab.textContent(".result")).toMatch(/You have (won|lost)|A draw/);
    expect(errors).toEqual([]);
    await context.close();
  });

  test.each([
    ["phone", PHONE],
    ["desk", DESK],
  ])(
    "has nothing that keeps people out, and nothing that sticks out, on a %s",
    { timeout: 120_000 },
    async (_what, size) => {
      const { page: tab, context, errors } = await visit(browser, size);
      await tab.goto(await alone(id));
      await waiting(tab);
      await tab.waitForSelector("svg.map");
      expect(await barriers(tab)).toEqual([]);
      expect(await sticksOut(tab)).toBeLessThanOrEqual(0);
      for (const button of await tab.locator(".choice").all()) {
        const box = (await button.boundingBox())!;
        expect(box.height).toBeGreaterThanOrEqual(44);
      }
      expect(errors).toEqual([]);
      await context.close();
    },
  );
});

/** Everything that can be pressed and seen, by a name of its own; what Tab has come to so far is marked. */
const pressable = (tab: Page): Promise<string[]> =>
  tab.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>("button, a[href], select, input, summary")]
      .filter((e) => e.checkVisibility() && !(e as HTMLButtonElement).disabled && e.dataset["met"] === undefined)
      .map((e) => e.outerHTML.slice(0, 120)),
  );

test.each(["pocket-stalingrad", "savage-streets", "night-fight"])(
  "Tab comes to everything that can be pressed in %s, in the lobby too",
  { timeout: 120_000 },
  async (id) => {
    const { page: tab, context } = await visit(browser, DESK);
    const walk = async (): Promise<void> => {
      const many = (await pressable(tab)).length;
      expect(many).toBeGreaterThan(4);
      for (let k = 0; k < many + 3; k++) {
        await tab.keyboard.press("Tab");
        await tab.evaluate(() => ((document.activeElement as HTMLElement).dataset["met"] = ""));
      }
      expect(await pressable(tab)).toEqual([]);
    };
    await tab.goto(page.address);
    await tab.click(`[data-game="${id}"]`);
    await walk();
    await tab.goto(await alone(id));
    await waiting(tab);
    await tab.waitForSelector(".cursor");
    await tab.click("header button");
    await walk();
    await context.close();
  },
);

test("a game of Pocket Stalingrad is played to its end by the keyboard alone", { timeout: 600_000 }, async () => {
  const links = await makeGame(page, game("pocket-stalingrad", { german: "random" }));
  const { page: tab, context, errors } = await visit(browser, DESK);
  await tab.goto(`${page.address}g/${links["soviet"]!}`);
  for (let k = 0; k < 1500 && (await waiting(tab)); k++) {
    const before = await tab.textContent(".table");
    await tab.keyboard.press(String(1 + (k % Math.min(9, await tab.locator(".choice").count()))));
    if ((await tab.locator("dialog[open]").count()) > 0) {
      await tab.locator("#confirm").focus();
      await tab.keyboard.press("Enter");
    }
    await tab.waitForFunction((text) => document.querySelector(".table")?.textContent !== text, before);
  }
  expect(await tab.textContent(".result")).toMatch(/You have/);
  expect(errors).toEqual([]);
  await context.close();
});

test(
  "the map is walked by arrows and chosen on by Enter; a screen reader hears what happened",
  { timeout: 120_000 },
  async () => {
    const links = await makeGame(page, game("strike-counterstrike"));
    const { page: tab, context } = await visit(browser, DESK);
    await tab.goto(`${page.address}g/${links["soviet"]!}`);
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
  },
);

test("what one hex sees of another is asked on the map by keys, and told with its reasons", async () => {
  const { page: tab, context, errors } = await visit(browser, DESK);
  await tab.goto(await alone("streets-of-stalingrad"));
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

test("on a phone the card of a question stands over the map's buttons, and the filter's hint is whole", async () => {
  const { page: tab, context, errors } = await visit(browser, PHONE);
  const options = { scenario: "drill-kurgan" };
  const links = await makeGame(page, { ...game("streets-of-stalingrad", { german: "random" }), options });
  await tab.goto(`${page.address}g/${links["soviet"]!}`);
  await waiting(tab);
  await tab.click(".ask-map");
  const card = (await tab.locator("section.place.open").boundingBox())!;
  const tools = (await tab.locator(".board-tools").boundingBox())!;
  expect(card.y + card.height).toBeLessThanOrEqual(tools.y);
  const hint = await tab.locator("#typed").evaluate((input: HTMLInputElement) => {
    input.value = input.placeholder; // letters typed scroll where those of a hint are cut
    return [input.scrollWidth, input.clientWidth];
  });
  expect(hint[0]).toBeLessThanOrEqual(hint[1]!);
  expect(errors).toEqual([]);
  await context.close();
});

test("names of places lie over the counters and catch no click", async () => {
  const { page: tab, context, errors } = await visit(browser, DESK);
  await tab.goto(await alone("strike-counterstrike"));
  await waiting(tab);
  await tab.waitForSelector(".pieces > g");
  const tula = tab.locator(".map .names text", { hasText: "Tula" });
  const follows = await tula.evaluate(
    (name) => document.querySelector(".pieces")!.compareDocumentPosition(name) & Node.DOCUMENT_POSITION_FOLLOWING,
  );
  expect(follows).not.toBe(0);
  const box = (await tula.boundingBox())!;
  await tab.mouse.click(box.x + box.width / 2, box.y + 2);
  await expect.poll(() => tab.textContent("section.place")).toContain("Tula");
  expect(errors).toEqual([]);
  await context.close();
});

test("counters are drawn too when the board comes after them", { timeout: 60_000 }, async () => {
  const { page: tab, context, errors } = await visit(browser, DESK);
  let sent = (): void => undefined;
  const held = new Promise<void>((go) => (sent = go));
  await tab.route("**/base/*.json", async (route) => {
    await held;
    await route.continue();
  });
  await tab.goto(await alone("savage-streets"));
  await tab.waitForSelector(".choice:not([disabled])");
  expect(await tab.locator(".pieces > g").count(), "there is no board yet").toBe(0);
  sent();
  await tab.waitForSelector(".pieces > g");
  const places = await tab.locator(".marks .may, .marks .careful").count();
  expect(places, "what may be chosen glows").toBeGreaterThan(0);
  expect(errors).toEqual([]);
  await context.close();
});

test("a finger that moves the map asks nothing; one that stays does", { timeout: 60_000 }, async () => {
  const { page: tab, context, errors } = await visit(browser, PHONE);
  await tab.goto(await alone("savage-streets"));
  await waiting(tab);
  await tab.waitForSelector(".pieces > g");
  const box = (await tab.locator(".board-scroll").boundingBox())!;
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

test("a double click on the map answers one decision", { timeout: 60_000 }, async () => {
  const links = await makeGame(page, game("savage-streets", { S: "random" }));
  const { page: tab, context } = await visit(browser, DESK);
  let acts = 0;
  tab.on("websocket", (socket) =>
    socket.on("framesent", ({ payload }) => (acts += String(payload).includes('"op":"act"') ? 1 : 0)),
  );
  await tab.goto(`${page.address}g/${links["G"]!}`);
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

test("a board and words that didn't come at first come later", { timeout: 60_000 }, async () => {
  const { page: tab, context } = await visit(browser, DESK);
  for (const path of ["**/base/*.json", "**/primers/*.json"])
    await tab.route(path, (route) => route.fulfill({ status: 503, json: { error: "busy" } }), { times: 1 });
  await tab.goto(await alone("pocket-stalingrad"));
  await tab.waitForSelector(".pieces > g");
  await tab.waitForSelector(".word");
  await tab.route("**/primers/*.json", (route) => route.abort(), { times: 1 });
  await tab.goto(`${page.address}words/pocket-stalingrad`);
  await tab.waitForSelector("dt");
  await context.close();
});

test("a link that leads to no game is tried once", { timeout: 60_000 }, async () => {
  const { page: tab, context } = await visit(browser, DESK);
  let sockets = 0;
  tab.on("websocket", () => sockets++);
  const first = tab.waitForEvent("websocket");
  await tab.goto(`${page.address}g/${"a".repeat(20)}`);
  const socket = await first;
  if (!socket.isClosed()) await socket.waitForEvent("close");
  await tab.waitForTimeout(1500);
  expect(sockets).toBe(1);
  expect(await tab.textContent("[role=status]")).toMatch(/^this link leads to no game here/);
  await context.close();
});

test("a server that takes sockets and loses them is tried less and less often", { timeout: 60_000 }, async () => {
  const { page: tab, context } = await visit(browser, DESK);
  let sockets = 0;
  await tab.routeWebSocket("**/seat", (socket) => {
    sockets++;
    socket.onMessage(() => void socket.close());
  });
  await tab.goto(`${page.address}g/${"a".repeat(20)}`);
  await tab.waitForTimeout(4000);
  expect(sockets).toBeGreaterThan(1);
  expect(sockets).toBeLessThan(5);
  await context.close();
});

test(
  "links of a game between people stand under Settings afterwards; one that was cut off is told",
  { timeout: 120_000 },
  async () => {
    const { page: tab, context } = await visit(browser, DESK);
    await tab.goto(page.address);
    await tab.click('[data-game="savage-streets"]');
    await tab.selectOption('select[name="opponent-S"]', "human");
    await tab.click("button[type=submit]");
    await tab.waitForSelector(".links a");
    const shown = await tab.locator(".links a").allInnerTexts();
    expect(shown).toHaveLength(3); // the German's, the Soviet's, and the one to watch
    await tab.goto(shown[0]!);
    await tab.waitForSelector("svg.map");
    await tab.click("header button");
    expect(await tab.locator(".settings .links a").allInnerTexts()).toEqual(shown.slice(1));
    await tab.goto(shown[0]!.slice(0, -1));
    expect(await tab.textContent("[role=alert]")).toMatch(/^This link leads to no game/);
    await tab.click("a");
    await tab.waitForSelector('[data-game="savage-streets"]');
    await context.close();
  },
);

test("on a phone the log opens at what is new", { timeout: 120_000 }, async () => {
  const { page: tab, context } = await visit(browser, PHONE);
  await tab.goto(await alone("savage-streets"));
  for (let k = 0; k < 30 && (await waiting(tab)); k++) await clickOn(tab, k * 7 + 1);
  await waiting(tab);
  await tab.click('.tabs button:has-text("log")');
  await tab.waitForTimeout(200);
  const [hidden, seen] = await tab.evaluate(() => {
    const side = document.querySelector(".side")!.getBoundingClientRect();
    const lines = [...document.querySelectorAll(".log li:not([hidden])")];
    const within = lines.map((e) => {
      const { top, bottom } = e.getBoundingClientRect();
      return bottom > side.top && top < side.bottom;
    });
    return [!within[0]!, within.at(-1)! || lines.some((e, i) => e.matches(".fresh") && within[i]!)];
  });
  expect([hidden, seen]).toEqual([true, true]);
  await context.close();
});

test("two browsers play each other, a third watches; a reload changes nothing", { timeout: 180_000 }, async () => {
  const links = await makeGame(page, game("savage-streets"));
  const g = await visit(browser, DESK);
  const s = await visit(browser, DESK);
  const w = await visit(browser, PHONE);
  await g.page.goto(`${page.address}g/${links["G"]!}`);
  await s.page.goto(`${page.address}g/${links["S"]!}`);
  await w.page.goto(`${page.address}g/${links["watch"]!}`);
  for (let k = 0; k < 24; k++) {
    await Promise.race([
      g.page.waitForSelector(".choice:not([disabled])"),
      s.page.waitForSelector(".choice:not([disabled])"),
    ]);
    const mover = (await s.page.locator(".choice:not([disabled])").count()) > 0 ? s.page : g.page;
    await clickOn(mover, k);
    await mover.waitForTimeout(120);
  }
  await g.page.waitForTimeout(400);
  expect(await w.page.locator(".choice").count()).toBe(0);
  expect(await w.page.locator(".log li").count()).toBeGreaterThan(3);
  const shown = await g.page.locator(".log").innerText();
  await g.page.reload();
  await g.page.waitForSelector(".log li");
  expect(await g.page.locator(".log").innerText()).toBe(shown);
  expect([...g.errors, ...s.errors, ...w.errors]).toEqual([]);
  for (const v of [g, s, w]) await v.context.close();
});

test(
  "the page finds its server again after it was stopped and started, and the game goes on",
  { timeout: 180_000 },
  async () => {
    const folder = newFolder();
    const one = await startPage(folder);
    const { port } = one;
    const links = await makeGame(one, game("pocket-stalingrad", { german: "first-keep" }));
    const { page: tab, context } = await visit(browser, DESK);
    await tab.goto(`${one.address}g/${links["soviet"]!}`);
    for (let k = 0; k < 6 && (await waiting(tab)); k++) {
      await clickOn(tab, k * 3);
      await tab.waitForTimeout(100);
    }
    await waiting(tab);
    const shown = await tab.locator(".log").innerText();
    await one.close();
    await tab.waitForSelector(".offline");
    const two = await startPage(folder, { port });
    await tab.waitForSelector(".offline", { state: "detached" });
    expect(await tab.locator(".log").innerText()).toBe(shown);
    await clickOn(tab, 3);
    await tab.waitForFunction((text) => document.querySelector<HTMLElement>(".log")!.innerText !== text, shown);
    await context.close();
    await two.close();
  },
);
