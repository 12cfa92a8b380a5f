import { expect, test } from "vitest";
import {
  Env,
  EventLog,
  type GameEvent,
  gameFor,
  type JsonObject,
  newState,
  Rng,
  SeededDice,
} from "../../../env/index.js";
import { streetsOfStalingrad as type } from "../../../env/streets-of-stalingrad/index.js";
import { place, WOODS } from "./woods.js";

const GERMAN = 0;

/**
 * The owner of 0409, which a German company has attacked, has something to choose.
 *
 * @param units changes to those of the woods
 */
function attacked(units: Readonly<Record<string, JsonObject>>, decision: JsonObject, rest: JsonObject = {}): Env {
  const all = structuredClone(WOODS["units"]) as Record<string, JsonObject>;
  for (const [id, changes] of Object.entries(units)) Object.assign(all[id]!, changes);
  const position: JsonObject = {
    ...WOODS,
    ...{ phase: 5, stage: "attack", units: all },
    frames: [
      { ask: "attack.target", actor: "german" },
      { ask: "attack.unit", actor: "german", hex: "0409", attackers: ["g1"], step: 9 },
    ],
    ...rest,
    decision: { actor: "soviet", hex: "0409", ...decision },
  };
  const env = new Env(gameFor(type, position));
  env.resetTo(position, "attacked");
  return env;
}

/** What the German side knows. */
function knownOf({ game, state }: Env) {
  const out = newState(game.stateSize);
  game.redact!(state, GERMAN, out);
  return { state: [...out], view: game.view(state, GERMAN) };
}

const HERE = { at: "0409" };
const PINNED = { at: "0409", pinned: true };
const loss = (...from: string[]): JsonObject => ({ ask: "loss.pick", from, need: 1, cause: "attack" });

test("the text does not show which counters of a hex can be the loss: an OP among them can't. SOS 9.81", () => {
  const rifle = attacked({ s1: PINNED, s2: HERE, so: HERE }, loss("s1", "s2"));
  const op = attacked({ s1: HERE, s2: HERE, so: PINNED }, loss("s1", "s2"));
  expect(knownOf(rifle)).toEqual(knownOf(op));
});

test("the text does not show which counters of a hex have to retreat: an OP among them goes with the last. SOS 9.87", () => {
  const after = { ask: "after.unit", left: ["s1", "s2"], steps: 1 };
  const rifle = attacked({ s1: PINNED, s2: HERE, so: HERE }, after);
  const op = attacked({ s1: HERE, s2: HERE, so: PINNED }, after);
  expect(knownOf(rifle)).toEqual(knownOf(op));
});

test("the text does not show which of two counters in one hex went there first. SOS 9.87", () => {
  const [one, other] = ["s1", "s2"].map((first) =>
    attacked(
      { s1: { at: "0408" }, s2: { at: "0408" }, s4: HERE },
      { ask: "after.unit", left: ["s4"], steps: 1, first },
    ),
  );
  expect(knownOf(one!)).toEqual(knownOf(other!));
});

/** Samples of what the German side can't know: who was dealt to 0409, and what the owner may choose. */
function* samples({ game, state }: Env, n: number) {
  const out = newState(game.stateSize);
  const mask = new Uint8Array(game.actions.length);
  const rng = new Rng("samples");
  const hex = game.observation.mapRows.indexOf("0409");
  for (let i = 0; i < n; i++) {
    expect(game.resample(state, GERMAN, out, rng)).toBe(true);
    mask.fill(0);
    game.legalMask(out, mask, 0);
    yield {
      there: ["s1", "s2", "s3", "s4", "sl", "sc", "so"].filter((id) => place(game, out, id) === hex),
      offered: game.actions.filter((_, a) => mask[a] === 1).sort(),
    };
  }
}

test.each([
  ["be the loss", 2, loss("s1", "s2")], // with one alone nothing would have been asked
  ["retreat", 1, { ask: "after.unit", left: ["s1", "s2"], steps: 1 }],
])(
  "in a sample the owner chooses among the units that can %s, whichever were dealt there",
  (_what, least, decision) => {
    const dealt = new Set<string>();
    for (const { there, offered } of samples(attacked({ s1: HERE, s2: HERE, so: PINNED }, decision), 200)) {
      expect(offered).toEqual(there.filter((id) => /^s\d$/.test(id)).map((id) => `unit ${id}`));
      expect(offered.length).toBeGreaterThanOrEqual(least);
      for (const id of there) dealt.add(id);
    }
    expect(dealt.size).toBe(7);
  },
);

test("in a sample the owner of a hex that is counter-attacked chooses among the units that can be the loss", () => {
  const struck = attacked(
    { g1: { at: "0410" }, s1: HERE, s2: HERE, so: HERE },
    { ask: "loss.pick", from: ["s1", "s2"], need: 1, cause: "counter-attack" },
    {
      phase: 12,
      frames: [
        { ask: "attack.target", actor: "soviet" },
        { ask: "attack.unit", actor: "soviet", hex: "0409", attackers: ["s1", "s2"], step: 11 },
        { ask: "ica.unit", actor: "german", hex: "0409", list: ["g1"], step: 1 },
      ],
    },
  );
  const dealt = new Set<string>();
  for (const { there, offered } of samples(struck, 100)) {
    expect(offered).toEqual(there.filter((id) => /^s\d$/.test(id)).map((id) => `unit ${id}`));
    for (const id of there) dealt.add(id);
  }
  expect(dealt.size).toBe(7);
});

/** Another company went after s1 to 0408, before one that is left. */
const followed = (by: string, rest: JsonObject = {}): Env =>
  attacked(
    { s1: { at: "0408" }, s2: HERE, s3: { at: "0408" } },
    { ask: "after.unit", left: ["s2"], steps: 1, first: "s1", retreated: [by] },
    rest,
  );

test("the text does not show which of the counters in a hex went there after the first. SOS 9.87", () => {
  expect(knownOf(followed("s3"))).toEqual(knownOf(followed("s4")));
});

test("in a sample the counter that went first is one of those where it went. SOS 9.87", () => {
  // few deals fit by chance: three hexes have said that nobody there has a zone of control
  const { game, state } = followed("s3", { announced: { "0410": "none", "0510": "none", "0709": "none" } });
  const out = newState(game.stateSize);
  const rng = new Rng("first");
  const first = new Set<string>();
  for (let i = 0; i < 100; i++) {
    expect(game.resample(state, GERMAN, out, rng)).toBe(true);
    const { units, decision } = game.write(out) as unknown as {
      units: Record<string, JsonObject>;
      decision: { first: string };
    };
    expect(units[decision.first]!["at"]).toBe("0408");
    first.add(decision.first);
  }
  expect(first.size).toBe(4);
});

test("a loss that the owner chose is one of combat, and not made to keep the hex. SOS 9.81", () => {
  const { game, state } = attacked({ s1: HERE, s2: HERE }, loss("s1", "s2"));
  const dice = new SeededDice();
  dice.begin(state);
  const log = new EventLog([GERMAN]);
  game.apply(state, game.actions.indexOf("unit s1"), dice, log);
  const [lost] = log.take(GERMAN).filter(({ what }) => what === "lost");
  expect(lost).toMatchObject({ rule: "SOS 9.81", units: ["s1"], places: ["0409"] });
});

/** What the German side reads about pins when s1 is lost in 0409 and a P follows. */
function pinsTold(units: Readonly<Record<string, JsonObject>>, from: readonly string[]): GameEvent[] {
  const { game, state } = attacked(units, { ...loss(...from), pin: true });
  const dice = new SeededDice();
  dice.begin(state);
  const log = new EventLog([GERMAN]);
  game.apply(state, game.actions.indexOf("unit s1"), dice, log);
  return log.take(GERMAN).filter(({ what }) => what === "pinned");
}

test("a P is reported for the stack: an OP among the rifles is pinned as they are. SOS 9.81", () => {
  const rifle = pinsTold({ s1: HERE, s2: HERE, s4: HERE, sl: { at: "0408" } }, ["s1", "s2", "s4"]);
  const observer = pinsTold({ s1: HERE, s2: HERE, so: HERE, s4: { at: "0410" } }, ["s1", "s2"]);
  // s1 is lost; s2 and the other counter come under the marker
  for (const told of [rifle, observer]) expect(told.map(({ amount }) => amount)).toEqual([2]);
  expect(observer).toEqual(rifle);
});

test("a stack under a pin gets no other, so the text does not show that one unit was not pinned yet. SOS 9.81", () => {
  const all = pinsTold({ s1: PINNED, s2: PINNED, s4: PINNED }, ["s1", "s2", "s4"]);
  const some = pinsTold({ s1: PINNED, s2: HERE, s4: PINNED }, ["s1", "s2", "s4"]);
  expect([all, some]).toEqual([[], []]);
});

test("a position is refused where somebody advances who did not attack", () => {
  const { game, state } = attacked({ s1: PINNED, s2: HERE }, loss("s1", "s2"));
  const doc = game.write(state);
  const advance = (id: string): JsonObject => ({
    ...doc,
    decision: { ask: "advance.unit", actor: "german", hex: "0409", attackers: [id] },
  });
  expect(() => game.read(advance("s3"), newState(game.stateSize), new SeededDice())).toThrow(
    "decision.attackers[0]: s3 is of the other side",
  );
});
