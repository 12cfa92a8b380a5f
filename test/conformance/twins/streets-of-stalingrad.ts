import type { Game, Rng, StateView } from "../../../env/index.js";
import * as words from "../../../env/streets-of-stalingrad/layout.js";
import { FEELS_NO_PIN } from "../../../env/streets-of-stalingrad/rules/units/losses.js";
import { firstIn, give, has, nextIn, placeOf, take, type Tables } from "../../../env/streets-of-stalingrad/state.js";
import type { MakeTwin } from "../leaks.js";

const { F_ACTOR, F_ASK, F_MP, FRAME_WORDS, GROUP, KNOWN, NEW_PIN, PIN_HELD, PINNED, SPENT, WALK } = words;

/** Most half MP that a twin's group has more. */
const MORE_MP = 12;

/**
 * Twins of Streets of Stalingrad: worlds that differ only in which face-down counters of a marked stack carry the marker, and in the
 * MP that a group has left which moves face down. The enemy learns neither. Rule: SOS 9.113, SOS 8.01
 */
export function streetsOfStalingrad(game: Game): MakeTwin {
  const { tables } = game as unknown as { tables: Tables };
  return (s, player, other, rng) => {
    other.set(s as typeof other);
    let made = false;
    for (let h = 0; h < tables.hexes; h++)
      for (const marker of [PINNED, SPENT]) if (moveMarker(tables, s, player, h, marker, other, rng)) made = true;
    return giveMp(tables, s, player, other, rng) || made;
  };
}

const isUnseen = (tables: Tables, s: StateView, unit: number, player: number): boolean =>
  tables.roster.side[unit] !== player && !has(tables, s, unit, KNOWN);

/** Of the face-down counters that can feel a marker of their stack, one carries it and the others by chance: where none does, its fate is another. */
function moveMarker(
  tables: Tables,
  s: StateView,
  player: number,
  hex: number,
  marker: number,
  other: Parameters<MakeTwin>[2],
  rng: Rng,
): boolean {
  const units: number[] = [];
  for (let u = firstIn(tables, s, hex); u >= 0; u = nextIn(tables, s, u))
    if (tables.roster.side[u] !== player) units.push(u);
  const movable = units.filter((u) => isUnseen(tables, s, u, player) && !FEELS_NO_PIN.includes(tables.roster.kind[u]!));
  if (movable.length < 2 || !movable.some((u) => has(tables, s, u, marker))) return false;
  if (units.some((u) => has(tables, s, u, PIN_HELD))) return false; // under an attack marker, old pins and new ones differ
  const keeps = movable[rng.below(movable.length)];
  let differs = false;
  for (const u of movable) {
    const carries = u === keeps || rng.below(2) === 1;
    if (carries === has(tables, s, u, marker)) continue;
    differs = true;
    if (carries) give(tables, other, u, marker);
    else take(tables, other, u, marker === PINNED ? PINNED | NEW_PIN : marker);
  }
  return differs;
}

/** A group that moves face down has some MP more. */
function giveMp(tables: Tables, s: StateView, player: number, other: Parameters<MakeTwin>[2], rng: Rng): boolean {
  const { layout } = tables;
  for (let i = 0; i < s[layout.depth]!; i++) {
    const frame = layout.frames + i * FRAME_WORDS;
    if (s[frame + F_ASK] !== WALK || s[frame + F_ACTOR] === player) continue;
    for (let u = 0; u < tables.units; u++)
      if (has(tables, s, u, GROUP) && isUnseen(tables, s, u, player) && placeOf(tables, s, u) >= 0) {
        other[frame + F_MP]! += 1 + rng.below(MORE_MP);
        return true;
      }
  }
  return false;
}
