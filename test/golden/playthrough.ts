import {
  canonical,
  Env,
  type Game,
  type Json,
  type JsonObject,
  newObservation,
  Rng,
  SPECTATOR,
  TENSORS,
} from "../../env/index.js";

/** At most about this many situations of a game are written out. */
const SHOWN = 16;
const WIDTH = 150;

/**
 * A whole seeded game of a random player as text: every action, and in some situations the true position, beside it
 * what each player and the spectator see otherwise, their boards, and a number for each observation.
 */
export function playthrough(game: Game, name: string, seed: string): string {
  const actions = record(game, seed);
  const every = Math.max(1, Math.ceil(actions.length / SHOWN));
  const env = new Env(game);
  env.reset(seed);
  const lines = [
    `${game.type.title}, version ${game.type.version}, ${name}, seed ${seed}: ${actions.length} decisions`,
  ];
  const show = (i: number) => lines.push("", `== after ${i} decisions`, ...situation(game, env));
  show(0);
  lines.push("");
  actions.forEach((action, i) => {
    const before = env.state.slice();
    const actor = env.actor;
    const legal = env.legalCount;
    env.step(action);
    const others = [...game.players.keys(), SPECTATOR].flatMap((viewer) => {
      const seen = game.describeFor(before, game.actions.indexOf(action), env.state, viewer);
      return seen === action ? [] : [`${viewerName(game, viewer)} sees ${seen ?? "nothing"}`];
    });
    lines.push([`${i + 1} ${game.players[actor]}: ${action} (of ${legal})`, ...others].join("; "));
    if ((i + 1) % every === 0 || i === actions.length - 1) {
      show(i + 1);
      lines.push("");
    }
  });
  const returns = new Float32Array(game.players.length);
  game.returns(env.state, returns);
  lines.push(`end: ${game.players.map((p, i) => `${p} ${returns[i]}`).join(", ")}`, "");
  return lines.map((l) => l.trimEnd()).join("\n");
}

function record(game: Game, seed: string): string[] {
  const env = new Env(game);
  const rng = new Rng(`${seed}/player`);
  const actions: string[] = [];
  for (env.reset(seed); !env.terminated;) {
    const legal = env.legal();
    const action = legal[rng.below(legal.length)]!;
    actions.push(action);
    env.step(action);
  }
  return actions;
}

function situation(game: Game, env: Env): string[] {
  const truth = game.write(env.state);
  const lines = Object.entries(truth).flatMap(([k, v]) => wrapped("truth", k, v));
  const boards = new Map<string, string[]>();
  const observation = newObservation(game.observation);
  for (const viewer of [...game.players.keys(), SPECTATOR]) {
    const who = viewerName(game, viewer);
    const view: JsonObject = game.view(env.state, viewer);
    for (const key of new Set([...Object.keys(truth), ...Object.keys(view)])) {
      const [t, v] = [truth[key], view[key]];
      if (v === undefined) lines.push(`${who} does not see ${key}`);
      else if (t === undefined || canonical(t) !== canonical(v)) lines.push(...wrapped(who, key, v));
    }
    const board = game.render(env.state, viewer);
    boards.set(board, [...(boards.get(board) ?? []), who]);
    game.observe(env.state, viewer, observation);
    lines.push(`${who} observes ${TENSORS.map((t) => `${t} ${digest(observation[t])}`).join("  ")}`);
  }
  for (const [board, who] of boards) lines.push(`${who.join(", ")}:`, ...board.split("\n").map((l) => `    ${l}`));
  return lines;
}

const viewerName = (game: Game, viewer: number): string => game.players[viewer] ?? "spectator";

/** `who key: value`, long values over several lines so that a difference shows where it is. */
function wrapped(who: string, key: string, value: Json): string[] {
  const text = `${who} ${key}: ${canonical(value)}`;
  const lines: string[] = [];
  for (let from = 0; from < text.length;) {
    const indent = from === 0 ? "" : "    ";
    let to = Math.min(text.length, from + WIDTH);
    if (to < text.length) {
      const comma = text.lastIndexOf(",", to);
      if (comma > from) to = comma + 1;
    }
    lines.push(indent + text.slice(from, to));
    from = to;
  }
  return lines;
}

/** FNV-1a over the bytes of a tensor. */
function digest(x: Float32Array): string {
  let h = 0x811c9dc5;
  for (const byte of new Uint8Array(x.buffer, x.byteOffset, x.byteLength)) h = Math.imul(h ^ byte, 0x01000193);
  return (h >>> 0).toString(16).padStart(8, "0");
}
