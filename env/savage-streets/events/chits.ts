import { eventOf, say } from "./say.js";
import type { Play } from "../../core/play.js";
import { counted, listed } from "../../core/words.js";
import type { Throw } from "../../core/narration.js";
import type { StateView } from "../../core/layout.js";
import type { Tables } from "../data.js";
import { type AreaId, chitHas, type ChitId, chitPlaceOf, FLAG, HAND, PILE } from "../state.js";
import { placingThrow } from "./throws.js";
import { areaId, CHIT_RULES, chitsAt, chitWord, placeName, tellBoth } from "./words.js";

/** Events of the event chits: drawn, placed, gone back to the pile. */

/** Chits drawn into the hand: the owner may look at them, the others see how many. Rule: SS 3.0. */
export function chitsDrawn(tables: Tables, s: StateView, drawn: readonly ChitId[], play: Play): void {
  if (drawn.length === 0) return;
  const left = chitsAt(s, PILE).length;
  const n = counted(drawn.length, "event chit");
  const rest = `${counted(left, "chit")} ${left === 1 ? "is" : "are"} left in the pile`;
  const ids = drawn.map((c) => tables.data.chitIds[c]!);
  const kinds = listed(
    drawn.map((c) => chitWord(tables, c)),
    "none",
  );
  const common = eventOf("chits-drawn", { amount: drawn.length });
  tellBoth(
    {
      ...common,
      text: `The Soviet side draws ${n}: ${kinds}; ${rest}.`,
      dice: [{ by: "S", purpose: "drawing event chits", sides: 0, faces: ids, needed: null, result: kinds }],
    },
    { ...common, text: `The Soviet side draws ${n}; ${rest}.` },
    play,
  );
}

/** @param dice the throws that named the area (solitaire); empty when the player chose it */
export function chitPlaced(tables: Tables, c: ChitId, a: AreaId, dice: readonly number[], play: Play): void {
  const where = placeName(tables, a);
  const by: Throw[] = dice.length === 0 ? [] : [placingThrow(tables, a, dice, "where the chit goes")];
  const common = eventOf("chit-placed", {
    rule: tables.solo ? "SS 10.33" : "SS 3.0",
    places: [areaId(tables, a)],
    ...(by.length === 0 ? {} : { dice: by }),
  });
  tellBoth(
    { ...common, text: `The Soviet side places ${tables.data.chitIds[c]!} face-down in ${where}.` },
    { ...common, text: `The Soviet side places a chit face-down in ${where}.` },
    play,
  );
}

/**
 * A chit goes back to the pile; its kind is public if it was face-up.
 *
 * @param why for the sentence: `which has no target`
 */
export function chitReturns(tables: Tables, s: StateView, c: ChitId, why: string, play: Play): void {
  const a = chitPlaceOf(s, c);
  const kind = chitWord(tables, c);
  const because = why === "" ? "" : `, ${why},`;
  const what = "chit-returns";
  if (a === HAND) {
    const text = (name: string) => `No area takes ${name}: it goes back to the pile.`;
    const common = eventOf(what, { rule: "SS 3.0", by: "S" });
    tellBoth({ ...common, text: text(tables.data.chitIds[c]!) }, { ...common, text: text("the chit") }, play);
    return;
  }
  const where = placeName(tables, a);
  const places = [areaId(tables, a)];
  if (chitHas(s, c, FLAG.faceUp)) {
    const rule = CHIT_RULES[tables.data.chitKind[c]!]!;
    const text = `The ${kind} in ${where}${because} goes back to the pile.`;
    say(play, what, { rule, by: "S", text, places });
    return;
  }
  const common = eventOf(what, { rule: "SS 1.21", by: "S", places });
  tellBoth(
    { ...common, text: `Chit ${tables.data.chitIds[c]!} is one too many in ${where} and goes back to the pile.` },
    { ...common, text: `A face-down chit is one too many in ${where} and goes back to the pile unseen.` },
    play,
  );
}
