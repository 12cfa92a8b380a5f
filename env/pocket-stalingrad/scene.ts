import type { GameType } from "../core/game.js";
import type { StateView } from "../core/layout.js";
import {
  type Board,
  type Counter,
  emptyBoard,
  type Glyph,
  type Overlay,
  type Place,
  type Scene,
  type Track,
  type Tray,
  type TrayItem,
} from "../core/scene.js";
import { unitSymbol } from "../core/symbol-codes.js";
import {
  AREA_IDS,
  AREAS,
  CITY_FIRST,
  CITY_LAST,
  GUMRAK,
  type Tables,
  VOLGA,
  Z,
  type AreaId,
  type SideId,
} from "./data.js";
import * as state from "./state.js";
import { activeOf, actorOf, areaOf, SOVIET, GERMAN } from "./state.js";

const {
  BREACH,
  areasOf,
  capturedBy,
  captor,
  combatAhead,
  isCaptured,
  DECISION,
  L,
  NO_SIDE,
  PHASES,
  phaseOf,
  RIGHT_NAMES,
  SIDES,
  SPECIAL_DICE,
} = state;
const { unitsIn, vpOf } = state;

const NAMES = ["Soviet", "German"] as const;
const MOST = 6; // boxes of a card for one side
const RIGHT_GLYPHS: Readonly<Record<string, Glyph>> = {
  artillery: "artillery",
  deploy: "entry",
  guards: "star",
  pioneers: "bridge",
  sturm: "counterattack",
};
const PHASE_TEXT: Readonly<Record<string, string>> = {
  reinforcements: "reinforcements",
  roll: "roll the dice",
  resolve: "resolve the dice",
  air: "air attacks",
  combat: "combat",
  victory: "capture and victory",
};
const SPECIAL_RULES: readonly (readonly [keyof Tables & ("grainElevator" | "pavlov" | "mamayev"), string])[] = [
  ["grainElevator", "Not captured while an enemy unit is there."],
  ["pavlov", "Its controller may have the Ratt die rolled again."],
  ["mamayev", "Its controller gets command points in its own turn."],
];

/** The board of cards. Made once for a game. */
export function boardOf(tables: Tables): Board {
  const b = tables.board;
  const places = AREA_IDS.map((id, n): Place => {
    const a = n as AreaId;
    const rule = SPECIAL_RULES.find(([key]) => tables[key] === a)?.[1];
    const city = a >= CITY_FIRST && a <= CITY_LAST;
    const sides = a === VOLGA ? [SOVIET] : a === GUMRAK ? [GERMAN] : [SOVIET, GERMAN];
    return {
      id,
      name: tables.names[a]!,
      at: [...b.cards[id]],
      size: [b.cardSize[0], sides.length === 1 ? b.lowCardHeight : b.cardSize[1]],
      terrain: a === Z ? "rubble" : a === VOLGA ? "water" : a === GUMRAK ? "field" : "city",
      ...(city ? { stars: tables.stars[a]!, values: [{ name: "VP", value: tables.vp[a]! }] } : {}),
      slots: sides.map((side) => ({ side: SIDES[side]!, count: city || a === Z ? tables.cap[a]! : MOST })),
      ...(rule === undefined ? {} : { about: rule }),
    };
  });
  return {
    ...emptyBoard("areas"),
    bounds: b.bounds,
    counterSize: b.counterSize,
    places,
    waters: [b.volga],
    labels: [{ text: "VOLGA", at: b.volgaName, size: 0.75, turn: 90, look: "water" }],
  };
}

/** Nothing is hidden in this game, so every viewer gets the same scene. */
export function sceneOfState(tables: Tables, type: GameType, board: Board, s: StateView, viewer: number): Scene {
  return {
    game: type.id,
    title: type.title,
    viewer: SIDES[viewer] ?? null,
    caption: caption(tables, s),
    notice: `Reconstructed: ${type.reconstructed}.`,
    sides: [
      { id: "soviet", name: "Soviet", look: "soviet" },
      { id: "german", name: "German", look: "german" },
    ],
    board,
    counters: AREA_IDS.flatMap((_, a) => countersOf(s, a as AreaId)),
    overlays: overlays(tables, s),
    tracks: [turnTrack(tables, s), phaseTrack(s)],
    trays: [...diceTrays(tables, s), sideTray(tables, s, SOVIET), sideTray(tables, s, GERMAN)],
  };
}

function countersOf(s: StateView, a: AreaId): Counter[] {
  const id = AREA_IDS[a]!;
  const list: Counter[] = [];
  for (const side of [SOVIET, GERMAN]) {
    for (let n = 0; n < unitsIn(s, side, a); n++)
      list.push({
        id: `${SIDES[side]}-${id}-${n + 1}`,
        kind: "counter",
        place: id,
        side: SIDES[side]!,
        symbol: unitSymbol("infantry", "division"),
        title: `${NAMES[side]} unit`,
      });
    // an Area 6 loses its last boxes first
    if (a === VOLGA + side)
      for (let n = s[L.max6 + side]!; n < MOST; n++)
        list.push({
          id: `damage-${id}-${n + 1}`,
          kind: "counter",
          place: id,
          side: SIDES[side]!,
          slot: n,
          glyph: "fire",
          title: `damage: one unit fewer has room (at most ${s[L.max6 + side]!})`,
        });
  }
  const token = (what: Glyph, title: string, side?: number): void => {
    list.push({
      id: `${what}-${id}`,
      kind: "counter",
      place: id,
      ...(side === undefined ? {} : { side: SIDES[side]! }),
      glyph: what,
      title,
    });
  };
  if (a >= CITY_FIRST && a <= CITY_LAST) {
    if (isCaptured(s, a))
      token(
        capturedBy(s, a) === 0 ? "star" : "cross",
        `captured by the ${NAMES[capturedBy(s, a)]} side`,
        capturedBy(s, a),
      );
    if (s[L.fort + a] === 1)
      token("fort", s[L.shieldUsed + a] === 1 ? "fortification, its shield used this turn" : "fortification", 0);
    if (s[L.artillery] === a) token("artillery", "artillery marker");
  }
  return list;
}

function overlays(tables: Tables, s: StateView): Overlay[] {
  const cities = AREA_IDS.map((_, a) => a as AreaId).filter((a) => a >= CITY_FIRST && a <= CITY_LAST);
  const list: Overlay[] = [SOVIET, GERMAN].map((side) => ({
    kind: "control",
    side: SIDES[side]!,
    places: cities.filter((a) => isCaptured(s, a) && capturedBy(s, a) === side).map((a) => AREA_IDS[a]!),
  }));
  for (const side of [SOVIET, GERMAN]) {
    for (const first of [false, true]) {
      const places = cities.filter((a) => captor(tables, s, a) === side && combatAhead(tables, s, a) === first);
      const title = first
        ? `the ${NAMES[side]} side has enough to capture, but combat comes first`
        : `the ${NAMES[side]} side would capture as units stand`;
      if (places.length > 0)
        list.push({ kind: "area", look: "objective", title, places: places.map((a) => AREA_IDS[a]!) });
    }
  }
  for (const side of [null, SOVIET, GERMAN]) {
    const held = cities.filter((a) => (isCaptured(s, a) ? capturedBy(s, a) === side : side === null));
    if (held.length > 0)
      list.push({
        kind: "flags",
        ...(side === null ? {} : { side: SIDES[side]! }),
        title: `counts for victory, captured by ${side === null ? "nobody" : `the ${NAMES[side]} side`}`,
        places: held.map((a) => AREA_IDS[a]!),
        worth: held.map((a) => tables.vp[a]!),
      });
  }
  const at = areaOf(s);
  if (at >= 0 && at < AREAS)
    list.push({ kind: "area", look: "battle", title: "decided here", places: [AREA_IDS[at]!] });
  return list;
}

const stateOf = (i: number, now: number): "past" | "now" | "ahead" => (i < now ? "past" : i === now ? "now" : "ahead");

function turnTrack(tables: Tables, s: StateView): Track {
  return {
    id: "turns",
    name: s[L.night] === 1 ? "Turn, by night" : "Turn",
    cells: Array.from({ length: tables.turns }, (_, i) => ({
      id: String(i + 1),
      label: String(i + 1),
      state: stateOf(i + 1, s[L.turn]!),
    })),
  };
}

function phaseTrack(s: StateView): Track {
  return {
    id: "phases",
    name: s[L.active] === NO_SIDE ? "Phase" : `Phase, ${NAMES[activeOf(s)]} player turn`,
    cells: PHASES.filter((p) => p !== "over").map((p, i) => ({ id: p, label: p, state: stateOf(i, phaseOf(s)) })),
  };
}

/** The dice of a player turn: those kept and those that may be rolled again. */
function diceTrays(tables: Tables, s: StateView): Tray[] {
  if (phaseOf(s) > 1 || s[L.active] === NO_SIDE) return [];
  const side = activeOf(s);
  const row = (id: string, name: string, units: number, specials: number, kept: boolean): Tray => {
    const items: TrayItem[] = [];
    for (let f = 0; f < 6; f++)
      for (let n = 0; n < s[units + f]!; n++)
        items.push({
          id: `unit-${f + 1}-${n + 1}`,
          kind: "die",
          die: `unit ${f + 1}`,
          side: SIDES[side]!,
          face: f + 1,
          faces: 6,
          title: `unit die: a unit to area ${f + 1}`,
          state: kept ? "kept" : "loose",
        });
    SPECIAL_DICE.forEach((die, i) => {
      const face = s[specials + i]!;
      if (face === 0) return;
      const means =
        die === "ratt"
          ? tables.rattNames[face - 1]!
          : die === "tactics"
            ? tables.tacticsNames[side]![face - 1]!
            : `${face} command points`;
      items.push({
        id: die,
        kind: "die",
        die,
        face,
        faces: 6,
        name: die[0]!.toUpperCase() + die.slice(1),
        title: `${die} die ${face}: ${means}`,
        state: kept ? "kept" : "loose",
      });
    });
    return { id, name, side: SIDES[side]!, look: "dice", items };
  };
  return [
    row("kept", `${NAMES[side]} dice kept`, L.kept, L.keptSpecialDice, true),
    row("loose", "Dice on the table", L.loose, L.looseSpecialDice, false),
  ];
}

function sideTray(tables: Tables, s: StateView, side: SideId): Tray {
  const rights = Object.entries(RIGHT_NAMES).filter(([, bit]) => (s[L.rights + side]! & bit) !== 0);
  const name = NAMES[side]!;
  const id = SIDES[side]!;
  const count = (
    what: string,
    title: string,
    value: number,
    extra: { of?: number; need?: number; glyph?: Glyph } = {},
  ): TrayItem => ({
    id: `${id}-${what}`.replaceAll(" ", "-"),
    kind: "count",
    side: id,
    name: what,
    title,
    value,
    ...extra,
  });
  return {
    id,
    name,
    side: id,
    look: "resources",
    items: [
      count("areas", `captured areas; ${tables.areasToWin} win at once`, areasOf(s, side), {
        of: tables.areasToWin,
        need: tables.areasToWin,
      }),
      count("VP", "victory points of captured areas", vpOf(tables, s, side)),
      count("command", "command points", s[L.cmd + side]!, { glyph: "coin" }),
      count("in reserve", "units that can still come", s[L.reserve + side]!),
      ...rights.map(([right]): TrayItem => ({
        id: `${id}-${right}`,
        kind: "card",
        side: id,
        name: right[0]!.toUpperCase() + right.slice(1),
        title: `${name} side may use ${right} this turn`,
        glyph: RIGHT_GLYPHS[right]!,
        state: "ready",
      })),
      ...((s[L.rights + side]! & BREACH) === 0
        ? []
        : [
            {
              id: `${id}-breach`,
              kind: "card" as const,
              side: id,
              name: "Breach",
              title: `${name} side loses a CMD when its Deploy is over`,
              glyph: RIGHT_GLYPHS["deploy"]!,
              state: "active" as const,
            },
          ]),
      ...(side === 0 && s[L.night] === 1
        ? [
            {
              id: "night",
              kind: "card" as const,
              side: id,
              name: "Night",
              title: "Night: air attacks suffer",
              glyph: "night" as const,
              state: "active" as const,
            },
          ]
        : []),
    ],
  };
}

function caption(tables: Tables, s: StateView): string {
  const kind = s[L.kind]!;
  if (kind === DECISION.over) {
    const winner = s[L.winner]!;
    return winner === 0 ? "The game is a draw." : `The ${NAMES[winner - 1]} side has won.`;
  }
  const who = kind === DECISION.chance ? "chance decides" : `the ${NAMES[actorOf(s)]} side decides`;
  const area = s[L.area]! > 0 ? `, area ${AREA_IDS[areaOf(s)]}` : "";
  const whose = s[L.active] === NO_SIDE ? "" : `, ${NAMES[activeOf(s)]} player turn`; // combat is nobody's
  return `Turn ${s[L.turn]} of ${tables.turns}${whose}, ${PHASE_TEXT[PHASES[phaseOf(s)]!] ?? PHASES[phaseOf(s)]!}: ${who}${area}.`;
}
