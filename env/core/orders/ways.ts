import { createHash } from "node:crypto";
import { canonical } from "../describe.js";
import { RecordingDice, SeededDice } from "../dice/dice.js";
import { Rng } from "../dice/rng.js";
import { actionIndex, sampleFor } from "../env.js";
import type { Game, Viewer } from "../game.js";
import type { State, StateView } from "../layout.js";
import type { Choice, Prompt } from "../narration.js";
import { promptOf } from "../prompts.js";
import { orderRulesOf } from "./order.js";
import type { Errand } from "../order-rules.js";

/** A way of one unit to one place. */
export interface Way {
  readonly place: string;
  /** Movement points; null where the game counts none. */
  readonly cost: number | null;
  /** Places that it goes through, the last is `place`. */
  readonly path: readonly string[];
  readonly actions: readonly number[];
  /** Of its last step. */
  readonly warning: string | null;
  /** What the warning of the action that stops the unit there says; null without one. */
  readonly stopping: string | null;
  /** As far as the viewer knows, nothing is thrown and nobody else decides on it. */
  readonly calm: boolean;
}

/** A way with the imagined world at its end. */
interface Node extends Way {
  readonly world: State;
  readonly spent: number;
  /** Asks where the unit goes on to; null where its way ends. */
  readonly asks: Prompt | null;
}

/** Places that one search looks at. */
const MOST_PLACES = 4000;

/** What an action leads to in one of the worlds that a viewer can't tell from the true one. */
export interface Imagined {
  readonly world: State;
  /** True when dice are thrown, or counters drawn. */
  readonly diced: boolean;
}

/**
 * A world that `viewer` can't tell from the true one. Its seed derives from what the viewer knows, so it is the same
 * world wherever the viewer knows the same.
 */
export function imaginedWorld(game: Game, s: StateView, viewer: Viewer): State {
  const known = canonical(game.view(s, viewer));
  return sampleFor(game, s, viewer, new Rng(createHash("sha256").update(`orders\n${known}`).digest("hex")));
}

/** Carries an action out in a copy of an imagined world. */
export function imagine(game: Game, world: StateView, action: number): Imagined {
  const copy = Int32Array.from(world);
  const dice = new RecordingDice(new SeededDice());
  dice.begin(copy);
  game.apply(copy, action, dice);
  return { world: copy, diced: dice.script.length > 0 };
}

/** The choices of a decision that are places to go to, and what each leads to. */
function stepsOf(game: Game, errand: Errand, prompt: Prompt): { readonly choice: Choice; readonly place: string }[] {
  const { declines, errands } = orderRulesOf(game);
  const { stop, hold, all, via, deeds, carry } = errand;
  const others = errands.flatMap((e) => e.does?.action ?? []);
  const nowhere = [stop, hold, all, via, carry?.off, ...Object.values(deeds?.actions ?? {}), ...others, ...declines];
  const [unit] = prompt.units;
  return prompt.choices.flatMap((choice) => {
    const { name, places, units } = choice;
    if (nowhere.includes(name)) return [];
    if (errand.word === "for") return units.map((u) => ({ choice, place: u }));
    if (units.some((u) => u !== unit)) return []; // another that comes along
    return [{ choice, place: places.at(-1) ?? name }]; // off the map by the action's own name
  });
}

/**
 * Where a unit can get to from a decision that asks where it goes, by the cheapest ways, nearest first.
 *
 * @param world an imagined world at that decision
 */
export function waysFrom(game: Game, world: State, viewer: Viewer, errand: Errand): Map<string, Node> {
  const asks = promptOf(game, world, viewer);
  const [unit] = asks.units;
  const found = new Map<string, Node>();
  /** Of each place, what the cheapest way that is known takes. */
  const least = new Map<string, readonly [spent: number, steps: number]>();
  const start = {
    place: "",
    cost: 0,
    path: [],
    actions: [],
    warning: null,
    stopping: null,
    calm: true,
    world,
    spent: 0,
    asks,
  };
  const waiting: Node[] = [start];
  while (waiting.length > 0 && found.size < MOST_PLACES) {
    const node = cheapest(waiting);
    if (found.has(node.place)) continue;
    if (node !== start) found.set(node.place, node);
    if (node.asks === null) continue;
    for (const { choice, place } of stepsOf(game, errand, node.asks)) {
      const step = choice.cost ?? 0;
      const spent = errand.cost === "total" ? step : node.spent + step;
      const [most, steps] = least.get(place) ?? [Infinity, Infinity];
      if (spent > most || (spent === most && node.path.length + 1 >= steps)) continue;
      least.set(place, [spent, node.path.length + 1]);
      const { world: next, diced } = imagine(game, node.world, choice.action);
      const calm = node.calm && !diced && game.actor(next) === viewer;
      const goesOn = calm && errand.word === "to" && choice.warning === null;
      const asks = goesOn ? asksOn(game, next, viewer, errand, unit) : null;
      waiting.push({
        place,
        cost: choice.cost === undefined ? null : spent,
        path: [...node.path, place],
        actions: [...node.actions, choice.action],
        warning: choice.warning,
        stopping: asks?.choices.find((c) => c.name === errand.stop)?.warning ?? null,
        calm,
        world: next,
        spent,
        asks,
      });
    }
  }
  return found;
}

/** The decision, if it asks where the same unit goes on to. */
function asksOn(game: Game, world: StateView, viewer: Viewer, errand: Errand, unit: string | undefined): Prompt | null {
  const prompt = promptOf(game, world, viewer);
  return errand.go.includes(prompt.kind) && prompt.units[0] === unit ? prompt : null;
}

/** Takes the cheapest out; of those that cost as much the one with fewer steps. */
function cheapest(waiting: Node[]): Node {
  let best = 0;
  for (let i = 1; i < waiting.length; i++) {
    const [a, b] = [waiting[i]!, waiting[best]!];
    if (a.spent < b.spent || (a.spent === b.spent && a.path.length < b.path.length)) best = i;
  }
  return waiting.splice(best, 1)[0]!;
}

/** A way by several places in turn, or the place of them that can't be reached. */
export function wayBy(
  game: Game,
  world: State,
  viewer: Viewer,
  errand: Errand,
  places: readonly string[],
): Node | { readonly missing: string } {
  let at = null as Node | null;
  for (const [i, place] of places.entries()) {
    let from = at?.world ?? world;
    const actions = [...(at?.actions ?? [])];
    if (errand.via !== undefined && i < places.length - 1) {
      const via = actionIndex(game, errand.via);
      if (!promptOf(game, from, viewer).choices.some((c) => c.action === via)) return { missing: place };
      from = imagine(game, from, via).world;
      actions.push(via);
    }
    const next: Node | undefined = placeIn(waysFrom(game, from, viewer, errand), place);
    if (next === undefined) return { missing: place };
    at = {
      ...next,
      path: [...(at?.path ?? []), ...next.path],
      actions: [...actions, ...next.actions],
      calm: (at?.calm ?? true) && next.calm,
    };
  }
  return at!;
}

/** A place by its name, however it is written. */
export function placeIn(ways: ReadonlyMap<string, Node>, name: string): Node | undefined {
  const lower = name.toLowerCase();
  return ways.get(name) ?? [...ways.values()].find((w) => w.place.toLowerCase() === lower);
}

/** How many steps each place is away from one of them, by the map alone; null when there is no such place. */
export function stepsTo(game: Game, place: string): ReadonlyMap<string, number> | null {
  const { mapRows } = game.observation;
  const target = mapRows.findIndex((row) => row.toLowerCase() === place.toLowerCase());
  if (target < 0) return null;
  const away = new Map<string, number>([[mapRows[target]!, 0]]);
  const rows = [target];
  for (const row of rows)
    for (const next of game.statics.neighbours[row]!) {
      if (away.has(mapRows[next]!)) continue;
      away.set(mapRows[next]!, away.get(mapRows[row]!)! + 1);
      rows.push(next);
    }
  return away;
}
