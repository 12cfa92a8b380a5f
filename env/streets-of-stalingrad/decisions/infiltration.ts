import type { StateView } from "../../core/layout.js";
import { hexId, hexText, unitId, unitText } from "../events/words.js";
import { F_FOCUS, F_NEED, F_UNIT } from "../layout.js";
import { hexNamed } from "../names.js";
import { enemiesIn, hexMeaning, now, unitFrom, unitMeaning } from "../narration/words.js";
import { GERMAN, SOVIET } from "../roster.js";
import * as infiltration from "../rules/combat/infiltration.js";
import { countIn, knownIn } from "../rules/units/faces.js";
import { closeStage } from "../sequence.js";
import { askedUnit, placeOf, pop, type Tables, topFrame } from "../state.js";
import type { Decision } from "./decision.js";
import { readUnit } from "./frame.js";

const waits: Decision["waits"] = (_t, _s, by) => ({
  text: `The ${by} side decides on an infiltration.`,
  rule: "SOS 13.1",
});
const isCombatUnit = (t: Tables, _s: StateView, u: number): boolean => t.roster.stackUnit[u] === 1;
const focus = (t: Tables, s: StateView): number => s[topFrame(t, s) + F_FOCUS]! - 1;

/** Who infiltrates with Herman. */
export const infilUnit: Decision = {
  rules: ["SOS 13.1", "SOS 13.3"],
  asks: (t, s) =>
    `${now(t, s)}: choose an infantry unit that infiltrates with ${unitId(t, t.roster.herman)} and attacks one German unit, or pass.`,
  about: (t, s) => ({ units: [unitId(t, t.roster.herman)], places: [hexId(t, placeOf(t, s, t.roster.herman))] }),
  waits,
  marks: infiltration.fillPartners,
  acts: {
    pass: { means: () => "Don't infiltrate", does: (t, s, _i, play) => closeStage(t, s, play) },
    unit: {
      means: (t, s, u) => unitMeaning(t, s, u, `Infiltrate with ${unitFrom(t, s, u)}`),
      does: infiltration.namePartner,
    },
  },
  closes: closeStage,
  frame: {},
};

/** Which hex, then which of its combat units. */
export const infilTarget: Decision = {
  rules: ["SOS 13.3", "SOS 13.4"],
  asks(t, s, viewer) {
    const hex = focus(t, s);
    if (hex < 0) return `Choose the hex that ${unitId(t, askedUnit(t, s))} attacks.`;
    return `${hexText(t, hex)} has ${enemiesIn(t, s, hex, viewer)}, ${s[topFrame(t, s) + F_NEED]!} combat units. Choose the target.`;
  },
  about: (t, s) => ({
    units: [unitId(t, askedUnit(t, s))],
    places: [hexId(t, focus(t, s) < 0 ? placeOf(t, s, askedUnit(t, s)) : focus(t, s))],
  }),
  waits,
  marks: infiltration.fillTargets,
  acts: {
    hex: {
      means: (t, s, hex, { viewer }) =>
        hexMeaning(t, hex, `Attack in ${hexText(t, hex)}: ${enemiesIn(t, s, hex, viewer)} there`),
      does: infiltration.nameTargetHex,
    },
    enemy: {
      means(t, s, k) {
        const hex = focus(t, s);
        const target = knownIn(t, s, GERMAN, hex, k, isCombatUnit);
        return target < 0
          ? { text: "Attack a combat unit that is face down", places: [hexId(t, hex)] }
          : { text: `Attack ${unitText(t, s, target)}`, units: [unitId(t, target)], places: [hexId(t, hex)] };
      },
      does: (t, s, k, play) => infiltration.infiltrate(t, s, k, play, closeStage),
    },
  },
  closes: (t, s) => pop(t, s),
  optional: true,
  /** Others hear of it when they come. */
  hides: (t, s) => pop(t, s),
  frame: {
    on: ["infil.unit"],
    hex: "none",
    write: (t, s, frame) => ({ focus: s[frame + F_FOCUS] === 0 ? undefined : hexId(t, s[frame + F_FOCUS]! - 1) }),
    read(r) {
      readUnit(r);
      const { doc, s, tables } = r;
      const unit = s[r.frame + F_UNIT]! - 1;
      const { herman } = tables.roster;
      if (r.actor !== SOVIET || herman < 0 || placeOf(tables, s, unit) !== placeOf(tables, s, herman))
        r.refuse("unit", `${doc.unit} is not with Herman`);
      if (doc.focus === undefined) return;
      const hex = hexNamed(tables, doc.focus, `${r.path}.focus`);
      const n = countIn(tables, s, GERMAN, hex, isCombatUnit);
      if (n === 0) r.refuse("focus", `no German combat unit is in ${doc.focus}`);
      r.set(F_FOCUS, hex + 1);
      r.set(F_NEED, n);
    },
  },
};
