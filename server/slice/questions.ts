import {
  actorName,
  checkSeed,
  expandOrder,
  illegalAction,
  KesselError,
  legalNames,
  orderForms,
  waysOf,
} from "../../env/index.js";
import type { Request, RequestOf } from "../wire/protocol.js";
import { saveStates } from "../wire/saved-states.js";
import { statesFrame } from "../wire/tensors.js";
import type { Answer, Body } from "./body.js";
import { answerLongQuestion, type LongQuestion, mostOutcomes } from "./long-question.js";
import { digest, needPrivilege, type Slice } from "./slice.js";

export type Question = Extract<
  Request,
  { op: "save" | "resample" | "legal" | "position" | "observe" | "orders" | "render" | "replay" | "outcomes" }
>;

/** The answer to a question, or what any thread needs to answer it. */
export type Gathered = { readonly body: Body } | { readonly question: LongQuestion };

/** Takes from a slice what a question asks for. Environments are numbered by their rows in the slice. */
export function gather(slice: Slice, request: Question): Gathered {
  if ("env" in request) slice.rows([request.env]);
  return (QUESTIONS[request.op] as (s: Slice, r: Question) => Gathered)(slice, request);
}

/** Answers a question that numbers environments by their rows in the slice, in this thread. */
export function answerQuestion(slice: Slice, request: Question): Answer {
  const gathered = gather(slice, request);
  return "body" in gathered ? gathered.body : answerLongQuestion(slice.game, gathered.question, slice.answerKeys);
}

/** The operations that move no environment. */
const QUESTIONS: { readonly [O in Question["op"]]: (slice: Slice, request: RequestOf<O>) => Gathered } = {
  save(slice, request) {
    needPrivilege(slice, "save");
    const { batch, game } = slice;
    const rows = slice.rows(request.which);
    const states = rows.map((i) => batch.states[i]!);
    const saved = saveStates(game, states, slice.answerKeys.seal);
    return { body: { privileged: true, packed: statesFrame(saved, rows.length) } };
  },

  resample(slice, request) {
    const { batch } = slice;
    const rows = slice.rows(request.which);
    const seed = checkSeed(request.seed);
    const none = rows.find((i) => batch.actors[i]! < 0);
    if (none !== undefined)
      throw new KesselError(
        "not-reset",
        `environment ${slice.name(none)} has no acting player; a sample is drawn from what the acting player knows`,
      );
    return {
      question: {
        what: "resample",
        states: rows.map((i) => batch.states[i]!.slice()),
        players: rows.map((i) => batch.actors[i]!),
        seeds: rows.map((i) => digest(`${seed}/${slice.name(i)}`)),
      },
    };
  },

  legal(slice, request) {
    const { batch, game } = slice;
    const A = game.actions.length;
    const legal = slice.rows(request.which).map((i) => legalNames(game, batch.mask.subarray(i * A, (i + 1) * A)));
    return { body: { legal } };
  },

  orders(slice, { env, unit, order }) {
    const { batch, game } = slice;
    const [state, viewer] = [batch.states[env]!, batch.actors[env]!];
    if (viewer < 0) throw new KesselError("not-reset", `environment ${slice.name(env)} waits for no decision`);
    return {
      body: {
        forms: orderForms(game, state, viewer),
        ...(unit === undefined ? {} : { ways: waysOf(game, state, viewer, unit) }),
        ...(order === undefined ? {} : { expansion: expandOrder(game, state, viewer, order) }),
      },
    };
  },

  position(slice, request) {
    const { batch } = slice;
    const whole = request.whole === true;
    if (whole) needPrivilege(slice, "the whole position");
    const rows = slice.rows(request.which);
    return {
      question: {
        what: "view",
        states: rows.map((i) => batch.states[i]!.slice()),
        viewers: whole ? [] : rows.map((i) => slice.viewer(i, request.seat)),
        whole,
      },
    };
  },

  observe(slice, request) {
    return { body: { packed: slice.observe(slice.rows(request.which), request.seat) } };
  },

  render(slice, { env, seat, format = "text", width }) {
    const { batch, game } = slice;
    const [state, viewer] = [batch.states[env]!, slice.viewer(env, seat)];
    if (format === "text") return { body: { text: game.render(state, viewer) } };
    return { question: { what: "draw", state: state.slice(), viewer, format, width } };
  },

  replay(slice, request) {
    const { batch } = slice;
    const viewer = slice.viewer(request.env, request.seat);
    if (request.seat === undefined) needPrivilege(slice, "a whole replay");
    else if (!slice.privileged && request.last !== true && !batch.over(request.env))
      throw new KesselError(
        "not-privileged",
        `the episode of environment ${slice.name(request.env)} goes on; its replay is shown when it is over, or to a batch made with privileged: true`,
      );
    const episode = batch.recordedEpisode(request.env, request.last);
    if (episode === null)
      throw new KesselError(
        "unsupported",
        `there is no record of that episode: make the batch with record: true; an episode whose situation was loaded has none`,
      );
    return { question: { what: "replay", episode, viewer: request.seat === undefined ? null : viewer } };
  },

  outcomes(slice, { env, action, samples, seed = 0 }) {
    needPrivilege(slice, "what may come");
    const { batch, game } = slice;
    checkLegal(slice, env, action);
    const most = mostOutcomes(game);
    if (samples !== undefined && samples > most)
      throw new KesselError(
        "limit",
        `at most ${most} samples of ${game.type.id} fit one reply, ${samples} were asked for`,
      );
    return { question: { what: "outcomes", state: batch.states[env]!.slice(), action, samples, seed } };
  },
};

/** @throws KesselError `bad-action`, `illegal-action` */
function checkLegal({ batch, game }: Slice, env: number, action: number): void {
  const A = game.actions.length;
  if (action >= A) throw new KesselError("bad-action", `actions of ${game.type.id} are 0 to ${A - 1}, not ${action}`);
  if (batch.mask[env * A + action] !== 1)
    throw illegalAction(game, game.actions[action]!, actorName(game, batch.states[env]!), batch.legalCounts[env]!);
}
