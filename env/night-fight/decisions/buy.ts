import { counted } from "../../core/words.js";
import { BUY_TYPE, type Decision, DONE, REINSTATE_GUN } from "../actions.js";
import { TRUCK } from "../data.js";
import { gunName, titleOf, typeName } from "../events/words.js";
import { buyUnit, firstAt, markGuns, markTypes, placeAce, restoreGun } from "../rules/purchase.js";
import { countAt, L, POOL, REINSTATE, setPhase, WAITING } from "../state.js";
import { wastedPoints } from "../narration/units.js";
import { beginTurn } from "../turn.js";

export const buy: Decision = {
  rules: ["NF 11.3 A", "NF 11.4", "NF 11.3 C", "NF 11.3"],
  caption: "buy units",
  asks: (t, s) =>
    `Which unit do you buy? ${s[L.budget]} of ${t.budget} points are left, ${counted(countAt(s, WAITING), "unit")} bought.`,
  marks(t, s, mask, at) {
    mask[at + DONE] = 1;
    return 1 + markTypes(t, s, mask, at + BUY_TYPE);
  },
  acts: {
    done: {
      means: (t, s) => ({ text: "Buy no more", ends: "phase", warning: wastedPoints(t, s) }),
      does: (_t, s) => setPhase(s, REINSTATE),
    },
    buy: {
      means(t, s, type) {
        const u = firstAt(t, s, type, POOL);
        const parts = [
          `${t.cost[type]} points`,
          `strength ${t.strength[u]}`,
          `range ${t.range[u]}`,
          `${t.mp[u]} MP`,
          ...(t.night[u]! > 0 ? [`night +${t.night[u]}`] : []),
        ];
        return { text: `Buy ${typeName(t, type)} (${parts.join(", ")})`, units: [t.unitNames[u]!] };
      },
      does: buyUnit,
    },
  },
};

export const reinstate: Decision = {
  rules: ["NF 11.3 C", "NF 11.3"],
  caption: "restore guns with the trucks' ammunition",
  asks: () => "Do you give a truck up to restore a gun?",
  marks(t, s, mask, at) {
    mask[at + DONE] = 1;
    return 1 + markGuns(t, s, mask, at + REINSTATE_GUN);
  },
  acts: {
    done: {
      means: () => ({ text: "Keep the trucks", ends: "phase" }),
      does(t, s, _i, play) {
        placeAce(t, s, play);
        beginTurn(t, s, play);
      },
    },
    reinstate: {
      means(t, s, r) {
        const truck = firstAt(t, s, TRUCK, WAITING);
        return {
          text: `Give ${titleOf(t, truck)} up: the ${gunName(t, r)} has shells for its gun`,
          units: [t.unitNames[truck]!],
          warning: "A truck given up counts as one that did not get out.",
        };
      },
      does: restoreGun,
    },
  },
};
