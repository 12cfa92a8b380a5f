/** The documentation in a real browser. */
import { spawn } from "node:child_process";
import { expect, test } from "vitest";
import { allPages } from "../../../../server/site/pages.js";
import { ROOT } from "../../../documents.js";
import { nightly } from "../../../nightly.js";
import { barriers, DESK, launch, PHONE, sticksOut } from "./browser.js";

/** Starts `kessel docs`, which builds the site. @returns its address, and what ends it */
async function docs(): Promise<{ address: string; end: () => void }> {
  const site = spawn(process.execPath, ["server/cli/kessel.mjs", "docs", "--build", "--port", "0"], { cwd: ROOT });
  let out = "";
  for await (const data of site.stdout) {
    out += String(data);
    const address = /is at (http:\S+);/.exec(out)?.[1];
    if (address !== undefined) return { address, end: () => site.kill() };
  }
  throw new Error(`kessel docs ended: ${out}`);
}

test("every page of the site opens at both widths, without barriers, and search finds words", nightly, async () => {
  const { address, end } = await docs();
  const browser = await launch();
  try {
    const paths = allPages("").map((p) => p.path);
    for (const [viewport, colorScheme] of [
      [DESK, "light"],
      [PHONE, "light"],
      [DESK, "dark"],
    ] as const) {
      const tab = await (await browser.newContext({ viewport, colorScheme })).newPage();
      const errors: string[] = [];
      tab.on("pageerror", (e) => errors.push(e.message));
      for (const path of paths.filter((p) => !p.startsWith("models/"))) {
        await tab.goto(`${address}${path.replace(/index$/, "")}`);
        await tab.waitForSelector(".VPContent :is(h1, .VPHero)");
        expect(await sticksOut(tab), `${path} ${colorScheme}`).toBeLessThanOrEqual(0);
        // the button of VitePress's own search is called "Search", and shows its key, too
        const found = (await barriers(tab)).filter((b) => !b.includes("DocSearch-Button"));
        expect(found, `${path} ${colorScheme}`).toEqual([]);
      }
      expect(errors).toEqual([]);
    }
    const tab = await browser.newPage();
    await tab.goto(address);
    await tab.click(".DocSearch-Button");
    await tab.fill("#localsearch-input", "autoreset");
    await tab.waitForSelector("#localsearch-list a");
  } finally {
    await browser.close();
    end();
  }
});
