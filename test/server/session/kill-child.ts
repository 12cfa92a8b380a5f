/**
 * Plays a session by random choices, and writes each decision when it is confirmed: id first, then an action a line.
 */
import { writeSync } from "node:fs";
import { loadGame } from "../../../env/index.js";
import { startSession } from "../../../server/session/open.js";
import { SessionStore } from "../../../server/session/store.js";

const store = new SessionStore(process.argv[2]!);
for (;;) {
  const game = loadGame("pocket-stalingrad");
  const open = await startSession(store, {
    game: game.type.id,
    options: game.options,
    seats: {},
    seed: String(Math.random()),
  });
  writeSync(1, `${open.header.id}\n`);
  let told = 0;
  const tell = (): void => {
    for (; told < open.session.actions.length; told++) writeSync(1, `${open.session.actions[told]!}\n`);
  };
  while (!open.session.over) {
    await open.session.advance();
    tell();
    if (open.session.over) break;
    const legal = open.session.prompt(open.session.actor).choices;
    open.session.choose(legal[Math.floor(Math.random() * legal.length)]!.action);
    tell();
  }
  await new Promise(() => setInterval(() => undefined, 1000)); // waits to be killed
}
