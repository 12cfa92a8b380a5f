import { z } from "zod";
import { parseWith } from "./schema.js";

/**
 * What one unit does by a decision that names it and others that name places: `move G3 to 0412`, `fire G3 at 0412`.
 * Where the engine plays a decision with a single place, the choice before it names that place.
 */
export interface Errand {
  /** The word that begins the order. */
  readonly verb: string;
  /** The word before the place: `to` for a way, `at` for one place, `for` another unit in place of one. */
  readonly word: "to" | "at" | "for";
  /** The kind of decision that names the unit; where none does, the first of `go`, whose prompt names it. */
  readonly choose: string;
  /**
   * The action between the unit and the place, and a word in the choices of units that may have it: `build minefield
   * with G3 at 0412`.
   */
  readonly does?: { readonly action: string; readonly by: string } | undefined;
  /** The kinds that name places, one after another. */
  readonly go: readonly string[];
  /** Stops where the unit is. Absent: it stops by itself. */
  readonly stop?: string | undefined;
  /** Uses the unit's turn up without going anywhere: `hold G3`. */
  readonly hold?: string | undefined;
  /**
   * Other actions of units with the word `by` in their choices that need no place, by the words before a name: `build
   * fort with G3`.
   */
  readonly deeds?: { readonly by: string; readonly actions: Readonly<Record<string, string>> } | undefined;
  /**
   * Other units ride along, from where the unit comes by, and get off by the action `off`: `carry G4 with G3 to 0412
   * then 0515`. Units with the word `by` in their choices carry.
   */
  readonly carry?: { readonly verb: string; readonly off: string; readonly by: string } | undefined;
  /** What `Choice.cost` counts: one step, or the way from its start. */
  readonly cost: "step" | "total";
  /** Brings the other units of the place along: `move G3 with all to 0412`. */
  readonly all?: string | undefined;
  /** Names a place to go by before the place to go to. Absent: each step is a decision. */
  readonly via?: string | undefined;
}

/** How the decisions of a game make up orders: `data/orders.json`. Kinds and actions are those of prompts. */
export interface OrderRules {
  readonly errands: readonly Errand[];
  /**
   * Kinds whose decisions, one after another, are one intention: dice, purchases, losses, a target and who fires at it.
   */
  readonly sets: readonly (readonly string[])[];
  /** Actions that do nothing but go on. */
  readonly declines: readonly string[];
  /**
   * Kinds of decisions that a phase begins with, by a word for it: `skip to movement` declines until one of them is
   * asked.
   */
  readonly phases: Readonly<Record<string, readonly string[]>>;
  /** Other words for actions, or for their first words: `throw` for `roll`. */
  readonly words: Readonly<Record<string, string>>;
  /**
   * Keys of a player's document of which one changes when a phase ends, or a turn, and no choice says that it ends it.
   */
  readonly stages: {
    readonly phase: readonly string[];
    readonly turn: readonly string[];
    /** Kind of the event with which a turn begins, for a log by turns. */
    readonly begins?: string | undefined;
  };
  /** Kinds of `sets` whose choices can be picked several at a time, each once or as often as wanted. */
  readonly picks: Readonly<Record<string, "once" | "often">>;
  /** Kinds of decisions that put dice aside one by one, and for each the action that throws those that are left. */
  readonly throws: Readonly<Record<string, string>>;
  /** How the page looks ahead to what a choice leads to. */
  readonly foresight: {
    /** Kinds of decisions whose choices are looked ahead from. */
    readonly from: readonly string[];
    /**
     * Answers by kind, the first that is possible: an action, `@` for one about the place of the choice, `*` for any.
     * Where none is, what declines. With an empty list nothing is looked ahead beyond such a decision.
     */
    readonly answers: Readonly<Record<string, readonly string[]>>;
    /** What is presumed, in words; absent: that both sides do no more than they must. */
    readonly presumes?: string | undefined;
    /** Kinds of events whose outcomes are overtaken by later ones. */
    readonly silent: readonly string[];
  };
}

/** Words that begin an order. */
const WORDS = /^[a-z]+( [a-z]+)*$/;

const schema = z.strictObject({
  errands: z.array(
    z.strictObject({
      verb: z.string().regex(WORDS),
      word: z.enum(["to", "at", "for"]),
      choose: z.string(),
      does: z.strictObject({ action: z.string(), by: z.string() }).optional(),
      go: z.array(z.string()).min(1),
      stop: z.string().optional(),
      hold: z.string().optional(),
      deeds: z.strictObject({ by: z.string(), actions: z.record(z.string().regex(WORDS), z.string()) }).optional(),
      carry: z.strictObject({ verb: z.string().regex(/^[a-z]+$/), off: z.string(), by: z.string() }).optional(),
      cost: z.enum(["step", "total"]),
      all: z.string().optional(),
      via: z.string().optional(),
    }),
  ),
  sets: z.array(z.array(z.string()).min(1)),
  declines: z.array(z.string()).min(1),
  phases: z.record(z.string().regex(/^[a-z]+$/), z.array(z.string()).min(1)),
  words: z.record(z.string(), z.string()),
  stages: z
    .strictObject({
      phase: z.array(z.string()).min(1),
      turn: z.array(z.string()).min(1),
      begins: z.string().optional(),
    })
    .default({ phase: ["turn"], turn: ["turn"] }),
  picks: z.record(z.string(), z.enum(["once", "often"])).default({}),
  throws: z.record(z.string(), z.string()).default({}),
  foresight: z
    .strictObject({
      from: z.array(z.string()).min(1),
      answers: z.record(z.string(), z.array(z.string())),
      presumes: z.string().optional(),
      silent: z.array(z.string()).default([]),
    })
    .default({ from: [], answers: {}, silent: [] }),
});

/** @throws KesselError `bad-data` with path and reason */
export function readOrderRules(doc: unknown): OrderRules {
  return parseWith(schema, doc, "bad-data", "orders.json");
}

/** Of a game that has none: its actions, one after another. */
export const NO_ORDER_RULES: OrderRules = {
  errands: [],
  sets: [],
  declines: [],
  phases: {},
  words: {},
  stages: { phase: ["turn"], turn: ["turn"] },
  picks: {},
  throws: {},
  foresight: { from: [], answers: {}, silent: [] },
};
