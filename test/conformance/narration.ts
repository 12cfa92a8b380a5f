import {
  canonical,
  EventLog,
  EVERYTHING,
  type EventKinds,
  type Game,
  type GameEvent,
  hashState,
  type Json,
  type JsonObject,
  newState,
  NOBODY,
  outcomesOfEvent,
  type Prompt,
  RecordingDice,
  Rng,
  SeededDice,
  SPECTATOR,
  type State,
  type Throw,
} from "../../env/index.js";
import type { Complaints } from "./complaints.js";
import { checkGuideTells } from "./guide.js";
import type { Point } from "./play.js";
import { some } from "./questions.js";

/** Actions of one situation that are carried out with a narrator. */
const TOLD = 6;
/** Set-ups that are narrated. */
const STARTS = 4;
/** Actions that do nothing but go on come last. */
const DECLINES = /^(done|pass|stop|stay|hold)$/;

/** Viewers whose events are checked: every player, the spectator, and the viewer of everything. */
export const narrationViewers = (game: Game): number[] => [...game.players.keys(), SPECTATOR, EVERYTHING];

/** Checks a game's narration against env/core/narration.ts; a game without narration has no kinds of events either. */
export function checkNarration(game: Game, points: readonly Point[], rng: Rng, complaints: Complaints): void {
  const { narration } = game;
  const { events } = game.type;
  if (narration === undefined || events === undefined) {
    complaints.expect(
      narration === undefined && events === undefined,
      "event",
      () => "a game has kinds of events and no narration, or the other way round",
    );
    return;
  }
  for (let k = 0; k < STARTS; k++) checkStart(game, events, new Rng(`${rng.below(2 ** 30)}`), complaints);
  const mask = new Uint8Array(game.actions.length);
  for (const { s, actor } of points) {
    for (const viewer of narrationViewers(game)) {
      checkPrompt(game, s, actor, viewer, narration.prompt(s, viewer), complaints);
      checkStanding(game, s, actor, viewer, complaints);
    }
    if (actor < 0) continue;
    game.legalMask(s, mask, 0);
    const legal = some(mask.length, rng, mask.length).filter((a) => mask[a] === 1);
    for (const action of legal.slice(0, TOLD)) checkTelling(game, events, s, action, complaints);
    checkSecrets(game, s, actor, legal.slice(0, TOLD), complaints);
  }
}

/**
 * Two actions that look the same to a viewer, in their record and in the view they leave, are reported in the same
 * words.
 */
function checkSecrets(game: Game, s: State, actor: number, legal: readonly number[], complaints: Complaints): void {
  const viewers = narrationViewers(game).filter((v) => v !== actor && v !== EVERYTHING);
  const seen = new Map<string, { action: number; events: GameEvent[] }>();
  for (const action of legal) {
    const log = new EventLog(viewers);
    const after = s.slice();
    const dice = new SeededDice();
    dice.begin(after);
    game.apply(after, action, dice, log);
    for (const viewer of viewers) {
      const told = log.take(viewer);
      const looks = { viewer, record: game.describeFor(s, action, after, viewer), view: game.view(after, viewer) };
      const key = canonical(looks);
      const other = seen.get(key);
      if (other === undefined) seen.set(key, { action, events: told });
      else {
        const apart = eventsApart(other.events, told);
        const [one, two] = [game.actions[other.action]!, game.actions[action]!];
        if (apart !== null) complaints.add("leak-event", `${one} and ${two}: ${viewerName(game, viewer)} ${apart}`);
      }
    }
  }
}

/** The set-up: nothing changes by telling, every die is explained, and no unit is named that the viewer doesn't see. */
function checkStart(game: Game, events: EventKinds, rng: Rng, complaints: Complaints): void {
  const told = newState(game.stateSize);
  rng.freshStream(told);
  const untold = told.slice();
  const dice = new RecordingDice(new SeededDice());
  const log = new EventLog(narrationViewers(game));
  dice.begin(told);
  game.start(told, dice, log);
  const plain = new SeededDice();
  plain.begin(untold);
  game.start(untold, plain);
  complaints.expect(
    hashState(told, 0) === hashState(untold, 0),
    "event-changes-state",
    () => "the game starts otherwise with a narrator",
  );
  for (const viewer of narrationViewers(game)) {
    const list = log.take(viewer);
    for (const event of list) {
      const fault = eventFault(game, events, event);
      if (fault !== null) complaints.add("event", `the start: ${fault}`);
    }
    if (viewer === EVERYTHING) {
      checkDice(dice, list, "the start", complaints);
      continue;
    }
    const seen = canonical(game.view(told, viewer));
    const unseen = list.flatMap((e) => e.units ?? []).find((unit) => !seen.includes(JSON.stringify(unit).slice(1, -1)));
    if (unseen !== undefined)
      complaints.add(
        "leak-event",
        `the start: ${viewerName(game, viewer)} gets an event of ${unseen}, and doesn't see it`,
      );
  }
}

/** True when every die that fell belongs to an event, and no other die does. */
function checkDice(dice: RecordingDice, list: readonly GameEvent[], name: string, complaints: Complaints): void {
  const faces = list.flatMap((e) => (e.dice ?? []).flatMap((t) => t.faces.map(String)));
  const [fallen, explained] = [dice.script.map(String).sort().join(" "), faces.sort().join(" ")];
  complaints.expect(
    fallen === explained,
    "event-dice",
    () => `${name}: the dice fell ${fallen || "not at all"}, and events explain ${explained || "none"}`,
  );
}

/** One action: a narrator changes nothing, every change has an event, and every die is explained. */
function checkTelling(game: Game, events: EventKinds, s: State, action: number, complaints: Complaints): void {
  const dice = new RecordingDice(new SeededDice());
  const told = s.slice();
  const log = new EventLog(narrationViewers(game));
  dice.begin(told);
  game.apply(told, action, dice, log);
  const untold = s.slice();
  const plain = new SeededDice();
  plain.begin(untold);
  game.apply(untold, action, plain);
  const name = game.actions[action]!;
  complaints.expect(
    hashState(told, 0) === hashState(untold, 0),
    "event-changes-state",
    () => `${name} leads elsewhere with a narrator`,
  );
  for (const viewer of narrationViewers(game)) {
    const list = log.take(viewer);
    for (const event of list) {
      const fault = eventFault(game, events, event);
      if (fault !== null) complaints.add("event", `${name}: ${fault}`);
    }
    const silent = silentPaths(events, game.view(s, viewer), game.view(told, viewer), list);
    if (silent.length > 0)
      complaints.add(
        "event-silent",
        `${name}: ${viewerName(game, viewer)} sees ${silent.slice(0, 4).join(", ")} change, and no event reports it; the events were ${list.map((e) => e.what).join(", ") || "none"}`,
      );
    if (viewer === EVERYTHING) checkDice(dice, list, name, complaints);
  }
}

/** What is wrong with one event by itself, or null. */
function eventFault(game: Game, events: EventKinds, event: GameEvent): string | null {
  if (!Object.hasOwn(events.kinds, event.what)) return `there is no kind of events ${JSON.stringify(event.what)}`;
  if (!Object.hasOwn(game.type.rules, event.rule))
    return `event ${event.what} cites rule ${JSON.stringify(event.rule)}, which is not in the rule index`;
  if (!isSentence(event.text)) return `event ${event.what} has the text ${JSON.stringify(event.text)}`;
  if (outcomesOfEvent(event).some((o) => o.trim() === "")) return `event ${event.what} has a blank outcome`;
  for (const t of event.dice ?? []) {
    if (t.purpose.trim() === "" || t.result.trim() === "")
      return `a throw of event ${event.what} lacks purpose or result`;
    if (t.by !== null && event.by !== null && t.by !== event.by)
      return `${t.by} threw in event ${event.what}, which ${event.by} did`;
    if (t.faces.length === 0) return `a throw of event ${event.what} has no dice`;
    for (const face of t.faces)
      if (t.sides === 0 ? typeof face !== "string" : !(Number(face) >= 1 && Number(face) <= t.sides))
        return `event ${event.what} has the face ${JSON.stringify(face)} on a die of ${t.sides} sides`;
  }
  return null;
}

/** Begins with a capital or a number, ends with a full stop, and holds nothing that was left unfilled. */
const isSentence = (text: string): boolean =>
  /^[\p{Lu}\d]/u.test(text) && /[.!?]$/.test(text) && !/undefined|NaN|null|\[object| {2}/.test(text);

function checkPrompt(
  game: Game,
  s: State,
  actor: number,
  viewer: number,
  prompt: Prompt,
  complaints: Complaints,
): void {
  const where = `${prompt.kind} as ${viewerName(game, viewer)} is asked`;
  if (!isSentence(prompt.text) || prompt.kind === "")
    complaints.add("prompt", `${where}: the text is ${JSON.stringify(prompt.text)}`);
  for (const rule of [prompt.rule, ...prompt.seeAlso])
    if (!Object.hasOwn(game.type.rules, rule))
      complaints.add("prompt", `${where}: it cites rule ${JSON.stringify(rule)}, which is not in the rule index`);
  if (viewer === actor) checkGuideTells(game.type, prompt, complaints);
  const by = actor < 0 ? null : game.players[actor]!;
  complaints.expect(prompt.by === by, "prompt", () => `${where}: ${prompt.by} is said to decide, and ${by} does`);
  const decides = actor >= 0 && (viewer === actor || viewer === EVERYTHING);
  const mask = new Uint8Array(game.actions.length);
  if (decides) game.legalMask(s, mask, 0);
  const legal = [...mask.keys()].filter((a) => mask[a] === 1).join(" ");
  const offered = prompt.choices.map((c) => c.action).sort((a, b) => a - b);
  complaints.expect(
    offered.join(" ") === legal,
    "prompt-choices",
    () => `${where}: actions ${offered.join(" ")} are offered, and legal are ${legal}`,
  );
  const texts = new Set<string>();
  let weight = 0;
  for (const choice of prompt.choices) {
    if (choice.name !== game.actions[choice.action])
      complaints.add("prompt-choices", `${where}: action ${choice.action} is called ${JSON.stringify(choice.name)}`);
    if (choice.text.trim() === "" || /undefined|NaN|\[object/.test(choice.text) || texts.has(choice.text))
      complaints.add("prompt", `${where}: a choice reads ${JSON.stringify(choice.text)}, blank or doubled`);
    if (choice.warning !== null && !isSentence(choice.warning))
      complaints.add("prompt", `${where}: ${choice.name} warns ${JSON.stringify(choice.warning)}`);
    texts.add(choice.text);
    const own = (DECLINES.test(choice.name) ? 3 : 0) + [null, "phase", "turn"].indexOf(choice.ends);
    if (own < weight)
      complaints.add("prompt-order", `${where}: ${choice.name} comes after a choice that ends more or only goes on`);
    weight = own;
  }
}

/** Conditions cite rules and count; a finished game stays as it ended. */
function checkStanding(game: Game, s: State, actor: number, viewer: number, complaints: Complaints): void {
  const standing = game.narration!.standing(s, viewer);
  for (const c of standing.conditions) {
    if (!Object.hasOwn(game.type.rules, c.rule))
      complaints.add("standing", `${JSON.stringify(c.rule)} is not in the rule index`);
    if (!Number.isFinite(c.have) || !Number.isFinite(c.need) || !isSentence(c.text) || c.unit === "" || c.when === "")
      complaints.add("standing", `a condition reads ${JSON.stringify(c)}`);
  }
  complaints.expect(
    isSentence(standing.ifEndedNow),
    "standing",
    () => `ifEndedNow reads ${JSON.stringify(standing.ifEndedNow)}`,
  );
  if (actor !== NOBODY) return;
  const returns = new Float32Array(game.players.length);
  game.returns(s, returns);
  const winner = returns.findIndex((r) => r > 0);
  const fits =
    winner >= 0 ? standing.winnerNow === game.players[winner] : !game.players.includes(standing.winnerNow ?? "");
  if (!fits) complaints.add("standing", `${standing.winnerNow} is said to have won, and returns are ${[...returns]}`);
}

const viewerName = (game: Game, viewer: number): string =>
  viewer === SPECTATOR ? "the spectator" : viewer === EVERYTHING ? "the viewer of everything" : game.players[viewer]!;

/**
 * Paths, keys joined by dots, at which two documents differ. A list of objects counts by its indices, another list and
 * counts as one value, and so does what only one document contains.
 */
export function differingPaths(a: Json, b: Json, path = ""): string[] {
  if (isObject(a) && isObject(b)) {
    const keys = new Set([...Object.keys(a), ...Object.keys(b)]);
    return [...keys].flatMap((k) => {
      const at = path === "" ? k : `${path}.${k}`;
      if (!Object.hasOwn(a, k) || !Object.hasOwn(b, k)) return [at];
      return differingPaths(a[k]!, b[k]!, at);
    });
  }
  if (Array.isArray(a) && Array.isArray(b) && a.length === b.length && a.every(isObject) && b.every(isObject))
    return a.flatMap((x, i) => differingPaths(x, b[i] as Json, `${path}.${i}`));
  return same(a, b) ? [] : [path];
}

const isObject = (x: Json): x is JsonObject => typeof x === "object" && x !== null && !Array.isArray(x);
const same = (a: Json, b: Json): boolean => a === b || canonical({ x: a }) === canonical({ x: b });

/** Paths of a viewer's document that changed without an event. */
export function silentPaths(
  events: EventKinds,
  before: JsonObject,
  after: JsonObject,
  told: readonly GameEvent[],
): string[] {
  return differingPaths(before, after).filter((path) => !isExplained(events, told, path));
}

function isExplained(events: EventKinds, told: readonly GameEvent[], path: string): boolean {
  if (events.prompted.some((pattern) => matches(pattern, path))) return true;
  return told.some((e) =>
    (events.kinds[e.what]?.changes ?? []).some((pattern) => filled(pattern, e).some((p) => matches(p, path))),
  );
}

/** A pattern with each of the event's units and places in its blanks. */
function filled(pattern: string, event: GameEvent): string[] {
  let list = [pattern];
  for (const [blank, names] of [
    ["{unit}", event.units ?? []],
    ["{place}", event.places ?? []],
  ] as const)
    list = list.flatMap((p) => (p.includes(blank) ? names.map((n) => p.replaceAll(blank, n)) : [p]));
  return list;
}

/** True when a pattern of `EventKind.changes` includes this path. */
export function matches(pattern: string, path: string): boolean {
  const [keys, found] = [pattern.split("."), path.split(".")];
  const rest = keys.at(-1) === "**";
  if (rest) keys.pop();
  if (rest ? found.length < keys.length : found.length !== keys.length) return false;
  return keys.every((key, i) => key === "*" || key === found[i]);
}

/**
 * The difference between two lists of events that one viewer got in two worlds that the viewer could not tell apart,
 * when the same dice fell in both: null when nothing does. Dice that the viewer sees may fall differently, as hidden
 * dice before them took others from the stream, a counter may be seen in passing, and one may go another way than the
 * other, or on: from there on the viewer rightly knows more, and nothing is compared.
 */
export function eventsApart(
  a: readonly GameEvent[],
  b: readonly GameEvent[],
  kinds: EventKinds["kinds"] = {},
): string | null {
  for (let i = 0; i < Math.max(a.length, b.length); i++) {
    const [x, y] = [a[i], b[i]];
    if (x !== undefined && y !== undefined && JSON.stringify(x) === JSON.stringify(y)) continue;
    if (x !== undefined && y !== undefined && x.what === y.what) {
      if (fellApart(x.dice ?? [], y.dice ?? []) || kinds[x.what]?.passing === true) return null;
      if (kinds[x.what]?.way === true && x.places?.join() !== y.places?.join()) return null;
    }
    // one walks on where the other has come to the end of its way
    if (goesOn(a, i, kinds) || goesOn(b, i, kinds)) return null;
    return `gets ${JSON.stringify(x ?? "nothing more")} and ${JSON.stringify(y ?? "nothing more")}`;
  }
  return null;
}

/** True when an event goes on with the walk of the event before it. */
function goesOn(events: readonly GameEvent[], i: number, kinds: EventKinds["kinds"]): boolean {
  const [last, now] = [events[i - 1], events[i]];
  return (
    last !== undefined &&
    now !== undefined &&
    last.what === now.what &&
    kinds[now.what]?.way === true &&
    last.places?.at(-1) === now.places?.[0] &&
    last.units?.join() === now.units?.join()
  );
}

/** True when dice were rolled for the same things, up to the first roll whose faces differ. */
function fellApart(a: readonly Throw[], b: readonly Throw[]): boolean {
  for (let i = 0; i < Math.min(a.length, b.length); i++) {
    const [x, y] = [a[i]!, b[i]!];
    if (x.by !== y.by || x.purpose !== y.purpose || x.sides !== y.sides) return false;
    if (x.faces.join() !== y.faces.join()) return true;
    if (x.needed !== y.needed) return false;
  }
  return false;
}
