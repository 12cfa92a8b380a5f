import type { Game } from "../../env/index.js";
import { AUXILIARY_LAYER, type Auxiliary } from "./auxiliary.js";
import { applyLayers, dense, HEAD, he, layers, trunkAuxiliary, valueHead, valueLayer } from "./layers.js";
import type { Heads, NeighbourLists, NetOps, PlaceKeys } from "./net-ops.js";
import type { ParamSpec } from "./params.js";
import { namedRows, type Table, TABLES } from "./row-actions.js";
import { rowFeatures, staticRows } from "./static-rows.js";

/** What `netSchema` says of a pooled net. */
interface PooledSpec {
  readonly embed: number;
  readonly hops: number;
  readonly hidden: readonly number[];
  readonly atoms?: number | undefined;
  readonly auxiliary?: readonly Auxiliary[] | undefined;
}

/** The network as a function, with its weights. */
interface Pooled {
  readonly params: readonly ParamSpec[];
  build<X>(ops: NetOps<X>): Heads<X>;
}

const POOLS = ["mean", "max"] as const;

/**
 * A net whose size does not grow with the map. Weights shared by all rows of a table embed its rows. A place hears the
 * units that are there; `hops` rounds add the mean of its neighbours to each place; a unit hears the place where it is.
 * The trunk reads the mean and the maximum of each table's rows, and the other tensors. Each row, given the trunk's
 * output, scores the actions that name it; the trunk scores the others. So the weights of one fight fit all fights with
 * the same features.
 */
export function pooled(game: Game, { embed, hops, hidden, atoms, auxiliary = [] }: PooledSpec): Pooled {
  const { observation, statics } = game;
  const count = { map: observation.mapRows.length, units: observation.unitRows.length };
  const last = hidden.at(-1)!;
  const sources = actionSources(game);
  const neighbours = neighbourLists(statics.neighbours);
  const keys = placeKeys(game);
  const two = (layer: string): ParamSpec[] => [
    ...dense(`${layer}/own`, embed, embed, he(2 * embed)),
    ...dense(`${layer}/heard`, embed, embed, he(2 * embed)),
  ];
  return {
    params: [
      ...TABLES.flatMap((t) => dense(`${t}/embed`, rowFeatures(game, t), embed, he(rowFeatures(game, t)))),
      ...(keys === null ? [] : two("map/there")),
      ...Array.from({ length: hops }, (_, i) => two(`map/hop${i}`)).flat(),
      ...(keys === null ? [] : two("units/place")),
      ...layers(
        [
          observation.globals.length,
          observation.decision.length,
          ...new Array<number>(TABLES.length * POOLS.length).fill(embed),
        ],
        hidden,
      ),
      ...TABLES.filter((t) => sources.verbs[t] > 0).flatMap((table) => [
        ...dense(`${table}/row`, embed, embed, he(2 * embed)),
        ...dense(`${table}/summary`, last, embed, he(2 * last)),
        ...dense(`${table}/score`, embed, sources.verbs[table], HEAD),
      ]),
      ...dense("policy", last, sources.plain, HEAD),
      ...dense(valueLayer(atoms), last, atoms ?? 1, HEAD),
      ...trunkAuxiliary(last, auxiliary),
    ],
    build: <X>(ops: NetOps<X>) => {
      const rows = {
        map: ops.relu(ops.dense(ops.rows("map"), "map/embed")),
        units: ops.relu(ops.dense(ops.rows("units"), "units/embed")),
      };
      const listen = (table: Table, heard: X, layer: string): void => {
        rows[table] = ops.relu(ops.add(ops.dense(rows[table], `${layer}/own`), ops.dense(heard, `${layer}/heard`)));
      };
      if (keys !== null) listen("map", ops.atPlaces(rows.units, "units", keys), "map/there");
      for (let i = 0; i < hops; i++) listen("map", ops.neighbourMean(rows.map, neighbours), `map/hop${i}`);
      if (keys !== null) listen("units", ops.atPlaces(rows.map, "map", keys), "units/place");
      const pools = TABLES.flatMap((t) => POOLS.map((how) => ops.poolRows(rows[t], count[t], how)));
      const trunk = applyLayers(ops, ops.concat([ops.input("globals"), ops.input("decision"), ...pools]), hidden);
      const scores = TABLES.filter((t) => sources.verbs[t] > 0).map((table) => {
        const summary = ops.repeatRows(ops.dense(trunk, `${table}/summary`), count[table]);
        const conditioned = ops.relu(ops.add(ops.dense(rows[table], `${table}/row`), summary));
        return ops.flattenRows(ops.dense(conditioned, `${table}/score`), count[table]);
      });
      return {
        logits: ops.pickColumns(ops.concat([ops.dense(trunk, "policy"), ...scores]), sources.columns),
        ...valueHead(ops, trunk, atoms),
        auxiliary: (name) => ops.dense(trunk, AUXILIARY_LAYER + name),
      };
    },
  };
}

/**
 * Where the score of each action is: among those of the trunk, in their order, then of the rows of `map` by row and
 * verb, then of `units`.
 */
function actionSources(game: Game): { plain: number; verbs: Record<Table, number>; columns: Int32Array } {
  const of = { map: namedRows(game, "map"), units: namedRows(game, "units") };
  const rowOf = new Map<number, { table: Table; at: number }>();
  for (const table of TABLES)
    for (const { a, row, verb } of of[table].named) rowOf.set(a, { table, at: row * of[table].verbs + verb });
  const plain = game.actions.length - rowOf.size;
  const first = { map: plain, units: plain + of.map.rows * of.map.verbs };
  let next = 0;
  const columns = Int32Array.from(game.actions, (_, a) => {
    const named = rowOf.get(a);
    return named === undefined ? next++ : first[named.table] + named.at;
  });
  return { plain, verbs: { map: of.map.verbs, units: of.units.verbs }, columns };
}

/** Lists of the neighbours of each row, and of the rows that it is a neighbour of. */
function neighbourLists(neighbours: readonly (readonly number[])[]): NeighbourLists {
  const rows = neighbours.length;
  const of: number[][] = neighbours.map(() => []);
  neighbours.forEach((others, i) => others.forEach((j) => of[j]!.push(i)));
  const listed = (lists: readonly (readonly number[])[]): Int32Array[] => {
    const width = Math.max(0, ...lists.map((l) => l.length));
    return Array.from({ length: width }, (_, k) => Int32Array.from(lists, (l) => l[k] ?? rows));
  };
  return {
    rows,
    neighbours: listed(neighbours),
    neighbourOf: listed(of),
    share: Float32Array.from(neighbours, (l) => (l.length === 0 ? 0 : 1 / l.length)),
  };
}

/** Features that give a place, observed of units and static of the map. */
const COORDINATES = ["column", "row"];

/**
 * What gives the place of a unit. A row of `map` whose coordinates are all 0 is no place. Null where games have none.
 */
export function placeKeys(game: Game): PlaceKeys | null {
  const { observation, statics } = game;
  const fixed = staticRows(game, "map");
  if (fixed === null || statics.map === undefined) return null;
  const width = observation.map.length;
  const { features } = statics.map;
  const shared = COORDINATES.flatMap((name) => {
    const unit = observation.units.findIndex((f) => f.name === name);
    const place = features.findIndex((f) => f.name === name);
    return unit < 0 || place < 0 ? [] : [{ unit, at: width + place }];
  });
  if (shared.length < COORDINATES.length) return null;
  const rowOf = (r: number): number[] => shared.map(({ at }) => fixed.data[r * fixed.columns + at]!);
  const places = Array.from({ length: fixed.rows }, (_, r) => rowOf(r)).map((row) =>
    row.every((x) => x === 0) ? row.map(() => NOWHERE) : row,
  );
  return {
    units: observation.unitRows.length,
    places: fixed.rows,
    features: shared.map(({ unit }) => unit),
    values: shared.map((_, k) => Float32Array.from(places, (row) => row[k]!)),
  };
}

/** What no feature of a unit is. */
const NOWHERE = -2;
