import type { State, StateView } from "../../core/layout.js";
import { bothOf } from "../../core/decision.js";
import { CRT, WBBT } from "../actions.js";
import { hexId, hexText, namesFor, unitId, unitsWith } from "../events/words.js";
import { ASK_OP_FIRE, F_ASK, F_UNIT, FIRING, GROUP, type UnitId } from "../layout.js";
import { gunsPicked } from "../narration/guns.js";
import { fireOdds } from "../narration/numbers.js";
import { aboutPicks, unitFrom, unitMeaning } from "../narration/words.js";
import * as opportunity from "../rules/movement/opportunity.js";
import { askedHex, frameUnit, placeOf, pop, takeAll, type Tables, topFrame } from "../state.js";
import type { Decision } from "./decision.js";
import { names, type Notation } from "./frame.js";
import { choosesTable } from "./table.js";

/** Who is picked to fire is secret until the dice are thrown. */
const window: Decision["waits"] = (_t, _s, by, hex) => ({
  text: `The ${by} side decides on opportunity fire at the movers in ${hex}.`,
  rule: "SOS 11.1",
});

/** What documents hold of it. @param begun whether a unit is already named to fire */
const shotFrame = (begun: boolean): Notation => ({
  on: ["walk"],
  unit: "none",
  write(t, s, frame) {
    const first = frameUnit(s, frame);
    if (first < 0) return { group: names(t, s, GROUP) };
    const id = unitId(t, first);
    return { group: names(t, s, GROUP), firing: [id, ...names(t, s, FIRING).filter((x) => x !== id)] };
  },
  read(r) {
    const firers = r.list("firing", FIRING);
    if (begun !== firers.length > 0) r.refuse("firing", "op.group names who fires, op.fire nobody yet");
    if (firers.length > 0) r.set(F_UNIT, firers[0]! + 1);
  },
});

const firing = {
  rules: ["SOS 11.1", "SOS 11.7", "SOS 11.9"],
  about: aboutPicks(FIRING),
  waits: window,
  marks: opportunity.fillFirers,
} as const;

/** What others don't know, and observations show, of those who are picked. */
const picked = {
  picks: FIRING,
  hides(t: Tables, s: State): void {
    takeAll(t, s, FIRING);
    const frame = topFrame(t, s);
    s[frame + F_ASK] = ASK_OP_FIRE;
    s[frame + F_UNIT] = 0;
  },
};

const joins = (t: Tables, s: StateView, u: UnitId, verb: string) =>
  unitMeaning(
    t,
    s,
    u,
    `${verb} with ${unitFrom(t, s, u)}. ${fireOdds(t, s, [...unitsWith(t, s, FIRING), u], askedHex(t, s), 0)}`,
  );

/** Asks whether a unit fires at movers, and which fires first. */
export const opFire: Decision = {
  ...firing,
  asks(t, s, viewer) {
    const movers = namesFor(t, s, unitsWith(t, s, GROUP), viewer);
    return `${hexText(t, askedHex(t, s))}: ${movers} can be fired at as they move. Choose the first unit to fire, or let them pass.`;
  },
  acts: {
    pass: {
      means: () => "Let them pass here; you are asked again in the next hex",
      does: (t, s, _i, play) => opportunity.passFire(t, s, play),
    },
    hold: {
      means: () => ({
        text: "Hold all fire until this move ends",
        warning: "You aren't asked again on this move.",
      }),
      does: (t, s, _i, play) => opportunity.holdFire(t, s, play),
    },
    unit: { means: (t, s, u) => joins(t, s, u, "Fire"), does: opportunity.nameFirer },
  },
  closes: pop,
  frame: shotFrame(false),
};

/** Choose the units of the hex that fire with the first. */
export const opGroup: Decision = {
  ...firing,
  ...picked,
  asks(t, s, viewer) {
    const hex = askedHex(t, s);
    const movers = namesFor(t, s, unitsWith(t, s, GROUP), viewer);
    const odds = fireOdds(t, s, unitsWith(t, s, FIRING), hex, 0);
    return `Opportunity fire at ${movers} in ${hexId(t, hex)}: ${odds}. Who of the hex joins?`;
  },
  acts: {
    done: {
      means: (t, s) => `Fire with those named: ${fireOdds(t, s, unitsWith(t, s, FIRING), askedHex(t, s), 0)}`,
      does: (t, s, _i, play) => opportunity.closeFirers(t, s, play),
    },
    all: {
      means(t, s, _i, { units }) {
        const named = unitsWith(t, s, FIRING);
        return {
          text: `Everybody of the hex joins: ${fireOdds(t, s, [...named, ...units], askedHex(t, s), 0)}`,
          places: named.slice(0, 1).map((u) => hexId(t, placeOf(t, s, u))),
          units: units.map((u) => unitId(t, u)),
        };
      },
      does: opportunity.nameAllFirers,
    },
    unit: { means: (t, s, u) => joins(t, s, u, "Join"), does: opportunity.nameFirer },
  },
  closes: (t, s, play) => opportunity.closeFirers(t, s, play),
  frame: shotFrame(true),
};

/** By which table mortars fire at movers that no other unit fires at. Rule: SOS 11.1, SOS 14.45 */
export const opTable: Decision = {
  ...choosesTable(gunsPicked, askedHex, opportunity.chooseTable),
  ...picked,
  waits: window,
  marks: bothOf(CRT, WBBT),
  frame: shotFrame(true),
};
