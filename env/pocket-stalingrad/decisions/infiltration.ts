import { fault } from "../../core/decision.js";
import { type Decision, DONE, ratzelFrom, ratzelTo } from "../actions.js";
import { VOLGA, Z } from "../data.js";
import { areaId, areaText, forces, SIDE_WORDS } from "../events/words.js";
import { areaWith, cmdText, lapse, movesTo } from "../narration/words.js";
import {
  crossVolga,
  endDeploy,
  markCrossings,
  markIn,
  markOut,
  markRatzel,
  moveByRatzel,
  moveIn,
  moveOut,
  nextRatzel,
} from "../rules/infiltration.js";
import { actorOf, enemyOf, GERMAN, L, SOVIET } from "../state.js";
import { DEPLOY_IN_STEP, RATZEL_STEP } from "../steps.js";
import { byActive, rightFault } from "./held.js";

export const cross: Decision = {
  rules: ["PS 4.2", "PS Area 6 Soviet"],
  asks: (t, s) => `send a unit across the Volga for ${t.costs.volgaCrossing} CMD (you have ${cmdText(s, SOVIET)})?`,
  optional: true,
  marks(t, s, mask, at) {
    mask[at + DONE] = 1;
    return 1 + markCrossings(t, s, mask, at);
  },
  acts: {
    done: {
      means: (_t, s) => ({
        text: "Cross the Volga no more",
        warning: s[L.active] === GERMAN ? lapse(s, actorOf(s)) : null,
      }),
      does: () => RATZEL_STEP,
    },
    cross: {
      means: (t, s, to) => movesTo(t, s, `Cross the Volga (${t.costs.volgaCrossing} CMD)`, VOLGA, to),
      does: crossVolga,
    },
  },
  by: () => SOVIET,
};

export const ratzel: Decision = {
  rules: ["PS 3 Ratt 3", "PS 4.3"],
  asks: () => "Ratzel: move one enemy unit among Z and areas 1 to 5?",
  optional: true,
  marks(t, s, mask, at) {
    mask[at + DONE] = 1;
    return 1 + markRatzel(t, s, mask, at);
  },
  acts: {
    done: {
      means: () => ({ text: "Move no enemy unit by Ratzel", warning: "The Ratzel move is lost." }),
      does: (t, s, _i, play) => nextRatzel(t, s, play),
    },
    ratzel: {
      means(t, s, pair) {
        const from = ratzelFrom(pair);
        const text = `Move a ${SIDE_WORDS[enemyOf(actorOf(s))]} unit from ${areaText(t, from)}`;
        return movesTo(t, s, text, from, ratzelTo(pair));
      },
      does: moveByRatzel,
    },
  },
  by: (_t, s) => actorOf(s),
  fault: (_t, s) =>
    s[L.ratzel] === 0
      ? fault("ratzel", "is true while a Ratzel move is to be made, which needs a 3 of the Ratt die")
      : null,
};

export const deployOut: Decision = {
  rules: ["PS 3 Deploy", "PS 4.3"],
  asks: (_t, s) => `Deploy: move units out of Z (${forces(s, Z)}) into city areas?`,
  optional: true,
  marks(t, s, mask, at) {
    mask[at + DONE] = 1;
    return 1 + markOut(t, s, mask, at);
  },
  acts: {
    done: { means: () => "Move no more units out of Z", does: () => DEPLOY_IN_STEP },
    out: { means: (t, s, to) => movesTo(t, s, "Move a unit from Z", Z, to), does: moveOut },
  },
  by: byActive,
  fault: (_t, s) => rightFault(s, "deployOut", "deploy"),
};

export const deployIn: Decision = {
  rules: ["PS 3 Deploy", "PS 4.3"],
  asks: (_t, s) => `Deploy: bring units from city areas into Z (${forces(s, Z)})?`,
  optional: true,
  marks(t, s, mask, at) {
    mask[at + DONE] = 1;
    return 1 + markIn(t, s, mask, at);
  },
  acts: {
    done: { means: () => "Bring no more units into Z", does: (t, s, _i, play) => endDeploy(t, s, play) },
    in: {
      means: (t, s, from) => ({
        text: `Bring a unit into Z from ${areaWith(t, s, from)}`,
        places: [areaId(from), areaId(Z)],
      }),
      does: moveIn,
    },
  },
  by: byActive,
  fault: (_t, s) => rightFault(s, "deployIn", "deploy"),
};
