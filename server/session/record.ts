import { createHash } from "node:crypto";
import { z } from "zod";
import { type Game, type GameData, KesselError, MOST_SEED, parseWith } from "../../env/index.js";

/** Bytes of a session's file: more decisions than any game can have. */
export const MOST_SESSION_BYTES = 64 * 1024 * 1024;

/** A name that a file holds. */
const name = z.string().max(200);
/** An agent with its settings, or `human`. */
const who = z.string().max(2000);

/** First line of a session's file: everything that makes the game but the decisions. */
const headerSchema = z.strictObject({
  kessel: z.literal("session"),
  format: z.literal(1),
  id: z.string().regex(/^[a-z0-9]{12,64}$/),
  game: name,
  version: z.number().int(),
  options: z.record(name, z.union([name, z.number(), z.boolean()])),
  seed: z.string().max(MOST_SEED),
  /** `human` or an agent's name, by side. */
  seats: z.record(name, who),
  created: name,
  /** The owner's data that the game was made with, by a digest; null for the game's own. */
  data: z.strictObject({ dir: z.string().max(4096), digest: name }).nullable(),
  /** Where the game began, if not at its start: the whole truth of a position. */
  position: z.record(z.string(), z.unknown()).optional(),
  /** It is the game's lesson: all seats are people's, and the lesson decides for all but the learner. */
  lesson: z.literal(true).optional(),
  /** Secrets of the links to the seats, for sessions that a page serves. */
  links: z.record(name, name).optional(),
});

/** Each further line is one thing that happened. */
const lineSchema = z.union([
  z.strictObject({
    do: name,
    /** It goes on with the order of the line before: an undo takes both back. */
    on: z.literal(true).optional(),
  }),
  /** Choices were taken back: `undo` actions are left. */
  z.strictObject({ undo: z.number().int().min(0) }),
  z.strictObject({ resign: name }),
  /** A person has seen what an agent would do. */
  z.strictObject({ helped: z.literal(true) }),
  /** Someone else sits there from now on. */
  z.strictObject({ seat: name, who }),
]);

export type SessionHeader = z.infer<typeof headerSchema>;
export type SessionLine = z.infer<typeof lineSchema>;

export interface SessionRecord {
  readonly header: SessionHeader;
  readonly lines: readonly SessionLine[];
}

/**
 * Reads a session's file. A last line that was cut off in writing was never confirmed, and is left out.
 *
 * @returns the record, and how many bytes of `text` belong to whole lines
 * @throws KesselError `bad-session` with line and reason
 */
export function parseSession(text: string, file: string): SessionRecord & { readonly wholeBytes: number } {
  const end = text.lastIndexOf("\n") + 1;
  const rows = text.slice(0, end).split("\n").slice(0, -1);
  if (rows.length === 0) throw new KesselError("bad-session", `${file} is empty`);
  const parsed = rows.map((row, i) => {
    try {
      return JSON.parse(row) as unknown;
    } catch {
      throw new KesselError("bad-session", `${file}: line ${i + 1} is not JSON`);
    }
  });
  const header = parseWith(headerSchema, parsed[0], "bad-session", `${file}: line 1`);
  const lines = parsed.slice(1).map((row, i) => parseWith(lineSchema, row, "bad-session", `${file}: line ${i + 2}`));
  checkUndos(lines, file);
  return { header, lines, wholeBytes: Buffer.byteLength(text.slice(0, end)) };
}

/** An undo leaves no more decisions than there are. */
function checkUndos(lines: readonly SessionLine[], file: string): void {
  let decisions = 0;
  for (const [i, line] of lines.entries()) {
    if ("do" in line) decisions++;
    if (!("undo" in line)) continue;
    if (line.undo > decisions)
      throw new KesselError(
        "bad-session",
        `${file}: line ${i + 2}: undo: ${line.undo} decisions can't be left of ${decisions}`,
      );
    decisions = line.undo;
  }
}

/** What is left of the decisions when those taken back are gone. */
export function decisionsOf(lines: readonly SessionLine[]): Extract<SessionLine, { do: string }>[] {
  const decisions: Extract<SessionLine, { do: string }>[] = [];
  for (const line of lines)
    if ("do" in line) decisions.push(line);
    else if ("undo" in line) decisions.length = line.undo;
  return decisions;
}

/** Their actions by name. */
export const actionsOf = (lines: readonly SessionLine[]): string[] => decisionsOf(lines).map((d) => d.do);

/** Who sits where, after all changes. */
export function seatsOf({ header, lines }: SessionRecord): Record<string, string> {
  const seats = { ...header.seats };
  for (const line of lines) if ("seat" in line) seats[line.seat] = line.who;
  return seats;
}

export const resignedBy = (lines: readonly SessionLine[]): string | null =>
  lines.flatMap((l) => ("resign" in l ? [l.resign] : [])).at(-1) ?? null;

export const wasHelped = (lines: readonly SessionLine[]): boolean => lines.some((l) => "helped" in l);

export const dataDigest = (data: GameData): string => createHash("sha256").update(JSON.stringify(data)).digest("hex");

/**
 * An agent's seed, by a one-way digest of the game's: an agent that knows its own seed learns nothing of the dice.
 *
 * @param decisions taken before the agent sat down; a resumed agent gets a fresh stream
 */
export const seatSeed = (seed: string, seat: string, decisions = 0): string =>
  createHash("sha256").update(`seat\n${seed}\n${seat}\n${decisions}`).digest("hex");

/** @throws KesselError `bad-session` when the game here isn't the one that was played */
export function checkFits(header: SessionHeader, game: Game): void {
  const { type } = game;
  if (header.version !== type.version)
    throw new KesselError(
      "bad-session",
      `session ${header.id} was played with version ${header.version} of ${type.id}; these rules are version ${type.version}`,
    );
}
