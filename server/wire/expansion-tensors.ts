/** What a reply to `expand` may hold, in the order of its frame. */
export const EXPANSION_TENSORS = [
  ...(["globals", "map", "units", "decision"] as const),
  ...(["mask", "actors", "rewards", "terminated", "exact", "policy", "value"] as const),
] as const;
export type ExpansionTensor = (typeof EXPANSION_TENSORS)[number];
