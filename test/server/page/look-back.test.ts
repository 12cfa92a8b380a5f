/** Looking back at a game that goes on: what the own side has seen, sent over its socket. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { roster } from "../../../agents/roster.js";
import { GAMES, loadGame } from "../../../env/index.js";
import type { Reply } from "../../../server/page/frame.js";
import type { Moment } from "../../../server/page/review-frame.js";
import type { PageServer } from "../../../server/page/serve.js";
import { makeGame, newFolder, playedGame, SocketGuest, startPage } from "./guest.js";
import { hides } from "./leaks.js";
import { analysisBy, compareLookBack } from "./look-back-pairs.js";
import { nightlyUnless } from "../../nightly.js";

let page: PageServer;
beforeAll(async () => {
  page = await startPage(newFolder(), { limits: { messages: 100_000 } });
});
afterAll(() => page.close());

const reply = async <Op extends Reply["op"]>(me: SocketGuest, message: unknown, op: Op) => {
  const got = await me.ask(message);
  if (got.op !== op) throw new Error(JSON.stringify(got));
  return got as Extract<Reply, { op: Op }>;
};

describe.each(GAMES.map((g) => g.id))("%s", (id) => {
  const side = loadGame(id).players[0]!;

  test("moments are those of the own log, with the pictures that were shown", async () => {
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

test("the analysis shows the own side's values, one a moment, and no luck where something is hidden", async () => {
  const { me } = await playedGame(page, "savage-streets", "G", 30, false);
  await me.until(() => me.asked);
  const { decisions, evaluators } = me.frame!.lookBack!;
  const review = await analysisBy(me, evaluators[0]!);
  expect(Object.keys(review.values)).toEqual(["G"]);
  expect(review.values["G"]!.length).toBe(decisions + 1);
  expect(review.luck).toBeNull();
  expect(review.sides.map((s) => s.side)).toEqual(["G"]);
  for (const { number } of review.sides[0]!.worst) expect(me.frame!.log[number - 1]!.actor).toBe("G");
  me.close();
});

test("what the other side could do is not shown, nor is anything to two people or a spectator", async () => {
  const { me } = await playedGame(page, "pocket-stalingrad", "german", 6, false);
  await me.until(() => me.asked);
  const other = me.frame!.log.findIndex((l) => l.actor === "soviet");
  const mine = me.frame!.log.findIndex((l) => l.actor === "german");
  const refused = await reply(me, { op: "judge", at: other, by: "recruit" }, "error");
  expect(refused.message).toBe("you see what the other side could do there when the game is over");
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
});

for (const id of GAMES.map((g) => g.id).filter((id) => hides(loadGame(id))))
  test(
    `who looks back in one of two worlds of ${id} that it can't tell apart hears the same bytes`,
    nightlyUnless(id === "savage-streets"),
    async () => {
      expect(await compareLookBack(page, loadGame(id), 2, `look-back/${id}`)).toEqual({ pairs: 2, differences: [] });
    },
  );

test.each([
  ["hint", false],
  ["judge", false],
  ["analyse", false],
  ["moment", true],
])("after asking for a %s it is %s that the game is rated", async (op, isRated) => {
  const links = await makeGame(page, {
    game: "pocket-stalingrad",
    options: {},
    seats: { german: roster(loadGame("pocket-stalingrad")).find((e) => e.short === "recruit")!.name },
    seed: "rated",
  });
  const me = await SocketGuest.sit(page, links["soviet"]!);
  while (me.frame!.lookBack === null) {
    await me.until(() => me.asked);
    await me.ask({ op: "act", n: me.frame!.n, action: me.frame!.prompt.choices[0]!.action });
  }
  await me.until(() => me.asked);
  const at = me.frame!.log.filter((l) => l.actor !== null).findIndex((l) => l.actor === "soviet");
  if (op === "hint") await reply(me, { op, n: me.frame!.n }, "hint");
  else if (op === "judge") await reply(me, { op, at, by: "recruit" }, "judged");
  else if (op === "analyse") await analysisBy(me, "recruit");
  else await reply(me, { op, at, eyes: "soviet" }, "moment");
  me.send({ op: "resign" });
  await me.until(() => me.frame!.result !== null);
  expect(me.frame!.result).toMatchObject({ text: "The Soviet side gave up." });
  expect(me.frame!.caption).toBe("The game was given up."); // nobody decides any more
  expect(me.frame!.result!.rated !== null).toBe(isRated);
  me.close();
});
