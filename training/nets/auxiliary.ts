import { type Game, tensorSizes } from "../../env/index.js";

/**
 * Auxiliary predictions, which help a net to learn its features faster: `finalMap` is the map as the actor sees it at
 * the end of the game, `otherUnits` the rows of `units` as the other player sees them now; each of these predicts one
 * flattened observation tensor. `margin` is how far the actor is ahead at the end (`GameExtensions.margin`), one number.
 * Only the trainer knows the targets, so a playing model has no auxiliary heads.
 */
export const AUXILIARY = { finalMap: "map", otherUnits: "units", margin: null } as const;
export type Auxiliary = keyof typeof AUXILIARY;

/** Numbers that an auxiliary head predicts. */
export function auxiliaryWidth(game: Game, name: Auxiliary): number {
  const tensor = AUXILIARY[name];
  return tensor === null ? 1 : tensorSizes(game.observation)[tensor];
}

/** Prefix of the names of auxiliary layers. */
export const AUXILIARY_LAYER = "auxiliary/";
