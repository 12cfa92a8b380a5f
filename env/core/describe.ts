import { createHash } from "node:crypto";
import { type Game, type Json, type JsonObject, shapesOf } from "./game.js";

/** JSON with sorted keys, so that equal documents are equal strings. */
export function canonical(value: Json): string {
  if (Array.isArray(value)) return `[${value.map((v) => canonical(v as Json)).join(",")}]`;
  if (value !== null && typeof value === "object") {
    const o = value as JsonObject;
    return `{${Object.keys(o)
      .sort()
      .map((k) => `${JSON.stringify(k)}:${canonical(o[k]!)}`)
      .join(",")}}`;
  }
  return JSON.stringify(value);
}

/** The elements sorted, for lists in which the order means nothing. */
export function unordered(list: readonly Json[]): Json[] {
  return [...list].sort((a, b) => (canonical(a) < canonical(b) ? -1 : 1));
}

const hashes = new WeakMap<Game, string>();

/**
 * 16 hex digits that identify the meaning of actions and observations. They change only when a feature, a row or an
 * action gets another meaning, place or range. Models store them.
 */
export function schemaHash(game: Game): string {
  let hash = hashes.get(game);
  if (hash === undefined) {
    const meaning = {
      game: game.type.id,
      players: game.players,
      actions: game.actions,
      observation: game.observation,
    } as unknown as Json;
    hash = createHash("sha256").update(canonical(meaning)).digest("hex").slice(0, 16);
    hashes.set(game, hash);
  }
  return hash;
}

/** Everything static about a game: what a trainer, a page or a person needs before the first observation. */
export function describe(game: Game): JsonObject {
  const { type } = game;
  return {
    id: type.id,
    title: type.title,
    credits: type.credits,
    version: type.version,
    schema: schemaHash(game),
    reconstructed: type.reconstructed,
    players: game.players,
    options: type.options as unknown as Json,
    chosen: game.options,
    maxDecisions: game.maxDecisions,
    shapes: shapesOf(game.observation) as unknown as Json,
    actions: game.actions,
    observation: game.observation as unknown as Json,
    statics: game.statics as unknown as Json,
    potentials: Object.keys(game.potentials),
    explicitChance: game.chance !== undefined,
  };
}
