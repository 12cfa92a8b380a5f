import { describe, expect, test } from "vitest";
import { boardRows, Env, EVERYTHING, sceneFault, sceneOf, sceneSchema, SPECTATOR } from "../../../env/index.js";
import { loadGame } from "../../../env/registry.js";
import { loadSetting } from "../../../env/streets-of-stalingrad/data.js";
import { Tables } from "../../../env/streets-of-stalingrad/state.js";
import { ground, Table } from "./table.js";

const game = loadGame("streets-of-stalingrad");
const env = new Env(game);
env.reset("scene");

test.each([0, 1, SPECTATOR, EVERYTHING])(
  "a scene for viewer %i fits its schema and names only what is there",
  (viewer) => {
    const scene = sceneOf(game, env.state, viewer);
    expect(sceneSchema.parse(scene)).toEqual(scene);
    expect(sceneFault(scene, boardRows(game))).toBeNull();
    expect(scene.counters).toHaveLength(11);
  },
);

test("a face-down counter has a back and no name, for the other side only", () => {
  const backs = (viewer: number) => sceneOf(game, env.state, viewer).counters.flatMap((c) => (c.back ? [c.place] : []));
  expect(backs(0).sort()).toEqual(["0212", "0311", "0312", "0312", "0412"]);
  // the suburb keeps the Germans out of every Soviet's sight (7.3)
  expect(backs(1).sort()).toEqual(["0315", "0315", "0315", "0414", "0414", "0414"]);
  expect(backs(EVERYTHING)).toEqual([]);
});

test("the north is up and the Volga in the east; victory hexes carry a star", () => {
  const { places } = sceneOf(game, env.state, 0).board;
  const place = (id: string) => places.find((p) => p.id === id)!;
  expect(place("0213").at[1]).toBeLessThan(place("0212").at[1]);
  expect(place("0112").at[0]).toBeGreaterThan(place("0212").at[0]);
  expect(places.flatMap((p) => (p.glyphs ? [p.id] : []))).toEqual(["0311", "0312", "0412"]);
});

test("a mark shows where an attack was ordered", () => {
  const marked = new Env(game);
  marked.resetTo({ ...game.write(env.state), marks: { "0312": ["attack"] } }, "marks");
  const overlays = sceneOf(game, marked.state, 1).overlays.filter((o) => o.kind !== "flags");
  expect(overlays).toEqual([{ kind: "area", look: "battle", title: "to be attacked", places: ["0312"] }]);
});

const MORTAR = { type: "g-mortar", at: "2005", formation: "51K/71ID/191/II" };
const SPOTTER = { type: "g-inf", at: "2009", formation: "51K/71ID/191/II" };
const plotting = (more = {}) =>
  new Table(
    { gm: MORTAR, gn: { ...MORTAR, at: "2105" }, g1: SPOTTER, s1: "s-inf 2010", s2: "s-inf 2011", ...more },
    { phase: 2, stage: "plot-first" },
    { autoSingle: false },
  ).play("hex 2010", "unit gm");
const drawn = ({ env: { game: g, state } }: Table, viewer: number) => sceneOf(g, state, viewer).overlays;

test("a named gun and its spotter have a line to the target, which only their side sees", () => {
  const table = plotting();
  const arrow = { kind: "arrow", side: "german", to: "2010" };
  const own = [
    { ...arrow, from: "2005", look: "fire", title: "gm (spotting 0) at 2010" },
    { ...arrow, from: "2009", look: "sight", title: "g1 for gm spots 2010" },
  ];
  expect(drawn(table, 0)).toEqual(own);
  expect(drawn(table, EVERYTHING)).toEqual(own);
  for (const viewer of [1, SPECTATOR]) expect(drawn(table, viewer)).toEqual([]);
});

test("a plotted mission is public with its points; its table and modifiers are its side's secret (R24)", () => {
  const table = plotting({ go: { type: "g-op", at: "2009", formation: "51K/71ID" } }).play("done", "wbbt");
  const titles = (viewer: number) => drawn(table, viewer).flatMap((o) => (o.kind === "area" ? [o.title] : []));
  const points = (table.env.game.write(table.env.state)["missions"] as unknown as { units: string[] }[])[0]!;
  expect(points.units).toEqual(["gm"]);
  expect(titles(0)[0]).toMatch(/^German bombardment: \d+ points?, bombardment table, column .*\(die .*\)$/);
  expect(drawn(table, 0).filter((o) => o.kind === "arrow")).toHaveLength(2);
  for (const viewer of [1, SPECTATOR]) {
    expect(titles(viewer)[0]).toMatch(/^German bombardment: \d+ points$/);
    expect(drawn(table, viewer).filter((o) => o.kind === "arrow")).toEqual([]);
  }
});

test("attackers point at what they attack", () => {
  const units = { g1: "g-inf 2009", g2: "g-inf 2009", g3: "g-inf 2110", gt: "g-tank 2008", s1: "s-inf 2010" };
  const table = new Table(units, { phase: 5, stage: "attack", marks: { "2010": ["attack"] } }, { autoSingle: false });
  table.play("hex 2010", "unit g1", "unit g2", "unit gt"); // the tank from two hexes away
  expect(drawn(table, 1).filter((o) => o.kind === "arrow")).toEqual([]); // named one by one in secret
  const arrows = drawn(table, 0).filter((o) => o.kind === "arrow");
  expect(arrows).toEqual([
    { kind: "arrow", from: "2009", to: "2010", look: "attack", title: "g1 and g2 against 2010" },
  ]);
});

test("boxes are trays of their counters, face down for the other side", () => {
  const near = { gf: "g-inf 1233", sf: "s-inf 1128" };
  const units = { s1: "s-inf eb-c", s2: "s-how eb-c", s3: "s-inf 0530", g1: "g-inf 1230", ...near };
  const table = new Table(units, { bounds: { cols: [1, 12], rows: [28, 33] } });
  const items = (viewer: number) =>
    sceneOf(table.env.game, table.env.state, viewer)
      .trays.filter((t) => t.id.startsWith("box-"))
      .map((t) => [t.name, t.items.map((i) => (i.kind === "counter" ? (i.unit ?? null) : i.kind))]);
  expect(items(1)).toEqual([["Central Sector (eb-c)", ["s1", "s2"]]]);
  expect(items(0)).toEqual([["Central Sector (eb-c)", [null, null]]]);
});

test("turns are counted from the first of the fight, phases from 1 to 15", () => {
  const { tracks } = sceneOf(game, env.state, 0);
  const now = (id: string) => tracks.find((t) => t.id === id)!.cells.find((c) => c.state === "now")!.label;
  expect(tracks.map((t) => [t.id, t.cells[0]!.label, t.cells.at(-1)!.label])).toEqual([
    ["turns", "2", "3"],
    ["phases", "1", "15"],
  ]);
  expect([now("turns"), now("phases")]).toEqual(["2", "3"]);
});

test("the hex of a unit that is cut off shows the number of its marker to both sides", () => {
  const table = new Table(
    { s1: { type: "s-inf", at: "2010", oos: 2 }, g1: "g-inf 2009" },
    ground({ "2010": "forest" }),
  );
  const { counters } = sceneOf(table.env.game, table.env.state, 1);
  expect(counters.flatMap((c) => (c.states?.includes("isolated") === true ? [c.id] : []))).toEqual(["s1"]);
  for (const viewer of [0, 1, SPECTATOR])
    expect(drawn(table, viewer).filter((o) => o.kind === "area")).toEqual([
      {
        kind: "area",
        look: "pocket",
        title: "cut off from supply, by the number of the marker",
        places: ["2010"],
        numbers: [2],
      },
    ]);
});

describe("what is printed on the map", () => {
  const campaign = loadGame("streets-of-stalingrad", { scenario: "campaign" });
  const tables = new Tables(loadSetting(campaign.type.data, "campaign"), campaign.options);
  const opened = new Env(campaign);
  opened.reset("map");
  const { board } = sceneOf(campaign, opened.state, SPECTATOR);
  const placeAt = (id: string) => board.places.find((p) => p.id === id)!;

  test.each(["road", "rail"] as const)("each side over which a %s goes on is in one way, once (SOS 8.14)", (key) => {
    const { ids, neighbours } = tables.board;
    const links = ids.flatMap((id, h) =>
      [0, 1, 2, 3, 4, 5].flatMap((d) =>
        tables.board.joined(h, d, key) ? [[id, ids[neighbours[h * 6 + d]!]!].sort().join("-")] : [],
      ),
    );
    const drawn = board.ways
      .filter((w) => w.kind === key)
      .flatMap(({ places }) => places.slice(1).map((p, i) => [p, places[i]!].sort().join("-")));
    expect(drawn.length).toBeGreaterThan(150);
    expect(drawn.sort()).toEqual([...new Set(links)].sort());
  });

  test("balkas go over the sides that both hexes name", () => {
    const steps = board.ways.flatMap((w) =>
      w.kind === "balka" ? w.places.slice(1).map((p, i) => [w.places[i]!, p]) : [],
    );
    expect(steps.length).toBeGreaterThan(400);
    for (const step of steps)
      for (const [from, to] of [step, step.toReversed()]) {
        const [a, b] = [tables.board.index(from!), tables.board.index(to!)];
        expect(tables.board.hexes[a]!.balka, from).toContain(String(tables.board.sideTo(a, b)));
      }
  });

  test("the Tartar Wall is one line, and walls and cliffs are in their hexes", () => {
    const ends = (kind: string) =>
      board.lines
        .filter((l) => l.kind === kind)
        .flatMap(({ points }) => [points[0]!, points.at(-1)!].map((p) => p.map((x) => x.toFixed(3)).join()));
    const open = ends("wall").filter((end, _, all) => all.filter((e) => e === end).length === 1);
    expect(ends("wall")).toHaveLength(34);
    expect(open).toHaveLength(2);
    for (const { kind, points } of board.lines) {
      const feature = kind === "wall" ? "Tartar Wall" : "cliff";
      const [x, y] = points.reduce(([a, b], [c, d]) => [a + c / points.length, b + d / points.length], [0, 0]);
      const at = board.places.find((p) => Math.hypot(p.at[0] - x, p.at[1] - y) < 0.5)!;
      expect([at.terrain, ...(at.features ?? [])], at.id).toContain(feature);
    }
  });

  test("hexes name their features; landings, bridges and the airfield have marks", () => {
    expect(placeAt("0652").features).toEqual(["balka", "road", "railroad"]);
    expect(placeAt("0421").glyphs).toEqual([
      { glyph: "star", title: "1 German point" },
      { glyph: "landing", title: "landing 6" },
    ]);
    expect(placeAt("0870").glyphs).toEqual([{ glyph: "bridge", title: "bridge" }]);
    expect(placeAt("2132").glyphs).toEqual([{ glyph: "aircraft", title: "airfield" }]);
    const landings = board.places.flatMap((p) => p.glyphs?.filter((g) => g.glyph === "landing") ?? []);
    expect(landings.map((g) => g.title).sort()).toEqual(
      Array.from({ length: 19 }, (_, i) => `landing ${i + 1}`).sort(),
    );
  });
});
