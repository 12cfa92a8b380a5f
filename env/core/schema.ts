import { z } from "zod";
import { type ErrorCode, KesselError } from "./errors.js";

/** A JSON path as text: `areas.S6.max`, `dice.kept.units[2]`. */
export function pathText(path: readonly PropertyKey[]): string {
  let text = "";
  for (const p of path) text += typeof p === "number" ? `[${p}]` : text === "" ? String(p) : `.${String(p)}`;
  return text === "" ? "(top)" : text;
}

/**
 * Parses with a zod schema; the first fault becomes one sentence with its path.
 *
 * @param what names the document in the message
 * @throws KesselError with `code`
 */
export function parseWith<T>(schema: z.ZodType<T>, value: unknown, code: ErrorCode, what: string): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const issue = result.error.issues[0]!;
  if (issue.code === "unrecognized_keys")
    throw new KesselError(code, `${what}: ${pathText([...issue.path, issue.keys[0]!])}: there is no such key`);
  throw new KesselError(code, `${what}: ${pathText(issue.path)}: ${issue.message}`);
}

const text = z.string().min(1);

/**
 * What a block of a data file says to its readers, and nothing computes with: what it is for, which rules it states,
 * and where its values come from, in one text or in one for each part. Every other part of the data must be read by the
 * program.
 */
const notes = {
  about: text.optional(),
  rule: text.optional(),
  provenance: z.union([text, z.record(z.string(), text)]).optional(),
};
/** The keys of `notes`. */
export const NOTES: readonly string[] = Object.keys(notes);

/** A block of a data file: these keys, and what it says about itself; any other key is refused by name. */
export function dataBlock<S extends z.ZodRawShape>(shape: S) {
  return z.strictObject({ ...notes, ...shape });
}

/** A whole data file: a block that says which game it belongs to. */
export function dataFile<S extends z.ZodRawShape>(game: string, shape: S) {
  return dataBlock({ game: z.literal(game), ...shape });
}

/** The error for one place in a position document. */
export function badPosition(game: string, path: string, reason: string): KesselError {
  return new KesselError("bad-position", `${game}: ${path}: ${reason}`);
}

/** A document as a game writes it: what its schema reads, with every key that may be left out. */
export type Written<T> = T extends object ? { readonly [K in keyof T]-?: Written<Exclude<T[K], undefined>> } : T;
