import {
  type Board as SceneBoard,
  emptyBoard,
  type Glyph,
  HEX_RADIUS,
  hexBounds,
  type Terrain as SceneTerrain,
} from "../core/scene.js";
import { joined } from "../core/scene-lines.js";
import { counted } from "../core/words.js";
import type { HexId } from "./layout.js";
import type { Board } from "./map/board.js";
import { featureNames } from "./names.js";
import { BOXES, type HexFeature, type Terrain } from "./schema.js";
import type { Tables } from "./state.js";

const GROUND: Readonly<Record<Terrain, SceneTerrain>> = {
  clear: "clear",
  suburb: "suburb",
  city: "city",
  industrial: "industrial",
  strongpoint: "city",
  forest: "woods",
  balka: "balka",
  cliff: "cliff",
  volga: "water",
};

/** Features that a hex is marked with. Others are lines, or words of the hex alone. */
const MARKED: Partial<Record<HexFeature, Glyph>> = { bridge: "bridge", airfield: "aircraft", cemetery: "cross" };

type At = readonly [number, number];

/** What is printed on the map: ground, roads, railroads, balkas, the Tartar Wall, cliffs, landings. */
export function boardOf({ board, river, setting }: Tables, points: readonly At[]): SceneBoard {
  const called = (terrain: Terrain): { called?: string } => (GROUND[terrain] === terrain ? {} : { called: terrain });
  const hexes = board.ids.map((id, h) => {
    const glyphs = glyphsOf(board, h, setting.points[h]!);
    const marked = glyphs.map(({ title }) => title);
    const features = featureNames(board, h).filter((name) => !marked.includes(name));
    return {
      id,
      name: board.hexes[h]!.name ?? "",
      at: [...points[h]!] as [number, number],
      terrain: GROUND[board.terrainOf(h)],
      ...called(board.terrainOf(h)),
      ...(features.length === 0 ? {} : { features }),
      ...(glyphs.length === 0 ? {} : { glyphs }),
    };
  });
  const boxes = BOXES.flatMap((id, k) =>
    river.inPlay[k] === true
      ? [{ id, name: river.names[k]!, at: [...points[board.size + k]!] as [number, number], terrain: "clear" as const }]
      : [],
  );
  const places = [...hexes, ...boxes];
  return {
    ...emptyBoard("hexes"),
    bounds: hexBounds(
      places.map(({ at }) => at),
      0.3,
    ),
    places,
    ways: [
      ...waysOf(board, "balka", (h, d) => follows(board, h, d)),
      ...waysOf(board, "road", (h, d) => board.joined(h, d, "road")),
      ...waysOf(board, "rail", (h, d) => board.joined(h, d, "rail")),
    ],
    lines: board.hexes.flatMap(({ wall, cliff = [] }, h) => [
      ...(wall === undefined ? [] : [{ kind: "wall" as const, points: drawn(wall, points[h]!) }]),
      ...cliff.map((line) => ({ kind: "cliff" as const, points: drawn(line, points[h]!) })),
    ]),
  };
}

function glyphsOf(board: Board, h: number, points: number): { glyph: Glyph; title: string }[] {
  const { f = [], landing } = board.hexes[h]!;
  return [
    ...(points === 0 ? [] : [{ glyph: "star" as const, title: counted(points, "German point") }]),
    ...(landing === undefined ? [] : [{ glyph: "landing" as const, title: `landing ${landing}` }]),
    ...f.flatMap((feature) => {
      const glyph = MARKED[feature];
      return glyph === undefined ? [] : [{ glyph, title: feature }];
    }),
  ];
}

function waysOf(
  board: Board,
  kind: "road" | "rail" | "balka",
  goesOn: (h: HexId, d: number) => boolean,
): SceneBoard["ways"] {
  const links = board.ids.flatMap((id, h) =>
    [0, 1, 2].flatMap((d): [string, string][] =>
      goesOn(h as HexId, d) ? [[id, board.ids[board.neighbours[h * 6 + d]!]!]] : [],
    ),
  );
  return joined(links).map((places) => ({ kind, places }));
}

/** True when a balka goes on over a side of its hex. */
function follows({ hexes, neighbours }: Board, h: number, d: number): boolean {
  const to = neighbours[h * 6 + d]!;
  return to >= 0 && hexes[h]!.balka?.includes(`${d}`) === true && hexes[to]!.balka?.includes(`${(d + 3) % 6}`) === true;
}

/** A line in the coordinates of a hex (`Sight`: 4 from the middle to a corner, 4 to a side, north up) on the board. */
const drawn = (line: readonly At[], [x, y]: At): [number, number][] =>
  line.map(([east, north]) => [x + (east * HEX_RADIUS) / 4, y - north / 8]);
