import { expect, test } from "vitest";
import { Env, gameFor, type JsonObject, newState, Rng } from "../../../env/index.js";
import { streetsOfStalingrad as type } from "../../../env/streets-of-stalingrad/index.js";
import { place, WOODS } from "./woods.js";

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

test("how many MP a face-down group has left is not told: an OP has more of them than a rifle company. SOS 8.01", () => {
  expect(knownTo(rifle(), GERMAN)).toEqual(knownTo(observer(), GERMAN));
  expect(JSON.stringify(knownTo(rifle(), GERMAN).view)).not.toContain('"mp"');
  expect(knownTo(rifle(), SOVIET)).not.toEqual(knownTo(observer(), SOVIET));
});

test("samples give a face-down group MP of its own, and it may go on or stay", () => {
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
