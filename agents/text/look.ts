import { counted } from "../../env/core/words.js";
import { type Counter, type Game, type Scene, sceneOf, type StateView, type Viewer } from "../../env/index.js";
import { sideName, terrainName } from "./names.js";
import { wrap } from "./sentences.js";

/** Everything at one place, or at all places that hold something: terrain, ways on, counters with their values. */
export function lookText(game: Game, s: StateView, viewer: Viewer, wanted: string, width: number): string {
  const scene = sceneOf(game, s, viewer);
  const { places } = scene.board;
  if (wanted === "") {
    const filled = places.filter((p) => scene.counters.some((c) => c.place === p.id));
    return [...filled.map((p) => placeText(game, scene, p.id, width)), ...traysText(scene, width)].join("\n");
  }
  const lower = wanted.toLowerCase();
  const place =
    places.find((p) => p.id.toLowerCase() === lower) ?? places.find((p) => p.name.toLowerCase().includes(lower));
  if (place !== undefined) return placeText(game, scene, place.id, width);
  const counter = scene.counters.find((c) => c.unit?.toLowerCase() === lower);
  if (counter?.place !== undefined) return placeText(game, scene, counter.place, width);
  return `No place or unit is called ${JSON.stringify(wanted)}; places are ${places
    .slice(0, 6)
    .map((p) => p.id)
    .join(", ")}${places.length > 6 ? " and so on" : ""}.`;
}

function placeText(game: Game, scene: Scene, id: string, width: number): string {
  const place = scene.board.places.find((p) => p.id === id)!;
  const control = scene.overlays.find((o) => o.kind === "control" && o.places.includes(id));
  const holder = control?.kind === "control" ? sideName(scene, control.side) : null;
  const facts = [
    ...(place.terrain === "box" ? [] : [terrainName(place)]),
    ...(place.stars === undefined || place.stars === 0 ? [] : [starsText(place.stars)]),
    ...(place.values ?? []).map((v) => `${v.name} ${v.value}`),
    ...(place.glyphs ?? []).map((g) => g.title),
    ...(place.features ?? waysThrough(scene, id)),
    ...scene.board.zones.filter((z) => z.places.includes(id)).map((z) => z.name),
    ...(holder === null ? [] : [`held by ${holder}`]),
  ];
  const name = place.name === "" || place.name === id ? id : `${id} ${place.name}`;
  const head = `${name}${facts.length === 0 ? "" : `: ${facts.join(", ")}`}. Next to ${neighboursOf(game, scene, id)}.`;
  // alike ones count as one line
  const alike = new Map<string, number>();
  for (const c of scene.counters.filter((x) => x.place === id)) {
    const text = counterText(c);
    alike.set(text, (alike.get(text) ?? 0) + (c.count ?? 1));
  }
  const counters = [...alike].map(([text, n]) => wrap(`    ${n === 1 ? "" : `${n} x `}${text}`, width, "      "));
  const about = place.about === undefined ? [] : [wrap(`    ${place.about}`, width, "      ")];
  return [wrap(head, width, "  "), ...about, ...counters].join("\n");
}

/** Ways that lead through a place, by kind. */
const waysThrough = (scene: Scene, id: string): string[] => [
  ...new Set(scene.board.ways.filter((w) => w.places.includes(id)).map((w) => w.kind)),
];

function neighboursOf(game: Game, scene: Scene, id: string): string {
  const rows = game.observation.mapRows;
  const near = (game.statics.neighbours[rows.indexOf(id)] ?? []).map((n) => {
    const other = rows[n]!;
    const link = scene.board.links.find((l) => (l.from === id && l.to === other) || (l.to === id && l.from === other));
    const sides = scene.board.hexsides.filter(({ between }) => between.includes(id) && between.includes(other));
    const by = [...(link?.by === undefined ? [] : [link.by]), ...new Set(sides.map((h) => h.kind))];
    return by.length === 0 ? other : `${other} (${by.join(", ")})`;
  });
  return near.length === 0 ? "nothing" : near.join(", ");
}

export const starsText = (stars: number): string => counted(stars, "star");

/** `I/194, German unit: combat value 3, movement points 6 (moved)`. What the title says already is not said again. */
export function counterText(c: Counter): string {
  const values = [
    ...(c.values ?? []).filter((v) => !c.title.includes(v.name)).map((v) => `${v.name} ${v.value}`),
    ...(c.steps === undefined || c.title.includes("steps") ? [] : [`${c.steps.left} of ${c.steps.of} steps`]),
  ];
  const states = c.states ?? [];
  return `${c.title}${values.length === 0 ? "" : `: ${values.join(", ")}`}${states.length === 0 ? "" : ` (${states.join(", ")})`}`;
}

/** Formations, such as `51K/94ID` and `51K`. */
const FORMATION = /\/|^\d+\p{Lu}+$/u;

/**
 * The same in few words, for boards with very many counters: `infantry 5-4-8 (moved)`. Formations are left out, and
 * names that the unit's own name holds; values have no names, and those of counters that don't fight are left out.
 */
export function briefText(c: Counter): string {
  const title = c.title
    .split(", ")
    .filter((part) => !FORMATION.test(part) && c.unit?.endsWith(`-${part}`) !== true)
    .join(", ");
  const fights = c.values?.some((v, i) => i < c.values!.length - 1 && Number(v.value) > 0) === true;
  const values = fights ? c.values!.filter((v) => !c.title.includes(v.name)).map((v) => v.value) : [];
  const states = (c.states ?? []).filter((state) => state !== "active"); // the question names them
  return `${title}${values.length === 0 ? "" : ` ${values.join("-")}`}${states.length === 0 ? "" : ` (${states.join(", ")})`}`;
}

/** What is beside the map: a line a tray. */
function traysText(scene: Scene, width: number): string[] {
  return scene.trays
    .filter((t) => t.look !== "place" && t.items.length > 0)
    .map((t) => {
      const items = t.items.map((i) =>
        i.kind === "count"
          ? `${i.name} ${i.value}${i.of === undefined ? "" : ` of ${i.of}`}`
          : i.kind === "die"
            ? `${i.name ?? "die"} ${i.face ?? "-"}`
            : i.kind === "card"
              ? i.name
              : (i.name ?? i.title),
      );
      return wrap(`${t.name}: ${items.join(", ")}`, width, "  ");
    });
}
