import {
  Env,
  type Game,
  newObservation,
  newState,
  sceneOf,
  type State,
  TENSORS,
  type Viewer,
} from "../../env/index.js";
import type { Code } from "./complaints.js";
import { featureName } from "./questions.js";

/** Two worlds, one viewer: what tells them apart. Buffers are made once; a comparison costs little. */
export class ObservationComparer {
  private readonly a;
  private readonly b;
  private readonly maskA: Uint8Array;
  private readonly maskB: Uint8Array;
  private readonly returnsA: Float32Array;
  private readonly returnsB: Float32Array;
  private readonly knownA: State;
  private readonly knownB: State;
  private readonly envA: Env;
  private readonly envB: Env;

  constructor(private readonly game: Game) {
    this.a = newObservation(game.observation);
    this.b = newObservation(game.observation);
    this.maskA = new Uint8Array(game.actions.length);
    this.maskB = new Uint8Array(game.actions.length);
    this.returnsA = new Float32Array(game.players.length);
    this.returnsB = new Float32Array(game.players.length);
    this.knownA = newState(game.stateSize);
    this.knownB = newState(game.stateSize);
    this.envA = new Env(game);
    this.envB = new Env(game);
  }

  /**
   * Reports through `tell` every channel that shows `viewer` a difference between two worlds that must look alike to
   * that viewer.
   *
   * @param texts compare the slow channels too: view, render, scene, error text
   */
  compare(x: State, y: State, viewer: Viewer, texts: boolean, tell: (code: Code, says: string) => void): void {
    const { game } = this;
    const actor = game.actor(x);
    if (actor !== game.actor(y))
      return tell("leak-actor", `${actor} decides in one world and ${game.actor(y)} in the other`);
    game.observe(x, viewer, this.a);
    game.observe(y, viewer, this.b);
    for (const t of TENSORS) {
      const a = this.a[t];
      const b = this.b[t];
      for (let i = 0; i < a.length; i++)
        // -0 and 0 are two: their bytes differ
        if (!Object.is(a[i], b[i])) {
          tell("leak-observation", `${featureName(game, t, i)} is ${a[i]} and ${b[i]}`);
          break;
        }
    }
    game.returns(x, this.returnsA);
    game.returns(y, this.returnsB);
    for (let p = 0; p < this.returnsA.length; p++)
      if (!Object.is(this.returnsA[p], this.returnsB[p]))
        tell("leak-reward", `${game.players[p]} gets ${this.returnsA[p]} and ${this.returnsB[p]}`);
    for (const [name, potential] of Object.entries(game.potentials))
      if (!Object.is(potential(x), potential(y)))
        tell("leak-potential", `${name} is ${potential(x)} and ${potential(y)}`);
    if (viewer >= 0 && game.redact !== undefined) this.compareKnown(x, y, viewer, tell);
    if (viewer >= 0 && actor === viewer) this.compareMasks(x, y, texts, tell);
    if (!texts) return;
    // not canonical: the order of keys and entries goes over the wire too
    const [viewX, viewY] = [JSON.stringify(game.view(x, viewer)), JSON.stringify(game.view(y, viewer))];
    if (viewX !== viewY) tell("leak-view", parting(viewX, viewY));
    const [drawnX, drawnY] = [game.render(x, viewer), game.render(y, viewer)];
    if (drawnX !== drawnY) tell("leak-render", parting(drawnX, drawnY));
    this.compareVoices(x, y, viewer, tell);
    const [sceneX, sceneY] = [x, y].map((s) => JSON.stringify(sceneOf(game, s, viewer))) as [string, string];
    if (sceneX !== sceneY) tell("leak-scene", parting(sceneX, sceneY));
  }

  private compareVoices(x: State, y: State, viewer: Viewer, tell: (code: Code, says: string) => void): void {
    const { narration } = this.game;
    if (narration === undefined) return;
    const [askedX, askedY] = [x, y].map((s) => JSON.stringify(narration.prompt(s, viewer))) as [string, string];
    if (askedX !== askedY) tell("leak-prompt", parting(askedX, askedY));
    const [standsX, standsY] = [x, y].map((s) => JSON.stringify(narration.standing(s, viewer))) as [string, string];
    if (standsX !== standsY) tell("leak-standing", parting(standsX, standsY));
  }

  private compareKnown(x: State, y: State, viewer: number, tell: (code: Code, says: string) => void): void {
    const { game } = this;
    game.redact!(x, viewer, this.knownA);
    game.redact!(y, viewer, this.knownB);
    const differs = this.knownA.findIndex((w, i) => w !== this.knownB[i]);
    const field = game.fields.findLast((f) => f.offset <= differs);
    if (differs >= 0)
      tell(
        "leak-redact",
        `${field?.name}[${differs - (field?.offset ?? 0)}] is known as ${this.knownA[differs]} and ${this.knownB[differs]}`,
      );
  }

  private compareMasks(x: State, y: State, texts: boolean, tell: (code: Code, says: string) => void): void {
    const { game, maskA, maskB } = this;
    const [n, m] = [game.legalMask(x, maskA, 0), game.legalMask(y, maskB, 0)];
    if (n !== m) tell("leak-mask", `${n} actions are legal in one world and ${m} in the other`);
    const differs = maskA.findIndex((c, i) => c !== maskB[i]);
    if (differs >= 0) tell("leak-mask", `${game.actions[differs]} is legal in one world only`);
    const refused = maskA.findIndex((c, i) => c === 0 && maskB[i] === 0);
    if (!texts || refused < 0) return;
    const [textX, textY] = [refusal(this.envA, x, refused), refusal(this.envB, y, refused)];
    if (textX !== textY) tell("leak-error", `${JSON.stringify(textX)} and ${JSON.stringify(textY)}`);
  }
}

/** The error for a player that tries an illegal action. */
function refusal(env: Env, s: State, action: number): string {
  try {
    env.restore(s);
    env.step(action);
    return "taken";
  } catch (e) {
    return String(e);
  }
}

/** Where two texts part. */
function parting(a: string, b: string): string {
  let i = 0;
  while (i < a.length && a[i] === b[i]) i++;
  const from = Math.max(0, i - 30);
  return `...${a.slice(from, i + 30)}... and ...${b.slice(from, i + 30)}...`;
}
