import type { Base } from "../frame.js";
import { fetchFile } from "./fetch-file.js";
import { at } from "./address.js";

const loaded = new Map<string, Promise<Base>>();

/** The drawing of a board that never changes, asked for until it comes, then kept. @throws Error where there is none */
export function loadBase(name: string): Promise<Base> {
  let base = loaded.get(name);
  if (base === undefined) {
    base = ask(name);
    loaded.set(name, base);
  }
  return base;
}

async function ask(name: string): Promise<Base> {
  const base = await fetchFile<Base>(at(`/base/${name}.json`));
  if (base !== null) return base;
  loaded.delete(name); // the next who asks may find it
  throw new Error(`there is no board ${name}`);
}
