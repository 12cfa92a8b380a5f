import {
  type Counter,
  type Game,
  type Scene,
  sceneOf,
  type StateView,
  type TrayItem,
  type Viewer,
} from "../../env/index.js";
import { counterText, starsText } from "./look.js";

/** A situation as lines, each under a key of its own: a place, a tray, a track. Equal lines need not be told again. */
export type SituationLines = ReadonlyMap<string, string>;

/** All that `viewer` sees of the board but for what never changes, which `mapLines` tells. */
export function situationLines(game: Game, s: StateView, viewer: Viewer): SituationLines {
  const scene = sceneOf(game, s, viewer);
  const lines = new Map<string, string>();
  for (const t of scene.tracks) lines.set(`track ${t.id}`, trackLine(t));
  for (const o of scene.overlays) {
    if (o.kind === "control") lines.set(`control ${o.side}`, `Held by ${sideName(scene, o.side)}: ${listed(o.places)}`);
    if (o.kind === "area" && o.look !== "reach" && o.places.length > 0) {
      const text = o.places.map((p, i) => (o.numbers === undefined ? p : `${p} (${o.numbers[i]})`));
      lines.set(`area ${o.title}`, `${o.title}: ${listed(text)}`);
    }
    if (o.kind === "arrow") lines.set(`arrow ${o.title} ${o.from} ${o.to}`, `${o.title}: ${o.from} to ${o.to}`);
  }
  const byPlace = new Map<string, Counter[]>();
  for (const c of scene.counters) {
    const list = byPlace.get(c.place!) ?? [];
    if (list.push(c) === 1) byPlace.set(c.place!, list);
  }
  for (const { id, name } of scene.board.places) {
    const counters = byPlace.get(id);
    if (counters !== undefined) lines.set(`place ${id}`, `${placeName(id, name)}: ${counterList(scene, counters)}`);
  }
  for (const t of scene.trays)
    if (t.items.length > 0) lines.set(`tray ${t.id}`, `${t.name}: ${listed(t.items.map(itemText))}`);
  if (scene.text !== undefined) lines.set("text", scene.text);
  return lines;
}

/** All lines, places where the same lies in one line: `1801, 2003: each face-down German marker`. */
export function wholeLines(lines: SituationLines): string[] {
  const alike = new Map<string, string[]>();
  const parts = [...lines].map(([key, line]) => {
    const at = key.startsWith("place ") ? line.indexOf(": ") : -1;
    const [name, text] = [line.slice(0, at), line.slice(at + 2)];
    if (at >= 0) alike.set(text, [...(alike.get(text) ?? []), name]);
    return at < 0 ? { line } : { line, name, text };
  });
  return parts.flatMap(({ line, name, text }) => {
    const names = text === undefined ? [] : alike.get(text)!;
    if (names.length < 2) return [line];
    return names[0] === name ? [`${names.join(", ")}: each ${text}`] : [];
  });
}

/** What is new in `after`, and what is gone. */
export function changedLines(before: SituationLines, after: SituationLines): string[] {
  const changed = [...after].filter(([key, line]) => before.get(key) !== line).map(([, line]) => line);
  const gone = [...before.keys()].filter((key) => !after.has(key)).map(goneLine);
  return [...changed, ...gone];
}

function goneLine(key: string): string {
  const [kind, ...rest] = key.split(" ");
  if (kind === "arrow") {
    const [from, to] = rest.splice(-2);
    return `${rest.join(" ")}: no longer ${from} to ${to}`;
  }
  const name = rest.join(" ");
  return kind === "place" ? `${name}: nothing any more` : `${name}: none any more`;
}

/** The board without counters: places with terrain, ways between them, what each is worth. */
export function mapLines(game: Game, s: StateView, viewer: Viewer): string[] {
  const scene = sceneOf(game, s, viewer);
  return scene.board.kind === "hexes" ? hexLines(scene) : areaLines(game, scene);
}

/** Hexes by terrain: their numbers tell where they lie. */
function hexLines(scene: Scene): string[] {
  const { board } = scene;
  const byTerrain = new Map<string, string[]>();
  for (const p of board.places) byTerrain.set(p.terrain, [...(byTerrain.get(p.terrain) ?? []), p.id]);
  const named = board.places.flatMap((p) => {
    const facts = [...(p.values ?? []).map((v) => `${v.name} ${v.value}`), ...(p.glyphs ?? []).map((g) => g.title)];
    const name = p.name === p.id ? "" : p.name;
    return name === "" && facts.length === 0
      ? []
      : [`${placeName(p.id, name)}${facts.length === 0 ? "" : `: ${facts.join(", ")}`}`];
  });
  const bySide = new Map<string, string[]>();
  for (const h of board.hexsides) bySide.set(h.kind, [...(bySide.get(h.kind) ?? []), h.between.join("/")]);
  return [
    ...[...byTerrain].map(([terrain, ids]) => `${terrain}: ${ids.join(" ")}`),
    ...named,
    ...[...bySide].map(([kind, pairs]) => `${kind} between: ${pairs.join(" ")}`),
    ...board.ways.map((w) => `${w.kind}: ${w.places.join("-")}`),
    ...board.zones.map((z) => `${z.name}: ${z.places.join(" ")}`),
  ];
}

function areaLines(game: Game, scene: Scene): string[] {
  const { board } = scene;
  const rows = game.observation.mapRows;
  const places = board.places.map((p) => {
    const facts = [
      ...(p.terrain === "box" ? [] : [p.terrain]),
      ...(p.stars === undefined || p.stars === 0 ? [] : [starsText(p.stars)]),
      ...(p.values ?? []).map((v) => `${v.name} ${v.value}`),
      ...(p.glyphs ?? []).map((g) => g.title),
    ];
    const near = (game.statics.neighbours[rows.indexOf(p.id)] ?? []).map((n) => {
      const by = board.links.find(
        (l) => (l.from === p.id && l.to === rows[n]) || (l.to === p.id && l.from === rows[n]),
      )?.by;
      return by === undefined ? rows[n]! : `${rows[n]} (${by})`;
    });
    const to = near.length === 0 ? "" : `; to ${near.join(", ")}`;
    return `${placeName(p.id, p.name)}: ${facts.join(", ")}${to}${p.about === undefined ? "" : `. ${p.about}`}`;
  });
  return [...places, ...board.zones.map((z) => `${z.name}: ${z.places.join(" ")}`)];
}

/** Equal counters once, with their number, their side and the names that actions give them. */
function counterList(scene: Scene, counters: readonly Counter[]): string {
  const alike = new Map<string, { n: number; units: string[] }>();
  for (const c of counters) {
    const side = c.side === undefined ? "" : sideName(scene, c.side);
    const words = counterText(c);
    const text = side === "" || words.toLowerCase().includes(side.toLowerCase()) ? words : `${side} ${words}`;
    const group = alike.get(text) ?? { n: 0, units: [] };
    group.n += c.count ?? 1;
    if (c.unit !== undefined && !c.title.includes(c.unit)) group.units.push(c.unit);
    alike.set(text, group);
  }
  return [...alike]
    .map(([text, { n, units }]) => {
      const names = units.length === 0 ? "" : ` [${units.join(", ")}]`;
      return `${n === 1 ? "" : `${n} x `}${text}${names}`;
    })
    .join("; ");
}

function trackLine(t: Scene["tracks"][number]): string {
  const at = t.cells.findIndex((c) => c.state === "now");
  const now = t.cells[at];
  const waiting = t.cells.flatMap((c, i) =>
    c.state !== "past" && i !== at && c.count !== undefined && c.count > 0 ? [`${c.label} has ${c.count}`] : [],
  );
  const here = now === undefined ? "-" : `${now.label}${now.note === undefined ? "" : ` (${now.note})`}`;
  const of = t.cells.length > 1 ? `, ${at + 1} of ${t.cells.length}` : "";
  return `${t.name}: ${here}${of}${waiting.length === 0 ? "" : `; ${waiting.join(", ")}`}`;
}

function itemText(i: TrayItem): string {
  if (i.kind === "count") return `${i.name} ${i.value}${i.of === undefined ? "" : ` of ${i.of}`}`;
  if (i.kind === "die") return `${i.name ?? "die"} ${i.face ?? "-"}`;
  if (i.kind === "card") return i.name;
  return `${i.count === undefined || i.count === 1 ? "" : `${i.count} x `}${i.name ?? i.title}`;
}

const placeName = (id: string, name: string): string => (name === "" || name === id ? id : `${id} ${name}`);
const sideName = (scene: Scene, id: string): string => scene.sides.find((side) => side.id === id)?.name ?? id;
const listed = (items: readonly string[]): string => (items.length === 0 ? "nothing" : items.join(", "));
