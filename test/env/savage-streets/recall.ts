import type { Env, State } from "../../../env/index.js";
import { isArmed, type Tables } from "../../../env/savage-streets/data.js";
import {
  areaIn,
  DOWN,
  ENTRY,
  entryAt,
  flagsIn,
  idIn,
  ONLY,
  secondIn,
  turnIn,
  typeIn,
} from "../../../env/savage-streets/public-log.js";
import { landingAreas, UNDER_FIRE } from "../../../env/savage-streets/rules/reinforcement.js";
import type { Assignment } from "../../../env/savage-streets/resample/assignment.js";
import * as state from "../../../env/savage-streets/state.js";

const { AREAS, DECISION, GERMANS, L, PHASE, SOVIETS } = state;

/** What the sampler made of the public log. */
interface Dealt {
  tables: Tables;
  assignment: Assignment;
  /** Counter of each Soviet unit that is face-down, -1 for none. */
  mapped: Int32Array;
}

/** Samples of a game together with the history that was dealt for each. */
export class Sampling {
  readonly tables: Tables;
  private readonly dealt: Dealt;

  constructor(readonly env: Env) {
    this.dealt = Reflect.get(env.game, "resampler") as Dealt;
    this.tables = this.dealt.tables;
  }

  /** One sample. @returns what of the German's notes it contradicts; null where the log had to be ignored */
  contradictions(notes: Notes, out: State, rng: Parameters<Env["game"]["resample"]>[3]): string[] | null {
    const s = this.env.state;
    if (!this.env.game.resample(s, state.GERMAN, out, rng)) return null;
    return new Replay(this.tables, s, out, this.dealt, notes).run();
  }
}

/** What a German with perfect recall notes beside the public log, from what is public. */
export class Notes {
  /** Log lengths at which the limits of stacking hold (SS 1.21). */
  readonly limits: number[] = [];
  /** Entries that are losses by SS 1.21. */
  readonly excess = new Set<number>();
  /**
   * Log lengths at which a Soviet landing step ended: with units held back or nobody who could land; where those
   * without and with a red circle could have gone.
   */
  readonly river: { at: number; held: boolean; access: [number, number] }[] = [];

  constructor(private readonly tables: Tables) {}

  note(before: State, after: State): void {
    const n = before[L.publicLogLength]!;
    const kind = state.decisionOf(before);
    if (kind === DECISION.sovExcess) this.excess.add(n);
    const was = state.phaseOf(before);
    const is = state.phaseOf(after);
    if (is === was && state.turnOf(before) === state.turnOf(after)) return;
    const end = after[L.publicLogLength]!;
    if (was === PHASE.setup) this.limits.push(this.after(after, n, [ENTRY.init]));
    if (!this.tables.solo && (was === PHASE.sovReinf || (was === PHASE.gerReinf && is !== PHASE.sovReinf))) {
      const at = this.after(after, n, [ENTRY.land, ENTRY.hold, ENTRY.stranded]);
      const held = at > 0 && at > n && typeIn(entryAt(after, at - 1)) === ENTRY.hold;
      const access = [false, true].map((red) => {
        const areas = landingAreas(this.tables, after, red);
        return (areas | (areas >> UNDER_FIRE)) & ((1 << AREAS) - 1);
      }) as [number, number];
      this.river.push({ at, held, access });
    }
    if (was <= PHASE.sovMove && was !== PHASE.setup && is >= PHASE.gerMove) {
      let at = n;
      while (at < end && (this.excess.has(at) || !BEHIND.includes(typeIn(entryAt(after, at))))) at++;
      this.limits.push(at);
    }
  }

  private after(s: State, from: number, types: readonly number[]): number {
    let at = from;
    while (at < s[L.publicLogLength]! && types.includes(typeIn(entryAt(s, at)))) at++;
    return at;
  }
}

/** What happens behind the Soviet movement only. */
const BEHIND: readonly number[] = [ENTRY.reflip, ENTRY.revealUnit, ENTRY.revealChit, ENTRY.dead, ENTRY.back];

interface Counter {
  /** Soviet slot, or -1 for a chit. */
  unit: number;
}

/** Plays the public log through with the identities that were dealt, and looks whether the rules allow it. */
class Replay {
  private readonly wrong: string[] = [];
  private readonly units: Counter[][] = Array.from({ length: AREAS }, () => []);
  private readonly chits: Counter[][] = Array.from({ length: AREAS }, () => []);
  private readonly visits: { counter: Counter; area: number }[] = [];
  private departures = 0;
  private readonly waiting = new Set<number>();
  private attempts: { area: number; only: number; room: (u: number) => boolean }[] = [];
  /** Solo: stacks as this movement phase found them, and the last place in each that a counter left. */
  private phase = "";
  private found: Counter[][][] = [];
  private readonly left = new Map<string, number>();

  constructor(
    private readonly tables: Tables,
    private readonly s: State,
    private readonly out: State,
    private readonly dealt: Dealt,
    private readonly notes: Notes,
  ) {}

  run(): string[] {
    const { s, notes } = this;
    const n = s[L.publicLogLength]!;
    for (let i = 0; ; i++) {
      for (const at of notes.limits) if (at === i) this.limits(`at ${i}`);
      for (const r of notes.river) if (r.at === i) this.river(r.held, r.access, i);
      if (i === n) break;
      this.entry(entryAt(s, i), i);
    }
    if (state.decisionOf(s) === DECISION.sovExcess) {
      const a = s[L.decisionArea]! - 1;
      if (this.unitsFit(a, -1) && this.chits[a]!.length <= 3) this.tell(n, `${a} is not overfull`);
    } else if (state.phaseOf(s) !== PHASE.sovMove) this.limits("now");
    this.compare();
    return this.wrong;
  }

  private tell(i: number, what: string): void {
    this.wrong.push(`entry ${i}: ${what}`);
  }

  private armed(u: number): boolean {
    return isArmed(this.tables.data, state.sovietOf(u));
  }

  /** Rule: SS 1.21, SS 10.11. */
  private unitsFit(a: number, entering: number): boolean {
    const there = this.units[a]!.map((c) => c.unit);
    if (entering >= 0) there.push(entering);
    return there.length <= 3 || (!this.tables.solo && there.length === 4 && there.some((u) => this.armed(u)));
  }

  private limits(when: string): void {
    for (let a = 0; a < AREAS; a++) {
      if (!this.unitsFit(a, -1)) this.wrong.push(`limits ${when}: units of ${a}`);
      if (this.chits[a]!.length > 3) this.wrong.push(`limits ${when}: chits of ${a}`);
    }
  }

  private bear(counter: Counter, a: number): void {
    this.visits.push({ counter, area: a });
    (counter.unit < 0 ? this.chits : this.units)[a]!.push(counter);
  }

  private lift(counter: Counter, a: number): void {
    const stack = (counter.unit < 0 ? this.chits : this.units)[a]!;
    stack.splice(stack.indexOf(counter), 1);
  }

  /** The counter that begins in the next visit, by where its way ends. */
  private born(): Counter {
    const { net, departureOf, reveal } = this.dealt.assignment;
    const k = net.counterOf[this.visits.length]!;
    if (net.isChit(k)) return { unit: -1 };
    let x = net.birth[k]!;
    while (net.to[departureOf[x]!]! >= 0) x = net.to[departureOf[x]!]!;
    const r = net.revealOf[departureOf[x]!]!;
    if (r !== Math.max(0, reveal[k]!)) throw new Error("the assignment contradicts itself");
    if (r !== 0) return { unit: idIn(entryAt(this.s, net.revealEntry[r]!)) - GERMANS };
    return { unit: this.dealt.mapped.indexOf(k) };
  }

  /** The counter that the next departure takes away. */
  private gone(a: number): Counter {
    const x = this.dealt.assignment.visitOf[this.departures++]!;
    const visit = this.visits[x]!;
    if (visit.area !== a) throw new Error("a counter leaves where it is not");
    this.lift(visit.counter, a);
    return visit.counter;
  }

  private up(a: number, unit: number): Counter {
    return this.units[a]!.find((c) => c.unit === unit)!;
  }

  private entry(w: number, i: number): void {
    const a = areaIn(w);
    const id = idIn(w);
    const flags = flagsIn(w);
    switch (typeIn(w)) {
      case ENTRY.init:
        for (let k = 0; k < id; k++) this.bear(this.born(), a);
        break;
      case ENTRY.land:
        this.land(w, i);
        break;
      case ENTRY.chit:
        if (this.chits[a]!.length >= 3) this.tell(i, `a chit for ${a}, where three are`);
        this.bear({ unit: -1 }, a);
        break;
      case ENTRY.move: {
        const b = secondIn(w);
        this.inOrder(w, i, id === 0 ? this.next() : this.up(a, id - 1 - GERMANS));
        if (id > 0) {
          const unit = this.up(a, id - 1 - GERMANS);
          this.lift(unit, a);
          this.units[b]!.push(unit);
        } else this.bear(this.gone(a), b);
        break;
      }
      case ENTRY.revealUnit:
        this.reveal(a);
        break;
      case ENTRY.reflip:
        // it keeps its place in the stack
        this.visits.push({ counter: this.up(a, id - GERMANS), area: a });
        break;
      case ENTRY.revealChit:
        this.reveal(a);
        break;
      case ENTRY.dead:
        if (this.notes.excess.has(i) && this.unitsFit(a, -1)) this.tell(i, `no unit of ${a} is too many`);
        if (flags & DOWN) this.gone(a);
        else this.lift(this.up(a, id - GERMANS), a);
        break;
      case ENTRY.back:
        if (this.notes.excess.has(i)) {
          if (!this.unitsFit(a, -1)) this.tell(i, `units of ${a} go before chits`);
          if (this.chits[a]!.length <= 3) this.tell(i, `no chit of ${a} is too many`);
        }
        if (id === 0) this.gone(a);
        else
          this.chits[a]!.splice(
            this.chits[a]!.findIndex((c) => c.unit === -2),
            1,
          );
        break;
    }
  }

  private next(): Counter {
    return this.visits[this.dealt.assignment.visitOf[this.departures]!]!.counter;
  }

  /** It stays in its area, face-up: chits too, which are all alike then. */
  private reveal(a: number): void {
    const x = this.dealt.assignment.visitOf[this.departures++]!;
    const visit = this.visits[x]!;
    if (visit.area !== a) throw new Error("a counter turns up where it is not");
    if (visit.counter.unit < 0) visit.counter.unit = -2;
  }

  private land(w: number, i: number): void {
    const a = areaIn(w);
    const turn = turnIn(w);
    const { data } = this.tables;
    for (let k = 0; k < SOVIETS; k++) {
      const due = data.entryTurn[state.sovietOf(k)]!;
      if (due >= 1 && due <= turn && !this.landed.has(k)) this.waiting.add(k);
    }
    const result = flagsIn(w) & 3;
    if (result === 1) {
      const there = this.units[a]!.map((c) => c.unit);
      this.attempts.push({
        area: a,
        only: flagsIn(w) >> 2,
        room: (u) => there.length <= 2 || (there.length === 3 && (this.armed(u) || there.some((v) => this.armed(v)))),
      });
      return;
    }
    const counter = result === 0 ? this.born() : { unit: idIn(w) - 1 - GERMANS };
    if (!this.unitsFit(a, counter.unit)) this.tell(i, `no room to land in ${a}`);
    if (!this.waiting.delete(counter.unit)) this.tell(i, `unit ${counter.unit} can't land`);
    this.landed.add(counter.unit);
    if (result === 0) this.bear(counter, a);
  }

  private readonly landed = new Set<number>();

  /** Rule: SS 2.2; ruling R7. */
  private river(held: boolean, access: [number, number], i: number): void {
    const { data } = this.tables;
    const attempts = this.attempts;
    this.attempts = [];
    for (let k = 0; k < SOVIETS; k++) {
      const due = data.entryTurn[state.sovietOf(k)]!;
      if (due >= 1 && due <= this.riverTurn && !this.landed.has(k)) this.waiting.add(k);
    }
    this.riverTurn++;
    const red = (u: number): boolean => data.red[state.sovietOf(u)] === 1;
    const able = [...this.waiting].filter((u) => {
      for (let a = 0; a < AREAS; a++) if ((access[red(u) ? 1 : 0] >> a) & 1 && this.unitsFit(a, u)) return true;
      return false;
    });
    // some choice of those who tried and were turned away must fit
    const fits = (k: number, tried: readonly number[]): boolean => {
      if (k === attempts.length) return able.some((u) => !tried.includes(u)) === held;
      const { only, room } = attempts[k]!;
      return [...this.waiting].some(
        (u) =>
          !tried.includes(u) &&
          (only === ONLY.open || (only === ONLY.red) === red(u)) &&
          room(u) &&
          fits(k + 1, [...tried, u]),
      );
    };
    if (!fits(0, [])) this.tell(i, held ? "nobody is there to be held back" : "somebody could land");
  }

  /** There is one landing step a turn. */
  private riverTurn = 1;

  /** Ruling R36: in the solitaire game the stacks of an area are gone through from the bottom up. */
  private inOrder(w: number, i: number, counter: Counter): void {
    if (!this.tables.solo) return;
    const turn = String(turnIn(w));
    if (this.phase !== turn) {
      this.phase = turn;
      this.found = [this.units.map((x) => [...x]), this.chits.map((x) => [...x])];
      this.left.clear();
    }
    const chit = counter.unit < 0 ? 1 : 0;
    const place = this.found[chit]![areaIn(w)]!.indexOf(counter);
    const key = `${chit}/${areaIn(w)}`;
    if (place <= (this.left.get(key) ?? -1)) this.tell(i, `${counter.unit} is not next in its stack`);
    this.left.set(key, place);
  }

  /** The sample is where the replay ends; in the solitaire game its stacks too. */
  private compare(): void {
    const { out } = this;
    for (let a = 0; a < AREAS; a++) {
      const units = this.units[a]!.map((c) => c.unit);
      for (let k = 0; k < SOVIETS; k++) {
        if ((out[L.unitPlace + GERMANS + k] === a) !== units.includes(k)) this.wrong.push(`unit ${k} and area ${a}`);
        if (this.tables.solo && units.includes(k) && units.indexOf(k) !== out[L.unitRank + GERMANS + k])
          this.wrong.push(`unit ${k} has place ${out[L.unitRank + GERMANS + k]}, not ${units.indexOf(k)}`);
      }
      if (out[L.chits + a] !== this.chits[a]!.length) this.wrong.push(`chits of area ${a}`);
    }
  }
}
