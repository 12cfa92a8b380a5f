import { unordered } from "../core/describe.js";
import type { Dice } from "../core/dice/dice.js";
import {
  EVERYTHING,
  type Game,
  type GameData,
  type GameSummary,
  type GameType,
  type Json,
  type JsonObject,
  NOBODY,
  type Observation,
  type Options,
  type RuleIndex,
  type Viewer,
} from "../core/game.js";
import type { State, StateView } from "../core/layout.js";
import { readGuide } from "../core/guide.js";
import { readBriefings } from "../core/learning/briefing.js";
import { readRulebook } from "../core/rulebook.js";
import { readTeaching } from "../core/learning/teaching.js";
import { type Narration, type Narrator, type Prompt, readEventKinds } from "../core/narration.js";
import { Play } from "../core/play.js";
import { readOrderRules } from "../core/order-rules.js";
import type { Rng } from "../core/dice/rng.js";
import type { Scene } from "../core/scene.js";
import { actionNames } from "./actions.js";
import briefing from "./data/briefing.json" with { type: "json" };
import events from "./data/events.json" with { type: "json" };
import guide from "./data/guide.json" with { type: "json" };
import halfSheet from "./data/half-sheet.json" with { type: "json" };
import lesson from "./data/lesson.json" with { type: "json" };
import map from "./data/map.json" with { type: "json" };
import orders from "./data/orders.json" with { type: "json" };
import primer from "./data/primer.json" with { type: "json" };
import rulebook from "./data/rulebook.json" with { type: "json" };
import rules from "./data/rules.json" with { type: "json" };
import scenario from "./data/scenario.json" with { type: "json" };
import tables from "./data/tables.json" with { type: "json" };
import units from "./data/units.json" with { type: "json" };
import about from "./game.json" with { type: "json" };
import { loadTables } from "./data/load.js";
import { decisionsFor, type StrikeDecisions } from "./decisions/index.js";
import { SOVIET } from "./events/words.js";
import { invariantViolation } from "./invariants.js";
import { writePosition } from "./notation/write.js";
import { observationSpec, staticTables } from "./observation/spec.js";
import { Observer } from "./observation/index.js";
import { gameEnded } from "./events/turn.js";
import { standing } from "./narration/standing.js";
import { PositionReader } from "./notation/read.js";
import { render } from "./render.js";
import { Resampler } from "./resample.js";
import { checkPotential, returnOf, victoryMargin } from "./rules/victory.js";
import { SceneMaker } from "./scene/index.js";
import { isOver, phaseOf } from "./state.js";
import type { Tables } from "./data.js";
import { setUpState, startGame } from "./turn.js";

class StrikeCounterstrike implements Game {
  readonly type = strikeCounterstrike;
  readonly players = ["soviet"];
  readonly stateSize;
  readonly fields;
  readonly actions;
  readonly observation;
  readonly cacheWords;
  readonly statics;
  readonly unitTitles: readonly string[];
  readonly maxDecisions = 5000; // 17 armies at most, 3 MP each, at most 10 decisions an MP, 6 turns: fewer than 3100
  /** Lists of positions are sets. */
  readonly cases = { comparableList: (_key: string | null, list: readonly Json[]) => unordered(list) };
  readonly potentials;
  readonly benchProbes;
  readonly narration: Narration;
  private readonly tables: Tables;
  private readonly play = new Play();
  private readonly decisions: StrikeDecisions;
  private readonly setUp: State;
  private readonly observer: Observer;
  private readonly resampler: Resampler;
  private readonly scenes: SceneMaker;

  constructor(
    readonly options: Options,
    data: GameData,
  ) {
    const tables = loadTables(data, options);
    this.tables = tables;
    this.decisions = decisionsFor(tables.armyCount, tables.hexCount);
    this.setUp = setUpState(tables);
    this.stateSize = tables.L.size;
    this.fields = tables.L.fields;
    this.actions = actionNames(tables);
    this.observation = observationSpec(tables, this.decisions);
    this.observer = new Observer(tables, this.observation, this.setUp);
    this.cacheWords = this.observer.cacheWords;
    this.resampler = new Resampler(tables);
    this.scenes = new SceneMaker(tables, this.type);
    this.statics = {
      neighbours: tables.ids.map((_, h) =>
        Array.from(tables.grid.neighbours.subarray(h * 6, h * 6 + 6)).filter((k) => k >= 0),
      ),
      points: tables.ids.map((_, h) => tables.grid.point(h)),
      placeNames: tables.ids.map((id, h) => (tables.names[h] === "" ? id : `${id} ${tables.names[h]}`)),
      ...staticTables(tables),
    };
    this.unitTitles = [...tables.armies.map((a) => a.name), tables.engineer.name];
    this.potentials = { checks: (s: StateView) => checkPotential(tables, s) };
    this.narration = {
      prompt: (s, viewer) => this.prompt(s, viewer),
      standing: (s) => standing(tables, s),
      presumed: (s) => this.decisions.presumed(tables, s, phaseOf(tables, s)),
    };
    const cut = new Int32Array(tables.hexCount);
    this.benchProbes = {
      "pocket test, of every hex at once": (s: StateView) => tables.articulation.measure(s, tables.L.german, cut, 0),
    };
  }

  /** All but the choices is public; those are for the player and for `EVERYTHING`. */
  private prompt(s: StateView, viewer: Viewer): Prompt {
    const { tables } = this;
    const over = isOver(tables, s);
    return this.decisions.prompt(tables, s, phaseOf(tables, s), viewer, {
      names: this.actions,
      by: over ? null : SOVIET,
      decides: !over && (viewer === 0 || viewer === EVERYTHING),
      warnsAlone: true,
    });
  }

  start(s: State, dice: Dice, narrator: Narrator | null = null): void {
    startGame(this.tables, this.setUp, s, this.begin(dice, narrator));
  }

  /** The player, as long as there is something to decide: the German side is chance and procedure. Rule: SC 1.1 */
  actor(s: StateView): number {
    return isOver(this.tables, s) ? NOBODY : 0;
  }

  legalMask(s: StateView, mask: Uint8Array, at: number): number {
    mask.fill(0, at, at + this.actions.length);
    return this.decisions.mark(this.tables, s, phaseOf(this.tables, s), mask, at);
  }

  apply(s: State, action: number, dice: Dice, narrator: Narrator | null = null): void {
    const { tables } = this;
    const play = this.begin(dice, narrator);
    this.decisions.apply(tables, s, phaseOf(tables, s), action, play);
    if (narrator !== null && isOver(tables, s)) gameEnded(tables, s, play);
  }

  private begin(dice: Dice, narrator: Narrator | null): Play {
    if (narrator !== null) this.tables.faces.length = this.tables.drawn.length = 0;
    return this.play.begin(dice, narrator);
  }

  returns(s: StateView, out: Float32Array): void {
    out[0] = returnOf(this.tables, s);
  }

  margin(s: StateView): number {
    return victoryMargin(this.tables, s);
  }

  observe(s: StateView, _viewer: Viewer, out: Observation): void {
    this.observer.observe(s, out);
  }

  resample(s: State, _player: number, out: State, rng: Rng): boolean {
    this.resampler.resample(s, out, rng);
    return true;
  }

  write(s: StateView): JsonObject {
    return writePosition(this.tables, this.decisions, s, true);
  }

  view(s: StateView): JsonObject {
    return writePosition(this.tables, this.decisions, s, false);
  }

  read(doc: JsonObject, s: State, dice: Dice): void {
    PositionReader.read(this.tables, this.decisions, doc, s, dice, this.resampler);
  }

  describeFor(_before: StateView, action: number): string {
    return this.actions[action]!;
  }

  render(s: StateView): string {
    return render(this.tables, s);
  }

  scene(s: StateView, viewer: Viewer): Scene {
    return this.scenes.scene(viewer === EVERYTHING ? this.write(s) : this.view(s));
  }

  invariantViolation(s: StateView): string | null {
    return invariantViolation(this.tables, this.decisions, s);
  }
}

export const strikeCounterstrike: GameType = {
  ...(about as GameSummary),
  data: { map, scenario, tables, units, "half-sheet": halfSheet },
  rules: rules as RuleIndex,
  events: readEventKinds(events),
  orders: readOrderRules(orders),
  guide: readGuide(guide),
  rulebook: readRulebook(rulebook),
  teaching: readTeaching(primer, lesson),
  briefings: readBriefings(briefing),
  load: (chosen, data) => new StrikeCounterstrike(chosen, data),
};
