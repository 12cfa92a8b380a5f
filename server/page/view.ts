import { rematchesOf } from "./rematch.js";
import { roster } from "../../agents/roster.js";
import { sideNames } from "../../agents/text/sentences.js";
import {
  EVERYTHING,
  type Game,
  type GameEvent,
  type LogEntry,
  type MapQuestion,
  orderRulesOf,
  outcomesOfEvent,
  type Prompt,
  sceneOf,
  sendable,
  skips,
  unitTitle,
  type Viewer,
} from "../../env/index.js";
import type { OpenSession } from "../session/open.js";
import { deputiesFor } from "../session/hand-over.js";
import type { Session } from "../session/session.js";
import type { Frame, LogLine, Result, SeatInfo } from "./frame.js";
import type { LastMade } from "./drawing-cache.js";
import { meanReturns } from "./offers.js";
import { briefingOf } from "./learn/briefing.js";
import { lessonOf, TableLesson } from "./learn/lesson.js";
import { ratedOf } from "./learn/ratings.js";
import { type BaseCache, picture } from "./picture.js";
import { isCasual, mayLookBack, reviewOffer } from "./evaluators.js";

/** The part of a frame that changes only with the session's version. */
export type View = Omit<Frame, "n" | "puzzle" | "noUndo" | "thinking" | "seats" | "unsaved">;

const marshals = new WeakMap<Game, ReadonlyMap<string, string>>();

/** What people call agents whose names are settings of a search, by these names. */
function marshalsOf(game: Game): ReadonlyMap<string, string> {
  let known = marshals.get(game);
  if (known === undefined) {
    known = new Map(roster(game).flatMap((e) => (e.kind === "marshal" ? [[e.name, e.short]] : [])));
    marshals.set(game, known);
  }
  return known;
}

/** Questions are answered from the game's own data: a session with the owner's has none. */
export const questionsOf = (game: Game, header: OpenSession["header"]): readonly MapQuestion[] =>
  header.data === null ? (game.type.mapQuestions ?? []) : [];

/** The action that throws the dice which are left, while dice can be put aside. */
const throwingOf = (game: Game, { kind, choices }: Prompt): string | null =>
  choices.some((c) => c.die !== undefined) ? (orderRulesOf(game).throws[kind] ?? null) : null;

/**
 * What `viewer` sees of a session now. After the end everybody sees the whole board.
 *
 * @param last what the last view of the same viewer was made of
 */
export function viewOf(open: OpenSession, viewer: Viewer, bases: BaseCache, last: LastMade): View {
  const { session, header } = open;
  const { game } = session;
  const eyes = session.over ? EVERYTHING : viewer;
  const scene = sceneOf(game, session.env.state, eyes);
  const prompt = session.prompt(eyes);
  return {
    session: header.id.slice(0, 6),
    game: game.type.id,
    title: game.type.title,
    seat: game.players[viewer] ?? null,
    ...picture(scene, bases, last),
    ...(session.gaveUp !== null && { caption: "The game was given up." }), // the scene still tells who decides
    prompt: session.over ? { ...prompt, by: null, text: "The game is over.", choices: [] } : prompt,
    standing: session.standing(eyes),
    sides: scene.sides,
    result: session.over
      ? {
          ...resultOf(session),
          rated: ratedOf(open, viewer),
          review: reviewOffer(open, viewer),
          rematches: Object.fromEntries(
            Object.entries(rematchesOf(open, viewer)).map(([way, { against }]) => [way, against]),
          ),
        }
      : null,
    briefing: briefingOf(open, game.players[viewer] ?? null, scene),
    lesson: learner(open) === viewer ? new TableLesson(open).view() : null,
    lookBack: mayLookBack(open, viewer) ? reviewOffer(open, viewer) : null,
    beliefs: !session.over && isCasual(open, viewer),
    log: session.log(viewer).map(logLine),
    sendable: session.over || header.lesson === true ? [] : sendable(game, prompt),
    called: calledIn(game, prompt),
    skips: session.over || header.lesson === true ? [] : skips(game, prompt),
    several: session.over || header.lesson === true ? null : severalOf(game, prompt),
    ...deputising(open, viewer),
    turnEvent: orderRulesOf(game).stages.begins ?? null,
    throwing: session.over || header.lesson === true ? null : throwingOf(game, prompt),
    questions: questionsOf(game, header),
  };
}

/** Printed names of the units of a decision. */
function calledIn(game: Game, { units, choices }: Prompt): Frame["called"] {
  const all = [...units, ...choices.flatMap((c) => c.units)];
  return Object.fromEntries(all.map((u) => [u, unitTitle(game, u)]).filter(([u, title]) => u !== title));
}

/** What can be picked several at a time. */
function severalOf(game: Game, { kind, choices }: Prompt): Frame["several"] {
  const { errands, picks, declines } = orderRulesOf(game);
  const plain = choices.filter((c) => c.ends === null && !declines.includes(c.name));
  const errand = errands.find((e) => e.choose === kind && e.word !== "for");
  if (errand !== undefined) {
    const then = errand.hold === undefined ? null : "hold";
    return new Set(plain.flatMap((c) => c.units.slice(0, 1))).size > 1 ? { of: "units", then } : null;
  }
  const of = picks[kind];
  if (of === undefined || plain.length < (of === "often" ? 1 : 2)) return null;
  return { of, then: choices.find((c) => declines.includes(c.name))?.name ?? null };
}

/** Who can decide for a seat, and who does. Not where something is taught. */
function deputising({ session, header }: OpenSession, viewer: Viewer): Pick<Frame, "deputies" | "deputy"> {
  if (viewer < 0 || session.over || header.lesson === true) return { deputies: [], deputy: null };
  const deputy = session.deputyOf(viewer);
  return {
    deputies: deputiesFor(session.game, viewer).map((e) => e.short),
    deputy: deputy === null ? null : { who: deputy.who, text: deputy.text },
  };
}

/**
 * A view as a frame: with guests and thinking agents, which change while the game waits.
 *
 * @param n number of the frame
 */
export function frameOf(
  open: OpenSession,
  view: View,
  viewer: Viewer,
  n: number,
  present: ReadonlySet<Viewer>,
): Omit<Frame, "puzzle"> {
  const { session, file } = open;
  const { players } = session.game;
  const thinking = session.thinking === null ? -1 : session.seats.indexOf(session.thinking);
  const seats = players.map((side, i): SeatInfo => {
    const seat = session.seats[i]!;
    if (open.header.lesson === true && i !== learner(open)) return { side, who: "lesson", present: true };
    if (seat !== "human") return { side, who: marshalsOf(session.game).get(seat.name) ?? seat.name, present: true };
    return { side, who: "human", present: present.has(i) };
  });
  return {
    ...view,
    n,
    noUndo: viewer >= 0 && session.actor === viewer ? session.undoBarred(viewer) : "it is not your decision",
    thinking: players[thinking] ?? null,
    seats,
    unsaved: file.unsaved > 0,
  };
}

/** The seat that learns, by index; null where no lesson is taken. */
const learner = ({ session: { game }, header }: OpenSession): number | null =>
  header.lesson === true ? game.players.indexOf(lessonOf(game.type).seat) : null;

function resultOf(session: Session): Omit<Result, "review" | "rated" | "rematches"> {
  const returns = session.returns();
  const { game } = session;
  const { players } = game;
  const { gaveUp } = session;
  const text =
    gaveUp === null
      ? session.standing(EVERYTHING).ifEndedNow
      : `The ${sideNames(game, session.env.state)(gaveUp)} side gave up.`;
  return {
    returns: Object.fromEntries(players.map((p, i) => [p, returns[i]!])),
    text,
    compared: players.length === 1 ? meanReturns(game) : [],
  };
}

const lines = new WeakMap<LogEntry, LogLine>();

/** An entry of the log as it is sent. */
export function logLine(entry: LogEntry): LogLine {
  let line = lines.get(entry);
  if (line === undefined) {
    const { number, actor, action, forced, deputy } = entry;
    const by = deputy === undefined ? {} : { deputy };
    line = { number, actor, action, forced, ...by, events: entry.events.map(logEvent) };
    lines.set(entry, line);
  }
  return line;
}

function logEvent(e: GameEvent): LogLine["events"][number] {
  const dice = (e.dice ?? []).map(({ by, sides, faces, needed, purpose, result }) => ({
    by,
    sides,
    faces,
    words: `${purpose}${needed === null ? "" : `, needed ${needed}`}: ${result}`,
  }));
  const places = e.places ?? [];
  // events of several places without a single unit, such as a list of what was set up, are no way
  const moved = places.length > 1 && e.units?.length === 1;
  const outcomes = outcomesOfEvent(e).map((o) => o.replace("{n}", String(e.amount ?? 0)));
  return {
    what: e.what,
    by: e.by,
    text: e.text,
    rule: e.rule,
    places,
    moved,
    dice,
    ...(outcomes.length > 0 && { outcomes }),
  };
}
