import type { Tray, TrayItem } from "../../core/scene.js";
import type { Tables } from "../data.js";
import { GERMANS } from "../layout.js";
import { parted, unitCounter, kindOf, chitGlyph } from "./counters.js";
import { type CombatDoc, SIDE_NAMES, type View } from "./view.js";

export function trays(tables: Tables, v: View, knowsSoviet: boolean): Tray[] {
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
  const combat = v.combat === null ? null : combatTray(v.combat);
  if (combat !== null && combat.items.length > 0) list.push(combat); // before the dice there is nothing in it
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
/** The Soviet player's chits: face-up for that player, backs for others. */
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
  const waiting = v.waiting?.length ?? v.waitingCount ?? 0;
  const pile = v.pile?.length ?? v.pileCount ?? 0;
  return {
    id: "hand",
    name: "Soviet hand of event chits",
    side: "S",
    look: "hand",
    items: [
      ...cards,
      count("pile", pile === 1 ? "chit in the pile" : "chits in the pile", "event chits that can still be drawn", pile),
      count(
        "far-bank",
        waiting === 1 ? "unit waiting" : "units waiting",
        "Soviet units that wait to cross the Volga",
        waiting,
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
    name: `${SIDE_NAMES[side]} combat value`,
    title: "of all who fight there, with what adds to it",
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
            name: value === 1 ? "hit to take" : "hits to take",
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
