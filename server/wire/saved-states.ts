import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import {
  canonical,
  type Game,
  type GameData,
  hashState,
  type Json,
  KesselError,
  schemaHash,
  type State,
} from "../../env/index.js";

/**
 * Words of the seal at the begin of a row, and of what follows: mark, game version, schema hash (2 words), checksum (2
 * words).
 */
const SEAL = 4;
const HEAD = SEAL + 6;
const MARK = 0x4c53534b; // "KSSL"

const dataOf = new WeakMap<Game, string>();

/** Notes which data files a game has in the place of its own: states of it are no states of any other. */
export function noteData(game: Game, data: GameData): void {
  const own = Object.entries(data).filter(([file]) => Object.hasOwn(game.type.data, file)); // others mean nothing to it
  const digest = createHash("sha256").update(canonical(Object.fromEntries(own) as Json));
  dataOf.set(game, digest.digest("hex"));
}

/**
 * Signs saved rows (HMAC-SHA256, 128 bits) under a key, so that a server loads only what it or another with its key has
 * saved: a state made up by a client may be one that no play can reach, on which rules or samplers never end.
 */
export class StateSeal {
  constructor(private readonly key: Uint8Array) {}

  /** Signs a row in place. */
  sign(game: Game, row: Int32Array): void {
    const bytes = new Uint8Array(row.buffer, row.byteOffset, row.byteLength);
    bytes.set(this.tag(game, bytes));
  }

  /** True when a row was signed with this key for this game. */
  fits(game: Game, row: Int32Array): boolean {
    const bytes = new Uint8Array(row.buffer, row.byteOffset, row.byteLength);
    return timingSafeEqual(this.tag(game, bytes), bytes.subarray(0, 4 * SEAL));
  }

  private tag(game: Game, row: Uint8Array): Uint8Array {
    const mac = createHmac("sha256", this.key).update(
      canonical([game.type.id, game.options, dataOf.get(game) ?? null]),
    );
    return mac
      .update(row.subarray(4 * SEAL))
      .digest()
      .subarray(0, 4 * SEAL);
  }
}

/** Words of one saved state of a game. */
export const savedWords = (game: Game): number => HEAD + game.stateSize;

/** Writes states as rows of a saved tensor: int32 [K, savedWords]. @param seal signs them; null leaves them unsigned */
export function saveStates(game: Game, states: readonly State[], seal: StateSeal | null): Int32Array {
  const words = savedWords(game);
  const out = new Int32Array(states.length * words);
  states.forEach((s, k) => {
    const row = out.subarray(k * words, (k + 1) * words);
    row.set(s, HEAD);
    row.set(headOf(game, s), SEAL);
    seal?.sign(game, row);
  });
  return out;
}

/**
 * The saved rows of a frame. @throws KesselError `bad-state` unless it has as many words as `count` saved states
 */
export function savedRows(game: Game, frame: Int32Array, count: number): Int32Array[] {
  const words = savedWords(game);
  if (frame.length !== count * words)
    throw new KesselError(
      "bad-state",
      `${count} saved states of ${game.type.id} are ${count * words} words, ${frame.length} came`,
    );
  return Array.from({ length: count }, (_, k) => frame.subarray(k * words, (k + 1) * words));
}

/** The state in a saved row, in the memory of the row. */
export const stateIn = (row: Int32Array): State => row.subarray(HEAD);

/**
 * Checks saved rows. What was not signed is never looked at as a state: one that is made up may keep a game's checks
 * busy for ever.
 *
 * @param first number of the first row, for messages
 * @throws KesselError `bad-state` for rows that `saveStates` didn't write for this game under this seal, and for
 *   states that break an invariant
 */
export function checkSaved(game: Game, rows: readonly Int32Array[], seal: StateSeal | null, first = 0): void {
  rows.forEach((row, at) => {
    const k = first + at;
    const s = stateIn(row);
    const head = headOf(game, s);
    const differs = head.findIndex((w, i) => w !== row[SEAL + i]);
    if (differs === 0) throw new KesselError("bad-state", `row ${k} is not a saved state`);
    if (differs > 0 && differs < 4)
      throw new KesselError(
        "bad-state",
        `row ${k} was saved by another version of the game; this is version ${game.type.version}, schema ${schemaHash(game)}`,
      );
    if (differs > 0) throw new KesselError("bad-state", `row ${k} was changed after it was saved`);
    if (seal !== null && !seal.fits(game, row))
      throw new KesselError(
        "bad-state",
        `row ${k} was not saved by this server, nor by one that was started with its --state-key`,
      );
    if (game.invariantViolation(s) !== null)
      throw new KesselError("bad-state", `row ${k} is no situation of ${game.type.id} with these options`);
  });
}

function headOf(game: Game, s: State): number[] {
  const schema = schemaHash(game);
  const hash = hashState(s, 0);
  return [
    MARK,
    game.type.version,
    parseInt(schema.slice(0, 8), 16) | 0,
    parseInt(schema.slice(8), 16) | 0,
    hash | 0,
    Math.floor(hash / 4294967296) | 0,
  ];
}
