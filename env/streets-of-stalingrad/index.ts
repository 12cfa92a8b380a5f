import type { Dice } from "../core/dice/dice.js";
import {
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
import type { Scene } from "../core/scene.js";
import { newState, RNG_WORDS, type State, type StateView } from "../core/layout.js";
import { BALANCE } from "../core/options.js";
import { readGuide } from "../core/guide.js";
import { readBriefings } from "../core/learning/briefing.js";
import { readRulebook } from "../core/rulebook.js";
import { readTeaching } from "../core/learning/teaching.js";
import { type Narration, type Narrator, readEventKinds } from "../core/narration.js";
import { readOrderRules } from "../core/order-rules.js";
import { Play } from "../core/play.js";
import type { Rng } from "../core/dice/rng.js";
import { actionNames } from "./actions.js";
import briefing from "./data/briefing.json" with { type: "json" };
import events from "./data/events.json" with { type: "json" };
import guide from "./data/guide.json" with { type: "json" };
import lesson from "./data/lesson.json" with { type: "json" };
import primer from "./data/primer.json" with { type: "json" };
import orders from "./data/orders.json" with { type: "json" };
import rulebook from "./data/rulebook.json" with { type: "json" };
import rules from "./data/rules.json" with { type: "json" };
import about from "./game.json" with { type: "json" };
import { dataFiles, dataFor, loadSetting } from "./data.js";
import { decisions } from "./decisions/index.js";
import { invariantViolation } from "./invariants.js";
import { Knowledge } from "./knowledge.js";
import { readPosition, setUp } from "./notation/read.js";
import { STAGE_SETUP, STAGES } from "./layout.js";
import { writePosition } from "./notation/write.js";
import { observationSpec, staticsOf } from "./observation/observation.js";
import { LOOK } from "./look-query.js";
import { Observer } from "./observation/observer.js";
import { answer } from "./query.js";
import { makeNarration } from "./prompt.js";
import { Renderer } from "./render.js";
import { noteSpotters } from "./rules/artillery/spotting.js";
import { Resampler } from "./sampling/resample.js";
import { clearRecords } from "./rules/units/fire.js";
import { throwsFirst } from "./rules/administration/phase.js";
import { testStart } from "./rules/units/reliability.js";
import { SceneMaker } from "./scene.js";
import { SIDES } from "./roster.js";
import { germanReturn, pointsMargin, pointsPotential } from "./victory.js";
import { actorOf, askOf, isOver, Tables } from "./state.js";
import { act, proceed } from "./turn.js";
import { Views } from "./view.js";

class StreetsOfStalingrad implements Game {
  readonly type = streetsOfStalingrad;
  readonly players = SIDES;
  readonly stateSize;
  readonly fields;
  readonly actions;
  readonly observation;
  readonly statics;
  readonly maxDecisions;
  readonly cacheWords;
  readonly heavySteps = true;
  readonly decisionKinds?: readonly string[];
  readonly potentials;
  private readonly tables: Tables;
  /** Dice and narrator of the action that is carried out. */
  private readonly play = new Play();
  private readonly knowledge: Knowledge;
  private readonly observer: Observer;
  private readonly resampler: Resampler;
  private readonly views: Views;
  private readonly renderer: Renderer;
  readonly narration: Narration;
  private readonly scenes: SceneMaker;
  /**
   * The scenario at its first decision, made when it is first started; where dice fall before that, as it is set up.
   */
  private ready: State | undefined;
  private rollsAtStart = false;

  constructor(
    readonly options: Options,
    data: GameData,
  ) {
    const setting = loadSetting(data, String(options["scenario"]), options[BALANCE] === "even");
    const tables = new Tables(setting, options);
    this.tables = tables;
    this.maxDecisions = setting.roster.many ? 1_000_000 : 20_000; // Spec 4.11
    this.stateSize = tables.layout.size;
    this.fields = tables.layout.fields;
    this.actions = actionNames(setting);
    this.observation = observationSpec(setting);
    this.statics = staticsOf(setting);
    this.knowledge = new Knowledge(tables);
    this.observer = new Observer(tables, this.knowledge, this.observation);
    this.cacheWords = this.observer.cacheWords;
    this.resampler = new Resampler(tables, this.knowledge);
    this.views = new Views(tables, this.knowledge, this.actions);
    this.renderer = new Renderer(tables, this.knowledge);
    this.scenes = new SceneMaker(tables, this.knowledge, this.type, this.statics.points);
    this.narration = makeNarration(tables, this.knowledge, this.actions);
    if (setting.decisions !== null)
      this.decisionKinds = setting.decisions.filter((kind) => kind !== "spot.pick" || !tables.autoSpot);
    this.potentials = { points: (s: StateView) => pointsPotential(tables, s) };
  }

  start(s: State, dice: Dice, narrator: Narrator | null = null): void {
    s.set((this.ready ??= this.readStart(dice)).subarray(RNG_WORDS), RNG_WORDS); // all but the random stream
    if (!this.rollsAtStart) return;
    const play = this.play.begin(dice, narrator);
    clearRecords(this.tables, s);
    testStart(this.tables, s, play);
    proceed(this.tables, s, play);
  }

  private readStart(dice: Dice): State {
    const { setting } = this.tables;
    const s = newState(this.stateSize);
    const play = new Play(dice);
    const begin =
      this.tables.zones === null
        ? setting.start
        : { stage: STAGES[STAGE_SETUP]!, phase: 1, turn: this.tables.firstTurn };
    setUp(this.tables, { ...begin, scenario: setting.scenario }, s, play);
    this.rollsAtStart = testStart(this.tables, s, null) || throwsFirst(this.tables, s);
    if (!this.rollsAtStart) proceed(this.tables, s, play);
    // computes the rows of sight of the units' hexes, or the first bombardment of a large scenario would
    SIDES.forEach((_, side) => noteSpotters(this.tables, s, side, () => true));
    return s;
  }

  actor(s: StateView): number {
    return isOver(this.tables, s) ? NOBODY : actorOf(this.tables, s);
  }

  legalMask(s: StateView, mask: Uint8Array, at: number, untouched = false): number {
    const { found } = this.tables;
    if (untouched && found.count > 0) {
      mask.set(found.mask, at);
      return found.count;
    }
    mask.fill(0, at, at + this.actions.length);
    return isOver(this.tables, s) ? 0 : decisions.mark(this.tables, s, askOf(this.tables, s), mask, at);
  }

  apply(s: State, action: number, dice: Dice, narrator: Narrator | null = null): void {
    act(this.tables, s, action, this.play.begin(dice, narrator));
  }

  returns(s: StateView, out: Float32Array): void {
    const german = germanReturn(this.tables, s);
    out[0] = german;
    out[1] = german === 0 ? 0 : -german;
  }

  margin(s: StateView): number {
    return pointsMargin(this.tables, s);
  }

  observe(s: StateView, viewer: Viewer, out: Observation): void {
    this.observer.observe(s, viewer, out);
  }

  resample(s: StateView, player: number, out: State, rng: Rng): boolean {
    return this.resampler.resample(s, player, out, rng);
  }

  redact(s: StateView, player: number, out: State): void {
    this.knowledge.redact(s, player, out);
  }

  write(s: StateView): JsonObject {
    return writePosition(this.tables, s);
  }

  view(s: StateView, viewer: Viewer): JsonObject {
    return this.views.view(s, viewer);
  }

  read(doc: JsonObject, s: State, dice: Dice): void {
    readPosition(this.tables, doc, s, new Play(dice));
  }

  describeFor(before: StateView, action: number, after: StateView, viewer: Viewer): string | null {
    return this.views.describeFor(before, action, after, viewer);
  }

  render(s: StateView, viewer: Viewer): string {
    return this.renderer.render(s, viewer);
  }

  scene(s: StateView, viewer: Viewer): Scene {
    return this.scenes.scene(s, viewer);
  }

  invariantViolation(s: StateView): string | null {
    return invariantViolation(this.tables, s);
  }
}

/** Streets of Stalingrad: companies and battalions in the city, with face-down counters and fire at whoever moves. */
export const streetsOfStalingrad: GameType = {
  ...(about as GameSummary),
  tried: [
    {},
    { autoSingle: false },
    { opFire: false },
    { hiddenUnits: false },
    { graded: true },
    { levels: "even" },
    { maxTurns: 1 },
    { balance: "even" },
    { scenario: "sandbox-2" },
    { scenario: "sandbox-2", balance: "even" },
    { scenario: "drill-kurgan", balance: "even" },
    { scenario: "sandbox-2", autoSpot: false, autoSingle: false },
    { scenario: "sandbox-3" },
    { scenario: "drill-landing" },
    { scenario: "drill-elevator" },
    { scenario: "drill-kurgan" },
  ],
  get data() {
    return dataFiles();
  },
  events: readEventKinds(events),
  orders: readOrderRules(orders),
  guide: readGuide(guide),
  rulebook: readRulebook(rulebook),
  teaching: readTeaching(primer, lesson),
  briefings: readBriefings(briefing),
  rules: rules as unknown as RuleIndex,
  dataFor,
  query: answer,
  mapQuestions: [LOOK],
  load: (options, data) => new StreetsOfStalingrad(options, data),
};
