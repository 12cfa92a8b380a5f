import { describe, expect, test } from "vitest";
import { gameIds, loadGame, Rng, sceneOf } from "../../../env/index.js";
import { RandomAgent } from "../../../agents/random.js";
import { Session } from "../../../server/session/session.js";
import { TextSeat } from "../../../server/text/decision.js";
import {
  changedLines,
  mapLines,
  situationLines,
  type SituationLines,
  wholeLines,
} from "../../../agents/text/situation.js";
import { countTokens, countTokensByOrder, median } from "./tokens.js";

/** Hexes of a range. */
function countedOut(word: string): string[] {
  const [, from, to] = /^(\d{4})\.\.(\d{4})$/.exec(word) ?? [];
  if (from === undefined) return [word];
  return Array.from({ length: Number(to) - Number(from) + 1 }, (_, i) => String(Number(from) + i).padStart(4, "0"));
}

/** Lines that are no lists. */
const plain = (lines: Readonly<Record<string, string>>): SituationLines =>
  new Map(Object.entries(lines).map(([key, text]) => [key, { text }]));

describe("a decision as text", () => {
  test("is in full first, then only what has changed, and in full again on request", async () => {
    const game = loadGame("pocket-stalingrad");
    const session = new Session(game, ["human", new RandomAgent(1)], "texts");
    await session.advance();
    const seat = new TextSeat(session, 0);
    const first = seat.next();
    expect(first).toContain("The board:\n");
    expect(first).toMatch(/\n- Soviet: /);
    expect(seat.next()).not.toContain("The board");
    expect(seat.next()).not.toContain("hanged on the board");
    const before = situationLines(game, session.env.state, 0);
    session.choose(session.prompt(0).choices[0]!.action);
    await session.advance();
    const changed = seat.next();
    expect(changed).toContain("What happened:\n");
    expect(changed).toContain("Changed on the board:\n");
    const after = situationLines(game, session.env.state, 0);
    for (const [key, { text, list }] of after) {
      const lines = changed.split(/^(?:How it stands:|Decision )/m)[0]!.split("\n");
      const told = lines.some((l) => l === text || (list !== undefined && l.startsWith(`${list.head}: `)));
      expect(told, text).toBe(before.get(key)?.text !== text);
    }
    expect(seat.next(true)).toContain("The board:\n");
  });

  test("says what is gone from a place, a tray or a track", () => {
    const before = plain({ "place 5": "5: I/194", "tray German losses": "German losses: 1", "place 6": "6: II/194" });
    const after = plain({ "place 6": "6: III/194" });
    expect(changedLines(before, after)).toEqual(["6: III/194", "5: nothing any more", "German losses: none any more"]);
  });

  test("lists places with the same counters in one line, and nothing else", () => {
    const lines = plain({
      "track turn": "Turn: 3",
      "place 1801": "1801: face-down German marker",
      "place 1802": "1802 Ostashkov: II/194",
      "place 2003": "2003 Rzhev: face-down German marker",
      "tray a": "Lost: face-down German marker",
    });
    expect(wholeLines(lines)).toEqual([
      "Turn: 3",
      "1801, 2003 Rzhev: each face-down German marker",
      "1802 Ostashkov: II/194",
      "Lost: face-down German marker",
    ]);
  });

  test("numbers its actions from 1 and gives each its name", async () => {
    const game = loadGame("savage-streets");
    const session = new Session(game, ["human", new RandomAgent(1)], "texts");
    await session.advance();
    const { choices } = session.prompt(0);
    const lines = new TextSeat(session, 0).choices().split("\n");
    expect(lines).toHaveLength(choices.length);
    choices.forEach((_, i) => expect(lines[i]).toMatch(new RegExp(`^ *${i + 1} `)));
    choices.forEach((c, i) => expect(lines[i]).toContain(c.name));
  });

  test.each(gameIds())("names every place and every counter that the viewer knows in %s", (id) => {
    const game = loadGame(id);
    const session = new Session(
      game,
      game.players.map(() => "human"),
      "texts",
    );
    const rng = new Rng("texts"); // some games begin with an empty board
    for (let n = 0; n < 12; n++) {
      const { choices } = session.prompt(session.actor);
      session.choose(choices[rng.below(choices.length)]!.action);
    }
    const words = new Set(
      mapLines(game, session.env.state, 0)
        .join("\n")
        .split(/[\s:,]+/)
        .flatMap(countedOut),
    );
    const { board, counters, trays, tracks } = sceneOf(game, session.env.state, 0);
    for (const place of board.places) expect(words).toContain(place.id);
    const lines = [...situationLines(game, session.env.state, 0).values()].map((line) => line.text).join("\n");
    for (const c of counters) if (c.unit !== undefined) expect(lines).toContain(c.unit);
    for (const { name, items } of trays) if (items.length > 0) expect(lines).toContain(`${name}: `);
    for (const { name, cells } of tracks)
      expect(lines).toContain(`${name}: ${cells.find((c) => c.state === "now")!.label}`);
    expect(counters.length).toBeGreaterThan(0);
  });
});

test.each(gameIds())(
  "texts of %s say how it stands when that has changed, and look back for choices a few texts at most",
  async (id) => {
    const game = loadGame(id);
    let read = 0;
    for (let played = 0; played < 10 && read <= 60; played++) {
      const session = new Session(
        game,
        game.players.map((_, i) => (i === 0 ? "human" : new RandomAgent(`back-${played}`))),
        `back-${played}`,
      );
      const seat = new TextSeat(session, 0);
      const rng = new Rng(`back-${played}`);
      const texts = new Map<string, number>();
      let stood = "";
      for (let n = 0; n < 250; n++) {
        await session.advance();
        if (session.over) break;
        const now = session.standing(0).ifEndedNow;
        const text = seat.next();
        if (n > 0) expect(text.includes("How it stands:"), text).toBe(now !== stood);
        if (now !== stood) expect(text).toContain(now);
        stood = now;
        texts.set(/^Decision (\S+)\.$/m.exec(text)![1]!, n);
        const before = /\(by name: as at decision (\S+?)[,;)]/.exec(text)?.[1];
        if (before !== undefined) expect(n - texts.get(before)!).toBeLessThanOrEqual(6);
        const { choices } = session.prompt(0);
        session.choose(choices[rng.below(choices.length)]!.action);
      }
      read += texts.size;
    }
    expect(read).toBeGreaterThan(20);
  },
);

test.each(gameIds())("texts of %s are short enough for a model's window", async (id) => {
  const { changes, full } = await countTokens(loadGame(id), 1, true, 20);
  expect(changes.at(-1)).toBeLessThanOrEqual(4000);
  expect(full.at(-1)).toBeLessThanOrEqual(4000);
  const orders = await countTokensByOrder(loadGame(id), 2);
  expect(orders.length).toBeGreaterThan(20);
  expect(median(orders)).toBeLessThanOrEqual(400);
  expect(orders.at(-1)).toBeLessThanOrEqual(4000);
});

test("texts of 205 counters on 592 hexes are short enough, too, and name all that the viewer knows", async () => {
  const game = loadGame("streets-of-stalingrad", { scenario: "scenario-7", maxTurns: 1 });
  const { changes, full } = await countTokens(game, 2, true, 20);
  expect(changes.length).toBeGreaterThan(100);
  expect(changes.at(-1)).toBeLessThanOrEqual(4000);
  expect(full.at(-1)).toBeLessThanOrEqual(4000);
});

test("on a board with very many counters, counters of the same kind are listed together, by the ends of their names", () => {
  const game = loadGame("streets-of-stalingrad", { scenario: "scenario-7" });
  const session = new Session(game, ["human", "human"], "many");
  const seat = new TextSeat(session, 0);
  const text = seat.next(true);
  expect(text).toContain("0755: 3 x German infantry 5-4-8 [G305ID-577-III-1, -2, -3]; German leader [G305ID-L-BRANDT]");
  expect(text).toContain("0560 G389ID-544-AT, ");
  expect(text).toContain("Numbers of counters are attack-defence-movement points");
});
