import { canonical } from "../describe.js";
import { actorName } from "../env.js";
import { KesselError, shown } from "../errors.js";
import type { Game, Viewer } from "../game.js";
import type { State, StateView } from "../layout.js";
import type { Choice } from "../narration.js";
import { bad, type Order, orderRulesOf, parseOrder } from "./order.js";
import { atHand, NOT_MINE, OrderSteps, type Step } from "./steps.js";
import { imagine, imaginedWorld } from "./ways.js";

/** What a viewer will know after an action, in canonical JSON. */
interface Expected {
  readonly view: string;
  /** After the decisions with one choice that follow. */
  readonly settled: string;
  /** Their actions. */
  readonly forced: readonly number[];
}

/**
 * An order that is being carried out, action by action. It reads what `viewer` knows and nothing else.
 *
 * Ask `next` for an action, carry it out, and ask again with the new state, until `next` returns null. Then `stopped`
 * is null when all was done, or says why the order went no further.
 */
export class OrderRun {
  stopped: string | null = null;
  /** The warning that stopped it, or null. */
  warning: string | null = null;
  /** The step that it warned of. */
  private warned: Step | null = null;
  private readonly order: Order;
  private readonly work: OrderSteps;
  private readonly steps: Generator<Step, void>;
  /** The kind of decision that it was given at. */
  private readonly beganAt: string;
  private now: StateView;
  private finished = false;
  private begun = false;
  /** A step that waits until decisions with one choice are out of the way. */
  private held: Step | null = null;
  /** What the viewer will know if nothing comes to light; null when dice decide. */
  private expected: Expected | null = null;

  /** @throws KesselError `bad-action`: the words are no order, or name what is not there */
  constructor(
    private readonly game: Game,
    s: StateView,
    private readonly viewer: Viewer,
    text: string,
  ) {
    this.now = s;
    if (game.actor(s) !== viewer) throw bad(game, "an order is for the side that decides");
    this.work = new OrderSteps(game, s, viewer);
    this.beganAt = this.work.prompt().kind;
    this.order = atHand(parseOrder(game, text), game, this.beganAt);
    this.steps = this.work.of(this.order);
    this.held = this.take(); // what can't be begun is refused before anything is done
    this.begun = true;
    if (
      this.held !== null &&
      this.held !== NOT_MINE &&
      this.choiceOf(this.held) === null &&
      this.work.prompt().choices.length > 1
    )
      throw bad(game, this.impossible(this.held));
  }

  /** Units of an order to all that did nothing. */
  get skipped(): readonly string[] {
    return this.work.skipped;
  }

  /** @param s the state now @returns the action to carry out, or null at the end */
  next(s: StateView): number | null {
    if (this.finished || this.stopped !== null) return null;
    this.now = s;
    this.work.goTo(s);
    const { expected } = this;
    this.expected = null;
    const known = expected === null ? null : canonical(this.game.view(s, this.viewer));
    let step = this.held ?? this.take();
    // decisions with one choice, which the caller has played; after dice nobody knows which these are
    if (expected !== null && known !== expected.view && known === expected.settled)
      for (const action of expected.forced) if (step?.action === action) step = this.take();
    const learnt = expected !== null && known !== expected.view && known !== expected.settled;
    if (this.stopped !== null) return null;
    this.held = null;
    if (step === null) {
      this.finished = true;
      return null;
    }
    if (learnt) return this.stop("something came to light that the order did not know of");
    if (this.isOver(step)) {
      this.finished = true; // there was nothing left to decline
      return null;
    }
    if (this.game.actor(s) !== this.viewer) return this.stop(`${actorName(this.game, s) ?? "nobody"} decides now`);
    const choice = this.choiceOf(step);
    if (choice === null) {
      const { choices } = this.work.prompt();
      if (choices.length !== 1) return this.stop(this.impossible(step));
      this.held = step;
      return this.doing({ action: choices[0]!.action });
    }
    if (choice.warning !== null && !this.order.whatever && step.knows !== true) {
      this.warning = choice.warning;
      this.warned = step;
      return this.stop(`${choice.warning} An order that ends in "!" does it all the same`);
    }
    return this.doing(step);
  }

  /** Takes the step that a warning stopped it at, and goes on from there, in the state that it stopped in. */
  goOn(): void {
    if (this.warned === null) throw bad(this.game, "no warning has stopped the order");
    this.held = { ...this.warned, knows: true };
    this.stopped = this.warning = this.warned = null;
  }

  /** True when a list ends by declining the rest, and there is no rest: its decisions are over. */
  private isOver({ action, last }: Step): boolean {
    const { declines, sets } = orderRulesOf(this.game);
    if (last !== true || !declines.includes(this.game.actions[action]!)) return false;
    const kinds = sets.find((of) => of.includes(this.beganAt));
    return this.choiceOf({ action }) === null || (kinds !== undefined && !kinds.includes(this.work.prompt().kind));
  }

  private doing(step: Step): number {
    const { game, viewer } = this;
    const { world, diced } = imagine(game, imaginedWorld(game, this.now, viewer), step.action);
    this.expected = diced && step.throws === true ? null : expectedIn(game, world, viewer);
    return step.action;
  }

  private stop(why: string): null {
    this.stopped = why;
    return null;
  }

  /** The next step; null when there is none. What can't be gone on with stops the order. */
  private take(): Step | null {
    try {
      return this.steps.next().value ?? null;
    } catch (e) {
      if (!this.begun || !(e instanceof KesselError)) throw e;
      return this.stop(e.message);
    }
  }

  private impossible(step: Step): string {
    return `${shown(this.game.actions[step.action])} is not possible: ${this.work.prompt().text}`;
  }

  private choiceOf(step: Step): Choice | null {
    return this.work.prompt().choices.find((c) => c.action === step.action) ?? null;
  }
}

/** What an order would come to, as far as `viewer` can know. */
export interface Expansion {
  readonly actions: readonly number[];
  /** Why it would go no further, or null. */
  readonly stopped: string | null;
  /** Units of an order to all that would do nothing. */
  readonly skipped: readonly string[];
}

/**
 * The actions of an order, carried out in an imagined world, up to the first that throws dice or draws. The same in all
 * worlds that `viewer` can't tell apart.
 *
 * @throws KesselError `bad-action` as `OrderRun`
 */
export function expandOrder(game: Game, s: StateView, viewer: Viewer, text: string): Expansion {
  let world = imaginedWorld(game, s, viewer);
  const run = new OrderRun(game, world, viewer, text);
  const actions: number[] = [];
  for (let action = run.next(world); action !== null; action = run.next(world)) {
    actions.push(action);
    const next = imagine(game, world, action);
    ({ world } = next);
    if (next.diced && run.next(world) !== null)
      return { actions, stopped: "dice decide what comes next", skipped: run.skipped };
  }
  return { actions, stopped: run.stopped, skipped: run.skipped };
}

/** What a viewer knows of a world, also after decisions with one choice, which many callers play by themselves. */
function expectedIn(game: Game, world: State, viewer: Viewer): Expected {
  const view = canonical(game.view(world, viewer));
  const mask = new Uint8Array(game.actions.length);
  const forced: number[] = [];
  let settled = world;
  while (game.actor(settled) >= 0 && game.legalMask(settled, mask, 0) === 1) {
    forced.push(mask.indexOf(1));
    const next = imagine(game, settled, forced.at(-1)!);
    if (next.diced) break;
    settled = next.world;
  }
  return { view, settled: settled === world ? view : canonical(game.view(settled, viewer)), forced };
}
