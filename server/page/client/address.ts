/** The path before all addresses, which a proxy may add; this program is at `BASE/assets/NAME.js`. */
const base = new URL("..", import.meta.url).pathname.slice(0, -1);

/** Where the server has something: the one place that knows where its addresses begin. */
export const at = (path: `/${string}`): string => base + path;

/** A path as the server names it. */
export const below = (path: string): string => path.slice(base.length);
