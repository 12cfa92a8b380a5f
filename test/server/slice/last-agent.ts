import type { Agent } from "../../../agents/agent.js";
import { TOY_LIBRARY } from "../toys.js";

/** Takes the last legal action: what it does in one environment depends on nothing in the others. */
const LAST: Agent = {
  name: "last",
  act({ size, mask, game }, out) {
    const A = game.actions.length;
    for (let i = 0; i < size; i++) out[i] = mask.subarray(i * A, (i + 1) * A).lastIndexOf(1);
  },
};

/** The toy games with this agent only, for worker threads too, which import this module. */
export const library = { load: TOY_LIBRARY.load, makeAgent: () => Promise.resolve(LAST) };
export const LAST_LIBRARY = { ...TOY_LIBRARY, ...library, module: import.meta.url };
