import { type Dice, ScriptedDice } from "../core/dice/dice.js";
import {
  CHANCE,
  type ExplicitChance,
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
import type { State, StateView } from "../core/layout.js";
import { readGuide } from "../core/guide.js";
import { readBriefings } from "../core/learning/briefing.js";
import { readRulebook } from "../core/rulebook.js";
import { readTeaching } from "../core/learning/teaching.js";
import { type Narration, type Narrator, readEventKinds } from "../core/narration.js";
import { Play } from "../core/play.js";
import { readOrderRules } from "../core/order-rules.js";
import type { Rng } from "../core/dice/rng.js";
import type { Board, Scene } from "../core/scene.js";
import { ACTIONS, ROLL } from "./actions.js";
import briefing from "./data/briefing.json" with { type: "json" };
import events from "./data/events.json" with { type: "json" };
import guide from "./data/guide.json" with { type: "json" };
import lesson from "./data/lesson.json" with { type: "json" };
import map from "./data/map.json" with { type: "json" };
import orders from "./data/orders.json" with { type: "json" };
import primer from "./data/primer.json" with { type: "json" };
import rulebook from "./data/rulebook.json" with { type: "json" };
import rules from "./data/rules.json" with { type: "json" };
import scenario from "./data/scenario.json" with { type: "json" };
import setup from "./data/setup.json" with { type: "json" };
import tables from "./data/tables.json" with { type: "json" };
import units from "./data/units.json" with { type: "json" };
import about from "./game.json" with { type: "json" };
import { loadTables, type Tables } from "./data.js";
import { decisions } from "./decisions/index.js";
import { prompt } from "./prompt.js";
import { standing } from "./narration/standing.js";
import { readPosition } from "./notation/read.js";
import { writePosition } from "./notation/write.js";
import { CACHE_WORDS, OBSERVATION, observe, templateOf } from "./observation.js";
import { capturedLead, potentials } from "./potentials.js";
import { render } from "./render.js";
import { outcomesAwaited } from "./rules/roll.js";
import { boardOf, sceneOfState } from "./scene.js";
import { DECISION, L, NO_SIDE, SIDES, actorOf } from "./state.js";
import { stateFault } from "./faults.js";
import { applyAction, applyChanceOutcome, startGame } from "./turn.js";

/** Chance outcomes replace dice. */
const NO_DICE = new ScriptedDice([]);

class PocketStalingrad implements Game {
  readonly type = pocketStalingrad;
  readonly players = SIDES;
  readonly stateSize = L.size;
  readonly fields = L.fields;
  readonly actions = ACTIONS;
  readonly observation = OBSERVATION;
  readonly maxDecisions = 1100; // no game has more than 1030
  readonly statics;
  readonly potentials;
  readonly chance: ExplicitChance;
  readonly narration: Narration;
  private readonly tables: Tables;
  private readonly play = new Play();
  readonly cacheWords = CACHE_WORDS;
  private readonly template: Observation;
  private readonly board: Board;
  private readonly lead: (s: StateView) => number;

  constructor(
    readonly options: Options,
    data: GameData,
  ) {
    const tables = loadTables(data, options);
    this.tables = tables;
    this.template = templateOf(tables);
    this.board = boardOf(tables);
    this.statics = { neighbours: tables.neighbours, points: tables.points, placeNames: tables.names };
    this.potentials = potentials(tables);
    this.lead = capturedLead(tables);
    this.narration = {
      prompt: (s, viewer) => prompt(tables, s, viewer),
      standing: (s) => standing(tables, s),
      throwsApart: (s, action) => action === ROLL && s[L.explicit] === 0,
    };
    this.chance = {
      set: (s, on) => {
        s[L.explicit] = on ? 1 : 0;
      },
      outcomes: outcomesAwaited,
      apply: (s, index, narrator = null) => {
        applyChanceOutcome(tables, s, index, this.play.begin(NO_DICE, narrator));
      },
    };
  }

  start(s: State, dice: Dice, narrator: Narrator | null = null): void {
    startGame(this.tables, s, this.play.begin(dice, narrator));
  }

  actor(s: StateView): number {
    const side = actorOf(s);
    return side !== NO_SIDE ? side : s[L.kind] === DECISION.chance ? CHANCE : NOBODY;
  }

  legalMask(s: StateView, mask: Uint8Array, at: number): number {
    mask.fill(0, at, at + ACTIONS.length);
    return decisions.mark(this.tables, s, s[L.kind]!, mask, at);
  }

  apply(s: State, action: number, dice: Dice, narrator: Narrator | null = null): void {
    applyAction(this.tables, s, action, this.play.begin(dice, narrator));
  }

  returns(s: StateView, out: Float32Array): void {
    const winner = s[L.winner]!;
    out[0] = winner === 1 ? 1 : winner === 2 ? -1 : 0;
    out[1] = winner === 2 ? 1 : winner === 1 ? -1 : 0;
  }

  margin(s: StateView): number {
    return Math.max(-1, Math.min(1, this.lead(s)));
  }

  observe(s: StateView, viewer: number, out: Observation): void {
    observe(this.tables, this.template, s, viewer, out);
  }

  /** Nothing is hidden but the dice to come. */
  resample(s: StateView, _player: number, out: State, rng: Rng): boolean {
    out.set(s);
    rng.freshStream(out);
    return true;
  }

  write(s: StateView): JsonObject {
    return writePosition(this.tables, this.options, s);
  }

  view(s: StateView): JsonObject {
    return this.write(s);
  }

  read(doc: JsonObject, s: State): void {
    readPosition(this.tables, this.options, doc, s);
  }

  describeFor(_before: StateView, action: number): string {
    return ACTIONS[action]!;
  }

  render(s: StateView): string {
    return render(this.tables, s);
  }

  scene(s: StateView, viewer: Viewer): Scene {
    return sceneOfState(this.tables, this.type, this.board, s, viewer);
  }

  invariantViolation(s: StateView): string | null {
    const wrong = stateFault(this.tables, s);
    return wrong === null ? null : `${wrong.path}: ${wrong.reason}`;
  }
}

export const pocketStalingrad: GameType = {
  ...(about as GameSummary),
  data: { map, scenario, setup, tables, units },
  rules: rules as RuleIndex,
  events: readEventKinds(events),
  orders: readOrderRules(orders),
  guide: readGuide(guide),
  rulebook: readRulebook(rulebook),
  teaching: readTeaching(primer, lesson),
  briefings: readBriefings(briefing),
  load: (chosen, data) => new PocketStalingrad(chosen, data),
};
