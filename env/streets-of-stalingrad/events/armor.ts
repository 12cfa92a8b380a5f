import type { StateView } from "../../core/layout.js";
import type { GameEvent } from "../../core/narration.js";
import { SIDES } from "../roster.js";
import type { Tables } from "../state.js";
import { placeOf } from "../state.js";
import { hexId, hexText, knownIds, knows, namesFor, SIDE_WORDS } from "./words.js";
import { tellNamed } from "./told.js";

// Rules call these only when `tables.narrator` is set.

const tellAll = (tables: Tables, event: GameEvent): void => tables.narrator!.tell(event);
const verb = (units: readonly number[], one: string, many: string): string => (units.length === 1 ? one : many);

/** Units leave their vehicles, or mount again. */
export function mounts(tables: Tables, s: StateView, units: readonly number[], dismounts: boolean): void {
  if (units.length === 0) return;
  const side = tables.roster.side[units[0]!]!;
  const hex = placeOf(tables, s, units[0]!);
  const event = {
    what: "mounts",
    rule: dismounts ? "SOS 8.71" : "SOS 8.73",
    by: SIDES[side]!,
    places: [hexId(tables, hex)],
  };
  const does = dismounts ? verb(units, "dismounts", "dismount") : verb(units, "mounts again", "mount again");
  tellNamed(tables, s, units, event, (names) => `${SIDE_WORDS[side]!} ${names} ${does} in ${hexText(tables, hex)}.`);
}

/** The first attacker enters a hex broken through. */
export function breaksThrough(tables: Tables, side: number, hex: number): void {
  const text = `The ${SIDE_WORDS[side]!} side has broken through at ${hexText(tables, hex)}: no enemy zone of control reaches into it now.`;
  tellAll(tables, {
    what: "breakthrough",
    rule: "SOS 10.6",
    by: SIDES[side]!,
    text,
    outcome: `breakthrough at ${hexId(tables, hex)}`,
    places: [hexId(tables, hex)],
  });
}

/** A hex broken through is taken back. */
export function markerLost(tables: Tables, hex: number): void {
  const text = `The breakthrough at ${hexId(tables, hex)} is undone.`;
  tellAll(tables, { what: "breakthrough", rule: "SOS 12.9", by: null, text, places: [hexId(tables, hex)] });
}

/**
 * A breakthru marker becomes a spent marker; units under it are spent already. Which of the counters that lie face down
 * are spent would tell combat units from guns and leaders, so only known units are named.
 */
export function markerSpends(tables: Tables, s: StateView, side: number, hex: number, units: readonly number[]): void {
  const event = { what: "marker-off", rule: "SOS 10.9", by: null, places: [hexId(tables, hex)] };
  tables.narrator!.tellEach((viewer) => {
    const known = units.filter((u) => knows(tables, s, u, viewer));
    const names = known.length === 0 ? "units" : namesFor(tables, s, known, viewer);
    const text = `${SIDE_WORDS[side]!} ${names} in ${hexText(tables, hex)} ${verb(known, "is", "are")} spent after the breakthrough.`;
    return { ...event, text, units: knownIds(tables, s, known, viewer) };
  });
}
