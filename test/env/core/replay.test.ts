import { describe, expect, test } from "vitest";
import {
  Env,
  type ErrorCode,
  parseReplay,
  playReplay,
  RecordingDice,
  type Replay,
  replayView,
  resolveOptions,
  Rng,
  SeededDice,
  type ScriptEntry,
  SPECTATOR,
  toReplay,
} from "../../../env/index.js";
import { ambush } from "../../toys/ambush.js";

const game = ambush.load(resolveOptions(ambush), {});
const error = (code: ErrorCode, says: string) =>
  expect.objectContaining({ code, message: expect.stringContaining(says) as string }) as Error;

/** A random game of `ambush`, from its seed or with its dice written down. */
function played(seed: string, withDice = false): { replay: Replay; env: Env } {
  const env = new Env(game);
  const rng = new Rng(seed);
  const dice: ScriptEntry[][] = [];
  const note = () => {
    const recording = new RecordingDice(new SeededDice());
    dice.push(recording.script);
    return recording;
  };
  const actions: string[] = [];
  for (env.reset(seed, note()); !env.terminated;) {
    const legal = env.legal();
    actions.push(legal[rng.below(legal.length)]!);
    env.step(actions.at(-1)!, note());
  }
  return { replay: toReplay(game, seed, actions, env, withDice ? { dice } : {}), env };
}

const { replay, env } = played("replay");

test("a replay ends where the game did, in every word", () => {
  const again = playReplay(ambush, parseReplay(JSON.parse(JSON.stringify(replay))));
  expect([...again.state]).toEqual([...env.state]);
  expect(Object.values(replay.returns!).reduce((a, b) => a + b)).toBe(0);
});

test("a replay with dice needs no seed of its own", () => {
  const { replay: diced, env: end } = played("diced", true);
  const again = playReplay(ambush, { ...diced, seed: "another" });
  expect([...again.state.subarray(4)]).toEqual([...end.state.subarray(4)]);
});

test("every step is shown, the start first", () => {
  const shown: (string | null)[] = [];
  playReplay(ambush, replay, (_env, action) => shown.push(action));
  expect(shown).toEqual([null, ...replay.actions]);
});

test("an unfinished game has no returns and replays too", () => {
  const part: Replay = { ...replay, actions: replay.actions.slice(0, 3) };
  delete (part as { returns?: unknown }).returns;
  expect(playReplay(ambush, part).terminated).toBe(false);
});

test("a viewer's replay shows views and actions as that viewer saw them", () => {
  const lines = replayView(ambush, replay, SPECTATOR) as { action: string | null; view: { supply: unknown } }[];
  expect(lines).toHaveLength(replay.actions.length + 1);
  expect(lines.every((l) => l.view.supply === null)).toBe(true);
  expect(lines.some((l) => l.action === "supply")).toBe(true);
  expect(JSON.stringify(lines)).not.toContain("with");
});

describe("refused as a replay", () => {
  test.each([
    ["no object", null, "replay: (top)"],
    ["another format", { ...replay, format: 2 }, "format"],
    ["an unknown key", { ...replay, extra: 1 }, "extra"],
    ["actions by number", { ...replay, actions: [1] }, "actions[0]"],
    ["no seed", { ...replay, seed: undefined }, "seed"],
    ["a die that is a list", { ...replay, dice: [[[]]] }, "dice[0][0]"],
  ])("%s", (_what, doc, says) => expect(() => parseReplay(doc)).toThrow(error("bad-replay", says)));

  test.each([
    ["another game", { ...replay, game: "toy-race" }, "is of toy-race, not of toy-ambush"],
    ["another version", { ...replay, version: 2 }, "version 2"],
    ["an action that was not legal", { ...replay, actions: ["at 1"] }, 'action 1: toy-ambush: "at 1" is not legal'],
    ["an action that does not exist", { ...replay, actions: ["jump"] }, 'action 1: toy-ambush has no action "jump"'],
    [
      "an end that does not come",
      { ...replay, actions: replay.actions.slice(0, 2) },
      "records an end but the game goes on",
    ],
    ["other returns", { ...replay, returns: { red: 0.5 } }, "records 0.5 for red"],
    ["too few lists of dice", { ...replay, dice: [[]] }, `${replay.actions.length + 1} lists of dice, not 1`],
  ])("%s", (_what, doc, says) => expect(() => playReplay(ambush, doc)).toThrow(error("bad-replay", says)));

  test("options of another game", () =>
    expect(() => playReplay(ambush, { ...replay, options: { target: 1 } })).toThrow(
      error("bad-option", 'no option "target"'),
    ));
});
