import { eventOf, say } from "./say.js";
import type { Play } from "../../core/play.js";
import type { StateView } from "../../core/layout.js";
import { SIDES } from "../roster.js";
import type { Tables } from "../state.js";
import { placeOf } from "../state.js";
import { hexId, hexText, knownIds, knows, namesFor, SIDE_WORDS } from "./words.js";
import { tellNamed } from "./common.js";

// Rules call these only when `play.narrator` is set.

const verb = (units: readonly number[], one: string, many: string): string => (units.length === 1 ? one : many);

/** Units leave their vehicles, or mount again. */
export function mounts(tables: Tables, s: StateView, units: readonly number[], dismounts: boolean, play: Play): void {
  if (units.length === 0) return;
  const side = tables.roster.side[units[0]!]!;
  const hex = placeOf(tables, s, units[0]!);
  const event = eventOf("mounts", {
    rule: dismounts ? "SOS 8.71" : "SOS 8.73",
    by: SIDES[side]!,
    places: [hexId(tables, hex)],
  });
  const does = dismounts ? verb(units, "dismounts", "dismount") : verb(units, "mounts again", "mount again");
  tellNamed(
    tables,
    s,
    units,
    event,
    (names) => `${SIDE_WORDS[side]!} ${names} ${does} in ${hexText(tables, hex)}.`,
    play,
  );
}

/** The first attacker enters a hex broken through. */
export function breaksThrough(tables: Tables, side: number, hex: number, play: Play): void {
  const text = `The ${SIDE_WORDS[side]!} side has broken through at ${hexText(tables, hex)}: no enemy zone of control reaches into it now.`;
  say(play, "breakthrough", {
    rule: "SOS 10.6",
    by: SIDES[side]!,
    text,
    outcome: `breakthrough at ${hexId(tables, hex)}`,
    places: [hexId(tables, hex)],
  });
}

/** A hex broken through is taken back. */
export function markerLost(tables: Tables, hex: number, play: Play): void {
  const text = `The breakthrough at ${hexId(tables, hex)} is undone.`;
  say(play, "breakthrough", { rule: "SOS 12.9", by: null, text, places: [hexId(tables, hex)] });
}

/**
 * A breakthru marker becomes a spent marker; units under it are spent already. Which of the counters that lie face down
 * are spent would tell combat units from guns and leaders, so only known units are named.
 */
export function markerSpends(
  tables: Tables,
  s: StateView,
  side: number,
  hex: number,
  units: readonly number[],
  play: Play,
): void {
  const event = eventOf("marker-off", { rule: "SOS 10.9", places: [hexId(tables, hex)] });
  play.narrator!.tellEach((viewer) => {
    const known = units.filter((u) => knows(tables, s, u, viewer));
    const names = known.length === 0 ? "units" : namesFor(tables, s, known, viewer);
    const text = `${SIDE_WORDS[side]!} ${names} in ${hexText(tables, hex)} ${verb(known, "is", "are")} spent after the breakthrough.`;
    return { ...event, text, units: knownIds(tables, s, known, viewer) };
  });
}
