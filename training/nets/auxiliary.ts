import { type Game, tensorSizes } from "../../env/index.js";

/**
 * Auxiliary predictions, which help a net to learn its features faster: `finalMap` is the map as the actor sees it at
 * the end of the game, `otherUnits` the rows of `units` as the other player sees them now, `margin` how far the actor
 * is ahead at the end (`GameExtensions.margin`). A head predicts a flattened observation table or, without one, one
 * number. Only the trainer knows the targets, so a playing model has no auxiliary heads.
 */
export const AUXILIARY = {
  finalMap: { table: "map", when: "end" },
  otherUnits: { table: "units", when: "now" },
  margin: { table: null, when: "end" },
} as const;
export type Auxiliary = keyof typeof AUXILIARY;

/** Numbers that an auxiliary head predicts. */
export function auxiliaryWidth(game: Game, name: Auxiliary): number {
  const { table } = AUXILIARY[name];
  return table === null ? 1 : tensorSizes(game.observation)[table];
}

/** Prefix of the names of auxiliary layers. */
export const AUXILIARY_LAYER = "auxiliary/";
