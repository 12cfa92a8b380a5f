import {
  type Dice,
  type Feature,
  type Game,
  type GameType,
  type Observation,
  type Rng,
  type State,
  type StateView,
} from "../../env/index.js";
import { readWords, writeWords } from "../toys/words.js";

export const range: readonly [number, number] = [0, 1];

/** What the small games of these tests have in common: one place, one row of units, no options, positions as words. */
export abstract class Toy implements Game {
  abstract readonly players: readonly string[];
  abstract readonly actions: readonly string[];
  abstract readonly maxDecisions: number;
  readonly stateSize: number;
  readonly fields: Game["fields"];
  readonly observation: Game["observation"];
  readonly statics = { neighbours: [[]], points: [[0, 0]] as [number, number][], placeNames: ["table"] };
  readonly potentials = {};
  readonly options = {};
  readonly type: GameType;

  constructor(
    id: string,
    title: string,
    short: string,
    L: { readonly size: number; readonly fields: Game["fields"] },
    globals: readonly Feature[],
  ) {
    this.stateSize = L.size;
    this.fields = L.fields;
    const any = [{ name: "any", range, norm: "1" }];
    this.observation = { globals, mapRows: ["table"], map: any, unitRows: ["own"], units: any, decision: any };
    this.type = {
      ...{ id, title, credits: "a toy for tests", version: 1, reconstructed: null },
      ...{ options: [], data: {}, rules: {}, guide: { short, medium: [] } },
      load: () => this,
    };
  }

  abstract start(s: State, dice: Dice): void;
  abstract actor(s: StateView): number;
  abstract legalMask(s: StateView, mask: Uint8Array, at: number): number;
  abstract apply(s: State, action: number, dice: Dice): void;
  abstract returns(s: StateView, out: Float32Array): void;
  abstract observe(s: StateView, viewer: number, out: Observation): void;

  resample(s: StateView, player: number, out: State, rng: Rng): boolean {
    for (let i = 0; i < this.stateSize; i++) out[i] = s[i]!;
    this.deal(out, player, rng);
    rng.freshStream(out);
    return true;
  }

  /** Draws again what a player can't see. */
  protected deal(_out: State, _player: number, _rng: Rng): void {
    // nothing is hidden
  }

  write = (s: StateView) => writeWords(this, s);
  view(s: StateView, _player: number) {
    return writeWords(this, s);
  }
  read = (doc: Parameters<Game["read"]>[0], s: State) => readWords(this, doc, s);
  describeFor = (_before: StateView, action: number) => this.actions[action]!;
  render = () => this.type.title;
  invariantViolation = () => null;
}
