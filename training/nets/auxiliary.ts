/**
 * Auxiliary predictions, which help a net to learn its features faster: `finalMap` is the map as the actor sees it at
 * the end of the game, `otherUnits` the rows of `units` as the other player sees them now. Each predicts one flattened
 * observation tensor. Only the trainer knows the targets, so a playing model has no auxiliary heads.
 */
export const AUXILIARY = { finalMap: "map", otherUnits: "units" } as const;
export type Auxiliary = keyof typeof AUXILIARY;

/** Prefix of the names of auxiliary layers. */
export const AUXILIARY_LAYER = "auxiliary/";
