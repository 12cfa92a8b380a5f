import { actionIndex } from "../env.js";
import { oneOf, shown } from "../errors.js";
import type { Game, Viewer } from "../game.js";
import type { State, StateView } from "../layout.js";
import type { Choice, Prompt } from "../narration.js";
import type { Errand } from "../order-rules.js";
import { promptOf } from "../prompts.js";
import { unitTitle } from "../unit-titles.js";
import { Course, lastWords, sameName } from "./course.js";
import { bad, type Order, orderRulesOf, stageNow } from "./order.js";
import { imaginedWorld, stepsTo, type Way, wayBy, waysFrom } from "./ways.js";

/** An action that an order comes to. */
export interface Step {
  readonly action: number;
  /** The order names what the choice warns of. */
  readonly knows?: boolean;
  /** Names what may throw dice: a place, or an action of a list. Others throw none that were asked for. */
  readonly throws?: boolean;
  /** Of a list. */
  readonly last?: boolean;
}

/** A unit of an errand, and the actions that name it. */
interface Beginning {
  readonly unit: string;
  readonly actions: readonly number[];
  /** One of many that one name stands for; true: those who are with it come along. Absent: it is named itself. */
  readonly stack?: boolean;
}

/** The actions of one unit, or why it has none. */
type Plan = { readonly actions: readonly number[] } | { readonly missing: string };

/** In place of a step: the order has more to do, and somebody else decides. */
export const NOT_MINE: Step = { action: -1 };

/** The actions that orders come to. It reads what `viewer` knows and nothing else. */
export class OrderSteps {
  /** Units of an order to all that did nothing. */
  readonly skipped: string[] = [];
  /** Names of many of whom one has gone already. */
  private readonly gone = new Set<string>();
  /** The decision of `now`, once it is known. */
  private asked: Prompt | null = null;

  constructor(
    private readonly game: Game,
    private now: StateView,
    private readonly viewer: Viewer,
  ) {}

  /** The state that the next step is worked out in. */
  goTo(s: StateView): void {
    this.now = s;
    this.asked = null;
  }

  /** The decision at hand. */
  prompt(): Prompt {
    return (this.asked ??= promptOf(this.game, this.now, this.viewer));
  }

  private called(unit: string): string {
    return unitTitle(this.game, unit);
  }

  /** True when the side that gave the order decides. */
  get mine(): boolean {
    return this.game.actor(this.now) === this.viewer;
  }

  /** The steps of an order, the next once the state is that after the one before. */
  of(order: Order): Generator<Step, void> {
    if (order.form === "errand" || order.form === "deed") return this.errandSteps(order);
    if (order.form === "carry") return this.carrySteps(order);
    if (order.form === "several") return this.partSteps(order.parts);
    if (order.form === "end") return this.endSteps();
    if (order.form === "skip") return this.skipSteps(order.kinds);
    return listSteps(order.actions);
  }

  private *errandSteps(order: Extract<Order, { form: "errand" | "deed" }>): Generator<Step, void> {
    const { errand } = order;
    const done = new Set<string>();
    /** Units still to come; null: all. */
    const wanted = order.units === null ? null : [...order.units];
    do {
      const begin = this.beginning(errand, wanted, done);
      if (begin === null) return;
      if (order.form === "deed") yield* this.doingThere(order.does, begin);
      else
        yield* this.going(begin.stack === true ? { ...order, along: "all" } : order, begin, begin.stack !== undefined);
      done.add(begin.unit);
      if (wanted?.length === 0) return;
      if (!this.mine && wanted?.every((name) => this.gone.has(name)) === true) return;
    } while (this.mine);
    yield NOT_MINE;
  }

  private *partSteps(parts: readonly Order[]): Generator<Step, void> {
    for (const part of parts) {
      if (!this.mine) yield NOT_MINE;
      yield* this.of(atHand(part, this.game, this.prompt().kind));
    }
  }

  /** One unit does something where it is. */
  private *doingThere(does: string, { unit, actions, stack }: Beginning): Generator<Step, void> {
    const { game, now, viewer } = this;
    const { choices } = new Course(game, viewer, imaginedWorld(game, now, viewer), actions);
    const deed = choices.find((c) => c.name === does);
    if (deed !== undefined) for (const action of [...actions, deed.action]) yield { action, knows: true };
    else if (stack === undefined) throw bad(game, `${this.called(unit)} can't do that now (${does})`);
    else this.skipped.push(unit);
  }

  /** One unit takes others along, those who are elsewhere from where they are. */
  private *carrySteps(order: Extract<Order, { form: "carry" }>): Generator<Step, void> {
    if (this.beginning(order.errand, [order.by], new Set()) === null) return;
    const { actions } = this.lift(order);
    for (const [k, action] of actions.entries()) yield { action, throws: k === actions.length - 1 };
  }

  /** The way of a unit that carries others, who are named where it comes by. */
  private lift({ errand, by, riders, place, then }: Extract<Order, { form: "carry" }>): Course {
    const { game, viewer } = this;
    const { choices } = this.prompt();
    const { carry, via } = errand;
    const choiceOf = (name: string) => choices.find((c) => c.units.some((u) => sameName(u, name)));
    const here = choiceOf(by)?.places[0];
    // those who are together are named in the order in which they are listed
    const together = [by, ...riders].flatMap((u) => choiceOf(u) ?? []).filter((c) => c.places[0] === here);
    const [first, ...others] = choices.filter((c) => together.includes(c));
    const course = new Course(game, viewer, imaginedWorld(game, this.now, viewer), [first!.action]);
    for (const { units } of others)
      if (!course.names(units[0]!)) throw bad(game, `${this.called(by)} can't take ${shown(units[0])} along`);
    const goBy = (hex: string): void => {
      if (!course.takes(via!) || !course.goes(errand, hex)) throw bad(game, `${this.called(by)} can't go by ${hex}`);
    };
    for (const rider of riders) {
      const choice = choiceOf(rider);
      if (choice !== undefined && together.includes(choice)) continue;
      if (choice !== undefined) goBy(choice.places[0]!);
      if (choice === undefined || !course.names(rider))
        throw bad(game, `${this.called(by)} can't take ${shown(rider)} along`);
    }
    if (then !== null) {
      goBy(place);
      if (!course.takes(carry!.off)) throw bad(game, `nobody can get off at ${place}`);
    }
    const end = then ?? place;
    if (!course.goes(errand, end))
      throw bad(game, `${this.called(by)} can't ${errand.verb} ${errand.word} ${end} with them`);
    return course;
  }

  /** One unit goes by the places that the order names, each reached before the way on is looked for. */
  private *going(order: Extract<Order, { form: "errand" }>, begin: Beginning, ofMany: boolean): Generator<Step, void> {
    const { errand } = order;
    const legs = errand.via === undefined ? [...order.by.map((p) => [p]), [order.place]] : [[...order.by, order.place]];
    for (const [i, leg] of legs.entries()) {
      if (i > 0 && !this.mine) yield NOT_MINE;
      if (i > 0 && !this.stands(errand, begin.unit)) throw bad(this.game, `${this.called(begin.unit)} went no further`);
      const plan = this.plan(order, i === 0 ? begin : { unit: begin.unit, actions: [] }, leg, i === 0);
      if ("missing" in plan) {
        if (!order.toward && !ofMany) throw bad(this.game, plan.missing);
        this.skipped.push(begin.unit);
        return;
      }
      const { actions } = plan;
      for (const [k, action] of actions.entries()) yield { action, throws: k === actions.length - 1 };
    }
    if (errand.stop !== undefined && this.mine && this.stands(errand, begin.unit))
      yield { action: actionIndex(this.game, errand.stop), knows: true };
  }

  /** True when the unit is asked where it goes on to. */
  private stands(errand: Errand, unit: string): boolean {
    const { kind, units } = this.prompt();
    return errand.go.includes(kind) && units[0] === unit;
  }

  /** The next unit of an errand, and the actions that name it. Null: there are no more. */
  private beginning(errand: Errand, wanted: string[] | null, done: ReadonlySet<string>): Beginning | null {
    const prompt = this.prompt();
    if (errand.go.includes(prompt.kind) && prompt.units.length > 0) {
      const [unit = ""] = prompt.units;
      if (done.has(unit)) return null; // it stays where it is asked
      while (wanted !== null && this.gone.has(wanted[0] ?? "") && !isNamedSo(unit, wanted[0]!))
        if (wanted.splice(0, 1).length > 0 && wanted.length === 0) return null; // all of them have gone
      if (isNamedSo(unit, wanted?.[0] ?? "")) {
        this.gone.add(wanted![0]!);
        return { unit, actions: [], stack: false };
      }
      if (wanted === null || wanted.length === 0 || sameName(wanted[0]!, unit)) {
        wanted?.shift();
        return { unit, actions: [] };
      }
      throw bad(this.game, `${this.called(unit)} is under way: ${prompt.text}`);
    }
    if (prompt.kind !== errand.choose) {
      if (done.size > 0 && wanted === null) return null;
      throw bad(this.game, `no unit can be ordered to ${errand.verb} now: ${prompt.text}`);
    }
    const able = prompt.choices.filter((c) => c.units.length > 0);
    if (wanted === null) {
      const next = able.find((c) => !done.has(c.units[0]!));
      return next === undefined ? null : { unit: next.units[0]!, actions: [next.action], stack: false };
    }
    const name = wanted.shift();
    if (name === undefined)
      throw bad(this.game, `say which unit is to ${errand.verb}: ${oneOf(able.map((c) => this.called(c.units[0]!)))}`);
    const named = able.find(
      (c) => c.units.some((u) => sameName(u, name)) || sameName(c.name, name) || sameName(lastWords(c.name), name),
    );
    if (named !== undefined) return { unit: named.units[0]!, actions: [named.action] };
    const many = able.filter((c) => isOfMany(c, name));
    const next = many.find((c) => !done.has(c.units[0]!));
    if (many.length === 0 && !this.gone.has(name))
      throw bad(
        this.game,
        `${shown(name)} can't ${errand.verb} now; ${oneOf(able.map((c) => this.called(c.units[0]!)))} can`,
      );
    if (next === undefined) return wanted.length === 0 ? null : this.beginning(errand, wanted, done);
    this.gone.add(name);
    wanted.unshift(name); // the others of it come next
    return { unit: next.units[0]!, actions: [next.action], stack: !name.endsWith("*") };
  }

  /**
   * Plans the actions of one unit from place to place. Where it finds none, it gives the reason.
   *
   * @param joining true when others join it first
   */
  private plan(
    order: Extract<Order, { form: "errand" }>,
    begin: Beginning,
    places: readonly string[],
    joining: boolean,
  ): Plan {
    const { game, viewer } = this;
    const { errand } = order;
    const called = this.called(begin.unit);
    const course = new Course(game, viewer, imaginedWorld(game, this.now, viewer), begin.actions);
    for (const name of joining ? (order.along === "all" ? [null] : order.along) : []) {
      if (course.names(name, errand.all)) continue;
      if (name !== null) return { missing: `${shown(name)} can't come along with ${called}` };
    }
    const { word } = errand;
    const verb = errand.verb.replace(/ with$/, "");
    if (joining && errand.does !== undefined && !course.takes(errand.does.action))
      return { missing: `${called} can't ${verb} now` };
    const { actions, world } = course;
    // the engine has played the only place
    if (!errand.go.includes(course.kind))
      return course.hasNamed(order.place) ? { actions } : { missing: `${called} can't ${verb} ${word} ${order.place}` };
    const found = order.toward ? this.nearest(world, errand, order.place) : wayBy(game, world, viewer, errand, places);
    if (!("missing" in found)) return { actions: [...actions, ...found.actions] };
    if (order.toward) return found;
    const ways = waysFrom(game, world, viewer, errand).values();
    const reach = [...ways].map(({ place, cost }) => (cost === null ? place : `${place} (${cost} MP)`));
    return { missing: `${called} can't ${verb} ${word} ${found.missing}; it can ${word} ${oneOf(reach, 12)}` };
  }

  /** The way that ends nearest to a place, if it is nearer than here. */
  private nearest(world: State, errand: Errand, place: string): Way | { readonly missing: string } {
    const { game, viewer } = this;
    const away = stepsTo(game, place);
    if (away === null) throw bad(game, `there is no place ${shown(place)} on the map`);
    const [here] = promptOf(game, world, viewer).places;
    let best: Way | null = null;
    let least = (here === undefined ? undefined : away.get(here)) ?? Infinity;
    for (const way of waysFrom(game, world, viewer, errand).values()) {
      const steps = away.get(way.place) ?? Infinity;
      if (!way.calm || way.warning !== null || steps >= least) continue;
      best = way;
      least = steps;
    }
    return best ?? { missing: "no way leads nearer" };
  }

  /** The choice that does nothing but go on, one that ends the phase before others. */
  private get declining(): Choice | undefined {
    const { declines } = orderRulesOf(this.game);
    const { choices } = this.prompt();
    return (
      choices.find((c) => c.ends !== null && c.places.length === 0) ?? choices.find((c) => declines.includes(c.name))
    );
  }

  private *skipSteps(kinds: readonly string[]): Generator<Step, void> {
    while (!kinds.includes(this.prompt().kind)) {
      if (!this.mine) yield NOT_MINE;
      const one = this.declining;
      if (one === undefined) throw bad(this.game, `nothing can be skipped here: ${this.prompt().text}`);
      yield { action: one.action };
    }
  }

  private *endSteps(): Generator<Step, void> {
    const phase = (): string => stageNow(this.game, this.now, this.viewer, "phase");
    const begun = phase();
    for (let first = true; this.mine && (first || phase() === begun); first = false) {
      const { text } = this.prompt();
      const one = this.declining;
      if (one === undefined) {
        if (first) throw bad(this.game, `nothing ends the phase here: ${text}`);
        return;
      }
      yield { action: one.action };
      if (one.ends !== null) return;
    }
  }
}

/** The order with the errand that the decision at hand begins: two may have the same verb. */
export function atHand(order: Order, game: Game, kind: string): Order {
  if (order.form !== "errand" && order.form !== "deed") return order;
  const { errand } = order;
  const fits = orderRulesOf(game).errands.find(
    (e) =>
      (e.choose === kind || e.go.includes(kind)) &&
      (order.form === "deed"
        ? [e.hold, ...Object.values(e.deeds?.actions ?? {})].includes(order.does)
        : e.verb === errand.verb && e.word === errand.word),
  );
  return fits === undefined ? order : { ...order, errand: fits };
}

function* listSteps(actions: readonly number[]): Generator<Step, void> {
  for (const [i, action] of actions.entries()) yield { action, throws: true, last: i > 0 && i === actions.length - 1 };
}

/**
 * True when a choice is about one of the units that a name stands for: `G305ID*` stands for all whose names begin so, a
 * place for all units there.
 */
const isOfMany = ({ units: [unit = ""], places }: Choice, name: string): boolean =>
  name.endsWith("*") ? isNamedSo(unit, name) : places[0] === name;
/** True when a name that ends in `*` stands for a unit. */
const isNamedSo = (unit: string, name: string): boolean =>
  name.endsWith("*") && unit.toLowerCase().startsWith(name.slice(0, -1).toLowerCase());
