import { expect, test } from "vitest";
import { gameFor, gameType, type JsonObject, newState, NOBODY, Rng, SeededDice } from "../../../env/index.js";

const type = gameType("streets-of-stalingrad");
const [GERMAN, SOVIET] = [0, 1];

/**
 * Guns, flak and flotilla in two boxes, an observer on Mamayev Kurgan, Stukas: everything that fires over the river.
 */
const position = {
  scenario: "sandbox",
  map: { base: "standard" },
  bounds: { cols: [1, 14], rows: [50, 60] },
  turn: 2,
  lastTurn: 4,
  phase: 1,
  stage: "end",
  stukas: { available: 12, used: 0 },
  schedule: { reinforcements: [{ turn: 3, side: "soviet", box: "eb-n", units: ["h5", "n5"] }] },
  units: {
    g1: { type: "g-inf", at: "0457", formation: "51K/71ID/191/I" },
    g2: { type: "g-inf", at: "0455", formation: "51K/71ID/191/I" },
    g3: { type: "g-tank", at: "0556" },
    gh: { type: "g-how", at: "1055", formation: "51K/71ID" },
    go: { type: "g-op", at: "0556", formation: "51K/71ID" },
    h1: { type: "s-how", at: "eb-c", tag: "star1" },
    h2: { type: "s-how", at: "eb-c", tag: "star1" },
    h3: { type: "s-kat", at: "eb-n", tag: "star1" },
    h4: { type: "s-how", at: "0456", tag: "star1" },
    h5: { type: "s-how", tag: "star1" },
    h6: { type: "s-how", at: "dead", untold: true, tag: "star1" },
    n5: { type: "s-inf", tag: "star1" },
    m1: { type: "s-mortar", at: "eb-c", tag: "star1" },
    a1: { type: "s-aa", at: "eb-c", tag: "star1" },
    r1: { type: "s-rf", at: "eb-c", tag: "star1" },
    r2: { type: "s-rf", at: "eb-n", tag: "star1" },
    i1: { type: "s-inf", at: "0357", tag: "star1" },
    i2: { type: "s-inf", at: "eb-n", tag: "star1" },
    i3: { type: "s-guards", at: "0354", tag: "star1" },
    so: { type: "s-op", at: "0354", tag: "star1", formation: "62A" },
  },
} as unknown as JsonObject;

test("where boxes fire and are fired at samples agree with what each side sees, and positions read back", () => {
  const game = gameFor(type, position, {});
  const [s, one, two] = [newState(game.stateSize), newState(game.stateSize), newState(game.stateSize)];
  const [mask, other] = [new Uint8Array(game.actions.length), new Uint8Array(game.actions.length)];
  const seen = { lost: 0, shelled: 0, boats: 0, arrived: 0 };
  for (let seed = 0; seed < 5; seed++) {
    const rng = new Rng(`boxes/${seed}`);
    const dice = new SeededDice();
    s.fill(0);
    game.read(position, s, dice);
    rng.freshStream(s);
    for (let n = 0; game.actor(s) !== NOBODY && n < 400; n++) {
      const count = game.legalMask(s, mask, 0);
      const boxes = game.actions.flatMap((name, a) => (mask[a] === 1 && /^(box|n|unit r)/.test(name) ? [a] : []));
      const all = game.actions.flatMap((_, a) => (mask[a] === 1 ? [a] : []));
      // what has to do with boxes comes up more often
      const among = boxes.length > 0 && rng.below(2) === 0 ? boxes : all;
      const action = among[rng.below(among.length)]!;
      if (n % 5 === 0) {
        const doc = game.write(s);
        one.fill(0);
        game.read(doc, one, dice);
        expect(game.write(one)).toEqual(doc);
        for (const player of [GERMAN, SOVIET]) {
          const view = game.view(s, player);
          expect(game.resample(s, player, one, new Rng(`${seed}/${n}`))).toBe(true);
          expect(game.invariantViolation(one)).toBeNull();
          expect(game.view(one, player)).toEqual(view);
          game.resample(one, player, two, new Rng(`${seed}/${n}`));
          expect(game.view(two, player)).toEqual(view);
          if (game.actor(s) !== player) continue;
          expect(game.legalMask(one, other, 0)).toBe(count);
          expect(other).toEqual(mask);
        }
      }
      dice.begin(s);
      game.apply(s, action, dice);
      expect(game.invariantViolation(s)).toBeNull();
      const text = JSON.stringify(game.write(s));
      if (text.includes('"untold":true')) seen.lost++;
      if (text.includes('"kind":"eastbank"')) seen.shelled++;
      if (text.includes('"used":true')) seen.boats++;
      if (text.includes('"turn":3') && text.includes('"h5":{"type":"s-how","tag":"star1","at"')) seen.arrived++;
    }
  }
  expect(Object.entries(seen).filter(([, n]) => n === 0)).toEqual([]);
});
