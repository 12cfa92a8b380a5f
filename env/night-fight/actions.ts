import { actionSpace, type Decision as CoreDecision, type Single } from "../core/decision.js";
import { GERMAN_TYPES, GERMANS, type GunId, type HexId, HEXES, RESTORABLE, type TypeId, type UnitId } from "./data.js";
import type { Tables } from "./data.js";

/** What the numbers in each range of the action space stand for (`data/actions.json`). */
export type Ranges = {
  readonly done: Single;
  readonly stop: Single;
  readonly exit: Single;
  readonly fire: Single;
  readonly reinstate: GunId;
  readonly buy: TypeId;
  readonly unit: UnitId;
  readonly hex: HexId;
};

export type Decision = CoreDecision<Tables, Ranges>;

export const SPACE = actionSpace<Ranges>({
  done: 1,
  stop: 1,
  exit: 1,
  fire: 1,
  reinstate: RESTORABLE.length,
  buy: GERMAN_TYPES.length,
  unit: GERMANS,
  hex: HEXES,
});

/** First index of each range. */
export const DONE = SPACE.first.done;
export const STOP = SPACE.first.stop;
export const EXIT = SPACE.first.exit;
export const FIRE_AGAIN = SPACE.first.fire;
export const REINSTATE_GUN = SPACE.first.reinstate;
export const BUY_TYPE = SPACE.first.buy;
export const UNIT = SPACE.first.unit;
export const HEX = SPACE.first.hex;

export function actionNames(tables: Tables): string[] {
  return [
    "done", "stop", "exit", "fire",
    ...RESTORABLE.map((r) => `reinstate ${r}`),
    ...GERMAN_TYPES.map((type) => `buy ${type}`),
    ...tables.unitNames.slice(0, GERMANS).map((name) => `unit ${name}`),
    ...tables.ids.map((id) => `hex ${id}`),
  ]; // prettier-ignore
}
