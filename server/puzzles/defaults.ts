/**
 * Worlds in which each action is played out, to the end; least margin in return; candidates that are judged; puzzles of
 * a book.
 */
export const DEFAULTS = { worlds: 512, depth: null, least: 0.1, looked: 300, most: 100 } as const;
