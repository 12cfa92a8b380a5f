import { z } from "zod";
import {
  badPosition,
  type Field,
  type Game,
  type JsonObject,
  parseWith,
  type State,
  type StateView,
} from "../../env/index.js";

const kept = (fields: readonly Field[], without: readonly string[]) =>
  fields.filter((f) => f.name !== "rng" && !without.includes(f.name));

const schemas = new WeakMap<readonly Field[], z.ZodType<Record<string, number[]>>>();

/** A toy's position document: its fields by name, a list of words each. */
export function writeWords(game: Game, s: StateView, without: readonly string[] = []): JsonObject {
  return Object.fromEntries(
    kept(game.fields, without).map((f) => [f.name, Array.from({ length: f.size }, (_, i) => s[f.offset + i]!)]),
  );
}

/** Reads it back; `game.broken` says what is wrong with values. @throws KesselError `bad-position` */
export function readWords(game: Game, doc: JsonObject, s: State, without: readonly string[] = []): void {
  const fields = kept(game.fields, without);
  let schema = schemas.get(game.fields);
  if (schema === undefined) {
    schema = z.strictObject(Object.fromEntries(fields.map((f) => [f.name, z.array(z.int32()).length(f.size)])));
    schemas.set(game.fields, schema);
  }
  const words = parseWith(schema, doc, "bad-position", game.type.id);
  for (const f of fields) s.set(words[f.name]!, f.offset);
  const broken = game.invariantViolation(s);
  if (broken !== null) throw badPosition(game.type.id, "(top)", broken);
}
