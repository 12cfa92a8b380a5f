import { expect, test } from "vitest";
import { Env, EventLog, gameFor, type JsonObject, newState, Rng, ScriptedDice } from "../../../env/index.js";
import { streetsOfStalingrad as type } from "../../../env/streets-of-stalingrad/index.js";
import { WOODS } from "./woods.js";

const [GERMAN, SOVIET] = [0, 1];

/** The woods with some units changed. */
function woods(units: Readonly<Record<string, JsonObject>>, rest: JsonObject): Env {
  const all = structuredClone(WOODS["units"]) as Record<string, JsonObject>;
  for (const [id, changes] of Object.entries(units)) Object.assign(all[id]!, changes);
  const position: JsonObject = { ...WOODS, ...rest, units: all };
  const env = new Env(gameFor(type, position));
  env.resetTo(position, "under");
  return env;
}

/** What a side knows, as state and as document. */
function knownTo({ game, state }: Env, viewer: number) {
  const out = newState(game.stateSize);
  game.redact!(state, viewer, out);
  return { state: [...out], view: game.view(state, viewer) };
}

/** A face-down counter has walked into the German leader's hex in the woods, who makes way. */
const walks = (mover: string, mp: number, changes: Readonly<Record<string, JsonObject>>): Env =>
  woods(
    { gl: { at: "0410" }, ...changes },
    {
      ...{ phase: 10, stage: "normal" },
      frames: [
        { ask: "move.select", actor: "soviet" },
        { ask: "walk", actor: "soviet", group: [mover], path: ["0510"], mp, kind: "normal" },
      ],
      decision: { ask: "leader.move", actor: "german", unit: "gl" },
    },
  );
const rifle = (mp = 4) => walks("s1", mp, { s1: { at: "0410" }, so: { at: "0409" } });
const observer = () => walks("so", 14, { so: { at: "0410" } });

test("the text does not show how many MP a face-down group has left: an OP has more than a rifle company. SOS 8.01", () => {
  expect(knownTo(rifle(), GERMAN)).toEqual(knownTo(observer(), GERMAN));
  expect(JSON.stringify(knownTo(rifle(), GERMAN).view)).not.toContain('"mp"');
  expect(knownTo(rifle(), SOVIET)).not.toEqual(knownTo(observer(), SOVIET));
});

test("samples give a face-down group MP of its own, so it may go on or stay", () => {
  const { game, state } = rifle();
  const out = newState(game.stateSize);
  const rng = new Rng("mp");
  const left = new Set<number>();
  for (let i = 0; i < 100; i++) {
    expect(game.resample(state, GERMAN, out, rng)).toBe(true);
    expect(game.view(out, GERMAN)).toEqual(game.view(state, GERMAN));
    const frames = game.write(out)["frames"] as { ask: string; mp?: number }[];
    left.add(frames.find((f) => f.ask === "walk")!.mp ?? 0);
  }
  expect(left.size).toBeGreaterThan(4);
});

/** A company is spent in the city 0609, with another one that is spent too, or with a leader, who never is. */
const spent = (other: "s4" | "sl", rest: JsonObject = {}): Env =>
  woods(
    {
      s3: { at: "0609", spent: true },
      s4: { at: "0408" },
      sl: { at: "0408" },
      [other]: { at: "0609", ...(other === "s4" ? { spent: true } : {}) },
    },
    rest,
  );

test("a spent marker is on the face-down stack, so it doesn't reveal a leader. SOS 18.14", () => {
  expect(knownTo(spent("s4"), GERMAN)).toEqual(knownTo(spent("sl"), GERMAN));
  const { view } = knownTo(spent("sl"), GERMAN);
  expect(view["faceDownUnder"]).toEqual({ "0609": ["spent"] });
  expect((view["faceDown"] as JsonObject)["0609"]).toEqual(["112RD", "112RD"]);
  expect(knownTo(spent("s4"), SOVIET)).not.toEqual(knownTo(spent("sl"), SOVIET));
});

test("it doesn't where the company beside the leader is known. SOS 18.14", () => {
  const known = { known: { german: ["s3"] } };
  expect(knownTo(spent("s4", known), GERMAN)).toEqual(knownTo(spent("sl", known), GERMAN));
  expect(knownTo(spent("sl", known), GERMAN).view["faceDownUnder"]).toEqual({ "0609": ["spent"] });
});

test("it is not on a company of the stack that is known to be without one. SOS 9.113", () => {
  const known = spent("s4", { known: { german: ["s4"] } });
  const free = woods({ s3: { at: "0609", spent: true }, s4: { at: "0609" } }, { known: { german: ["s4"] } });
  const spentIn = (env: Env) => (knownTo(env, GERMAN).view["units"] as Record<string, JsonObject>)["s4"]!["spent"];
  expect([spentIn(known), spentIn(free)]).toEqual([true, undefined]);
});

test("markers that go are reported for the stack. SOS 9.115", () => {
  const told = (["s4", "sl"] as const).map((other) => {
    const env = spent(other, { phase: 7, stage: "normal" });
    const log = new EventLog([GERMAN]);
    env.step("done", undefined, log); // nobody attacks
    return { off: log.take(GERMAN).find(({ what }) => what === "marker-off"), after: knownTo(env, GERMAN) };
  });
  expect(told[0]).toEqual(told[1]);
  expect(told[0]!.off!.text).toContain("from 2 face-down counters (112RD)");
  expect(told[0]!.after.view["unpinned"]).toEqual({ "0609": 2 });
});

/** What the German side reads of a P in 0409, where a rifle company is with another one or a leader. */
function pinsTold(other: "s4" | "sl"): unknown {
  const units = { so: "0309", s4: "0408", sl: "0408", g1: "0410", g2: "0410", g3: "0410", [other]: "0409" };
  const places = Object.fromEntries(Object.entries(units).map(([id, at]): [string, JsonObject] => [id, { at }]));
  const env = woods(places, { phase: 5, stage: "attack", marks: { "0409": ["attack"] } });
  const log = new EventLog([GERMAN]);
  for (const action of ["all", "normal", "done"]) env.step(action);
  env.step("done", new ScriptedDice([4]), log); // neither retreat nor defensive fire
  return log.take(GERMAN).filter(({ what }) => what === "pinned");
}

test("a P is reported for the stack, so it doesn't reveal a leader who can't be pinned. SOS 9.81, SOS 18.14", () => {
  expect(pinsTold("sl")).toEqual(pinsTold("s4"));
  expect(pinsTold("sl")).toMatchObject([{ amount: 2, places: ["0409"], units: [] }]);
});

test("in samples a leader is never spent, and some unit of the marked stack is. SOS 18.14", () => {
  const { game, state } = spent("sl");
  const out = newState(game.stateSize);
  const rng = new Rng("spent");
  const ids = ["s1", "s2", "s3", "s4", "sl", "sc", "so"];
  const seen = new Set<string>();
  for (let i = 0; i < 300; i++) {
    expect(game.resample(state, GERMAN, out, rng)).toBe(true);
    expect(game.view(out, GERMAN)).toEqual(game.view(state, GERMAN));
    const units = game.write(out)["units"] as Record<string, { at: string; spent?: boolean }>;
    const there = ids.filter((id) => units[id]!.at === "0609");
    expect(there.length).toBe(2);
    for (const id of ids)
      if (units[id]!.spent === true)
        expect([there, ["s1", "s2", "s3", "s4", "so"]].every((l) => l.includes(id))).toBe(true);
    expect(there.some((id) => units[id]!.spent)).toBe(true);
    for (const id of there) seen.add(`${id} ${units[id]!.spent === true}`);
  }
  // both leaders, and everybody else with the marker and without it
  expect(seen.size).toBe(2 + 2 * 5);
});
