import {
  type Dice,
  EVERYTHING,
  type Game,
  type GameEvent,
  type GameType,
  type JsonObject,
  type Narrator,
  NOBODY,
  type Observation,
  type ObservationSpec,
  type Options,
  type Prompt,
  type Rng,
  RNG_WORDS,
  type Standing,
  type State,
  type StateView,
} from "../../env/index.js";
import {
  ACTIONS,
  ANSWER,
  AT,
  counterName,
  EVENTS,
  FLEE,
  FLEES,
  L,
  living,
  nth,
  OBSERVATION,
  PHASES,
  REGROUP,
  SEND,
  SLOTS,
  slots,
  STAND,
  STRENGTH,
  SUPPLY,
  TURNS,
  violation,
  WITH,
} from "./ambush-spec.js";
import { prompt, standing } from "./ambush-narration.js";
import { readWords, writeWords } from "./words.js";

export { L, REGROUP, SLOTS, STRENGTH } from "./ambush-spec.js";

/**
 * Two players with face-down counters: send one against another, add supply in secret; the attacked side answers in
 * between, then both are turned up and fight with a die each. What was turned up or has fled is remembered.
 */
export class Ambush implements Game {
  readonly players = ["red", "blue"];
  readonly stateSize = L.size;
  readonly fields = L.fields;
  readonly actions: readonly string[] = ACTIONS;
  readonly observation: ObservationSpec = OBSERVATION;
  readonly statics = { neighbours: [[]], points: [[0, 0]] as [number, number][], placeNames: ["field"] };
  readonly maxDecisions: number = TURNS * 4;
  readonly potentials = {
    counters: (s: StateView) => (this.actor(s) === NOBODY ? 0 : (living(s, 0) - living(s, 1)) / SLOTS),
  };

  readonly narration = {
    prompt: (s: StateView, viewer: number): Prompt => prompt(this, s, viewer),
    standing: (s: StateView, _viewer: number): Standing => standing(this.players, s),
  };
  private narrator: Narrator | null = null;

  constructor(
    readonly type: GameType,
    readonly options: Options,
  ) {}

  /** Tells of one side what everybody may know. */
  private tell(side: number, what: string, rule: string, text: string, more: Partial<GameEvent> = {}): void {
    this.narrator?.tell({ what, rule, by: this.players[side]!, text, ...more });
  }

  start(s: State, dice: Dice, narrator: Narrator | null = null): void {
    this.narrator = narrator;
    for (let side = 0; side < 2; side++) {
      for (let i = 0; i < SLOTS; i++) {
        s[L.slot + side * SLOTS + i] = i;
        s[L.alive + side * SLOTS + i] = 1;
      }
      this.mix(s, side, dice);
      s[L.supplies + side] = 2;
    }
    s[L.turn] = 1;
    s[L.sent] = s[L.target] = -1;
    this.narrator = null;
  }

  /** Shuffles the living counters of one side; the other side does not know where they go. Rule: TA 4 */
  private mix(s: State, side: number, dice: Dice): void {
    const at = side * SLOTS;
    const drawn: string[] = [];
    let left = living(s, side);
    for (let i = SLOTS - 1; i > 0; i--) {
      if (s[L.alive + at + i] === 0) continue;
      let j = nth(
        s,
        at,
        dice.draw(left--, (t, r) => counterName(t[L.slot + at + nth(t, at, r)]!)),
      );
      j += at;
      drawn.push(counterName(s[L.slot + j]!));
      const k = s[L.slot + at + i]!;
      s[L.slot + at + i] = s[L.slot + j]!;
      s[L.slot + j] = k;
    }
    for (let i = at; i < at + SLOTS; i++) if (s[L.alive + i] === 1) s[L.known + i] = s[L.fled + i] = 0;
    this.narrator?.tellEach((viewer) => {
      const event = { what: "regroup", rule: "4", by: this.players[side]!, text: "Living counters are mixed." };
      if ((viewer !== side && viewer !== EVERYTHING) || drawn.length === 0) return event;
      const mixed = { by: event.by, purpose: "mixing", sides: 0, faces: drawn, needed: null, result: "mixed" };
      return { ...event, dice: [mixed] };
    });
  }

  actor(s: StateView): number {
    if (s[L.turn]! > TURNS) return NOBODY;
    return s[L.phase] === ANSWER ? 1 - s[L.active]! : s[L.active]!;
  }

  legalMask(s: StateView, mask: Uint8Array, at: number): number {
    mask.fill(0, at, at + ACTIONS.length);
    if (this.actor(s) === NOBODY) return 0;
    const mine = s[L.active]! * SLOTS;
    const theirs = SLOTS - mine;
    const phase = s[L.phase]!;
    if (phase === SEND) {
      for (let i = 0; i < SLOTS; i++) mask[at + i] = s[L.alive + mine + i]!;
      mask[at + REGROUP] = 1;
    } else if (phase === AT) for (let i = 0; i < SLOTS; i++) mask[at + SLOTS + i] = s[L.alive + theirs + i]!;
    else if (phase === SUPPLY) {
      if (s[L.supplies + s[L.active]!]! > 0) mask[at + WITH] = 1;
      mask[at + WITH + 1] = 1;
    } else {
      mask[at + STAND] = 1;
      if (STRENGTH[s[L.slot + theirs + s[L.target]!]!]! <= FLEES) mask[at + FLEE] = 1;
    }
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
    const active = s[L.active]!;
    if (action < SLOTS) {
      s[L.sent] = action;
      s[L.phase] = AT;
      this.tell(active, "send", "2", `Counter ${action + 1} is sent.`);
    } else if (action < REGROUP) {
      s[L.target] = action - SLOTS;
      s[L.phase] = SUPPLY;
      this.tell(active, "at", "2", `Its target is counter ${action - SLOTS + 1}.`);
    } else if (action === REGROUP) {
      this.mix(s, active, dice);
      this.endTurn(s);
    } else if (action < STAND) {
      s[L.supply] = action === WITH ? 1 : 0;
      s[L.phase] = ANSWER;
      const made = { what: "supply", rule: "2", by: this.players[active]!, text: "Supply is decided." };
      const bid = { ...made, text: action === WITH ? "One supply is bid." : "No supply is bid." };
      this.narrator?.tellEach((viewer) => (viewer === active || viewer === EVERYTHING ? bid : made));
    } else {
      const attacker = active * SLOTS + s[L.sent]!;
      const defender = (1 - active) * SLOTS + s[L.target]!;
      if (action === FLEE) {
        s[L.fled + defender] = 1;
        this.tell(1 - active, "flight", "3", "The counter attacked flees.", { outcome: "flight" });
      } else this.fight(s, attacker, defender, dice);
      this.endTurn(s);
    }
  }

  /** Both are turned up and throw a die each; the attacker needs more. Rule: TA 2 */
  private fight(s: State, attacker: number, defender: number, dice: Dice): void {
    s[L.supplies + s[L.active]!]! -= s[L.supply]!;
    s[L.known + attacker] = s[L.known + defender] = 1;
    const die = dice.d6();
    const reply = dice.d6();
    const attack = STRENGTH[s[L.slot + attacker]!]! + s[L.supply]! + die;
    const defence = STRENGTH[s[L.slot + defender]!]! + reply;
    s[L.alive + (attack > defence ? defender : attacker)] = 0;
    if (this.narrator === null) return;
    const active = s[L.active]!;
    const thrown = (side: number, face: number, sum: number) => {
      const result = `sum ${sum}`;
      return { by: this.players[side]!, purpose: "fight", sides: 6, faces: [face], needed: null, result };
    };
    this.tell(active, "fight", "2", `The attack reaches ${attack}, the defence ${defence}.`, {
      by: null,
      dice: [thrown(active, die, attack), thrown(1 - active, reply, defence)],
    });
    const loser = attack > defence ? 1 - active : active;
    this.tell(loser, "loss", "2", `The ${this.players[loser]} counter is lost.`, {
      outcome: `${this.players[loser]} loses a counter`,
    });
  }

  private endTurn(s: State): void {
    s[L.phase] = SEND;
    s[L.sent] = s[L.target] = -1;
    s[L.supply] = 0;
    s[L.active] = 1 - s[L.active]!;
    s[L.turn] = living(s, 0) === 0 || living(s, 1) === 0 ? TURNS + 1 : s[L.turn]! + 1;
    this.tell(s[L.active]!, "turn", "1", s[L.turn]! > TURNS ? "The game is over." : `Turn ${s[L.turn]} begins.`);
  }

  returns(s: StateView, out: Float32Array): void {
    out.fill(0);
    if (this.actor(s) !== NOBODY) return;
    out[0] = Math.sign(living(s, 0) - living(s, 1));
    out[1] = -out[0];
  }

  /** Strength of a counter as `viewer` knows it, or -1. */
  protected strengthFor(s: StateView, i: number, viewer: number): number {
    return s[L.known + i] === 1 || Math.trunc(i / SLOTS) === viewer ? STRENGTH[s[L.slot + i]!]! : -1;
  }

  observe(s: StateView, viewer: number, out: Observation): void {
    const me = viewer === 1 ? 1 : 0;
    const own = me * SLOTS;
    out.globals[0] = s[L.turn]! / (TURNS + 1);
    out.globals[1] = s[L.supplies + me]! / 2;
    out.globals[2] = s[L.supplies + 1 - me]! / 2;
    out.map[0] = s[L.sent]! >= 0 ? 1 : 0;
    for (let row = 0, at = 0; row < 2 * SLOTS; row++, at += 5) {
      const i = (own + row) % (2 * SLOTS);
      const strength = this.strengthFor(s, i, viewer);
      const fighter = Math.trunc(i / SLOTS) === s[L.active] ? s[L.sent] : s[L.target];
      out.units[at] = s[L.alive + i]!;
      out.units[at + 1] = strength < 0 ? 0 : 1;
      out.units[at + 2] = strength < 0 ? 0 : strength / 3;
      out.units[at + 3] = s[L.fled + i]!;
      out.units[at + 4] = fighter === i % SLOTS ? 1 : 0;
    }
    for (let p = 0; p < PHASES.length; p++) out.decision[p] = s[L.phase] === p ? 1 : 0;
    out.decision[4] = viewer === s[L.active] ? s[L.supply]! : 0;
  }

  /**
   * Deals the other side's unknown counters again: those that fled first, from what may flee; all deals equally likely.
   */
  resample(s: StateView, player: number, out: State, rng: Rng): boolean {
    for (let i = 0; i < L.size; i++) out[i] = s[i]!;
    rng.freshStream(out);
    const at = (1 - player) * SLOTS;
    const pool: number[] = [];
    for (let i = at; i < at + SLOTS; i++) if (s[L.known + i] === 0) pool.push(s[L.slot + i]!);
    pool.sort((a, b) => a - b);
    for (const fled of [1, 0])
      for (let i = at; i < at + SLOTS; i++) {
        if (s[L.known + i] === 1 || s[L.fled + i] !== fled) continue;
        const fit = fled === 1 ? pool.filter((k) => STRENGTH[k]! <= FLEES).length : pool.length;
        out[L.slot + i] = pool.splice(rng.below(fit), 1)[0]!;
      }
    if (s[L.phase] === ANSWER && player !== s[L.active])
      out[L.supply] = s[L.supplies + s[L.active]!]! > 0 ? rng.below(2) : 0;
    return true;
  }

  /** Counters and bids that `player` can't know are -1. */
  redact(s: StateView, player: number, out: State): void {
    for (let i = 0; i < L.size; i++) out[i] = i < RNG_WORDS ? 0 : s[i]!;
    for (let i = 0; i < 2 * SLOTS; i++) if (this.strengthFor(s, i, player) < 0) out[L.slot + i] = -1;
    if (player !== s[L.active] && s[L.phase] === ANSWER) out[L.supply] = -1;
  }

  write(s: StateView): JsonObject {
    return writeWords(this, s);
  }

  view(s: StateView, viewer: number): JsonObject {
    const counters = Array.from({ length: 2 * SLOTS }, (_, i) =>
      this.strengthFor(s, i, viewer) < 0 ? null : counterName(s[L.slot + i]!),
    );
    return {
      ...writeWords(this, s, ["slot", "supply"]),
      counters,
      supply: viewer === s[L.active] ? s[L.supply]! : null,
    };
  }

  read(doc: JsonObject, s: State, _dice: Dice): void {
    readWords(this, doc, s);
  }

  describeFor(before: StateView, action: number, _after: StateView, viewer: number): string | null {
    return viewer !== before[L.active] && (action === WITH || action === WITH + 1) ? "supply" : ACTIONS[action]!;
  }

  render(s: StateView, viewer: number): string {
    const text = (i: number) =>
      s[L.alive + i] === 0 ? "." : this.strengthFor(s, i, viewer) < 0 ? "?" : String(this.strengthFor(s, i, viewer));
    const row = (at: number) => slots.map((n) => text(at + n - 1)).join(" ");
    return `turn ${s[L.turn]} ${PHASES[s[L.phase]!]!}\nred  ${row(0)}\nblue ${row(SLOTS)}`;
  }

  invariantViolation(s: StateView): string | null {
    return violation(s);
  }
}

export const ambush: GameType = {
  id: "toy-ambush",
  title: "Ambush",
  credits: "a toy for tests",
  version: 1,
  reconstructed: null,
  options: [],
  data: {},
  events: EVENTS,
  rules: {
    "1": { says: "Five counters a side are face down", status: "done" },
    "2": { says: "Fighters are turned up; the attacker needs the higher sum", status: "done" },
    "3": { says: "Weak counters may flee", status: "done" },
    "4": { says: "Regrouping mixes the living counters", status: "done" },
  },
  guide: {
    short: "Two sides of face-down counters.",
    medium: ["Fights: attack, flee or regroup; counters are face down (TA 1, TA 2, TA 3, TA 4)."],
  },
  load: (options) => new Ambush(ambush, options),
};
