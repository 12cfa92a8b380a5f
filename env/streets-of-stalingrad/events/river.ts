import type { Play } from "../../core/play.js";
import type { StateView } from "../../core/layout.js";
import { counted } from "../../core/words.js";
import { boxPlace } from "../layout.js";
import { isOwn, tellNamed } from "./told.js";
import { eventOf } from "./say.js";
import { SIDES, SOVIET } from "../roster.js";
import { placeOf, type Tables } from "../state.js";
import { hexId, hexText, knownIds, namesFor, SIDE_WORDS, unitsIn } from "./words.js";

// Rules call these only when `play.narrator` is set.

/** Units on a Volga hex go back to their box. */
export function goesBack(tables: Tables, s: StateView, hex: number, box: number, play: Play): void {
  const units = unitsIn(tables, s, SOVIET, hex);
  const to = boxPlace(box);
  const event = eventOf("crosses", { places: [hexId(tables, hex), hexId(tables, to)] });
  const does = units.length === 1 ? "goes" : "go";
  tellNamed(
    tables,
    s,
    units,
    event,
    (names) => `Soviet ${names} ${does} back from ${hexText(tables, hex)} to ${hexText(tables, to)}.`,
    play,
  );
}

/** Units go along the bank from box to box: others only see how many. */
export function changesBox(tables: Tables, s: StateView, units: readonly number[], box: number, play: Play): void {
  const from = placeOf(tables, s, units[0]!);
  const side = tables.roster.side[units[0]!]!;
  const event = eventOf("changes-box", {
    by: SIDES[side]!,
    places: [hexId(tables, from), hexId(tables, boxPlace(box))],
    amount: units.length,
  });
  play.narrator!.tellEach((viewer) => {
    const own = isOwn(viewer, side);
    const names = own ? namesFor(tables, s, units, viewer) : counted(units.length, "counter");
    const does = units.length === 1 ? "goes" : "go";
    return {
      ...event,
      text: `${SIDE_WORDS[side]!} ${names} ${does} from ${hexText(tables, from)} to ${hexText(tables, boxPlace(box))}.`,
      units: own ? knownIds(tables, s, units, viewer) : [],
    };
  });
}
