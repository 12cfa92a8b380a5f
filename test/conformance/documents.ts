import {
  Env,
  firstDifference,
  type Game,
  hashState,
  type Json,
  type JsonObject,
  KesselError,
  newState,
  parseReplay,
  playReplay,
  RecordingDice,
  type Rng,
  RNG_WORDS,
  sameSituation,
  SeededDice,
  type ScriptEntry,
  seedStream,
  type State,
  toReplay,
} from "../../env/index.js";
import type { Complaints } from "./complaints.js";
import { act, begin, maskBuffer, type RandomGame, type Point, randomAction } from "./play.js";

/** How far a game is played on from a state that was read back. */
const FURTHER = 40;

/** Positions written, sent as JSON and read give the same situation, and the same future with the same dice. */
export function checkRoundTrip(game: Game, points: readonly Point[], rng: Rng, complaints: Complaints): void {
  const mask = maskBuffer(game);
  const sparse = Math.ceil(points.length / 12);
  for (const [index, { s }] of points.entries()) {
    const doc = game.write(s);
    for (const [what, d] of [
      ["write", doc],
      ...[...game.players.keys()].map((p) => [`view for ${game.players[p]}`, game.view(s, p)]),
    ] as [string, JsonObject][]) {
      const bad = notJson(d, what);
      if (bad !== null) complaints.add("not-json", bad);
    }
    const back = read(game, JSON.parse(JSON.stringify(doc)) as JsonObject);
    if (!(back instanceof Int32Array)) {
      complaints.add("round-trip", `a position just written was refused: ${String(back)}`);
      continue;
    }
    if (!sameSituation(s, back)) {
      complaints.add(
        "round-trip",
        `read(write(s)) differs in ${firstDifference(game.fields, s, Int32Array.from([...s.subarray(0, RNG_WORDS), ...back.subarray(RNG_WORDS)]))}`,
      );
      continue;
    }
    const original = s.slice();
    back.set(s.subarray(0, RNG_WORDS));
    for (let i = 0; i < FURTHER && game.actor(original) >= 0; i++) {
      const action = randomAction(game, original, mask, rng, complaints);
      if (action < 0 || act(game, original, action) !== null || act(game, back, action) !== null) break;
    }
    complaints.expect(
      hashState(original, 0) === hashState(back, 0),
      "round-trip",
      () => `played on from a position read back, ${firstDifference(game.fields, original, back)}`,
    );
    if (index % sparse === 0) checkRefusals(game, doc, complaints);
  }
}

/** Reads a document into a fresh state, or says what was thrown. */
function read(game: Game, doc: JsonObject): State | unknown {
  const s = newState(game.stateSize);
  seedStream("read", s);
  const dice = new SeededDice();
  dice.begin(s);
  try {
    game.read(doc, s, dice);
    return s;
  } catch (e) {
    return e;
  }
}

/** A document with an unknown key, or with nonsense under a known one, is refused by `bad-position` or harmless. */
function checkRefusals(game: Game, doc: JsonObject, complaints: Complaints): void {
  const unknown = read(game, { ...doc, "no such key": 1 });
  complaints.expect(
    unknown instanceof KesselError && unknown.code === "bad-position",
    "read-lax",
    () => `a document with an unknown key gave ${unknown instanceof Int32Array ? "a state" : String(unknown)}`,
  );
  for (const key of Object.keys(doc))
    for (const nonsense of [null, -99, "nonsense", [], { x: 1 }, [[-5]]] as Json[]) {
      const result = read(game, { ...doc, [key]: nonsense });
      const what = () => `${key}: ${JSON.stringify(nonsense)}`;
      if (result instanceof Int32Array)
        complaints.expect(
          game.invariantViolation(result) === null,
          "read-lax",
          () => `${what()} was read, and then: ${game.invariantViolation(result)}`,
        );
      else
        complaints.expect(
          result instanceof KesselError && result.code === "bad-position",
          "read-crash",
          () => `${what()} was answered by ${String(result)}`,
        );
    }
}

/** Where a document holds something that JSON does not, or null. */
function notJson(value: unknown, path: string): string | null {
  if (value === null || typeof value === "string" || typeof value === "boolean") return null;
  if (typeof value === "number")
    return Number.isFinite(value) && !Object.is(value, -0) ? null : `${path} is ${Object.is(value, -0) ? "-0" : value}`;
  if (typeof value !== "object") return `${path} is ${String(value)}`;
  if (!Array.isArray(value) && Object.getPrototypeOf(value) !== Object.prototype)
    return `${path} is a ${value.constructor.name}`;
  for (const [k, v] of Object.entries(value)) {
    const bad = notJson(v, `${path}.${k}`);
    if (bad !== null) return bad;
  }
  return null;
}

/**
 * Same seed and actions, same states: in another game object, with another game played in between, state by state
 * copied.
 */
export function checkDeterminism(game: Game, again: Game, played: readonly RandomGame[], complaints: Complaints): void {
  const other = played.map((p) => ({ s: begin(again, p.seed), p, i: 0 }));
  // all games at once, one action each in turn, so that anything remembered outside the state shows
  for (let going = true; going;) {
    going = false;
    for (const o of other) {
      complaints.expect(
        hashState(o.s, 0) === o.p.hashes[o.i],
        "deterministic",
        () => `game ${o.p.seed} differs after ${o.i} actions when played again`,
      );
      if (o.i === o.p.actions.length) continue;
      o.s = o.s.slice();
      act(again, o.s, o.p.actions[o.i++]!);
      going = true;
    }
  }
  complaints.expect(
    played.every((p) => begin(game, p.seed) !== null && hashState(begin(game, p.seed), 0) === p.hashes[0]),
    "deterministic",
    () => "the same seed starts two games",
  );
}

/** A replay with its seed, and one with the dice written down and another seed, end where the game did. */
export function checkReplays(game: Game, played: readonly RandomGame[], complaints: Complaints): void {
  for (const { seed, actions } of played) {
    const names = actions.map((a) => game.actions[a]!);
    const env = new Env(game);
    const scripts: (readonly ScriptEntry[])[] = [];
    const note = (run: (dice: RecordingDice) => void) => {
      const dice = new RecordingDice(new SeededDice());
      run(dice);
      scripts.push(dice.script);
    };
    try {
      note((d) => env.reset(seed, d));
      for (const name of names) note((d) => env.step(name, d));
      for (const extra of [{}, { seed: "another", dice: scripts }]) {
        const doc = parseReplay(JSON.parse(JSON.stringify(toReplay(game, seed, names, env, extra))));
        const end = playReplay(game.type, doc);
        complaints.expect(
          sameSituation(end.state, env.state),
          "replay",
          () =>
            `replayed ${"dice" in extra ? "with its dice" : "from its seed"}, ${firstDifference(game.fields.slice(1), env.state, end.state)}`,
        );
      }
    } catch (e) {
      complaints.add("replay", `game ${seed}: ${e instanceof Error ? e.message : String(e)}`);
    }
  }
}
