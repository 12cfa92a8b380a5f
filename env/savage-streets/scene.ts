import { EVERYTHING, type GameType, type JsonObject, type Viewer } from "../core/game.js";
import type {
  Board,
  Counter,
  CounterState,
  Glyph,
  Overlay,
  Place,
  Scene,
  Track,
  Tray,
  TrayItem,
} from "../core/scene.js";
import { emptyBoard } from "../core/scene.js";
import { type UnitEntity, unitSymbol } from "../core/symbol-codes.js";
import { CHIT_KINDS, type Tables } from "./data.js";
import { arrivals } from "./scene-history.js";
import { GERMANS, SOVIET } from "./state.js";

interface AreaDoc {
  readonly control: "S" | "G" | "C" | null;
  readonly german: readonly string[];
  readonly soviet: readonly string[];
  readonly chits: readonly string[];
  readonly faceDown?: number;
  readonly faceDownUnits?: number;
  readonly faceDownChits?: number;
}
interface CombatDoc {
  readonly area: string;
  readonly germanDice: readonly number[];
  readonly sovietDice: readonly number[];
  readonly totals: readonly [number, number] | null;
  readonly winner: "G" | "S" | null;
  readonly sovietHits: number;
  readonly germanHits: readonly string[];
}
/** What the scene reads of a view: see `germanView` and `writePosition`. */
interface View {
  readonly turn: number;
  readonly phase: string;
  readonly result: "G" | "S" | null;
  readonly options: Readonly<Record<string, boolean>>;
  readonly stuka: boolean;
  readonly schwereAvailable: boolean;
  readonly pending: readonly string[];
  readonly free: readonly string[];
  readonly breakthrough: { area: string; dest: string | null; units: readonly string[] } | null;
  readonly combat: CombatDoc | null;
  readonly ledger: readonly JsonObject[];
  readonly areas: Readonly<Record<string, AreaDoc>>;
  readonly hand?: readonly string[];
  readonly pile?: readonly string[];
  readonly waiting?: readonly string[];
  readonly handCount?: number;
  readonly pileCount?: number;
  readonly waitingCount?: number;
  readonly future: readonly string[];
  readonly dead: readonly string[];
  readonly events: { area: string } | null;
  readonly decision: {
    actor: "G" | "S";
    kind: string;
    unit?: string;
    area?: string;
    chit?: string;
    mp?: number;
  } | null;
}

const FLAGS: Readonly<Record<string, CounterState>> = {
  b: "advancing",
  d: "depleted",
  f: "stopped",
  m: "moved",
  n: "new",
  s: "suppressed",
};
const PHASE_TEXT: Readonly<Record<string, string>> = {
  setup: "Soviet set-up",
  "ger-reinf": "German reinforcements",
  "sov-reinf": "Soviet reinforcements",
  chits: "event chits",
  "sov-move": "Soviet movement",
  "ger-move": "German movement",
  events: "events",
  combat: "combat",
  over: "the end",
};
const SIDE_NAMES = { G: "German", S: "Soviet" } as const;

/** Draws boards of this game: what never changes is made once. */
export class SceneMaker {
  private readonly board: Board;

  constructor(
    private readonly tables: Tables,
    private readonly type: GameType,
  ) {
    this.board = boardOf(tables);
  }

  /** @param doc the view of `viewer`, or for EVERYTHING the position */
  scene(doc: JsonObject, viewer: Viewer): Scene {
    const v = doc as unknown as View;
    return {
      game: this.type.id,
      title: this.type.title,
      viewer: viewer === SOVIET ? "S" : viewer === 0 ? "G" : null,
      caption: caption(v),
      notice: `Reconstructed: ${this.type.reconstructed}.`,
      sides: [
        { id: "G", name: "German", look: "german" },
        { id: "S", name: "Soviet", look: "soviet" },
      ],
      board: this.board,
      counters: this.tables.data.areaIds.flatMap((area) => countersIn(this.tables, v, area)),
      overlays: overlays(this.tables, v),
      tracks: [turns(this.tables, v)],
      trays: trays(this.tables, v, viewer === SOVIET || viewer === EVERYTHING),
    };
  }
}

function boardOf(tables: Tables): Board {
  const { data } = tables;
  const b = data.board;
  const places = data.areaIds.map((id, a): Place => {
    const { outline, room } = b.areas[id]!;
    const bit = 1 << a;
    const entry = (data.lettered & bit) !== 0;
    const glyphs: { glyph: Glyph; title: string }[] = [];
    if (data.goals.includes(a))
      glyphs.push({ glyph: "flag", title: "held at the end of turn 9 it wins, with the other goal" });
    if ((data.landings & bit) !== 0) glyphs.push({ glyph: "landing", title: "Soviet units land here" });
    if ((data.redLanding & bit) !== 0) glyphs.push({ glyph: "ferry", title: "units with a red circle land here" });
    return {
      id,
      name: data.areaNames[a]!,
      at: [...room[0]],
      size: [...room[1]],
      outline: outline.map((p): [number, number] => [...p]),
      terrain: entry ? "box" : "city",
      ...(entry ? {} : { stars: data.stars[a]! }),
      ...(glyphs.length > 0 ? { glyphs } : {}),
      about: entry ? "German units enter here." : `Worth ${data.stars[a]} to the Soviet side in combat.`,
    };
  });
  return {
    ...emptyBoard("areas"),
    bounds: b.bounds,
    counterSize: b.counterSize,
    places,
    links: data.areaIds.flatMap((id, a) =>
      data.neighbours[a]!.filter((n) => n > a).map((n) => ({ from: id, to: data.areaIds[n]! })),
    ),
    waters: [b.volga],
    labels: [{ text: "VOLGA", at: b.volgaName, size: 1.3, turn: 90, look: "water" }],
  };
}

const parted = (text: string): [string, string] => {
  const at = text.indexOf(":");
  return at < 0 ? [text, ""] : [text.slice(0, at), text.slice(at + 1)];
};
const chitGlyph = (kind: string): Glyph =>
  (CHIT_KINDS as readonly string[]).includes(kind) ? (kind as Glyph) : "question";
const kindOf = (chit: string): string => chit.replace(/-\d+$/, "");

function countersIn(tables: Tables, v: View, area: string): Counter[] {
  const doc = v.areas[area]!;
  const moving = v.decision?.unit;
  const list: Counter[] = [];
  const unit = (text: string, mayHide: boolean): void => {
    const [id, flags] = parted(text);
    const states = [...flags].flatMap((f) => FLAGS[f] ?? []);
    if (mayHide && !flags.includes("u")) states.push("hidden");
    if (id === moving) states.push("active");
    list.push({ ...unitCounter(tables, id, flags.includes("d")), place: area, states });
  };
  for (const text of doc.german) unit(text, false);
  for (const text of doc.soviet) unit(text, true);
  doc.chits.forEach((text, i) => {
    const [id, flags] = parted(text);
    const kind = kindOf(id);
    const named = id !== kind; // the Soviet player knows which chit, others its kind
    list.push({
      id: named ? id : `chit-${area}-${i + 1}`,
      kind: "counter",
      place: area,
      side: "S",
      ...(named ? { unit: id } : {}),
      glyph: chitGlyph(kind),
      name: kind,
      title: `event chit: ${kind}`,
      states: flags.includes("u") ? [] : ["hidden"],
    });
  });
  const hidden = (n: number, kind: string | undefined): void => {
    const known = arrivals(v.ledger, area);
    for (let i = 0; i < n; i++)
      list.push({
        id: `hidden-${kind === undefined ? "" : `${kind}-`}${area}-${i + 1}`,
        kind: "counter",
        place: area,
        side: "S",
        title: `face-down Soviet ${kind ?? "counter"}${known === "" ? "" : `; ${known}`}`,
        back: kind === undefined ? {} : { kind },
      });
  };
  hidden(doc.faceDown ?? 0, undefined);
  hidden(doc.faceDownUnits ?? 0, "unit");
  hidden(doc.faceDownChits ?? 0, "chit");
  return list;
}

const ENTITIES: readonly UnitEntity[] = ["infantry", "engineer", "headquarters", "armor", "antitank"];

/** The symbol of a unit: companies are engineers and SMG, assault guns and flak have their own. */
function symbolOf(tables: Tables, u: number): string {
  const type = tables.data.type[u]!;
  const id = tables.data.unitIds[u]!;
  const entity: UnitEntity = id.startsWith("StuG")
    ? "self-propelled-artillery"
    : id.startsWith("FlaK")
      ? "air-defence"
      : ENTITIES[type]!;
  const small = tables.data.smg[u] === 1 || entity === "engineer";
  return unitSymbol(entity, entity === "headquarters" ? "regiment" : small ? "company" : "battalion");
}

function unitCounter(tables: Tables, id: string, depleted = false): Counter {
  const { data } = tables;
  const u = data.unitIds.indexOf(id);
  const german = u < GERMANS;
  const value = depleted ? data.depleted[u]! : data.full[u]!;
  return {
    id,
    kind: "counter",
    side: german ? "G" : "S",
    unit: id,
    symbol: symbolOf(tables, u),
    name: id,
    title: `${id}, ${german ? "German" : "Soviet"} unit${data.red[u] === 1 ? " with a red circle" : ""}`,
    values: [{ name: "combat value", value }, ...(german ? [{ name: "movement points", value: data.mp[u]! }] : [])],
    ...(german ? { steps: { left: depleted ? 1 : 2, of: 2 } } : {}),
  };
}

function overlays(tables: Tables, v: View): Overlay[] {
  const held = (c: string): string[] => tables.data.areaIds.filter((id) => v.areas[id]!.control === c);
  const list: Overlay[] = [
    { kind: "control", side: "G", places: held("G") },
    { kind: "control", side: "S", places: held("S") },
  ];
  const area = (look: "battle" | "active" | "pocket", title: string, places: readonly string[]): void => {
    if (places.length > 0) list.push({ kind: "area", look, title, places: [...places] });
  };
  area("pocket", "contested", held("C"));
  area(
    "active",
    "a combat is still to come",
    v.pending.filter((p) => p !== v.combat?.area),
  );
  area("battle", "combat", v.combat === null ? [] : [v.combat.area]);
  area("battle", "events", v.events === null || v.combat !== null ? [] : [v.events.area]);
  if (v.breakthrough !== null && v.breakthrough.dest !== null)
    list.push({
      kind: "arrow",
      from: v.breakthrough.area,
      to: v.breakthrough.dest,
      side: "G",
      look: "move",
      title: "breakthrough",
    });
  return list;
}

function turns(tables: Tables, v: View): Track {
  const due = (turn: number, german: boolean): number =>
    v.future.filter((id) => {
      const u = tables.data.unitIds.indexOf(id);
      return u < GERMANS === german && tables.data.entryTurn[u] === turn;
    }).length;
  return {
    id: "turns",
    name: "Turn, with units still to come",
    cells: Array.from({ length: 9 }, (_, i) => {
      const [g, s] = [due(i + 1, true), due(i + 1, false)];
      const note = [g > 0 ? `G ${g}` : "", s > 0 ? `S ${s}` : ""].filter((t) => t !== "").join("  ");
      return {
        id: String(i + 1),
        label: String(i + 1),
        note,
        state: i + 1 < v.turn ? "past" : i + 1 === v.turn ? "now" : "ahead",
      };
    }),
  };
}

function trays(tables: Tables, v: View, knowsSoviet: boolean): Tray[] {
  const list: Tray[] = [];
  const { decision } = v;
  const inHand = decision?.unit;
  const placed =
    inHand !== undefined &&
    Object.values(v.areas).some((a) => [...a.german, ...a.soviet].some((t) => parted(t)[0] === inHand));
  if (inHand !== undefined && !placed && tables.data.unitIds.includes(inHand))
    list.push({
      id: "placing",
      name: "To be placed now",
      side: decision!.actor,
      look: "reinforcements",
      items: [unitCounter(tables, inHand)],
    });
  if (v.combat !== null) list.push(combatTray(v.combat));
  const means: TrayItem[] = [
    {
      id: "stuka",
      kind: "card",
      side: "G",
      name: "Stuka",
      title: "one air attack a turn",
      glyph: "aircraft",
      state: v.stuka ? "ready" : "used",
    },
  ];
  if (v.options["schwere"] === true)
    means.push({
      id: "schwere",
      kind: "card",
      side: "G",
      name: "Schwere",
      title: "the heavy attack, one a game",
      glyph: "counterattack",
      state: v.schwereAvailable ? "ready" : "used",
    });
  list.push({ id: "german", name: "German means", side: "G", look: "resources", items: means });
  list.push(sovietTray(v, knowsSoviet));
  if (knowsSoviet && v.waiting !== undefined && v.waiting.length > 0)
    list.push({
      id: "waiting",
      name: "Soviet units on the far bank",
      side: "S",
      look: "reinforcements",
      items: v.waiting.map((id) => unitCounter(tables, id)),
    });
  const dead = (german: boolean): TrayItem[] =>
    v.dead.filter((id) => tables.data.unitIds.indexOf(id) < GERMANS === german).map((id) => unitCounter(tables, id));
  for (const [id, side, german] of [
    ["dead-german", "G", true],
    ["dead-soviet", "S", false],
  ] as const) {
    const items = dead(german);
    if (items.length > 0) list.push({ id, name: `${SIDE_NAMES[side]} losses`, side, look: "losses", items });
  }
  return list;
}

/** The Soviet player's chits: his own open, to others so many backs. */
function sovietTray(v: View, known: boolean): Tray {
  const hand = v.hand;
  const cards: TrayItem[] =
    known && hand !== undefined
      ? hand.map((id) => ({
          id,
          kind: "card",
          side: "S",
          name: kindOf(id),
          title: `event chit: ${kindOf(id)}`,
          glyph: chitGlyph(kindOf(id)),
          state: v.decision?.chit === id ? "active" : "ready",
        }))
      : Array.from({ length: v.handCount ?? 0 }, (_, i) => ({
          id: `hand-${i + 1}`,
          kind: "card",
          side: "S",
          name: "chit",
          title: "an event chit in the Soviet hand",
          back: {},
          state: "ready",
        }));
  const count = (id: string, name: string, title: string, value: number): TrayItem => ({
    id,
    kind: "count",
    side: "S",
    name,
    title,
    value,
  });
  return {
    id: "hand",
    name: "Soviet hand of event chits",
    side: "S",
    look: "hand",
    items: [
      ...cards,
      count("pile", "chits in the pile", "event chits that can still be drawn", v.pile?.length ?? v.pileCount ?? 0),
      count(
        "far-bank",
        "units waiting",
        "Soviet units that wait to cross the Volga",
        v.waiting?.length ?? v.waitingCount ?? 0,
      ),
    ],
  };
}

/** The dice of a combat, highest first, with the totals. */
function combatTray(c: CombatDoc): Tray {
  const dice = (side: "G" | "S", faces: readonly number[]): TrayItem[] =>
    [...faces]
      .sort((x, y) => y - x)
      .map((face, i) => ({
        id: `die-${side}-${i + 1}`,
        kind: "die",
        side,
        face,
        faces: 6,
        title: `${SIDE_NAMES[side]} die: ${face}`,
        state: "kept",
      }));
  const total = (side: "G" | "S", value: number): TrayItem => ({
    id: `total-${side}`,
    kind: "count",
    side,
    name: `${SIDE_NAMES[side]} total`,
    title: "the dice together",
    value,
  });
  const hits = (side: "G" | "S", value: number): TrayItem[] =>
    value === 0
      ? []
      : [
          {
            id: `hits-${side}`,
            kind: "count",
            side,
            name: "hits to take",
            title: `${SIDE_NAMES[side]} losses still to be chosen`,
            value,
          },
        ];
  return {
    id: "combat",
    name: c.winner === null ? `Combat in ${c.area}` : `Combat in ${c.area}: ${SIDE_NAMES[c.winner]} side wins`,
    look: "battle",
    items: [
      ...dice("G", c.germanDice),
      ...(c.totals === null ? [] : [total("G", c.totals[0])]),
      ...dice("S", c.sovietDice),
      ...(c.totals === null ? [] : [total("S", c.totals[1])]),
      ...hits("S", c.sovietHits),
      ...hits("G", c.germanHits.length),
    ],
  };
}

function caption(v: View): string {
  if (v.result !== null) return `Turn ${v.turn} of 9: the ${SIDE_NAMES[v.result]} side has won.`;
  const d = v.decision;
  const what =
    d === null
      ? ""
      : ` The ${SIDE_NAMES[d.actor]} side decides${d.unit === undefined ? "" : ` for ${d.unit}`}${d.chit === undefined ? "" : ` on ${kindOf(d.chit)}`}${d.mp === undefined ? "" : `, ${d.mp} MP left`}.`;
  return `Turn ${v.turn} of 9, ${PHASE_TEXT[v.phase] ?? v.phase}.${what}`;
}
