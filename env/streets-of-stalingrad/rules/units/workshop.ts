import { KINDS } from "../../schema.js";
import type { Tables } from "../../state.js";

export const REPAIR = KINDS.indexOf("tank-repair");

/** True when a repair unit may be in a hex. It is set up in the factory and never moves. Rule: SOS 2.25, SOS 16.71 */
export const isWorkshop = ({ board, charts }: Tables, hex: number): boolean =>
  hex >= 0 && charts.isWorkshop(board.ids[hex]!);
