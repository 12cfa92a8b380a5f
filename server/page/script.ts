import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** Programs of the pages, and the client's source that each begins in. */
const ENTRIES = { "page.js": "main.tsx", "rules.js": "rules.ts" } as const;
type Script = keyof typeof ENTRIES;
export const SCRIPTS = Object.keys(ENTRIES) as readonly Script[];

/** Where an installed package has it made. */
export const madeScript = (name: Script): string => `client/${name}`;

/**
 * A program that browsers run. An installed package carries it; in a checkout it is made of the client's sources when
 * the server starts.
 */
export async function pageScript(name: Script): Promise<Buffer> {
  const made = fileURLToPath(new URL(`./${madeScript(name)}`, import.meta.url));
  if (existsSync(made)) return readFileSync(made);
  const { build } = await import("esbuild");
  const result = await build({
    entryPoints: [fileURLToPath(new URL(`./client/${ENTRIES[name]}`, import.meta.url))],
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
