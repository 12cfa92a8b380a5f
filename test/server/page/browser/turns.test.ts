/** What was meant for one decision answers no other, in a real browser. */
import type { Page, WebSocketRoute } from "playwright-core";
import { beforeEach, afterEach, expect, test } from "vitest";
import { boxOf, DESK, visit } from "./browser.js";
import { makeGame, newFolder, SocketGuest, startPage } from "../guest.js";
import { open } from "./open.js";

let tab: Page;
/** Operations that the page has asked for. */
let asked: string[];
let leave: () => Promise<void>;
const here = open(() => startPage(newFolder()));
beforeEach(async () => {
  const visitor = await visit(here.browser, DESK);
  tab = visitor.page;
  asked = [];
  tab.on("websocket", (socket) =>
    socket.on("framesent", ({ payload }) => asked.push((JSON.parse(String(payload)) as { op: string }).op)),
  );
  leave = () => visitor.context.close();
});
afterEach(() => leave());

const times = (op: string): number => asked.filter((a) => a === op).length;
const MAY = ".choice:not([disabled]):not(.careful)";

/** A game of Pocket Stalingrad, between people or against an agent. */
const begin = (seats: Record<string, string>): Promise<Record<string, string>> =>
  makeGame(here.page, { game: "pocket-stalingrad", options: {}, seats, seed: "turns" });

async function sit(token: string): Promise<void> {
  await tab.goto(`${here.page.address}g/${token}`);
  await tab.waitForSelector(MAY);
}

/** Answers have come to everything that was asked. */
async function settled(): Promise<void> {
  await tab.keyboard.press("?");
  await tab.waitForTimeout(300);
  await tab.waitForSelector(MAY);
}

test("nothing is chosen on a new connection before it has shown what is asked", async () => {
  const routes: WebSocketRoute[] = [];
  let show = (): void => undefined;
  const held = new Promise<void>((go) => (show = go));
  await tab.routeWebSocket(/\/seat$/, (route) => {
    const server = route.connectToServer();
    const isFirst = routes.push(route) === 1;
    server.onMessage((text) => void (isFirst ? Promise.resolve() : held).then(() => route.send(text)));
  });
  await sit((await begin({ german: "first-keep" }))["soviet"]!);
  await routes[0]!.close();
  await expect.poll(() => routes.length).toBe(2);
  await tab.waitForTimeout(300);
  expect(await tab.locator(MAY).count()).toBe(0);
  show();
  await tab.waitForSelector(MAY);
  expect(await tab.locator(".offline").count()).toBe(0);
});

test("keys take nothing back and ask for no hint where their buttons can't", async () => {
  const button = (name: string) => tab.getByRole("button", { name, exact: true });
  await sit((await begin({ german: "first-keep" }))["soviet"]!);
  await tab.locator(MAY).first().click();
  await settled();
  expect(await button("Undo").isEnabled()).toBe(true);
  await button("Look back").click();
  await tab.waitForSelector(".replay");
  await tab.keyboard.press("u");
  await tab.keyboard.press("h");
  await button("Back to the game").click();
  await settled();
  expect([times("undo"), times("hint")], "looking back").toEqual([0, 0]);
  await tab.keyboard.press("u");
  await expect.poll(() => times("undo")).toBe(1);

  const links = await begin({});
  await tab.goto(`${here.page.address}g/${links["german"]!}`);
  await tab.waitForSelector(".tools");
  await tab.keyboard.press("h");
  await tab.waitForTimeout(300);
  expect(times("hint"), "on the other side's turn").toBe(0);
  const other = await SocketGuest.sit(here.page, links["soviet"]!);
  other.send({ op: "resign" });
  await tab.waitForSelector(".result");
  await tab.keyboard.press("h");
  await tab.waitForTimeout(300);
  expect(times("hint"), "after the end").toBe(0);
  other.close();
});

test("a key that is held and a double click answer one decision", async () => {
  await sit((await begin({ german: "first-keep" }))["soviet"]!);
  await tab.keyboard.down("1");
  await settled();
  await tab.keyboard.down("1"); // comes as a repetition: the key is down
  await settled();
  expect(times("act")).toBe(1);
  await tab.keyboard.up("1");
  const box = await boxOf(tab.locator(MAY).first());
  await tab.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  for (const clickCount of [1, 2]) {
    await tab.mouse.down({ clickCount });
    await tab.mouse.up({ clickCount });
    await settled();
    expect(await tab.evaluate(() => document.querySelector("button.choice:hover:not([disabled])") !== null)).toBe(true);
    expect(times("act"), `click ${clickCount}`).toBe(2);
  }
  const choice = tab.locator("button.choice:hover");
  await choice.focus();
  await tab.keyboard.down("Enter");
  await settled();
  await choice.focus();
  await tab.keyboard.down("Enter");
  await settled();
  expect(times("act"), "held Enter").toBe(3);
});

test("nothing more is chosen while an answer is awaited, though others come and go", async () => {
  const held: (string | Buffer)[] = [];
  await tab.routeWebSocket(/\/seat$/, (route) => {
    const server = route.connectToServer();
    route.onMessage((text) => (String(text).includes('"act"') ? held.push(text) : server.send(text)));
  });
  const links = await begin({});
  await sit(links["soviet"]!);
  await tab.locator(MAY).first().click();
  await expect.poll(() => held.length).toBe(1);
  const other = await SocketGuest.sit(here.page, links["german"]!);
  await tab.waitForTimeout(300); // the news of the guest has come
  expect(await tab.locator(MAY).count()).toBe(0);
  other.close();
});

test("a link that leads nowhere any more is said to, and no longer tried", async () => {
  const routes: WebSocketRoute[] = [];
  await tab.routeWebSocket(/\/seat$/, (route) => {
    if (routes.push(route) === 1) route.connectToServer();
    else route.onMessage(() => route.send(JSON.stringify({ op: "error", code: "bad-seat", message: "no such game" })));
  });
  await sit((await begin({ german: "first-keep" }))["soviet"]!);
  await routes[0]!.close();
  await expect.poll(() => tab.locator(".offline").textContent()).toBe("This game is no longer here.");
  await tab.waitForTimeout(1500);
  expect(routes.length).toBe(2);
});
