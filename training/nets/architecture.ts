import { z } from "zod";
import { type Game, TENSORS, tensorSizes } from "../../env/index.js";
import type { Heads, Matrix, Ops } from "./net-ops.js";
import type { ParamSpec } from "./params.js";
import { rowFeatures } from "./static-rows.js";

/** Widths of fully connected layers. */
const widths = z.array(z.number().int().min(1).max(4096)).min(1).max(8);

/** Which net, as it stands in a run's configuration. */
export const netSchema = z.discriminatedUnion("kind", [
  z.strictObject({
    /** `mlp`: fully connected layers over all four tensors laid end to end. */
    kind: z.literal("mlp"),
    hidden: widths,
  }),
  z.strictObject({
    /** `graph`: rows of `map` and `units` are read by shared weights, and actions that name a row are scored from it. */
    kind: z.literal("graph"),
    /** Numbers that each row is turned into. */
    embed: z.number().int().min(1).max(256),
    /** Rounds in which rows of `map` hear from their neighbours. */
    hops: z.number().int().min(0).max(4).default(1),
    hidden: widths,
    /** Also foretell these while training: only the trainer can, for it knows what a seat may not. */
    auxiliary: z.array(z.enum(["finalMap", "otherUnits"])).default([]),
  }),
]);
export type NetSpec = z.infer<typeof netSchema>;

/**
 * What a net may be asked besides, to learn what matters faster: `finalMap`, the map as the actor sees it when the game is
 * over; `otherUnits`, the rows of units as the other player sees them now. Both laid end to end.
 */
export const AUXILIARY = { finalMap: "map", otherUnits: "units" } as const;
export type Auxiliary = keyof typeof AUXILIARY;

/** What a net foretells besides policy and value. */
export const auxiliaryOf = (spec: NetSpec): readonly Auxiliary[] => (spec.kind === "graph" ? spec.auxiliary : []);

/** Layers of auxiliary heads begin like this. */
export const AUXILIARY_LAYER = "auxiliary/";

/** A net for one game: its weights, and the net as a function over operations. */
export interface Architecture {
  readonly params: readonly ParamSpec[];
  build<X>(ops: Ops<X>): Heads<X>;
}

export const architectureOf = (game: Game, spec: NetSpec): Architecture =>
  spec.kind === "mlp" ? mlp(game, spec.hidden) : graph(game, spec);

/** How many weights a net has. */
export const weightCount = (game: Game, spec: NetSpec): number =>
  architectureOf(game, spec).params.reduce((sum, { shape }) => sum + shape.reduce((n, d) => n * d, 1), 0);

function dense(name: string, from: number, to: number, deviation: number): ParamSpec[] {
  return [
    { name: `${name}/w`, shape: [from, to], deviation },
    { name: `${name}/b`, shape: [to], deviation: 0 },
  ];
}

/** He's deviation keeps the size of signals through layers of relu. */
const he = (from: number): number => Math.sqrt(2 / from);
/** Heads start near zero: every legal action about equally likely, every position about even. */
const HEAD = 0.01;

/** Fully connected layers `hidden0`, `hidden1`, ... after something `from` wide. */
const layers = (from: number, hidden: readonly number[]): ParamSpec[] =>
  hidden.flatMap((to, i) =>
    dense(`hidden${i}`, i === 0 ? from : hidden[i - 1]!, to, he(i === 0 ? from : hidden[i - 1]!)),
  );

function through<X>(ops: Ops<X>, x: X, hidden: readonly number[]): X {
  return hidden.reduce((y, _, i) => ops.relu(ops.dense(y, `hidden${i}`)), x);
}

function mlp(game: Game, hidden: readonly number[]): Architecture {
  const sizes = tensorSizes(game.observation);
  const last = hidden.at(-1)!;
  return {
    params: [
      ...layers(
        TENSORS.reduce((n, t) => n + sizes[t], 0),
        hidden,
      ),
      ...dense("policy", last, game.actions.length, HEAD),
      ...dense("value", last, 1, HEAD),
    ],
    build: (ops) => {
      const x = through(ops, ops.concat(TENSORS.map((t) => ops.input(t))), hidden);
      return { logits: ops.dense(x, "policy"), value: ops.tanh(ops.dense(x, "value")) };
    },
  };
}

const TABLES = ["map", "units"] as const;
type Table = (typeof TABLES)[number];

/**
 * Rows are embedded with weights shared by their table; rows of the map then hear the mean of their neighbours. All rows
 * and the other tensors go through the trunk. Each row, looking at the trunk's summary, scores the actions that name it.
 */
function graph(game: Game, { embed, hops, hidden, auxiliary }: Extract<NetSpec, { kind: "graph" }>): Architecture {
  const { observation } = game;
  const sizes = tensorSizes(observation);
  const count = { map: observation.mapRows.length, units: observation.unitRows.length };
  const last = hidden.at(-1)!;
  const pointers = TABLES.map((table) => ({ table, ...pointersTo(game, table) })).filter((p) => p.verbs > 0);
  const neighbours = meanOfNeighbours(game);
  return {
    params: [
      ...TABLES.flatMap((t) => dense(`${t}/embed`, rowFeatures(game, t), embed, he(rowFeatures(game, t)))),
      ...Array.from({ length: hops }, (_, i) => [
        ...dense(`map/own${i}`, embed, embed, he(2 * embed)),
        ...dense(`map/heard${i}`, embed, embed, he(2 * embed)),
      ]).flat(),
      ...layers(sizes.globals + sizes.decision + (count.map + count.units) * embed, hidden),
      ...pointers.flatMap(({ table, verbs }) => [
        ...dense(`${table}/row`, embed, embed, he(2 * embed)),
        ...dense(`${table}/summary`, last, embed, he(2 * last)),
        ...dense(`${table}/score`, embed, verbs, HEAD),
      ]),
      ...dense("policy", last, game.actions.length, HEAD),
      ...dense("value", last, 1, HEAD),
      ...auxiliary.flatMap((name) => [
        ...dense(`${AUXILIARY_LAYER}${name}/row`, embed, embed, he(2 * embed)),
        ...dense(`${AUXILIARY_LAYER}${name}/summary`, last, embed, he(2 * last)),
        ...dense(`${AUXILIARY_LAYER}${name}/features`, embed, observation[AUXILIARY[name]].length, HEAD),
      ]),
    ],
    build: <X>(ops: Ops<X>) => {
      const rows = {
        map: ops.relu(ops.dense(ops.rows("map"), "map/embed")),
        units: ops.relu(ops.dense(ops.rows("units"), "units/embed")),
      };
      for (let i = 0; i < hops; i++)
        rows.map = ops.relu(
          ops.add(ops.dense(rows.map, `map/own${i}`), ops.dense(ops.mix(rows.map, neighbours), `map/heard${i}`)),
        );
      const trunk = through(
        ops,
        ops.concat([
          ops.input("globals"),
          ops.input("decision"),
          ops.flat(rows.map, count.map),
          ops.flat(rows.units, count.units),
        ]),
        hidden,
      );
      /** Rows of a table in the light of the whole. */
      const seen = (table: Table, layer: string): X =>
        ops.relu(
          ops.add(
            ops.dense(rows[table], `${layer}/row`),
            ops.spread(ops.dense(trunk, `${layer}/summary`), count[table]),
          ),
        );
      let logits = ops.dense(trunk, "policy");
      for (const { table, picked } of pointers)
        logits = ops.add(
          logits,
          ops.times(ops.flat(ops.dense(seen(table, table), `${table}/score`), count[table]), picked),
        );
      return {
        logits,
        value: ops.tanh(ops.dense(trunk, "value")),
        auxiliary: (name) =>
          ops.flat(
            ops.dense(seen(AUXILIARY[name], AUXILIARY_LAYER + name), `${AUXILIARY_LAYER}${name}/features`),
            count[AUXILIARY[name]],
          ),
      };
    },
  };
}

/** Row-stochastic: each row of the map hears the mean of its neighbours. */
function meanOfNeighbours({ statics: { neighbours } }: Game): Matrix {
  const n = neighbours.length;
  const data = new Float32Array(n * n);
  neighbours.forEach((others, i) => others.forEach((j) => (data[i * n + j]! += 1 / others.length)));
  return { rows: n, columns: n, data };
}

/**
 * Actions that end in the name of a row (`area 3`, `hex 1205`), by what stands before it. `picked` takes scores by row
 * and verb, `[rows * verbs]`, to actions.
 */
function pointersTo(game: Game, table: Table): { verbs: number; picked: Matrix } {
  const rows = table === "map" ? game.observation.mapRows : game.observation.unitRows;
  const verbs: string[] = [];
  const found = game.actions.flatMap((action, a) => {
    // of two names that fit, the longer one is meant
    const row = rows.reduce(
      (best, name, i) => (action.endsWith(` ${name}`) && (best < 0 || name.length > rows[best]!.length) ? i : best),
      -1,
    );
    if (row < 0) return [];
    const verb = action.slice(0, -rows[row]!.length);
    if (!verbs.includes(verb)) verbs.push(verb);
    return [{ a, row, verb: verbs.indexOf(verb) }];
  });
  const A = game.actions.length;
  const data = new Float32Array(rows.length * verbs.length * A);
  for (const { a, row, verb } of found) data[(row * verbs.length + verb) * A + a] = 1;
  return { verbs: verbs.length, picked: { rows: rows.length * verbs.length, columns: A, data } };
}
