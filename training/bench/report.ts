import type { BenchResult, BenchRow } from "./bench.js";
import { table } from "../report/table.js";

/** A number to three digits, thousands apart. */
const figure = (x: number): string => {
  const digits = Math.max(0, 2 - Math.floor(Math.log10(Math.max(Math.abs(x), 1e-9))));
  return x.toLocaleString("en-US", {
    maximumFractionDigits: Math.min(3, digits),
    maximumSignificantDigits: x >= 100 ? undefined : 3,
  });
};

function cells(r: BenchRow): string[] {
  const [low, high] = [Math.min(...r.values), Math.max(...r.values)];
  const unit = r.kind === "rate" ? `${r.unit}/s` : "ns";
  return [
    r.name,
    figure(r.median),
    unit,
    `${figure(low)}..${figure(high)}`,
    r.cpuNanoseconds === null ? "-" : figure(r.cpuNanoseconds),
    figure(r.perThousandDraws),
  ];
}

/** Measures that are set against others, and what their quotient says. */
const SHARES = [
  [
    "Python over ZeroMQ, batch of 256",
    "batch of 256: apply, mask, observation",
    "Python over ZeroMQ at 256 against one core in process",
  ],
  [
    "Python over ZeroMQ, batch of 256, pipelined",
    "Python over ZeroMQ, batch of 256",
    "pipelined against lockstep at 256",
  ],
  [
    "Python over ZeroMQ, batch of 256 against",
    "Python over ZeroMQ, batch of 256",
    "with an ONNX opponent against without, at 256 (both sides' decisions)",
  ],
  [
    "Python over ZeroMQ, the first 256 of 512",
    "Python over ZeroMQ, batch of 256",
    "the same, the first 256 that are ready of 512",
  ],
  [
    "Python over ZeroMQ, batch of 1",
    "bare zeromq.js echo of a batch of 1's frames",
    "a step of a batch of 1 against a bare zeromq.js echo",
  ],
  [
    "Python over ZeroMQ, 16 batches of 1",
    "bare zeromq.js echo, 16 in flight",
    "16 of them in flight against as many echoes",
  ],
] as const;

/** The result as plain text. */
export function benchText(r: BenchResult): string {
  const versions = Object.entries(r.machine.versions)
    .map(([k, v]) => `${k} ${v}`)
    .join(", ");
  const lines = [
    `${r.game} version ${r.version}: medians of ${r.repeats} interleaved repeats`,
    `${r.machine.cores} x ${r.machine.cpu}, ${r.machine.memoryGiB} GiB; ${versions}`,
    `load ${r.load.before.toFixed(2)} before, ${r.load.after.toFixed(2)} after; other processes used ${(100 * r.load.foreign).toFixed(0)} % of the cores${r.load.foreign > 0.06 ? ": NOT IDLE, rates are lower bounds" : ""}`,
    `calibration loop: ${figure(r.calibration)} draws/s`,
    "",
    table(["measure", "median", "unit", "least..most", "CPU ns", "per 1000 draws"], r.rows.map(cells), 1),
    "",
    `heap: ${figure(r.heap.allocatedBytesPerDecision)} bytes allocated a decision (new episodes included), ${figure(r.heap.grownBytes / 1024)} KiB grown over ${r.heap.steps.toLocaleString("en-US")} decisions`,
  ];
  const find = (name: string): number | null => r.rows.find((x) => x.name === name)?.median ?? null;
  const zmq = find("Python over ZeroMQ, batch of 256");
  for (const [what, of, than] of SHARES) {
    const [a, b] = [r.rows.find((x) => x.name.startsWith(what)), find(of)];
    if (a !== undefined && b !== null) lines.push(`${than}: ${(a.median / b).toFixed(2)}`);
  }
  for (const peer of r.rows.filter((x) => x.name.startsWith("peer: ")))
    if (zmq !== null)
      lines.push(
        `Python over ZeroMQ, batch of 256, makes ${(zmq / peer.median).toFixed(1)} times the decisions of ${peer.name.slice("peer: ".length)} (another game, a Python loop)`,
      );
  for (const s of r.skipped) lines.push(`not measured: ${s.name}: ${s.reason}`);
  lines.push("CPU ns: processor time a count of the measuring process; for Python the client's side only.");
  return lines.join("\n");
}
