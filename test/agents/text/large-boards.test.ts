import { getEncoding } from "js-tiktoken";
import { describe, expect, test } from "vitest";
import { RandomAgent } from "../../../agents/random.js";
import { Briefings } from "../../../agents/text/briefing.js";
import { products, PRODUCTS_NOTE, ranges } from "../../../agents/text/lists.js";
import { nearLines, nearOf } from "../../../agents/text/near.js";
import { mapLines, situationLines, wholeLines } from "../../../agents/text/situation.js";
import { MOST_TOKENS, roughTokens } from "../../../agents/text/tokens.js";
import {
  Env,
  type Game,
  loadGame,
  type Prompt,
  promptOf,
  Rng,
  sampleFor,
  sceneOf,
  standingOf,
  type StateView,
} from "../../../env/index.js";
import { OneDecision } from "../../../server/session/one-decision.js";
import { Session } from "../../../server/session/session.js";
import { TextSeat } from "../../../server/text/decision.js";

const encoding = getEncoding("o200k_base");
const tokens = (text: string): number => encoding.encode(text).length;
const book = (scenario: string): Game => loadGame("streets-of-stalingrad", { scenario });
const BOOK = [1, 2, 4, 5, 6, 7, 8].map((n) => `scenario-${n}`).concat("campaign");

/** Plays on until a seat has a choice, ending what can be ended. */
function until(env: Env, seat: number): void {
  for (let k = 0; env.actor !== seat || env.legalCount === 1; k++) {
    if (k > 400) throw new Error("the seat is never asked");
    env.step(env.mask.lastIndexOf(1));
  }
}

/** Parts of a text between separators that are outside of parentheses. */
function apart(text: string, by: string): string[] {
  const out = [""];
  let depth = 0;
  for (let i = 0; i < text.length; i++) {
    if (text[i] === "(") depth++;
    if (text[i] === ")") depth--;
    if (depth === 0 && text.startsWith(by, i)) {
      out.push("");
      i += by.length - 1;
    } else out[out.length - 1] += text[i]!;
  }
  return out;
}

/** All names of `I-1..3`, `191`, `(191, 194)-(I-1..3, AT)`. */
function expanded(item: string): string[] {
  const [head, ...rest] = apart(item, "-");
  if (head!.startsWith("(") || rest.some((r) => r.startsWith("("))) {
    const heads = head!.startsWith("(") ? apart(head!.slice(1, -1), ", ").flatMap(expanded) : [head!];
    if (rest.length === 0) return heads;
    const tail = rest.join("-");
    const tails = tail.startsWith("(") ? apart(tail.slice(1, -1), ", ") : [tail];
    return heads.flatMap((h) => tails.flatMap(expanded).map((t) => `${h}-${t}`));
  }
  const range = /^(.*?)(?<!\d)(\d+)\.\.(\d+)$/.exec(item);
  if (range === null) return [item];
  const [, name, from, to] = range as unknown as [string, string, string, string];
  return Array.from({ length: Number(to) - Number(from) + 1 }, (_, i) => `${name}${Number(from) + i}`);
}

/** The names that a list such as `unit X: ...` means, as its note says. */
function named(list: string, inParts: boolean): string[] {
  if (inParts)
    return apart(list, "; ").flatMap((formation) => {
      const at = formation.indexOf(": ");
      return apart(formation.slice(at + 2), ", ").flatMap((item) => expanded(item).map((n) => `${formation.slice(0, at)}-${n}`)); // prettier-ignore
    });
  let last = "";
  return list.split(", ").flatMap((item) => {
    const range = /^(\d\d)(\d\d)\.\.\d\d(\d\d)$/.exec(item);
    if (range !== null)
      return Array.from({ length: Number(range[3]) - Number(range[2]) + 1 }, (_, i) => `${range[1]}${String(Number(range[2]) + i).padStart(2, "0")}`); // prettier-ignore
    last = item.startsWith("-") ? `${last.slice(0, last.lastIndexOf("-"))}${item}` : item;
    return [last];
  });
}

/** The legal actions that the list of a text names: by number, in families and by name. */
function namedActions(text: string, { choices }: Prompt): string[] {
  const list = text.slice(text.indexOf("Legal actions,")).split("\n");
  let family = "";
  return list.slice(1).flatMap((line) => {
    const number = /^ {2,6}(\d+) /.exec(line)?.[1];
    if (number !== undefined) return [choices[Number(number) - 1]!.name];
    const kind = /^ {2}([a-z ]+ )X: (.*)$/.exec(line) ?? /^ {2}\S.* \[([a-z ]+ )X\]:(?: (.*))?$/.exec(line);
    family = kind?.[1] ?? family;
    const names = kind === null ? (/^ {4}X.*: (.*)$/.exec(line)?.[1] ?? "") : (kind[2] ?? "");
    const inParts = names.includes(": ") && text.includes(PRODUCTS_NOTE);
    return names === "" ? [] : named(names, inParts).map((name) => `${family}${name}`);
  });
}

describe.each(BOOK)("the first texts of %s", (scenario) => {
  const game = book(scenario);
  const names = (prompt: Prompt): string[] => prompt.choices.map((c) => c.name).sort();

  test.each(game.players.map((name, seat) => [name, seat] as const))("%s: at most 4,000 tokens", (_name, seat) => {
    const env = new Env(game);
    env.reset("large");
    until(env, seat);
    for (const orders of [false, true]) {
      const { texts, choices } = new Briefings(game, "large", "short", orders).of(new OneDecision(env), 0);
      const text = texts!.join("\n");
      expect(tokens(text)).toBeLessThanOrEqual(4000);
      expect(Math.abs(roughTokens(text) / tokens(text) - 1)).toBeLessThan(0.08);
      const found = namedActions(texts![1], promptOf(game, env.state, seat));
      expect([...new Set(found)].sort(), "every legal action is named").toEqual(choices.map((c) => c.name).sort());
    }
  });

  test("over tools: at most 4,000 tokens, and every legal action is named", async () => {
    const session = new Session(
      game,
      game.players.map(() => "human"),
      "large",
    );
    await session.advance();
    const { actor } = session.env;
    const seat = new TextSeat(session, actor);
    for (const text of [seat.opening(), seat.next(true)]) {
      expect(tokens(text)).toBeLessThanOrEqual(4000);
      expect([...new Set(namedActions(text, session.prompt(actor)))].sort()).toEqual(names(session.prompt(actor)));
    }
  });
});

test.each(["campaign", "scenario-5"])("%s: the bound holds while it is played", async (scenario) => {
  const game = book(scenario);
  const session = new Session(
    game,
    game.players.map(() => "human"),
    "played",
  );
  const briefings = new Briefings(game, "played", "short");
  const seats = game.players.map((_, i) => new TextSeat(session, i));
  const random = new RandomAgent("played");
  const out = new Int32Array(1);
  for (let k = 0; k < 300; k++) {
    await session.advance();
    const { env } = session;
    if (k % 12 === 0) {
      expect(tokens(seats[env.actor]!.changes())).toBeLessThanOrEqual(4000);
      const { texts, choices } = briefings.of(new OneDecision(env), 0);
      expect(tokens(texts!.join("\n"))).toBeLessThanOrEqual(4000);
      const found = namedActions(texts![1], promptOf(game, env.state, env.actor));
      expect([...new Set(found)].sort()).toEqual(choices.map((c) => c.name).sort());
    }
    random.act(new OneDecision(env), out);
    session.choose(out[0]!);
  }
});

test("names of units by their parts are all units, and no others", () => {
  const { unitRows } = book("campaign").observation;
  for (const side of ["G", "S"]) {
    const units = unitRows.filter((name) => name.startsWith(side) && name.includes("-"));
    expect(units.length).toBeGreaterThan(300);
    const text = products(units).join("; ");
    expect(named(text, true).sort()).toEqual([...units].sort());
    expect(text.length).toBeLessThan(units.join(", ").length / 2);
  }
  expect(products(["A-1", "A-2", "B-x-1", "B-y-1", "lone"])).toEqual(["lone", "A: 1, 2", "B: (x, y)-1"]);
});

describe("what is near", () => {
  const game = book("scenario-7");
  const opened = (): Env => {
    const env = new Env(game);
    env.reset("near");
    until(env, 0);
    // nobody bombards
    while (env.actor !== 0 || promptOf(game, env.state, 0).kind !== "move.select") {
      const done = promptOf(game, env.state, env.actor).choices.find((c) => c.name === "done");
      env.step(done?.action ?? env.mask.lastIndexOf(1));
    }
    return env;
  };
  const fitted = (s: StateView, room: number) => {
    const near = nearOf(game, s, 0, promptOf(game, s, 0), standingOf(game, s, 0));
    return { near, ...nearLines(near, situationLines(game, s, 0), false, room) };
  };

  test("counters are listed or counted, none twice and none left out", () => {
    const { state } = opened();
    const scene = sceneOf(game, state, 0);
    for (const room of [700, 1200, 2000]) {
      const { board } = fitted(state, room);
      expect(roughTokens(board.join("\n"))).toBeLessThanOrEqual(room);
      const elsewhere = board.filter((line) => line.startsWith("Elsewhere"));
      const counted = elsewhere.flatMap((line) => [...line.matchAll(/ (\d+) in |others (\d+)/g)]);
      const heads = board.filter((line) => !line.startsWith("Elsewhere")).map((line) => line.split(": ")[0]!);
      const listed = new Set(heads.flatMap((head) => head.split(", ").map((place) => place.split(" ")[0]!)));
      const far = scene.counters.filter((c) => c.place !== undefined && !listed.has(c.place));
      const sum = (list: readonly number[]): number => list.reduce((a, b) => a + b, 0);
      expect(sum(counted.map((m) => Number(m[1] ?? m[2])))).toBe(sum(far.map((c) => c.count ?? 1)));
      expect(far.length).toBeGreaterThan(20);
    }
  });

  test("with room for all there is all, and the ground of what is at hand", () => {
    const { state } = opened();
    const { board, ground } = fitted(state, 9000);
    expect(board).toEqual(wholeLines(situationLines(game, state, 0)));
    expect(ground.join()).toMatch(/^Ground within 30 hexes of /);
    expect(fitted(state, 2500).ground.join()).toMatch(/^Ground (of|within \d+ hex(es)? of) the units and hexes that /);
    expect(fitted(state, 700).ground, "where a line is too long, the board has the room").toEqual([]);
  });

  test("a unit on the move has the counters and the ground around it", () => {
    const env = opened();
    const unit = promptOf(game, env.state, 0).choices.find((c) => c.name.startsWith("unit "))!;
    env.step(unit.action);
    const { near, board, ground } = fitted(env.state, 1200);
    const scene = sceneOf(game, env.state, 0);
    const at = scene.counters.find((c) => c.unit === unit.units[0])!.place!;
    expect(near.what).toBe(at);
    expect(board.join("\n")).toContain(at);
    expect(ground.join()).toMatch(new RegExp(`^Ground within \\d+ hex(es)? of ${at}: `));
    const [, away = "0", features = ""] = /^(?:In|Within (\d+) hex(?:es)? of) \d{4}: (.*)$/.exec(ground[1] ?? "") ?? [];
    const [x, y] = scene.board.places.find((p) => p.id === at)!.at;
    const close = scene.board.places.filter((p) => Math.hypot(p.at[0] - x, p.at[1] - y) < Number(away) + 0.5);
    const roads = ranges(close.flatMap((p) => (p.features?.includes("road") ? [p.id] : []))).join(" ");
    expect(roads).not.toBe("");
    expect(features.split("; ")).toContain(`road ${roads}`);
    const around = game.statics.neighbours[game.observation.mapRows.indexOf(at)]!.map((n) => game.observation.mapRows[n]!); // prettier-ignore
    const taken = around.filter((p) => scene.counters.some((c) => c.place === p));
    const listed = board.filter((line) => !line.startsWith("Elsewhere")).join("\n");
    for (const place of taken) expect(listed).toContain(place);
  });

  test("worlds that the seat can't tell apart have the same", () => {
    const { state } = opened();
    for (const seed of ["a", "b"])
      expect(fitted(sampleFor(game, state, 0, new Rng(seed)), 1200)).toEqual(fitted(state, 1200));
  });
});

test("smaller boards have their whole map and board in every text", () => {
  for (const scenario of ["sandbox-1", "drill-elevator", "drill-landing"]) {
    const game = book(scenario);
    const env = new Env(game);
    env.reset("small");
    until(env, 0);
    const [rules, text] = new Briefings(game, "small", "short").of(new OneDecision(env), 0).texts!;
    for (const line of mapLines(game, env.state, 0)) expect(rules).toContain(line);
    expect(text).not.toContain("Elsewhere");
    expect(roughTokens(rules + text)).toBeLessThan(MOST_TOKENS);
  }
});
