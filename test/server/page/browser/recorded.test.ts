/** Replays from files, and links to moments, in a real browser. */
import { nightlyUnless } from "../../../nightly.js";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { barriers, DESK, PHONE, sticksOut, visit } from "./browser.js";
import { newFolder, startPage } from "../guest.js";
import { open } from "./open.js";
import { recorded } from "../recorded.js";

const files = newFolder();
const saved = (name: string, doc: unknown): string => {
  const file = join(files, name);
  writeFileSync(file, JSON.stringify(doc));
  return file;
};
const here = open(async () => {
  const games = newFolder();
  writeFileSync(join(games, "kurgan.json"), JSON.stringify(recorded("pocket-stalingrad")));
  writeFileSync(join(games, "night.json"), JSON.stringify(recorded("night-fight")));
  return startPage(newFolder(), { games, limits: { messages: 100_000 } });
});

const at = (tab: Page): Promise<string> => tab.locator(".replay input[type=range]").inputValue();
const address = (tab: Page): Promise<string> => tab.evaluate(() => location.hash);

/** Lets a file fall on the page. */
const drop = (tab: Page, name: string, text: string): Promise<void> =>
  tab.evaluate(
    ([n, t]) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([t!], n!, { type: "application/json" }));
      for (const kind of ["dragover", "drop"])
        document.body.dispatchEvent(new DragEvent(kind, { dataTransfer, bubbles: true, cancelable: true }));
    },
    [name, text],
  );

describe.each([
  ["phone", PHONE],
  ["desk", DESK],
] as const)("on a %s", (_what, size) => {
  test("a replay is opened from its file, and its moments have addresses", nightlyUnless(size === DESK), async () => {
    const { page: tab, context, errors } = await visit(here.browser, size);
    const replay = recorded("pocket-stalingrad");
    await tab.goto(here.page.address);
    await tab.waitForSelector('.recorded input[type="file"]');
    expect(await barriers(tab)).toEqual([]);
    await tab.setInputFiles('.recorded input[type="file"]', saved("game.json", replay));
    await tab.waitForSelector(".replay");
    expect(await at(tab)).toBe(String(replay.actions.length));
    expect(await sticksOut(tab)).toBeLessThanOrEqual(0);

    await tab.click('[aria-label="One decision back"]');
    await tab.click('[aria-label="One decision back"]');
    const wanted = replay.actions.length - 2;
    await tab.waitForFunction((a) => location.hash === `#at=${a}&eyes=all`, wanted);
    await tab.selectOption('[aria-label="Seen with the eyes of"]', "german");
    await tab.waitForFunction((a) => location.hash === `#at=${a}&eyes=german`, wanted);
    const link = tab.url();

    const kept = async (name: string): Promise<Buffer> => {
      const [download] = await Promise.all([
        tab.waitForEvent("download"),
        tab.locator(".files").getByRole("button", { name, exact: true }).click(),
      ]);
      return readFileSync(await download.path());
    };
    expect(JSON.parse((await kept("the replay")).toString())).toEqual(replay);
    expect((await kept("picture (SVG)")).toString()).toMatch(/^<svg /);
    const film = await kept("the game as an animated picture");
    const pictures = await tab.evaluate(async (base64) => {
      const data = Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
      const decoder = new ImageDecoder({ data, type: "image/png" });
      await Promise.all([decoder.completed, decoder.tracks.ready]);
      const { frameCount } = decoder.tracks.selectedTrack!;
      await decoder.decode({ frameIndex: frameCount - 1 });
      return frameCount;
    }, film.toString("base64"));
    expect(pictures).toBeGreaterThan(10);

    const { page: other, context: friends } = await visit(here.browser, size);
    await other.goto(link);
    const shown = (t: Page): Promise<string> => t.locator(".replay .led").innerText();
    await other.waitForSelector(".replay .led");
    expect(await at(other)).toBe(String(wanted));
    expect(await shown(other)).toBe(await shown(tab));
    expect(await other.locator('[aria-label="Seen with the eyes of"]').inputValue()).toBe("german");
    // an address that is written while the page is open, and one that names no moment of this game
    await other.evaluate(() => (location.hash = "#at=3&eyes=watch"));
    await other.waitForFunction(
      () => document.querySelector<HTMLInputElement>(".replay input[type=range]")!.value === "3",
    );
    await other.evaluate(() => (location.hash = "#at=-1&eyes=nobody"));
    await other.reload();
    await other.waitForSelector(".replay");
    expect(await at(other)).toBe(String(replay.actions.length));
    expect(await address(other)).toBe("#at=-1&eyes=nobody");
    expect(errors).toEqual([]);
    await friends.close();
    await context.close();
  });

  test("recorded games of the server are found and opened", async () => {
    const { page: tab, context, errors } = await visit(here.browser, size);
    await tab.goto(here.page.address);
    await tab.locator(".recorded summary").click();
    expect(await tab.locator(".recorded li a").allInnerTexts()).toEqual(["kurgan", "night"]);
    await tab.fill('[name="recorded-game"]', "night-fight");
    await tab.waitForFunction(() => document.querySelectorAll(".recorded li").length === 1);
    expect(await barriers(tab)).toEqual([]);
    expect(await sticksOut(tab)).toBeLessThanOrEqual(0);
    await tab.locator(".recorded li a").click();
    await tab.waitForSelector(".replay");
    expect(errors).toEqual([]);
    await context.close();
  });

  test("a file is dropped on the lobby; one that can't be opened gets a message", async () => {
    const { page: tab, context } = await visit(here.browser, size);
    await tab.goto(here.page.address);
    await tab.waitForSelector(".recorded");
    await drop(tab, "photo.json", "\u0089PNG");
    await tab.waitForSelector(".recorded [role=alert]");
    expect(await tab.locator(".recorded [role=alert]").innerText()).toBe(
      "photo.json can't be opened: this file is no replay: it is not JSON",
    );
    await drop(tab, "going.json", JSON.stringify(recorded("pocket-stalingrad", 5)));
    await tab.waitForFunction(() =>
      /not over/.test(document.querySelector(".recorded [role=alert]")?.textContent ?? ""),
    );
    await drop(tab, "large.json", " ".repeat((4 << 20) + 1));
    await tab.waitForFunction(() =>
      /too large/.test(document.querySelector(".recorded [role=alert]")?.textContent ?? ""),
    );
    await drop(tab, "game.json", JSON.stringify(recorded("pocket-stalingrad")));
    await tab.waitForSelector(".replay");
    await context.close();
  });
});
