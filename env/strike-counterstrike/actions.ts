import { type ActionSpace, actionSpace, type Decision as CoreDecision, type Single } from "../core/decision.js";
import type { StateView } from "../core/layout.js";
import words from "./data/actions.json" with { type: "json" };
import { type ArmyId, type ClassId, type CompiledData, type HexId, SUPPORT, type Tables } from "./data.js";

/** What the numbers in each range of the action space stand for (`data/actions.json`). */
export type Ranges = {
  readonly done: Single;
  readonly stop: Single;
  readonly press: Single;
  readonly withdraw: Single;
  readonly commit: Single;
  readonly hold: Single;
  readonly lose: ClassId;
  readonly concede: Single;
  readonly army: ArmyId;
  readonly hex: HexId;
};

export interface Decision extends CoreDecision<Tables, Ranges> {
  /** Writes 1 at `at + hex * stride` for each hex that an action names. Absent: none does. @returns how many */
  readonly hexes?: MarkHexes;
}

export type MarkHexes = (t: Tables, s: StateView, out: Uint8Array | Float32Array, at: number, stride: number) => number;

/** The action space of a game with these numbers of armies and hexes. */
export const spaceFor = (armies: number, hexes: number): ActionSpace<Ranges> =>
  actionSpace<Ranges>({
    done: 1,
    stop: 1,
    press: 1,
    withdraw: 1,
    commit: 1,
    hold: 1,
    lose: SUPPORT, // the classes before it are those of units
    concede: 1,
    army: armies,
    hex: hexes,
  });

/** The ranges up to the armies begin at the same place in every game. */
const { first } = spaceFor(0, 0);

/** First action of each range. */
export const DONE = first.done;
export const STOP = first.stop;
export const PRESS = first.press;
export const WITHDRAW = first.withdraw;
export const COMMIT = first.commit;
export const HOLD = first.hold;
export const LOSE = first.lose;
export const CONCEDE = first.concede;
export const ARMY = first.army;

/** First action that names a hex: after the words and the armies. */
export const firstHex = (tables: CompiledData): number => ARMY + tables.armies.length;

/** The strings of all actions, in index order. */
export function actionNames(tables: CompiledData): string[] {
  return [
    ...words.words.map((x) => x.action),
    ...tables.armies.map((a) => `army ${a.id}`),
    ...tables.grid.ids.map((id) => `hex ${id}`),
  ];
}
