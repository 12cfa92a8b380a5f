import { z } from "zod";
import type { StateView } from "./layout.js";
import { parseWith } from "./schema.js";
import type { Viewer } from "./viewers.js";

/** Dice thrown together, or counters drawn, inside one event. */
export interface Throw {
  /** The side that threw, by its name; null when no side did (a procedure of the game). */
  readonly by: string | null;
  /** What it was for: `attack`, `command`, `drawing the garrison`. */
  readonly purpose: string;
  /** Sides of the dice; 0 when counters were drawn. */
  readonly sides: number;
  /** What fell, in order, dice thrown again included. Names when counters were drawn. */
  readonly faces: readonly (number | string)[];
  /** What was needed, as a person says it: `5+`, `6 or less`; null when any result does. */
  readonly needed: string | null;
  /** What came of it: `2 hits`. */
  readonly result: string;
}

/** One thing that happened. Names of units, places and sides are those of action notation. */
export interface GameEvent {
  /** The kind: a key of the game's `data/events.json`. */
  readonly what: string;
  /** The rule behind it: a key of `data/rules.json`. */
  readonly rule: string;
  /** The side that did it, by its name; null when no side did. */
  readonly by: string | null;
  /** One or two sentences, without the rule's number: `Pz 2 withdraws to 2408.` */
  readonly text: string;
  /** The result in a few words without dice, for odds: `2507 captured`. Events that are no result have none. */
  readonly outcome?: string;
  readonly dice?: readonly Throw[];
  readonly units?: readonly string[];
  /** Places it happened at; in a move, from first to last. */
  readonly places?: readonly string[];
  readonly amount?: number;
}

/**
 * Hears what happens, in order. Rules ask for one only when somebody listens, so that play without one costs nothing.
 */
export interface Narrator {
  /** Tells what every player and spectator may know. */
  tell(event: GameEvent): void;
  /**
   * Tells what reads differently for different viewers.
   *
   * @param version the event as a viewer notices it; null when he notices nothing. `EVERYTHING` gets the truth
   */
  tellEach(version: (viewer: Viewer) => GameEvent | null): void;
}

/** What a kind of event is, and which parts of a viewer's document (`Game.view`) it accounts for. */
export interface EventKind {
  readonly says: string;
  /**
   * Paths that change with such an event: keys joined by dots, `*` for any one key, `**` for any rest; `{unit}` and
   * `{place}` stand for one of the event's units and places.
   */
  readonly changes: readonly string[];
}

/** `data/events.json` */
export interface EventKinds {
  readonly kinds: Readonly<Record<string, EventKind>>;
  /** Paths of `Game.view` that the next prompt tells instead: the open decision, the phase. */
  readonly prompted: readonly string[];
}

const eventKindsSchema = z.strictObject({
  kinds: z.record(
    z.string().regex(/^[a-z][a-z-]*$/),
    z.strictObject({ says: z.string().min(1), changes: z.array(z.string().min(1)) }),
  ),
  prompted: z.array(z.string().min(1)),
});

/** @throws KesselError `bad-data` with path and reason */
export function readEventKinds(doc: unknown): EventKinds {
  return parseWith(eventKindsSchema, doc, "bad-data", "events.json");
}

/** One legal action as a person sees it. */
export interface Choice {
  /** Index and notation of the action. */
  readonly action: number;
  readonly name: string;
  /** What it does, what it costs: `Move I/517 to 5 Rail Station (2 of 6 MP)`. */
  readonly text: string;
  /** What a click could touch to choose it; names of action notation. */
  readonly places: readonly string[];
  readonly units: readonly string[];
  /** The die, by its place in the tray. */
  readonly die?: number;
  /** What it ends for the chooser. */
  readonly ends: "phase" | "turn" | null;
  /** Why to think twice: it loses the game, wastes what can't be kept, can't be taken back. People confirm such a choice. */
  readonly warning: string | null;
}

/** What is to be decided. */
export interface Prompt {
  /** The side that decides, by its name; null at the end and at a chance node. */
  readonly by: string | null;
  /** The kind of decision, as positions name it. */
  readonly kind: string;
  /** A full sentence that names the object at hand; for its owner also a secret one. */
  readonly text: string;
  /** The rule that asks, and others that help to decide: keys of `data/rules.json`. */
  readonly rule: string;
  readonly seeAlso: readonly string[];
  /** The object at hand. */
  readonly units: readonly string[];
  readonly places: readonly string[];
  /** All legal actions, those that end a phase or a turn last. Empty for a viewer who doesn't decide. */
  readonly choices: readonly Choice[];
}

/** One condition of victory. */
export interface Condition {
  readonly rule: string;
  /** Whom it serves. */
  readonly side: string;
  readonly text: string;
  readonly have: number;
  readonly need: number;
  /** What is counted: `VP`, `areas`, `hexes`. */
  readonly unit: string;
  /** Where it is had or missing. */
  readonly places: readonly string[];
  readonly met: boolean;
  /** When it is tested: `at once`, `end of turn 3`. */
  readonly when: string;
}

export interface Standing {
  readonly conditions: readonly Condition[];
  /** How the game would end if it ended now: the winner's name, null for a draw or no result. */
  readonly winnerNow: string | null;
  /** The same as a sentence, with its reason. */
  readonly ifEndedNow: string;
}

/** Optional extension of a game: its voice. Each answer holds what `viewer` may know and nothing else. */
export interface Narration {
  prompt(s: StateView, viewer: Viewer): Prompt;
  standing(s: StateView, viewer: Viewer): Standing;
}

/** Those that end nothing first, as they stand, then those that end a phase, then those that end a turn. */
export function endersLast(choices: readonly Choice[]): Choice[] {
  const weight = (c: Choice): number => (c.ends === null ? 0 : c.ends === "phase" ? 1 : 2);
  return [...choices].sort((a, b) => weight(a) - weight(b));
}

/** Keeps what it is told, for each of the viewers it was made for. */
export class EventLog implements Narrator {
  private readonly lists: Map<Viewer, GameEvent[]>;

  constructor(viewers: readonly Viewer[]) {
    this.lists = new Map(viewers.map((v) => [v, []]));
  }

  tell(event: GameEvent): void {
    for (const list of this.lists.values()) list.push(event);
  }

  tellEach(version: (viewer: Viewer) => GameEvent | null): void {
    for (const [viewer, list] of this.lists) {
      const event = version(viewer);
      if (event !== null) list.push(event);
    }
  }

  /** Forgets what was told since the last `take`. */
  clear(): void {
    for (const list of this.lists.values()) list.length = 0;
  }

  /** What `viewer` was told since the last `take`. */
  take(viewer: Viewer): GameEvent[] {
    const list = this.lists.get(viewer);
    if (list === undefined) throw new RangeError(`this log was not made for viewer ${viewer}`);
    return list.splice(0);
  }
}
