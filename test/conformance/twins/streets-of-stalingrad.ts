import type { Game, Rng, StateView } from "../../../env/index.js";
import * as words from "../../../env/streets-of-stalingrad/layout.js";
import { isRationed, isSilenced } from "../../../env/streets-of-stalingrad/rules/administration/ammunition.js";
import { isLeaderless } from "../../../env/streets-of-stalingrad/rules/units/army.js";
import { FEELS_NO_PIN } from "../../../env/streets-of-stalingrad/rules/units/losses.js";
import { firstIn, give, has, nextIn, placeOf, take, type Tables } from "../../../env/streets-of-stalingrad/state.js";
import type { MakeTwin } from "../leaks.js";

const { F_ACTOR, F_ASK, F_MP, FIRED_AF, FRAME_WORDS, GROUP, KNOWN, NEW_PIN } = words;
const { PIN_HELD, PINNED, SILENCED, SPENT, WALK } = words;

/** Most half MP that a twin's group has more. */
const MORE_MP = 12;

/**
 * Twins of Streets of Stalingrad: worlds that differ only in which face-down counters of a marked stack carry the marker, in the
 * MP that a group has left which moves face down, in which guns stay silent, and in whether the leader of the army has just come back.
 * The enemy learns none of it. Rule: SOS 8.01, SOS 9.113, SOS 14.74, SOS 18.52
 */
export function streetsOfStalingrad(game: Game): MakeTwin {
  const { tables } = game as unknown as { tables: Tables };
  return (s, player, other, rng) => {
    other.set(s as typeof other);
    let made = false;
    for (let h = 0; h < tables.hexes; h++)
      for (const marker of [PINNED, SPENT]) if (moveMarker(tables, s, player, h, marker, other, rng)) made = true;
    if (tables.ammunition && hushOthers(tables, s, player, other, rng)) made = true;
    if (tables.armyLeaders && recallLeader(tables, s, player, other)) made = true;
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

/** Of two guns of the enemy with one AF the other stays silent. */
function hushOthers(tables: Tables, s: StateView, player: number, other: Parameters<MakeTwin>[2], rng: Rng): boolean {
  const { layout, roster } = tables;
  const guns = roster.guns.filter(
    (g) =>
      roster.side[g] !== player &&
      isRationed(tables, s, g) &&
      s[layout.served + g] === 0 &&
      !has(tables, s, g, FIRED_AF),
  );
  const silent = guns.filter((g) => isSilenced(tables, s, g));
  const gun = silent[rng.below(Math.max(1, silent.length))];
  const loud = guns.find((g) => gun !== undefined && !isSilenced(tables, s, g) && roster.af[g] === roster.af[gun]);
  if (gun === undefined || loud === undefined) return false;
  other[layout.work + gun]! &= ~SILENCED;
  other[layout.work + loud]! |= SILENCED;
  return true;
}

/** The leader of the enemy's army has been back for a turn, or not. */
function recallLeader(tables: Tables, s: StateView, player: number, other: Parameters<MakeTwin>[2]): boolean {
  const { layout } = tables;
  for (const side of [0, 1]) {
    if (side === player || isLeaderless(tables, s, side)) continue;
    other[layout.commandSince + side] = s[layout.commandSince + side] === 0 ? s[layout.turn]! : 0;
    return true;
  }
  return false;
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
