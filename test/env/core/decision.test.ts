import { describe, expect, test } from "vitest";
import { z } from "zod";
import { actionSpace, type Decision, Decisions, fault, type Single } from "../../../env/core/decision.js";
import { type Brand } from "../../../env/core/brand.js";
import { Play } from "../../../env/core/play.js";
import { ScriptedDice } from "../../../env/index.js";

/** A toy: roads to choose, each with a toll; state `[money, road]`. */
type RoadId = Brand<"road">;
type Ranges = { readonly done: Single; readonly road: RoadId };
const TOLLS = { tolls: [3, 1, 2] };
const SPACE = actionSpace<Ranges>({ done: 1, road: [10, 12] });

const way: Decision<typeof TOLLS, Ranges, string> = {
  rules: ["T 1", "T 2"],
  presumed: (_t, s) => s[0]! - 1,
  asks: (_t, s) => `Which way, with ${s[0]}?`,
  about: () => ({ units: ["cart"] }),
  marks(t, s, mask, at) {
    mask[at] = 1;
    let n = 1;
    for (let r = 0; r < 3; r++) if (t.tolls[r]! <= s[0]!) n += mask[at + SPACE.first.road + r] = 1;
    return n;
  },
  acts: {
    done: { means: () => ({ text: "Stay", warning: "Nothing is won." }), does: () => "stayed" },
    road: {
      means: (t, _s, r) => `Road ${r} for ${t.tolls[r - 10]}`,
      does(t, s, r, { dice }) {
        s[0]! -= t.tolls[r - 10]!;
        s[1] = r;
        return `road ${r}, die ${dice.d6()}`;
      },
    },
  },
  holds: {
    money: {
      schema: z.number(),
      write: (_t, s) => s[0]!,
      read(_t, money: number, s) {
        s[0] = money;
        return money < 0 ? "it is 0 or more" : money === 13 ? fault("luck", "13 brings none") : null;
      },
      alien: (kind) => `nobody pays in ${kind}`,
    },
  },
  fault: (_t, s) => (s[0]! > 9 ? fault("open.money", "too much") : null),
};
const over: Decision<typeof TOLLS, Ranges, string> = { rules: ["T 3"], asks: () => "Over.", marks: () => 0, acts: {} };
const decisions = new Decisions("toy", SPACE, ["way", "over"], { way, over });
const [WAY, OVER] = [0, 1];
const NAMES = ["done", "road 10", "road 11", "road 12"];
const none = new Play();
const asked = { names: NAMES, by: "red", decides: true };
const state = (...words: number[]) => Int32Array.from(words);

describe("decisions", () => {
  test("ranges follow each other in the order written", () => {
    expect(SPACE).toMatchObject({
      ranges: ["done", "road"],
      first: { done: 0, road: 1 },
      count: { done: 1, road: 3 },
      size: 4,
    });
  });

  test("the mask of a kind starts at the given index", () => {
    const mask = new Uint8Array(6);
    expect(decisions.mark(TOLLS, state(2, 0), WAY, mask, 2)).toBe(3);
    expect([...mask]).toEqual([0, 0, 1, 0, 1, 1]);
  });

  test("an action is carried out by the number that it stands for", () => {
    const s = state(5, 0);
    expect(decisions.apply(TOLLS, s, WAY, 3, new Play(new ScriptedDice([4])))).toBe("road 12, die 4");
    expect([...s]).toEqual([3, 12]);
    expect(decisions.apply(TOLLS, s, WAY, 0, none)).toBe("stayed");
  });

  test("an action that a kind does not have is a mistake of the program", () => {
    expect(() => decisions.apply(TOLLS, state(5, 0), OVER, 0, none)).toThrow("toy: action 0 is not possible in over");
    expect(() => decisions.apply(TOLLS, state(5, 0), WAY, 4, none)).toThrow("toy: action 4 is not possible in way");
  });

  test("a prompt has the rules, the object and the legal choices, those that only go on last", () => {
    const prompt = decisions.prompt(TOLLS, state(1, 0), WAY, 0, asked);
    expect(prompt).toMatchObject({ by: "red", kind: "way", text: "Which way, with 1?", rule: "T 1", seeAlso: ["T 2"] });
    expect([prompt.units, prompt.places]).toEqual([["cart"], []]);
    expect(prompt.choices.map(({ action, name, text, warning }) => [action, name, text, warning])).toEqual([
      [2, "road 11", "Road 11 for 1", null],
      [0, "done", "Stay", "Nothing is won."],
    ]);
    expect(decisions.prompt(TOLLS, state(1, 0), WAY, 0, { ...asked, decides: false }).choices).toEqual([]);
  });

  test("legal is what the truth says, words are of what the viewer knows", () => {
    const { text, choices } = decisions.prompt(TOLLS, state(1, 0), WAY, 0, { ...asked, truth: state(9, 0) });
    expect(text).toBe("Which way, with 1?");
    expect(choices.map((c) => c.name)).toEqual(["road 10", "road 11", "road 12", "done"]);
  });

  test("words of choices share what was found once of all that are legal", () => {
    let surveys = 0;
    const survey = (mask: Uint8Array) => {
      surveys++;
      return mask.reduce((n, legal) => n + legal, 0);
    };
    const counted: Decision<typeof TOLLS, Ranges, string, number> = {
      ...way,
      acts: {
        done: { means: () => "Stay", does: () => "stayed" },
        road: { ...way.acts.road!, means: (_t, _s, r, n) => `${r} of ${n}` },
      },
    };
    const list = new Decisions<typeof TOLLS, "way", Ranges, string, number>("toy", SPACE, ["way"], { way: counted });
    const { choices } = list.prompt(TOLLS, state(2, 0), WAY, 0, { ...asked, survey });
    expect(choices.map((c) => c.text)).toEqual(["11 of 3", "12 of 3", "Stay"]);
    expect(surveys).toBe(1);
  });

  test("a larger board has longer ranges of the same decisions", () => {
    const board = (roads: number) => ({ tolls: TOLLS.tolls, space: actionSpace<Ranges>({ road: roads, done: 1 }) });
    const both = new Decisions<ReturnType<typeof board>, "way", Ranges, string>(
      "toy",
      { ranges: ["road", "done"], of: (t) => t.space },
      ["way"],
      { way: { ...way, acts: { ...way.acts, road: { ...way.acts.road!, does: (_t, _s, r) => `road ${r}` } } } },
    );
    expect(both.apply(board(2), state(5, 0), WAY, 2, none)).toBe("stayed");
    expect(both.apply(board(4), state(5, 0), WAY, 2, none)).toBe("road 2");
    expect(both.apply(board(4), state(5, 0), WAY, 4, none)).toBe("stayed");
  });

  test("odds presume what the decision says, or nothing", () => {
    expect(decisions.presumed(TOLLS, state(3, 0), WAY)).toBe(2);
    expect(decisions.presumed(TOLLS, state(3, 0), OVER)).toBe(-1);
  });

  test("a game refines choices, and the only one warns of nothing", () => {
    const refine = (choice: { text: string }) => ({ ...choice, ends: "turn" as const }) as never;
    const { choices } = decisions.prompt(TOLLS, state(0, 0), WAY, 0, { ...asked, refine });
    expect(choices.map((c) => [c.text, c.ends, c.warning])).toEqual([["Stay", "turn", null]]);
  });

  test("a game may let the only choice warn", () => {
    const { choices } = decisions.prompt(TOLLS, state(0, 0), WAY, 0, { ...asked, warnsAlone: true });
    expect(choices.map((c) => [c.text, c.warning])).toEqual([["Stay", "Nothing is won."]]);
  });

  test("the state may decide which rule asks", () => {
    const cites: typeof way.cites = (_t, s) => [s[0]! > 1 ? "T 2" : "T 1", "T 4"];
    const cited = new Decisions("toy", SPACE, ["way"], { way: { ...way, cites } });
    const rules = (money: number) => {
      const { rule, seeAlso } = cited.prompt(TOLLS, state(money, 0), WAY, 0, asked);
      return [rule, ...seeAlso];
    };
    expect([rules(1), rules(2)]).toEqual([
      ["T 1", "T 4"],
      ["T 2", "T 4"],
    ]);
  });

  test("who may not know what a secret decision is about reads who decides, and the rule that asks", () => {
    const hidden = new Decisions("toy", SPACE, ["way"], { way: { ...way, secret: "Red goes somewhere." } });
    const unknown = { by: "red", kind: "way", text: "Red goes somewhere.", rule: "T 1" };
    const blank = { seeAlso: [], units: [], places: [], choices: [] };
    const ask = (also: { decides: boolean; knows?: boolean }) =>
      hidden.prompt(TOLLS, state(1, 0), WAY, 0, { ...asked, ...also });
    expect(ask({ decides: true, knows: false })).toEqual({ ...unknown, ...blank });
    expect(ask({ decides: false })).toEqual({ ...unknown, ...blank });
    expect([ask({ decides: true }).text, ask({ decides: false, knows: true }).text]).toEqual([
      "Which way, with 1?",
      "Which way, with 1?",
    ]);
  });

  test("each of many kinds has a mask of its own", () => {
    const kinds = Array.from({ length: 40 }, (_, k) => `kind ${k}`);
    const of = Object.fromEntries(kinds.map((kind, k) => [kind, { ...over, marks: () => k }]));
    const many = new Decisions("toy", SPACE, kinds, of);
    const mask = new Uint8Array(SPACE.size);
    expect(kinds.map((_, k) => many.mark(TOLLS, state(0, 0), k, mask, 0))).toEqual(kinds.map((_, k) => k));
  });

  test("documents hold what a kind says, and errors name what is wrong", () => {
    expect(decisions.write(TOLLS, state(4, 0), WAY)).toEqual({ money: 4 });
    expect([decisions.holds(WAY), decisions.holds(OVER)]).toEqual([true, false]);
    const s = state(0, 0);
    const read = (doc: Record<string, number>, kind = WAY) => decisions.read(TOLLS, doc, s, kind, "open");
    read({ money: 7 });
    expect(s[0]).toBe(7);
    expect(() => read({})).toThrow("toy: open.money: a decision of kind way needs it");
    expect(() => read({ money: -1 })).toThrow("toy: open.money: it is 0 or more");
    expect(() => read({ money: 13 })).toThrow("toy: luck: 13 brings none");
    expect(() => decisions.read(TOLLS, {}, s, WAY, "")).toThrow("toy: money: a decision of kind way needs it");
    expect(() => read({ money: 1, odd: 1 })).toThrow("toy: open.odd: a decision of kind way has no such field");
    expect(() => read({ money: 1 }, OVER)).toThrow("toy: open.money: nobody pays in over");
    expect(decisions.fault(TOLLS, state(9, 0), WAY)).toBeNull();
    expect(decisions.fault(TOLLS, state(10, 0), WAY)).toEqual({ path: "open.money", reason: "too much" });
    expect(decisions.fault(TOLLS, state(10, 0), OVER)).toBeNull();
  });

  test("a document's shape leaves what kinds hold out where another kind is open", () => {
    const shape = z.strictObject(decisions.shape);
    expect([{}, { money: 1 }, { money: "1" }, { odd: 1 }].map((doc) => shape.safeParse(doc).success)).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });

  test("kinds are one-hot features", () => {
    expect(decisions.features("is_").map((f) => [f.name, f.norm])).toEqual([
      ["is_way", "one-hot"],
      ["is_over", "one-hot"],
    ]);
  });
});

// checked by `npm run types`
/** @public */
export const refused = [
  // @ts-expect-error there is no decision `over`
  () => new Decisions("toy", SPACE, ["way", "over"], { way }),
  (does: (t: typeof TOLLS, s: unknown, road: RoadId) => string): typeof way.acts => ({
    // @ts-expect-error a road is no `Single`
    done: { means: () => "", does },
  }),
];
