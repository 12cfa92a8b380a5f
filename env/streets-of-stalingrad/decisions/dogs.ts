import type { State } from "../../core/layout.js";
import { counted } from "../../core/words.js";
import { hexId, hexText, unitId, unitText } from "../events/words.js";
import { ASK_ATTACK_UNIT, COMMIT_DOGS, F_COMMIT, F_FOCUS, F_NEED, F_UNIT, NO_ARMOR } from "../layout.js";
import { hexNamed } from "../names.js";
import { enemiesIn, hexMeaning, unitFrom, unitMeaning } from "../narration/words.js";
import { GERMAN } from "../roster.js";
import * as dogs from "../rules/combat/dogs.js";
import { countIn, knownIn } from "../rules/units/faces.js";
import { isArmored } from "../rules/units/units.js";
import { askedHex, askedUnit, frameOf, placeOf, pop, type Tables, topFrame } from "../state.js";
import { attackUnit } from "./attack.js";
import type { Decision } from "./decision.js";
import type { FrameReader, Notation } from "./frame.js";

/** Others see the attack before anybody has thought of dogs. */
function hide(t: Tables, s: State): void {
  const attack = frameOf(t, s, ASK_ATTACK_UNIT);
  pop(t, s);
  dogs.forgetAnswers(t, s);
  s[attack + F_COMMIT]! &= ~COMMIT_DOGS;
}
const unseen = { waits: attackUnit.waits, hides: hide };

/** The hex whose counters are chosen from, -1 none. */
const focus = (t: Tables, s: State): number => s[topFrame(t, s) + F_FOCUS]! - 1;

/** What documents hold of it. @param named a dog is */
const dogFrame = (named: boolean): Notation => ({
  on: ["attack.unit"],
  step: 5,
  write(t, s, frame) {
    const asked = t.board.ids.filter((_, h) => (s[t.layout.hexState + h]! & NO_ARMOR) !== 0);
    return {
      focus: s[frame + F_FOCUS] === 0 ? undefined : hexId(t, s[frame + F_FOCUS]! - 1),
      unarmored: asked.length === 0 ? undefined : asked,
    };
  },
  read(r: FrameReader) {
    const { doc, s, tables } = r;
    s[frameOf(tables, s, ASK_ATTACK_UNIT) + F_COMMIT]! |= COMMIT_DOGS;
    if (r.actor === GERMAN) r.refuse("actor", "mine dogs are Soviet");
    (doc.unarmored ?? []).forEach((id, i) => {
      const h = hexNamed(tables, id, `${r.path}.unarmored[${i}]`);
      s[tables.layout.hexState + h]! |= NO_ARMOR;
    });
    if (named !== (doc.unit !== undefined)) r.refuse("unit", "dog.target names the dog, dog.use does not");
    if (doc.unit === undefined) return;
    const dog = r.unit("unit", doc.unit);
    if (!tables.roster.dogs.includes(dog)) r.refuse("unit", `${doc.unit} is no mine dog`);
    r.set(F_UNIT, dog + 1);
    if (doc.focus === undefined) return;
    const hex = hexNamed(tables, doc.focus, `${r.path}.focus`);
    const armor = countIn(tables, s, GERMAN, hex, isArmored);
    if (tables.board.sideTo(placeOf(tables, s, dog), hex) < 0 || armor === 0)
      r.refuse("focus", `no German armor is beside ${doc.unit} in ${doc.focus}`);
    r.set(F_FOCUS, hex + 1);
    r.set(F_NEED, armor);
  },
});

/** True when a mine dog is used before the attack. */
export const dogUse: Decision = {
  ...unseen,
  rules: ["SOS 16.22", "SOS 16.21"],
  asks: (t, s) =>
    `${hexText(t, askedHex(t, s))} is attacked: send a mine dog against German armor beside it? On a die of ${t.charts.dogUpTo} or less both are lost, otherwise the dog.`,
  about: (t, s) => ({ places: [hexId(t, askedHex(t, s))] }),
  marks: dogs.fillDogs,
  acts: {
    pass: { means: () => "Use no mine dog now", does: (t, s) => dogs.closeDogs(t, s) },
    unit: {
      means: (t, s, u) => ({
        ...(unitMeaning(t, s, u, `Use ${unitFrom(t, s, u)}`) as object),
        text: `Use ${unitFrom(t, s, u)}`,
        warning: "The dog is lost, whatever the die shows.",
      }),
      does: dogs.nameDog,
    },
  },
  closes: dogs.closeDogs,
  frame: dogFrame(false),
};

/** Which hex, then which of its armored counters. */
export const dogTarget: Decision = {
  ...unseen,
  rules: ["SOS 16.22", "SOS 16.23"],
  asks(t, s, viewer) {
    const hex = focus(t, s as State);
    const dog = unitId(t, askedUnit(t, s));
    if (hex < 0) return `Choose the hex that the mine dog ${dog} is sent to.`;
    const n = s[topFrame(t, s) + F_NEED]!;
    const armor = n === 1 ? "1 counter is armor" : `${n} counters are armor`;
    return `${hexText(t, hex)} has ${enemiesIn(t, s, hex, viewer)}; ${armor}. Choose the target of ${dog}.`;
  },
  about: (t, s) => {
    const hex = focus(t, s as State);
    return {
      units: [unitId(t, askedUnit(t, s))],
      places: [hexId(t, hex < 0 ? placeOf(t, s, askedUnit(t, s)) : hex)],
    };
  },
  marks: dogs.fillTargets,
  acts: {
    hex: {
      means: (t, s, hex, { viewer }) =>
        hexMeaning(t, hex, `Send it to ${hexText(t, hex)}: ${enemiesIn(t, s, hex, viewer)} there`),
      does: dogs.nameDogHex,
    },
    enemy: {
      means(t, s, k) {
        const hex = focus(t, s as State);
        const target = knownIn(t, s, GERMAN, hex, k, isArmored);
        const odds = `destroyed on ${counted(t.charts.dogUpTo, "face")} of ten`;
        return target < 0
          ? { text: `Attack an armored counter that is face down: ${odds}`, places: [hexId(t, hex)] }
          : {
              text: `Attack ${unitText(t, s, target)}: ${odds}`,
              units: [unitId(t, target)],
              places: [hexId(t, hex)],
            };
      },
      does: dogs.runDog,
    },
  },
  optional: true,
  frame: dogFrame(true),
};
