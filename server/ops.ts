import { type JsonObject, KesselError, legalNames, newState, Rng, shown, type State } from "../env/index.js";
import type { HostedBatch } from "./hosted.js";
import type { RequestOf } from "./protocol.js";
import { readStates, savedWords, saveStates } from "./states.js";
import { asInt32, int32Frame, type Packed } from "./tensors.js";

/** What an operation replies with: keys of the header, and the data frame if there is one. */
export type Body = Record<string, unknown> & { packed?: Packed };
export type Outcome = Body | Promise<Body>;

type BatchOp = "reset" | "step" | "save" | "load" | "clone" | "resample" | "legal" | "position" | "render";

/** What can be asked of a batch. Each checks its request before anything changes. */
export const BATCH_OPS: { readonly [O in BatchOp]: (hosted: HostedBatch, request: RequestOf<O>, data: Uint8Array) => Outcome } = {
  step(hosted, _request, data) {
    const actions = asInt32(data);
    const { size } = hosted.batch;
    if (actions === null || actions.length !== size)
      throw new KesselError("bad-action", `${size} environments need ${4 * size} bytes of actions (int32), ${data.length} came`);
    return show(hosted, hosted.step(actions));
  },

  reset(hosted, request) {
    if (request.positions !== undefined) needPrivilege(hosted, "a start from a position");
    return show(hosted, hosted.reset(request));
  },

  save(hosted, request) {
    needPrivilege(hosted, "save");
    const { batch, game } = hosted;
    const rows = hosted.rows(request.which);
    const states = rows.map((i) => batch.states[i]!);
    return { privileged: true, packed: int32Frame("states", [rows.length, savedWords(game)], saveStates(game, states)) };
  },

  load(hosted, request, data) {
    needPrivilege(hosted, "load");
    const rows = hosted.rows(request.which);
    const words = asInt32(data);
    if (words === null) throw new KesselError("bad-state", `saved states are int32; ${data.length} bytes came`);
    return show(hosted, hosted.load(rows, readStates(hosted.game, words, rows.length)));
  },

  clone(hosted, request) {
    needPrivilege(hosted, "clone");
    if (request.from.length !== request.to.length) throw new KesselError("bad-option", `from names ${request.from.length} environments and to ${request.to.length}`);
    const { batch } = hosted;
    for (const i of request.from) batch.checkRows([i]);
    const states = request.from.map((i): State => batch.states[i]!.slice());
    return show(hosted, hosted.load(request.to, states));
  },

  resample(hosted, request) {
    const { batch, game } = hosted;
    const rows = hosted.rows(request.which);
    const rng = new Rng(request.seed);
    const exact: boolean[] = [];
    const states = rows.map((i) => {
      const player = batch.actors[i]!;
      if (player < 0) throw new KesselError("not-reset", `environment ${i} waits for nobody; only a player who decides has something to guess`);
      const s = newState(game.stateSize);
      exact.push(game.resample(batch.states[i]!, player, s, rng));
      return s;
    });
    return { exact, packed: int32Frame("states", [rows.length, savedWords(game)], saveStates(game, states)) };
  },

  legal(hosted, request) {
    const { batch, game } = hosted;
    const A = game.actions.length;
    return { legal: hosted.rows(request.which).map((i) => legalNames(game, batch.mask.subarray(i * A, (i + 1) * A))) };
  },

  position(hosted, request) {
    const { batch, game } = hosted;
    if (request.whole === true) needPrivilege(hosted, "the whole position");
    const rows = hosted.rows(request.which);
    const documentOf = (i: number): JsonObject => (request.whole === true ? game.write(batch.states[i]!) : game.view(batch.states[i]!, batch.viewers[i]!));
    return { positions: rows.map(documentOf), ...(request.whole === true && { privileged: true }) };
  },

  render(hosted, request) {
    const { batch, game } = hosted;
    batch.checkRows([request.env]);
    return { text: game.render(batch.states[request.env]!, batch.viewers[request.env]!) };
  },
};

export function needPrivilege(hosted: HostedBatch, what: string): void {
  if (!hosted.privileged) throw new KesselError("not-privileged", `${what} shows or sets what players don't know; make the batch with privileged: ${shown(true)}`);
}

function show(hosted: HostedBatch, done: void | Promise<void>): Outcome {
  return done === undefined ? { packed: hosted.pack() } : done.then(() => ({ packed: hosted.pack() }));
}
