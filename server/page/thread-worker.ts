import { SessionStore } from "../session/store.js";
import { PageServer } from "./serve.js";
import type { PageThreadStart } from "./thread.js";

/** Opens the page; answers `address`, and closes with `close`. */
export function open(start: PageThreadStart): (task: "address" | "close") => Promise<string> {
  const store = new SessionStore();
  store.expire();
  const starting = PageServer.start({
    ...start,
    store,
    log: (what, about) => process.stderr.write(`${JSON.stringify({ what, ...about })}\n`),
  });
  // a failure is told by the first task
  starting.then(({ hub }) => setImmediate(() => hub.warm())).catch(() => undefined);
  return async (task) => {
    const server = await starting;
    if (task === "close") await server.close();
    return server.address;
  };
}
