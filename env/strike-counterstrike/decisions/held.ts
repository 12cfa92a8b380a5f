import type { z } from "zod";
import { type Fault, fault, type Held } from "../../core/decision.js";
import type { Json } from "../../core/game.js";
import type { StateView } from "../../core/layout.js";
import { type CounterId, SUPPORT, type Tables } from "../data.js";
import { AFTER_FIRST_FIRE, AFTER_MAIN_FIRE, BATTLE, PHASES } from "../layout.js";
import { type Active, activeSchema, armyNamed, type Battle, battleSchema, hexNamed } from "../schema.js";
import { markPocket } from "../rules/front.js";
import { countForce } from "../rules/garrison.js";
import { activeArmy, armyIn, battleHex, hexOfArmy, isGerman, isOver, originHex, phaseOf } from "../state.js";

const phaseName = (t: Tables, s: StateView): string => PHASES[phaseOf(t, s)]!;

/** Refuses a decision at a time at which it is not asked. */
export function comes(t: Tables, s: StateView, when: string, ok: boolean): Fault | null {
  return ok ? null : fault("phase", `${phaseName(t, s)} comes ${when} only`);
}

/** The moving army. @param least MP that it has left */
export function heldActive(least: number): Held<Tables> {
  return {
    schema: activeSchema,
    write: (t, s) => (activeArmy(t, s) < 0 ? undefined : { army: t.armies[activeArmy(t, s)]!.id, mp: s[t.L.mp]! }),
    read(t, { army, mp }: Active, s) {
      const a = armyNamed(t, army);
      if (typeof a === "string") return fault("active.army", a);
      s[t.L.active] = a + 1;
      s[t.L.mp] = mp;
      return activeFault(t, s, least);
    },
    absent: (t, s) => `phase ${phaseName(t, s)} has a moving army`,
    alien: (kind) => `no army moves in phase ${kind}`,
  };
}

/** Why this army can't be moving. @param least MP that it has left */
export function activeFault(t: Tables, s: StateView, least: number): Fault | null {
  const { L } = t;
  const a = activeArmy(t, s);
  const most = t.movement[s[L.turn]!]!;
  if (hexOfArmy(t, s, a) < 0) return fault("active.army", `army ${t.armies[a]!.id} is not on the map`);
  if (s[L.armyStopped + a] === 1) return fault("active.army", `army ${t.armies[a]!.id} has stopped`);
  return s[L.mp]! > most || s[L.mp]! < least
    ? fault("active.mp", `an army has ${least} to ${most} MP here, not ${s[L.mp]!}`)
    : null;
}

/** The battle that it fights. Counters must have been laid. */
export const heldBattle: Held<Tables> = {
  schema: battleSchema as z.ZodType as z.ZodType<Json>,
  write(t, s) {
    if (battleHex(t, s) < 0) return undefined;
    const { L } = t;
    const fighting = (support: boolean): string[] =>
      t.counters
        .filter((c, i: CounterId) => s[L.place + i] === BATTLE && (c.cls === SUPPORT) === support)
        .map((c) => c.id);
    const stage = s[L.stage]!;
    return {
      hex: t.ids[battleHex(t, s)]!,
      from: t.ids[originHex(t, s)]!,
      relief: s[L.relief] === 1,
      pocket: t.ids.filter((_, h) => s[L.pocket + h] === 1),
      round: s[L.round]!,
      units: fighting(false),
      support: fighting(true),
      interceptor: s[L.committed] === 1,
      hits: s[L.hits]!,
      ...(stage > 0 ? { stage: stage === AFTER_FIRST_FIRE ? "A" : "B" } : {}),
      shockFirst: s[L.shockFirst] === 1,
    };
  },
  read(t, b: Battle, s) {
    const { L } = t;
    const hex = hexNamed(t, b.hex);
    if (typeof hex === "string") return fault("battle.hex", hex);
    const from = hexNamed(t, b.from);
    if (typeof from === "string") return fault("battle.from", from);
    s[L.battleHex] = hex + 1;
    s[L.from] = from + 1;
    const wrong = placeFault(t, s);
    if (wrong !== null) return wrong;
    markPocket(t, s, hex);
    const pocket = t.ids.filter((_, h) => s[L.pocket + h] === 1);
    if (b.pocket !== undefined && [...b.pocket].sort().join() !== pocket.join())
      return fault("battle.pocket", `the fall of ${b.hex} would cut off [${pocket.join(", ")}]`);
    if (b.relief !== undefined && b.relief !== pocket.length > 0)
      return fault("battle.relief", `the fall of ${b.hex} would cut off ${pocket.length} hexes`);
    if (b.stage === "A" && b.shockFirst === false)
      return fault("battle.shockFirst", "stage A is the first fire of a shock army");
    s[L.relief] = pocket.length > 0 ? 1 : 0;
    s[L.round] = b.round;
    s[L.hits] = b.hits;
    s[L.stage] = b.stage === "A" ? AFTER_FIRST_FIRE : b.stage === "B" ? AFTER_MAIN_FIRE : 0;
    s[L.shockFirst] = b.shockFirst || b.stage === "A" ? 1 : 0;
    s[L.committed] = b.interceptor ? 1 : 0;
    return null;
  },
  absent: (t, s) => `phase ${phaseName(t, s)} is part of a battle`,
  alien: (kind) => `there is no battle in phase ${kind}`,
};

/** Why the battle can't be there, or be fought by these. */
function placeFault(t: Tables, s: StateView): Fault | null {
  const { L } = t;
  const army = activeArmy(t, s);
  const hex = battleHex(t, s);
  const from = originHex(t, s);
  const name = t.ids[hex]!;
  const origin = t.ids[from]!;
  if (army < 0) return fault("battle", "a battle has an active army");
  if (!isGerman(t, s, hex) || s[L.front + hex] !== 1)
    return fault("battle.hex", `hex ${name} is not a German hex of the front`);
  if (t.fort[hex] === 1) return fault("battle.hex", `hex ${name} is a fortified locality`);
  if (hexOfArmy(t, s, army) !== hex)
    return fault(`armies.${t.armies[army]!.id}.hex`, `in its battle the army is in hex ${name}`);
  if (isGerman(t, s, from) || !t.grid.adjacent(hex, from))
    return fault("battle.from", `hex ${origin} is not a Soviet neighbour of ${name}`);
  if (armyIn(t, s, from) >= 0) return fault("battle.from", `an army is in hex ${origin}`);
  return countForce(t, s, BATTLE) === 0 && !isOver(t, s) ? fault("battle.units", "a battle has German units") : null;
}

/** Outside of `losses` no hits wait. */
export function nothingToTake(t: Tables, s: StateView): Fault | null {
  if (s[t.L.stage] !== 0) return fault("battle.stage", "it belongs to phase losses");
  return s[t.L.hits]! > 0 ? fault("battle.hits", "hits wait in phase losses only") : null;
}

/** Why the moving army can't be in this battle, or the round can't have begun so. */
export function battleFault(t: Tables, s: StateView): Fault | null {
  return activeFault(t, s, 0) ?? placeFault(t, s) ?? roundFault(t, s);
}

/** Who flies and who fires first in a round. */
function roundFault(t: Tables, s: StateView): Fault | null {
  const { L } = t;
  if (s[L.committed] === 1 && s[L.interceptor] === 1 && !t.spentWhenFired)
    return fault(
      "battle.interceptor",
      "VI IC cannot be ready and in the air, unless with option interceptorSpent fired",
    );
  const mayFireFirst = t.armies[activeArmy(t, s)]!.shock && s[L.round] === 1 && s[L.pocketSize] === 0;
  return s[L.shockFirst] === 1 && !mayFireFirst
    ? fault("battle.shockFirst", "only a shock army fires first, in round 1 and not in a break-in battle")
    : null;
}
