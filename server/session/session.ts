import { setImmediate as nextTurn } from "node:timers/promises";
import type { Agent } from "../../agents/agent.js";
import {
  type Dice,
  Env,
  EventLog,
  EVERYTHING,
  type Game,
  InvariantError,
  type JsonObject,
  KesselError,
  type LogEntry,
  NOBODY,
  type Odds,
  odds,
  OrderRun,
  type Prompt,
  promptOf,
  RecordingDice,
  type Replay,
  ScriptedDice,
  SeededDice,
  shown,
  SPECTATOR,
  type Standing,
  standingOf,
  type State,
  toReplay,
  unitTitle,
  type Viewer,
} from "../../env/index.js";
import type { Deputy } from "./deputy.js";
import { Logs } from "./logs.js";
import { OneDecision } from "./one-decision.js";
import { decisionsOf, resignedBy, type SessionLine, wasHelped } from "./record.js";
import { hidesSomething, type PlayedStep, whyNotUndone } from "./undo.js";

/** How long agents that answer at once play on before others of this thread are heard, ms. */
const TURN_MS = 5;

/** Who fills a seat: a person, or an agent. */
export type Seat = "human" | Agent;

/** What an order came to. */
export interface Ordered {
  /** The actions that were carried out, by name. */
  readonly actions: readonly string[];
  /** Why it went no further, or null when all was done. */
  readonly stopped: string | null;
  /** The warning that stopped it, or null. */
  readonly warning: string | null;
  /** Units of an order to all that did nothing. */
  readonly skipped: readonly string[];
}

/** Keeps the record of a session; `SessionFile` does. */
export interface LineKeeper {
  append(line: SessionLine): boolean;
}

const KEEPS_NOTHING: LineKeeper = { append: () => true };

/**
 * A game between people and agents, without input or output: asks agents, plays forced decisions, and keeps for each
 * viewer what it saw happen. Every decision goes to the record before anyone sees it.
 */
export class Session {
  readonly env: Env;
  readonly actions: string[] = [];
  /** Rises with everything that changes. */
  version = 0;
  /** The agent that is thinking now. */
  thinking: Agent | null = null;
  /** The player who gave up, by index. */
  private resigned: number | null = null;
  /** True when a person has seen, while the game went on, what an agent would do. */
  helped = false;
  /** Since the last dice: only there a choice can be taken back. */
  private readonly steps: PlayedStep[] = [];
  private readonly logs: Logs;
  private readonly narrator: EventLog;
  private readonly choice = new Int32Array(1);
  /** The order that a warning has stopped last. */
  private warned: { readonly run: OrderRun; readonly version: number; readonly begun: boolean } | null = null;

  /** Who decides in the place of a person, by player. */
  private readonly deputies = new Map<number, Deputy>();
  /** The first step that a deputy has taken, from which on an undo takes all back. */
  private deputysFirst: PlayedStep | null = null;

  /** What `whyNoUndo` found out at a version. */
  private judged: { readonly version: number; readonly why: string | null } | null = null;

  constructor(
    readonly game: Game,
    readonly seats: Seat[],
    readonly seed: string,
    private readonly keeper: LineKeeper = KEEPS_NOTHING,
    /** Where the game begins, if not at its start. */
    private readonly position?: JsonObject,
    /** Dice of the start and of each action, where they don't follow from the seed. */
    private readonly dice?: Replay["dice"],
  ) {
    this.env = new Env(game);
    const viewers = [EVERYTHING, SPECTATOR, ...game.players.keys()];
    this.logs = new Logs(viewers);
    this.narrator = new EventLog(viewers);
    if (position === undefined) this.env.reset(seed, this.diceOf(0), this.narrator);
    else this.env.resetTo(position, seed, this.diceOf(0));
    for (const viewer of viewers) {
      const events = this.narrator.take(viewer);
      if (events.length > 0)
        this.logs.enter(viewer, this.actions.length, { actor: null, action: null, forced: false, events });
    }
  }

  /**
   * Plays a record again, without writing it again. Seats are as they were given to the constructor.
   *
   * @throws KesselError `bad-session` when an action doesn't fit
   */
  resume(lines: readonly SessionLine[]): void {
    decisionsOf(lines).forEach(({ do: name, on }, i) => {
      const action = this.game.actions.indexOf(name);
      if (this.over || action < 0 || this.env.mask[action] !== 1)
        throw new KesselError(
          "bad-session",
          `decision ${i + 1}, ${shown(name)}, can't be played; the record is damaged`,
        );
      const forced = this.env.legalCount === 1 && !this.isAskedAnyway(this.env.actor);
      this.play(action, !forced && on !== true && this.seats[this.env.actor] === "human", forced);
    });
    this.helped = wasHelped(lines);
    this.logs.undone = lines.filter((line) => "undo" in line).length;
    const gaveUp = resignedBy(lines);
    if (gaveUp !== null) this.resigned = this.game.players.indexOf(gaveUp);
    this.logs.allRead();
  }

  get over(): boolean {
    return this.env.terminated || this.resigned !== null;
  }

  /** The player to decide, by index; `NOBODY` when the game is over. */
  get actor(): number {
    return this.over ? NOBODY : this.env.actor;
  }

  /** Who gave up, by name, or null. */
  get gaveUp(): string | null {
    return this.resigned === null ? null : this.game.players[this.resigned]!;
  }

  /** Return of each player, in the order of `game.players`; zeros while the game goes on. */
  returns(): number[] {
    const out = new Float32Array(this.game.players.length);
    if (this.resigned !== null) return [...out].map((_, i) => (i === this.resigned ? -1 : 1));
    if (this.env.terminated) this.game.returns(this.env.state, out);
    return [...out];
  }

  /**
   * Plays on to the next decision that a person has to take, or to the end. `each` is called after every action.
   *
   * @param keepOn asked before every action; false ends the wait, and an answer that an agent still gives is not played
   */
  async advance(each: () => void = () => undefined, keepOn: () => boolean = () => true): Promise<void> {
    let since = performance.now();
    while (!this.over && keepOn()) {
      const actor = this.env.actor;
      if (this.env.legalCount === 1 && !this.isAskedAnyway(actor)) this.record(this.env.mask.indexOf(1), false, true);
      else {
        const seat = this.seats[actor]!;
        const deputy = seat === "human" ? this.deputyAt(actor) : null;
        if (seat === "human" && (deputy === null || deputy.granted === 0)) return;
        const { version } = this;
        const action = deputy?.takeUnit(this.env.state) ?? (await this.asked(deputy?.agent ?? (seat as Agent)));
        if (this.version !== version || !keepOn()) continue; // somebody sat down there, gave up, or stopped it meanwhile
        if (deputy === null) this.record(action, false, false);
        else this.recordFor(deputy, action);
      }
      each();
      if (performance.now() - since < TURN_MS) continue;
      await nextTurn();
      since = performance.now();
    }
  }

  /** The action that an agent takes. */
  private async asked(agent: Agent): Promise<number> {
    this.thinking = agent;
    try {
      await agent.act(new OneDecision(this.env), this.choice);
    } finally {
      this.thinking = null;
    }
    return this.choice[0]!;
  }

  /** A deputy's decision: an undo takes it back with those before it, up to a die or to another side's decision. */
  private recordFor(deputy: Deputy, action: number): void {
    const from = this.deputysFirst === null ? -1 : this.steps.indexOf(this.deputysFirst);
    const on = from >= 0 && this.steps.slice(from).every((p) => p.actor === deputy.player);
    this.record(action, !on, false, on);
    if (!on) this.deputysFirst = this.steps.at(-1) ?? null;
  }

  /** Who decides for `player` now, if the person has handed that over and it isn't done. */
  deputyOf(player: number): Deputy | null {
    return this.deputies.get(player) ?? null;
  }

  private deputyAt(player: number): Deputy | null {
    const deputy = this.deputyOf(player);
    if (deputy === null || !deputy.isOver(this.env.state)) return deputy;
    this.handBack(player);
    return null;
  }

  /**
   * Somebody decides for the person to decide, as far as was handed over: as many decisions as the deputy is granted,
   * at each `advance`.
   *
   * @throws KesselError `illegal-action`, `closed` as `choose`
   */
  handOver(deputy: Deputy): void {
    this.checkPerson();
    this.handBack(deputy.player);
    this.noteHelp();
    this.deputies.set(deputy.player, deputy);
    this.deputysFirst = null;
    this.version++;
  }

  /** The person decides again. */
  handBack(player: number): void {
    const deputy = this.deputies.get(player);
    if (deputy === undefined) return;
    this.deputies.delete(player);
    this.version++;
    void deputy.agent.close?.();
  }

  /**
   * Carries out what the person to decide chose.
   *
   * @throws KesselError `illegal-action`; `closed` when the game is over
   */
  choose(action: number): void {
    this.checkPerson();
    if (this.env.mask[action] !== 1)
      throw new KesselError(
        "illegal-action",
        `${this.game.type.id}: ${shown(this.game.actions[action] ?? action)} is not legal now; ${this.env.legalCount} actions are`,
      );
    this.handBack(this.env.actor);
    this.record(action, true, false);
  }

  /**
   * Carries out an order of the person to decide, action by action, as far as it goes. An undo takes it back as one.
   *
   * @throws KesselError `bad-action` when nothing of it can be begun; `illegal-action`, `closed` as `choose`
   */
  order(text: string): Ordered {
    this.checkPerson();
    this.handBack(this.env.actor);
    return this.carryOut(new OrderRun(this.game, this.env.state, this.env.actor, text), false);
  }

  /**
   * Goes on with the order that a warning has stopped last, if nothing has happened since. An undo takes all of it back
   * as one.
   *
   * @throws KesselError `bad-action` when there is none; `illegal-action`, `closed` as `choose`
   */
  goOn(): Ordered {
    this.checkPerson();
    const { warned } = this;
    if (warned === null || warned.version !== this.version)
      throw new KesselError("bad-action", `${this.game.type.id}: no order waits to go on`);
    warned.run.goOn();
    return this.carryOut(warned.run, warned.begun);
  }

  /** @param begun true when it has already acted */
  private carryOut(run: OrderRun, begun: boolean): Ordered {
    const { env, game } = this;
    const actions: string[] = [];
    for (let action = run.next(env.state); action !== null; action = run.next(env.state)) {
      const on = begun || actions.length > 0;
      this.record(action, !on, false, on);
      actions.push(game.actions[action]!);
    }
    const { stopped, warning, skipped } = run;
    this.warned = warning === null ? null : { run, version: this.version, begun: begun || actions.length > 0 };
    return { actions, stopped, warning, skipped: skipped.map((unit) => unitTitle(game, unit)) };
  }

  /** @throws KesselError `closed`, `illegal-action` */
  private checkPerson(): void {
    if (this.over) throw new KesselError("closed", `${this.game.type.id}: the game is over`);
    if (this.seats[this.env.actor] !== "human")
      throw new KesselError("illegal-action", `${this.game.type.id}: it is not a person's decision`);
  }

  /** A player gives up, and loses. @throws KesselError `closed` when the game is over */
  resign(player: number): void {
    if (this.over) throw new KesselError("closed", `${this.game.type.id}: the game is over`);
    this.resigned = player;
    this.handBack(player);
    this.version++;
    this.keeper.append({ resign: this.game.players[player]! });
  }

  /** Records permanently that a person has seen what an agent would do. */
  noteHelp(): void {
    if (this.helped || this.over) return;
    this.helped = true;
    this.keeper.append({ helped: true });
  }

  /** Someone else sits at `player`'s place from now on. */
  reseat(player: number, who: Seat): void {
    this.seats[player] = who;
    this.handBack(player);
    this.version++;
    this.keeper.append({ seat: this.game.players[player]!, who: who === "human" ? who : who.name });
  }

  /** Everything `viewer` saw. */
  log(viewer: Viewer): readonly LogEntry[] {
    return this.logs.of(viewer);
  }

  /**
   * The number of the situation for `viewer`: how much it has seen, and after a dot how often choices were taken back.
   * No two situations of a game have one number, and what the viewer hasn't seen doesn't count.
   */
  numberOf(viewer: Viewer): string {
    const { undone } = this.logs;
    return `${this.log(viewer).length + 1}${undone === 0 ? "" : `.${undone}`}`;
  }

  /**
   * The moments that `viewer` knows of: for each, how many decisions had been played. One precedes every decision that
   * was seen, the last is now.
   */
  moments(viewer: Viewer): readonly number[] {
    return [...this.logs.moments(viewer), this.actions.length];
  }

  /** What `viewer` saw since it was last asked. */
  news(viewer: Viewer): LogEntry[] {
    return this.logs.news(viewer);
  }

  /** Number of log entries that are as they were at a version: what was taken back and chosen again is not. */
  stillTold(viewer: Viewer, version: number): number {
    return this.logs.kept(viewer, version);
  }

  prompt(viewer: Viewer): Prompt {
    return promptOf(this.game, this.env.state, viewer);
  }

  standing(viewer: Viewer): Standing {
    return standingOf(this.game, this.env.state, viewer);
  }

  /** @throws KesselError as `odds` does */
  odds(viewer: Viewer, action: number): Odds {
    return odds(this.game, this.env.state, viewer, action);
  }

  /** Why the last choice can't be taken back, or null when it can. Costly where something is hidden. */
  whyNoUndo(player: number): string | null {
    const barred = this.undoBarred(player);
    if (barred !== null || this.judged?.version === this.version) return barred;
    const why = whyNotUndone(this.game, this.undoable(), this.env.state, player, this.seed);
    this.judged = { version: this.version, why };
    return why;
  }

  /** The same as far as it is known without trying: null says that `undo` may be asked for, not that it will do. */
  undoBarred(player: number): string | null {
    if (this.over) return "the game is over";
    const steps = this.undoable();
    if (steps.length === 0)
      return this.actions.length === 0 ? "nothing has been chosen yet" : "dice or draws have been made since";
    if (steps.some((p) => p.actor !== player)) return "the other side has had its say since";
    return this.judged?.version === this.version ? this.judged.why : null;
  }

  /** What the next undo would take back: the last choice of a person, and what was played after it without dice. */
  private undoable(): readonly PlayedStep[] {
    const from = this.steps.findLastIndex((p) => p.asked);
    return from < 0 ? [] : this.steps.slice(from);
  }

  /**
   * Takes back the last choice of the side that decides now, and what was forced after it.
   *
   * @returns why that can't be, or null when it is done
   */
  undo(): string | null {
    const why = this.whyNoUndo(this.actor);
    if (why !== null) return why;
    this.handBack(this.actor);
    const from = this.steps.findLastIndex((p) => p.asked);
    const [first, ...rest] = this.steps.splice(from);
    this.actions.length -= 1 + rest.length;
    this.env.restore(first!.before);
    this.logs.cut(this.actions.length, ++this.version);
    this.keeper.append({ undo: this.actions.length });
    return null;
  }

  replay(): Replay {
    const names = this.seats.map((s) => (s === "human" ? "human" : s.name));
    const agents = Object.fromEntries(this.game.players.map((p, i) => [p, names[i]!]));
    const from = {
      ...(this.position === undefined ? {} : { position: this.position }),
      ...(this.dice === undefined ? {} : { dice: this.dice }),
      ...(this.gaveUp === null ? {} : { resigned: this.gaveUp }),
    };
    return toReplay(this.game, this.seed, this.actions, this.env, { ...from, agents });
  }

  /** Of the start (0), or of an action, counted from 1. */
  private diceOf(n: number): Dice {
    const given = this.dice?.[n];
    return given === undefined ? new SeededDice() : new ScriptedDice(given);
  }

  /**
   * True when a person is asked even where there is only one choice. With several people at one game and something
   * hidden, passing over one would show the others that there was no choice.
   */
  private isAskedAnyway(actor: number): boolean {
    if (this.seats[actor] !== "human" || this.seats.filter((x) => x === "human").length < 2) return false;
    return hidesSomething(this.game, this.env.state);
  }

  /** @param on it goes on with an order */
  private record(action: number, asked: boolean, forced: boolean, on = false): void {
    this.play(action, asked, forced);
    this.keeper.append({ do: this.game.actions[action]!, ...(on ? { on } : {}) });
  }

  private play(action: number, asked: boolean, forced: boolean): void {
    const { env, game } = this;
    const before: State = env.state.slice();
    const actor = env.actor;
    if (actor === NOBODY) throw new InvariantError("an action after the end of the game");
    const dice = new RecordingDice(this.diceOf(this.actions.length + 1));
    const deputy = this.deputyOf(actor);
    deputy?.note(action, promptOf(game, before, actor).choices);
    env.step(action, dice, this.narrator);
    this.actions.push(game.actions[action]!);
    this.version++;
    if (dice.script.length > 0) this.steps.length = 0;
    else this.steps.push({ before, actor, action, asked });
    if (env.terminated) this.handBackAll();
    for (const viewer of this.logs.viewers) {
      const events = this.narrator.take(viewer);
      const text = viewer === EVERYTHING ? game.actions[action]! : game.describeFor(before, action, env.state, viewer);
      if (text === null && events.length === 0) continue; // what isn't seen is not even counted
      const own = viewer === actor;
      const by = own && !forced && deputy !== null ? { deputy: deputy.who } : {};
      this.logs.enter(viewer, this.actions.length, {
        actor: game.players[actor]!,
        action: text,
        forced: forced && own,
        events,
        ...by,
      });
    }
  }

  /** All decide again themselves. */
  handBackAll(): void {
    for (const player of [...this.deputies.keys()]) this.handBack(player);
  }
}
