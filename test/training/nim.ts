import {
  type Dice,
  type Game,
  type GameType,
  layout,
  NOBODY,
  type Observation,
  type Options,
  type Rng,
  type State,
  type StateView,
} from "../../env/index.js";
import { readWords, writeWords } from "../toys/words.js";

export const MOST = 20;
const L = layout({ pile: 1, active: 1 });
const range: readonly [number, number] = [0, 1];

/** Take one, two or three from a pile; the player that takes the last wins. Leaving a multiple of four wins. */
class Nim implements Game {
  readonly players = ["first", "second"];
  readonly stateSize = L.size;
  readonly fields = L.fields;
  readonly actions = ["take 1", "take 2", "take 3"];
  readonly observation = {
    globals: Array.from({ length: MOST + 1 }, (_, i) => ({ name: `pile ${i}`, range, norm: "one-hot" })),
    mapRows: ["pile"],
    map: [{ name: "size", range, norm: "/ 20" }],
    unitRows: ["own"],
    units: [{ name: "moves", range, norm: "1 when the viewer moves" }],
    decision: [{ name: "any", range, norm: "1" }],
  };
  readonly statics = { neighbours: [[]], points: [[0, 0]] as [number, number][], placeNames: ["pile"] };
  readonly maxDecisions = MOST;
  readonly potentials = {};

  constructor(
    readonly type: GameType,
    readonly options: Options,
  ) {}

  start(s: State, dice: Dice): void {
    s[L.pile] = 5 + dice.draw(MOST - 4, (_, i) => `pile of ${5 + i}`);
  }

  actor(s: StateView): number {
    return s[L.pile] === 0 ? NOBODY : s[L.active]!;
  }

  legalMask(s: StateView, mask: Uint8Array, at: number): number {
    for (let a = 0; a < 3; a++) mask[at + a] = s[L.pile]! > a ? 1 : 0;
    return Math.min(3, s[L.pile]!);
  }

  apply(s: State, action: number): void {
    s[L.pile]! -= action + 1;
    s[L.active] = 1 - s[L.active]!;
  }

  returns(s: StateView, out: Float32Array): void {
    out[0] = s[L.pile]! > 0 ? 0 : s[L.active] === 1 ? 1 : -1;
    out[1] = -out[0] + 0;
  }

  observe(s: StateView, viewer: number, out: Observation): void {
    out.globals.fill(0);
    out.globals[s[L.pile]!] = 1;
    out.map[0] = s[L.pile]! / MOST;
    out.units[0] = viewer === s[L.active] ? 1 : 0;
    out.decision[0] = 1;
  }

  resample(s: StateView, _player: number, out: State, rng: Rng): boolean {
    for (let i = 0; i < L.size; i++) out[i] = s[i]!;
    rng.freshStream(out);
    return true;
  }

  write = (s: StateView) => writeWords(this, s);
  view = (s: StateView) => writeWords(this, s);
  read = (doc: Parameters<Game["read"]>[0], s: State) => readWords(this, doc, s);
  describeFor = (_before: StateView, action: number) => this.actions[action]!;
  render = (s: StateView) => `pile ${s[L.pile]}`;
  invariantViolation = () => null;
}

export const nim: GameType = {
  id: "toy-nim",
  title: "Nim",
  credits: "a toy for tests",
  version: 1,
  reconstructed: null,
  options: [],
  data: {},
  rules: {},
  guide: { short: "Take one or two from a pile.", medium: [] },
  load: (options) => new Nim(nim, options),
};

/** A state with this pile and the first player to move. */
export function pileOf(pile: number): State {
  const s = new Int32Array(L.size);
  s[L.pile] = pile;
  return s;
}
