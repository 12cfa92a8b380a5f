import type { z } from "zod";
import type { Names, Row } from "../../core/brand.js";
import { HexGrid, type HexShift } from "../../core/hex.js";
import type { HexId } from "../data.js";
import { type mapSchema, refuseData, requireUnique } from "./schema.js";

type MapFile = z.infer<typeof mapSchema>;

/** The column that is lower, from the two neighbour tables. */
function shiftOf(map: MapFile): HexShift {
  const high = "0,-1;1,-1;1,0;0,1;-1,0;-1,-1";
  const low = "0,-1;1,0;1,1;0,1;-1,1;-1,0";
  const even = map.grid.neighboursEvenColumn.map(String).join(";");
  const odd = map.grid.neighboursOddColumn.map(String).join(";");
  if (even === high && odd === low) return "odd";
  if (even === low && odd === high) return "even";
  return refuseData(
    "map",
    "grid",
    "the neighbours of even and odd columns do not fit each other (order N NE SE S SW NW)",
  );
}

/** The bounds that the map names are those of its hexes. */
function checkBounds(map: MapFile, ids: readonly string[]): void {
  for (const [name, from] of [
    ["columns", 0],
    ["rows", 2],
  ] as const) {
    const all = ids.map((id) => Number(id.slice(from, from + 2)));
    const [least, most] = [Math.min(...all), Math.max(...all)];
    const [low, high] = map.grid[name];
    if (low !== least || high !== most)
      refuseData("map", `grid.${name}`, `the hexes have ${name} ${least} to ${most}, not ${low} to ${high}`);
  }
}

/** Checks `map.json` and compiles it. Arrays over hexes follow its order. */
export function loadMap(map: MapFile) {
  const ids = map.hexes.map((h) => h.id);
  requireUnique("map", "hexes", ids);
  ids.forEach((id, i) => {
    if (i > 0 && id <= ids[i - 1]!)
      refuseData("map", `hexes[${i}].id`, `expected hexes in ascending order; ${id} follows ${ids[i - 1]}`);
  });
  checkBounds(map, ids);
  const grid = new HexGrid<HexId>(ids, shiftOf(map));
  const find = (path: string, id: string): HexId => {
    const h = grid.index(id);
    return h >= 0 ? h : refuseData("map", path, `hex ${id} is not on the map`);
  };
  const flags = (test: (h: MapFile["hexes"][number], i: HexId) => boolean): Uint8Array =>
    Uint8Array.from(map.hexes, (h, i) => (test(h, i as HexId) ? 1 : 0));
  const moscow = find("moscow", map.moscow);
  const tula = find("tula", map.tula);
  const startGerman = flags((h) => h.control === "german");
  for (const [path, h] of [
    ["moscow", moscow],
    ["tula", tula],
  ] as const)
    if (startGerman[h] === 1) refuseData("map", path, `hex ${ids[h]} starts under German control`);
  const entry = new Uint8Array(ids.length);
  for (const side of ["north", "south", "east"] as const)
    map.edges[side].forEach((id, i) => (entry[find(`edges.${side}[${i}]`, id)] = 1));
  entry[moscow] = 1;
  entry[tula] = 1;
  const west = Int16Array.from(map.edges.west, (id, i) => find(`edges.west[${i}]`, id)).sort() as Row<HexId>;
  const front = Int16Array.from(map.frontOrder, (id, i) => find(`frontOrder[${i}]`, id)).sort() as Row<HexId>;
  requireUnique("map", "frontOrder", map.frontOrder);
  for (const [i, id] of ids.entries()) {
    const h = i as HexId;
    let touches = false;
    for (let d = 0; d < 6; d++) {
      const k = grid.neighbour(h, d);
      if (k >= 0 && startGerman[k] === 0) touches = true;
    }
    const line = startGerman[h] === 1 && touches;
    if (line !== front.includes(h))
      refuseData(
        "map",
        "frontOrder",
        line
          ? `hex ${id} is German and touches a Soviet hex; it belongs to the front`
          : `hex ${id} is not on the front`,
      );
    if (line !== (map.hexes[h]!.front ?? false))
      refuseData("map", `hexes[${h}].front`, `the front list says ${line} for hex ${id}`);
  }
  const fort = flags((h) => h.fortified === true);
  if (!fort.includes(1)) refuseData("map", "hexes", "there is no fortified locality");
  return {
    grid,
    ids: ids as readonly string[] as Names<HexId>,
    hexCount: ids.length,
    names: map.hexes.map((h) => h.name ?? ""),
    forest: flags((h) => h.terrain === "forest"),
    fort,
    kLine: flags((h) => h.kLine === true),
    western: flags((_, i) => grid.columns[i]! <= map.westVictoryMaxColumn),
    guarded: flags((_, i) => grid.adjacent(moscow, i) || grid.adjacent(tula, i)),
    entry,
    startGerman,
    west,
    front,
    moscow,
    tula,
    columns: map.grid.columns,
    rows: map.grid.rows,
  };
}
