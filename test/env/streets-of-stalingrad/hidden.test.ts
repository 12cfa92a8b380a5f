import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { checkGame } from "../../conformance/check.js";
import { Complaints } from "../../conformance/complaints.js";
import { leakPairs } from "../../conformance/leaks.js";
import {
  Env,
  EventLog,
  type Game,
  gameFor,
  type JsonObject,
  newObservation,
  newState,
  type Observation,
  Rng,
  RNG_WORDS,
  type State,
  type StateView,
} from "../../../env/index.js";
import { streetsOfStalingrad as type } from "../../../env/streets-of-stalingrad/index.js";
import { Table } from "./table.js";
import { place, WOODS } from "./woods.js";
import { nightly, nightlyUnless } from "../../nightly.js";

const GERMAN = 0;
const SOVIET = 1;

/** A German company attacks a mortar that is face down in 0938, and the Soviet is asked what fires. */
const KURGAN = JSON.parse(readFileSync(new URL("kurgan-attack.json", import.meta.url), "utf8")) as JsonObject;
/** A German attack hangs on an OP that is face down: it was pinned in this phase and still spots for a mortar. */
const PINNED_OP = JSON.parse(readFileSync(new URL("kurgan-pinned-op.json", import.meta.url), "utf8")) as JsonObject;
/** A pinned rifle company and a mortar that is face down under its pin retreat from 0939 to 0938. */
const RETREAT = JSON.parse(readFileSync(new URL("kurgan-pinned-retreat.json", import.meta.url), "utf8")) as JsonObject;
const woods = gameFor(type, WOODS);

const leaksOf = (game: Game, pairs: number) => {
  const complaints = new Complaints();
  const { different } = leakPairs(game, pairs, "woods", complaints);
  return { different, codes: complaints.list().map((c) => c.code) };
};

/** The game of the woods with one question answered otherwise. */
const changed = (edit: Partial<Game>): Game => Object.assign(Object.create(woods) as Game, edit);

describe("nothing about face-down counters leaks", () => {
  test("two worlds that one side can't tell apart stay alike on every channel", () => {
    const { different, codes } = leaksOf(woods, 800);
    expect(codes).toEqual([]);
    expect(different).toBeGreaterThan(90);
  });

  test("two worlds stay alike in more games", nightly, () => {
    const { different, codes } = leaksOf(woods, 2500);
    expect(codes).toEqual([]);
    expect(different).toBeGreaterThan(300);
  });

  test("all promises of the core hold where leaders and OPs are among rifles", nightly, () => {
    const again = Object.assign(Object.create(woods) as Game, { type: { ...type, data: {}, load: () => woods } });
    expect(checkGame(again, { games: 4, points: 32, pairs: 100, chances: 2, steps: 12 })).toEqual([]);
  });

  const leaks: readonly [code: string, is: string, edit: Partial<Game>][] = [
    [
      "leak-observation",
      "the tensors show where s1 is",
      {
        observe(s: StateView, viewer: number, out: Observation) {
          woods.observe(s, viewer, out);
          out.decision[63] = place(woods, s, "s1") / 100;
        },
      },
    ],
    [
      "leak-redact",
      "the redacted state is the true state",
      { redact: (s: StateView, _player: number, out: State) => out.set(s as State) },
    ],
    [
      "leak-mask",
      "move.group leaves out hexes beside a leader that nobody has seen (R7)",
      {
        legalMask(s: StateView, mask: Uint8Array, at: number) {
          const n = woods.legalMask(s, mask, at);
          const hex = woods.actions.indexOf("hex 0511");
          if (mask[at + hex] === 0 || n < 2 || place(woods, s, "sl") !== woods.observation.mapRows.indexOf("0510"))
            return n;
          mask[at + hex] = 0;
          return n - 1;
        },
      },
    ],
    ["leak-view", "the view is the position", { view: (s: StateView) => woods.write(s) }],
    [
      "leak-seen",
      "the record of an action names where s1 is",
      {
        describeFor(before: StateView, action: number, after: StateView, viewer: number) {
          const text = woods.describeFor(before, action, after, viewer);
          return text === null ? null : `${text}, ${place(woods, after, "s1")}`;
        },
      },
    ],
    [
      "leak-render",
      "the board is drawn for its owner",
      { render: (s: StateView, viewer: number) => woods.render(s, 1 - viewer) },
    ],
  ];
  leaks.forEach(([code, is, edit], i) => {
    test(`${code}: ${is}`, nightlyUnless(i === 0), () => {
      expect(leaksOf(changed(edit), 1500).codes).toContain(code);
    });
  });
});

describe("samples", () => {
  const env = new Env(woods);
  env.reset("samples");

  test("every deal of the unseen units to their counters is equally likely", () => {
    // seven units with one back in seven hexes; nothing is announced: each is in each hex with chance 1/7
    const out = newState(woods.stateSize);
    const rng = new Rng("deals");
    const counts = new Map<string, number>();
    const n = 7000;
    for (let i = 0; i < n; i++) {
      expect(woods.resample(env.state, GERMAN, out, rng)).toBe(true);
      for (const id of ["s1", "sl", "so"]) {
        const key = `${id} ${place(woods, out, id)}`;
        counts.set(key, (counts.get(key) ?? 0) + 1);
      }
    }
    expect(counts.size).toBe(21);
    // each count is binomial (n, 1/7): mean 1000, deviation 29; five of them
    for (const count of counts.values()) expect(Math.abs(count - n / 7)).toBeLessThan(150);
  });

  test("an announcement is kept: a stack announced with a zone of control contains a unit that has one", () => {
    const told = new Env(woods);
    told.resetTo({ ...WOODS, announced: { "0510": "none", "0409": "zoc" } }, "told");
    const out = newState(woods.stateSize);
    const rng = new Rng("told");
    const [none, zoc] = ["0510", "0409"].map((id) => woods.observation.mapRows.indexOf(id));
    const seen = new Set<string>();
    for (let i = 0; i < 400; i++) {
      expect(woods.resample(told.state, GERMAN, out, rng)).toBe(true);
      const at = (h: number) => ["s1", "s2", "s3", "s4", "sl", "sc", "so"].find((id) => place(woods, out, id) === h)!;
      seen.add(`none ${at(none!)}`).add(`zoc ${at(zoc!)}`);
    }
    expect([...seen].sort()).toEqual(["none sc", "none sl", "none so", "zoc s1", "zoc s2", "zoc s3", "zoc s4"]);
  });

  test("an attacked hex that has to answer contains a unit that can: a leader alone would have made way", () => {
    const drill = gameFor(type, KURGAN);
    const answers = new Env(drill);
    answers.resetTo(KURGAN, "answers");
    const seen = drill.view(answers.state, GERMAN);
    const out = newState(drill.stateSize);
    const rng = new Rng("answers");
    for (let i = 0; i < 200; i++) {
      expect(drill.resample(answers.state, GERMAN, out, rng)).toBe(true);
      expect(drill.view(out, GERMAN)).toEqual(seen);
    }
  });

  test("an OP that was pinned in this phase still spots: otherwise nobody could attack. SOS 14.94", () => {
    const drill = gameFor(type, PINNED_OP);
    const attacks = new Env(drill);
    attacks.resetTo(PINNED_OP, "pinned OP");
    const out = newState(drill.stateSize);
    const mask = new Uint8Array(drill.actions.length);
    const rng = new Rng("pinned OP");
    for (let i = 0; i < 50; i++) {
      drill.resample(attacks.state, SOVIET, out, rng);
      expect(drill.view(out, SOVIET)).toEqual(drill.view(attacks.state, SOVIET));
      expect(drill.legalMask(out, mask, 0)).toBeGreaterThan(1);
    }
  });

  test("a company that retreats with its own pin reveals nothing about a pin on the mortar before it. SOS 9.111", () => {
    const { units, ...rest } = RETREAT as unknown as { units: Record<string, JsonObject> };
    const mortar = "S284RD-1045-M1";
    const told = [true, false].map((pinned) => {
      const doc = { ...rest, units: { ...units, [mortar]: { ...units[mortar], pinned, pinHeld: pinned } } };
      const env = new Env(gameFor(type, doc));
      env.resetTo(doc, "retreat");
      const before = JSON.stringify(env.game.view(env.state, GERMAN));
      const log = new EventLog([GERMAN]);
      env.step(`unit ${mortar}`, undefined, log);
      return { before, events: log.take(GERMAN), after: env.game.view(env.state, GERMAN) };
    });
    expect(told[0]!.events.map((e) => e.what)).toContain("retreats");
    expect(told[0]).toEqual(told[1]);
  });

  test("hexes count as in the true state, also where no deal finds the reserves again: their marker is gone", () => {
    // a rifle company and a leader are face down; a Soviet sees that 0609 counts, so the leader can't be there, and
    // the counter in 0408 can't move any more
    const { units, ...rest } = WOODS as unknown as { units: Record<string, JsonObject> };
    const places = { g4: "0609", gl: "0408", s3: "0610", s4: "0613" };
    const moved = Object.entries(places).map(([id, at]) => [id, { ...units[id], at, ordered: id === "gl" }]);
    const at = { ...units, ...Object.fromEntries(moved) } as JsonObject;
    const start = { ...rest, units: at, phase: 11, stage: "reserves", reserves: ["g4"] };
    const env = new Env(gameFor(type, start));
    env.resetTo(start, "reserves");
    const seen = env.game.view(env.state, SOVIET);
    expect(seen["heldByGermans"]).toEqual(["0609"]);
    const out = newState(env.game.stateSize);
    const rng = new Rng("reserves");
    for (let i = 0; i < 200; i++) {
      env.game.resample(env.state, SOVIET, out, rng);
      expect(env.game.view(out, SOVIET)).toEqual(seen);
    }
  });

  test("the owner's side stays as it is, and future dice are new", () => {
    const out = newState(woods.stateSize);
    woods.resample(env.state, SOVIET, out, new Rng("own"));
    for (const id of ["s1", "sl", "so"]) expect(place(woods, out, id)).toBe(place(woods, env.state, id));
    expect([...out.subarray(0, RNG_WORDS)]).not.toEqual([...env.state.subarray(0, RNG_WORDS)]);
  });
});

describe("events", () => {
  const CITY = { hexes: { "0513": { t: "city" } } };

  test("units spent at the end of a breakthrough are named only if they are known", () => {
    const told = (inHex: string, elsewhere: string): unknown => {
      const { units, map, ...rest } = WOODS as unknown as { units: Record<string, JsonObject>; map: typeof CITY };
      const at = { [inHex]: { ...units[inHex], at: "0513" }, [elsewhere]: { ...units[elsewhere], at: "0614" } };
      const hexes = { ...map, hexes: { ...map.hexes, ...CITY.hexes } };
      const position = { ...rest, map: hexes, units: { ...units, ...at }, marks: { "0513": ["breakthru"] } };
      const ended = new Env(gameFor(type, position));
      ended.resetTo(position, "spent");
      const log = new EventLog([SOVIET]);
      for (let n = 0; n < 20; n++) {
        ended.step("done", undefined, log);
        const off = log.take(SOVIET).find((e) => e.what === "marker-off");
        if (off !== undefined) return off;
      }
      throw new Error("the marker stays");
    };
    // a rifle company is spent, a leader can't be: which of them is there doesn't show
    expect(told("g4", "gl")).toEqual(told("gl", "g4"));
    expect(told("g4", "gl")).toMatchObject({ units: [] });
  });
});

describe("what the other side is picking", () => {
  const picked = new Env(woods);
  test("a group that is being formed is hidden from the other side", () => {
    picked.reset("picks");
    const before = woods.view(picked.state, SOVIET);
    const tensors = newObservation(woods.observation);
    woods.observe(picked.state, SOVIET, tensors);
    const first = tensors.decision.slice();
    const was = picked.state.slice();
    picked.step("unit g4");
    expect(woods.view(picked.state, SOVIET)).toEqual(before);
    expect(woods.describeFor(was, woods.actions.indexOf("unit g4"), picked.state, SOVIET)).toBeNull();
    woods.observe(picked.state, SOVIET, tensors);
    expect([...tensors.decision]).toEqual([...first]);
    woods.observe(picked.state, GERMAN, tensors);
    expect([...tensors.decision]).not.toEqual([...first]);
  });

  test("the move itself shows as counters that leave and arrive", () => {
    const was = picked.state.slice();
    picked.step("hex 0514");
    const action = woods.actions.indexOf("hex 0514");
    expect(woods.describeFor(was, action, picked.state, GERMAN)).toBe("hex 0514");
    expect(woods.describeFor(was, action, picked.state, SOVIET)).toBe("0513 -g4; 0514 +g4:ordered");
  });
});

test("a view shows which hexes count for the Germans, as the points do, but not because of which units", () => {
  const seen = (inHex: string, elsewhere: string): JsonObject => {
    const { units, ...rest } = WOODS as unknown as { units: Record<string, JsonObject> };
    const at = { [inHex]: "0609", [elsewhere]: "0408", s3: "0610", s4: "0613" } as Record<string, string>;
    const moved = Object.entries(units).map(([id, u]) => [id, { ...u, at: at[id] ?? u["at"]! }]);
    const env = new Env(gameFor(type, { ...rest, units: Object.fromEntries(moved) as JsonObject }));
    env.reset("counts");
    return env.game.view(env.state, SOVIET);
  };
  const { heldByGermans, ...rest } = seen("g4", "gl"); // a leader holds nothing
  const { heldByGermans: none, ...same } = seen("gl", "g4");
  expect(heldByGermans).toEqual(["0609"]);
  expect(none).toEqual([]);
  expect(rest).toEqual(same);
});

test("a view shows for one action from how many face-down counters in a hex a pin was removed", () => {
  const { units, ...rest } = WOODS as unknown as { units: Record<string, JsonObject> };
  const pinned = { ...units, s1: { ...units["s1"], pinned: true }, s2: { ...units["s2"], at: "0409", pinned: true } };
  // nobody can attack, so the phase ends at once
  const start = { ...rest, units: pinned, phase: 5, stage: "attack", marks: { "0609": ["attack"] } };
  const env = new Env(gameFor(type, start));
  env.resetTo(start, "pins");
  const seen = (): unknown => woods.view(env.state, GERMAN)["unpinned"];
  expect(seen()).toEqual({ "0409": 2 });
  env.step(env.legal()[0]!);
  expect(seen()).toBeUndefined();
});

test("a view names face-down counters by hex and back", () => {
  const env = new Env(woods);
  env.reset("view");
  const view = woods.view(env.state, GERMAN);
  expect(view["faceDown"]).toEqual(
    Object.fromEntries(["0408", "0409", "0410", "0509", "0510", "0609", "0709"].map((h) => [h, ["112RD"]])),
  );
  expect(Object.keys(view["units"] as JsonObject).filter((id) => id.startsWith("s"))).toEqual([]);
  expect(woods.view(env.state, SOVIET)["faceDown"]).toBeUndefined();
});

test("no world has a leader and a commissar in one hex, where nobody could have placed them", () => {
  const city = { base: "blank", hexes: { "2010": { t: "city" }, "2020": { t: "city" } } };
  const guards = { type: "s-guards", formation: "62A/13GRD/42/1" };
  const units = {
    sl: { type: "s-leader", at: "2010", formation: "62A/13GRD" },
    s1: { ...guards, at: "2010" },
    sc: { type: "s-commissar", at: "2020", formation: "62A/13GRD/42" },
    s2: { ...guards, at: "2020" },
  };
  const { env } = new Table(units, { map: city });
  const out = newState(env.game.stateSize);
  const rng = new Rng("leaders");
  const seen = new Set<string>();
  for (let k = 0; k < 200; k++) {
    if (!env.game.resample(env.state, GERMAN, out, rng)) continue;
    const dealt = env.game.write(out)["units"] as Record<string, { at: string }>;
    seen.add(`${dealt["sl"]!.at} ${dealt["sc"]!.at}`);
  }
  expect([...seen].sort()).toEqual(["2010 2020", "2020 2010"]);
});
