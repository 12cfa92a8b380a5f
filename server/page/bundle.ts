import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { escaped } from "../draw/svg.js";
import { cssTokens } from "../draw/theme.js";
import { type Asset, textAsset } from "./asset.js";
import { PAGE_FONTS } from "./fonts.js";
import { prepared } from "./prepared.js";
import { pageScript, type SCRIPTS } from "./script.js";

/** The page's style, in the order of its rules. */
export const SHEETS = [
  "page.css",
  "board.css",
  "panels.css",
  "sizes.css",
  "review.css",
  "learn.css",
  "puzzle.css",
  "runs.css",
];

/** The style that only the rules of a game have. */
export const RULES_SHEET = "rules.css";

/** The page, and the frame of the rules of a game. */
export const PAGES = ["index.html", "rules.html"];

export interface Bundle {
  /** Everything the pages consist of, by path. */
  readonly assets: ReadonlyMap<string, Asset>;
  /** The page of a game's rules, without its title and content. */
  readonly rules: string;
}

/**
 * @param base path before all addresses
 * @param shared names of this machine for others
 */
export async function bundle(base: string, shared: readonly string[]): Promise<Bundle> {
  const assets = new Map<string, Asset>();
  const add = (asset: Asset, end: string): string => {
    const name = `/assets/${createHash("sha256").update(asset.body).digest("hex").slice(0, 16)}.${end}`;
    assets.set(name, asset);
    return name;
  };
  const script = async (name: (typeof SCRIPTS)[number]): Promise<string> =>
    add(
      await prepared(
        name,
        [new URL("./client/", import.meta.url)],
        async () => textAsset("text/javascript; charset=utf-8", await pageScript(name), true, 11),
        true,
      ),
      "js",
    );
  const file = (name: string): string => readFileSync(new URL(`./client/${name}`, import.meta.url), "utf8");
  const sheet = (text: string): string => add(textAsset("text/css; charset=utf-8", Buffer.from(text), true), "css");
  const colours = `:root{${cssTokens("light")}}\n@media (prefers-color-scheme:dark){:root:not([data-theme=light]){${cssTokens("dark")}}}\n:root[data-theme=dark]{${cssTokens("dark")}}`;
  const style = sheet(`${SHEETS.map(file).join("\n")}\n${colours}\n`);
  const page = file("index.html")
    .replace("SHARED", escaped(shared.join(" ")))
    .replace("SCRIPT", base + (await script("page.js")))
    .replace("SHEET", base + style);
  assets.set("/", textAsset("text/html; charset=utf-8", Buffer.from(page), false));
  const rules = file("rules.html")
    .replace("SCRIPT", base + (await script("rules.js")))
    .replace("SHEET", base + style)
    .replace("RULES", base + sheet(file(RULES_SHEET)));
  const require = createRequire(import.meta.url);
  for (const [path, font] of Object.entries(PAGE_FONTS))
    assets.set(`/fonts/${path}`, {
      type: "font/woff2",
      body: readFileSync(require.resolve(font)),
      brotli: null,
      forever: true,
    });
  return { assets, rules };
}
