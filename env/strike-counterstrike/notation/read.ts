import type { Dice } from "../../core/dice/dice.js";
import type { JsonObject } from "../../core/game.js";
import type { State } from "../../core/layout.js";
import { checkOptions } from "../../core/position-options.js";
import { parseWith } from "../../core/schema.js";
import { FIRST_HEX, JANUARY, type Tables } from "../data.js";
import { wordViolation } from "../invariants.js";
import { GAME } from "./write.js";
import type { StrikeDecisions } from "../decisions/index.js";
import type { Resampler } from "../resample.js";
import { forcesFault, partisanFault, stateFault } from "../faults.js";
import { armyAt, type Doc, hexAt, positionSchema, refuse, refuseIf } from "./schema.js";
import { CounterReader } from "./read-counters.js";
import { surveyFront } from "../rules/front.js";
import { DEAD, PHASE, PARTISAN_GONE, PARTISAN_HEX, PARTISAN_ON_TRACK, RESULT, TRACK } from "../layout.js";
import { finish, phaseOf, setGerman } from "../state.js";

/** Reads one position document into one state. */
export class PositionReader {
  private constructor(
    private readonly tables: Tables,
    private readonly decisions: StrikeDecisions,
    private readonly doc: Doc,
    private readonly s: State,
  ) {}

  /**
   * @param dice deals the counters written as "?", and plays on from a position between decisions
   * @throws KesselError `bad-position` with path and reason
   */
  static read(
    tables: Tables,
    decisions: StrikeDecisions,
    raw: JsonObject,
    s: State,
    dice: Dice,
    resampler: Resampler,
  ): void {
    const doc: Doc = parseWith(positionSchema, raw, "bad-position", GAME);
    const r = new PositionReader(tables, decisions, doc, s);
    checkOptions(GAME, tables.options, r.doc.options);
    r.ground();
    refuseIf(partisanFault(tables, s));
    r.armies();
    refuseIf(forcesFault(tables, s));
    new CounterReader(tables, r.doc, s).lay(dice, resampler);
    r.decision();
    refuseIf(stateFault(tables, decisions, s));
    r.totals();
    const broken = wordViolation(tables, s);
    if (broken !== null) refuse("(top)", broken);
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
    for (let h = FIRST_HEX; h < tables.hexCount; h++) setGerman(tables, s, h, tables.startGerman[h]!);
    doc.captured.forEach((name, i) => {
      const h = hexAt(this.tables, `captured[${i}]`, name);
      if (s[L.german + h] === 0)
        refuse(
          `captured[${i}]`,
          `hex ${name} ${tables.startGerman[h] === 1 ? "is listed twice" : "is Soviet from the start"}`,
        );
      setGerman(tables, s, h, 0);
    });
    const partisan = doc.partisan ?? (doc.turn > JANUARY ? "gone" : "track");
    if (partisan === "track") s[L.partisan] = PARTISAN_ON_TRACK;
    else if (partisan === "gone") s[L.partisan] = PARTISAN_GONE;
    else {
      const h = hexAt(this.tables, "partisan", partisan);
      if (s[L.german + h] === 0) refuse("partisan", `hex ${partisan} is Soviet without the marker`);
      setGerman(tables, s, h, 0);
      s[L.partisan] = PARTISAN_HEX + h;
    }
    surveyFront(tables, s);
  }

  private armies(): void {
    const { tables, s, doc } = this;
    const { L } = tables;
    for (const name of Object.keys(doc.armies)) armyAt(this.tables, `armies.${name}`, name);
    if (doc.battle) s[L.battleHex] = hexAt(tables, "battle.hex", doc.battle.hex) + 1;
    tables.armies.forEach((a, i) => {
      const path = `armies.${a.id}`;
      const given = doc.armies[a.id] ?? {};
      const place = given.hex ?? (a.setup >= 0 ? tables.ids[a.setup]! : doc.turn > a.enters ? "dead" : "track");
      const hex = place === "dead" ? DEAD : place === "track" ? TRACK : hexAt(this.tables, `${path}.hex`, place);
      s[L.armyHex + i] = hex;
      s[L.armySteps + i] = given.steps ?? (hex >= 0 ? a.strength : 0);
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
    if (given.host !== null) s[L.host] = armyAt(tables, "engineer.host", given.host) + 1;
    s[L.engineer] = given.steps;
  }

  /** What is asked, with the moving force and its battle. */
  private decision(): void {
    const { tables, decisions, s, doc } = this;
    const { L } = tables;
    const phase = phaseOf(tables, s);
    s[L.interceptor] = doc.interceptor === "ready" ? 1 : 0;
    s[L.replacements] = doc.replacements ?? (phase === PHASE.replace ? tables.replacements : 0);
    const { active, battle } = doc;
    decisions.read(tables, { active, battle }, s, phase, "");
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
  }
}
