import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Command } from "commander";
import { KesselError } from "../../env/core/errors.js";
import { hasTests } from "./rule/citations.js";
import { serveFolder } from "./serve-folder.js";
import { example, print, whole } from "./common.js";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
/** Where `npm run docs` puts the site, and where a package carries it. */
const BUILT = [`${ROOT}dist/site/html`, `${ROOT}server/site/html`];

const PORT = 7559;

export function register(command: Command): void {
  command
    .option("--port <number>", "port on this machine; 0 for any", whole(0, 65535), PORT)
    .option("--build", "build the site again, even if it exists")
    .addHelpText("after", example("kessel docs"))
    .action(async (flags: { port: number; build?: true }) => {
      const { port } = await serveFolder(folder(flags.build === true), flags.port);
      print(`the documentation is at http://127.0.0.1:${port}/; Ctrl-C ends it`);
    });
}

/**
 * The folder of the site, built first where that is needed.
 *
 * @throws KesselError `bad-option` in a package without it
 */
function folder(again: boolean): string {
  const there = BUILT.find((path) => existsSync(`${path}/index.html`));
  if (there !== undefined && !again) return there;
  if (!hasTests(ROOT)) throw new KesselError("bad-option", "this package has no documentation; build it in a checkout");
  const { status } = spawnSync(process.execPath, ["env/run.mjs", "server/site/build.ts"], {
    cwd: ROOT,
    stdio: "inherit",
  });
  if (status !== 0) throw new KesselError("bad-option", "the documentation was not built; see above");
  return BUILT[0]!;
}
