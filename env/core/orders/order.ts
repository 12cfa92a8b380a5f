import { actionIndex } from "../env.js";
import { KesselError, oneOf, shown } from "../errors.js";
import type { Game, Json, Viewer } from "../game.js";
import type { StateView } from "../layout.js";
import { unitNamed } from "../unit-titles.js";
import { counted } from "../words.js";
import { type Errand, NO_ORDER_RULES, type OrderRules } from "../order-rules.js";

/** An order in parts, before anything is known of the position. */
export type Order =
  | {
      readonly form: "errand";
      readonly errand: Errand;
      /** Names as typed; null for every unit that can. */
      readonly units: readonly string[] | null;
      /** Units that come along; `all` for everybody in the place. */
      readonly along: readonly string[] | "all";
      /** As near to the place as it gets. */
      readonly toward: boolean;
      readonly place: string;
      readonly by: readonly string[];
      readonly whatever: boolean;
    }
  | {
      readonly form: "deed";
      readonly errand: Errand;
      /** The action that the unit does where it is. */
      readonly does: string;
      readonly units: readonly string[] | null;
      readonly whatever: boolean;
    }
  | {
      readonly form: "carry";
      readonly errand: Errand;
      /** Who carries. */
      readonly by: string;
      readonly riders: readonly string[];
      readonly place: string;
      /** Where it goes on to when they have got off; null: it stays there. */
      readonly then: string | null;
      readonly whatever: boolean;
    }
  | { readonly form: "end"; readonly whatever: boolean }
  | { readonly form: "skip"; readonly kinds: readonly string[]; readonly whatever: boolean }
  | { readonly form: "several"; readonly parts: readonly Order[]; readonly whatever: boolean }
  | { readonly form: "list"; readonly actions: readonly number[]; readonly whatever: boolean };

/** Parts that one order may have. */
const MOST_PARTS = 60;
/** Actions that one order may name. */
const MOST_ACTIONS = 200;
const MOST_CHARACTERS = 2000;

export const orderRulesOf = (game: Game): OrderRules => game.type.orders ?? NO_ORDER_RULES;

/** What of a viewer's document changes when a phase ends, or a turn, as text. */
export function stageNow(game: Game, s: StateView, viewer: Viewer, of: "phase" | "turn"): string {
  const known = game.view(s, viewer);
  return JSON.stringify(orderRulesOf(game).stages[of].map((key): Json => known[key] ?? null));
}

/**
 * Reads an order: `move G3, G4 to 0412 by 0310`, `move all toward 0412`, `fire G3 at 0412`, `end phase`, `skip to
 * movement`, or actions in turn, `keep 2 5 command, throw`, `buy truck x6`; several of these with `;` between them, the
 * last also `move G3 to 0412, end phase`. A `!` at its end carries it out in spite of warnings.
 *
 * @throws KesselError `bad-action` that names what would be an order
 */
export function parseOrder(game: Game, text: string): Order {
  if (text.length > MOST_CHARACTERS)
    throw bad(game, `the order has ${text.length} characters; at most ${MOST_CHARACTERS} are read`);
  const trimmed = text.trim().replace(/\s+/g, " ").replace(/[.;]$/, "");
  const whatever = trimmed.endsWith("!");
  const order = whatever ? trimmed.slice(0, -1).trim() : trimmed;
  const parts = order
    .replace(/(?:,| and)(?: then)? ((?:end|finish)(?: the| this)?(?: phase| turn))$/i, "; $1")
    .split(/;\s*/)
    .filter((part) => part !== "");
  if (parts.length === 0) throw bad(game, `the order is empty; ${formsText(game)}`);
  if (parts.length > MOST_PARTS)
    throw bad(game, `the order has ${counted(parts.length, "part")}; at most ${MOST_PARTS} are carried out`);
  if (parts.length > 1) return { form: "several", parts: severalParts(game, parts, whatever), whatever };
  return parseOne(game, parts[0]!, whatever);
}

/**
 * Parts one after another; one without a word that begins an order has that of the part before: `land A at 9; B at 8`.
 */
function severalParts(game: Game, parts: readonly string[], whatever: boolean): Order[] {
  let errand: Errand | null = null;
  return parts.map((part) => {
    const carried: string = errand === null ? part : `${errand.verb} ${part}`;
    const isOwn = orderRulesOf(game).errands.some((e) => parseErrand(game, e, part) !== null);
    const goesOn = errand !== null && !isOwn && parseErrand(game, errand, carried) !== null;
    const one = parseOne(game, goesOn ? carried : part, whatever);
    if (one.form === "errand") ({ errand } = one);
    return one;
  });
}

function parseOne(game: Game, order: string, whatever: boolean): Order {
  if (/^(end|finish)( the| this)?( phase| turn)?$/i.test(order)) return { form: "end", whatever };
  const skip = /^(?:skip|go on) to (?:the )?([a-z]+)(?: phase)?$/i.exec(order);
  if (skip !== null) {
    const { phases } = orderRulesOf(game);
    const word = skip[1]!.toLowerCase();
    if (!Object.hasOwn(phases, word))
      throw bad(game, `there is no phase ${shown(word)} to skip to; there is ${oneOf(Object.keys(phases))}`);
    return { form: "skip", kinds: phases[word]!, whatever };
  }
  const held = /^(?:hold|stay) (.+)$/i.exec(order);
  for (const errand of orderRulesOf(game).errands) {
    if (held !== null && errand.hold !== undefined)
      return { form: "deed", errand, does: errand.hold, units: unitsNamed(game, held[1]!), whatever };
    const deed = parseDeed(game, errand, order) ?? parseCarry(game, errand, order);
    if (deed !== null) return { ...deed, whatever };
    const found = parseErrand(game, errand, order);
    if (found !== null) return { ...found, whatever };
  }
  return { form: "list", actions: parseList(game, order), whatever };
}

function parseDeed(game: Game, errand: Errand, order: string) {
  for (const [words, does] of Object.entries(errand.deeds?.actions ?? {})) {
    const match = new RegExp(`^${words} (.+)$`, "i").exec(order);
    if (match !== null) return { form: "deed" as const, errand, does, units: unitsNamed(game, match[1]!) };
  }
  return null;
}

function parseCarry(game: Game, errand: Errand, order: string) {
  if (errand.carry === undefined) return null;
  const match = new RegExp(`^${errand.carry.verb} (.+?) with (.+?) ${errand.word} (.+?)(?:,? then (.+))?$`, "i").exec(
    order,
  );
  if (match === null) return null;
  const [, riders, by, place, then] = match;
  return {
    form: "carry" as const,
    errand,
    riders: unitsListed(game, riders!),
    by: unitNamed(game, by!),
    place: place!,
    then: then ?? null,
  };
}

function parseErrand(game: Game, errand: Errand, order: string) {
  const match = new RegExp(`^${errand.verb} (?:(.*?) )?(${errand.word}|toward|towards) (.+)$`, "i").exec(order);
  if (match === null) return null;
  const [, who = "", word, where] = match;
  const [place, ...by] = where!.split(/ by | via /i).map((part) => part.trim());
  const [names = "", along = ""] = who.split(/ with /i);
  return {
    form: "errand" as const,
    errand,
    units: unitsNamed(game, names),
    along: unitsNamed(game, along) ?? ("all" as const),
    toward: word!.toLowerCase().startsWith("toward"),
    place: errand.word === "for" ? unitNamed(game, place!) : place!,
    by: by.flatMap(listed),
  };
}

const listed = (part: string): string[] =>
  part
    .split(/,| and /i)
    .map((name) => name.trim())
    .filter((name) => name !== "");

const unitsListed = (game: Game, part: string): string[] => listed(part).map((name) => unitNamed(game, name));

/** Null: all. */
const unitsNamed = (game: Game, part: string): string[] | null =>
  /^(all|everybody|every unit)$/i.test(part.trim()) ? null : unitsListed(game, part);

function parseList(game: Game, order: string): number[] {
  const actions: number[] = [];
  let verb = ""; // of the item before: `buy truck x3, panther`
  for (const item of order.split(/,| then /i).map((part) => part.trim())) {
    if (item === "") continue;
    const [, words = item, x, times] = /^(.+?)(?: ?[x×](\d{1,3})| (\d{1,3}) times)?$/.exec(item) ?? [];
    const spoken = (said: string): number[] | null => actionsNamed(game, said) ?? actionsNamed(game, `${verb} ${said}`);
    const whole = spoken(item);
    const one = whole ?? spoken(words);
    if (one === null) throw bad(game, `${shown(item)} is no order and names no action; ${formsText(game)}`);
    for (let n = whole === null ? Number(x ?? times) : 1; n > 0; n--) actions.push(...one);
    if (item.includes(" ") && actionsNamed(game, words) !== null) verb = item.slice(0, item.indexOf(" "));
  }
  if (actions.length === 0) throw bad(game, `the order is empty; ${formsText(game)}`);
  if (actions.length > MOST_ACTIONS)
    throw bad(game, `the order names ${counted(actions.length, "action")}; at most ${MOST_ACTIONS} are carried out`);
  return actions;
}

/** The actions that words name: one by its name, or several that begin alike, `keep 2 5 command`. Null: none. */
function actionsNamed(game: Game, words: string): number[] | null {
  const { words: others } = orderRulesOf(game);
  const said = words.toLowerCase();
  const [verb = "", ...rest] = said.split(" ");
  const named = (name: string): number => {
    const exact = actionIndex(game, name);
    return exact >= 0 ? exact : game.actions.findIndex((a) => a.toLowerCase() === name);
  };
  const whole = named(others[said] ?? said);
  if (whole >= 0) return [whole];
  const first = others[verb] ?? verb;
  const found: number[] = [];
  for (const word of rest.filter((w) => w !== "and")) {
    const fits = [...game.actions.keys()].filter((a) => {
      const name = game.actions[a]!.toLowerCase();
      return name === `${first} ${word}` || (name.startsWith(`${first} `) && name.endsWith(` ${word}`));
    });
    const exact = fits.filter((a) => game.actions[a]!.toLowerCase() === `${first} ${word}`);
    const one = exact.length === 1 ? exact : fits;
    if (one.length !== 1) return null;
    found.push(one[0]!);
  }
  return found.length > 0 ? found : null;
}

/** The forms of a game's orders, for messages. */
export function formsText(game: Game): string {
  const { errands } = orderRulesOf(game);
  return `an order is ${oneOf([
    ...new Set(errands.map((e) => `${e.verb} UNIT ${e.word} ${e.word === "for" ? "UNIT" : "PLACE"}`)),
    ...errands.flatMap((e) => (e.hold === undefined ? [] : ["hold UNIT"])),
    ...errands.flatMap((e) => Object.keys(e.deeds?.actions ?? {}).map((words) => `${words} UNIT`)),
    ...errands.flatMap((e) => (e.carry === undefined ? [] : [carryForm(e)])),
    "end phase",
    ...Object.keys(orderRulesOf(game).phases).map((word) => `skip to ${word}`),
    `actions by name (${game.actions.slice(0, 3).join(", ")}, ...)`,
  ])}`;
}

/** `carry UNIT, ... with UNIT to PLACE then PLACE` */
export const carryForm = ({ carry, word }: Errand): string =>
  `${carry!.verb} UNIT, ... with UNIT ${word} PLACE then PLACE`;

export const bad = (game: Game, reason: string): KesselError =>
  new KesselError("bad-action", `${game.type.id}: ${reason}`);
