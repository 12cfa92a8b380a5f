import type * as threads from "node:worker_threads";
import { afterEach, expect, test, vi } from "vitest";
import { PageThread } from "../../../server/page/thread.js";
import { makeGame, newFolder, SocketGuest } from "./guest.js";

/** Threads that were started here, so that they can be ended from outside. */
const started = vi.hoisted(() => [] as threads.Worker[]);
vi.mock("node:worker_threads", async (original) => {
  const real = await original<typeof threads>();
  class Worker extends real.Worker {
    constructor(...of: ConstructorParameters<typeof threads.Worker>) {
      super(...of);
      started.push(this);
    }
  }
  return { ...real, Worker };
});

const pages: PageThread[] = [];
afterEach(async () => {
  for (const p of pages.splice(0)) await p.close();
});
async function startPage(): Promise<{ page: PageThread; told: string[] }> {
  process.env["KESSEL_SESSIONS"] = newFolder();
  const told: string[] = [];
  const page = await PageThread.start({ port: 0, host: "127.0.0.1" }, (event) => told.push(event));
  pages.push(page);
  return { page, told };
}

test("a page whose thread ends is logged and comes again, at its address and with its games", async () => {
  const { page, told } = await startPage();
  const { address } = page;
  const links = await makeGame(page, { game: "pocket-stalingrad", options: {}, seats: {} });
  const before = await SocketGuest.sit(page, links["soviet"]!);
  expect(before.frame).not.toBeNull();
  await started.at(-1)!.terminate();
  await expect.poll(() => told).toEqual(["page-lost", "page-started-again"]);
  expect(page.address).toBe(address);
  const after = await SocketGuest.sit(page, links["soviet"]!);
  expect(after.frame?.text).toEqual(before.frame?.text);
  after.close();
  before.close();
});

test("a page that ends again and again rests before it is started once more", async () => {
  const { page, told } = await startPage();
  const count = (event: string) => told.filter((e) => e === event).length;
  for (let ends = 1; ends <= 3; ends++) {
    await started.at(-1)!.terminate();
    await expect.poll(() => count("page-lost")).toBe(ends);
    if (ends < 3) await expect.poll(() => count("page-started-again")).toBe(ends);
  }
  const threadsThen = started.length;
  await new Promise((done) => setTimeout(done, 3_000));
  expect(started.length, "it would be there by now").toBe(threadsThen);
  await page.close(); // while it rests
  expect(count("page-started-again")).toBe(2);
});

test("a page that is closed is no lost page", async () => {
  const { page, told } = await startPage();
  await page.close();
  await new Promise((done) => setTimeout(done, 100));
  expect(told).toEqual([]);
});
