import type { Json } from "../../core/game.js";
import type { State, StateView } from "../../core/layout.js";
import * as words from "../layout.js";
import { GERMAN, SIDES } from "../roster.js";
import { missionAt, missionHex, missionSide, missionStukas, missionTable } from "../rules/artillery/missions.js";
import { firesAt, serve } from "../rules/artillery/spotting.js";
import type { Tables } from "../state.js";
import { boxAt, has, placeOf } from "../state.js";
import { hexNamed, placeId, refuse, targetNamed, unitNamed } from "../names.js";
import type { PositionDoc, UnitDoc } from "./schema.js";

type Doc = Record<string, Json>;

/** A target as documents name it, as a hex or as a box. */
const writeTarget = (tables: Tables, target: number): Doc => ({
  [boxAt(tables, target) < 0 ? "hex" : "box"]: placeId(tables, target),
});

function readTarget(tables: Tables, doc: { hex?: string | undefined; box?: string | undefined }, path: string): number {
  const { box, hex } = doc;
  if ((box === undefined) === (hex === undefined)) refuse(path, "it is at a hex or at a box");
  return box === undefined ? hexNamed(tables, hex!, `${path}.hex`) : targetNamed(tables, box, `${path}.box`);
}

/** Whom a unit spots for in this phase: rows of one target and modifier. Spec 9.1, rule 14.24. */
export function writeSpotted(tables: Tables, s: StateView, unit: number): Json[] {
  const rows: { key: number; row: Doc; units: string[] }[] = [];
  for (const gun of tables.roster.guns) {
    const word = s[tables.layout.served + gun]!;
    if (word === 0 || words.spotterIn(word) !== unit) continue;
    let found = rows.find((r) => r.key === word);
    if (found === undefined) {
      const units: string[] = [];
      const row: Doc = { ...writeTarget(tables, words.targetIn(word)), units, drm: words.spotDrmIn(word) };
      if ((word & words.SERVED_LEADER) !== 0) row["named"] = true;
      rows.push((found = { key: word, row, units }));
    }
    found.units.push(tables.roster.counters[gun]!.id);
  }
  return rows.map((r) => r.row);
}

/** Reads whom the units spot for; modifiers that are not given are made up from the position. */
export function readSpotted(tables: Tables, units: Readonly<Record<string, UnitDoc>>, s: State): void {
  for (const [id, unit] of Object.entries(units))
    unit.spotted.forEach((row, i) => {
      const path = `units.${id}.spotted[${i}]`;
      const hex = readTarget(tables, row, path);
      row.units.forEach((name, k) => {
        const gun = unitNamed(tables, name, `${path}.units[${k}]`);
        if (tables.roster.gunRange[gun] === 0) refuse(`${path}.units[${k}]`, `${name} does not fire indirectly`);
        const spotter = unitNamed(tables, id, path);
        const at = tables.layout.served + gun;
        if (row.drm === undefined) serve(tables, s, gun, spotter, hex);
        else
          s[at] =
            (spotter + 1) |
            ((hex + 1) << words.SERVED_HEX_SHIFT) |
            ((row.drm + 1) << words.SERVED_DRM_SHIFT) |
            (row.named === true ? words.SERVED_LEADER : 0);
      });
    });
}

/** Missions of the phase in plot order. Spec 9. */
export function writeMissions(tables: Tables, s: StateView): Json[] {
  const { roster } = tables;
  return Array.from({ length: s[tables.layout.missionCount]! }, (_, i): Json => {
    const mission = missionAt(tables, i);
    const [side, hex, stukas] = [missionSide(s, mission), missionHex(s, mission), missionStukas(s, mission)];
    // guns and Stukas bombard a box separately
    const boxed = boxAt(tables, hex) >= 0;
    const guns = roster.guns.filter(
      (g) => roster.side[g] === side && !(boxed && stukas > 0) && isIn(tables, s, g, hex),
    );
    const frozen = (s[mission + words.M_HEX]! & words.MISSION_FROZEN) !== 0;
    const points = s[mission + words.M_POINTS]!;
    const doc: Doc = {
      side: SIDES[side]!,
      ...writeTarget(tables, hex),
      units: guns.map((g) => roster.counters[g]!.id),
      ...(missionTable(s, mission) === 0 ? {} : { table: words.TABLES[missionTable(s, mission) - 1]! }),
    };
    if (stukas > 0) doc["stukas"] = stukas;
    if (frozen || points !== sumOf(tables, guns, stukas)) doc["points"] = points;
    if (frozen)
      doc["drms"] = Object.fromEntries(
        words.DRMS.flatMap((name, k) => {
          const value = words.drmOf(s, mission + words.M_DRMS - words.R_DRMS, k);
          return value === 0 ? [] : [[name, value]];
        }),
      );
    if ((s[mission + words.M_HEX]! & words.MISSION_DONE) !== 0) doc["done"] = true;
    if (!frozen && (s[mission + words.M_HEX]! & words.MISSION_FLAK) !== 0) doc["flak"] = true;
    return doc;
  });
}

/** Guns that are just being named are in no mission yet. */
const isIn = (tables: Tables, s: StateView, gun: number, hex: number): boolean =>
  firesAt(tables, s, gun, hex) && !has(tables, s, gun, words.FIRING);

const sumOf = (tables: Tables, guns: readonly number[], stukas: number): number =>
  guns.reduce((sum, g) => sum + tables.roster.af[g]!, stukas * tables.stukaAf);

/** Reads the missions; their guns have spotters already, or the best are found. */
export function readMissions(tables: Tables, doc: PositionDoc, s: State): void {
  const { layout, roster } = tables;
  if (doc.missions.length > tables.missions) refuse("missions", `there are at most ${tables.missions}`);
  doc.missions.forEach((m, i) => {
    const path = `missions[${i}]`;
    const mission = missionAt(tables, i);
    const side = SIDES.indexOf(m.side);
    const hex = readTarget(tables, m, path);
    if (boxAt(tables, hex) >= 0 && (m.table !== undefined || side !== GERMAN || (m.stukas > 0 && m.units.length > 0)))
      refuse(`${path}.box`, "German guns, or Stukas, bombard a box, and by no table of choice");
    const guns = m.units.map((name, k) => {
      const gun = unitNamed(tables, name, `${path}.units[${k}]`);
      if (roster.gunRange[gun] === 0 || roster.side[gun] !== side)
        refuse(`${path}.units[${k}]`, `${name} is no gun of that side`);
      if (!firesAt(tables, s, gun, hex)) {
        if (placeOf(tables, s, gun) < 0 && !words.isBox(placeOf(tables, s, gun)))
          refuse(`${path}.units[${k}]`, `${name} is not on the map`);
        serve(tables, s, gun, gun, hex);
      }
      return gun;
    });
    s[mission + words.M_HEX] =
      (hex + 1) |
      (side << words.MISSION_SIDE_SHIFT) |
      (m.stukas << words.MISSION_STUKAS_SHIFT) |
      ((m.table === undefined ? 0 : words.TABLES.indexOf(m.table) + 1) << words.MISSION_TABLE_SHIFT) |
      (m.drms !== undefined ? words.MISSION_FROZEN : 0) |
      (m.done ? words.MISSION_DONE : 0) |
      (m.flak ? words.MISSION_FLAK : 0);
    s[mission + words.M_POINTS] = m.points ?? sumOf(tables, guns, m.stukas);
    words.DRMS.forEach((name, k) => {
      s[mission + words.M_DRMS + (k >> 3)]! |= ((m.drms?.[name] ?? 0) & 15) << (4 * (k & 7));
    });
  });
  s[layout.missionCount] = doc.missions.length;
}
