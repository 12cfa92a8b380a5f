import { counted } from "../../env/core/words.js";
import { type Game, type Prompt, type Scene, sceneOf, type StateView, type Viewer } from "../../env/index.js";
import { rangeNote, ranges } from "./lists.js";
import { placeName, sideName, terrainName } from "./names.js";

type Place = Scene["board"]["places"][number];

/** Clockwise from north. */
const DIRECTIONS = ["N", "NE", "SE", "S", "SW", "NW"] as const;

/**
 * A hex board without counters: how hexes touch, terrain, what is printed on hexes, lines between them.
 *
 * @param short without terrain, which a text about a very large board gives near what it is about (`nearLines`)
 */
export function hexLines(game: Game, scene: Scene, short = false): string[] {
  const { board } = scene;
  const bySide = new Map<string, string[]>();
  for (const h of board.hexsides) bySide.set(h.kind, [...(bySide.get(h.kind) ?? []), h.between.join("/")]);
  const lines = [
    ...(short ? [`Hexes: ${columnRanges(board.places.map((p) => p.id))}`] : terrainLines(board.places)),
    ...printedLines(board.places),
    ...[...bySide].map(([kind, pairs]) => `${kind} between: ${pairs.join(" ")}`),
    ...(short ? [] : [...featureLines(board), ...wayLines(board)]),
    ...board.zones.map((z) => `${z.name}: ${ranges(z.places).join(" ")}`),
  ];
  return [touchLine(game, board.places), rangeNote(lines), ...lines].filter((line) => line !== null);
}

/** Hexes by what they have beside their terrain, but for what is there by a way, such as a road. */
function featureLines({ places, ways }: Scene["board"]): string[] {
  const byFeature = new Map<string, string[]>();
  for (const p of places) for (const f of p.features ?? []) byFeature.set(f, [...(byFeature.get(f) ?? []), p.id]);
  const led = [...new Set(ways.map(({ kind }) => kind))].map(
    (kind) => new Set(ways.flatMap((w) => (w.kind === kind ? w.places : []))),
  );
  return [...byFeature]
    .filter(([, ids]) => !led.some((way) => ids.every((id) => way.has(id))))
    .map(([feature, ids]) => `${feature}: ${ranges(ids).join(" ")}`);
}

/** Roads and the like, from hex to hex. */
function wayLines({ ways }: Scene["board"]): string[] {
  const byKind = new Map<string, string[]>();
  for (const { kind, places } of ways) byKind.set(kind, [...(byKind.get(kind) ?? []), ranges(places).join("-")]);
  return [...byKind].map(([kind, ways]) => `${kind}: ${ways.join(" ")}`);
}

/** Hexes by terrain: of the commonest only how far the columns go. */
function terrainLines(places: readonly Place[]): string[] {
  const byTerrain = new Map<string, string[]>();
  for (const p of places) byTerrain.set(terrainName(p), [...(byTerrain.get(terrainName(p)) ?? []), p.id]);
  const lines = [...byTerrain].map(([terrain, ids]) => [terrain, ranges(ids).join(" ")] as const);
  const all = ranges(places.map((p) => p.id)).join(" ");
  const longest = lines.reduce((a, b) => (b[1].length > a[1].length ? b : a));
  if (longest[1].length <= all.length) return lines.map(([terrain, ids]) => `${terrain}: ${ids}`);
  return [
    `Hexes: ${all}`,
    ...lines.flatMap(([terrain, ids]) => (terrain === longest[0] ? [] : [`${terrain}: ${ids}`])),
    `${longest[0]}: all others`,
  ];
}

/** Hexes as ranges, columns with the same rows together: `0101..0114 and 0201..0279 to 4001..4079`. */
function columnRanges(ids: readonly string[]): string {
  const columns = new Map<string, string[]>();
  for (const id of ids.filter(isHex)) columns.set(id.slice(0, 2), [...(columns.get(id.slice(0, 2)) ?? []), id]);
  const runs: { first: string; last: string; rows: string }[] = [];
  for (const list of columns.values()) {
    const text = ranges(list).join(" ");
    const rows = list.map((id) => id.slice(2)).join(" ");
    const run = runs.at(-1);
    if (run?.rows === rows) run.last = text;
    else runs.push({ first: text, last: text, rows });
  }
  const hexes = runs.map(({ first, last }) => (first === last ? first : `${first} to ${last}`));
  return [...hexes, ...ids.filter((id) => !isHex(id))].join(", ");
}

/** Names, values and marks, hexes with the same in one line. */
function printedLines(places: readonly Place[]): string[] {
  const byFacts = new Map<string, string[]>();
  for (const p of places) {
    const facts = [...(p.values ?? []).map((v) => `${v.name} ${v.value}`), ...(p.glyphs ?? []).map((g) => g.title)];
    const name = placeName(p.id, p.name);
    if (name === p.id && facts.length === 0) continue;
    const key = facts.join(", ");
    byFacts.set(key, [...(byFacts.get(key) ?? []), name]);
  }
  return [...byFacts].map(([facts, names]) =>
    facts === "" ? names.join(", ") : `${facts}: ${ranges(names).join(", ")}`,
  );
}

/**
 * How the neighbours of a hex follow from its number, and in which direction they are; null where they don't follow.
 */
function touchLine(game: Game, places: readonly Place[]): string | null {
  const rows = game.observation.mapRows;
  const low = (["odd", "even"] as const).find((parity) =>
    rows.every((id, row) => !isHex(id) || game.statics.neighbours[row]!.every((n) => touches(id, rows[n]!, parity))),
  );
  const hexes = new Map(places.filter((p) => isHex(p.id)).map((p) => [Number(p.id), p]));
  const step = (by: number): readonly [number, number] | null => {
    for (const [number, { at }] of hexes) {
      const next = hexes.get(number + by)?.at;
      if (next !== undefined) return [next[0] - at[0], next[1] - at[1]];
    }
    return null;
  };
  const [down, across] = [step(1), step(100)];
  if (low === undefined || down === null || across === null) return null;
  const high = low === "odd" ? "even" : "odd";
  return (
    `A hex is CCRR: columns CC count to the ${across[0] > 0 ? "east" : "west"}, rows RR to the ${down[1] > 0 ? "south" : "north"}. ` +
    "A hex touches RR-1 and RR+1 in its column. " +
    `In the columns CC-1 and CC+1 it touches RR and RR+1 where CC is ${low}, RR-1 and RR where CC is ${high}.`
  );
}

const isHex = (id: string): boolean => /^\d{4}$/.test(id);

/**
 * True when `a` would touch `b` if columns of this parity were half a hex lower. A place that is no hex is never in the
 * way.
 */
function touches(a: string, b: string, low: "odd" | "even"): boolean {
  if (!isHex(b)) return true;
  const column = Number(a.slice(0, 2));
  const across = Number(b.slice(0, 2)) - column;
  const down = Number(b.slice(2)) - Number(a.slice(2));
  const lower = (column % 2 === 1) === (low === "odd") ? 1 : 0;
  return across === 0 ? Math.abs(down) === 1 : Math.abs(across) === 1 && (down === lower || down === lower - 1);
}

/**
 * The hexes around the unit that a decision sends somewhere, with their ground and who is there; what it costs to go
 * there is said by the choices. Null on other boards, and where no choice is about one of these hexes.
 */
export function aroundLine(game: Game, s: StateView, viewer: Viewer, prompt: Prompt): string | null {
  const [unit] = prompt.units;
  if (unit === undefined || prompt.choices.every((c) => c.places.length === 0)) return null;
  const scene = sceneOf(game, s, viewer);
  const { board, counters } = scene;
  const at = counters.find((c) => c.unit === unit)?.place;
  const here = board.places.find((p) => p.id === at);
  if (board.kind !== "hexes" || here === undefined) return null;
  const around = board.places
    .flatMap((p) => {
      const direction = directionOf(here, p);
      return direction === null ? [] : [{ p, direction }];
    })
    .sort((a, b) => a.direction - b.direction);
  if (!prompt.choices.some((c) => c.places.some((id) => around.some(({ p }) => p.id === id)))) return null;
  const neighbours = around.map(({ p, direction }) => {
    const facts = [terrainName(p), ...(p.features ?? []), ...present(scene, p.id)].join(", ");
    return `${DIRECTIONS[direction]!} ${placeName(p.id, p.name)} (${facts})`;
  });
  return `Around ${here.id}: ${neighbours.join("; ")}.`;
}

/** Direction of a neighbour, counted clockwise from north; null for any other place. */
function directionOf(from: Place, to: Place): number | null {
  const [x, y] = [to.at[0] - from.at[0], to.at[1] - from.at[1]];
  if (to.id === from.id || Math.hypot(x, y) > 1.1) return null;
  return Math.round((Math.atan2(x, -y) / Math.PI) * 3 + 6) % 6;
}

/** Counters at a place, by side. */
function present(scene: Scene, place: string): string[] {
  const bySide = new Map<string, number>();
  for (const c of scene.counters)
    if (c.place === place) {
      const side = c.side === undefined ? "other" : sideName(scene, c.side);
      bySide.set(side, (bySide.get(side) ?? 0) + (c.count ?? 1));
    }
  return [...bySide].map(([side, n]) => counted(n, `${side} counter`));
}
