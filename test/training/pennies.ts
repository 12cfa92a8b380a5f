import {
  type Game,
  type GameType,
  layout,
  NOBODY,
  type Observation,
  type Rng,
  type State,
  type StateView,
} from "../../env/index.js";
import { readWords, writeWords } from "../toys/words.js";

const L = layout({ hidden: 1, guessed: 1 });
const range: readonly [number, number] = [0, 1];

/** In equilibrium both players choose `left` so often. */
export const LEFT = 0.4;

/** One hides a coin left or right, the other guesses where. Found left it costs 1, found right a half; unfound it gains a half. */
class Pennies implements Game {
  readonly players = ["hider", "guesser"];
  readonly stateSize = L.size;
  readonly fields = L.fields;
  readonly actions = ["left", "right"];
  readonly observation = {
    globals: [{ name: "guesses", range, norm: "1 for the guesser" }],
    mapRows: ["table"],
    map: [{ name: "any", range, norm: "1" }],
    unitRows: ["own"],
    units: [{ name: "any", range, norm: "1" }],
    decision: [{ name: "any", range, norm: "1" }],
  };
  readonly statics = { neighbours: [[]], points: [[0, 0]] as [number, number][], placeNames: ["table"] };
  readonly maxDecisions = 2;
  readonly potentials = {};
  readonly options = {};

  get type(): GameType {
    return {
      id: "toy-pennies",
      title: "Pennies",
      credits: "a toy for tests",
      version: 1,
      reconstructed: null,
      options: [],
      data: {},
      rules: {},
      guide: { short: "Hide a coin, or guess where it is.", medium: [] },
      load: () => this,
    };
  }

  start(): void {
    // nothing to deal
  }

  actor = (s: StateView) => (s[L.hidden] === 0 ? 0 : s[L.guessed] === 0 ? 1 : NOBODY);

  legalMask(s: StateView, mask: Uint8Array, at: number): number {
    const legal = s[L.guessed] === 0 ? 1 : 0;
    mask.fill(legal, at, at + 2);
    return 2 * legal;
  }

  apply(s: State, action: number): void {
    s[s[L.hidden] === 0 ? L.hidden : L.guessed] = action + 1;
  }

  returns(s: StateView, out: Float32Array): void {
    out[0] = s[L.guessed] === 0 ? 0 : s[L.guessed] !== s[L.hidden] ? 0.5 : s[L.hidden] === 1 ? -1 : -0.5;
    out[1] = -out[0] + 0;
  }

  observe(_s: StateView, viewer: number, out: Observation): void {
    for (const tensor of [out.map, out.units, out.decision]) tensor.fill(1);
    out.globals[0] = viewer;
  }

  resample(s: StateView, player: number, out: State, rng: Rng): boolean {
    for (let i = 0; i < L.size; i++) out[i] = s[i]!;
    if (player === 1 && s[L.hidden] !== 0) out[L.hidden] = 1 + rng.below(2);
    rng.freshStream(out);
    return true;
  }

  write = (s: StateView) => writeWords(this, s);
  view = (s: StateView, player: number) => writeWords(this, s, player === 1 ? ["hidden"] : []);
  read = (doc: Parameters<Game["read"]>[0], s: State) => readWords(this, doc, s);
  describeFor = (_before: StateView, action: number) => this.actions[action]!;
  render = () => "two hands";
  invariantViolation = () => null;
}

export const pennies: Game = new Pennies();
