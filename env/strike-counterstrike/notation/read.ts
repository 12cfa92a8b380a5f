import type { Dice } from "../../core/dice/dice.js";
import type { JsonObject } from "../../core/game.js";
import type { State } from "../../core/layout.js";
import { checkOptions } from "../../core/position-options.js";
import { parseWith } from "../../core/schema.js";
import { JANUARY } from "../data.js";
import { invariantViolation } from "../invariants.js";
import { GAME } from "./write.js";
import type { Resampler } from "../resample.js";
import { armyAt, type Doc, hexAt, positionSchema, refuse } from "./schema.js";
import { CounterReader } from "./read-counters.js";
import { markPocket, surveyFront } from "../rules/front.js";
import {
  DEAD,
  PHASE,
  PARTISAN_GONE,
  PARTISAN_HEX,
  PARTISAN_ON_TRACK,
  PHASES,
  RESULT,
  type ResultName,
  AFTER_FIRST_FIRE,
  AFTER_MAIN_FIRE,
  TRACK,
} from "../layout.js";
import { finish, setGerman } from "../state.js";
import type { Tables } from "../data.js";

/** Reads one position document into one state. */
export class PositionReader {
  private constructor(
    private readonly tables: Tables,
    private readonly doc: Doc,
    private readonly s: State,
  ) {}

  /**
   * @param dice deals the counters written as "?", and plays on from a position between decisions
   * @throws KesselError `bad-position` with path and reason
   */
  static read(tables: Tables, raw: JsonObject, s: State, dice: Dice, resampler: Resampler): void {
    const r = new PositionReader(tables, parseWith(positionSchema, raw, "bad-position", GAME), s);
    checkOptions(GAME, tables.options, r.doc.options);
    r.ground();
    r.armies();
    new CounterReader(tables, r.doc, s).lay(dice, resampler);
    r.decision();
    r.totals();
    const wrong = invariantViolation(tables, s);
    if (wrong !== null) refuse("(top)", wrong);
  }

  /** Turn, control, partisans. */
  private ground(): void {
    const { tables, s, doc } = this;
    const { L } = tables;
    s[L.turn] = doc.turn;
    s[L.purge] = doc.purge ?? -1;
    s[L.phase] = PHASE[doc.result !== undefined ? "over" : (doc.phase ?? "activate")];
    if (doc.result !== undefined) finish(tables, s, RESULT[doc.result]);
    if ((doc.phase === "over") !== (doc.result !== undefined) && doc.phase !== undefined)
      refuse(
        "phase",
        doc.result === undefined ? "over needs a result" : `the game has ended (${doc.result}), the phase is over`,
      );
    for (let h = 0; h < tables.hexCount; h++) setGerman(tables, s, h, tables.startGerman[h]!);
    doc.captured.forEach((name, i) => {
      const h = hexAt(this.tables, `captured[${i}]`, name);
      if (s[L.german + h] === 0)
        refuse(
          `captured[${i}]`,
          `hex ${name} ${tables.startGerman[h] === 1 ? "stands twice" : "is Soviet from the start"}`,
        );
      setGerman(tables, s, h, 0);
    });
    const partisan = doc.partisan ?? (doc.turn > JANUARY ? "gone" : "track");
    if (partisan === "track") {
      if (doc.turn > JANUARY) refuse("partisan", `the marker arrives on turn ${JANUARY}`);
      s[L.partisan] = PARTISAN_ON_TRACK;
    } else if (partisan === "gone") s[L.partisan] = PARTISAN_GONE;
    else {
      const h = hexAt(this.tables, "partisan", partisan);
      if (s[L.german + h] === 0) refuse("partisan", `hex ${partisan} is Soviet without the marker`);
      if (tables.fort[h] === 1) refuse("partisan", `hex ${partisan} is a fortified locality`);
      if (doc.turn < JANUARY) refuse("partisan", `the marker arrives on turn ${JANUARY}`);
      for (let d = 0; d < 6; d++) {
        const k = tables.grid.neighbour(h, d);
        if (k >= 0 && s[L.german + k] === 0)
          refuse("partisan", `hex ${partisan} touches Soviet hex ${tables.grid.ids[k]}; the marker would have left`);
      }
      setGerman(tables, s, h, 0);
      s[L.partisan] = PARTISAN_HEX + h;
    }
    surveyFront(tables, s);
  }

  private armies(): void {
    const { tables, s, doc } = this;
    const { L } = tables;
    for (const name of Object.keys(doc.armies)) armyAt(this.tables, `armies.${name}`, name);
    const battle = doc.battle ? hexAt(this.tables, "battle.hex", doc.battle.hex) : -1;
    tables.armies.forEach((a, i) => {
      const path = `armies.${a.id}`;
      const given = doc.armies[a.id] ?? {};
      const place = given.hex ?? (a.setup >= 0 ? tables.grid.ids[a.setup]! : doc.turn > a.enters ? "dead" : "track");
      if (place === "track") {
        if (a.setup >= 0) refuse(`${path}.hex`, `${a.id} starts on the map`);
        if (doc.turn > a.enters) refuse(`${path}.hex`, `${a.id} enters on turn ${a.enters}`);
      }
      const hex = place === "dead" ? DEAD : place === "track" ? TRACK : hexAt(this.tables, `${path}.hex`, place);
      const steps = given.steps ?? (hex >= 0 ? a.strength : 0);
      if (hex < 0 && steps > 0) refuse(`${path}.steps`, `an army off the map has 0 steps, not ${steps}`);
      if (hex >= 0 && (steps < 1 || steps > a.strength))
        refuse(`${path}.steps`, `${a.id} has 1 to ${a.strength} steps, not ${steps}`);
      if (hex >= 0) {
        const other = tables.armies.findIndex((_, k) => k < i && s[L.armyHex + k] === hex);
        if (other >= 0) refuse(`${path}.hex`, `army ${tables.armies[other]!.id} stands in hex ${place} already`);
        if (hex !== battle && (s[L.german + hex] === 1 || s[L.partisan] === PARTISAN_HEX + hex))
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
    const { tables, s, doc } = this;
    const { L } = tables;
    const setup = doc.phase === "setup";
    let given = doc.engineer;
    if (given === undefined) {
      // the 16th Army hosts it unless it is gone
      const host = tables.armies.findIndex((a) => a.id === "16");
      const there = host >= 0 && s[L.armyHex + host]! >= 0;
      given = setup
        ? { host: null, steps: tables.engineer.strength }
        : there
          ? { host: "16", steps: tables.engineer.strength }
          : { host: null, steps: 0 };
    }
    if (given.steps > tables.engineer.strength)
      refuse(
        "engineer.steps",
        `${tables.engineer.id} has at most ${tables.engineer.strength} steps, not ${given.steps}`,
      );
    if (given.host === null) {
      if (given.steps > 0 && !setup)
        refuse("engineer.host", `${tables.engineer.id} is always with an army while it lives`);
      if (given.steps === 0 && setup) refuse("engineer.steps", `${tables.engineer.id} has steps to give a host to`);
    } else {
      const a = armyAt(this.tables, "engineer.host", given.host);
      if (setup) refuse("engineer.host", "in setup no host is chosen yet");
      if (given.steps === 0) refuse("engineer.host", `${tables.engineer.id} is destroyed and has no host`);
      if (s[L.armyHex + a]! < 0) refuse("engineer.host", `army ${given.host} is not on the map`);
      s[L.host] = a + 1;
    }
    s[L.engineer] = given.steps;
  }

  /** The moving force, and the battle. */
  private decision(): void {
    const { tables, s, doc } = this;
    const { L } = tables;
    const phase = s[L.phase]!;
    const name = PHASES[phase]!;
    const { turn } = doc;
    const only = (ok: boolean, when: string): void => {
      if (!ok) refuse("phase", `${name} comes ${when} only`);
    };
    if (phase === PHASE.setup) only(turn === 1, "on turn 1");
    if (phase === PHASE.replace) only(turn >= 2, "from turn 2 on");
    if (phase === PHASE.enter)
      only(turn === JANUARY && s[L.armyHex + this.reinforcement()] === TRACK, `on turn ${JANUARY} while an army waits`);
    if (phase === PHASE.partisan)
      only(turn === JANUARY && s[L.partisan] === PARTISAN_ON_TRACK, `on turn ${JANUARY} while the marker waits`);
    if (phase === PHASE.attach)
      only(turn < 6 && s[L.engineer]! > 0, `on turns 1 to 5 while ${tables.engineer.id} lives`);
    s[L.interceptor] = doc.interceptor === "ready" ? 1 : 0;
    s[L.replacements] = doc.replacements ?? (phase === PHASE.replace ? tables.replacements : 0);
    if (
      phase === PHASE.replace
        ? s[L.replacements]! < 1 || s[L.replacements]! > tables.replacements
        : s[L.replacements] !== 0
    )
      refuse(
        "replacements",
        phase === PHASE.replace ? `1 to ${tables.replacements} steps are left` : "steps are left in phase replace only",
      );
    // Rule: SC 10.11, ruling R12
    if (phase === PHASE.commit && s[L.interceptor] === 0)
      refuse("interceptor", "in phase commit VI IC is ready: once it is spent nobody is asked");
    const moving = phase === PHASE.move || phase === PHASE.commit || phase === PHASE.losses || phase === PHASE.press;
    const fighting = moving && phase !== PHASE.move;
    if (moving && doc.active === undefined) refuse("active", `phase ${name} has a moving army`);
    if (!moving && phase !== PHASE.over && doc.active !== undefined) refuse("active", `no army moves in phase ${name}`);
    if (fighting && doc.battle === undefined) refuse("battle", `phase ${name} is part of a battle`);
    if (!fighting && phase !== PHASE.over && doc.battle !== undefined)
      refuse("battle", `there is no battle in phase ${name}`);
    if (doc.active !== undefined) {
      const a = armyAt(this.tables, "active.army", doc.active.army);
      const most = tables.movement[turn]!;
      if (s[L.armyHex + a]! < 0) refuse("active.army", `army ${doc.active.army} is not on the map`);
      if (s[L.armyStopped + a] === 1) refuse("active.army", `army ${doc.active.army} has stopped`);
      if (doc.active.mp > most || (phase === PHASE.move && doc.active.mp === 0))
        refuse("active.mp", `an army has ${phase === PHASE.move ? 1 : 0} to ${most} MP here, not ${doc.active.mp}`);
      if (phase === PHASE.press && doc.active.mp < tables.extraRoundCost)
        refuse("active.mp", "without MP for another round there is nothing to press");
      s[L.active] = a + 1;
      s[L.mp] = doc.active.mp;
    }
    if (doc.battle !== undefined) this.battle(doc.battle);
  }

  private reinforcement(): number {
    return Math.max(
      0,
      this.tables.armies.findIndex((a) => a.enters > 0),
    );
  }

  private battle(b: NonNullable<Doc["battle"]>): void {
    const { tables, s } = this;
    const { L } = tables;
    const hex = hexAt(this.tables, "battle.hex", b.hex);
    const from = hexAt(this.tables, "battle.from", b.from);
    const army = s[L.active]! - 1;
    const phase = s[L.phase]!;
    if (army < 0) refuse("battle", "a battle has an active army");
    if (s[L.german + hex] === 0 || s[L.front + hex] !== 1)
      refuse("battle.hex", `hex ${b.hex} is not a German hex of the front`);
    if (tables.fort[hex] === 1) refuse("battle.hex", `hex ${b.hex} is a fortified locality`);
    if (s[L.armyHex + army] !== hex)
      refuse(`armies.${tables.armies[army]!.id}.hex`, `in its battle the army stands in hex ${b.hex}`);
    if (s[L.german + from] === 1 || !tables.grid.adjacent(hex, from))
      refuse("battle.from", `hex ${b.from} is not a Soviet neighbour of ${b.hex}`);
    if (tables.armies.some((_, a) => s[L.armyHex + a] === from))
      refuse("battle.from", `an army stands in hex ${b.from}`);
    if (b.units.length === 0 && phase !== PHASE.over) refuse("battle.units", "a battle has German units");
    markPocket(tables, s, hex);
    const pocket = tables.grid.ids.filter((_, h) => s[L.pocket + h] === 1);
    if (b.pocket !== undefined && [...b.pocket].sort().join() !== pocket.join())
      refuse("battle.pocket", `the fall of ${b.hex} would cut off [${pocket.join(", ")}]`);
    if (b.relief !== undefined && b.relief !== pocket.length > 0)
      refuse("battle.relief", `the fall of ${b.hex} would cut off ${pocket.length} hexes`);
    const choosing = phase === PHASE.losses;
    if (choosing !== (b.stage !== undefined))
      refuse("battle.stage", choosing ? "losses are chosen in stage A or B" : "it belongs to phase losses");
    const classes = new Set(b.units.map((x) => tables.cls[tables.counters.findIndex((c) => c.id === x)]));
    if (choosing ? b.hits < 1 || b.hits >= b.units.length || classes.size < 2 : b.hits > 0)
      refuse(
        "battle.hits",
        choosing
          ? `${b.hits} hits on these ${b.units.length} units leave nothing to choose`
          : "hits wait in phase losses only",
      );
    if (b.interceptor && s[L.interceptor] === 1 && !tables.spentWhenFired)
      refuse("battle.interceptor", "VI IC cannot be ready and in the air, unless with option interceptorSpent fired");
    if (b.stage === "A" && b.shockFirst === false)
      refuse("battle.shockFirst", "stage A is the first fire of a shock army");
    if (b.shockFirst && phase === PHASE.commit) refuse("battle.shockFirst", "nobody has fired in this round yet");
    if ((b.shockFirst || b.stage === "A") && (!tables.armies[army]!.shock || b.round !== 1 || pocket.length > 0))
      refuse("battle.shockFirst", "only a shock army fires first, in round 1 and not in a break-in battle");
    s[L.battleHex] = hex + 1;
    s[L.from] = from + 1;
    s[L.relief] = pocket.length > 0 ? 1 : 0;
    s[L.round] = b.round;
    s[L.hits] = b.hits;
    s[L.stage] = b.stage === "A" ? AFTER_FIRST_FIRE : b.stage === "B" ? AFTER_MAIN_FIRE : 0;
    s[L.shockFirst] = b.shockFirst || b.stage === "A" ? 1 : 0;
    s[L.committed] = b.interceptor ? 1 : 0;
  }

  /** Checks the keys that follow from the others. */
  private totals(): void {
    const { tables, s, doc } = this;
    const { L } = tables;
    const counts = [
      ["poolSize", L.poolSize, "counters are in the pool"],
      ["forts", L.forts, "fortified localities are held"],
      ["west", L.westHeld, "western hexes are held"],
      ["kCount", L.kHeld, "K-Line hexes are held"],
    ] as const;
    for (const [key, at, what] of counts)
      if (doc[key] !== undefined && doc[key] !== s[at]) refuse(key, `${s[at]} ${what}, not ${doc[key]}`);
    for (const [name, side] of Object.entries(doc.control ?? {}))
      if ((s[L.german + hexAt(this.tables, `control.${name}`, name)] === 1) !== (side === "german"))
        refuse(`control.${name}`, `hex ${name} is ${side === "german" ? "Soviet" : "German"} by the other keys`);
    const { result } = doc;
    if (result === "sudden-death" && s[L.poolSize]! > 0)
      refuse("result", `${s[L.poolSize]} counters are in the pool; sudden death empties it`);
    const ends: Partial<Record<ResultName, number>> = { turn1: 1, turn3: 3, turn6: 6, draw: 6, territory: 6 };
    if (result !== undefined && ends[result] !== undefined && ends[result] !== doc.turn)
      refuse("result", `${result} falls on turn ${ends[result]}, not ${doc.turn}`);
  }
}
