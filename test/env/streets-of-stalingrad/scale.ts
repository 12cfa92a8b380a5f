// `node --expose-gc env/run.mjs test/env/streets-of-stalingrad/scale.ts [SCENARIO...]`: what random play costs in CPU
// time, and in which stages of a turn. DECISIONS and SAMPLES are environment variables.
import {
  type Game,
  loadGame,
  newObservation,
  newState,
  NOBODY,
  Rng,
  SeededDice,
  type State,
} from "../../../env/index.js";
import { STAGES } from "../../../env/streets-of-stalingrad/layout.js";

const DECISIONS = Number(process.env["DECISIONS"] ?? 20_000);
const SAMPLES = Number(process.env["SAMPLES"] ?? 200);
const WARM_UP = 8000;
const WARM_UP_US = 1_500_000;
const PLAYS = 3;

/** Microseconds of CPU time of this process. */
const cpu = (): number => {
  const { user, system } = process.cpuUsage();
  return user + system;
};
const median = (of: number[]): number => of.sort((a, b) => a - b)[of.length >> 1]!;
const round = (us: number): string => (us < 100 ? us.toPrecision(3) : us.toFixed(0));

/** Random legal play, which begins again when the game ends. */
class Play {
  readonly s: State;
  private readonly mask: Uint8Array;
  private readonly rng: Rng;
  private readonly dice = new SeededDice();
  private readonly end: number;
  private fresh = true;

  constructor(
    private readonly game: Game,
    seed: string,
  ) {
    this.s = newState(game.stateSize);
    this.mask = new Uint8Array(game.actions.length);
    this.rng = new Rng(seed);
    this.end = game.actions.indexOf("declare-end");
    this.start();
  }

  private start(): void {
    this.s.fill(0);
    this.rng.freshStream(this.s);
    this.dice.begin(this.s);
    this.game.start(this.s, this.dice);
    this.fresh = true;
  }

  /** @param again makes each mask a second time, as for a state that was loaded */
  step(again = false): void {
    const { game, mask, s } = this;
    if (game.actor(s) === NOBODY) this.start();
    let k = this.rng.below(game.legalMask(s, mask, 0, !again && !this.fresh));
    if (mask[this.end] === 1) k = 1; // the turn is played
    let action = mask.indexOf(1);
    while (k-- > 0) action = mask.indexOf(1, action + 1);
    this.dice.begin(s);
    game.apply(s, action, this.dice);
    this.fresh = false;
  }
}

/** Microseconds a decision, with masks handed on and made again: the least of several plays, turn about. */
function costsOf(game: Game): [number, number] {
  const least: [number, number] = [Infinity, Infinity];
  for (let i = 0; i < PLAYS; i++)
    for (const again of [0, 1]) {
      const play = new Play(game, `scale/${i}`);
      for (const start = cpu(); cpu() - start < WARM_UP_US;) play.step(again === 1);
      const since = cpu();
      for (let n = 0; n < DECISIONS; n++) play.step(again === 1);
      least[again] = Math.min(least[again]!, (cpu() - since) / DECISIONS);
    }
  return least;
}

/** Microseconds of the median and the slowest action, the share of time by stage, and states on the way. */
function survey(game: Game): { times: number[]; stages: string; states: State[] } {
  const stage = game.fields.find((f) => f.name === "stage")!.offset;
  const play = new Play(game, "survey");
  for (let n = 0; n < WARM_UP; n++) play.step();
  const times: number[] = [];
  const spent = new Map<string, number>();
  const states: State[] = [];
  for (let n = 0; n < DECISIONS; n++) {
    const name = STAGES[play.s[stage]!]!;
    const since = cpu();
    play.step();
    times.push(cpu() - since);
    spent.set(name, (spent.get(name) ?? 0) + times.at(-1)!);
    if (n % Math.ceil(DECISIONS / 100) === 0 && game.actor(play.s) !== NOBODY) states.push(play.s.slice());
  }
  const all = times.reduce((a, b) => a + b, 0);
  const stages = [...spent]
    .sort(([, a], [, b]) => b - a)
    .map(([name, us]) => `${name} ${((100 * us) / all).toFixed(0)} %`)
    .join(", ");
  return { times, stages, states };
}

/** The median time of a call on each of the states for each side. */
function each(states: readonly State[], call: (s: State, player: number) => void): number {
  const times: number[] = [];
  for (let k = 0; k < 9; k++)
    for (const s of states)
      for (const player of [0, 1]) {
        const since = process.hrtime.bigint();
        call(s, player);
        times.push(Number(process.hrtime.bigint() - since) / 1000);
      }
  return median(times.slice(times.length / 3)); // the first rounds compile
}

function samples(game: Game, states: readonly State[]): string {
  const rng = new Rng("samples");
  const out = newState(game.stateSize);
  const times: number[] = [];
  let fallbacks = 0;
  for (let i = 0; i < SAMPLES; i++) {
    const since = cpu();
    if (!game.resample(states[(i >> 1) % states.length]!, i & 1, out, rng)) fallbacks++;
    times.push(cpu() - since);
  }
  const worst = Math.max(...times) / 1000;
  return `median ${round(median(times))} us, worst ${worst.toFixed(0)} ms, ${fallbacks} fallbacks of ${SAMPLES}`;
}

/** Bytes that objects take: heap and array buffers. */
function bytesOf(make: () => unknown): number {
  const used = (): number => {
    globalThis.gc?.();
    const { heapUsed, arrayBuffers } = process.memoryUsage();
    return heapUsed + arrayBuffers;
  };
  const before = used();
  const kept = make();
  const bytes = used() - before;
  return kept === null ? NaN : bytes;
}

function measure(scenario: string): void {
  const since = cpu();
  const game = loadGame("streets-of-stalingrad", { scenario });
  const load = (cpu() - since) / 1000;
  const [fast, again] = costsOf(game);
  const { times, stages, states } = survey(game);
  const out = newState(game.stateSize);
  const observation = newObservation(game.observation);
  const kb = (bytes: number): string => `${(bytes / 1024).toFixed(1)} KB`;
  const size = (json: unknown): number => JSON.stringify(json).length;
  const biggest = (of: (s: State, player: number) => unknown): string =>
    kb(Math.max(...states.flatMap((s) => [0, 1].map((player) => size(of(s, player))))));
  console.log(
    [
      `${scenario}: load ${load.toFixed(0)} ms`,
      `decision: ${round(fast)} us, mask made twice ${round(again)} us, slowest ${(Math.max(...times) / 1000).toFixed(1)} ms`,
      `stages: ${stages}`,
      `sample: ${samples(game, states)}`,
      `redact ${round(each(states, (s, p) => game.redact!(s, p, out)))} us, copy ${round(each(states, (s) => out.set(s)))} us, observation ${round(each(states, (s, p) => game.observe(s, p, observation)))} us`,
      `state ${kb(4 * game.stateSize)}, view up to ${biggest((s, p) => game.view(s, p))}, scene up to ${biggest((s, p) => game.scene!(s, p))}`,
      globalThis.gc === undefined
        ? "memory: run with --expose-gc"
        : `memory: one more game ${kb(bytesOf(() => loadGame("streets-of-stalingrad", { scenario })))}`,
    ].join("\n  "),
  );
}

const named = process.argv.slice(2);
for (const scenario of named.length > 0 ? named : ["drill-kurgan", "scenario-7", "campaign"]) measure(scenario);
