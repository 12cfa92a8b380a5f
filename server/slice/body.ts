import { pack, Packed, packWith } from "../wire/msgpack.js";
import type { Reply } from "../wire/protocol.js";
import type { PackedFrame } from "../wire/tensors.js";

/** What an operation replies with: the header's keys, and the data frame if there is one. */
export type Body = Record<string, unknown> & { packed?: PackedFrame };
export type Answer = Body | Promise<Body>;

/** The frames of an answer. */
export function reply(id: number, { packed, ...body }: Body): Reply {
  const { game } = body;
  if (game instanceof Packed) return { header: packWith({ id }, "game", game) };
  if (packed === undefined) return { header: pack({ id, ...body }) };
  const { tensors, data, slot, kept } = packed;
  const header = pack({ id, ...body, ...(tensors && { tensors }), ...(slot !== undefined && { slot }) });
  if (data === undefined) return { header };
  return kept === true ? { header, data, kept } : { header, data };
}
