import type { Agent } from "../../agents/agent.js";
import { Env, type Game, KesselError, OrderRun, orderRulesOf, promptOf, type State } from "../../env/index.js";
import { OneDecision } from "../../server/session/one-decision.js";

/** One decision of a played game. */
export interface Played {
  readonly before: State;
  readonly actor: number;
  readonly kind: string;
  readonly units: readonly string[];
  readonly action: number;
  /** Of the place that the action names. */
  readonly place: string | null;
  readonly forced: boolean;
  /** The page asks whether the action is meant. */
  readonly warned: boolean;
}

/** A game of agents, decision by decision. */
export async function playedBy(game: Game, agents: readonly Agent[], seed: string): Promise<Played[]> {
  const env = new Env(game);
  env.reset(seed);
  const out = new Int32Array(1);
  const played: Played[] = [];
  while (!env.terminated) {
    const { actor } = env;
    const { kind, units, choices } = promptOf(game, env.state, actor);
    if (env.legalCount === 1) out[0] = env.mask.indexOf(1);
    else await agents[actor]!.act(new OneDecision(env), out);
    const action = out[0]!;
    const { places, units: touched, warning } = choices.find((c) => c.action === action)!;
    played.push({
      before: env.state.slice(),
      actor,
      kind,
      units: units.length > 0 ? units : touched,
      action,
      place: places.at(-1) ?? null,
      forced: env.legalCount === 1,
      warned: warning !== null,
    });
    env.step(action);
  }
  return played;
}

/** An order that stands for decisions of a game. */
export interface Retold {
  readonly text: string;
  /** How many decisions it stands for, those with one choice included. */
  readonly decisions: number;
}

/**
 * Tells a game again in orders. Each order has been carried out from its place in the game, and came to the decisions
 * that it stands for; what no order says stays one decision.
 */
export function retold(game: Game, played: readonly Played[]): Retold[] {
  const told: Retold[] = [];
  for (let i = 0; i < played.length;) {
    if (played[i]!.forced) {
      i++; // nobody is asked
      continue;
    }
    const found = candidates(game, played, i).find((c) => cameTo(game, played, i, c));
    const one = found ?? { text: game.actions[played[i]!.action]!, decisions: 1 };
    told.push(one);
    i += one.decisions;
  }
  return told;
}

/** True when the order leads to exactly the decisions that were played. */
function cameTo(game: Game, played: readonly Played[], from: number, { text, decisions }: Retold): boolean {
  const env = new Env(game);
  env.restore(played[from]!.before);
  let n = 0;
  try {
    const run = new OrderRun(game, env.state, env.actor, text);
    for (let a = run.next(env.state); a !== null; a = run.next(env.state)) {
      if (n === decisions || played[from + n]!.action !== a) return false;
      env.step(a);
      n++;
    }
    return n === decisions;
  } catch (e) {
    if (e instanceof KesselError) return false;
    throw e;
  }
}

/** Orders that may stand for the decisions from one on, those that stand for the most first. */
function candidates(game: Game, played: readonly Played[], from: number): Retold[] {
  const { errands, sets, declines, phases } = orderRulesOf(game);
  const { kind, actor } = played[from]!;
  const name = (i: number): string => game.actions[played[i]!.action]!;
  const list: Retold[] = [];
  for (const errand of errands.filter((e) => e.choose === kind)) {
    const legs: { unit: string; all: boolean; path: string[]; end: number }[] = [];
    for (
      let i = from;
      played[i]?.actor === actor && played[i]?.kind === errand.choose && played[i]!.units.length > 0;
    ) {
      const unit = played[i]!.units[0]!;
      const path: string[] = [];
      let all = false;
      for (
        i++;
        played[i]?.actor === actor && errand.go.includes(played[i]!.kind) && played[i]!.units[0] === unit;
        i++
      ) {
        if (name(i) === errand.stop || name(i) === errand.hold) {
          i++;
          break;
        }
        if (name(i) === errand.all) all = true;
        else if (name(i) !== errand.via) path.push(played[i]!.place ?? name(i));
      }
      legs.push({ unit, all, path, end: i });
    }
    for (let n = legs.length; n > 0; n--) {
      const units = legs.slice(0, n).map((l) => l.unit);
      const decisions = legs[n - 1]!.end - from;
      const ends = new Set(legs.slice(0, n).map((l) => l.path.at(-1)));
      if (ends.size !== 1) continue;
      const [end] = ends;
      for (const mark of ["", "!"]) {
        if (end === undefined) list.push({ text: `hold ${units.join(", ")}${mark}`, decisions });
        else {
          const along = n === 1 && legs[0]!.all ? " with all" : "";
          const text = `${errand.verb} ${units.join(", ")}${along} ${errand.word} ${end}`;
          list.push({ text: text + mark, decisions });
          const by = legs[0]!.path.slice(0, -1);
          const alike = legs.slice(0, n).every((l) => l.path.join() === legs[0]!.path.join());
          if (alike && by.length > 0) list.push({ text: `${text} by ${by.join(", ")}${mark}`, decisions });
        }
      }
    }
  }
  // units that are placed one by one, each somewhere
  const placing = errands.find((e) => e.choose === kind && e.word === "at");
  if (placing !== undefined) {
    const texts: string[] = [];
    for (let i = from; played[i]?.kind === kind && placing.go.includes(played[i + 1]?.kind ?? ""); i += 2) {
      texts.push(`${played[i]!.units[0]!} at ${played[i + 1]!.place!}`);
      for (const mark of ["", "!"])
        list.push({ text: `${placing.verb} ${texts.join("; ")}${mark}`, decisions: i + 2 - from });
    }
  }
  let skipped = from;
  while (played[skipped]?.actor === actor && (declines.includes(name(skipped)) || played[skipped]!.forced)) {
    const reached = played[++skipped];
    const word = Object.keys(phases).find((w) => phases[w]!.includes(reached?.kind ?? ""));
    if (word !== undefined && reached!.actor === actor)
      for (const mark of ["", "!"]) list.push({ text: `skip to ${word}${mark}`, decisions: skipped - from });
  }
  const set = sets.find((s) => s.includes(kind));
  if (set !== undefined) {
    let end = from;
    while (played[end]?.actor === actor && (set.includes(played[end]!.kind) || played[end]!.forced)) end++;
    for (let n = end; n > from; n--) {
      const names = Array.from({ length: n - from }, (_, k) => from + k);
      const asked = names.filter((i) => !played[i]!.forced).map(name);
      for (const mark of ["", "!"]) list.push({ text: asked.join(", ") + mark, decisions: n - from });
    }
  }
  return [
    ...list,
    ...list.flatMap((order) => andEnds(game, played, from, order)),
    ...afterSkips(game, played, from),
  ].toSorted((a, b) => b.decisions - a.decisions);
}

/**
 * The same order with the end of the phase, or the way to a later one, where that comes next: `move StuG/244 to 3; end
 * phase!`.
 */
function andEnds(game: Game, played: readonly Played[], from: number, { text, decisions }: Retold): Retold[] {
  if (text.startsWith("skip ")) return [];
  const { declines, phases } = orderRulesOf(game);
  const { actor } = played[from]!;
  const order = text.replace(/!$/, "");
  const list: Retold[] = [];
  let declined = 0;
  for (let at = from + decisions; played[at]?.actor === actor; at++) {
    if (played[at]!.forced) continue;
    const word = Object.keys(phases).find((w) => phases[w]!.includes(played[at]!.kind));
    if (declined > 0 && word !== undefined) list.push({ text: `${order}; skip to ${word}!`, decisions: at - from });
    if (!declines.includes(game.actions[played[at]!.action]!)) break;
    if (++declined === 1) list.push({ text: `${order}; end phase!`, decisions: at + 1 - from });
  }
  return list;
}

/** Orders that first go on to the phase that they belong to: `skip to movement; move G1 to 0412`. */
function afterSkips(game: Game, played: readonly Played[], from: number): Retold[] {
  const { declines, phases } = orderRulesOf(game);
  const { actor } = played[from]!;
  let at = from;
  while (played[at]?.actor === actor && (played[at]!.forced || declines.includes(game.actions[played[at]!.action]!)))
    at++;
  const reached = played[at];
  const word = Object.keys(phases).find((w) => phases[w]!.includes(reached?.kind ?? ""));
  if (at === from || reached?.actor !== actor || word === undefined) return [];
  return candidates(game, played, at).map((order) => ({
    text: `skip to ${word}; ${order.text}`,
    decisions: at - from + order.decisions,
  }));
}
