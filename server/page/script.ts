import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** The made script of an installed package. */
export const MADE_SCRIPT = "client/page.js";

/**
 * The page's own program. An installed package carries it; in a checkout it is made of the client's sources when the
 * server starts.
 */
export async function pageScript(): Promise<Buffer> {
  const made = fileURLToPath(new URL(`./${MADE_SCRIPT}`, import.meta.url));
  if (existsSync(made)) return readFileSync(made);
  const { build } = await import("esbuild");
  const result = await build({
    entryPoints: [fileURLToPath(new URL("./client/main.tsx", import.meta.url))],
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
  return Buffer.from(result.outputFiles[0]!.contents);
}
