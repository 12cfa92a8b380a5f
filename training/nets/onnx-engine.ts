import type * as ort from "onnxruntime-node";
import { runtime } from "../../agents/onnx-session.js";
import { type Game, type Observation, shapesOf, TENSORS, tensorSizes } from "../../env/index.js";
import type { Engine, Evaluation, Feed, NetDefinition, Objective, Program } from "./engine.js";
import { OnnxGraph } from "./onnx-graph.js";
import { OnnxTape } from "./onnx-autodiff.js";

type Runtime = typeof ort;
type Session = ort.InferenceSession;

/**
 * Trains with ONNX Runtime: the loss and its derivative are one ONNX graph (onnx-autodiff.ts). Its inputs are weights,
 * observations and the objective's columns; its outputs are losses and gradients. Runs on one thread.
 */
export class OnnxEngine implements Engine {
  readonly label: string;
  /** Sessions by game, net and objective; nets of one kind share them. */
  private readonly sessions = new WeakMap<Game, Map<string, Promise<Session>>>();
  private readonly objectives = new Map<Objective, number>();

  private constructor(private readonly library: Runtime) {
    this.label = `onnx (onnxruntime ${library.env.versions.node ?? library.env.versions.common})`;
  }

  /** @throws KesselError `missing-library` */
  static async start(): Promise<OnnxEngine> {
    return new OnnxEngine(await runtime());
  }

  program(net: NetDefinition): Program {
    return new OnnxProgram(net, this.library, (objective) => this.session(net, objective));
  }

  private session(net: NetDefinition, objective: Objective | null): Promise<Session> {
    let own = this.sessions.get(net.game);
    if (own === undefined) this.sessions.set(net.game, (own = new Map<string, Promise<Session>>()));
    if (objective !== null && !this.objectives.has(objective)) this.objectives.set(objective, this.objectives.size);
    const key = `${objective === null ? "evaluate" : this.objectives.get(objective)!} ${JSON.stringify(net.spec)}`;
    let session = own.get(key);
    if (session === undefined) {
      const bytes = graphOf(net, objective);
      session = this.library.InferenceSession.create(bytes, {
        intraOpNumThreads: 1,
        interOpNumThreads: 1,
        graphOptimizationLevel: "all",
        logSeverityLevel: 3,
      });
      own.set(key, session);
    }
    return session;
  }
}

/** The graph of a net, or of an objective of it with all its derivatives. */
function graphOf(net: NetDefinition, objective: Objective | null): Uint8Array {
  const { game } = net;
  const graph = new OnnxGraph();
  graph.decisionInputs(game);
  for (const [name, width] of Object.entries(objective?.columns ?? {})) graph.input(`column/${name}`, ["batch", width]);
  for (const name of objective?.scalars ?? []) graph.input(`scalar/${name}`, []);
  const tape = new OnnxTape(graph, game, objective?.columns);
  for (const { name, shape } of net.params.specs) {
    graph.input(name, shape); // so that one session serves all weights
    tape.param(name, shape);
  }
  const heads = net.build(tape);
  const masked = { ...heads, logits: tape.masked(heads.logits) };
  if (objective === null) {
    graph.output("policy", ["batch", game.actions.length], masked.logits.name);
    graph.output("value", ["batch", 1], masked.value.name);
  } else {
    const losses = objective.build(tape, masked);
    for (const [name, value] of Object.entries(losses)) graph.output(`loss/${name}`, [], value.name);
    const gradients = tape.gradients(losses.total);
    for (const { name, shape } of net.params.specs) graph.output(`gradient/${name}`, shape, gradients.get(name)!);
  }
  return graph.bytes(`${game.type.id} ${objective === null ? "net" : "objective"}`);
}

class OnnxProgram implements Program {
  private readonly weights: Record<string, ort.Tensor> = {};
  private readonly shapes;
  private readonly sizes;

  constructor(
    private readonly net: NetDefinition,
    private readonly library: Runtime,
    private readonly session: (objective: Objective | null) => Promise<Session>,
  ) {
    this.shapes = shapesOf(net.game.observation);
    this.sizes = tensorSizes(net.game.observation);
    // onnxruntime reads these arrays where they are, so weights need no copying
    for (const { name, shape } of net.params.specs)
      this.weights[name] = new library.Tensor("float32", net.params.views.get(name)!, shape);
  }

  async evaluate(observation: Observation, mask: Uint8Array, n: number): Promise<Evaluation> {
    const results = await (await this.session(null)).run(this.feeds(observation, mask, n), ["policy", "value"]);
    return { policy: results["policy"]!.data as Float32Array, value: results["value"]!.data as Float32Array };
  }

  async gradient(objective: Objective, feed: Feed, out: Float32Array): Promise<Record<string, number>> {
    const { Tensor } = this.library;
    const feeds = this.feeds(feed.observation, feed.mask, feed.rows);
    for (const [name, width] of Object.entries(objective.columns))
      feeds[`column/${name}`] = new Tensor("float32", feed.columns[name]!.subarray(0, feed.rows * width), [
        feed.rows,
        width,
      ]);
    for (const name of objective.scalars)
      feeds[`scalar/${name}`] = new Tensor("float32", Float32Array.of(feed.scalars[name]!), []);
    const results = await (await this.session(objective)).run(feeds);
    const losses: Record<string, number> = {};
    for (const [name, tensor] of Object.entries(results))
      if (name.startsWith("loss/")) losses[name.slice(5)] = (tensor.data as Float32Array)[0]!;
    let at = 0;
    for (const { name } of this.net.params.specs) {
      const g = results[`gradient/${name}`]!.data as Float32Array;
      out.set(g, at);
      at += g.length;
    }
    return losses;
  }

  upload(): void {
    // nothing to do: see the constructor
  }

  dispose(): void {
    // sessions are shared by all nets of a kind
  }

  private feeds(observation: Observation, mask: Uint8Array, n: number): Record<string, ort.Tensor> {
    const { Tensor } = this.library;
    const feeds: Record<string, ort.Tensor> = { ...this.weights };
    for (const t of TENSORS)
      feeds[t] = new Tensor("float32", observation[t].subarray(0, n * this.sizes[t]), [n, ...this.shapes[t]]);
    const A = this.net.game.actions.length;
    feeds["mask"] = new Tensor("uint8", mask.subarray(0, n * A), [n, A]);
    return feeds;
  }
}
