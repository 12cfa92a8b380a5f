import { connect, createServer, type AddressInfo, type Server, type Socket } from "node:net";
import { expect, test } from "vitest";
import { clickOn, DESK, visit, waiting } from "./browser.js";
import { makeGame, newFolder, startPage } from "../guest.js";
import { alone, game, open } from "./open.js";

const here = open();

test("a board and words that didn't come at first come later", async () => {
  const { page: tab, context } = await visit(here.browser, DESK);
  for (const path of ["**/base/*.json", "**/primers/*.json"])
    await tab.route(path, (route) => route.fulfill({ status: 503, json: { error: "busy" } }), { times: 1 });
  await tab.goto(await alone(here.page, "pocket-stalingrad"));
  await tab.waitForSelector(".pieces > g");
  await tab.waitForSelector(".word");
  await tab.route("**/primers/*.json", (route) => route.abort(), { times: 1 });
  await tab.goto(`${here.page.address}words/pocket-stalingrad`);
  await tab.waitForSelector("dt");
  await context.close();
});

test("a link that leads to no game is tried once", async () => {
  const { page: tab, context } = await visit(here.browser, DESK);
  let sockets = 0;
  tab.on("websocket", () => sockets++);
  const first = tab.waitForEvent("websocket");
  await tab.goto(`${here.page.address}g/${"a".repeat(20)}`);
  const socket = await first;
  if (!socket.isClosed()) await socket.waitForEvent("close");
  await tab.waitForTimeout(1500);
  expect(sockets).toBe(1);
  expect(await tab.textContent("[role=status]")).toMatch(/^this link leads to no game here/);
  await context.close();
});

test("a server that takes sockets and loses them is tried less and less often", async () => {
  const { page: tab, context } = await visit(here.browser, DESK);
  let sockets = 0;
  await tab.routeWebSocket("**/seat", (socket) => {
    sockets++;
    socket.onMessage(() => void socket.close());
  });
  await tab.goto(`${here.page.address}g/${"a".repeat(20)}`);
  await tab.waitForTimeout(4000);
  expect(sockets).toBeGreaterThan(1);
  expect(sockets).toBeLessThan(5);
  await context.close();
});

test("the page finds its server again after it was stopped and started, and the game goes on", async () => {
  const folder = newFolder();
  const one = await startPage(folder);
  const { port } = one;
  const links = await makeGame(one, game("pocket-stalingrad", { german: "first-keep" }));
  const { page: tab, context } = await visit(here.browser, DESK);
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
});

/** A way to the page that forgets its connections without a word, as sleep, a router or a tunnel does. */
class Relay {
  private readonly pairs: (readonly [Socket, Socket])[] = [];
  /** Connections before this one carry nothing more. */
  private dead = 0;
  private readonly server: Server;

  constructor(private readonly target: number) {
    this.server = createServer((one) => {
      const other = connect(this.target, "127.0.0.1");
      const n = this.pairs.push([one, other]) - 1;
      const carry = (from: Socket, to: Socket): void =>
        void from
          .on("data", (data) => n >= this.dead && to.write(data))
          .on("end", () => n >= this.dead && to.end())
          .on("error", () => undefined);
      carry(one, other);
      carry(other, one);
    });
  }

  async listen(): Promise<number> {
    await new Promise<void>((done) => this.server.listen(0, "127.0.0.1", done));
    return (this.server.address() as AddressInfo).port;
  }

  /** @param out new connections lead nowhere either */
  forget(out: boolean): void {
    this.dead = out ? Infinity : this.pairs.length;
  }

  mend(): void {
    this.dead = this.pairs.length;
  }

  close(): void {
    for (const socket of this.pairs.flat()) socket.destroy();
    this.server.close();
  }
}

test.each(["a choice", "nothing", "waking up", "an outage"] as const)(
  "a connection that dies without a word is noticed and made again: %s",
  async (what) => {
    // browsers know every name below localhost as this machine
    const page = await startPage(newFolder(), { allowHosts: ["relay.localhost"] });
    const relay = new Relay(page.port);
    const port = await relay.listen();
    const links = await makeGame(page, game("pocket-stalingrad", { german: "first-keep" }));
    const { page: tab, context } = await visit(here.browser, DESK);
    let sockets = 0;
    tab.on("websocket", () => sockets++);
    await tab.goto(`http://relay.localhost:${port}/g/${links["soviet"]!}`);
    await waiting(tab);
    const before = await tab.locator(".log").innerText();
    expect(sockets).toBe(1);
    relay.forget(what === "an outage");
    if (what === "a choice") {
      await tab.locator("[data-die]").first().click();
      await tab.click("#keep");
      await tab.waitForSelector('[role=alert]:has-text("Your last choice did not arrive")');
      expect(await tab.locator(".log").innerText()).toBe(before);
    } else if (what === "an outage") {
      await tab.waitForSelector(".offline");
      relay.mend();
      await tab.waitForSelector(".offline", { state: "detached" });
    } else if (what === "waking up") await tab.evaluate(() => dispatchEvent(new Event("online")));
    await expect.poll(() => sockets).toBeGreaterThan(1);
    await waiting(tab);
    await clickOn(tab, 0);
    await tab.waitForFunction((text) => document.querySelector<HTMLElement>(".log")!.innerText !== text, before);
    await context.close();
    relay.close();
    await page.close();
  },
);
