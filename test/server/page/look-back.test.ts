/** Looking back at a game that goes on: what the own side has seen, told over its socket. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeAgent } from "../../../agents/registry.js";
import { Env, type Game, GAMES, loadGame, Rng, sameSituation, sampleFor, type State } from "../../../env/index.js";
import { OneDecision } from "../../../server/session/one-decision.js";
import type { OpenSession } from "../../../server/session/open.js";
import { Session } from "../../../server/session/session.js";
import { newId } from "../../../server/session/store.js";
import type { Reply } from "../../../server/page/frame.js";
import type { Moment, Review } from "../../../server/page/review-frame.js";
import type { PageServer } from "../../../server/page/serve.js";
import { makeGame, newFolder, playedGame, SocketGuest, startPage } from "./guest.js";
import { hides } from "./leaks.js";

let page: PageServer;
beforeAll(async () => {
  page = await startPage(newFolder(), { limits: { messages: 100_000 } });
});
afterAll(() => page.close());

const reply = async <Op extends Reply["op"]>(me: SocketGuest, message: unknown, op: Op) => {
  const got = await me.ask(message, 120_000);
  if (got.op !== op) throw new Error(JSON.stringify(got));
  return got as Extract<Reply, { op: Op }>;
};
const analysis = async (me: SocketGuest, by: string): Promise<Review> => {
  me.send({ op: "analyse", by });
  await me.until(() => me.replies.at(-1)?.op === "review", 120_000);
  return (me.replies.at(-1) as Extract<Reply, { op: "review" }>).review;
};

describe.each(GAMES.map((g) => g.id))("%s", (id) => {
  const side = loadGame(id).players[0]!;

  test("moments are those of the own log, with the pictures that were shown", { timeout: 120_000 }, async () => {
    const { me } = await playedGame(page, id, side, 0, false);
    const shown: { captions: string; pieces: unknown; log: number }[] = [];
    for (let k = 0; k < 8; k++) {
      await me.until(() => me.asked || me.frame!.result !== null);
      if (me.frame!.result !== null) break;
      const { n, prompt, caption, pieces, log } = me.frame!;
      shown.push({ captions: caption, pieces, log: log.filter((l) => l.actor !== null).length });
      me.send({ op: "act", n, action: prompt.choices[(k * 5) % prompt.choices.length]!.action });
      await me.until(() => me.frame!.n > n);
    }
    await me.until(() => me.asked || me.frame!.result !== null);
    const { lookBack, log } = me.frame!;
    expect(lookBack!.decisions).toBe(log.filter((l) => l.actor !== null).length);
    for (const { captions, pieces, log: at } of shown) {
      const { moment } = await reply(me, { op: "moment", at, eyes: side }, "moment");
      expect(moment.caption).toBe(captions);
      expect(moment.pieces.map((p) => [p.key, p.place])).toEqual(
        (pieces as Moment["pieces"]).map((p) => [p.key, p.place]),
      );
      expect(moment.by).toBe(side);
    }
    me.close();
  });
});

test(
  "the analysis tells the own side's values, one a moment, and no luck where something is hidden",
  { timeout: 180_000 },
  async () => {
    const { me } = await playedGame(page, "savage-streets", "G", 30, false);
    await me.until(() => me.asked);
    const { decisions, evaluators } = me.frame!.lookBack!;
    const review = await analysis(me, evaluators[0]!);
    expect(Object.keys(review.values)).toEqual(["G"]);
    expect(review.values["G"]!.length).toBe(decisions + 1);
    expect(review.luck).toBeNull();
    expect(review.sides.map((s) => s.side)).toEqual(["G"]);
    for (const { number } of review.sides[0]!.worst) expect(me.frame!.log[number - 1]!.actor).toBe("G");
    me.close();
  },
);

test(
  "what the other side could do is not told, nor anything to two people or a spectator",
  { timeout: 120_000 },
  async () => {
    const { me } = await playedGame(page, "pocket-stalingrad", "german", 6, false);
    await me.until(() => me.asked);
    const other = me.frame!.log.findIndex((l) => l.actor === "soviet");
    const mine = me.frame!.log.findIndex((l) => l.actor === "german");
    const refused = await reply(me, { op: "judge", at: other, by: "recruit" }, "error");
    expect(refused.message).toBe("what the other side could do there is told when the game is over");
    const { judged } = await reply(me, { op: "judge", at: mine, by: "recruit" }, "judged");
    expect(judged.at).toBe(mine);
    const late = await reply(me, { op: "moment", at: 9999, eyes: "german" }, "error");
    expect(late.message).toMatch(/^moments are 0 to \d+, not 9999$/);
    me.close();

    const two = await makeGame(page, { game: "pocket-stalingrad", options: {}, seats: {}, seed: "two" });
    const alone = await makeGame(page, {
      game: "pocket-stalingrad",
      options: {},
      seats: { german: "random" },
      seed: "one",
    });
    for (const link of [two["soviet"]!, two["watch"]!, alone["watch"]!]) {
      const guest = await SocketGuest.sit(page, link);
      expect(guest.frame!.lookBack).toBeNull();
      const { message } = await reply(guest, { op: "moment", at: 0, eyes: "soviet" }, "error");
      expect(message).toBe("a game can be looked back at when it is over, or by who plays alone against agents");
      guest.close();
    }
  },
);

/** A game of one person from `state` on, as the page would serve it. */
async function served(game: Game, state: State, player: number, id: string): Promise<string> {
  const seats = await Promise.all(
    game.players.map((_, p) => (p === player ? ("human" as const) : makeAgent("random", { game, seed: "twin" }))),
  );
  const session = new Session(game, seats, "twin", undefined, game.write(state));
  const links = Object.fromEntries([...game.players, "watch"].map((s) => [s, newId()]));
  const header = { id, links, game: game.type.id, data: null } as unknown as OpenSession["header"];
  const file = { append: () => true, retry: () => true, unsaved: 0, group: () => undefined, close: () => undefined };
  const open = { session, header, file: { ...file, whenOnDisk: (then: () => void) => then() } };
  page.hub.adopt({ ...(open as unknown as OpenSession), close: async () => undefined });
  return links[game.players[player]!]!;
}

/** What a seat hears that chooses once, then looks back at all of it. */
async function heard(link: string): Promise<string[]> {
  const me = await SocketGuest.sit(page, link);
  const { n, prompt, seat } = me.frame!;
  me.send({ op: "act", n, action: prompt.choices[0]!.action });
  await me.until(() => me.frame!.n > n);
  const seen = me.raw.length;
  const offer = me.frame!.lookBack;
  for (let at = 0; at <= (offer?.decisions ?? -1); at++) {
    await me.ask({ op: "moment", at, eyes: seat });
    if (at < offer!.decisions) await me.ask({ op: "judge", at, by: offer!.evaluators[0]! }, 120_000);
    await me.ask({ op: "export", what: "svg", at, eyes: seat, theme: "light" }, 60_000);
  }
  if (offer !== null) await analysis(me, offer.evaluators[0]!);
  me.close();
  return [String(seen), ...me.raw.filter((text) => !text.includes('"op":"progress"'))];
}

test.each(GAMES.map((g) => g.id).filter((id) => hides(loadGame(id))))(
  "who looks back in one of two worlds of %s that it can't tell apart hears the same bytes",
  { timeout: 300_000 },
  async (id) => {
    const game = loadGame(id);
    const rng = new Rng(`look-back/${id}`);
    const env = new Env(game);
    const agent = await makeAgent("random", { game, seed: "look-back" });
    const choice = new Int32Array(1);
    let [pairs, tries] = [0, 0];
    while (pairs < 4 && tries++ < 200) {
      if (tries % 8 === 1 || env.terminated) env.reset(`look-back/${tries}`);
      for (let k = rng.below(12); k >= 0 && !env.terminated; k--) {
        await agent.act(new OneDecision(env), choice);
        env.step(choice[0]!);
      }
      if (env.terminated || env.legalCount === 1) continue;
      const player = env.actor;
      const twin = sampleFor(game, env.state, player, rng);
      if (sameSituation(twin, env.state)) continue;
      const key = newId();
      const one = await heard(await served(game, env.state.slice(), player, key));
      const two = await heard(await served(game, twin, player, key));
      if (one[1 + Number(one[0]!) - 1] !== two[1 + Number(two[0]!) - 1]) continue; // the choice itself told them apart
      pairs++;
      expect(two).toEqual(one);
    }
    expect(pairs).toBe(4);
  },
);
