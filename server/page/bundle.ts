import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { cssTokens } from "../draw/theme.js";
import { type Asset, textAsset } from "./asset.js";
import { PAGE_FONTS } from "./fonts.js";
import { prepared } from "./prepared.js";
import { pageScript } from "./script.js";

/** The page's style, in the order of its rules. */
export const SHEETS = ["page.css", "review.css", "learn.css", "puzzle.css", "runs.css"];

/** Everything the page consists of, by path. */
export async function bundle(): Promise<ReadonlyMap<string, Asset>> {
  const script = await prepared("page.js", [new URL("./client/", import.meta.url)], async () =>
    textAsset("text/javascript; charset=utf-8", await pageScript(), true, 11),
  );
  const sheet = Buffer.from(
    `${SHEETS.map((name) => readFileSync(new URL(`./client/${name}`, import.meta.url), "utf8")).join("\n")}\n:root{${cssTokens("light")}}\n@media (prefers-color-scheme:dark){:root:not([data-theme=light]){${cssTokens("dark")}}}\n:root[data-theme=dark]{${cssTokens("dark")}}\n`,
  );
  const name = (body: Buffer, end: string): string =>
    `/assets/${createHash("sha256").update(body).digest("hex").slice(0, 16)}.${end}`;
  const scriptName = name(script.body, "js");
  const sheetName = name(sheet, "css");
  const html = Buffer.from(
    readFileSync(new URL("./client/index.html", import.meta.url), "utf8")
      .replace("SCRIPT", scriptName)
      .replace("SHEET", sheetName),
  );
  const assets = new Map<string, Asset>();
  assets.set("/", textAsset("text/html; charset=utf-8", html, false));
  assets.set(scriptName, script);
  assets.set(sheetName, textAsset("text/css; charset=utf-8", sheet, true));
  const require = createRequire(import.meta.url);
  for (const [path, file] of Object.entries(PAGE_FONTS))
    assets.set(`/fonts/${path}`, {
      type: "font/woff2",
      body: readFileSync(require.resolve(file)),
      brotli: null,
      forever: true,
    });
  return assets;
}
