import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { ModelProtoSchema, StringStringEntryProtoSchema } from "onnx-buf";
import { z } from "zod";
import { META, readModel, temperatureOf } from "../../agents/model.js";
import { gameIds, gameType, type JsonObject, KesselError, type Options, resolveOptions } from "../../env/index.js";
import { netSchema } from "../nets/architecture.js";

const interval = z.tuple([z.number(), z.number()]);

/** An interval that is unbounded before the second game; JSON has null for its infinities. */
const returnInterval = z.tuple([
  z
    .number()
    .nullable()
    .transform((x) => x ?? -Infinity),
  z
    .number()
    .nullable()
    .transform((x) => x ?? Infinity),
]);

/** Games of the model in one seat, or in all (see `Tally` in arena/tally.ts). */
const tallySchema = z.object({
  games: z.number(),
  wins: z.number(),
  draws: z.number(),
  losses: z.number(),
  score: z.number(),
  interval,
  meanReturn: z.number(),
  meanReturnInterval: returnInterval,
});

const resultSchema = z.object({
  /** An agent's name, or the file name of another model in the same folder. */
  against: z.string(),
  total: tallySchema,
  /** By the model's seat. */
  seats: z.array(tallySchema),
  /** Solitaire games: results of the other agent on the same seeds, and the paired difference. */
  alone: z
    .object({
      other: tallySchema,
      difference: z.object({ mean: z.number(), interval }),
      endings: z.record(z.string(), z.number()),
      otherEndings: z.record(z.string(), z.number()),
    })
    .optional(),
});
export type Result = z.infer<typeof resultSchema>;

export const negated = ([low, high]: readonly [number, number]): [number, number] => [-high, -low];
/** The same games from the other side. */
export const swapped = (t: Result["total"]): Result["total"] => ({
  ...t,
  wins: t.losses,
  losses: t.wins,
  score: 1 - t.score,
  interval: [1 - t.interval[1], 1 - t.interval[0]],
  meanReturn: -t.meanReturn,
  meanReturnInterval: negated(t.meanReturnInterval),
});

const exploiterSchema = z.object({
  /** The exploiter's model, in the same folder. */
  file: z.string(),
  /** Results of the exploiter against the model. */
  total: tallySchema,
  seats: z.array(tallySchema),
  /** Cost of its training: updates, games, decisions, samples, hours. */
  effort: z.record(z.string(), z.union([z.string(), z.number()])),
  command: z.string(),
});
export type Exploiter = z.infer<typeof exploiterSchema>;

/** Training metadata of a published model; its card contains nothing else. */
const trainedSchema = z.object({
  method: z.string(),
  seed: z.string(),
  /** Commands that reproduce it, one per line. */
  command: z.string(),
  /** Version of the game. */
  version: z.number(),
  options: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
  net: netSchema,
  /** Names and values for the card's table. */
  facts: z.record(z.string(), z.union([z.string(), z.number()])),
  /** Every value of the run's configuration. */
  config: z.custom<JsonObject>((v) => v !== null && typeof v === "object"),
  /** Largest difference between the trained net and the file, per unit of size above 1. */
  parity: z.object({ samples: z.number(), policy: z.number(), value: z.number() }),
  /** Seed of the games that measured it. */
  measured: z.string(),
  results: z.array(resultSchema),
  /**
   * The model against itself, by seat: what each seat is worth at its own strength; null where it was not measured, and
   * in games for one.
   */
  mirror: z.array(tallySchema).nullable().default(null),
  exploiter: exploiterSchema.nullable(),
});
export type TrainingMetadata = z.infer<typeof trainedSchema>;

/** Metadata of a model that Kessel published; null for any other file. */
export function metadataOf(
  bytes: Uint8Array,
  name: string,
): {
  readonly game: string;
  readonly schema: string;
  readonly seats: readonly string[];
  /** What an agent of the file plays with, and its games are measured with. */
  readonly temperature: number;
  readonly trained: TrainingMetadata;
} | null {
  const info = readModel(bytes, name);
  const { metadata } = info;
  let stored: unknown;
  try {
    stored = JSON.parse(metadata[META.trained] ?? "null");
  } catch {
    return null; // not written by Kessel
  }
  const parsed = trainedSchema.safeParse(stored);
  return parsed.success
    ? {
        game: metadata[META.game] ?? "",
        schema: metadata[META.schema] ?? "",
        seats: seatsIn(metadata[META.seats]),
        temperature: temperatureOf(info, name),
        trained: parsed.data,
      }
    : null;
}

/** The sides that a model names; none where the text is no list, which `OnnxModel` refuses when it is to play. */
function seatsIn(text = "[]"): string[] {
  try {
    return z.array(z.string()).parse(JSON.parse(text));
  } catch {
    return [];
  }
}

/**
 * The same model with other training metadata.
 *
 * @param temperature what its agents play with; left out: what they did
 * @throws KesselError `bad-model` when the file has none
 */
export function withMetadata(bytes: Uint8Array, trained: TrainingMetadata, temperature?: number): Uint8Array {
  const model = fromBinary(ModelProtoSchema, bytes);
  const entry = model.metadataProps.find((p) => p.key === META.trained);
  if (entry === undefined) throw new KesselError("bad-model", `the model has no metadata ${META.trained}`);
  entry.value = JSON.stringify(trained);
  if (temperature !== undefined) {
    const value = String(temperature);
    model.metadataProps = model.metadataProps.filter((p) => p.key !== META.temperature);
    if (temperature > 0)
      model.metadataProps.push(create(StringStringEntryProtoSchema, { key: META.temperature, value }));
  }
  return toBinary(ModelProtoSchema, model);
}

interface Played {
  readonly game: string;
  readonly schema: string;
  readonly trained: { readonly options: Options };
}

/**
 * True when two models play the same game with the same options; one that a model doesn't name, since it came later,
 * has its default.
 */
export const playsSameGame = (a: Played, b: Played): boolean =>
  a.schema === b.schema && JSON.stringify(allOptions(a)) === JSON.stringify(allOptions(b));

const allOptions = ({ game, trained: { options } }: Played): Options =>
  gameIds().includes(game) ? resolveOptions(gameType(game), options) : options;
