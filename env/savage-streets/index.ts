import type { Dice, NameOf } from "../core/dice/dice.js";
import {
  EVERYTHING,
  type Game,
  type GameData,
  type GameSummary,
  type GameType,
  type JsonObject,
  NOBODY,
  type Observation,
  type Options,
  type RuleIndex,
  type Viewer,
} from "../core/game.js";
import { KesselError } from "../core/errors.js";
import type { State, StateView } from "../core/layout.js";
import { BALANCE } from "../core/options.js";
import { readGuide } from "../core/guide.js";
import { readBriefings } from "../core/learning/briefing.js";
import { readRulebook } from "../core/rulebook.js";
import { readTeaching } from "../core/learning/teaching.js";
import { type Narration, type Narrator, readEventKinds } from "../core/narration.js";
import { Play } from "../core/play.js";
import { readOrderRules } from "../core/order-rules.js";
import type { Rng } from "../core/dice/rng.js";
import type { Scene } from "../core/scene.js";
import { actionNames, SPACE } from "./actions.js";
import chits from "./data/chits.json" with { type: "json" };
import briefing from "./data/briefing.json" with { type: "json" };
import events from "./data/events.json" with { type: "json" };
import guide from "./data/guide.json" with { type: "json" };
import lesson from "./data/lesson.json" with { type: "json" };
import map from "./data/map.json" with { type: "json" };
import orders from "./data/orders.json" with { type: "json" };
import primer from "./data/primer.json" with { type: "json" };
import rulebook from "./data/rulebook.json" with { type: "json" };
import rules from "./data/rules.json" with { type: "json" };
import setup from "./data/setup.json" with { type: "json" };
import tablesFile from "./data/tables.json" with { type: "json" };
import units from "./data/units.json" with { type: "json" };
import about from "./game.json" with { type: "json" };
import { readData, type Tables } from "./data.js";
import { deciderOf, decisions } from "./decisions/index.js";
import { invariantViolation } from "./invariants.js";
import { prompt } from "./prompt.js";
import { standing } from "./narration/standing.js";
import { comparableList, writePosition } from "./notation/write.js";
import { observationSpec } from "./observation/columns.js";
import { Observer } from "./observation/index.js";
import { readPosition } from "./notation/read.js";
import { render } from "./render.js";
import { Resampler } from "./resample/index.js";
import { pileChit } from "./rules/chits.js";
import { unplacedUnit, waitingUnit } from "./rules/solitaire.js";
import { startGame } from "./rules/setup.js";
import { margin, position } from "./potential.js";
import { SceneMaker } from "./scene/index.js";
import { CHITS, DECISION, decisionOf, GERMAN, L, PHASE, phaseOf, SOVIET, UNITS } from "./state.js";
import { apply } from "./turn/apply.js";
import { beginPhase, type DrawNames, run } from "./turn/run.js";
import { germanView, describeFor } from "./view.js";

class SavageStreets implements Game {
  readonly players: readonly string[];
  readonly stateSize = L.size;
  readonly fields = L.fields;
  readonly actions: readonly string[];
  readonly observation;
  readonly statics;
  /** No counter acts twice in a phase, movement points and hits are finite: random play stays below half of this. */
  readonly maxDecisions = 1500;
  readonly cases = { comparableList };
  readonly narration: Narration;
  readonly potentials: Readonly<Record<string, (s: StateView) => number>>;
  private readonly tables: Tables;
  private readonly play = new Play();
  private readonly names: DrawNames;
  private readonly observer: Observer;
  private readonly resampler: Resampler;
  private readonly scenes: SceneMaker;

  constructor(
    readonly type: GameType,
    readonly options: Options,
    files: GameData,
  ) {
    const even = options[BALANCE] === "even";
    if (even && options["mode"] === "solo")
      throw new KesselError(
        "bad-option",
        "balance=even of savage-streets is for two players; leave it out of mode=solo",
      );
    const data = readData(files, even);
    const tables: Tables = {
      data,
      options,
      solo: options["mode"] === "solo",
      engineers: options["engineers"] === true,
      armor: options["armor"] === true,
      antitank: options["antitank"] === true,
      integrity: options["integrity"] === true,
      infiltration: options["infiltration"] === true,
      schwere: options["schwere"] === true,
      allGunsShoot: options["guns"] === "area",
      mayStay: options["mode"] === "solo" && options["commanded"] === "may",
      dummyAtOnce: options["dummy"] === "at-once",
      scratch: new Int32Array(UNITS + CHITS),
    };
    this.tables = tables;
    this.players = tables.solo ? ["G"] : ["G", "S"];
    this.actions = actionNames(data);
    this.observation = observationSpec(data);
    this.statics = { neighbours: data.neighbours, points: data.points, placeNames: data.areaNames };
    const waiting =
      (red: number): NameOf =>
      (s, i) =>
        data.unitIds[waitingUnit(tables, s, red, i)]!;
    this.names = {
      chit: (s, i) => data.chitIds[pileChit(s, i)]!,
      startUnit: (s, i) => data.unitIds[unplacedUnit(tables, s, i)]!,
      waiting: [waiting(0), waiting(1)],
    };
    this.narration = {
      prompt: (s, viewer) => prompt(tables, this.actions, s, viewer),
      standing: (s, viewer) => standing(tables, s, viewer),
      // a landing under fire and the chits drawn after the last
      throwsApart: (s) => !tables.solo && phaseOf(s) === PHASE.sovReinf,
    };
    this.observer = new Observer(tables);
    this.resampler = new Resampler(tables);
    this.scenes = new SceneMaker(tables, type);
    this.potentials = { position: (s) => position(tables, s) };
  }

  start(s: State, dice: Dice, narrator: Narrator | null = null): void {
    const play = this.play.begin(dice, narrator);
    startGame(this.tables, s);
    beginPhase(this.tables, s, play, this.names);
    run(this.tables, s, play, this.names);
  }

  actor(s: StateView): number {
    return decisionOf(s) === DECISION.none ? NOBODY : deciderOf(decisionOf(s));
  }

  legalMask(s: StateView, mask: Uint8Array, at: number): number {
    mask.fill(0, at, at + SPACE.size);
    return decisions.mark(this.tables, s, decisionOf(s), mask, at);
  }

  apply(s: State, action: number, dice: Dice, narrator: Narrator | null = null): void {
    apply(this.tables, s, action, this.play.begin(dice, narrator), this.names);
  }

  returns(s: StateView, out: Float32Array): void {
    const value = s[L.result] === 0 ? 0 : s[L.result] === GERMAN + 1 ? 1 : -1;
    out[GERMAN] = value;
    if (!this.tables.solo) out[SOVIET] = value === 0 ? 0 : -value;
  }

  margin(s: StateView): number {
    return margin(this.tables, s);
  }

  observe(s: StateView, viewer: Viewer, out: Observation): void {
    this.observer.observe(s, viewer, out);
  }

  resample(s: StateView, player: number, out: State, rng: Rng): boolean {
    return this.resampler.resample(s, player, out, rng);
  }

  write(s: StateView): JsonObject {
    return writePosition(this.tables, s);
  }

  view(s: StateView, viewer: Viewer): JsonObject {
    return viewer === SOVIET ? writePosition(this.tables, s) : germanView(this.tables, s);
  }

  read(doc: JsonObject, s: State, dice: Dice): void {
    if (readPosition(this.tables, doc, s)) return;
    // pending events continue; every other phase starts from its beginning
    const resumed = phaseOf(s) === PHASE.events && (s[L.eventArea] !== 0 || s[L.areaQueue] !== 0);
    const play = this.play.begin(dice, null);
    if (!resumed) beginPhase(this.tables, s, play, this.names);
    run(this.tables, s, play, this.names);
  }

  describeFor(before: StateView, action: number, after: StateView, viewer: Viewer): string | null {
    return describeFor(this.tables, this.actions, before, action, after, viewer);
  }

  render(s: StateView, viewer: Viewer): string {
    return render(this.tables, s, viewer);
  }

  scene(s: StateView, viewer: Viewer): Scene {
    return this.scenes.scene(viewer === EVERYTHING ? this.write(s) : this.view(s, viewer), viewer);
  }

  invariantViolation(s: StateView): string | null {
    return invariantViolation(this.tables, s);
  }
}

/** Savage Streets: the fight for the centre of Stalingrad, with hidden Soviet counters. */
export const savageStreets: GameType = {
  ...(about as GameSummary),
  data: { map, units, chits, tables: tablesFile, setup } as unknown as GameData,
  rules: rules as unknown as RuleIndex,
  events: readEventKinds(events),
  orders: readOrderRules(orders),
  guide: readGuide(guide),
  rulebook: readRulebook(rulebook),
  teaching: readTeaching(primer, lesson),
  briefings: readBriefings(briefing),
  load: (options, data) => new SavageStreets(savageStreets, options, data),
};
