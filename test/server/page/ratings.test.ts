/** A person's rating beside the agents'. */
import { describe, expect, test } from "vitest";
import { roster } from "../../../agents/roster.js";
import { EVERYTHING, KesselError, loadGame, SPECTATOR } from "../../../env/index.js";
import type { PlayedSum } from "../../../server/page/learn/rating.js";
import { ratedOf, ratingsOf } from "../../../server/page/learn/ratings.js";
import type { OpenSession } from "../../../server/session/open.js";
import type { SessionLine } from "../../../server/session/record.js";
import { Session } from "../../../server/session/session.js";

const pocket = loadGame("pocket-stalingrad");
const nameOf = (short: string): string => roster(pocket).find((e) => e.short === short)!.name;
const played = (seat: string, opponent: string, games: number, won: number): PlayedSum => ({
  seat,
  opponent,
  games,
  sum: 2 * won - games,
  squares: games,
});
const mine = (...p: PlayedSum[]) => ratingsOf(pocket, p);

describe("in a game for two", () => {
  test("who wins more is rated higher, and more games narrow the interval", () => {
    const [poor] = mine(played("soviet", nameOf("recruit"), 10, 2));
    const [good] = mine(played("soviet", nameOf("recruit"), 10, 8));
    const [sure] = mine(played("soviet", nameOf("recruit"), 100, 80));
    expect(good!.value).toBeGreaterThan(poor!.value);
    const width = (r: typeof good): number => r!.interval[1] - r!.interval[0];
    expect(width(sure)).toBeLessThan(width(good) / 2);
    expect(good!.interval[0]).toBeLessThan(good!.value);
  });

  test("the same result counts more against a stronger agent", () => {
    const [weak] = mine(played("german", nameOf("recruit"), 10, 5));
    const [strong] = mine(played("german", nameOf("commander"), 10, 5));
    expect(strong!.value).toBeGreaterThan(weak!.value);
  });

  test("an agent's own results, played by a person, give about the agent's rating", () => {
    // the recruit as Soviet beats the veteran as its card says: 46.5 % of the games in that seat
    const card = roster(pocket)
      .find((e) => e.short === "recruit")!
      .results.find((r) => r.against === "veteran.onnx")!;
    const games = 2000;
    const [r] = mine(played("soviet", nameOf("veteran"), games, games * card.seats[0]!));
    const recruit = r!.agents.find((a) => a.who === "recruit")!;
    expect(Math.abs(r!.value - recruit.value)).toBeLessThan(80);
  });

  test("each seat has its own rating, and the levels are listed beside it from the best down", () => {
    const ratings = mine(played("german", nameOf("recruit"), 4, 2), played("soviet", nameOf("veteran"), 3, 1));
    expect(ratings.map((r) => [r.seat, r.games])).toEqual([
      ["soviet", 3],
      ["german", 4],
    ]);
    const levels = ratings[0]!.agents.map((a) => a.who).filter((w) => /recruit|veteran|commander/.test(w));
    expect(levels).toEqual(["commander", "veteran", "recruit"]);
  });

  test("games against agents without a card count nothing; a seat that isn't there is named", () => {
    expect(mine(played("soviet", "search:ms=1000", 5, 5))).toEqual([]);
    expect(() => mine(played("red", nameOf("recruit"), 1, 1))).toThrow(KesselError);
  });
});

test("in a game for one it is the mean return, with those of the agents", () => {
  const sums = [{ seat: "german", opponent: "", games: 4, sum: 2, squares: 4 }];
  const [r] = ratingsOf(loadGame("night-fight"), sums);
  expect(r).toMatchObject({ seat: "german", scale: "return", games: 4, value: 0.5 });
  expect(r!.interval[1]).toBe(1);
  expect(r!.agents.map((a) => a.who)).toContain("recruit");
});

describe("a finished game counts", () => {
  const over = (header: object, options = {}, id = "pocket-stalingrad") => {
    const game = loadGame(id, options);
    const agent = { name: "recruit", act: async () => undefined };
    const session = new Session(game, ["human", agent as never], "rated");
    session.resign(0);
    const seats = { soviet: "human", german: nameOf("recruit") };
    return { session, header: { data: null, seats, ...header } } as unknown as OpenSession;
  };
  test("for the person who played it alone against an agent", () => {
    expect(ratedOf(over({}), 0)).toEqual({ seat: "soviet", opponent: nameOf("recruit"), value: -1 });
    expect(ratedOf(over({}), 1)).toBeNull();
    expect(ratedOf(over({}), -1)).toBeNull();
  });
  test("for nobody who only watched, also where no seat was a person's", () => {
    const game = loadGame("pocket-stalingrad");
    const agent = { name: "recruit", act: async () => undefined };
    const session = new Session(game, [agent as never, agent as never], "watched");
    session.resign(0);
    const open = { ...over({}), session };
    for (const viewer of [SPECTATOR, EVERYTHING]) expect(ratedOf(open, viewer)).toBeNull();
  });
  test("not where an agent gave a hint, also when it was opened again", () => {
    const lines: SessionLine[] = [];
    const helped = new Session(pocket, ["human", "human"], "helped", { append: (l) => lines.push(l) > 0 });
    helped.noteHelp();
    helped.noteHelp();
    expect(lines).toEqual([{ helped: true }]);
    const rated = (told: SessionLine[]) => {
      const agent = { name: "recruit", act: async () => undefined };
      const session = new Session(pocket, ["human", agent as never], "helped");
      session.resume(told);
      session.resign(0);
      return ratedOf({ ...over({}), session }, 0);
    };
    expect(rated([])).not.toBeNull();
    expect(rated(lines)).toBeNull();
  });
  test("not from a position, and not with other options", () => {
    expect(ratedOf(over({ position: {} }), 0)).toBeNull();
    expect(ratedOf(over({}, { gumrakReinforcements: 2 }), 0)).toBeNull();
  });
  test("not where the agents were not measured with the options that a game has of itself", () => {
    const seats = { german: "human", soviet: "onnx:streets-of-stalingrad/recruit.onnx" };
    expect(ratedOf(over({ seats }, {}, "streets-of-stalingrad"), 0)).toBeNull();
  });
});
