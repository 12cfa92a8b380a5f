import { createHmac, timingSafeEqual } from "node:crypto";
import { canonical, type Game, hashState, KesselError, newState, schemaHash, type State } from "../../env/index.js";

/**
 * Words of the seal at the begin of a row, and of what follows: mark, game version, schema hash (2 words), checksum (2
 * words).
 */
const SEAL = 4;
const HEAD = SEAL + 6;
const MARK = 0x4c53534b; // "KSSL"

/**
 * Signs saved rows (HMAC-SHA256, 128 bits) under a key, so that a server loads only what it or another with its key has
 * saved: a state made up by a client may be one that no play can reach, on which rules or samplers never end.
 */
export class StateSeal {
  constructor(private readonly key: Uint8Array) {}

  /** Signs rows in place: the first `count * savedWords(game)` words of a frame. */
  sign(game: Game, frame: Uint8Array, count: number): void {
    const bytes = 4 * savedWords(game);
    for (let k = 0; k < count; k++) {
      const row = frame.subarray(k * bytes, (k + 1) * bytes);
      row.set(this.tag(game, row));
    }
  }

  /** @throws KesselError `bad-state` for a row that was not signed with this key for this game */
  check(game: Game, rows: Int32Array, count: number): void {
    const bytes = 4 * savedWords(game);
    const all = new Uint8Array(rows.buffer, rows.byteOffset, rows.byteLength);
    for (let k = 0; k < count; k++) {
      const row = all.subarray(k * bytes, (k + 1) * bytes);
      if (!timingSafeEqual(this.tag(game, row), row.subarray(0, 4 * SEAL)))
        throw new KesselError(
          "bad-state",
          `row ${k} was not saved by this server, nor by one that was started with its --state-key`,
        );
    }
  }

  private tag(game: Game, row: Uint8Array): Uint8Array {
    const mac = createHmac("sha256", this.key).update(canonical([game.type.id, game.options]));
    return mac
      .update(row.subarray(4 * SEAL))
      .digest()
      .subarray(0, 4 * SEAL);
  }
}

/** Words of one saved state of a game. */
export const savedWords = (game: Game): number => HEAD + game.stateSize;

/** Writes states as rows of a saved tensor: int32 [K, savedWords]. */
export function saveStates(game: Game, states: readonly State[]): Int32Array {
  const words = savedWords(game);
  const out = new Int32Array(states.length * words);
  states.forEach((s, k) => {
    const row = out.subarray(k * words, (k + 1) * words);
    row.set(s, HEAD);
    row.set(headOf(game, s), SEAL);
  });
  return out;
}

/**
 * Reads saved rows back, into memory of their own.
 *
 * @throws KesselError `bad-state` for rows that `saveStates` didn't write for this game, and for states that break an
 *   invariant
 */
export function readStates(game: Game, rows: Int32Array, count: number): State[] {
  const words = savedWords(game);
  if (rows.length !== count * words)
    throw new KesselError(
      "bad-state",
      `${count} saved states of ${game.type.id} are ${count * words} words, ${rows.length} came`,
    );
  return Array.from({ length: count }, (_, k) => {
    const s = newState(game.stateSize);
    s.set(rows.subarray(k * words + HEAD, (k + 1) * words));
    const head = headOf(game, s);
    const differs = head.findIndex((w, i) => w !== rows[k * words + SEAL + i]);
    if (differs === 0) throw new KesselError("bad-state", `row ${k} is not a saved state`);
    if (differs > 0 && differs < 4)
      throw new KesselError(
        "bad-state",
        `row ${k} was saved by another version of the game; this is version ${game.type.version}, schema ${schemaHash(game)}`,
      );
    if (differs > 0) throw new KesselError("bad-state", `row ${k} was changed after it was saved`);
    if (game.invariantViolation(s) !== null)
      throw new KesselError("bad-state", `row ${k} is no situation of ${game.type.id} with these options`);
    return s;
  });
}

/** States of rows that this process has just saved, unchecked. */
export function rawStates(game: Game, rows: Int32Array): State[] {
  const words = savedWords(game);
  return Array.from({ length: rows.length / words }, (_, k) => {
    const s = newState(game.stateSize);
    s.set(rows.subarray(k * words + HEAD, (k + 1) * words));
    return s;
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
