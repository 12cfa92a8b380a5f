/** `data/primer.json`: what can be done and why, and what the words mean. */
export interface Primer {
  readonly moves: readonly Move[];
  readonly terms: readonly Term[];
}

/** Actions that are for the same thing. */
export interface Move {
  readonly name: string;
  /** What they are good for, in a sentence. */
  readonly why: string;
  readonly rule: string;
  /** Kinds of decisions, as prompts name them, and how the names of the actions begin: whole words. */
  readonly kinds: readonly string[];
  readonly actions: readonly string[];
}

/** A word of the game. */
export interface Term {
  readonly term: string;
  /** Other forms that occur in sentences: plurals, short forms. */
  readonly also: readonly string[];
  readonly says: string;
  readonly rule: string;
}

/** @returns the first of `moves` that an action belongs to */
export const moveOf = (moves: readonly Move[], kind: string, action: string): Move | undefined =>
  moves.find((m) => m.kinds.includes(kind) && m.actions.some((a) => action === a || action.startsWith(`${a} `)));
