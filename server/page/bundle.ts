import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { cssTokens } from "../draw/theme.js";
import { type Asset, textAsset } from "./asset.js";

const FONTS = {
  "barlow-500.woff2": "@fontsource/barlow-condensed/files/barlow-condensed-latin-500-normal.woff2",
  "barlow-600.woff2": "@fontsource/barlow-condensed/files/barlow-condensed-latin-600-normal.woff2",
  "serif.woff2": "@fontsource-variable/source-serif-4/files/source-serif-4-latin-wght-normal.woff2",
} as const;

/** Everything the page consists of, by path. The client is bundled here, when the server starts. */
export async function bundle(): Promise<ReadonlyMap<string, Asset>> {
  const client = fileURLToPath(new URL("./client/main.tsx", import.meta.url));
  const result = await build({
    entryPoints: [client],
    bundle: true,
    minify: true,
    format: "esm",
    target: "es2022",
    jsx: "automatic",
    jsxImportSource: "preact",
    write: false,
    legalComments: "none",
    logLevel: "silent",
  });
  const script = Buffer.from(result.outputFiles[0]!.contents);
  const sheet = Buffer.from(
    `${readFileSync(new URL("./client/page.css", import.meta.url), "utf8")}\n:root{${cssTokens("light")}}\n@media (prefers-color-scheme:dark){:root:not([data-theme=light]){${cssTokens("dark")}}}\n:root[data-theme=dark]{${cssTokens("dark")}}\n`,
  );
  const name = (body: Buffer, end: string): string =>
    `/assets/${createHash("sha256").update(body).digest("hex").slice(0, 16)}.${end}`;
  const scriptName = name(script, "js");
  const sheetName = name(sheet, "css");
  const html = Buffer.from(
    readFileSync(new URL("./client/index.html", import.meta.url), "utf8")
      .replace("SCRIPT", scriptName)
      .replace("SHEET", sheetName),
  );
  const assets = new Map<string, Asset>();
  assets.set("/", textAsset("text/html; charset=utf-8", html, false));
  assets.set(scriptName, textAsset("text/javascript; charset=utf-8", script, true));
  assets.set(sheetName, textAsset("text/css; charset=utf-8", sheet, true));
  const require = createRequire(import.meta.url);
  for (const [path, file] of Object.entries(FONTS))
    assets.set(`/fonts/${path}`, {
      type: "font/woff2",
      body: readFileSync(require.resolve(file)),
      brotli: null,
      forever: true,
    });
  return assets;
}
