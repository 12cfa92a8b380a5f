import type { Game, Rng, StateView } from "../../../env/index.js";
import * as words from "../../../env/streets-of-stalingrad/layout.js";
import { isRationed, isSilenced } from "../../../env/streets-of-stalingrad/rules/administration/ammunition.js";
import { isLeaderless } from "../../../env/streets-of-stalingrad/rules/units/army.js";
import { FEELS_NO_PIN } from "../../../env/streets-of-stalingrad/rules/units/losses.js";
import {
  askOf,
  firstIn,
  frameOf,
  give,
  has,
  nextIn,
  placeOf,
  take,
  taskHex,
  taskOf,
  type Tables,
} from "../../../env/streets-of-stalingrad/state.js";
import type { MakeTwin } from "../leaks.js";

const { F_ACTOR, F_ASK, F_MP, FIRED_AF, FRAME_WORDS, GROUP, KNOWN, NEW_PIN, ORDERED, PIN_HELD, PINNED } = words;
const { ASK_LOSS, RIDES, SILENCED, SPENT, TASK_BITS, TASK_SIDE_BITS, TASK_SIDE_SHIFT, TOOK_CHIEF, TOOK_TROOP, WALK } =
  words;

/** Most half MP that a twin's group has more. */
const MORE_MP = 12;

/**
 * Twins of Streets of Stalingrad: worlds that differ only in which face-down counters of a marked stack carry the
 * marker, in the MP that a group has left which moves face down, in which engineers work at what is built, in who rides
 * on which transport, in which guns stay silent, and in whether the leader of the army has just come back. The enemy
 * learns none of it. Rule: SOS 8.01, SOS 9.113, SOS 14.74, SOS 16.44, SOS 17.15, SOS 18.52
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
    for (const change of [changeWorkers, changeRiders]) if (change(tables, s, player, other, rng)) made = true;
    return giveMp(tables, s, player, other, rng) || made;
  };
}

const isUnseen = (tables: Tables, s: StateView, unit: number, player: number): boolean =>
  tables.roster.side[unit] !== player && !has(tables, s, unit, KNOWN);

/**
 * Of the face-down counters that can feel a marker of their stack, one carries it and the others by chance: where none
 * does, its fate is another.
 */
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

/** Another engineer, who could, does what one does. */
function changeWorkers(
  tables: Tables,
  s: StateView,
  player: number,
  other: Parameters<MakeTwin>[2],
  rng: Rng,
): boolean {
  const { board, layout } = tables;
  const engineers = tables.engineers[1 - player]!;
  let made = false;
  for (const u of engineers) {
    const task = taskOf(tables, s, u);
    if (task === 0 || rng.below(2) === 1) continue;
    const hex = taskHex(tables, s, u);
    const beside = placeOf(tables, s, u) !== hex;
    const others = engineers.filter((v) => {
      if ((other[layout.work + v]! & TASK_BITS) !== 0 || has(tables, other, v, ORDERED)) return false;
      const at = placeOf(tables, s, v);
      return at >= 0 && (beside ? board.sideTo(at, hex) >= 0 : at === hex);
    });
    const v = others[rng.below(Math.max(1, others.length))];
    if (v === undefined) continue;
    const side = beside ? board.sideTo(placeOf(tables, s, v), hex) + 1 : 0;
    other[layout.work + u]! &= ~(TASK_BITS | TASK_SIDE_BITS);
    other[layout.work + v]! |= task | (side << TASK_SIDE_SHIFT);
    if (has(tables, s, u, ORDERED)) {
      take(tables, other, u, ORDERED);
      give(tables, other, v, ORDERED);
    }
    made = true;
  }
  return made;
}

/**
 * Of those who go together others ride; other transports have carried already. Not while losses are chosen, for which
 * it counts.
 */
function changeRiders(tables: Tables, s: StateView, player: number, other: Parameters<MakeTwin>[2], rng: Rng): boolean {
  const { layout, roster } = tables;
  if (player !== 0 || roster.transports.length === 0) return false;
  if (s[layout.depth] === 0 || askOf(tables, s) === ASK_LOSS) return false;
  let made = false;
  const swap = (a: number, b: number, bits: number): void => {
    const [x, y] = [other[layout.work + a]! & bits, other[layout.work + b]! & bits];
    if (x === y) return;
    other[layout.work + a] = (other[layout.work + a]! & ~bits) | y;
    other[layout.work + b] = (other[layout.work + b]! & ~bits) | x;
    made = true;
  };
  const { transports } = roster;
  if (transports.length > 1 && frameOf(tables, s, WALK) < 0)
    swap(transports[rng.below(transports.length)]!, transports[rng.below(transports.length)]!, TOOK_TROOP | TOOK_CHIEF);
  // foot and vehicles are hidden alike there
  const { clearForFoot, clearForVehicles } = tables.board;
  const group = [...roster.rider.keys()].filter((u) => {
    const hex = placeOf(tables, s, u);
    if (roster.rider[u] === 0 || !has(tables, s, u, GROUP)) return false;
    return hex < 0 || clearForFoot[hex] === clearForVehicles[hex];
  });
  for (const u of group) {
    const alike = group.filter((v) => roster.rider[v] === roster.rider[u]);
    swap(u, alike[rng.below(alike.length)]!, RIDES);
  }
  return made;
}
