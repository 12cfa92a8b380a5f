import { bothOf } from "../../core/decision.js";
import type { StateView } from "../../core/layout.js";
import { counted, listed } from "../../core/words.js";
import { type Decision, markAreas, markPass, PASS, YES } from "../actions.js";
import type { Tables } from "../data.js";
import { areaIds, placeName, unitId, unitText } from "../events/words.js";
import {
  aboutCombat,
  areaMeaning,
  breakthroughWarning,
  combatDice,
  combatHere,
  combatValues,
  unitMeaning,
} from "../narration/words.js";
import { dropBreakthroughs, takeFreeBreakthrough } from "../rules/breakthrough.js";
import {
  aimGun,
  declareEngineer,
  declarePionier,
  declareSchwere,
  declareStuka,
  gunMayHit,
  hitAllowed,
  markDice,
  markLosses,
  raiseDie,
  startCombat,
  takeGermanHit,
  takeSovietLoss,
} from "../rules/combat.js";
import { markGermans } from "../rules/counters.js";
import { ARMOR, ENGINEERS, PIONIERS, type Raiser } from "../raisers.js";
import { askedArea, askedUnit, combatAreaOf, FLAG, GERMAN, HIT, L, PHASE, SOVIET, STAGE, unitHas } from "../state.js";
import { heldArea, heldCombatArea, heldSoviet } from "./held.js";

const fighting = () => [PHASE.combat];

export const combatArea: Decision = {
  by: GERMAN,
  phases: fighting,
  rules: ["SS 7.0", "SS 7.1", "SS 6.7"],
  asks(t, s) {
    const [due, open] = [areaIds(t, s[L.pendingCombats]!), areaIds(t, s[L.freeBreakthroughs]!)];
    const breaks = open.length === 0 ? "" : ` Breakthrough open from ${listed(open, "none")}.`;
    return due.length === 0
      ? `No combat is left.${breaks}`
      : `Choose the next combat: ${listed(due, "none")}.${breaks}`;
  },
  about: (t, s) => ({
    places: [...new Set([...areaIds(t, s[L.pendingCombats]!), ...areaIds(t, s[L.freeBreakthroughs]!)])],
  }),
  marks(_t, s, mask, at) {
    const n = markAreas(mask, at, s[L.pendingCombats]! | s[L.freeBreakthroughs]!);
    return s[L.pendingCombats] === 0 ? n + markPass(mask, at) : n;
  },
  acts: {
    pass: {
      means: (t, s) => ({
        text: `Give up the breakthrough from ${listed(areaIds(t, s[L.freeBreakthroughs]!), "none")}`,
        ends: "turn",
        warning: breakthroughWarning(t, s),
      }),
      does: (t, s, _i, play) => dropBreakthroughs(t, s, play),
    },
    area: {
      means(t, s, a) {
        const open = ((s[L.freeBreakthroughs]! >> a) & 1) === 1;
        return areaMeaning(t, s, a, `${open ? "Break through from" : "Fight in"} ${placeName(t, a)}`);
      },
      /** Rule: SS 7.0; ruling R18: in an area on both lists the breakthrough comes first. */
      does(t, s, a, play) {
        if ((s[L.freeBreakthroughs]! >> a) & 1) takeFreeBreakthrough(t, s, a, play);
        else startCombat(t, s, a, play);
      },
    },
  },
};

/** What the decisions of a combat have in common. */
const inCombat = { phases: fighting, about: aboutCombat, holds: { area: heldCombatArea } } as const;

export const stuka: Decision = {
  ...inCombat,
  by: GERMAN,
  stage: STAGE.stuka,
  rules: ["SS 7.1"],
  asks: (t, s) =>
    `Send the Stuka to the combat in ${combatHere(t, s)} (${combatValues(t, s)})? It adds a German die, once a turn.`,
  marks: bothOf(PASS, YES),
  acts: {
    pass: {
      means: (_t, s) => ({
        text: "Keep the Stuka back",
        warning: s[L.pendingCombats] === 0 ? "No other combat is to come: the Stuka may go unused this turn." : null,
      }),
      does: (t, s, _i, play) => declareStuka(t, s, false, play),
    },
    yes: { means: () => "Send the Stuka", does: (t, s, _i, play) => declareStuka(t, s, true, play) },
  },
};

export const atTarget: Decision = {
  ...inCombat,
  by: SOVIET,
  stage: STAGE.at,
  rules: ["SS 9.3"],
  asks: (t, s) =>
    `${unitId(t, askedUnit(s))} shoots in ${combatHere(t, s)} before the combat: aim it at an armoured unit.`,
  about: (t, s) => ({ units: [unitId(t, askedUnit(s))], ...aboutCombat(t, s) }),
  marks: (t, s, mask, at) => markGermans(t, s, askedArea(s), gunMayHit, mask, at),
  acts: {
    unit: {
      means: (t, s, u) => unitMeaning(t, s, u, `Aim at ${unitText(t, s, u)}`),
      does: (t, s, u, play) => aimGun(t, s, askedUnit(s), u, play),
    },
  },
  holds: { unit: heldSoviet, area: heldArea },
};

export const schwere: Decision = {
  ...inCombat,
  by: GERMAN,
  stage: STAGE.decl,
  rules: ["SS 9.6"],
  asks: (t, s) =>
    `Make the combat in ${combatHere(t, s)} (${combatValues(t, s)}) an all-out attack? One extra German die and one extra German hit, once a game.`,
  marks: bothOf(PASS, YES),
  acts: {
    pass: { means: () => "Attack as usual", does: (t, s, _i, play) => declareSchwere(t, s, false, play) },
    yes: { means: () => "Attack all-out", does: (t, s, _i, play) => declareSchwere(t, s, true, play) },
  },
};

export const pionier: Decision = {
  ...inCombat,
  by: GERMAN,
  stage: STAGE.decl,
  rules: ["SS 9.1"],
  asks: (t, s) =>
    `Commit the Pioniers in ${combatHere(t, s)} (${combatValues(t, s)})? They raise a die and take the first hit of a defeat.`,
  marks: bothOf(PASS, YES),
  acts: {
    pass: { means: () => "Hold them back", does: (t, s, _i, play) => declarePionier(t, s, false, play) },
    yes: { means: () => "Commit the Pioniers", does: (t, s, _i, play) => declarePionier(t, s, true, play) },
  },
};

export const engineer: Decision = {
  ...inCombat,
  by: SOVIET,
  stage: STAGE.decl,
  rules: ["SS 9.1"],
  asks: (t, s) =>
    `Commit the Engineers in ${combatHere(t, s)} (${combatValues(t, s)})? They raise a die and take the first hit of a defeat.`,
  marks: bothOf(PASS, YES),
  acts: {
    pass: { means: () => "Hold them back", does: (t, s, _i, play) => declareEngineer(t, s, false, play) },
    yes: { means: () => "Commit the Engineers", does: (t, s, _i, play) => declareEngineer(t, s, true, play) },
  },
};

/** What the decisions about raising a die have in common. */
const raising = { ...inCombat, stage: STAGE.mods } as const;
const asksDie = (raiser: Raiser) => (t: Tables, s: StateView) =>
  `Combat in ${combatHere(t, s)}, ${combatDice(s)}: the ${raiser.raises} one die.`;
const raises = (raiser: Raiser) =>
  ({
    means(_t, s, die) {
      const value = s[raiser.dice + die]!;
      return { text: `Raise die ${die + 1}, a ${value}, to ${Math.min(6, value + 1)}`, die };
    },
    does: (t, s, die, play) => raiseDie(t, s, raiser, die, play),
  }) satisfies Decision["acts"]["die"];

export const diePionier: Decision = {
  ...raising,
  by: GERMAN,
  rules: ["SS 9.1"],
  asks: asksDie(PIONIERS),
  marks: (_t, s, mask, at) => markDice(s, PIONIERS, mask, at),
  acts: { die: raises(PIONIERS) },
};

export const dieArmor: Decision = {
  ...raising,
  by: GERMAN,
  rules: ["SS 9.21"],
  asks: asksDie(ARMOR),
  marks: (_t, s, mask, at) => markPass(mask, at) + markDice(s, ARMOR, mask, at),
  acts: {
    pass: {
      means: () => ({ text: "Raise no die", warning: "The raise is lost." }),
      does: (t, s, _i, play) => raiseDie(t, s, ARMOR, -1, play),
    },
    die: raises(ARMOR),
  },
};

export const dieEngineer: Decision = {
  ...raising,
  by: SOVIET,
  rules: ["SS 9.1"],
  asks: asksDie(ENGINEERS),
  marks: (_t, s, mask, at) => markDice(s, ENGINEERS, mask, at),
  acts: { die: raises(ENGINEERS) },
};

export const sovHit: Decision = {
  ...inCombat,
  by: SOVIET,
  stage: STAGE.sovHits,
  rules: ["SS 7.3"],
  asks: (t, s) => `${counted(s[L.sovietLossesLeft]!, "Soviet hit")} to take in ${combatHere(t, s)}: choose a unit.`,
  marks: markLosses,
  acts: {
    unit: { means: (t, s, u) => unitMeaning(t, s, u, `Lose ${unitText(t, s, u)}`), does: takeSovietLoss },
  },
};

export const gerHit: Decision = {
  ...inCombat,
  by: GERMAN,
  stage: STAGE.gerHits,
  rules: ["SS 7.32", "SS 9.6", "SS 6.6"],
  cites(_t, s) {
    const hit = s[L.germanHits]!;
    return [hit === HIT.extra ? "SS 9.6" : hit === HIT.counterattack ? "SS 6.6" : "SS 7.32", "SS 7.32"];
  },
  asks(t, s) {
    const must = s[L.hqMustTakeHit] === 1 ? " A tie of sixes: an HQ must take it." : "";
    const hits = counted(s[L.germanHitCount]!, "German hit");
    return `${hits} to take in ${combatHere(t, s)} (${combatDice(s)}): choose a unit.${must}`;
  },
  marks: (t, s, mask, at) => markGermans(t, s, combatAreaOf(s), hitAllowed, mask, at),
  acts: {
    unit: {
      means(t, s, u) {
        const end = unitHas(s, u, FLAG.depleted) ? "eliminated" : "depleted";
        return unitMeaning(t, s, u, `${unitText(t, s, u)} takes the hit and is ${end}`);
      },
      does: takeGermanHit,
    },
  },
};
