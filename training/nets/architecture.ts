import { z } from "zod";
import { type Game, TENSORS, tensorSizes } from "../../env/index.js";
import { AUXILIARY, AUXILIARY_LAYER, type Auxiliary } from "./auxiliary.js";
import { applyLayers, dense, HEAD, he, layers, trunkAuxiliary, valueHead, valueLayer } from "./layers.js";
import type { Heads, Matrix, NetOps } from "./net-ops.js";
import type { ParamSpec } from "./params.js";
import { pooled } from "./pooled.js";
import { rowActions, type Table, TABLES } from "./row-actions.js";
import { rowFeatures } from "./static-rows.js";

/** Widths of fully connected layers. */
const widths = z.array(z.number().int().min(1).max(4096)).min(1).max(8);

/**
 * A distribution of the return over `atoms` values, evenly spaced from -1 to 1, in place of one number (Bellemare et
 * al. 2017). The value is its mean. Absent: one number.
 */
const atoms = z.number().int().min(2).max(255).optional();

/** The net of a run's configuration. */
export const netSchema = z.discriminatedUnion("kind", [
  z.strictObject({
    /** `mlp`: fully connected layers over all four tensors, flattened and concatenated. */
    kind: z.literal("mlp"),
    hidden: widths,
    atoms,
    /** Auxiliary predictions while training, see auxiliary.ts. */
    auxiliary: z.array(z.enum(["margin"])).optional(),
  }),
  z.strictObject({
    /**
     * `graph`: shared weights embed the rows of `map` and `units`; actions that name a row are scored from its
     * embedding.
     */
    kind: z.literal("graph"),
    /** Width of a row's embedding. */
    embed: z.number().int().min(1).max(256),
    /** Rounds of message passing between neighbouring rows of `map`. */
    hops: z.number().int().min(0).max(4).default(1),
    /** Rounds in which the rows of `units` attend to those of `map`, and then these to those. */
    attend: z.number().int().min(0).max(4).default(0),
    hidden: widths,
    atoms,
    /** Auxiliary predictions while training, see auxiliary.ts. */
    auxiliary: z.array(z.enum(["finalMap", "otherUnits", "margin"])).default([]),
  }),
  z.strictObject({
    /**
     * `pooled`: as `graph`, but no weight belongs to one row, so that one net plays all fights of a game, see
     * pooled.ts.
     */
    kind: z.literal("pooled"),
    /** Width of a row's embedding. */
    embed: z.number().int().min(1).max(256),
    /** Rounds of message passing between neighbouring rows of `map`. */
    hops: z.number().int().min(0).max(8).default(2),
    hidden: widths,
    atoms,
    /** Auxiliary predictions while training, see auxiliary.ts. */
    auxiliary: z.array(z.enum(["margin"])).optional(),
  }),
]);
export type NetSpec = z.infer<typeof netSchema>;

/** The auxiliary predictions of a net. */
export const auxiliaryOf = (spec: NetSpec): readonly Auxiliary[] => spec.auxiliary ?? [];

/** A net for one game: its weights, and the net as a function over operations. */
export interface Architecture {
  readonly params: readonly ParamSpec[];
  build<X>(ops: NetOps<X>): Heads<X>;
}

export const architectureOf = (game: Game, spec: NetSpec): Architecture =>
  spec.kind === "mlp" ? mlp(game, spec) : spec.kind === "graph" ? graph(game, spec) : pooled(game, spec);

/**
 * The net that weights of these shapes belong to, if they belong to one like `spec`, though narrower or wider, with
 * fewer rounds of attention, or with another kind of value. Rows that attend keep their width, which heads share and by
 * which scores are scaled.
 *
 * @param shapes by name
 */
export function specOfShapes(spec: NetSpec, shapes: ReadonlyMap<string, readonly number[]>): NetSpec {
  const width = (layer: string): number => shapes.get(`${layer}/w`)?.[1] ?? 1;
  const hidden = spec.hidden.map((_, i) => width(`hidden${i}`));
  const value = [...shapes.keys()].find((key) => /^value\d*\/w$/.test(key));
  const atoms = value === undefined || value === "value/w" ? undefined : width(value.slice(0, -2));
  if (spec.kind === "mlp") return { ...spec, hidden, atoms };
  if (spec.kind === "pooled") return { ...spec, hidden, atoms, embed: width(`${TABLES[0]}/embed`) };
  const rounds = Array.from({ length: spec.attend }, (_, i) => attention(i)[0].layer);
  const attend = rounds.filter((layer) => shapes.has(`${layer}/${HEARD}/w`)).length;
  return { ...spec, hidden, atoms, attend, embed: attend > 0 ? spec.embed : width(`${TABLES[0]}/embed`) };
}

/** How many weights a net has. */
export const weightCount = (game: Game, spec: NetSpec): number =>
  architectureOf(game, spec).params.reduce((sum, { shape }) => sum + shape.reduce((n, d) => n * d, 1), 0);

function mlp(game: Game, spec: Extract<NetSpec, { kind: "mlp" }>): Architecture {
  const { hidden, atoms } = spec;
  const sizes = tensorSizes(game.observation);
  const last = hidden.at(-1)!;
  return {
    params: [
      ...layers(
        TENSORS.map((t) => sizes[t]),
        hidden,
      ),
      ...dense("policy", last, game.actions.length, HEAD),
      ...dense(valueLayer(atoms), last, atoms ?? 1, HEAD),
      ...trunkAuxiliary(last, auxiliaryOf(spec)),
    ],
    build: (ops) => {
      const x = applyLayers(ops, ops.concat(TENSORS.map((t) => ops.input(t))), hidden);
      return {
        logits: ops.dense(x, "policy"),
        ...valueHead(ops, x, atoms),
        auxiliary: (name) => ops.dense(x, AUXILIARY_LAYER + name),
      };
    },
  };
}

/** The layers of one round of attention: who attends to whom, in order. */
const attention = (round: number) =>
  [
    { layer: `attend${round}/units`, by: "units", to: "map" },
    { layer: `attend${round}/map`, by: "map", to: "units" },
  ] as const;

/** The layer by which what a row has heard is added to it: where its weights are 0, attention changes nothing. */
export const HEARD = "heard";

/** Heads of attention: as many as have at least 8 columns each, at most 4. */
const headsOf = (embed: number): number => [4, 2].find((n) => embed % n === 0 && embed / n >= 8) ?? 1;

/**
 * Weights shared by all rows of a table embed its rows. `hops` rounds add the mean of the neighbours' embeddings to
 * each row of the map. In each round of `attend`, units add what they hear from the places that they attend to, then
 * places what they hear from units. The trunk reads all embeddings and the other tensors. Each row, given the trunk's
 * output, scores the actions that name it.
 */
function graph(
  game: Game,
  { embed, hops, attend, hidden, atoms, auxiliary }: Extract<NetSpec, { kind: "graph" }>,
): Architecture {
  const { observation } = game;
  const sizes = tensorSizes(observation);
  const count = { map: observation.mapRows.length, units: observation.unitRows.length };
  const last = hidden.at(-1)!;
  const rowHeads = TABLES.map((table) => ({ table, ...rowActions(game, table) })).filter((p) => p.verbs > 0);
  const neighbours = neighbourMeans(game);
  const rounds = Array.from({ length: attend }, (_, i) => attention(i)).flat();
  return {
    params: [
      ...TABLES.flatMap((t) => dense(`${t}/embed`, rowFeatures(game, t), embed, he(rowFeatures(game, t)))),
      ...Array.from({ length: hops }, (_, i) => [
        ...dense(`map/own${i}`, embed, embed, he(2 * embed)),
        ...dense(`map/heard${i}`, embed, embed, he(2 * embed)),
      ]).flat(),
      ...rounds.flatMap(({ layer }) => [
        ...dense(`${layer}/query`, embed, embed, he(2 * embed)),
        ...dense(`${layer}/key`, embed, embed, he(2 * embed)),
        ...dense(`${layer}/value`, embed, embed, he(2 * embed)),
        ...dense(`${layer}/${HEARD}`, embed, embed, HEAD),
      ]),
      ...layers([sizes.globals, sizes.decision, ...new Array<number>(count.map + count.units).fill(embed)], hidden),
      ...rowHeads.flatMap(({ table, verbs }) => [
        ...dense(`${table}/row`, embed, embed, he(2 * embed)),
        ...dense(`${table}/summary`, last, embed, he(2 * last)),
        ...dense(`${table}/score`, embed, verbs, HEAD),
      ]),
      ...dense("policy", last, game.actions.length, HEAD),
      ...dense(valueLayer(atoms), last, atoms ?? 1, HEAD),
      ...trunkAuxiliary(last, auxiliary),
      ...auxiliary.flatMap((name) => {
        const { table } = AUXILIARY[name];
        if (table === null) return [];
        return [
          ...dense(`${AUXILIARY_LAYER}${name}/row`, embed, embed, he(2 * embed)),
          ...dense(`${AUXILIARY_LAYER}${name}/summary`, last, embed, he(2 * last)),
          ...dense(`${AUXILIARY_LAYER}${name}/features`, embed, observation[table].length, HEAD),
        ];
      }),
    ],
    build: <X>(ops: NetOps<X>) => {
      const rows = {
        map: ops.relu(ops.dense(ops.rows("map"), "map/embed")),
        units: ops.relu(ops.dense(ops.rows("units"), "units/embed")),
      };
      for (let i = 0; i < hops; i++)
        rows.map = ops.relu(
          ops.add(
            ops.dense(rows.map, `map/own${i}`),
            ops.dense(ops.neighbourMatMul(rows.map, neighbours), `map/heard${i}`),
          ),
        );
      for (const { layer, by, to } of rounds) {
        const heard = ops.attention(
          ops.dense(rows[by], `${layer}/query`),
          ops.dense(rows[to], `${layer}/key`),
          ops.dense(rows[to], `${layer}/value`),
          { queries: count[by], keys: count[to], heads: headsOf(embed) },
        );
        rows[by] = ops.add(rows[by], ops.dense(heard, `${layer}/${HEARD}`));
      }
      const trunk = applyLayers(
        ops,
        ops.concat([
          ops.input("globals"),
          ops.input("decision"),
          ops.flattenRows(rows.map, count.map),
          ops.flattenRows(rows.units, count.units),
        ]),
        hidden,
      );
      /** Row embeddings of a table, conditioned on the trunk. */
      const conditioned = (table: Table, layer: string): X =>
        ops.relu(
          ops.add(
            ops.dense(rows[table], `${layer}/row`),
            ops.repeatRows(ops.dense(trunk, `${layer}/summary`), count[table]),
          ),
        );
      let logits = ops.dense(trunk, "policy");
      for (const { table, scoresToActions } of rowHeads)
        logits = ops.add(
          logits,
          ops.matMul(
            ops.flattenRows(ops.dense(conditioned(table, table), `${table}/score`), count[table]),
            scoresToActions,
          ),
        );
      return {
        logits,
        ...valueHead(ops, trunk, atoms),
        auxiliary: (name) => {
          const { table } = AUXILIARY[name];
          const layer = AUXILIARY_LAYER + name;
          if (table === null) return ops.dense(trunk, layer);
          return ops.flattenRows(ops.dense(conditioned(table, layer), `${layer}/features`), count[table]);
        },
      };
    },
  };
}

/** Row-stochastic matrix: row i holds the mean over the neighbours of map row i. */
function neighbourMeans({ statics: { neighbours } }: Game): Matrix {
  const n = neighbours.length;
  const data = new Float32Array(n * n);
  neighbours.forEach((others, i) => others.forEach((j) => (data[i * n + j]! += 1 / others.length)));
  return { rows: n, columns: n, data };
}
