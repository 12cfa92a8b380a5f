import {
  type Dice,
  type Game,
  type GameType,
  type JsonObject,
  layout,
  NOBODY,
  type Observation,
  type ObservationSpec,
  type Options,
  type Rng,
  type State,
  type StateView,
} from "../../env/index.js";
import { readWords, writeWords } from "./words.js";

export const CARDS = 12;
const HEALTH = 4;
const HOURS = 16;

/** Words of the state by name. */
export const L = layout({
  pile: CARDS, // kinds of card 1..4 in drawing order; the first `left` of them still lie in the pile
  left: 1,
  below: 1, // how many at the bottom of the pile were put there face-up: their order is remembered
  top: 1, // 1 when the top card has been looked at
  card: 1, // the card being met, 0 for none
  health: 1,
  score: 1,
  hour: 1, // 1..HOURS, HOURS + 1 at the end
});

const ACTIONS = ["go", "look", "fight", "evade", "rest"];
export const GO = 0;
export const LOOK = 1;
const FIGHT = 2;
const EVADE = 3;
const REST = 4;

const range: readonly [number, number] = [0, 1];
const OBSERVATION: ObservationSpec = {
  globals: [
    { name: "hour", range, norm: "hour / 17" },
    { name: "health", range, norm: "health / 4" },
    { name: "score", range, norm: "score / 30" },
    { name: "cards left", range, norm: "cards / 12" },
  ],
  mapRows: Array.from({ length: CARDS }, (_, i) => `card ${i + 1} of the pile`),
  map: [{ name: "kind", range, norm: "kind / 4; 0 when unknown or none" }],
  unitRows: ["met"],
  units: [{ name: "kind", range, norm: "kind / 4" }],
  decision: [{ name: "meeting", range, norm: "1 while a card is met" }],
};

/**
 * Solitaire: meet the cards of a pile in hidden order, fight them with a die or evade them, which puts them under the
 * pile where their order is remembered.
 */
export class Patrol implements Game {
  readonly players = ["patrol"];
  readonly stateSize = L.size;
  readonly fields = L.fields;
  readonly actions: readonly string[] = ACTIONS;
  readonly observation: ObservationSpec = OBSERVATION;
  readonly statics = {
    neighbours: OBSERVATION.mapRows.map((_, i) => (i === 0 ? [1] : i === CARDS - 1 ? [i - 1] : [i - 1, i + 1])),
    points: OBSERVATION.mapRows.map((_, i) => [i, 0] as [number, number]),
    placeNames: OBSERVATION.mapRows,
  };
  readonly maxDecisions: number = HOURS * 2;
  readonly potentials = { score: (s: StateView) => (this.actor(s) === NOBODY ? 0 : s[L.score]! / 30) };

  constructor(
    readonly type: GameType,
    readonly options: Options,
  ) {}

  start(s: State, dice: Dice): void {
    const left = new Array<number>(CARDS).fill(0).map((_, i) => 1 + (i % 4));
    for (let i = 0; i < CARDS; i++) {
      const at = dice.draw(left.length, (_s, k) => `card ${left[k]!}`);
      s[L.pile + i] = left.splice(at, 1)[0]!;
    }
    s[L.left] = CARDS;
    s[L.health] = HEALTH;
    s[L.hour] = 1;
  }

  actor(s: StateView): number {
    return s[L.hour]! > HOURS ? NOBODY : 0;
  }

  legalMask(s: StateView, mask: Uint8Array, at: number): number {
    mask.fill(0, at, at + ACTIONS.length);
    if (this.actor(s) === NOBODY) return 0;
    const meets = s[L.card]! > 0;
    mask[at + (meets ? FIGHT : GO)] = 1;
    mask[at + (meets ? EVADE : REST)] = 1;
    if (!meets && s[L.top] === 0 && s[L.below]! < s[L.left]!) mask[at + LOOK] = 1;
    return 2 + mask[at + LOOK]!;
  }

  apply(s: State, action: number, dice: Dice): void {
    if (action === GO) this.meet(s);
    else if (action === LOOK) {
      s[L.top] = 1;
      this.endHour(s);
    } else if (action === REST) {
      s[L.health] = Math.min(HEALTH, s[L.health]! + 1);
      this.endHour(s);
    } else {
      if (action === FIGHT) this.fight(s, dice);
      else this.putBelow(s);
      s[L.card] = 0;
      this.endHour(s);
    }
  }

  /** The top card is met. Rule: TP 1 */
  private meet(s: State): void {
    s[L.card] = s[L.pile]!;
    s[L.left]!--;
    for (let i = 0; i < CARDS - 1; i++) s[L.pile + i] = s[L.pile + i + 1]!;
    s[L.pile + s[L.left]!] = 0;
    s[L.top] = 0;
    if (s[L.below]! > s[L.left]!) s[L.below] = s[L.left]!;
  }

  /** A die of at least the kind's number plus one wins the card. Rule: TP 2 */
  private fight(s: State, dice: Dice): void {
    if (dice.d6() > s[L.card]!) s[L.score]! += s[L.card]!;
    else s[L.health]!--;
  }

  /** An evaded card goes under the pile, where it is remembered. Rule: TP 3 */
  private putBelow(s: State): void {
    s[L.pile + s[L.left]!] = s[L.card]!;
    s[L.left]!++;
    s[L.below]!++;
  }

  private endHour(s: State): void {
    s[L.hour] = s[L.health] === 0 || s[L.left] === 0 ? HOURS + 1 : s[L.hour]! + 1;
  }

  returns(s: StateView, out: Float32Array): void {
    out[0] = this.actor(s) !== NOBODY || s[L.score]! === 10 ? 0 : s[L.score]! > 10 ? 1 : -1;
  }

  /** True when the player knows card `i` of the pile. */
  protected isKnown(s: StateView, i: number): boolean {
    return i >= s[L.left]! - s[L.below]! || (i === 0 && s[L.top] === 1);
  }

  observe(s: StateView, _viewer: number, out: Observation): void {
    out.globals[0] = s[L.hour]! / (HOURS + 1);
    out.globals[1] = s[L.health]! / HEALTH;
    out.globals[2] = s[L.score]! / 30;
    out.globals[3] = s[L.left]! / CARDS;
    for (let i = 0; i < CARDS; i++) out.map[i] = this.isKnown(s, i) ? s[L.pile + i]! / 4 : 0;
    out.units[0] = s[L.card]! / 4;
    out.decision[0] = s[L.card]! > 0 ? 1 : 0;
  }

  /** Shuffles the part of the pile that the player doesn't know. */
  resample(s: StateView, _player: number, out: State, rng: Rng): boolean {
    for (let i = 0; i < L.size; i++) out[i] = s[i]!;
    rng.freshStream(out);
    const from = s[L.top]!;
    const pool: number[] = [];
    for (let i = from; i < s[L.left]! - s[L.below]!; i++) pool.push(s[L.pile + i]!);
    pool.sort((a, b) => a - b);
    for (let i = from; pool.length > 0; i++) out[L.pile + i] = pool.splice(rng.below(pool.length), 1)[0]!;
    return true;
  }

  write(s: StateView): JsonObject {
    return writeWords(this, s);
  }

  view(s: StateView, _viewer: number): JsonObject {
    const pile = Array.from({ length: s[L.left]! }, (_, i) => (this.isKnown(s, i) ? s[L.pile + i]! : null));
    return { ...writeWords(this, s, ["pile"]), pile };
  }

  read(doc: JsonObject, s: State, _dice: Dice): void {
    readWords(this, doc, s);
  }

  describeFor(_before: StateView, action: number, after: StateView, _viewer: number): string | null {
    return action === LOOK ? `look: ${after[L.pile]}` : ACTIONS[action]!;
  }

  render(s: StateView, _viewer: number): string {
    const pile = Array.from({ length: s[L.left]! }, (_, i) => (this.isKnown(s, i) ? s[L.pile + i]! : "?")).join(" ");
    return `hour ${s[L.hour]}  health ${s[L.health]}  score ${s[L.score]}  meets ${s[L.card]}\npile ${pile}`;
  }

  invariantViolation(s: StateView): string | null {
    const count = [0, 0, 0, 0, 0];
    for (let i = 0; i < CARDS; i++) {
      const kind = s[L.pile + i]!;
      if (kind < 0 || kind > 4 || kind > 0 !== i < s[L.left]!) return `card ${i + 1} of the pile is of kind ${kind}`;
      count[kind]!++;
    }
    if (s[L.card]! < 0 || s[L.card]! > 4) return `a card of kind ${s[L.card]} is met`;
    count[s[L.card]!]!++;
    for (let kind = 1; kind <= 4; kind++) if (count[kind]! > 3) return `${count[kind]} cards of kind ${kind}`;
    if (s[L.left]! < 0 || s[L.below]! < 0 || s[L.below]! > s[L.left]!) return "the pile is shorter than the part below";
    if (
      (s[L.top] !== 0 && s[L.top] !== 1) ||
      s[L.health]! < 0 ||
      s[L.health]! > HEALTH ||
      s[L.score]! < 0 ||
      s[L.score]! > 30
    )
      return "a value out of bounds";
    return s[L.hour]! < 1 || s[L.hour]! > HOURS + 1 ? `hour ${s[L.hour]}` : null;
  }
}

export const patrol: GameType = {
  id: "toy-patrol",
  title: "Patrol",
  credits: "a toy for tests",
  version: 1,
  reconstructed: null,
  options: [],
  data: {},
  rules: {
    "1": { says: "The top card is met", status: "done" },
    "2": { says: "A die beats a card or costs health", status: "done" },
    "3": { says: "Evaded cards go under the pile and are remembered", status: "done" },
  },
  guide: { short: "One player meets cards.", medium: ["Cards: fight or evade the top card (TP 1, TP 2, TP 3)."] },
  load: (options) => new Patrol(patrol, options),
};
