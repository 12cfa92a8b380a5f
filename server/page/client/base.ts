import type { Base } from "../frame.js";

const loaded = new Map<string, Promise<Base>>();

/** The drawing of a board that never changes, asked for once. */
export function loadBase(name: string): Promise<Base> {
  let base = loaded.get(name);
  if (base === undefined) {
    base = fetch(`/base/${name}.json`).then((r) => r.json() as Promise<Base>);
    loaded.set(name, base);
  }
  return base;
}
