import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Replay } from "../../../env/index.js";
import { MOST_KEPT, OpenedReplays } from "../../../server/page/opened-files.js";
import type { PageServer } from "../../../server/page/serve.js";
import { newFolder, SocketGuest, startPage } from "./guest.js";
import { recorded } from "./recorded.js";

const replay = recorded("pocket-stalingrad");
/** A replay in another file: the same game, other names. */
const named = (name: string): Replay => ({ ...replay, agents: { soviet: name, german: "human" } });
const text = (name: string): string => JSON.stringify(named(name));
/** Space between the words of a document that hardly gets smaller when it is compressed: two bits a character. */
const noise = (bytes: number): string => String.fromCharCode(...randomBytes(4 * bytes).map((b) => BLANKS[b & 3]!));
const BLANKS = [..." \t\n\r"].map((c) => c.charCodeAt(0));

test("opened replays are found as they were", () => {
  const opened = new OpenedReplays();
  opened.keep("a", text("one"), "1.2.3.4");
  expect(opened.find("a")).toEqual(named("one"));
  expect(opened.find("b")).toBeNull();
});

test("a guest who opens many displaces its own, the oldest first", () => {
  const opened = new OpenedReplays();
  opened.keep("other's", text("other"), "5.6.7.8");
  for (let i = 0; i <= MOST_KEPT.guestFiles; i++) opened.keep(`own ${i}`, text(`${i}`), "1.2.3.4");
  expect(opened.find("own 0")).toBeNull();
  for (const kept of ["own 1", `own ${MOST_KEPT.guestFiles}`, "other's"]) expect(opened.find(kept)).not.toBeNull();
});

test("bytes count as well as files, for a guest and for all together", () => {
  const most = { ...MOST_KEPT, guestBytes: 8000, bytes: 20_000 };
  const opened = new OpenedReplays(most);
  const large = text("large") + noise(most.guestBytes / 2);
  opened.keep("first", text("first"), "1.2.3.4");
  for (const link of ["a", "b"]) opened.keep(link, large, "1.2.3.4");
  expect(opened.find("first")).toBeNull();
  expect(opened.find("b")).not.toBeNull();
  const guests = most.bytes / (most.guestBytes / 2);
  for (let i = 0; i < guests; i++) opened.keep(`of ${i}`, large, `guest ${i}`);
  expect(opened.find("b")).toBeNull();
  expect(opened.find(`of ${guests - 1}`)).not.toBeNull();
});

let page: PageServer;
beforeAll(async () => {
  page = await startPage(newFolder(), { limits: { newPerMinute: 1000 } });
});
afterAll(() => page.close());

async function open(name: string): Promise<string> {
  const response = await fetch(`${page.address}api/replays`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: text(name),
  });
  return ((await response.json()) as { link: string }).link;
}

test("of 24 opened games few stay ready, those that somebody looks at among them, and all can be looked at", async () => {
  const first = await open("first");
  const guest = await SocketGuest.sit(page, first);
  const links: string[] = [];
  for (let i = 0; i < 24; i++) links.push(await open(`${i}`));
  const ready = links.filter((link) => page.hub.tables.has(link));
  expect(ready.length).toBeLessThan(10);
  expect(ready).toContain(links.at(-1));
  expect(page.hub.tables.has(first)).toBe(true);
  guest.close();
  const late = await SocketGuest.sit(page, links[1]!);
  expect(late.frame!.result!.returns).toEqual(replay.returns);
  late.close();
});
