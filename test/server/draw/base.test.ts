import { expect, test } from "vitest";
import {
  type Board,
  emptyBoard,
  hexBounds,
  HexGrid,
  joined,
  loadGame,
  newState,
  type Place,
  roadLinks,
  type Scene,
  SeededDice,
  sceneOf,
  seedStream,
} from "../../../env/index.js";
import { boardHash, drawBase } from "../../../server/draw/base.js";
import { boxOf, chained, type Frame, inset, outlineOf, sharedSide, TITLE } from "../../../server/draw/geometry.js";
import { arranged } from "../../../server/draw/pieces.js";
import { THEMES } from "../../../server/draw/theme.js";

const grid = (columns: number, rows: number): Board => {
  const ids: string[] = [];
  for (let c = 10; c < 10 + columns; c++) for (let r = 10; r < 10 + rows; r++) ids.push(`${c}${r}`);
  const hexes = new HexGrid(ids, "odd");
  const points = ids.map((_, h) => hexes.point(h));
  const terrains = ["clear", "woods", "town", "water", "rough", "balka"] as const;
  const places = ids.map((id, h): Place => ({ id, name: "", at: points[h]!, terrain: terrains[h % terrains.length]! }));
  return { ...emptyBoard("hexes"), bounds: hexBounds(points, 0.3), places };
};
const frame = (board: Board): Frame => ({ board, unit: 40 });

test("a map of 40 x 79 hexes is a few dozen elements, not thousands", () => {
  const svg = drawBase(frame(grid(40, 79)), { theme: THEMES.light, numbers: false });
  expect(svg.match(/<[a-z]/g)!.length).toBeLessThan(60);
});

test("the border of a set of hexes: six sides for one, ten for two neighbours, one closed line each", () => {
  const board = grid(3, 3);
  const f = frame(board);
  const [a, b] = [board.places[0]!, board.places[1]!];
  expect(outlineOf(f, [a], 0).length).toBe(6);
  const two = outlineOf(f, [a, b], 0);
  expect(two.length).toBe(10);
  const [line, ...more] = chained(two);
  expect(more).toEqual([]);
  expect(line!.length).toBe(11);
  expect(Math.hypot(line![0]![0] - line!.at(-1)![0], line![0]![1] - line!.at(-1)![1])).toBeLessThan(0.5);
});

test("the side that two hexes share is half-way, across the line between them", () => {
  const board = grid(2, 2);
  const f = frame(board);
  const [p, q] = sharedSide(f, board.places[0]!, board.places[1]!);
  expect(p[1]).toBeCloseTo(q[1]); // one above the other: a level side
  expect(Math.abs(p[0] - q[0])).toBeCloseTo(40 / Math.sqrt(3));
});

test("a polygon drawn in keeps its distance on every side, whichever way round it goes", () => {
  const square: [number, number][] = [[0, 0], [10, 0], [10, 10], [0, 10]]; // prettier-ignore
  expect(inset(square, 2)).toEqual([[2, 2], [8, 2], [8, 8], [2, 8]]); // prettier-ignore
  expect(inset([...square].reverse(), 2)).toEqual([[2, 8], [8, 8], [8, 2], [2, 2]]); // prettier-ignore
});

test("links are joined to long lines, each used once", () => {
  expect(joined([["a", "b"], ["c", "d"], ["c", "b"]])).toEqual([["d", "c", "b", "a"]]); // prettier-ignore
  const star = joined([["x", "a"], ["x", "b"], ["x", "c"]]); // prettier-ignore
  expect(star.flatMap((l) => l.slice(1)).length).toBe(3);
});

test("roads of hexes leave out the third side of a triangle", () => {
  expect(roadLinks([["a", "b"], ["b", "c"], ["a", "c"]])).toEqual([["a", "b"], ["b", "c"]]); // prettier-ignore
});

test("districts of Savage Streets share a border exactly where areas are linked", () => {
  const game = loadGame("savage-streets");
  const s = newState(game.stateSize);
  seedStream("1", s);
  const dice = new SeededDice();
  dice.begin(s);
  game.start(s, dice);
  const { places, links } = sceneOf(game, s, 0).board;
  const sides = (p: Place): Set<string> =>
    new Set(p.outline!.map((a, i) => [a, p.outline![(i + 1) % p.outline!.length]!].map(String).sort().join(" ")));
  const bordering: string[] = [];
  places.forEach((p, i) => {
    for (const q of places.slice(i + 1))
      if ([...sides(p)].some((side) => sides(q).has(side))) bordering.push(`${p.id}-${q.id}`);
  });
  expect(bordering.sort()).toEqual(links.map((l) => `${l.from}-${l.to}`).sort());
  expect(links.length).toBe(game.statics.neighbours.flat().length / 2);
});

test("counters on a card are below its title and above its lower edge, however many there are", () => {
  const place: Place = { id: "1", name: "Station", at: [0, 0], size: [0.9, 0.9], terrain: "city" };
  const f = frame({ ...emptyBoard("areas"), bounds: [-1, -1, 1, 1], counterSize: 0.25, places: [place] });
  const card = boxOf(f, place);
  const title = card.y + card.width * TITLE;
  for (let count = 1; count <= 12; count++) {
    const counters = Array.from({ length: count }, (_, i) => {
      return { id: `${i}`, kind: "counter" as const, place: "1", side: "a", title: "" };
    });
    const scene: Scene = {
      game: "cards",
      title: "",
      viewer: null,
      caption: "",
      sides: [{ id: "a", name: "a", look: "german" }],
      board: f.board,
      counters,
      overlays: [],
      tracks: [],
      trays: [],
    };
    const placed = arranged(f, scene);
    expect(placed.length).toBe(count);
    for (const { y, size } of placed) {
      expect(y - size / 2, `${count} counters`).toBeGreaterThanOrEqual(title);
      expect(y + size / 2, `${count} counters`).toBeLessThanOrEqual(card.y + card.height);
    }
  }
});

test("a board's hash follows what is on it", () => {
  const board = grid(2, 2);
  expect(boardHash(board)).toBe(boardHash(structuredClone(board)));
  const [first, ...others] = board.places;
  expect(boardHash({ ...board, places: [{ ...first!, terrain: "city" }, ...others] })).not.toBe(boardHash(board));
});
