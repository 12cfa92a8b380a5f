// `npm run soak -- first`: what a newcomer waits for. Bytes of the first load, the first picture, the way to the first
// move.
import type { Socket } from "node:net";
import type { Browser, Page } from "playwright-core";
import { GAMES } from "../../../../env/index.js";
import { DESK, launch, PHONE, visit } from "./browser.js";
import { SocketGuest } from "../guest.js";
import { serve } from "../served.js";

/**
 * What must be reached: bytes over the wire, ms to the first picture, ms and clicks from the address to the first move.
 */
const BYTES = 300_000;
const PICTURE = 1000;
const MOVE = 60_000;
const CLICKS = 4;

/** Bytes over the wire of everything that a page has asked for but its socket. */
async function counted(page: Page): Promise<() => number> {
  const network = await page.context().newCDPSession(page);
  await network.send("Network.enable");
  let bytes = 0;
  network.on("Network.loadingFinished", (e) => (bytes += e.encodedDataLength));
  return () => bytes;
}

/** Bytes over the wire of a seat's first frame, compressed as the browser gets it. */
async function seated(address: string, link: string): Promise<number> {
  const guest = await SocketGuest.sit({ address }, link.slice(-20));
  const { _socket: wire } = guest.socket as unknown as { _socket: Socket };
  guest.close();
  return wire.bytesRead;
}

/** Milliseconds of the page's own clock, which starts with the navigation, until a selector is there and painted. */
async function shown(page: Page, selector: string): Promise<number> {
  await page.waitForSelector(selector);
  return page.evaluate(
    () => new Promise<number>((done) => requestAnimationFrame(() => setTimeout(() => done(performance.now())))),
  );
}

/** From the address to the first move, as somebody with an empty cache goes it. @returns whether all limits are kept */
async function visitor(browser: Browser, address: string, game: string, size: typeof DESK): Promise<boolean> {
  const { page, context } = await visit(browser, size, true);
  const bytes = await counted(page);
  const begun = performance.now();
  await page.goto(address);
  const lobby = await shown(page, `[data-game="${game}"]`);
  let clicks = 0;
  const click = async (selector: string): Promise<void> => {
    await page.locator(selector).first().click();
    clicks++;
  };
  await click(`[data-game="${game}"]`);
  const pressed = performance.now();
  await click("button[type=submit]");
  await page.waitForURL(/\/g\//);
  const picture = await shown(page, "svg.map");
  await click("#begin");
  await page.waitForSelector(".choice:not([disabled])");
  const ready = performance.now() - pressed;
  const loaded = bytes() + (await seated(address, page.url()));
  const log = await page.locator(".log li").count();
  await click(".choice:not([disabled])");
  if ((await page.locator("dialog[open]").count()) > 0) await click("#confirm");
  await page.waitForFunction((n) => document.querySelectorAll(".log li").length > n, log);
  const move = performance.now() - begun;
  await context.close();
  const says = [
    `${game}, ${size.width} px:`,
    `${(loaded / 1000).toFixed(0)} KB to the first board,`,
    `lobby after ${lobby.toFixed(0)} ms, board ${picture.toFixed(0)} ms after its address, ${ready.toFixed(0)} ms after Start;`,
    `first move after ${clicks} clicks and ${(move / 1000).toFixed(1)} s`,
  ];
  process.stdout.write(`${says.join(" ")}\n`);
  return loaded < BYTES && lobby < PICTURE && picture < PICTURE && move < MOVE && clicks <= CLICKS;
}

const { process: server, page } = await serve();
const browser = await launch();
try {
  for (const { id } of GAMES)
    for (const size of [DESK, PHONE]) if (!(await visitor(browser, page, id, size))) process.exitCode = 1;
} finally {
  await browser.close();
  server.kill();
}
