import {
  genericScene,
  type Guide,
  NO_ORDER_RULES,
  type OrderRules,
  type State,
  type StateView,
} from "../../env/index.js";
import { Race, race } from "../toys/race.js";
import { CHANCES } from "./chance-faults.js";
import { type Fault, inRace } from "./fault.js";
import { LEAKS } from "./leak-faults.js";
import { NARRATION } from "./narration-faults.js";
import { DOCUMENTS, OBSERVATION } from "./observation-faults.js";
import { PLAY } from "./play-faults.js";
import { SAMPLES } from "./resample-faults.js";

const guideOf = (...medium: string[]): { guide: Guide } => ({ guide: { ...race.guide, medium } });
const ordersOf = (rules: Partial<OrderRules>) => ({ orders: { ...NO_ORDER_RULES, ...rules } });

const STATIC: Fault[] = [
  inRace(
    "scene",
    "a counter is nowhere",
    class extends Race {
      scene(s: StateView, viewer: number) {
        const counter = { id: "runner", kind: "counter" as const, place: "beyond", title: "runner" };
        return { ...genericScene(this, s, viewer), counters: [counter] };
      }
    },
  ),
  inRace(
    "action-names",
    "two actions have one name",
    class extends Race {
      override readonly actions = [
        "roll 1",
        "roll 1",
        "roll 3",
        "hold",
        "keep 2",
        "keep 3",
        "keep 4",
        "keep 5",
        "keep 6",
        "leave",
      ];
    },
  ),
  inRace(
    "spec",
    "a feature has its range the wrong way round",
    class extends Race {
      override readonly observation = {
        ...new Race(race, {}).observation,
        decision: [
          { name: "keeping", range: [1, 0] as const, norm: "?" },
          { name: "throws", range: [0, 1] as const, norm: "?" },
        ],
      };
    },
  ),
  inRace("rules-index", "a rule belongs to an option that is not there", Race, {
    rules: { "1": { says: "Something", status: "option", option: "none" } },
  }),
  inRace("orders", "orders decline with an action that is not there", Race, ordersOf({ declines: ["pass"] })),
  inRace("orders", "orders put decisions together that are not there", Race, ordersOf({ sets: [["attack"]] })),
  inRace("orders", "a word of orders stands for no action", Race, ordersOf({ words: { throw: "dice" } })),
  inRace("guide", "a guide cites a rule that does not exist", Race, guideOf("Throws: keep dice (TR 1, TR 2, TR 9).")),
  inRace("guide", "a guide cites a rule that is not built", Race, guideOf("Throws: keep dice (TR 1, TR 2, TR 4).")),
  inRace("guide", "a paragraph cites nothing", Race, guideOf("Throws: keep dice (TR 1, TR 2).", "Advice: none.")),
  inRace("guide", "a guide leaves out the rule of a decision", Race, guideOf("Goal: points (TR 1).")),
  inRace("guide", "there is no guide", Race, { guide: undefined as unknown as Guide }),
];

const BATCHES: Fault[] = [
  inRace(
    "batch",
    "the state's buffer is taken to hold one state",
    class extends Race {
      override actor(s: StateView) {
        return super.actor(new Int32Array((s as State).buffer));
      }
    },
  ),
  inRace(
    "crashed",
    "a question throws",
    class extends Race {
      override describeFor(): string | null {
        throw new Error("no record");
      }
    },
  ),
];

export const FAULTS: readonly Fault[] = [
  ...STATIC,
  ...PLAY,
  ...DOCUMENTS,
  ...OBSERVATION,
  ...SAMPLES,
  ...LEAKS,
  ...NARRATION,
  ...CHANCES,
  ...BATCHES,
];
