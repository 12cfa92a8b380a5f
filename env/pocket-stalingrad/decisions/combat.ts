import { fault, type Fault } from "../../core/decision.js";
import type { StateView } from "../../core/layout.js";
import { type Decision, DONE } from "../actions.js";
import { type AreaId, AREA_IDS, type Tables, VOLGA, Z } from "../data.js";
import { areaId, areaText, forces } from "../events/words.js";
import { aboutArea, areaHere, areaWith, cmdText, lapse, movesTo, priceOf } from "../narration/words.js";
import {
  declineFight,
  declinePioneer,
  markArtillery,
  markFight,
  markPioneer,
  passArtillery,
  payForFight,
  sendPioneers,
  useArtillery,
} from "../rules/combat.js";
import { markGuards, moveGuards } from "../rules/victory.js";
import { actorOf, areaOf, AT_END, GERMAN, hasFort, L, markerOf, SOVIET } from "../state.js";
import { CAPTURE } from "../steps.js";
import { heldArea, heldPassed, heldWindow, heldWindowArea, rightFault } from "./held.js";

/** Combat takes place in Z and the city areas. */
const orderFault = (t: Tables, s: StateView): Fault | null =>
  t.combatOrder.includes(areaOf(s)) ? null : fault("decision.area", `${AREA_IDS[areaOf(s)]} has no combat`);

export const artillery: Decision = {
  rules: ["PS Artillery", "PS 5"],
  asks(t, s) {
    const marker = s[L.artillery] === 0 ? "lies nowhere" : `lies on ${areaText(t, markerOf(s))}`;
    const when = s[L.area] === 0 ? "combat is over" : `combat in ${areaHere(t, s)} is next (${forces(s, areaOf(s))})`;
    const cmd = cmdText(s, actorOf(s));
    return `${when}; Artillery ${marker}. Use Artillery for ${t.costs.artillery} CMD (you have ${cmd})?`;
  },
  about: aboutArea,
  optional: true,
  marks(t, s, mask, at) {
    mask[at + DONE] = 1;
    return 1 + markArtillery(t, s, mask, at);
  },
  acts: {
    done: {
      means: (_t, s) => ({
        text: "Leave Artillery as it is",
        warning: s[L.window] === AT_END ? lapse(s, actorOf(s), true) : null,
      }),
      does: passArtillery,
    },
    arty: {
      means(t, s, area) {
        const verb = s[L.artillery] === 0 ? "Lay Artillery on" : "Move Artillery to";
        return { text: `${verb} (${t.costs.artillery} CMD) ${areaWith(t, s, area)}`, places: [areaId(area)] };
      },
      does: useArtillery,
    },
    artyOff: {
      means: (t, s) => ({
        text: `Take Artillery off ${areaText(t, markerOf(s))}, ${t.costs.artillery} CMD`,
        places: [areaId(markerOf(s))],
      }),
      does: (t, s, _i, play) => useArtillery(t, s, 0 as AreaId, play),
    },
  },
  by: (_t, s) => actorOf(s),
  holds: { window: heldWindow, area: heldWindowArea, passed: heldPassed },
  fault: (t, s) =>
    (areaOf(s) < 0 ? null : orderFault(t, s)) ??
    ((s[L.passed]! >> actorOf(s)) & 1 ? fault("decision.passed", "the actor has passed") : null) ??
    rightFault(s, "artillery", "artillery"),
};

export const fight: Decision = {
  rules: ["PS 5 Area Z", "PS Area Z"],
  asks: (t, s) =>
    `both sides stand in Z (${forces(s, Z)}). Pay ${t.costs.zCombat} CMD for combat there (you have ${cmdText(s, actorOf(s))})?`,
  optional: true,
  marks(t, s, mask, at) {
    mask[at + DONE] = 1;
    return 1 + markFight(t, s, mask, at);
  },
  acts: {
    done: { means: () => "Pay for no combat in Z", does: (t, s, _i, play) => declineFight(t, s, play) },
    fight: {
      means: (t) => ({ text: `Pay ${t.costs.zCombat} CMD: the units in Z fight`, places: [areaId(Z)] }),
      does: (t, s, _i, play) => payForFight(t, s, play),
    },
  },
  by: (_t, s) => actorOf(s),
};

export const pioneer: Decision = {
  rules: ["PS Pioneers", "PS Fortify"],
  asks: (t, s) =>
    `send Pioneers into ${areaHere(t, s)} for ${t.costs.pioneer} CMD (you have ${cmdText(s, actorOf(s))})?`,
  about: aboutArea,
  optional: true,
  marks(t, s, mask, at) {
    mask[at + DONE] = 1;
    return 1 + markPioneer(t, s, mask, at);
  },
  acts: {
    done: { means: () => "Send no Pioneers here", does: declinePioneer },
    pioneer: {
      means(t, s) {
        const effect = hasFort(s, areaOf(s)) ? "remove the Fortification" : "kill a Soviet unit";
        return {
          text: `Pioneers: ${effect} in ${areaHere(t, s)}, ${t.costs.pioneer} CMD`,
          places: [areaId(areaOf(s))],
        };
      },
      does: (t, s, _i, play) => sendPioneers(t, s, play),
    },
  },
  by: () => GERMAN,
  holds: { area: heldArea },
  fault: orderFault,
};

export const guards: Decision = {
  rules: ["PS Guards", "PS 6"],
  asks: (_t, s) =>
    `before areas are captured a Guards unit may infiltrate (you have ${cmdText(s, actorOf(s))}). Where to?`,
  optional: true,
  marks(t, s, mask, at) {
    mask[at + DONE] = 1;
    return 1 + markGuards(t, s, mask, at);
  },
  acts: {
    done: {
      means: () => ({ text: "Move no Guards unit", warning: "The Guards' move is lost." }),
      does: () => CAPTURE,
    },
    guardsZ: {
      means: (t, s, to) => movesTo(t, s, `Move a Guards unit from Z${priceOf(t.costs.guardsFromZ)}`, Z, to),
      does: (t, s, to, play) => moveGuards(t, s, Z, to, play),
    },
    guardsVolga: {
      means: (t, s, to) =>
        movesTo(t, s, `Move a Guards unit from the Volga${priceOf(t.costs.guardsFromVolga)}`, VOLGA, to),
      does: (t, s, to, play) => moveGuards(t, s, VOLGA, to, play),
    },
  },
  by: () => SOVIET,
};
