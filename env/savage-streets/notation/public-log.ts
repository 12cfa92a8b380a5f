import { z } from "zod";
import type { Json } from "../../core/game.js";
import type { State, StateView } from "../../core/layout.js";
import { badPosition } from "../../core/schema.js";
import { CHIT_KINDS } from "../data.js";
import type { Tables } from "../data.js";
import {
  areaIn,
  CLASS,
  DOWN,
  ENTRY,
  entryAt,
  EXCESS,
  flagsIn,
  idIn,
  ONLY,
  reachIn,
  record,
  recordRiver,
  rememberReflips,
  secondIn,
  SMG_MOVE,
  turnIn,
  typeIn,
} from "../public-log.js";
import { AREAS, GERMANS, L, PUBLIC_LOG_WORDS, publicLogNeed } from "../state.js";

const RESULTS = ["land", "turned-away", "eliminated"] as const;
const CLASSES = ["unit", "chit"] as const;

/** The public log as a list of `{t, e, ...}`. */
export function publicLogDocument(tables: Tables, s: StateView): Json[] {
  const out: Json[] = [];
  const areas = tables.data.areaIds;
  const n = s[L.publicLogLength]!;
  for (let i = 0; i < n; i++) {
    const w = entryAt(s, i);
    const t = turnIn(w);
    const area = areas[areaIn(w)]!;
    const id = idIn(w);
    const flags = flagsIn(w);
    switch (typeIn(w)) {
      case ENTRY.init: {
        const counts: Record<string, number> = { [area]: id };
        while (i + 1 < n && sameGroup(w, entryAt(s, i + 1), false) && flagsIn(entryAt(s, i + 1)) === flags) {
          i++;
          counts[areas[areaIn(entryAt(s, i))]!] = idIn(entryAt(s, i));
        }
        out.push({ t, e: "init", counts, ...(flags === CLASS.any ? {} : { cls: CLASSES[flags - 1]! }) });
        break;
      }
      case ENTRY.land: {
        const result = flags & 3;
        const only = flags >> 2;
        out.push({
          t,
          e: "land",
          area,
          die: secondIn(w) === 0 ? null : secondIn(w),
          result: RESULTS[result]!,
          ...(only === ONLY.open ? {} : { only: only === ONLY.red ? "red" : "black" }),
          ...(id === 0 ? {} : { id: tables.data.unitIds[id - 1]! }),
        });
        break;
      }
      case ENTRY.hold:
        out.push({ t, e: "hold", ...(reachIn(w, 0) === 0 && reachIn(w, 1) === 0 ? {} : reach(areas, w)) });
        break;
      case ENTRY.stranded:
        out.push({ t, e: "stranded", ...reach(areas, w) });
        break;
      case ENTRY.chit:
        out.push({ t, e: "chit", area });
        break;
      case ENTRY.move:
        out.push({
          t,
          e: "move",
          from: area,
          to: areas[secondIn(w)]!,
          ...(id === 0 ? {} : { id: tables.data.unitIds[id - 1]! }),
          ...((flags & 3) === CLASS.any ? {} : { cls: CLASSES[(flags & 3) - 1]! }),
          ...(flags & SMG_MOVE ? { smg: true } : {}),
        });
        break;
      case ENTRY.revealUnit:
      case ENTRY.revealChit: {
        const units: string[] = [];
        const kinds: string[] = [];
        for (let w2 = w; ; w2 = entryAt(s, i)) {
          if (typeIn(w2) === ENTRY.revealUnit) units.push(tables.data.unitIds[idIn(w2)]!);
          else kinds.push(CHIT_KINDS[idIn(w2)]!);
          const next = i + 1 < n ? entryAt(s, i + 1) : 0;
          const joins =
            typeIn(next) === ENTRY.revealChit || (typeIn(next) === ENTRY.revealUnit && typeIn(w2) === ENTRY.revealUnit);
          if (!joins || areaIn(next) !== areaIn(w) || turnIn(next) !== t) break;
          i++;
        }
        out.push({ t, e: "reveal", area, units, kinds });
        break;
      }
      case ENTRY.reflip: {
        const ids = [tables.data.unitIds[id]!];
        while (i + 1 < n && sameGroup(w, entryAt(s, i + 1), true))
          ids.push(tables.data.unitIds[idIn(entryAt(s, ++i))]!);
        out.push({ t, e: "reflip", area, ids });
        break;
      }
      case ENTRY.dead:
        out.push({
          t,
          e: "dead",
          area,
          id: tables.data.unitIds[id]!,
          ...(flags & DOWN ? { down: true } : {}),
          ...tooMany(w),
        });
        break;
      default:
        out.push({ t, e: "back", area, ...(id === 0 ? {} : { kind: CHIT_KINDS[id - 1]! }), ...tooMany(w) });
    }
  }
  return out;
}

const reach = (areas: readonly string[], w: number): { black: string[]; red: string[] } => ({
  black: areas.filter((_, a) => (reachIn(w, 0) >> a) & 1),
  red: areas.filter((_, a) => (reachIn(w, 1) >> a) & 1),
});

const tooMany = (w: number): { excess?: true } => (flagsIn(w) & EXCESS ? { excess: true } : {});

const sameGroup = (a: number, b: number, sameArea: boolean): boolean =>
  typeIn(a) === typeIn(b) && turnIn(a) === turnIn(b) && (!sameArea || areaIn(a) === areaIn(b));

const t = z.number().int().min(1).max(9);
const area = z.string();
const cls = z.enum(CLASSES).optional();
/** Of a face-up counter that went as one too many (SS 1.21). */
const excess = z.literal(true).optional();
/** One entry as a document. */
export const entrySchema = z.discriminatedUnion("e", [
  z.strictObject({ t, e: z.literal("init"), counts: z.record(z.string(), z.number().int().min(1).max(51)), cls }),
  z.strictObject({
    t,
    e: z.literal("land"),
    area,
    die: z.number().int().min(1).max(6).nullable(),
    result: z.enum(RESULTS),
    only: z.enum(["red", "black"]).optional(),
    id: z.string().optional(),
  }),
  // where units without and with a red circle could have gone, if that reveals something
  z.strictObject({ t, e: z.literal("hold"), black: z.array(area).optional(), red: z.array(area).optional() }),
  z.strictObject({ t, e: z.literal("stranded"), black: z.array(area), red: z.array(area) }),
  z.strictObject({ t, e: z.literal("chit"), area }),
  z.strictObject({
    t,
    e: z.literal("move"),
    from: area,
    to: area,
    id: z.string().optional(),
    cls,
    smg: z.literal(true).optional(),
  }),
  z.strictObject({ t, e: z.literal("reveal"), area, units: z.array(z.string()), kinds: z.array(z.enum(CHIT_KINDS)) }),
  z.strictObject({ t, e: z.literal("reflip"), area, ids: z.array(z.string()).min(1) }),
  z.strictObject({ t, e: z.literal("dead"), area, id: z.string(), down: z.literal(true).optional(), excess }),
  z.strictObject({ t, e: z.literal("back"), area, kind: z.enum(CHIT_KINDS).optional(), excess }),
]);
export type EntryDocument = z.infer<typeof entrySchema>;

const classOf = (name: "unit" | "chit" | undefined): number =>
  name === undefined ? CLASS.any : name === "unit" ? CLASS.unit : CLASS.chit;

const excessFlag = (e: { readonly excess?: true | undefined }): number => (e.excess === true ? EXCESS : 0);

/**
 * Reads a public log into `s`, whose position is set, and brings the public memory up to date.
 *
 * @throws KesselError `bad-position` for unknown names, entries out of time, or a log that can't hold the rest of a
 *   game
 */
export function readPublicLog(tables: Tables, s: State, entries: readonly EntryDocument[]): void {
  const turn = s[L.turn]!;
  let last = 1;
  entries.forEach((e, k) => {
    const path = `ledger[${k}]`;
    const fail = (reason: string) => badPosition("savage-streets", path, reason);
    if (e.t < last || e.t > turn) throw fail(`its turn ${e.t} is not between ${last} and ${turn}`);
    last = e.t;
    const at = (id: string): number => {
      const i = tables.data.areaIds.indexOf(id);
      if (i < 0 || ((tables.data.numbered >> i) & 1) === 0) throw fail(`there is no numbered area ${id}`);
      return i;
    };
    const mask = (ids: readonly string[]): number => ids.reduce((m, id) => m | (1 << at(id)), 0);
    const soviet = (id: string): number => {
      const u = tables.data.unitIds.indexOf(id);
      if (u < GERMANS) throw fail(`there is no Soviet unit ${id}`);
      return u;
    };
    if (
      s[L.publicLogLength]! + 1 + ("units" in e ? e.units.length + e.kinds.length : "ids" in e ? e.ids.length : AREAS) >
      PUBLIC_LOG_WORDS
    )
      throw fail(`a ledger has at most ${PUBLIC_LOG_WORDS} entries`);
    s[L.turn] = e.t;
    switch (e.e) {
      case "init":
        for (const [id, n] of Object.entries(e.counts)) record(s, ENTRY.init, at(id), 0, n, classOf(e.cls));
        break;
      case "land":
        if ((e.result === "eliminated") !== (e.id !== undefined))
          throw fail("it names the unit if that was eliminated, and only then");
        record(
          s,
          ENTRY.land,
          at(e.area),
          e.die ?? 0,
          e.id === undefined ? 0 : soviet(e.id) + 1,
          RESULTS.indexOf(e.result) + 4 * (e.only === undefined ? ONLY.open : e.only === "red" ? ONLY.red : ONLY.black),
        );
        break;
      case "hold":
        recordRiver(s, ENTRY.hold, mask(e.black ?? []), mask(e.red ?? []));
        break;
      case "stranded":
        recordRiver(s, ENTRY.stranded, mask(e.black), mask(e.red));
        break;
      case "chit":
        record(s, ENTRY.chit, at(e.area));
        break;
      case "move":
        record(
          s,
          ENTRY.move,
          at(e.from),
          at(e.to),
          e.id === undefined ? 0 : soviet(e.id) + 1,
          classOf(e.cls) | (e.smg === true ? SMG_MOVE : 0),
        );
        break;
      case "reveal":
        for (const id of e.units) record(s, ENTRY.revealUnit, at(e.area), 0, soviet(id));
        for (const kind of e.kinds) record(s, ENTRY.revealChit, at(e.area), 0, CHIT_KINDS.indexOf(kind));
        break;
      case "reflip":
        for (const id of e.ids) record(s, ENTRY.reflip, at(e.area), 0, soviet(id));
        break;
      case "dead":
        record(s, ENTRY.dead, at(e.area), 0, soviet(e.id), (e.down === true ? DOWN : 0) | excessFlag(e));
        break;
      case "back":
        record(s, ENTRY.back, at(e.area), 0, e.kind === undefined ? 0 : CHIT_KINDS.indexOf(e.kind) + 1, excessFlag(e));
        break;
    }
  });
  s[L.turn] = turn;
  if (s[L.publicLogLength]! + publicLogNeed(turn) > PUBLIC_LOG_WORDS)
    throw badPosition(
      "savage-streets",
      "ledger",
      `${s[L.publicLogLength]!} entries leave no room for the rest of a game from turn ${turn}`,
    );
  rememberReflips(s);
}
