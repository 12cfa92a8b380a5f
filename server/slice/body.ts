import type { PackedFrame } from "../wire/tensors.js";

/** What an operation replies with: the header's keys, and the data frame if there is one. */
export type Body = Record<string, unknown> & { packed?: PackedFrame };
export type Answer = Body | Promise<Body>;
