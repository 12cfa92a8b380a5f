/** The actor: a player's index, or one of the two below. */
export type Actor = number;
/** `actor` of a finished game. */
export const NOBODY = -1;
/** `actor` while explicit chance waits for an outcome (only games with `chance`, only when asked for). */
export const CHANCE = -2;

/** A viewer: a player's index, or a spectator, who sees only what every player may see. */
export type Viewer = number;
export const SPECTATOR = -1;
/**
 * Sees the whole truth. Only events, prompts, standing and scenes know this viewer, and only privileged callers and
 * games that have ended ask for it.
 */
export const EVERYTHING = -2;
