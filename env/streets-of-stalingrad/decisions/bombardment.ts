import type { State, StateView } from "../../core/layout.js";
import type { Play } from "../../core/play.js";
import { counted } from "../../core/words.js";
import { hexId, hexText, knownIds, unitId, unitsIn, unitsWith, unitText } from "../events/words.js";
import {
  type AskName,
  ATTACKER,
  BY_NOTHING,
  BY_WBBT,
  F_NEED,
  F_STEP,
  F_STUKAS,
  FIRING,
  STAGE_ATTACK,
} from "../layout.js";
import { gunsPicked, gunText, interdiction, missionOdds, stukasText, unfiredText } from "../narration/guns.js";
import { flakOdds } from "../narration/numbers.js";
import { aboutHex, aboutPicks, enemiesIn, hexMeaning, now, unitFrom, unitMeaning } from "../narration/words.js";
import * as air from "../rules/artillery/air.js";
import * as bombardment from "../rules/artillery/bombardment.js";
import { awaitsBoxes, boxTarget, resolveBoxes } from "../rules/artillery/east-bank.js";
import { turnBack as turnBackMission } from "../rules/artillery/missions.js";
import { dropGun, fillSpotters, nameSpotter } from "../rules/artillery/spotting.js";
import { chooseTable, turnBack } from "../rules/combat/attack.js";
import { closeStage } from "../sequence.js";
import {
  actorOf,
  askedHex,
  askedUnit,
  boxAt,
  enemyOf,
  give,
  placeOf,
  pop,
  takeAll,
  type Tables,
  topFrame,
} from "../state.js";
import type { Decision } from "./decision.js";
import { names, type Notation, positive, readUnit, some } from "./frame.js";
import { choosesTable } from "./table.js";

/** How a hex is bombarded is secret until both sides have plotted. */
const plots: Decision["waits"] = (_t, _s, by) => ({
  text: `The ${by} side plots its bombardments.`,
  rule: "SOS 14.48",
});

/** The plot is closed: missions against boxes are rolled for at once. Rule: SOS 14.48, ruling R25 */
function closePlot(t: Tables, s: State, play: Play): void {
  if (awaitsBoxes(t, s)) s[topFrame(t, s) + F_STEP] = ROLLS_FOR_BOXES;
  else closeStage(t, s, play);
}
const ROLLS_FOR_BOXES = 1;
const rollsForBoxes = (t: Tables, s: StateView): boolean => s[topFrame(t, s) + F_STEP] === ROLLS_FOR_BOXES;

const stukasIn = (t: Tables, s: StateView): number => s[topFrame(t, s) + F_STUKAS]!;

export const bombTarget: Decision = {
  rules: ["SOS 14.41", "SOS 14.48", "SOS 14.84"],
  asks: (t, s) =>
    `${now(t, s)}: choose a hex to bombard or interdict, or end. Both sides plot before any die is thrown.`,
  waits: plots,
  marks: bombardment.fillMissionHexes,
  acts: {
    done: {
      means: (t, s, _i, { hexes }) => ({
        text: "No more missions",
        warning:
          hexes.length === 0
            ? null
            : `${unfiredText(t, s)}; ${counted(hexes.length, "hex", "hexes")} can still be bombarded.`,
      }),
      does: (t, s, _i, play) => closePlot(t, s, play),
    },
    box: {
      means(t, _s, box) {
        const id = hexId(t, boxTarget(t, box));
        return { text: `Bombard the batteries in box ${id}, by the table for boxes`, places: [id] };
      },
      does: (t, s, box) => bombardment.openMission(t, s, boxTarget(t, box)),
    },
    hex: {
      means(t, s, hex, { viewer }) {
        const there = unitsIn(t, s, enemyOf(actorOf(t, s)), hex).length > 0;
        const at = hexText(t, hex);
        return hexMeaning(t, hex, there ? `Bombard ${at}: ${enemiesIn(t, s, hex, viewer)} there` : `Interdict ${at}`);
      },
      does: bombardment.openMission,
    },
  },
  closes: closePlot,
  work: {
    due: (t, s) => bombardment.isResolving(t, s) || rollsForBoxes(t, s),
    does(t, s, play) {
      const done = rollsForBoxes(t, s) ? resolveBoxes(t, s, play) : bombardment.resolveMissions(t, s, play);
      if (done) closeStage(t, s, play);
    },
  },
  frame: {
    write: (_t, s, frame) => ({ step: positive(s[frame + F_STEP]!) }),
    read: (r) => r.set(F_STEP, r.doc.step ?? 0),
  },
};

/** What others don't know, and observations show, of guns that are picked. */
const picked = {
  picks: FIRING | ATTACKER,
  hides(t: Tables, s: State): void {
    takeAll(t, s, FIRING | ATTACKER);
    pop(t, s);
  },
};

/** What documents hold of guns that are picked. */
const gunsFrame = (...on: readonly AskName[]): Notation => ({
  on,
  write: (t, s, frame) => ({
    units: some(names(t, s, FIRING)),
    attackers: some(names(t, s, ATTACKER)),
    stukas: positive(s[frame + F_STUKAS]!),
    step: positive(s[frame + F_STEP]!),
  }),
  read(r) {
    r.list("units", FIRING);
    r.list("attackers", ATTACKER);
    r.set(F_STUKAS, r.doc.stukas ?? 0);
    r.set(F_STEP, r.doc.step ?? 0);
  },
});

export const bombUnit: Decision = {
  ...picked,
  rules: ["SOS 14.42", "SOS 14.24", "SOS 14.31"],
  asks(t, s, viewer) {
    const hex = askedHex(t, s);
    const guns = unitsWith(t, s, FIRING);
    const so =
      guns.length + stukasIn(t, s) === 0
        ? "Choose a gun."
        : `So far ${missionOdds(t, s, guns, hex, BY_WBBT, stukasIn(t, s))}. Who joins?`;
    const there = boxAt(t, hex) < 0 ? ` (${enemiesIn(t, s, hex, viewer)} there)` : "";
    return `Bombardment of ${hexText(t, hex)}${there}. ${so}`;
  },
  about: aboutPicks(FIRING),
  waits: plots,
  marks: bombardment.fillMissionGuns,
  acts: {
    done: {
      means: (t, s) =>
        `Fire with these: ${missionOdds(t, s, unitsWith(t, s, FIRING), askedHex(t, s), BY_WBBT, stukasIn(t, s))}`,
      does: (t, s, _i, play) => bombardment.closeGuns(t, s, play),
    },
    number: { means: stukasText, does: bombardment.nameStukas },
    unit: { means: (t, s, u) => unitMeaning(t, s, u, gunText(t, s, u)), does: bombardment.nameGun },
  },
  closes: bombardment.closeGuns,
  frame: { ...gunsFrame("bomb.target"), boxes: true },
};

const byTable = choosesTable(gunsPicked, askedHex, chosen);

/** How the guns of a bombardment fire, or those that attack alone. */
export const bombTable: Decision = {
  ...byTable,
  ...picked,
  waits: plots,
  marks: bombardment.fillTables,
  acts: {
    ...byTable.acts,
    interdict: { means: interdiction, does: (t, s, _i, play) => chosen(t, s, BY_NOTHING, play) },
  },
  frame: gunsFrame("bomb.target", "attack.target"),
};

function chosen(t: Tables, s: State, by: number, play: Play): void {
  if (s[t.layout.stage] === STAGE_ATTACK) chooseTable(t, s, by, play);
  else bombardment.plot(t, s, by, play);
}

/** Choose the unit that spots for a gun. */
export const spotPick: Decision = {
  rules: ["SOS 14.24", "SOS 14.22", "SOS 14.31"],
  asks: (t, s) => `Who spots ${hexText(t, askedHex(t, s))} for ${unitText(t, s, askedUnit(t, s))}?`,
  about: (t, s, viewer) => ({ units: knownIds(t, s, [askedUnit(t, s)], viewer), ...aboutHex(t, s) }),
  waits: plots,
  marks: fillSpotters,
  acts: {
    unit: {
      means(t, s, u) {
        const gun = unitId(t, askedUnit(t, s));
        return unitMeaning(t, s, u, `Let ${unitText(t, s, u)} in ${hexId(t, placeOf(t, s, u))} spot for ${gun}`);
      },
      does: nameSpotter,
    },
  },
  closes: dropGun,
  hides(t, s) {
    pop(t, s);
    return true;
  },
  frame: {
    on: ["bomb.unit", "attack.unit", "op.group", "df.unit", "df.target"],
    boxes: true,
    read: readUnit,
  },
};

/** Fire at the Stukas that come to a hex. */
export const aaUnit: Decision = {
  rules: ["SOS 15.42", "SOS 15.44", "SOS 15.45"],
  asks(t, s) {
    const none = unitsWith(t, s, FIRING).length === 0;
    const so = none ? "Choose who fires, or let them come." : `So far ${flakOdds(t, s, [])}.`;
    return `Stukas come to ${hexText(t, askedHex(t, s))}. ${so}`;
  },
  about: aboutPicks(FIRING),
  waits: (_t, _s, by, hex) => ({
    text: `The ${by} side decides on anti-aircraft fire at the Stukas over ${hex}.`,
    rule: "SOS 15.42",
  }),
  marks: air.fillFlak,
  acts: {
    done: {
      means: (t, s) =>
        unitsWith(t, s, FIRING).length === 0 ? "Let the Stukas come" : `Fire with those named: ${flakOdds(t, s, [])}`,
      does: (t, s, _i, play) => fireFlak(t, s, play),
    },
    all: {
      means: (t, s, _i, { units }) => `Everybody in range fires: ${flakOdds(t, s, units)}`,
      does: air.nameAllFlak,
    },
    unit: {
      means: (t, s, u) => unitMeaning(t, s, u, `Fire at the Stukas with ${unitFrom(t, s, u)}. ${flakOdds(t, s, [u])}`),
      does: (t, s, u) => give(t, s, u, FIRING),
    },
  },
  closes: fireFlak,
  picks: FIRING,
  hides: (t, s) => takeAll(t, s, FIRING),
  frame: {
    on: ["attack.unit", "bomb.target"],
    boxes: true,
    write: (t, s, frame) => ({
      units: some(names(t, s, FIRING)),
      mission: s[frame + F_NEED]! > 0 ? s[frame + F_NEED]! - 1 : undefined,
    }),
    read(r) {
      r.list("units", FIRING);
      r.set(F_NEED, r.doc.mission === undefined ? 0 : r.doc.mission + 1);
    },
  },
};

/** Anti-aircraft fire turns Stukas back. Rule: SOS 15.45 */
function fireFlak(t: Tables, s: State, play: Play): void {
  const { mission, aborted } = air.fireFlak(t, s, play);
  if (mission === 0) turnBack(t, s, aborted);
  else turnBackMission(t, s, mission - 1, aborted);
}
