import type { JsonObject } from "../../core/game.js";
import type { State } from "../../core/layout.js";
import { checkOptions } from "../../core/position-options.js";
import { parseWith } from "../../core/schema.js";
import type { Tables } from "../data.js";
import { beginPublicLog } from "../public-log.js";
import { countersFault, countHidden, publicLogFault } from "../faults.js";
import { readPublicLog } from "./public-log.js";
import { UNIT_LETTERS } from "./write.js";
import { areaIndex, bad, chitSlot, type PositionDocument, positionSchema, unitSlot, refuse } from "./schema.js";
import { readStage } from "./read-stage.js";
import {
  AREAS,
  CONTROL,
  DEAD,
  FIRST_AREA,
  FLAG,
  FUTURE,
  HAND,
  L,
  PHASE,
  PHASE_NAMES,
  phaseOf,
  PILE,
  placeOf,
  WAITING,
} from "../state.js";

/**
 * Reads a position document into `s`, which is zero but for the random stream.
 *
 * @returns true when it has a decision, false when the machine runs from the start of its phase
 * @throws KesselError `bad-position` with the path and the reason
 */
export function readPosition(tables: Tables, doc: JsonObject, s: State): boolean {
  const d = parseWith(positionSchema, doc, "bad-position", "savage-streets");
  readOptions(tables, d);
  s[L.turn] = d.turn;
  s[L.phase] = PHASE_NAMES.indexOf(d.phase);
  s[L.result] = d.result === "G" ? 1 : d.result === "S" ? 2 : 0;
  if ((phaseOf(s) === PHASE.over) !== (s[L.result] !== 0))
    throw bad("result", "a result goes with the phase over, and only with it");
  s[L.stuka] = (d.stuka ?? true) ? 1 : 0;
  s[L.schwere] = (d.schwereAvailable ?? true) ? 1 : 0;
  readCounters(tables, d, s);
  s[L.pendingCombats] = areaMask(tables, d.pending, "pending");
  s[L.freeBreakthroughs] = areaMask(tables, d.free, "free");
  s[L.areaQueue] = areaMask(tables, d.queue, "queue");
  refuse(countersFault(tables, s));
  if (d.ledger !== undefined) {
    readPublicLog(tables, s, d.ledger);
    refuse(publicLogFault(tables, s));
  } else if (phaseOf(s) !== PHASE.setup)
    beginPublicLog(
      tables,
      s,
      (a) => countHidden(s, a, true),
      (a) => countHidden(s, a, false),
    );
  return readStage(tables, d, s);
}

function readOptions(tables: Tables, d: PositionDocument): void {
  const mode = tables.solo ? "solo" : "duel";
  if (d.mode !== undefined && d.mode !== mode)
    throw bad("mode", `the position is for ${d.mode}, the game was made with mode ${mode}`);
  checkOptions("savage-streets", tables.options, d.options);
}

function areaMask(tables: Tables, list: readonly string[] | undefined, path: string): number {
  let m = 0;
  (list ?? []).forEach((id, k) => (m |= 1 << areaIndex(tables, id, `${path}[${k}]`)));
  return m;
}

/** `id` or `id:flags`, flags among `allowed`. */
function split(text: string, allowed: string, path: string): [string, number] {
  const [id, letters = "", more] = text.split(":");
  if (more !== undefined) throw bad(path, `${text} has two colons`);
  let flags = 0;
  for (const letter of letters) {
    const bit = UNIT_LETTERS.find(([l]) => l === letter)?.[1];
    if (bit === undefined || !allowed.includes(letter))
      throw bad(path, `flag ${letter} is none of ${[...allowed].join(", ")}`);
    flags |= bit;
  }
  return [id!, flags];
}

function readCounters(tables: Tables, d: PositionDocument, s: State): void {
  const seen = new Map<string, string>();
  const claim = (id: string, path: string): void => {
    const before = seen.get(id);
    if (before !== undefined) throw bad(path, `${id} is already at ${before}`);
    seen.set(id, path);
  };
  for (let a = FIRST_AREA; a < AREAS; a++) if ((tables.data.numbered >> a) & 1) s[L.control + a] = CONTROL.soviet;
  for (const [id, area] of Object.entries(d.areas ?? {})) {
    const a = areaIndex(tables, id, `areas.${id}`);
    const numbered = ((tables.data.numbered >> a) & 1) === 1;
    if (numbered && area.control === null) throw bad(`areas.${id}.control`, "numbered areas are S, G or C");
    if (!numbered && area.control) throw bad(`areas.${id}.control`, "lettered areas have no control");
    if (area.control)
      s[L.control + a] =
        area.control === "S" ? CONTROL.soviet : area.control === "G" ? CONTROL.german : CONTROL.contested;
    if (!numbered && (area.soviet ?? area.chits ?? []).length > 0)
      throw bad(`areas.${id}`, "Soviet counters can be in numbered areas only");
    (area.german ?? []).forEach((text, k) => {
      const path = `areas.${id}.german[${k}]`;
      const [name, flags] = split(text, "bdfms", path);
      const u = unitSlot(tables, name, path, "German");
      claim(name, path);
      s[L.unitPlace + u] = a;
      s[L.unitFlags + u] = flags;
      s[L.germans + a]!++;
    });
    (area.soviet ?? []).forEach((text, k) => {
      const path = `areas.${id}.soviet[${k}]`;
      const [name, flags] = split(text, "mnu", path);
      const u = unitSlot(tables, name, path, "Soviet");
      claim(name, path);
      if (flags & FLAG.revealedThisTurn && !(flags & FLAG.faceUp))
        throw bad(path, "revealed this turn (n) but not face-up (u)");
      s[L.unitPlace + u] = a;
      s[L.unitFlags + u] = flags;
      s[L.unitRank + u] = tables.solo ? s[L.soviets + a]! : 0;
      s[L.soviets + a]!++;
    });
    (area.chits ?? []).forEach((text, k) => {
      const path = `areas.${id}.chits[${k}]`;
      const [name, flags] = split(text, "mu", path);
      const c = chitSlot(tables, name, path);
      claim(name, path);
      s[L.chitPlace + c] = a;
      s[L.chitFlags + c] = flags;
      s[L.chitRank + c] = tables.solo ? s[L.chits + a]! : 0;
      s[L.chits + a]!++;
    });
  }
  const lists: readonly (readonly ["waiting" | "future" | "dead", number])[] = [
    ["waiting", WAITING],
    ["future", FUTURE],
    ["dead", DEAD],
  ];
  for (const [key, place] of lists) {
    (d[key] ?? []).forEach((name, k) => {
      const path = `${key}[${k}]`;
      const u = tables.data.unitIds.indexOf(name);
      if (u < 0) throw bad(path, `there is no unit ${name}`);
      if (place === WAITING) unitSlot(tables, name, path, "Soviet");
      claim(name, path);
      s[L.unitPlace + u] = place;
    });
  }
  tables.data.unitIds.forEach((id, u) => {
    if (!seen.has(id))
      s[L.unitPlace + u] = phaseOf(s) === PHASE.setup || tables.data.entryTurn[u]! > d.turn ? FUTURE : DEAD;
  });
  (d.tried ?? []).forEach((name, k) => {
    const u = unitSlot(tables, name, `tried[${k}]`, "Soviet");
    if (placeOf(s, u) !== WAITING) throw bad(`tried[${k}]`, `${name} is not waiting`);
    s[L.unitFlags + u]! |= FLAG.triedLanding;
  });
  (d.hand ?? []).forEach((name, k) => {
    const c = chitSlot(tables, name, `hand[${k}]`);
    claim(name, `hand[${k}]`);
    s[L.chitPlace + c] = HAND;
    s[L.chitRank + c] = k;
  });
  if ((d.hand ?? []).length > 0 && phaseOf(s) !== PHASE.chits)
    throw bad("hand", "chits are in the hand only in the phase chits");
  (d.pile ?? []).forEach((name, k) => {
    chitSlot(tables, name, `pile[${k}]`);
    claim(name, `pile[${k}]`);
  });
  tables.data.chitIds.forEach((id, c) => {
    const path = seen.get(id) ?? "";
    if (path.startsWith("areas.") || path.startsWith("hand")) return;
    if (d.pile !== undefined && !d.pile.includes(id)) throw bad("pile", `${id} is nowhere`);
    s[L.chitPlace + c] = PILE;
  });
}
