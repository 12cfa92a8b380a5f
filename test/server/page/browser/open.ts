import type { Browser } from "playwright-core";
import { afterAll, beforeAll } from "vitest";
import { loadGame } from "../../../../env/index.js";
import type { PageServer } from "../../../../server/page/serve.js";
import { makeGame, startPage } from "../guest.js";
import { launch } from "./browser.js";

/** A page and a browser for the tests of a file. */
export interface Open {
  readonly page: PageServer;
  readonly browser: Browser;
}

/** Opens them before the tests and closes them after. @param start makes the page */
export function open(start: () => Promise<PageServer> = () => startPage()): Open {
  const made: { page?: PageServer; browser?: Browser } = {};
  beforeAll(async () => {
    made.page = await start();
    made.browser = await launch();
  });
  afterAll(async () => {
    await made.browser?.close();
    await made.page?.close();
  });
  return made as Open;
}

/** A game as the lobby asks for it. */
export const game = (id: string, seats: Record<string, string> = {}) => ({
  game: id,
  options: {},
  seats,
  seed: "browser",
});

/** A game in which the first side is a person. @returns its link */
export async function alone(page: PageServer, id: string): Promise<string> {
  const sides = loadGame(id).players;
  const links = await makeGame(page, game(id, Object.fromEntries(sides.slice(1).map((s) => [s, "random"]))));
  return `${page.address}g/${links[sides[0]!]!}`;
}
