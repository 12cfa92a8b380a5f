import { platform, setPriority } from "node:os";
import { SessionStore } from "../session/store.js";
import { logLine } from "../stack-lines.js";
import { PageServer } from "./serve.js";
import type { PageThreadStart } from "./thread.js";

/**
 * A page's move is short, a trainer's batches never end: they are not torn apart for it. With more than this a hundred
 * people would wait on two processors that are full.
 */
const NICE = 3;

/** Time after the start when the page loads the code of the games, unless somebody needs it before, ms. */
const WARM_MS = 3_000;

/** Opens the page; answers `address`, and closes with `close`. */
export function open(start: PageThreadStart): (task: "address" | "close") => Promise<string> {
  // on Linux 0 means this thread and those it starts; elsewhere it would be the whole server
  if (platform() === "linux") setPriority(0, NICE);
  const store = new SessionStore();
  store.expire();
  const starting = PageServer.start({
    ...start,
    store,
    log: (what, about) => process.stderr.write(logLine({ what, ...about })),
  });
  // the first task reports a failure; the first visitor comes first
  starting.then((server) => setTimeout(() => server.warm().catch(() => undefined), WARM_MS)).catch(() => undefined);
  return async (task) => {
    const server = await starting;
    if (task === "close") await server.close();
    return server.address;
  };
}
