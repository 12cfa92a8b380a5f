import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Json, type JsonObject, KesselError } from "../../env/index.js";
import { writeAtomic } from "../learn/checkpoint.js";
import { EventFile } from "./tfevents.js";

/** What a run says of an update or epoch, number `at`: numbers by name, some in groups; two in a list are an interval. */
export type MetricLine = JsonObject & { readonly at: number };

/** Metrics of a run, twice: `metrics.jsonl`, a line for each update or epoch, and event files for TensorBoard. */
export class Metrics {
  private readonly file: string;
  private readonly events: EventFile;

  constructor(folder: string) {
    this.file = join(folder, "metrics.jsonl");
    this.events = new EventFile(folder);
  }

  /** @throws KesselError `bad-config` when the line can't be written */
  log(line: MetricLine): void {
    try {
      appendFileSync(this.file, `${JSON.stringify(line)}\n`);
      this.events.log(line.at, scalarsOf(line));
    } catch (e) {
      throw new KesselError(
        "bad-config",
        `cannot write metrics of the run: ${(e as Error).message}; the last checkpoint is intact, --resume goes on from it`,
      );
    }
  }

  /**
   * All lines in their order. What stands behind the last line's end was cut short when it was written, and isn't one.
   *
   * @throws KesselError `bad-config` for a line that is damaged
   */
  read(): MetricLine[] {
    if (!existsSync(this.file)) return [];
    const lines = readFileSync(this.file, "utf8").split("\n").slice(0, -1);
    return lines.map((text, i) => {
      const line = parsed(text);
      if (typeof line?.["at"] !== "number")
        throw new KesselError(
          "bad-config",
          `${this.file}, line ${i + 1} is damaged; take it out, or begin another run`,
        );
      return line as MetricLine;
    });
  }

  /** Drops what comes after number `last`: the run will write it again. */
  cut(last: number): void {
    if (!existsSync(this.file)) return;
    const kept = this.read().filter((line) => line.at <= last);
    writeAtomic(this.file, kept.map((line) => `${JSON.stringify(line)}\n`).join(""));
  }
}

function parsed(text: string): JsonObject | null {
  try {
    const value = JSON.parse(text) as Json;
    return value !== null && typeof value === "object" && !Array.isArray(value) ? (value as JsonObject) : null;
  } catch {
    return null; // the caller says which line it is
  }
}

/** Every number of a line under a path of its own; those that stand alone are of `train`. */
export function scalarsOf({ at: _, ...line }: MetricLine): Record<string, number> {
  const out: Record<string, number> = {};
  const visit = (path: string, value: Json | undefined): void => {
    if (typeof value === "number") out[path.includes("/") ? path : `train/${path}`] = value;
    else if (Array.isArray(value))
      (value as readonly Json[]).forEach((v, i) => visit(`${path}/${value.length === 2 ? ["low", "high"][i]! : i}`, v));
    else if (value !== null && typeof value === "object")
      for (const [key, v] of Object.entries(value)) visit(path === "" ? key : `${path}/${key}`, v);
  };
  visit("", line);
  return out;
}
