import {
  type Counter,
  type Game,
  type Scene,
  sceneOf,
  type StateView,
  type TrayItem,
  type Viewer,
} from "../../env/index.js";
import { hexLines } from "./hexes.js";
import { beyond, endings, listChange, ranges } from "./lists.js";
import { briefText, counterText, starsText } from "./look.js";
import { placeName, sideName, terrainName } from "./names.js";
import { roughTokens } from "./tokens.js";

/** A line, and what it lists if it is a list, or the counters of a place. */
interface Line {
  readonly text: string;
  /**
   * What of it counts as a change: what follows from other lines, or was reported, is shown with the whole board only.
   * Absent: all.
   */
  readonly gist?: string;
  readonly list?: { readonly head: string; readonly items: readonly string[] };
  readonly counters?: { readonly head: string; readonly items: readonly CounterItem[] };
  /** Of a place with one counter on a board of very many: place and unit, and the rest of its text. */
  readonly single?: { readonly name: string; readonly text: string };
}

/** A situation as lines, each under a key of its own: a place, a tray, a track. Equal lines need not be shown again. */
export type SituationLines = ReadonlyMap<string, Line>;

/** Counters on a board beyond which each is described in few words. */
const MANY = 120;
/** There, items of a tray beyond which they are counted. */
const MANY_IN_TRAY = 12;

/** All that `viewer` sees of the board but for what never changes, which `mapLines` gives. */
export function situationLines(game: Game, s: StateView, viewer: Viewer): SituationLines {
  const scene = sceneOf(game, s, viewer);
  const brief = scene.counters.length > MANY;
  const lines = new Map<string, Line>();
  const listing = (key: string, head: string, items: readonly string[]): void => {
    lines.set(key, { text: `${head}: ${listed(ranges(items))}`, list: { head, items } });
  };
  for (const t of scene.tracks) {
    lines.set(`track ${t.id}`, { text: trackLine(scene, t) });
    const waiting = waitingOn(t);
    // each that joins them was reported, and a tray has their names
    if (waiting.length > 0)
      lines.set(`waiting ${t.id}`, {
        text: `Counters waiting on the ${t.name} track: ${waiting.join(", ")}`,
        gist: "",
      });
  }
  for (const o of scene.overlays) {
    if (o.kind === "control") listing(`control ${o.side}`, `Held by ${sideName(scene, o.side)}`, o.places);
    if (
      o.kind === "area" &&
      o.look !== "reach" &&
      o.places.length > 0 &&
      !(o.look === "battle" && o.places.length === 1 && battleIn(scene, o.places[0]!))
    ) {
      const items = o.places.map((p, i) => (o.numbers === undefined ? p : `${p} (${o.numbers[i]})`));
      listing(`area ${o.title}`, o.title, items);
    }
    if (o.kind === "arrow") {
      const line = { text: `${o.title}: ${o.from} to ${o.to}` };
      const isReported = o.look === "attack" && battleIn(scene, o.to);
      lines.set(`arrow ${o.title} ${o.from} ${o.to}`, isReported ? { ...line, gist: "" } : line);
    }
  }
  const byPlace = new Map<string, Counter[]>();
  for (const c of scene.counters) {
    const list = byPlace.get(c.place!) ?? [];
    if (list.push(c) === 1) byPlace.set(c.place!, list);
  }
  for (const { id, name } of scene.board.places) {
    const counters = byPlace.get(id);
    if (counters === undefined) continue;
    const head = placeName(id, name);
    const items = counters.map((c) => counterItem(scene, c, brief));
    const gist = counterList(items.map((item) => ({ ...item, text: item.gist })));
    const [{ text, unit }] = items as [CounterItem];
    const single =
      brief && items.length === 1 && unit !== undefined ? { single: { name: `${head} ${unit}`, text } } : {};
    lines.set(`place ${id}`, { text: `${head}: ${counterList(items)}`, gist, counters: { head, items }, ...single });
  }
  for (const t of scene.trays.filter((tray) => tray.look !== "place")) {
    if (brief && t.items.length > MANY_IN_TRAY)
      lines.set(`tray ${t.id}`, { text: `${t.name}: ${t.items.length} counters` });
    else if (t.items.length > 0) listing(`tray ${t.id}`, t.name, t.items.map(itemText));
  }
  if (scene.text !== undefined) lines.set("text", { text: scene.text });
  const values = scene.counters.find((c) => (c.values?.length ?? 0) > 1)?.values;
  if (brief && values !== undefined)
    lines.set("values", {
      text: `Numbers of counters are ${values.map((v) => v.name).join("-")}; G-1, -2 is G-1 and G-2`,
    });
  return lines;
}

/** True when a tray says that a battle is at a place. */
const battleIn = ({ trays }: Scene, place: string): boolean =>
  trays.some((t) => t.look === "battle" && t.items.length > 0 && t.name.split(/[ ,]/).includes(place));

/** All lines; places with the same contents share one: `1801, 2003: each face-down German marker`. */
export const wholeLines = (lines: SituationLines): string[] =>
  alikeTogether([...lines].map(([key, { text, single }]) => ({ text, isPlace: key.startsWith("place "), single })));

/** Lines in order, those of places that say the same as one. */
function alikeTogether(
  lines: readonly { readonly text: string; readonly isPlace: boolean; readonly single?: Line["single"] }[],
): string[] {
  const alike = new Map<string, string[]>();
  const parts = lines.map(({ text: line, isPlace, single }) => {
    const at = isPlace ? line.indexOf(": ") : -1;
    const { name, text } = single ?? { name: line.slice(0, at), text: line.slice(at + 2) };
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
  const known = unitsIn(before);
  const changed = [...after].flatMap(([key, line]) => {
    const old = before.get(key);
    if (line.gist === "" || (old !== undefined && (old.gist ?? old.text) === (line.gist ?? line.text))) return [];
    return [
      {
        text: old === undefined ? inShort(line, known) : changedLine(old, line, known),
        isPlace: key.startsWith("place "),
      },
    ];
  });
  const gone = [...before].filter(([key, line]) => !after.has(key) && line.gist !== "");
  const places = gone.filter(([key]) => key.startsWith("place "));
  return [
    ...new Set([
      ...alikeTogether(changed),
      ...alikeTogether(
        places.map(([key, { counters }]) => ({
          text: `${counters?.head ?? key.slice("place ".length)}: nothing any more`,
          isPlace: true,
        })),
      ),
      ...goneLines(gone),
    ]),
  ];
}

/** What has changed in a list or at a place, where that is shorter than the whole line. */
function changedLine(old: Line, line: Line, known: Known): string {
  const [a, b] = [old.list, line.list];
  const parts =
    a !== undefined && b !== undefined && a.head === b.head
      ? listChange(a.items, b.items)
      : old.counters !== undefined && line.counters !== undefined
        ? counterChange(old.counters.items, line.counters.items, known)
        : null;
  const short = inShort(line, known);
  const text = `${(b ?? line.counters)?.head ?? ""}: ${parts ?? ""}`;
  if (parts === null || text.length >= line.text.length) return short;
  // who has left is not left for the reader to find out
  return text.length < short.length || parts.includes("no longer ") ? text : short;
}

/** What units on the board were called and what was said of them, by name. */
type Known = ReadonlyMap<string, string>;

function unitsIn(lines: SituationLines): Known {
  const all = [...lines.values()].flatMap(({ counters }) => counters?.items ?? []);
  return new Map(all.flatMap(({ unit, text }) => (unit === undefined ? [] : [[unit, text] as const])));
}

/** The counters of a place, of units that were described before only what has changed. */
const inShort = ({ text, counters }: Line, known: Known): string =>
  counters === undefined ? text : `${counters.head}: ${knownList(counters.items, known)}`;

function knownList(items: readonly CounterItem[], known: Known): string {
  const short = new Map<string, string[]>();
  const others: CounterItem[] = [];
  for (const item of items) {
    const rest = item.unit === undefined ? null : changeOf(known.get(item.unit), item.text);
    if (rest === null) others.push(item);
    else short.set(rest, [...(short.get(rest) ?? []), item.unit!]);
  }
  return [
    ...[...short].map(
      ([rest, units]) =>
        `[${units.join(", ")}]${rest === "" ? "" : units.length > 1 && rest.startsWith(":") ? `: each${rest.slice(1)}` : rest}`,
    ),
    ...(others.length > 0 ? [counterList(others)] : []),
  ].join("; ");
}

/** What of a unit's text differs from an earlier one: its state, or all but its title; null where the title does. */
function changeOf(before: string | undefined, now: string): string | null {
  const [a, b] = [PARTS.exec(before ?? ""), PARTS.exec(now)];
  if (a === null || b === null || a[1] !== b[1]) return null;
  return `${a[2] === b[2] ? "" : (b[2] ?? "")}${b[3] ?? ""}`;
}

/** `German infantry, 191/I: attack 5, defence 4 (moved)`: title, values, state. */
const PARTS = /^([^:()]+)(: [^()]+?)?( \([^()]*\))?$/;

/** What is no longer there, but for places. */
function goneLines(gone: readonly (readonly [string, Line])[]): string[] {
  const names: string[] = [];
  const whole: string[] = [];
  for (const [key, { list }] of gone) {
    const [kind, ...rest] = key.split(" ");
    if (kind === "place") continue;
    if (kind === "arrow") {
      const [from, to] = rest.splice(-2);
      names.push(`${rest.join(" ")} from ${from} to ${to}`);
      continue;
    }
    const name = list?.head ?? rest.join(" ");
    // one whose name says something is not left half true: `Combat in 4: German side wins: none any more`
    if (kind === "tray" && name.includes(": ")) whole.push(`No longer on the board: ${name}`);
    else names.push(name);
  }
  const [one] = names;
  const together = names.length > 1 ? [`None any more: ${names.join("; ")}`] : [`${one}: none any more`];
  return [...(one === undefined ? [] : together), ...whole];
}

/** Tokens of a map beyond which a text has its terrain near what it is about only. */
const MOST_MAP = 1000;

/**
 * The board without counters, where a text has room for it. That of a very large board lacks the terrain of each hex,
 * which `nearLines` gives.
 */
export function openingMap(
  game: Game,
  s: StateView,
  viewer: Viewer,
): { readonly lines: string[]; readonly whole: boolean } {
  const lines = mapLines(game, s, viewer);
  const scene = sceneOf(game, s, viewer);
  if (scene.board.kind !== "hexes" || roughTokens(lines.join("\n")) <= MOST_MAP) return { lines, whole: true };
  return {
    lines: [
      ...hexLines(game, scene, true),
      "A decision has the ground near what it is about, as far as there is room.",
    ],
    whole: false,
  };
}

/** The board without counters: places with terrain, ways between them, what each is worth. */
export function mapLines(game: Game, s: StateView, viewer: Viewer): string[] {
  const scene = sceneOf(game, s, viewer);
  return scene.board.kind === "hexes" ? hexLines(game, scene) : areaLines(game, scene);
}

function areaLines(game: Game, scene: Scene): string[] {
  const { board } = scene;
  const rows = game.observation.mapRows;
  const places = board.places.map((p) => {
    const facts = [
      ...(p.terrain === "box" ? [] : [terrainName(p)]),
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
    const parts = [facts.join(", "), near.length === 0 ? "" : `to ${near.join(", ")}`].filter((part) => part !== "");
    return `${placeName(p.id, p.name)}: ${parts.join("; ")}${p.about === undefined ? "" : `. ${p.about}`}`;
  });
  return [...places, ...board.zones.map((z) => `${z.name}: ${z.places.join(" ")}`)];
}

/** A counter as a list of counters says it. */
interface CounterItem {
  /** Without the unit's name where the title begins with it. */
  readonly text: string;
  /** Of a counter face down, without what it can't be. */
  readonly gist: string;
  /** What actions call it, where the text doesn't. */
  readonly unit: string | undefined;
  /** True when the title begins with the unit's name. */
  readonly named: boolean;
  /** On a board of very many. */
  readonly brief?: boolean;
  readonly count: number;
}

function counterItem(scene: Scene, c: Counter, brief: boolean): CounterItem {
  const side = c.side === undefined ? "" : sideName(scene, c.side);
  const words = brief ? briefText(c) : counterText(c);
  const name = c.unit === undefined ? null : `${c.unit}, `;
  const named = name !== null && words.startsWith(name);
  const rest = named ? words.slice(name.length) : words;
  const text = side === "" || rest.toLowerCase().includes(side.toLowerCase()) ? rest : `${side} ${rest}`;
  return {
    text,
    gist: c.back === undefined ? text : text.split("; ")[0]!,
    unit: named || c.unit === undefined || !c.title.includes(c.unit) ? c.unit : undefined,
    named,
    brief,
    count: c.count ?? 1,
  };
}

/** Equal counters once, with their number and the names that actions give them. */
function counterList(counters: readonly CounterItem[]): string {
  const alike = new Map<string, CounterItem[]>();
  for (const item of counters) {
    const key = `${item.named} ${item.text}`;
    alike.set(key, [...(alike.get(key) ?? []), item]);
  }
  return [...alike.values()]
    .map((items) => {
      const { text, named } = items[0]!;
      const units = items.flatMap(({ unit }) => (unit === undefined ? [] : [unit]));
      if (named) return units.length === 1 ? `${units[0]!}, ${text}` : `${units.join(", ")}: each ${text}`;
      const n = items.reduce((sum, item) => sum + item.count, 0);
      const names = items[0]!.brief === true ? endings(units) : units;
      return `${n === 1 ? "" : `${n} x `}${text}${units.length === 0 ? "" : ` [${names.join(", ")}]`}`;
    })
    .join("; ");
}

/** What has changed at a place, what has come, and what has left it. */
function counterChange(before: readonly CounterItem[], after: readonly CounterItem[], known: Known): string {
  const key = (item: CounterItem): string => `${item.unit} ${item.count} ${item.gist}`;
  const come = beyond(after, before, key);
  const gone = beyond(before, after, key);
  const [names, old] = [new Set(come.map(nameOf)), new Set(gone.map(nameOf))];
  const changed = come.filter((item) => old.has(nameOf(item)));
  const fresh = come.filter((item) => !old.has(nameOf(item)));
  const left = gone.filter((item) => !names.has(nameOf(item)));
  const leftNames = left.flatMap(({ unit }) => (unit === undefined ? [] : [unit]));
  const leftOthers = left.filter(({ unit }) => unit === undefined);
  return [
    ...(changed.length > 0 ? [`now ${knownList(changed, known)}`] : []),
    ...(fresh.length > 0 ? [`now also ${knownList(fresh, known)}`] : []),
    ...(left.length > 0
      ? [
          `no longer ${[...leftNames, ...(leftOthers.length > 0 ? [counterList(leftOthers.map((item) => ({ ...item, text: item.gist })))] : [])].join(", ")}`,
        ]
      : []),
    "the rest as before",
  ].join("; ");
}

/** What a counter stays while its state changes: its unit, or of others the first words. */
const nameOf = ({ unit, text, count }: CounterItem): string =>
  unit ?? (count > 1 ? `${text.split(/[;:(]/)[0]!.trim()} by count` : text);

function trackLine(scene: Scene, t: Scene["tracks"][number]): string {
  const at = t.cells.findIndex((c) => c.state === "now");
  const now = t.cells[at];
  const number = t.cells.length > 1 ? `${at + 1} of ${t.cells.length}` : "";
  // a cell that is called by its number is said once
  const name = now === undefined ? "-" : now.label === String(at + 1) && number !== "" ? "" : now.label;
  // sides that a cell has room for by their letter only
  const side = (word: string): string => scene.sides.find((one) => one.id === word)?.name ?? word;
  const note = (now?.note ?? "").replace(/\b[A-Z]\b(?= \d)/g, side).replaceAll("  ", ", ");
  const here = [name, number].filter((part) => part !== "").join(", ");
  return `${t.name}: ${here}${note === "" ? "" : ` (${note})`}`;
}

/** Counters on the cells that are still to come. */
const waitingOn = (t: Scene["tracks"][number]): string[] =>
  t.cells.flatMap((c) =>
    c.state !== "past" && c.state !== "now" && c.count !== undefined && c.count > 0 ? [`${c.label} ${c.count}`] : [],
  );

function itemText(i: TrayItem): string {
  if (i.kind === "count") return `${i.name} ${i.value}${i.of === undefined ? "" : ` of ${i.of}`}`;
  if (i.kind === "die") return `${i.name ?? "die"} ${i.face ?? "-"}`;
  if (i.kind === "card") return i.name;
  return `${i.count === undefined || i.count === 1 ? "" : `${i.count} x `}${counterName(i)}`;
}

/** A counter in a tray: what is printed on it, but where that is a number alone, which could be any number. */
function counterName({ name, title }: Counter): string {
  return name === undefined || /^[A-Z]?\d+$/.test(name) ? title.split(/[,:;(]/)[0]!.trim() : name;
}

const listed = (items: readonly string[]): string => (items.length === 0 ? "nothing" : items.join(", "));
