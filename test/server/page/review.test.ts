/** Looking back at a game that is over, over its socket; and beliefs while it goes on. */
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import {
  Env,
  EVERYTHING,
  GAMES,
  type JsonObject,
  loadGame,
  parseReplay,
  playReplay,
  sceneOf,
} from "../../../env/index.js";
import { renderSvg } from "../../../server/draw/render-scene.js";
import type { Reply } from "../../../server/page/frame.js";
import { Reviewer } from "../../../server/page/review/reviewer.js";
import type { Moment, Review } from "../../../server/page/review-frame.js";
import type { PageServer } from "../../../server/page/serve.js";
import { makeGame, newFolder, playedGame, SocketGuest, startPage } from "./guest.js";

let page: PageServer;
beforeAll(async () => {
  page = await startPage(newFolder(), { limits: { messages: 100_000 } });
});
afterAll(() => page.close());

/** A game of the first side, played so far. */
const played = async (id: string, most: number, over = true, at = page): Promise<SocketGuest> =>
  (await playedGame(at, id, loadGame(id).players[0]!, most, over)).me;

const momentOf = async (me: SocketGuest, at: number, eyes: string): Promise<Moment> => {
  const reply = await me.ask({ op: "moment", at, eyes });
  if (reply.op !== "moment") throw new Error(JSON.stringify(reply));
  return reply.moment;
};
const refusal = async (me: SocketGuest, message: unknown): Promise<string> => {
  const reply = await me.ask(message);
  return reply.op === "error" ? reply.message : `no error but ${reply.op}`;
};

describe.each(GAMES.map((g) => g.id))("%s", (id) => {
  const game = loadGame(id);

  test("a game that goes on shows its own side's past to who plays alone, and nothing else", async () => {
    const me = await played(id, 6, false);
    const others = ["all", "watch", ...game.players.slice(1)];
    for (const eyes of others) {
      expect(await refusal(me, { op: "moment", at: 0, eyes })).toMatch(/^while the game goes on it is seen as/);
      const picture = { op: "export", what: "svg", at: 0, eyes, theme: "light" };
      expect(await refusal(me, picture)).toMatch(/^while the game goes on it is seen as/);
    }
    const own = game.players[0];
    const position = { op: "export", what: "position", at: 0, eyes: own, theme: "light" };
    expect(await refusal(me, position)).toBe("positions and films are made when the game is over");
    expect(await refusal(me, { ...position, what: "film" })).toBe("positions and films are made when the game is over");
    for (const message of [{ op: "branch", at: 0, seats: {} }, { op: "replay" }])
      expect(await refusal(me, message)).toBe("that is possible when the game is over");
    me.close();
  });

  test("every moment is what whoever looks could see then", async () => {
    const me = await played(id, 25);
    const { decisions } = me.frame!.result!.review;
    const reply = await me.ask({ op: "replay" });
    if (reply.op !== "replay") throw new Error(reply.op);
    const replay = parseReplay(JSON.parse(reply.text));
    expect(replay.actions.length).toBe(decisions);
    const states: Int32Array[] = [];
    playReplay(game.type, replay, (env) => states.push(env.state.slice()));
    const eyes = ["all", "watch", ...game.players];
    const viewers = [EVERYTHING, -1, ...game.players.keys()];
    for (const at of new Set([0, 1, Math.floor(decisions / 2), decisions]))
      for (const [i, who] of eyes.entries()) {
        const moment = await momentOf(me, at, who);
        const { caption, counters } = sceneOf(game, states[at]!, viewers[i]!);
        expect(moment.caption).toBe(caption);
        const backs = counters.filter((c) => c.back !== undefined && c.place !== undefined).length;
        expect(moment.pieces.some((p) => p.hidden) || backs > 0).toBe(backs > 0);
        expect(moment.line?.actor ?? null).toBe(at === 0 ? null : game.players[game.actor(states[at - 1]!)]!);
      }
    me.close();
  });

  test("is played on from the middle by anybody, and resumed", async () => {
    const own = newFolder();
    const one = await startPage(own, { limits: { messages: 100_000 } });
    const me = await played(id, 12, true, one);
    const { decisions } = me.frame!.result!.review;
    const at = Math.floor(decisions / 2);
    const there = await momentOf(me, at, "all");
    const seats = Object.fromEntries(game.players.map((s) => [s, "human"]));
    const reply = await me.ask({ op: "branch", at, seats });
    if (reply.op !== "branched") throw new Error(JSON.stringify(reply));
    expect(Object.keys(reply.links).sort()).toEqual([...game.players, "watch"].sort());
    const again = await SocketGuest.sit(one, reply.links[there.by!]!);
    expect(again.asked).toBe(true);
    expect(again.frame!.caption).toBe((await momentOf(me, at, there.by!)).caption);
    const { n, prompt } = again.frame!;
    again.send({ op: "act", n, action: prompt.choices[0]!.action });
    await again.until(() => again.frame!.n > n);
    const shown = again.frame!.caption;
    again.close();
    me.close();
    await one.close();
    const other = await startPage(own);
    const later = await SocketGuest.sit(other, reply.links[there.by!]!);
    expect(later.frame!.caption).toBe(shown);
    later.close();
    await other.close();
  });
});

test("an analysis reports its progress, then the same to whoever asks; it is made once", async () => {
  const me = await played("pocket-stalingrad", 1000);
  expect(me.frame!.result!.review.evaluators[0]).toBe("commander");
  const found = async (): Promise<Review> => {
    const from = me.replies.length;
    const reply = (): Reply | undefined => me.replies.slice(from).find((r) => r.op === "review");
    me.send({ op: "analyse", by: "commander" });
    await me.until(() => reply() !== undefined);
    return (reply() as Extract<Reply, { op: "review" }>).review;
  };
  const one = await found();
  const { decisions } = me.frame!.result!.review;
  expect(Object.keys(one.values)).toEqual(["soviet", "german"]);
  for (const list of Object.values(one.values)) expect(list.length).toBe(decisions + 1);
  expect(one.luck!.length).toBe(decisions);
  expect(one.values["soviet"]!.at(-1)).toBe(me.frame!.result!.returns["soviet"]);
  expect(one.sides.some((s) => s.worst.length > 0)).toBe(true);
  expect(await found()).toEqual(one);
  expect(await refusal(me, { op: "analyse", by: "onnx:/etc/passwd" })).toMatch(/can't analyse here; .*commander/);
  expect(await refusal(me, { op: "analyse", by: "search:iterations=999999" })).toMatch(/can't analyse here/);
  expect(await refusal(me, { op: "moment", at: decisions + 1, eyes: "all" })).toMatch(`moments are 0 to ${decisions}`);
  expect(await refusal(me, { op: "moment", at: 0, eyes: "nato" })).toMatch(/no eyes "nato"/);
  expect(await refusal(me, { op: "branch", at: decisions, seats: {} })).toMatch(/over there/);
  expect(await refusal(me, { op: "branch", at: 0, seats: { soviet: "onnx:/etc/passwd" } })).toMatch(/can't play here/);
  me.close();
});

test("a second question about what is being made waits for it, and gets one answer", async () => {
  const { me, link } = await playedGame(page, "pocket-stalingrad", "soviet", 30, true);
  const other = await SocketGuest.sit(page, link.split("/").at(-1)!);
  const asked = [
    [{ op: "analyse", by: "recruit" }, "review"],
    [{ op: "judge", at: 0, by: "recruit" }, "judged"],
  ] as const;
  for (const [question, answer] of asked) {
    const answers = ({ replies }: SocketGuest) => replies.filter((r) => r.op === answer).length;
    for (let k = 0; k < 20; k++) for (const guest of [me, other]) guest.send(question);
    for (const guest of [me, other]) {
      await guest.until(() => answers(guest) > 0);
      guest.send({ op: "rule", words: "air" });
      await guest.until(() => guest.replies.at(-1)?.op === "rules"); // all that came before has come
      expect(answers(guest), answer).toBe(1);
    }
    me.send(question);
    await me.until(() => answers(me) === 2); // later it is sent again
  }
  me.close();
  other.close();
});

test("the actions of one decision are judged, with the way of each on the map", async () => {
  const me = await played("pocket-stalingrad", 1000);
  const { decisions } = me.frame!.result!.review;
  const saved = await me.ask({ op: "replay" });
  if (saved.op !== "replay") throw new Error(saved.op);
  const { actions } = parseReplay(JSON.parse(saved.text));
  const game = loadGame("pocket-stalingrad");
  const end = playReplay(game.type, parseReplay(JSON.parse(saved.text)));
  const places = new Set(sceneOf(game, end.state, EVERYTHING).board.places.map((p) => p.id));
  const seen = new Set<number>();
  for (let at = 0; at < decisions; at += 7)
    for (const by of ["recruit", "commander"]) {
      const reply = await me.ask({ op: "judge", at, by });
      if (reply.op !== "judged") throw new Error(JSON.stringify(reply));
      const { judged } = reply;
      expect([judged.at, judged.by, judged.taken]).toEqual([at, by, actions[at]]);
      expect(judged.choices.map((c) => c.action)).toContain(actions[at]);
      const chances = judged.choices.map((c) => c.probability);
      expect(chances).toEqual(chances.toSorted((a, b) => b - a));
      expect(chances.reduce((a, b) => a + b, 0)).toBeLessThanOrEqual(1.0001);
      for (const { way } of judged.choices) {
        for (const place of way) expect(places).toContain(place);
        seen.add(way.length);
      }
    }
  expect([...seen].sort()).toEqual([0, 1, 2]);
  expect(await refusal(me, { op: "judge", at: decisions, by: "recruit" })).toMatch(/nothing was decided there/);
  expect(await refusal(me, { op: "judge", at: 0, by: "onnx:/etc/passwd" })).toMatch(/can't analyse here/);
  me.close();
});

test("a moment is exported as position and picture, the game as an animated picture", async () => {
  const game = loadGame("pocket-stalingrad");
  const me = await played(game.type.id, 1000);
  const saved = await me.ask({ op: "replay" });
  if (saved.op !== "replay") throw new Error(saved.op);
  const at = 20;
  const file = async (what: string, theme = "light"): Promise<{ name: string; type: string; bytes: Buffer }> => {
    const reply = await me.ask({ op: "export", what, at, eyes: "all", theme });
    if (reply.op !== "file") throw new Error(JSON.stringify(reply));
    return { ...reply, bytes: Buffer.from(reply.base64, "base64") };
  };
  const states: Int32Array[] = [];
  playReplay(game.type, parseReplay(JSON.parse(saved.text)), (env) => states.push(env.state.slice()));

  const position = await file("position");
  expect(position.name).toMatch(/^pocket-stalingrad-\w{6}-20\.json$/);
  const env = new Env(game);
  env.resetTo(JSON.parse(position.bytes.toString()) as JsonObject, "x");
  expect(game.write(env.state)).toEqual(game.write(states[at]!));

  const [light, dark] = [await file("svg"), await file("svg", "dark")];
  expect(light.bytes.toString()).toBe(renderSvg(game, states[at]!, EVERYTHING, { theme: "light" }));
  expect(dark.bytes.toString()).toBe(renderSvg(game, states[at]!, EVERYTHING, { theme: "dark" }));
  const png = await file("png");
  expect(png.bytes.subarray(1, 4).toString()).toBe("PNG");
  const film = await file("film");
  expect(film.name).toMatch(/^pocket-stalingrad-\w{6}\.png$/);
  expect(film.bytes.includes("acTL")).toBe(true);
  expect(await refusal(me, { op: "export", what: "png", at: 9999, eyes: "all", theme: "light" })).toMatch(
    /moments are/,
  );

  for (let k = 0; k < 5; k++) me.send({ op: "export", what: "film", at, eyes: "all", theme: "light" });
  await me.until(() => me.raw.some((text) => /being made already/.test(text)));
  me.close();
});

describe("beliefs", () => {
  test("are shown to a player alone against agents, for the places with face-down counters", async () => {
    const me = await played("savage-streets", 40, false);
    await me.until(() => me.asked);
    await me.ask({ op: "rule", words: "x" }); // everything has come
    expect(me.frame!.beliefs).toBe(true);
    const reply = await me.ask({ op: "beliefs", n: me.frame!.n });
    if (reply.op !== "beliefs") throw new Error(JSON.stringify(reply));
    expect(reply.habits).toBe(true); // a net of beliefs comes with this game
    const hidden = new Set(me.frame!.pieces.filter((p) => p.hidden).map((p) => p.place));
    expect(hidden.size).toBeGreaterThan(0);
    expect(new Set(reply.places.map((p) => p.place))).toEqual(hidden);
    me.close();
  });

  test("are asked for again where they failed", async () => {
    const me = await played("savage-streets", 10, false);
    await me.until(() => me.asked);
    const { n } = me.frame!;
    const asked = vi.spyOn(Reviewer.prototype, "beliefs").mockRejectedValueOnce(new Error("the thread has ended"));
    const answer = async () => (await me.ask({ op: "beliefs", n })).op;
    expect([await answer(), await answer()]).toEqual(["error", "beliefs"]);
    asked.mockRestore(); // other tests have this module too
    me.close();
  });

  test("keep nothing waiting that is asked after them", async () => {
    const me = await played("savage-streets", 10, false);
    await me.ask({ op: "rule", words: "x" }); // everything has come
    let answer = (_found: { habits: boolean; places: never[] }): void => undefined;
    const made = new Promise<{ habits: boolean; places: never[] }>((done) => (answer = done));
    const asked = vi.spyOn(Reviewer.prototype, "beliefs").mockReturnValueOnce(made);
    const { n } = me.frame!;
    me.send({ op: "beliefs", n });
    expect(await me.ask({ op: "rule", words: "x" })).toMatchObject({ op: "rules" });
    answer({ habits: false, places: [] });
    await me.until(() => me.replies.at(-1)!.op === "beliefs");
    expect(me.replies.at(-1)).toEqual({ op: "beliefs", n, habits: false, places: [] });
    asked.mockRestore();
    me.close();
  });

  test("are shown to nobody else", async () => {
    const links = await makeGame(page, { game: "savage-streets", options: {}, seats: {}, seed: "two" });
    for (const seat of ["G", "S", "watch"]) {
      const guest = await SocketGuest.sit(page, links[seat]!);
      expect(guest.frame!.beliefs).toBe(false);
      expect(await refusal(guest, { op: "beliefs", n: guest.frame!.n })).toBe(
        "you see beliefs when you play alone against agents",
      );
      guest.close();
    }
    const alone = await makeGame(page, { game: "savage-streets", options: {}, seats: { S: "random" }, seed: "one" });
    const watcher = await SocketGuest.sit(page, alone["watch"]!);
    expect(watcher.frame!.beliefs).toBe(false);
    expect(await refusal(watcher, { op: "beliefs", n: watcher.frame!.n })).toMatch(/play alone/);
    watcher.close();
  });
});
