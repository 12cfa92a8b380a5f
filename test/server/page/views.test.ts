/** Several people at one table: each sees the game as that player's own view, whoever else looks. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Game, GAMES, loadGame, Rng, SPECTATOR } from "../../../env/index.js";
import { LastMade } from "../../../server/page/drawing-cache.js";
import { BaseCache } from "../../../server/page/picture.js";
import type { PageServer } from "../../../server/page/serve.js";
import { viewOf } from "../../../server/page/view.js";
import type { OpenSession } from "../../../server/session/open.js";
import { Session } from "../../../server/session/session.js";
import { newId } from "../../../server/session/store.js";
import { TOYS } from "../../toys/index.js";
import { newFolder, SocketGuest, startPage } from "./guest.js";

let page: PageServer;
beforeAll(async () => {
  page = await startPage(newFolder(), { limits: { messages: 100_000 } });
});
afterAll(() => page.close());

/** A game between people that leaves no trace, served by the page. */
function table(game: Game, seed: string): { open: OpenSession; links: Record<string, string> } {
  const session = new Session(
    game,
    game.players.map(() => "human"),
    seed,
  );
  const links = Object.fromEntries([...game.players, "watch"].map((s) => [s, newId()]));
  const file = {
    append: () => true,
    retry: () => true,
    unsaved: 0,
    group: () => undefined,
    whenOnDisk: (then: () => void) => then(),
    close: () => undefined,
  };
  const seats = Object.fromEntries(game.players.map((p) => [p, "human"]));
  const header = { id: newId(), links, game: game.type.id, options: game.options, seats };
  const open = { session, header, file, close: async () => undefined } as unknown as OpenSession;
  page.hub.adopt(open);
  return { open, links };
}

const bases = new BaseCache();

/** What a frame shows, as JSON has it. */
const shown = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

describe.each(GAMES.map((g) => g.id))("%s", (id) => {
  test("every seat, a second visitor of it and a spectator get their own view after every decision", async () => {
    const { open, links } = table(loadGame(id), "views");
    const { players } = open.session.game;
    const who = [...Object.keys(links), ...players.slice(0, 1)];
    const guests = await Promise.all(
      who.map(async (side) => ({ side, guest: await SocketGuest.sit(page, links[side]!) })),
    );
    const rng = new Rng("views");
    for (let k = 0; k < 40 && !open.session.over; k++) {
      const mover = guests.find(({ side }) => players.indexOf(side) === open.session.actor)!.guest;
      await mover.until(() => mover.asked);
      const { n, prompt } = mover.frame!;
      mover.send({ op: "act", n, action: prompt.choices[rng.below(prompt.choices.length)]!.action });
      await mover.until(() => mover.frame!.n > n);
      await Promise.all(guests.map(({ guest }) => guest.ask({ op: "rule", words: "x" }))); // everything has come
      for (const { side, guest } of guests) {
        const viewer = side === "watch" ? SPECTATOR : players.indexOf(side);
        expect(guest.frame, `${side} after ${k + 1} decisions`).toMatchObject(
          shown(viewOf(open, viewer, bases, new LastMade())) as object,
        );
      }
    }
    for (const { guest } of guests) guest.close();
  });
});

test("undo is refused once something hidden has come to light, and the frame then says so", async () => {
  const patrol = TOYS.find((t) => t.id === "toy-patrol")!;
  const { open, links } = table(patrol.load({}, patrol.data), "undo");
  const me = await SocketGuest.sit(page, links[open.session.game.players[open.session.actor]!]!);
  const look = me.frame!.prompt.choices.find((c) => c.name === "look")!;
  me.send({ op: "act", n: me.frame!.n, action: look.action });
  await me.until(() => me.frame!.n > 1 && me.asked);
  expect(me.frame!.noUndo, "nobody has tried").toBeNull();
  const answer = await me.ask({ op: "undo", n: me.frame!.n });
  const why = "something hidden has come to light since";
  expect(answer).toMatchObject({ op: "error", message: `that can't be taken back: ${why}` });
  expect(me.frame!.noUndo).toBe(why);
  expect(open.session.actions).toEqual(["look"]);
  me.close();
});
