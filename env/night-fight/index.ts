import { unordered } from "../core/describe.js";
import type { Dice } from "../core/dice/dice.js";
import {
  type Actor,
  EVERYTHING,
  type Game,
  type GameData,
  type GameSummary,
  type GameType,
  type Json,
  type JsonObject,
  NOBODY,
  type Observation,
  type ObservationSpec,
  type Options,
  type RuleIndex,
  SPECTATOR,
  type Statics,
  type Viewer,
} from "../core/game.js";
import type { Field, State, StateView } from "../core/layout.js";
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
import eventsData from "./data/events.json" with { type: "json" };
import guideData from "./data/guide.json" with { type: "json" };
import lesson from "./data/lesson.json" with { type: "json" };
import mapData from "./data/map.json" with { type: "json" };
import ordersData from "./data/orders.json" with { type: "json" };
import primer from "./data/primer.json" with { type: "json" };
import rulebook from "./data/rulebook.json" with { type: "json" };
import rulesData from "./data/rules.json" with { type: "json" };
import tablesData from "./data/tables.json" with { type: "json" };
import unitsData from "./data/units.json" with { type: "json" };
import about from "./game.json" with { type: "json" };
import { GERMANS, loadTables, FIRST_UNIT } from "./data.js";
import type { Tables } from "./data.js";
import { decisions } from "./decisions/index.js";
import { titleOf } from "./events/words.js";
import { invariantViolation } from "./invariants.js";
import { standing } from "./narration/standing.js";
import { writePosition } from "./notation/write.js";
import { observationSpec, Observer, staticTables } from "./observation.js";
import { readPosition } from "./notation/read.js";
import { renderBoard } from "./render.js";
import { Resampler } from "./resample.js";
import { SceneMaker } from "./scene/index.js";
import { setUp } from "./rules/purchase.js";
import { hasWon, victoryChance } from "./rules/victory.js";
import { countAt, EXITED, L, onMap, OVER, phaseOf, placeOf } from "./state.js";
import { writeView } from "./view.js";

class NightFight implements Game {
  readonly type = nightFight;
  readonly players = ["german"];
  readonly stateSize = L.size;
  readonly fields: readonly Field[] = L.fields;
  readonly actions: readonly string[];
  readonly observation: ObservationSpec;
  readonly statics: Statics;
  readonly unitTitles: readonly string[];
  readonly maxDecisions: number;
  readonly potentials: Readonly<Record<string, (s: StateView) => number>>;
  /** Lists of positions are sets but for `columns`. */
  readonly cases = {
    comparableList: (key: string | null, list: readonly Json[]) => (key === "columns" ? list : unordered(list)),
  };
  /** The data by index, for agents that know this game. */
  readonly tables: Tables;
  private readonly play = new Play();
  readonly narration: Narration;
  private readonly observer: Observer;
  private readonly resampler: Resampler;
  private readonly scenes: SceneMaker;

  constructor(
    readonly options: Options,
    data: GameData,
  ) {
    const tables = loadTables(data, options);
    this.tables = tables;
    this.actions = actionNames(tables);
    this.observation = observationSpec(tables);
    this.narration = {
      prompt: (s, viewer) => this.prompt(s, viewer),
      standing: (s) => standing(tables, s),
    };
    this.observer = new Observer(tables);
    this.resampler = new Resampler(tables);
    this.scenes = new SceneMaker(tables, this.type);
    this.statics = staticsOf(tables);
    this.unitTitles = tables.unitNames.map((_, u) => titleOf(tables, u));
    this.maxDecisions = longestGame(tables);
    this.potentials = { breakout: (s) => breakout(tables, s) };
  }

  /** There is one player, so every viewer reads the same; nothing in it is hidden. */
  private prompt(s: StateView, viewer: Viewer): Prompt {
    const over = phaseOf(s) === OVER;
    const asked = { names: this.actions, by: over ? null : "german", decides: !over && viewer !== SPECTATOR };
    return decisions.prompt(this.tables, s, phaseOf(s), viewer, asked);
  }

  start(s: State, dice: Dice, narrator: Narrator | null = null): void {
    setUp(this.tables, s, this.play.begin(dice, narrator));
  }

  actor(s: StateView): Actor {
    return phaseOf(s) === OVER ? NOBODY : 0;
  }

  legalMask(s: StateView, mask: Uint8Array, at: number): number {
    mask.fill(0, at, at + this.actions.length);
    return decisions.mark(this.tables, s, phaseOf(s), mask, at);
  }

  apply(s: State, action: number, dice: Dice, narrator: Narrator | null = null): void {
    decisions.apply(this.tables, s, phaseOf(s), action, this.play.begin(dice, narrator));
  }

  returns(s: StateView, out: Float32Array): void {
    out[0] = phaseOf(s) !== OVER ? 0 : hasWon(s) ? 1 : -1;
  }

  expectedReturns(s: StateView, out: Float32Array): void {
    out[0] = phaseOf(s) !== OVER ? 0 : 2 * victoryChance(this.tables, s) - 1;
  }

  /** Units that left the map, from none at -1 to all at 1. */
  margin(s: StateView): number {
    return (2 * countAt(s, EXITED)) / GERMANS - 1;
  }

  observe(s: StateView, _viewer: Viewer, out: Observation): void {
    this.observer.observe(s, out);
  }

  /** Exact, but for a fallback after many tries; see `Resampler`. */
  resample(s: StateView, _player: number, out: State, rng: Rng): boolean {
    return this.resampler.resample(s, out, rng);
  }

  write(s: StateView): JsonObject {
    return writePosition(this.tables, s);
  }

  view(s: StateView, _viewer: Viewer): JsonObject {
    return writeView(this.tables, s);
  }

  read(doc: JsonObject, s: State, _dice: Dice): void {
    readPosition(this.tables, doc, s);
  }

  /** Every action is public: the one player takes all decisions. */
  describeFor(_before: StateView, action: number, _after: StateView, _viewer: Viewer): string {
    return this.actions[action]!;
  }

  render(s: StateView, _viewer: Viewer): string {
    return renderBoard(this.tables, s);
  }

  scene(s: StateView, viewer: Viewer): Scene {
    return this.scenes.scene(viewer === EVERYTHING ? this.write(s) : this.view(s, viewer));
  }

  invariantViolation(s: StateView): string | null {
    return invariantViolation(this.tables, s);
  }
}

/** The data of a loaded game of this type, replaced files included. */
export function tablesOf(game: Game): Tables {
  if (game instanceof NightFight) return game.tables;
  throw new TypeError(`${game.type.id} is not ${nightFight.id}`);
}

function staticsOf(tables: Tables): Statics {
  const { grid } = tables;
  return {
    neighbours: tables.ids.map((_, h) => [...grid.neighbours.subarray(h * 6, h * 6 + 6)].filter((n) => n >= 0)),
    points: tables.ids.map((_, h) => grid.point(h)),
    placeNames: tables.ids,
    ...staticTables(tables),
  };
}

/**
 * Purchase and reinstatement; then in each turn every unit moves hex by hex and fires once, and two phases end by
 * `done`.
 */
function longestGame(tables: Tables): number {
  let perTurn = 2;
  for (let u = FIRST_UNIT; u < GERMANS; u++) perTurn += tables.mp[u]! + 2 + 3;
  return GERMANS + 1 + 3 + tables.rules.turns * perTurn;
}

/** 0.05 for each exited unit, and up to 0.01 for each unit on the map by the columns it has passed. */
function breakout(tables: Tables, s: StateView): number {
  if (phaseOf(s) === OVER) return 0;
  const columns = Math.max(1, Math.abs(tables.exitColumn - tables.entryColumn));
  let sum = 0.05 * countAt(s, EXITED);
  for (let u = FIRST_UNIT; u < GERMANS; u++)
    if (onMap(s, u)) sum += 0.01 * (1 - Math.abs(tables.exitColumn - tables.grid.columns[placeOf(s, u)]!) / columns);
  return sum;
}

export const nightFight: GameType = {
  ...(about as GameSummary),
  data: { map: mapData, units: unitsData, tables: tablesData } as unknown as GameData,
  rules: rulesData as RuleIndex,
  events: readEventKinds(eventsData),
  orders: readOrderRules(ordersData),
  guide: readGuide(guideData),
  rulebook: readRulebook(rulebook),
  teaching: readTeaching(primer, lesson),
  briefings: readBriefings(briefing),
  load: (options, data) => new NightFight(options, data),
};
