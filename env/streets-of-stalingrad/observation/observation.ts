import type { Feature, ObservationSpec, Statics } from "../../core/game.js";
import features from "../data/observation.json" with { type: "json" };
import type { Setting } from "../data.js";
import { BOXES, FEATURES, type Kind, TERRAINS } from "../schema.js";

interface FeatureRow {
  readonly name: string;
  readonly range: readonly number[];
  readonly norm: string;
  readonly built?: string;
  readonly river?: string;
  readonly administration?: string;
}

const feature = (f: FeatureRow): Feature => ({ name: f.name, range: [f.range[0]!, f.range[1]!], norm: f.norm });
/** The scenario whose nets are older than some features: its texts, and with them its schema hash, stay. */
const OLDEST = "sandbox-1";

export const POOLS = "pools";

/** Rows of `map`: hexes, boxes, pools. Rows of `units`: slots, German first. Spec 6. */
export function observationSpec({ administration, board, river, roster, scenario }: Setting): ObservationSpec {
  const norm = (f: FeatureRow): string =>
    (administration ? f.administration : undefined) ?? (river.any ? f.river : undefined) ?? f.built ?? f.norm;
  const named = (list: readonly FeatureRow[]) =>
    list.map((f) => feature(scenario === OLDEST ? f : { ...f, norm: norm(f) }));
  return {
    globals: named(features.globals),
    mapRows: [...board.ids, ...BOXES, POOLS],
    map: named(features.map),
    unitRows: roster.counters.map((c) => c.id),
    units: named(features.units),
    decision: named(features.decision),
  };
}

/** Off-map boxes are drawn west of the map, East Bank boxes east of it. */
const BOX_SIDE = [1, 1, 1, -1, -1, -1, -1];

export function staticsOf(setting: Setting): Statics {
  const { board } = setting;
  const points = board.ids.map((_, h) => board.point(h));
  const [xs, ys] = [points.map(([x]) => x), points.map(([, y]) => y)];
  const [left, right] = [Math.min(...xs), Math.max(...xs)];
  const [top, bottom] = [Math.min(...ys), Math.max(...ys)];
  const boxPoint = (i: number): [number, number] => {
    const among = BOX_SIDE.slice(0, i + 1).filter((side) => side === BOX_SIDE[i]).length;
    const rank = BOX_SIDE[i] === 1 ? 4 - among : among; // East Bank boxes run from south to north
    return [BOX_SIDE[i] === 1 ? right + 2 : left - 2, top + ((bottom - top) * rank) / 5];
  };
  return {
    neighbours: [
      ...board.ids.map((_, h) => [...board.neighbours.subarray(h * 6, h * 6 + 6)].filter((n) => n >= 0)),
      ...BOXES.map(() => []),
      [],
    ],
    points: [...points, ...BOXES.map((_, i) => boxPoint(i)), [left - 2, bottom + 2]],
    placeNames: [
      ...board.hexes.map(({ name }, h) => (name === undefined ? board.ids[h]! : `${board.ids[h]!} ${name}`)),
      ...BOXES,
      POOLS,
    ],
    map: { features: features.static.map.map(feature), values: mapValues(setting) },
    units: { features: features.static.units.map(feature), values: unitValues(setting) },
  };
}

const share = (x: number, of: number): number => Math.min(1, x / of);
const flag = (x: boolean | undefined): number => (x === true ? 1 : 0);

function mapValues({ board, points }: Setting): number[][] {
  const nothing = () => new Array<number>(features.static.map.length).fill(0);
  const at = (name: string) => features.static.map.findIndex((f) => f.name === name);
  const hexes = board.hexes.map((hex, h) => [
    ...TERRAINS.map((t) => flag(hex.t === t)),
    ...FEATURES.slice(0, -1).map((f) => flag(hex.f?.includes(f))),
    hex.landing !== undefined ? 1 : hex.arrow !== undefined ? 0.5 : 0,
    share(points[h]!, 2),
    0,
    flag(hex.block !== undefined),
    flag(hex.cross !== undefined),
    share(board.columns[h]!, 40),
    share(board.rows[h]!, 79),
    share(Math.min(30, ...Object.values(hex.east ?? {})), 30) * flag(hex.east !== undefined),
    share(board.footDrm[h]!, 3),
    flag(board.clearForFoot[h] === 0),
  ]);
  const boxes = BOXES.map(() => nothing().with(at("box"), 1));
  return [...hexes, ...boxes, nothing()];
}

/** Kinds that share a feature with another. */
const ALIKE: Partial<Record<Kind, string>> = { "field-gun": "howitzer", commissar: "leader", "mine-dog": "sniper" };
const FIRST_KIND = 4;
const KIND_COUNT = 20;

function unitValues({ roster }: Setting): number[][] {
  const kinds = features.static.units.slice(FIRST_KIND, FIRST_KIND + KIND_COUNT).map((f) => f.name);
  return roster.counters.map(({ type, spare }, u) => {
    if (spare) return new Array<number>(features.static.units.length).fill(0);
    const kind = ALIKE[type.kind] ?? type.kind;
    const of = kinds.includes(kind) ? kind : "special";
    const [, division, regiment] = roster.path[u]!;
    return [
      share(type.af, 30),
      share(type.df, 20),
      share(type.range, 24),
      share(type.mp, 26),
      ...kinds.map((k) => flag(k === of)),
      roster.guards[u] === 1 ? 1 : -flag(type.nkvd),
      flag(type.armored),
      flag(type.afUnderlined),
      flag(type.redAf),
      flag(type.motorized),
      flag(type.army),
      division === undefined ? 0 : hash(division),
      regiment === undefined ? 0 : hash(`${division}/${regiment}`),
    ];
  });
}

/** A text as a number in [-1, 1], the same everywhere (FNV-1a). */
function hash(text: string): number {
  let h = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193);
  return Math.fround(((h >>> 0) / 0xffffffff) * 2 - 1);
}
