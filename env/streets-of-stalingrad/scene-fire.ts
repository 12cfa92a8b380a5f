import { listed, signed } from "../core/words.js";
import type { StateView } from "../core/layout.js";
import type { Overlay } from "../core/scene.js";
import { hexId, unitId, unitsWith } from "./events/words.js";
import * as words from "./layout.js";
import { missionOdds } from "./narration/guns.js";
import { GERMAN, SIDES, SOVIET } from "./roster.js";
import {
  INTERDICTION,
  missionAt,
  missionHex,
  missionSide,
  missionStukas,
  missionTable,
} from "./rules/artillery/missions.js";
import { firesAt } from "./rules/artillery/spotting.js";
import { frameHex, frameOf, placeOf, type Tables } from "./state.js";

const NAMES = ["German", "Soviet"] as const;

/**
 * Who fires at what and who spots for it, missions plotted, hexes interdicted, who attacks: as far as a viewer knows
 * it.
 *
 * @param s what `Knowledge.redact` leaves
 */
export function fireOverlays(tables: Tables, s: StateView): Overlay[] {
  return [
    ...[GERMAN, SOVIET].flatMap((side) => shells(tables, s, side as 0 | 1)),
    ...guns(tables, s),
    ...attack(tables, s),
  ];
}

/** Missions plotted, and hexes that a side interdicts. */
function shells(tables: Tables, s: StateView, side: 0 | 1): Overlay[] {
  const { board, layout } = tables;
  const overlays: Overlay[] = [];
  for (let i = 0; i < s[layout.missionCount]!; i++) {
    const mission = missionAt(tables, i);
    if (missionSide(s, mission) !== side || (s[mission + words.M_HEX]! & words.MISSION_DONE) !== 0) continue;
    const title = `${NAMES[side]} bombardment: ${missionText(tables, s, mission, side)}`;
    overlays.push({ kind: "area", look: "lit", title, places: [hexId(tables, missionHex(s, mission))] });
  }
  const held = board.ids.filter((_, h) => ((s[layout.bombs + side * tables.hexes + h]! >> 12) & 15) === INTERDICTION);
  if (held.length > 0) overlays.push({ kind: "area", look: "lit", title: `${NAMES[side]} interdiction`, places: held });
  return overlays;
}

/**
 * Points, and for who may know them table, column and modifiers. Which table the enemy has chosen is hidden. Ruling R24
 */
function missionText(tables: Tables, s: StateView, mission: number, side: 0 | 1): string {
  const points = `${s[mission + words.M_POINTS]!} points`;
  const table = missionTable(s, mission);
  if (table === 0) return points;
  if (table === words.BY_NOTHING) return `${points}, interdiction`;
  const hex = missionHex(s, mission);
  const guns = tables.roster.guns.filter((g) => tables.roster.side[g] === side && firesAt(tables, s, g, hex));
  return missionOdds(tables, s, guns, hex, table, missionStukas(s, mission), side);
}

/** Guns that one line of sight is for and that are named, not only counted. */
const MOST_NAMED = 4;

/** A line from each gun to its target, and one from who spots for it. */
function guns(tables: Tables, s: StateView): Overlay[] {
  const { layout, roster } = tables;
  const lines = new Map<string, { overlay: Extract<Overlay, { kind: "arrow" }>; who: string[] }>();
  const add = (look: "fire" | "sight", unit: number, hex: number, who: string, verb: string): void => {
    const place = placeOf(tables, s, unit);
    if ((place < 0 && !words.isBox(place)) || place === hex) return;
    const [from, to] = [hexId(tables, place), hexId(tables, hex)];
    const side = SIDES[roster.side[unit]!]!;
    const key = `${look} ${from} ${to}`;
    const known = lines.get(key) ?? { overlay: { kind: "arrow", from, to, side, look, title: "" }, who: [] };
    if (!known.who.includes(who)) known.who.push(who);
    const spotters = [...new Set(known.who.map((text) => text.split(" for ")[0]!))];
    known.overlay.title =
      look === "sight" && known.who.length > MOST_NAMED
        ? `${listed(spotters, "nobody")} ${verb} ${to} for ${known.who.length} guns`
        : `${listed(known.who, "nobody")} ${verb} ${to}`;
    lines.set(key, known);
  };
  for (const gun of roster.guns) {
    const word = s[layout.served + gun]!;
    if (word === 0) continue;
    const [hex, by, drm] = [words.targetIn(word), words.spotterIn(word), words.spotDrmIn(word)];
    const spotting = `spotting ${drm === 0 ? "0" : signed(drm)}`;
    add("fire", gun, hex, `${unitId(tables, gun)} (${spotting})`, "at");
    if (by !== gun) add("sight", by, hex, `${unitId(tables, by)} for ${unitId(tables, gun)}`, "spots");
  }
  return [...lines.values()].map((l) => l.overlay);
}

/** Who attacks from beside the hex of the attack. */
function attack(tables: Tables, s: StateView): Overlay[] {
  const frame = frameOf(tables, s, words.ASK_ATTACK_UNIT, words.ASK_ATTACK_MODE);
  if (frame < 0) return [];
  const hex = frameHex(s, frame);
  const byHex = new Map<number, string[]>();
  for (const u of unitsWith(tables, s, words.ATTACKER)) {
    const from = placeOf(tables, s, u);
    if (from < 0 || tables.board.distance(from, hex) !== 1) continue;
    byHex.set(from, [...(byHex.get(from) ?? []), unitId(tables, u)]);
  }
  const to = hexId(tables, hex);
  return [...byHex].map(([from, ids]): Overlay => {
    const title = `${listed(ids, "nobody")} against ${to}`;
    return { kind: "arrow", from: hexId(tables, from), to, look: "attack", title };
  });
}
