import {
  type ChanceOutcome,
  CHANCE,
  type Choice,
  type Dice,
  endersLast,
  EVERYTHING,
  type Game,
  type GameEvent,
  type GameType,
  type JsonObject,
  multisets6,
  type Narrator,
  NOBODY,
  type Observation,
  type ObservationSpec,
  type Options,
  type Prompt,
  type Rng,
  type Standing,
  type State,
  type StateView,
} from "../../env/index.js";
import {
  ACTIONS,
  CHOOSE,
  EVENTS,
  HOLD,
  KEEP,
  L,
  LEAVE,
  OBSERVATION,
  onTable,
  PHASES,
  THROWN,
  THROWS,
  TURNS,
} from "./race-spec.js";
import { readWords, writeWords } from "./words.js";

export { L } from "./race-spec.js";

/**
 * Two players, everything public: throw up to three dice, take some into the pot one by one, throw again or hold; a 1
 * loses the pot (TR 2). A tiny state, decisions inside a decision, explicit chance.
 */
export class Race implements Game {
  readonly players = ["north", "south"];
  readonly stateSize = L.size;
  readonly fields = L.fields;
  readonly actions: readonly string[] = ACTIONS;
  readonly observation: ObservationSpec = OBSERVATION;
  readonly statics = {
    neighbours: [[1], [0, 2], [1, 3], [2, 4], [3]],
    points: [
      [0, 0],
      [1, 0],
      [2, 0],
      [3, 0],
      [4, 0],
    ] as [number, number][],
    placeNames: OBSERVATION.mapRows,
  };
  readonly maxDecisions: number = TURNS * (THROWS * 4 + 1);
  readonly potentials = {
    lead: (s: StateView) => (this.actor(s) === NOBODY ? 0 : (s[L.score]! - s[L.score + 1]!) / 90),
  };
  readonly margin = (s: StateView): number => Math.max(-1, Math.min(1, (s[L.score]! - s[L.score + 1]!) / 90));
  readonly chance = {
    set: (s: State, on: boolean): void => {
      s[L.explicit] = on ? 1 : 0;
    },
    outcomes: (s: StateView): ChanceOutcome[] =>
      multisets6(s[L.waiting]!).map((m) => ({ name: m.faces.join(" "), probability: m.weight / 6 ** s[L.waiting]! })),
    apply: (s: State, index: number): void => {
      const { counts } = multisets6(s[L.waiting]!)[index]!;
      for (let f = 0; f < 6; f++) s[L.table + f]! += counts[f]!;
      this.fall(s);
    },
  };

  readonly narration = {
    prompt: (s: StateView, viewer: number): Prompt => this.prompt(s, viewer),
    standing: (s: StateView, _viewer: number): Standing => this.standing(s),
  };
  private narrator: Narrator | null = null;

  constructor(
    readonly type: GameType,
    readonly options: Options,
  ) {}

  start(s: State, _dice: Dice): void {
    s[L.turn] = 1;
  }

  private prompt(s: StateView, viewer: number): Prompt {
    const actor = this.actor(s);
    const by = actor < 0 ? null : this.players[actor]!;
    const keeping = s[L.phase] === KEEP;
    const mask = new Uint8Array(ACTIONS.length);
    if (actor >= 0 && (viewer === actor || viewer === EVERYTHING)) this.legalMask(s, mask, 0);
    const choices = [...mask.keys()].filter((a) => mask[a] === 1).map((a) => this.choice(s, a));
    const asked = keeping ? "which die to keep" : `whether to throw, with ${s[L.pot]} in the pot`;
    return {
      by,
      kind: PHASES[s[L.phase]!]!,
      text: by === null ? "Nobody decides." : `The ${by} player decides ${asked}.`,
      rule: "2",
      seeAlso: ["1"],
      units: [],
      places: [],
      choices: endersLast(choices),
    };
  }

  private choice(s: StateView, action: number): Choice {
    const text =
      action < HOLD
        ? `Throw ${action + 1} dice`
        : action === HOLD
          ? `Score ${s[L.pot]}`
          : action === LEAVE
            ? "Leave the other dice"
            : `Keep a ${action - 2}`;
    const places = action > HOLD && action < LEAVE ? [String(action - 2)] : [];
    const ends = action === HOLD ? "turn" : action === LEAVE ? "phase" : null;
    return { action, name: ACTIONS[action]!, text, places, units: [], ends, warning: null };
  }

  private standing(s: StateView): Standing {
    const need = Number(this.options["target"]);
    const lead = s[L.score]! - s[L.score + 1]!;
    return {
      conditions: this.players.map((side, p) => {
        const have = s[L.score + p]!;
        const text = "Reach the target.";
        return { rule: "1", side, text, have, need, unit: "points", places: [], met: have >= need, when: "at once" };
      }),
      winnerNow: lead === 0 ? null : this.players[lead > 0 ? 0 : 1]!,
      ifEndedNow: lead === 0 ? "Nobody leads." : `The ${this.players[lead > 0 ? 0 : 1]} player leads.`,
    };
  }

  /** Tells of the player whose turn it is. */
  private tell(s: StateView, what: string, text: string, more: Partial<GameEvent> = {}): void {
    this.narrator?.tell({ what, rule: "2", by: this.players[s[L.active]!]!, text, ...more });
  }

  actor(s: StateView): number {
    if (s[L.turn]! > TURNS) return NOBODY;
    return s[L.phase] === THROWN ? CHANCE : s[L.active]!;
  }

  legalMask(s: StateView, mask: Uint8Array, at: number): number {
    mask.fill(0, at, at + ACTIONS.length);
    if (this.actor(s) < 0) return 0;
    const keeping = s[L.phase] === KEEP;
    if (s[L.pot]! > 0) mask[at + (keeping ? LEAVE : HOLD)] = 1;
    if (!keeping && s[L.throws]! < THROWS) mask.fill(1, at, at + 3);
    if (keeping) for (let f = 1; f < 6; f++) if (s[L.table + f]! > 0) mask[at + HOLD + f] = 1;
    let n = 0;
    for (let a = 0; a < ACTIONS.length; a++) n += mask[at + a]!;
    return n;
  }

  apply(s: State, action: number, dice: Dice, narrator: Narrator | null = null): void {
    this.narrator = narrator;
    this.carryOut(s, action, dice);
    this.narrator = null;
  }

  private carryOut(s: State, action: number, dice: Dice): void {
    if (action < HOLD) {
      s[L.throws]!++;
      s[L.waiting] = action + 1;
      if (s[L.explicit] === 1) s[L.phase] = THROWN;
      else {
        dice.throw6(action + 1, s, L.table);
        if (this.narrator !== null) this.tellThrow(s);
        this.fall(s);
      }
    } else if (action === HOLD) {
      s[L.score + s[L.active]!]! += s[L.pot]!;
      this.tell(s, "hold", `The pot of ${s[L.pot]} is scored.`, { amount: s[L.pot]! });
      this.endTurn(s);
    } else if (action === LEAVE) {
      s.fill(0, L.table, L.table + 6);
      s[L.phase] = CHOOSE;
      this.tell(s, "leave", "The other dice are left.");
    } else {
      s[L.pot]! += action - 2;
      s[L.table + action - 3]!--;
      if (onTable(s) === 0) s[L.phase] = CHOOSE;
      this.tell(s, "keep", `A ${action - 2} is kept.`, { places: [String(action - 2)] });
    }
  }

  private tellThrow(s: StateView): void {
    const faces = [1, 2, 3, 4, 5, 6].flatMap((f) => Array<number>(s[L.table + f - 1]!).fill(f));
    const result = faces[0] === 1 ? "a 1" : "no 1";
    this.tell(s, "throw", `Thrown: ${faces.join(" ")}.`, {
      outcome: result,
      dice: [{ by: this.players[s[L.active]!]!, purpose: "throw", sides: 6, faces, needed: "2+", result }],
    });
  }

  /** The throw is on the table: a 1 loses the pot and the turn. Rule: TR 2 */
  private fall(s: State): void {
    s[L.waiting] = 0;
    // Rule: TR 3
    if (this.options["mercy"] === true && s[L.throws] === 1 && s[L.table] === 1) {
      s[L.table] = 0;
      this.tell(s, "mercy", "The 1 is taken away.", { rule: "3" });
    }
    if (s[L.table]! > 0) {
      this.tell(s, "bust", "The pot is lost.");
      this.endTurn(s);
    } else s[L.phase] = onTable(s) > 0 ? KEEP : CHOOSE;
  }

  private endTurn(s: State): void {
    s.fill(0, L.table, L.table + 6);
    s[L.pot] = 0;
    s[L.throws] = 0;
    s[L.phase] = CHOOSE;
    // Rule: TR 1
    if (s[L.score + s[L.active]!]! >= Number(this.options["target"])) s[L.turn] = TURNS + 1;
    else s[L.turn]!++;
    s[L.active] = 1 - s[L.active]!;
    this.tell(s, "turn", s[L.turn]! > TURNS ? "The game is over." : `Turn ${s[L.turn]} begins.`, { rule: "1" });
  }

  returns(s: StateView, out: Float32Array): void {
    out.fill(0);
    if (this.actor(s) !== NOBODY) return;
    out[0] = Math.sign(s[L.score]! - s[L.score + 1]!);
    out[1] = -out[0];
  }

  observe(s: StateView, viewer: number, out: Observation): void {
    const me = viewer < 0 ? 0 : viewer;
    out.globals[0] = s[L.turn]! / (TURNS + 1);
    out.globals[1] = s[L.pot]! / 54;
    out.globals[2] = Number(this.options["target"]) / 30;
    for (let f = 1; f < 6; f++) out.map[f - 1] = s[L.table + f]! / 3;
    out.units[0] = s[L.score + me]! / 90;
    out.units[1] = s[L.score + 1 - me]! / 90;
    out.decision[0] = s[L.phase] === KEEP ? 1 : 0;
    out.decision[1] = s[L.throws]! / THROWS;
  }

  resample(s: StateView, _player: number, out: State, rng: Rng): boolean {
    for (let i = 0; i < L.size; i++) out[i] = s[i]!;
    rng.freshStream(out);
    return true;
  }

  write(s: StateView): JsonObject {
    return writeWords(this, s, ["explicit"]);
  }

  view(s: StateView, _viewer: number): JsonObject {
    return this.write(s);
  }

  read(doc: JsonObject, s: State, _dice: Dice): void {
    readWords(this, doc, s, ["explicit"]);
  }

  describeFor(_before: StateView, action: number, _after: StateView, _viewer: number): string | null {
    return ACTIONS[action]!;
  }

  render(s: StateView, _viewer: number): string {
    const who = this.actor(s) === NOBODY ? "over" : this.players[s[L.active]!]!;
    return `turn ${s[L.turn]} (${who})  north ${s[L.score]}  south ${s[L.score + 1]}  pot ${s[L.pot]}`;
  }

  invariantViolation(s: StateView): string | null {
    const dice = onTable(s);
    for (const f of L.fields)
      for (let i = 0; i < f.size; i++) if (f.name !== "rng" && s[f.offset + i]! < 0) return `${f.name} is negative`;
    if (s[L.active]! > 1 || s[L.phase]! > THROWN || s[L.throws]! > THROWS || s[L.turn]! < 1 || s[L.turn]! > TURNS + 1)
      return "no such phase";
    if (s[L.pot]! > 54 || s[L.score]! > 90 || s[L.score + 1]! > 90) return "points nobody can reach";
    if (dice > 3 || s[L.waiting]! > 3) return "more than three dice";
    if (s[L.table]! > 0) return "a 1 is on the table";
    if ((s[L.phase] === KEEP) !== dice > 0) return `${dice} dice on the table in phase ${PHASES[s[L.phase]!]!}`;
    if ((s[L.phase] === THROWN) !== s[L.waiting]! > 0) return "dice in the air and phase do not fit";
    return s[L.phase] === CHOOSE && s[L.throws] === THROWS && s[L.pot] === 0
      ? "no throw left and nothing to hold"
      : null;
  }
}

export const race: GameType = {
  id: "toy-race",
  title: "Race",
  credits: "a toy for tests",
  version: 1,
  reconstructed: null,
  options: [
    { id: "target", about: "points that win at once", values: [10, 20, 30], default: 20, provenance: "TR 1" },
    {
      id: "mercy",
      about: "one 1 in the first throw of a turn is only taken away",
      values: [false, true],
      default: false,
      provenance: "TR 3",
    },
  ],
  data: {},
  events: EVENTS,
  rules: {
    "1": { says: "The first to reach the target wins", status: "done" },
    "2": { says: "A 1 loses the pot and the turn", status: "done" },
    "3": { says: "One 1 in the first throw is forgiven", status: "option", option: "mercy" },
    "4": { says: "Players may agree on a draw", status: "absent", reason: "no action between two players at once" },
  },
  guide: {
    short: "Two players throw dice and keep points.",
    medium: ["Throws: choose which dice to keep, then throw again or hold; a 1 loses the pot (TR 1, TR 2)."],
  },
  load: (options) => new Race(race, options),
};
