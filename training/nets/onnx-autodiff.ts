import { type Game, type TensorName, tensorSizes } from "../../env/index.js";
import { integerAttribute, integersAttribute, type OnnxGraph } from "./onnx-graph.js";
import { rowFeatures, staticRows } from "./static-rows.js";
import {
  type AttentionShape,
  ILLEGAL_LOGIT,
  type LossOps,
  type Matrix,
  type NeighbourLists,
  type PlaceKeys,
  placesOfColumns,
} from "./net-ops.js";

/** A value of a graph, and how its gradient propagates to its inputs. */
interface Value {
  readonly name: string;
  /** Size of the last axis; 0 for a scalar. */
  readonly width: number;
  readonly inputs: readonly Value[];
  /**
   * Writes the nodes that turn the gradient `dy` of this value into the gradients of `inputs`; null where none is
   * needed.
   */
  backward(dy: string): readonly (string | null)[];
}

const NONE: readonly Value[] = [];

/**
 * Reverse-mode automatic differentiation that writes ONNX: each operation adds its nodes to the graph and to a tape,
 * from which `gradients` adds the nodes of the derivative. Without `gradients` the graph is the net alone.
 */
export class OnnxTape implements LossOps<Value> {
  private readonly params = new Map<string, Value>();
  private readonly tape: Value[] = [];
  /** Values that depend on a parameter. */
  private readonly requiringGrad = new Set<Value>();
  private presence: string | undefined;

  constructor(
    private readonly graph: OnnxGraph,
    private readonly game: Game,
    private readonly columns: Readonly<Record<string, number>> = {},
  ) {}

  /** Declares a value of the graph as a parameter. */
  param(name: string, shape: readonly number[]): void {
    const value = this.leaf(name, shape.at(-1)!);
    this.params.set(name, value);
    this.requiringGrad.add(value);
  }

  input(name: TensorName): Value {
    const { graph } = this;
    return this.leaf(
      name === "map" || name === "units" ? graph.node("Flatten", [name], [integerAttribute("axis", 1)]) : name,
      tensorSizes(this.game.observation)[name],
    );
  }

  rows(name: "map" | "units"): Value {
    const { graph, game } = this;
    const width = rowFeatures(game, name);
    const fixed = staticRows(game, name);
    if (fixed === null) return this.leaf(this.reshape(name, [-1, width]), width);
    // pads each row, then adds the static features to the whole batch at once
    const wide = graph.node("Pad", [name, graph.integers([0, 0, 0, 0, 0, width - game.observation[name].length])]);
    return this.leaf(this.reshape(graph.node("Add", [wide, this.matrix(fixed)]), [-1, width]), width);
  }

  column(name: string): Value {
    return this.leaf(`column/${name}`, this.columns[name]!);
  }

  scalar(name: string): Value {
    return this.leaf(`scalar/${name}`, 0);
  }

  concat(parts: readonly Value[]): Value {
    const { graph } = this;
    const axis = integerAttribute("axis", 1);
    const widths = parts.map((p) => p.width);
    const width = widths.reduce((a, b) => a + b);
    return this.value(
      graph.node(
        "Concat",
        parts.map((p) => p.name),
        [axis],
      ),
      width,
      parts,
      (dy) => {
        const first = graph.node("Split", [dy, graph.integers(widths)], [axis], parts.length);
        return parts.map((_, i) => (i === 0 ? first : `${first}.${i}`));
      },
    );
  }

  dense(x: Value, layer: string): Value {
    const { graph } = this;
    const w = this.params.get(`${layer}/w`)!;
    const b = this.params.get(`${layer}/b`)!;
    return this.value(graph.node("Gemm", [x.name, w.name, b.name]), w.width, [x, w, b], (dy) => [
      this.requiresGrad(x) ? graph.node("Gemm", [dy, w.name], [integerAttribute("transB", 1)]) : null,
      graph.node("Gemm", [x.name, dy], [integerAttribute("transA", 1)]),
      graph.node("ReduceSum", [dy, graph.integers([0])], [integerAttribute("keepdims", 0)]),
    ]);
  }

  relu(x: Value): Value {
    const { graph } = this;
    const y = graph.node("Relu", [x.name]);
    return this.value(y, x.width, [x], (dy) => [
      graph.node("Where", [graph.node("Greater", [y, graph.constant(0)]), dy, graph.constant(0)]),
    ]);
  }

  tanh(x: Value): Value {
    const { graph } = this;
    const y = graph.node("Tanh", [x.name]);
    return this.value(y, x.width, [x], (dy) => [
      graph.node("Mul", [dy, graph.node("Sub", [graph.constant(1), graph.node("Mul", [y, y])])]),
    ]);
  }

  flattenRows(x: Value, rows: number): Value {
    return this.value(this.reshape(x.name, [-1, rows * x.width]), rows * x.width, [x], (dy) => [
      this.reshape(dy, [-1, x.width]),
    ]);
  }

  repeatRows(x: Value, rows: number): Value {
    const { graph } = this;
    const wide = graph.node("Expand", [this.reshape(x.name, [-1, 1, x.width]), graph.integers([1, rows, 1])]);
    return this.value(this.reshape(wide, [-1, x.width]), x.width, [x], (dy) => [
      graph.node(
        "ReduceSum",
        [this.reshape(dy, [-1, rows, x.width]), graph.integers([1])],
        [integerAttribute("keepdims", 0)],
      ),
    ]);
  }

  neighbourMatMul(x: Value, matrix: Matrix): Value {
    const { graph } = this;
    const mixed = (y: string, m: Matrix) =>
      this.reshape(graph.node("MatMul", [this.matrix(m), this.reshape(y, [-1, m.columns, x.width])]), [-1, x.width]);
    return this.value(mixed(x.name, matrix), x.width, [x], (dy) => [mixed(dy, transposed(matrix))]);
  }

  matMul(x: Value, matrix: Matrix): Value {
    const { graph } = this;
    return this.value(graph.node("MatMul", [x.name, this.matrix(matrix)]), matrix.columns, [x], (dy) => [
      graph.node("MatMul", [dy, this.matrix(transposed(matrix))]),
    ]);
  }

  attention(query: Value, key: Value, value: Value, { queries, keys, heads }: AttentionShape): Value {
    const { graph } = this;
    const n = query.width;
    const transpose = (x: string, perm: readonly number[]) =>
      graph.node("Transpose", [x], [integersAttribute("perm", perm)]);
    const swap = (x: string) => transpose(x, [0, 1, 3, 2]);
    const split = (x: string, rows: number) => transpose(this.reshape(x, [-1, rows, heads, n / heads]), [0, 2, 1, 3]); // [B, heads, rows, n / heads]
    const join = (x: string) => this.reshape(transpose(x, [0, 2, 1, 3]), [-1, n]);
    const matMul = (a: string, b: string) => graph.node("MatMul", [a, b]);
    const factor = graph.constant(Math.sqrt(heads / n));
    const q = graph.node("Mul", [split(query.name, queries), factor]);
    const k = split(key.name, keys);
    const v = split(value.name, keys);
    const weights = graph.node("Softmax", [matMul(q, swap(k))], [integerAttribute("axis", -1)]);
    return this.value(join(matMul(weights, v)), n, [query, key, value], (dy) => {
      const d = split(dy, queries);
      const dWeights = matMul(d, swap(v));
      const sum = graph.node(
        "ReduceSum",
        [graph.node("Mul", [dWeights, weights]), graph.integers([-1])],
        [integerAttribute("keepdims", 1)],
      );
      const dScores = graph.node("Mul", [weights, graph.node("Sub", [dWeights, sum])]);
      return [
        join(graph.node("Mul", [matMul(dScores, k), factor])),
        join(matMul(swap(dScores), q)),
        join(matMul(swap(weights), d)),
      ];
    });
  }

  neighbourMean(x: Value, { rows, neighbours, neighbourOf, share }: NeighbourLists): Value {
    const { graph } = this;
    const n = x.width;
    if (neighbours.length === 0) return this.scale(x, 0);
    const shares = this.matrix({ rows, columns: 1, data: share });
    const grouped = (y: string): string => this.reshape(y, [-1, rows, n]);
    const sums = (y: string, lists: readonly Int32Array[]): string => {
      const padded = graph.node("Pad", [y, graph.integers([0, 0, 0, 0, 1, 0])]);
      const parts = lists.map((l) => graph.node("Gather", [padded, graph.integers(l)], [integerAttribute("axis", 1)]));
      return graph.node("Sum", parts);
    };
    const scaled = (y: string): string => graph.node("Mul", [y, shares]);
    return this.value(this.reshape(scaled(sums(grouped(x.name), neighbours)), [-1, n]), n, [x], (dy) => [
      this.reshape(sums(scaled(grouped(dy)), neighbourOf), [-1, n]),
    ]);
  }

  poolRows(x: Value, rows: number, how: "mean" | "max"): Value {
    const { graph } = this;
    const n = x.width;
    const grouped = this.reshape(x.name, [-1, rows, n]);
    const over = [integersAttribute("axes", [1]), integerAttribute("keepdims", 0)];
    const y = graph.node(how === "mean" ? "ReduceMean" : "ReduceMax", [grouped], over);
    return this.value(y, n, [x], (dy) => {
      const wide = this.reshape(dy, [-1, 1, n]);
      if (how === "mean") {
        const part = graph.node("Mul", [wide, graph.constant(1 / rows)]);
        return [this.reshape(graph.node("Expand", [part, graph.integers([1, rows, 1])]), [-1, n])];
      }
      // rows that are equal share it
      const largest = graph.node("Equal", [grouped, this.reshape(y, [-1, 1, n])]);
      const ones = graph.node("Cast", [largest], [integerAttribute("to", 1)]);
      const count = graph.node("ReduceSum", [ones, graph.integers([1])], [integerAttribute("keepdims", 1)]);
      return [this.reshape(graph.node("Mul", [ones, graph.node("Div", [wide, count])]), [-1, n])];
    });
  }

  pickColumns(x: Value, columns: Int32Array): Value {
    const { graph } = this;
    const axis = integerAttribute("axis", 1);
    return this.value(graph.node("Gather", [x.name, graph.integers(columns)], [axis]), columns.length, [x], (dy) => {
      const padded = graph.node("Pad", [dy, graph.integers([0, 0, 0, 1])]);
      return [graph.node("Gather", [padded, graph.integers(placesOfColumns(columns, x.width))], [axis])];
    });
  }

  atPlaces(x: Value, from: "map" | "units", keys: PlaceKeys): Value {
    const { graph } = this;
    const n = x.width;
    const there = this.whoIsWhere(keys);
    const turned = graph.node("Transpose", [there], [integersAttribute("perm", [0, 2, 1])]);
    const toUnits = (y: string): string => this.reshape(graph.node("MatMul", [there, this.reshape(y, [-1, keys.places, n])]), [-1, n]); // prettier-ignore
    const toPlaces = (y: string): string => this.reshape(graph.node("MatMul", [turned, this.reshape(y, [-1, keys.units, n])]), [-1, n]); // prettier-ignore
    const [forth, back] = from === "map" ? [toUnits, toPlaces] : [toPlaces, toUnits];
    return this.value(forth(x.name), n, [x], (dy) => [back(dy)]);
  }

  /** `[B, units, places]`: 1 where the unit is at the place. */
  private whoIsWhere({ features, values }: PlaceKeys): string {
    const { graph } = this;
    return (this.presence ??= graph.node(
      "Cast",
      [
        features
          .map((f, k) => {
            const own = graph.node("Gather", ["units", graph.integers([f])], [integerAttribute("axis", 2)]);
            return graph.node("Equal", [own, graph.floats(graph.fresh(), [1, 1, values[k]!.length], values[k]!)]);
          })
          .reduce((a, b) => graph.node("And", [a, b])),
      ],
      [integerAttribute("to", 1)],
    ));
  }

  masked(logits: Value): Value {
    const { graph } = this;
    const legal = graph.legal();
    return this.value(
      graph.node("Where", [legal, logits.name, graph.constant(ILLEGAL_LOGIT)]),
      logits.width,
      [logits],
      (dy) => [graph.node("Where", [legal, dy, graph.constant(0)])],
    );
  }

  add(a: Value, b: Value): Value {
    return this.value(this.graph.node("Add", [a.name, b.name]), a.width, [a, b], (dy) => [dy, dy]);
  }

  sub(a: Value, b: Value): Value {
    return this.value(this.graph.node("Sub", [a.name, b.name]), a.width, [a, b], (dy) => [
      dy,
      this.requiresGrad(b) ? this.graph.node("Neg", [dy]) : null,
    ]);
  }

  mul(a: Value, b: Value): Value {
    const times = (dy: string, x: Value, other: Value) =>
      this.requiresGrad(x) ? this.graph.node("Mul", [dy, other.name]) : null;
    return this.value(this.graph.node("Mul", [a.name, b.name]), a.width, [a, b], (dy) => [
      times(dy, a, b),
      times(dy, b, a),
    ]);
  }

  scale(x: Value, by: number): Value {
    const factor = this.graph.constant(by);
    return this.value(this.graph.node("Mul", [x.name, factor]), x.width, [x], (dy) => [
      this.graph.node("Mul", [dy, factor]),
    ]);
  }

  addScalar(x: Value, by: number): Value {
    return this.value(this.graph.node("Add", [x.name, this.graph.constant(by)]), x.width, [x], (dy) => [dy]);
  }

  exp(x: Value): Value {
    const y = this.graph.node("Exp", [x.name]);
    return this.value(y, x.width, [x], (dy) => [this.graph.node("Mul", [dy, y])]);
  }

  min(a: Value, b: Value): Value {
    const { graph } = this;
    return this.value(graph.node("Min", [a.name, b.name]), a.width, [a, b], (dy) => {
      const first = graph.node("LessOrEqual", [a.name, b.name]);
      return [graph.node("Where", [first, dy, graph.constant(0)]), graph.node("Where", [first, graph.constant(0), dy])];
    });
  }

  clip(x: Value, low: number, high: number): Value {
    const { graph } = this;
    const [l, h] = [graph.constant(low), graph.constant(high)];
    return this.value(graph.node("Clip", [x.name, l, h]), x.width, [x], (dy) => {
      const inside = graph.node("And", [
        graph.node("GreaterOrEqual", [x.name, l]),
        graph.node("LessOrEqual", [x.name, h]),
      ]);
      return [graph.node("Where", [inside, dy, graph.constant(0)])];
    });
  }

  logSoftmax(x: Value): Value {
    const { graph } = this;
    const y = graph.node("LogSoftmax", [x.name], [integerAttribute("axis", -1)]);
    return this.value(y, x.width, [x], (dy) => {
      const sum = graph.node("ReduceSum", [dy, graph.integers([-1])], [integerAttribute("keepdims", 1)]);
      return [graph.node("Sub", [dy, graph.node("Mul", [graph.node("Exp", [y]), sum])])];
    });
  }

  sumRows(x: Value): Value {
    const { graph } = this;
    const y = graph.node("ReduceSum", [x.name, graph.integers([1])], [integerAttribute("keepdims", 1)]);
    return this.value(y, 1, [x], (dy) => [graph.node("Expand", [dy, graph.node("Shape", [x.name])])]);
  }

  mean(x: Value): Value {
    const { graph } = this;
    const y = graph.node("ReduceMean", [x.name], [integerAttribute("keepdims", 0)]);
    return this.value(y, 0, [x], (dy) => {
      const count = graph.node("Cast", [graph.node("Size", [x.name])], [integerAttribute("to", 1)]);
      return [graph.node("Expand", [graph.node("Div", [dy, count]), graph.node("Shape", [x.name])])];
    });
  }

  /** Writes the gradient of `total` with respect to every parameter. @returns names of values, by parameter */
  gradients(total: Value): Map<string, string> {
    const { graph } = this;
    const found = new Map<Value, string>([[total, graph.constant(1)]]);
    for (const v of [...this.tape].reverse()) {
      const dy = found.get(v);
      if (dy === undefined || !this.requiresGrad(v)) continue;
      v.backward(dy).forEach((d, i) => {
        const x = v.inputs[i]!;
        if (d === null || !this.requiresGrad(x)) return;
        const before = found.get(x);
        found.set(x, before === undefined ? d : graph.node("Add", [before, d]));
      });
    }
    return new Map(
      [...this.params].map(([name, v]) => [name, found.get(v) ?? graph.node("Mul", [v.name, graph.constant(0)])]),
    );
  }

  private reshape(x: string, shape: readonly number[]): string {
    return this.graph.node("Reshape", [x, this.graph.integers(shape)]);
  }

  private matrix({ rows, columns, data }: Matrix): string {
    return this.graph.floats(this.graph.fresh(), [rows, columns], data);
  }

  private requiresGrad(v: Value): boolean {
    return this.requiringGrad.has(v);
  }

  private leaf(name: string, width: number): Value {
    return { name, width, inputs: NONE, backward: () => [] };
  }

  private value(name: string, width: number, inputs: readonly Value[], backward: Value["backward"]): Value {
    const v = { name, width, inputs, backward };
    this.tape.push(v);
    if (inputs.some((x) => this.requiresGrad(x))) this.requiringGrad.add(v);
    return v;
  }
}

function transposed({ rows, columns, data }: Matrix): Matrix {
  const turned = new Float32Array(data.length);
  for (let r = 0; r < rows; r++) for (let c = 0; c < columns; c++) turned[c * rows + r] = data[r * columns + c]!;
  return { rows: columns, columns: rows, data: turned };
}
