import { Env, loadGame, NOBODY, RecordingDice, type Replay, SeededDice, toReplay } from "../../../env/index.js";

/** A game that takes the first, third, fifth ... legal action; `most` decisions of it. */
export function recorded(id: string, most = Infinity, keepDice = false): Replay {
  const game = loadGame(id);
  const env = new Env(game);
  const dice: RecordingDice[] = [];
  const next = (): RecordingDice => {
    dice.push(new RecordingDice(new SeededDice()));
    return dice.at(-1)!;
  };
  env.reset("recorded", next());
  const actions: string[] = [];
  while (env.actor !== NOBODY && actions.length < most) {
    const legal = [...env.mask.keys()].filter((a) => env.mask[a] === 1);
    actions.push(game.actions[legal[(2 * actions.length) % legal.length]!]!);
    env.step(actions.at(-1)!, next());
  }
  const agents = Object.fromEntries(game.players.map((p) => [p, "external:tcp://127.0.0.1:1"]));
  return toReplay(game, keepDice ? "another" : "recorded", actions, env, {
    agents,
    ...(keepDice ? { dice: dice.map((d) => d.script) } : {}),
  });
}
