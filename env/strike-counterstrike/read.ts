import type { Dice } from "../core/dice.js";
import type { JsonObject } from "../core/game.js";
import type { State } from "../core/layout.js";
import { parseWith } from "../core/schema.js";
import { JANUARY } from "./data.js";
import { broken } from "./invariants.js";
import { GAME } from "./notation.js";
import type { Resampler } from "./resample.js";
import { armyAt, type Doc, hexAt, positionSchema, refuse } from "./position.js";
import { CounterReader } from "./read-counters.js";
import { markPocket, surveyFront } from "./rules/front.js";
import {
  DEAD,
  finish,
  P,
  P_GONE,
  P_HEX,
  P_TRACK,
  PHASES,
  R,
  type ResultName,
  setGerman,
  STAGE_A,
  STAGE_B,
  TRACK,
  type World,
} from "./state.js";

/** Reads one position document into one state (spec section 9). */
export class PositionReader {
  private constructor(
    private readonly w: World,
    private readonly doc: Doc,
    private readonly s: State,
  ) {}

  /**
   * @param dice deals what "?" leaves open, and plays on from a position between decisions
   * @throws KesselError `bad-position` with path and reason
   */
  static read(w: World, raw: JsonObject, s: State, dice: Dice, resampler: Resampler): void {
    const r = new PositionReader(w, parseWith(positionSchema, raw, "bad-position", GAME), s);
    r.ground();
    r.armies();
    new CounterReader(w, r.doc, s).lay(dice, resampler);
    r.decision();
    r.totals();
    const wrong = broken(w, s);
    if (wrong !== null) refuse("(top)", wrong);
  }

  /** Turn, control, partisans. */
  private ground(): void {
    const { w, s, doc } = this;
    const { L, t } = w;
    s[L.turn] = doc.turn;
    s[L.purge] = doc.purge ?? -1;
    s[L.phase] = P[doc.result !== undefined ? "over" : (doc.phase ?? "activate")];
    if (doc.result !== undefined) finish(w, s, R[doc.result]);
    if ((doc.phase === "over") !== (doc.result !== undefined) && doc.phase !== undefined)
      refuse(
        "phase",
        doc.result === undefined ? "over needs a result" : `the game has ended (${doc.result}), the phase is over`,
      );
    for (let h = 0; h < w.hexes; h++) setGerman(w, s, h, t.startGerman[h]!);
    doc.captured.forEach((name, i) => {
      const h = hexAt(this.w, `captured[${i}]`, name);
      if (s[L.german + h] === 0)
        refuse(`captured[${i}]`, `hex ${name} ${t.startGerman[h] === 1 ? "stands twice" : "is Soviet from the start"}`);
      setGerman(w, s, h, 0);
    });
    const partisan = doc.partisan ?? (doc.turn > JANUARY ? "gone" : "track");
    if (partisan === "track") {
      if (doc.turn > JANUARY) refuse("partisan", `the marker arrives on turn ${JANUARY}`);
      s[L.partisan] = P_TRACK;
    } else if (partisan === "gone") s[L.partisan] = P_GONE;
    else {
      const h = hexAt(this.w, "partisan", partisan);
      if (s[L.german + h] === 0) refuse("partisan", `hex ${partisan} is Soviet without the marker`);
      if (t.fort[h] === 1) refuse("partisan", `hex ${partisan} is a fortified locality`);
      if (doc.turn < JANUARY) refuse("partisan", `the marker arrives on turn ${JANUARY}`);
      for (let d = 0; d < 6; d++) {
        const k = t.grid.neighbour(h, d);
        if (k >= 0 && s[L.german + k] === 0)
          refuse("partisan", `hex ${partisan} touches Soviet hex ${t.grid.ids[k]}; the marker would have left`);
      }
      setGerman(w, s, h, 0);
      s[L.partisan] = P_HEX + h;
    }
    surveyFront(w, s);
  }

  private armies(): void {
    const { w, s, doc } = this;
    const { L, t } = w;
    for (const name of Object.keys(doc.armies)) armyAt(this.w, `armies.${name}`, name);
    const battle = doc.battle ? hexAt(this.w, "battle.hex", doc.battle.hex) : -1;
    t.armies.forEach((a, i) => {
      const path = `armies.${a.id}`;
      const given = doc.armies[a.id] ?? {};
      const place = given.hex ?? (a.setup >= 0 ? t.grid.ids[a.setup]! : doc.turn > a.enters ? "dead" : "track");
      if (place === "track") {
        if (a.setup >= 0) refuse(`${path}.hex`, `${a.id} starts on the map`);
        if (doc.turn > a.enters) refuse(`${path}.hex`, `${a.id} enters on turn ${a.enters}`);
      }
      const hex = place === "dead" ? DEAD : place === "track" ? TRACK : hexAt(this.w, `${path}.hex`, place);
      const steps = given.steps ?? (hex >= 0 ? a.strength : 0);
      if (hex < 0 && steps > 0) refuse(`${path}.steps`, `an army off the map has 0 steps, not ${steps}`);
      if (hex >= 0 && (steps < 1 || steps > a.strength))
        refuse(`${path}.steps`, `${a.id} has 1 to ${a.strength} steps, not ${steps}`);
      if (hex >= 0) {
        const other = t.armies.findIndex((_, k) => k < i && s[L.armyHex + k] === hex);
        if (other >= 0) refuse(`${path}.hex`, `army ${t.armies[other]!.id} stands in hex ${place} already`);
        if (hex !== battle && (s[L.german + hex] === 1 || s[L.partisan] === P_HEX + hex))
          refuse(`${path}.hex`, `hex ${place} is not in the Soviet area`);
      }
      if (given.fired === true && !a.shock) refuse(`${path}.fired`, `${a.id} is not a shock army`);
      s[L.armyHex + i] = hex;
      s[L.armySteps + i] = steps;
      s[L.armyStopped + i] = given.stopped ? 1 : 0;
      s[L.armyFired + i] = given.fired ? 1 : 0;
    });
    this.engineer();
  }

  private engineer(): void {
    const { w, s, doc } = this;
    const { L, t } = w;
    const setup = doc.phase === "setup";
    let given = doc.engineer;
    if (given === undefined) {
      // the 16th Army hosts it unless it is gone (spec section 9)
      const host = t.armies.findIndex((a) => a.id === "16");
      const there = host >= 0 && s[L.armyHex + host]! >= 0;
      given = setup
        ? { host: null, steps: t.engineer.strength }
        : there
          ? { host: "16", steps: t.engineer.strength }
          : { host: null, steps: 0 };
    }
    if (given.steps > t.engineer.strength)
      refuse("engineer.steps", `${t.engineer.id} has at most ${t.engineer.strength} steps, not ${given.steps}`);
    if (given.host === null) {
      if (given.steps > 0 && !setup) refuse("engineer.host", `${t.engineer.id} is always with an army while it lives`);
      if (given.steps === 0 && setup) refuse("engineer.steps", `${t.engineer.id} has steps to give a host to`);
    } else {
      const a = armyAt(this.w, "engineer.host", given.host);
      if (setup) refuse("engineer.host", "in setup no host is chosen yet");
      if (given.steps === 0) refuse("engineer.host", `${t.engineer.id} is destroyed and has no host`);
      if (s[L.armyHex + a]! < 0) refuse("engineer.host", `army ${given.host} is not on the map`);
      s[L.host] = a + 1;
    }
    s[L.engineer] = given.steps;
  }

  /** Whose move it is, and the battle. */
  private decision(): void {
    const { w, s, doc } = this;
    const { L, t } = w;
    const phase = s[L.phase]!;
    const name = PHASES[phase]!;
    const { turn } = doc;
    const only = (ok: boolean, when: string): void => {
      if (!ok) refuse("phase", `${name} comes ${when} only`);
    };
    if (phase === P.setup) only(turn === 1, "on turn 1");
    if (phase === P.replace) only(turn >= 2, "from turn 2 on");
    if (phase === P.enter)
      only(turn === JANUARY && s[L.armyHex + this.reinforcement()] === TRACK, `on turn ${JANUARY} while an army waits`);
    if (phase === P.partisan)
      only(turn === JANUARY && s[L.partisan] === P_TRACK, `on turn ${JANUARY} while the marker waits`);
    if (phase === P.attach) only(turn < 6 && s[L.engineer]! > 0, `on turns 1 to 5 while ${t.engineer.id} lives`);
    s[L.interceptor] = doc.interceptor === "ready" ? 1 : 0;
    s[L.replacements] = doc.replacements ?? (phase === P.replace ? t.replacements : 0);
    if (phase === P.replace ? s[L.replacements]! < 1 || s[L.replacements]! > t.replacements : s[L.replacements] !== 0)
      refuse(
        "replacements",
        phase === P.replace ? `1 to ${t.replacements} steps are left` : "steps are left in phase replace only",
      );
    const moving = phase === P.move || phase === P.commit || phase === P.losses || phase === P.press;
    const fighting = moving && phase !== P.move;
    if (moving && doc.active === undefined) refuse("active", `phase ${name} has a moving army`);
    if (!moving && phase !== P.over && doc.active !== undefined) refuse("active", `no army moves in phase ${name}`);
    if (fighting && doc.battle === undefined) refuse("battle", `phase ${name} is part of a battle`);
    if (!fighting && phase !== P.over && doc.battle !== undefined)
      refuse("battle", `there is no battle in phase ${name}`);
    if (doc.active !== undefined) {
      const a = armyAt(this.w, "active.army", doc.active.army);
      const most = t.movement[turn]!;
      if (s[L.armyHex + a]! < 0) refuse("active.army", `army ${doc.active.army} is not on the map`);
      if (s[L.armyStopped + a] === 1) refuse("active.army", `army ${doc.active.army} has stopped`);
      if (doc.active.mp > most || (phase === P.move && doc.active.mp === 0))
        refuse("active.mp", `an army has ${phase === P.move ? 1 : 0} to ${most} MP here, not ${doc.active.mp}`);
      if (phase === P.press && doc.active.mp < t.extraRoundCost)
        refuse("active.mp", "without MP for another round there is nothing to press");
      s[L.active] = a + 1;
      s[L.mp] = doc.active.mp;
    }
    if (doc.battle !== undefined) this.battle(doc.battle);
  }

  private reinforcement(): number {
    return Math.max(
      0,
      this.w.t.armies.findIndex((a) => a.enters > 0),
    );
  }

  private battle(b: NonNullable<Doc["battle"]>): void {
    const { w, s } = this;
    const { L, t } = w;
    const hex = hexAt(this.w, "battle.hex", b.hex);
    const from = hexAt(this.w, "battle.from", b.from);
    const army = s[L.active]! - 1;
    const phase = s[L.phase]!;
    if (army < 0) refuse("battle", "a battle has an active army");
    if (s[L.german + hex] === 0 || s[L.front + hex] !== 1)
      refuse("battle.hex", `hex ${b.hex} is not a German hex of the front`);
    if (t.fort[hex] === 1) refuse("battle.hex", `hex ${b.hex} is a fortified locality`);
    if (s[L.armyHex + army] !== hex)
      refuse(`armies.${t.armies[army]!.id}.hex`, `in its battle the army stands in hex ${b.hex}`);
    if (s[L.german + from] === 1 || !t.grid.adjacent(hex, from))
      refuse("battle.from", `hex ${b.from} is not a Soviet neighbour of ${b.hex}`);
    if (t.armies.some((_, a) => s[L.armyHex + a] === from)) refuse("battle.from", `an army stands in hex ${b.from}`);
    if (b.units.length === 0 && phase !== P.over) refuse("battle.units", "a battle has German units");
    markPocket(w, s, hex);
    const pocket = t.grid.ids.filter((_, h) => s[L.pocket + h] === 1);
    if (b.pocket !== undefined && [...b.pocket].sort().join() !== pocket.join())
      refuse("battle.pocket", `the fall of ${b.hex} would cut off [${pocket.join(", ")}]`);
    if (b.relief !== undefined && b.relief !== pocket.length > 0)
      refuse("battle.relief", `the fall of ${b.hex} would cut off ${pocket.length} hexes`);
    const choosing = phase === P.losses;
    if (choosing !== (b.stage !== undefined))
      refuse("battle.stage", choosing ? "losses are chosen in stage A or B" : "it belongs to phase losses");
    const classes = new Set(b.units.map((x) => t.cls[t.counters.findIndex((c) => c.id === x)]));
    if (choosing ? b.hits < 1 || b.hits >= b.units.length || classes.size < 2 : b.hits > 0)
      refuse(
        "battle.hits",
        choosing
          ? `${b.hits} hits on these ${b.units.length} units leave nothing to choose`
          : "hits wait in phase losses only",
      );
    if (b.interceptor && s[L.interceptor] === 1) refuse("battle.interceptor", "VI IC cannot be ready and in the air");
    if (b.stage === "A" && b.shockFirst === false)
      refuse("battle.shockFirst", "stage A is the first fire of a shock army");
    if ((b.shockFirst || b.stage === "A") && (!t.armies[army]!.shock || b.round !== 1 || pocket.length > 0))
      refuse("battle.shockFirst", "only a shock army fires first, in round 1 and not in a break-in battle");
    s[L.battleHex] = hex + 1;
    s[L.from] = from + 1;
    s[L.relief] = pocket.length > 0 ? 1 : 0;
    s[L.round] = b.round;
    s[L.hits] = b.hits;
    s[L.stage] = b.stage === "A" ? STAGE_A : b.stage === "B" ? STAGE_B : 0;
    s[L.shockFirst] = b.shockFirst || b.stage === "A" ? 1 : 0;
    s[L.committed] = b.interceptor ? 1 : 0;
  }

  /** The keys that only repeat what follows from the others. */
  private totals(): void {
    const { w, s, doc } = this;
    const { L } = w;
    const counts = [
      ["poolSize", L.poolSize, "counters are in the pool"],
      ["forts", L.forts, "fortified localities are held"],
      ["west", L.westHeld, "western hexes are held"],
      ["kCount", L.kHeld, "K-Line hexes are held"],
    ] as const;
    for (const [key, at, what] of counts)
      if (doc[key] !== undefined && doc[key] !== s[at]) refuse(key, `${s[at]} ${what}, not ${doc[key]}`);
    for (const [name, side] of Object.entries(doc.control ?? {}))
      if ((s[L.german + hexAt(this.w, `control.${name}`, name)] === 1) !== (side === "german"))
        refuse(`control.${name}`, `hex ${name} is ${side === "german" ? "Soviet" : "German"} by the other keys`);
    const { result } = doc;
    if (result === "sudden-death" && s[L.poolSize]! > 0)
      refuse("result", `${s[L.poolSize]} counters are in the pool; sudden death empties it`);
    const ends: Partial<Record<ResultName, number>> = { turn1: 1, turn3: 3, turn6: 6, draw: 6, territory: 6 };
    if (result !== undefined && ends[result] !== undefined && ends[result] !== doc.turn)
      refuse("result", `${result} falls on turn ${ends[result]}, not ${doc.turn}`);
  }
}
