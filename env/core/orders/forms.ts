import { KesselError, shown } from "../errors.js";
import type { Game, Viewer } from "../game.js";
import type { State, StateView } from "../layout.js";
import type { Choice, Prompt } from "../narration.js";
import { promptOf } from "../prompts.js";
import { actionIndex } from "../env.js";
import { carryForm, orderRulesOf } from "./order.js";
import { anyUnit, unitTitle } from "../unit-titles.js";
import { imagine, imaginedWorld, type Way, waysFrom } from "./ways.js";

/** A family of orders that fits the decision at hand. */
export interface OrderForm {
  /** How it is written: `move UNIT, ... to PLACE`. */
  readonly form: string;
  readonly says: string;
  /** Units that it can name. */
  readonly units: readonly string[];
}

/** Units of a decision beyond which orders for many at once are offered. */
const MANY = 20;

/** Units that orders can send somewhere from a decision; once one is under way, it alone. */
export function sendable(game: Game, { kind, units, choices }: Prompt): readonly string[] {
  if (choices.length === 0) return [];
  const { errands } = orderRulesOf(game);
  // units that are placed as they are asked are nowhere yet
  if (units.length > 0 && errands.some((e) => e.go.includes(kind)))
    return errands.some((e) => e.choose === kind) ? [] : units.slice(0, 1);
  if (!errands.some((e) => e.choose === kind && e.word !== "for")) return [];
  return choices.flatMap((c) => c.units.slice(0, 1));
}

/**
 * Phases that `skip to PHASE` can go on to in this turn: those after the phase of the decision, in the game's order.
 */
export function skips(game: Game, { kind, choices }: Prompt): readonly string[] {
  const { declines, phases } = orderRulesOf(game);
  if (!choices.some((c) => declines.includes(c.name))) return [];
  const words = Object.keys(phases);
  const now = words.findIndex((word) => phases[word]!.includes(kind));
  return now < 0 ? [] : words.slice(now + 1);
}

/** The families of orders that `viewer` can give now. Empty for a viewer who doesn't decide. */
export function orderForms(game: Game, s: StateView, viewer: Viewer): OrderForm[] {
  const { kind, units: asked, choices } = promptOf(game, s, viewer);
  if (choices.length === 0) return [];
  const { errands, sets, declines, phases } = orderRulesOf(game);
  const forms: OrderForm[] = [];
  const able = new Able(game, s, viewer, choices);
  for (const errand of errands) {
    const { verb, word, choose, does, go, hold, all, via, deeds, carry } = errand;
    const far = word === "to";
    const underWay = go.includes(kind) && asked.length > 0;
    if (choose === kind && !underWay) {
      const units = does === undefined ? able.units : able.who(does.action, does.by);
      if (units.length === 0) continue;
      const way = far ? `, by the cheapest way; "toward PLACE" goes as near as it can` : "";
      const many =
        units.length > MANY ? `, "${units[0]!.slice(0, 4)}*" those whose names begin so, a place its stack` : "";
      const along = all === undefined ? "" : `; "UNIT with all" takes everybody in the place along`;
      forms.push({
        form: `${verb} UNIT${word === "for" ? "" : ", ..."} ${word} ${word === "for" ? "UNIT" : "PLACE"}${far ? " by PLACE, ..." : ""}`,
        says:
          word === "for"
            ? "One unit for another."
            : `${far ? "Units go one after another" : "One unit or several"}${way}${along}. "all" names every unit${many}.`,
        units,
      });
      if (hold !== undefined) forms.push({ form: "hold UNIT, ...", says: "They stay where they are.", units });
      for (const [words, action] of Object.entries(deeds?.actions ?? {})) {
        const doers = able.who(action, deeds!.by);
        if (doers.length > 0) forms.push({ form: `${words} UNIT, ...`, says: "In its place.", units: doers });
      }
      const carriers = carry === undefined ? [] : able.called(carry.by);
      if (carriers.length > 0)
        forms.push({
          form: carryForm(errand),
          says: `The one after "with" picks the others up, and goes on alone after "then".`,
          units: carriers,
        });
    } else if (choose === kind) {
      forms.push({
        form: `${verb} UNIT, ... ${word} PLACE`,
        says: `Units in the order in which they are asked, ${asked[0]!} first; "${asked[0]!.slice(0, 4)}*" those in a row whose names begin so.`,
        units: asked.slice(0, 1),
      });
    } else if (underWay && does === undefined) {
      forms.push({
        form: `${verb} ${word} PLACE${far && via === undefined ? " by PLACE, ..." : ""}`,
        says: far ? `By the cheapest way; "toward PLACE" goes as near as it can.` : "One place.",
        units: asked.slice(0, 1),
      });
    }
  }
  const set = sets.find((kinds) => kinds.includes(kind));
  const open = choices.filter((c) => !declines.includes(c.name));
  if (set !== undefined && open.length > 0)
    forms.push({
      form: "ACTION, ACTION, ...",
      says: `Several in turn, "x3" after one repeats it: ${open
        .slice(0, 3)
        .map((c) => c.name)
        .join(", ")}.`,
      units: [],
    });
  if (choices.some((c) => c.ends !== null || declines.includes(c.name))) {
    forms.push({ form: "end phase", says: "Nothing more until the phase is over.", units: [] });
    const later = Object.keys(phases).filter((word) => !phases[word]!.includes(kind));
    if (later.length > 0)
      forms.push({ form: `skip to ${later.join(" | ")}`, says: "Nothing until that begins.", units: [] });
  }
  return forms;
}

/** The units that a decision names first, and what each could do then. */
class Able {
  readonly units: readonly string[];
  /** What is legal once a unit is named. */
  private readonly legal = new Map<number, Uint8Array>();
  private world: State | null = null;

  constructor(
    private readonly game: Game,
    private readonly s: StateView,
    private readonly viewer: Viewer,
    private readonly choices: readonly Choice[],
  ) {
    this.units = choices.flatMap((c) => c.units.slice(0, 1));
  }

  /** Units with a word in the text of their choice that could take an action next. */
  who(action: string, word: string): string[] {
    const a = actionIndex(this.game, action);
    return this.choices.flatMap((c) =>
      c.units.length > 0 && c.text.includes(word) && this.after(c.action)[a] === 1 ? [c.units[0]!] : [],
    );
  }

  /** Units with a word in the text of their choice. */
  called(word: string): string[] {
    return this.choices.flatMap((c) => (c.text.includes(word) ? c.units.slice(0, 1) : []));
  }

  private after(action: number): Uint8Array {
    const { game, viewer } = this;
    let mask = this.legal.get(action);
    if (mask !== undefined) return mask;
    this.world ??= imaginedWorld(game, this.s, viewer);
    const { world } = imagine(game, this.world, action);
    this.legal.set(action, (mask = new Uint8Array(game.actions.length)));
    if (game.actor(world) === viewer) game.legalMask(world, mask, 0);
    return mask;
  }
}

/** A way as people choose it. */
export interface OpenWay extends Pick<Way, "place" | "cost" | "path" | "warning" | "stopping" | "calm"> {
  /** The order that sends the unit there. */
  readonly order: string;
}

/**
 * Where an order can send a unit, by the cheapest ways. The same in all worlds that `viewer` can't tell apart.
 *
 * @param unit by its name, at a decision that names units, or the one that is under way
 * @returns nearest first; empty when it can go nowhere
 * @throws KesselError `bad-action` when no order can name it now
 */
export function waysOf(game: Game, s: StateView, viewer: Viewer, unit: string): OpenWay[] {
  const { kind, units, choices } = promptOf(game, s, viewer);
  for (const errand of orderRulesOf(game).errands) {
    const underWay = errand.go.includes(kind) && units[0] === unit;
    const begins = errand.choose === kind ? choices.find((c) => c.units[0] === unit) : undefined;
    if (!underWay && begins === undefined) continue;
    const here = imaginedWorld(game, s, viewer);
    const world = begins === undefined ? here : imagine(game, here, begins.action).world;
    const ways = [...waysFrom(game, world, viewer, errand).values()];
    return ways.map(({ place, cost, path, warning, stopping, calm }) => ({
      ...{ place, cost, path, warning, stopping, calm },
      order: `${errand.verb} ${unit} ${errand.word} ${place}`,
    }));
  }
  const able = choices.flatMap((c) => c.units.slice(0, 1));
  const named = able.length > 0 ? `; choices name ${anyUnit(game, able)}` : "";
  const title = shown(unitTitle(game, unit));
  throw new KesselError("bad-action", `${game.type.id}: ${title} can't be sent now${named}`);
}
