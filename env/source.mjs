// A checkout runs TypeScript through tsx; an installed package runs the JavaScript that server/package/app.ts made of it.
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

const installed = existsSync(fileURLToPath(new URL("./index.js", import.meta.url)));
if (!installed) {
  const { register } = await import("tsx/esm/api");
  register({ tsconfig: fileURLToPath(new URL("../tsconfig.json", import.meta.url)) });
}

/** Imports a module by the address of its source, which ends with `.ts`. */
export const load = (url) => import(installed ? String(url).replace(/\.ts$/, ".js") : String(url));
