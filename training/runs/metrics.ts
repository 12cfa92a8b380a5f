import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Json, type JsonObject, KesselError } from "../../env/index.js";
import { writeAtomic } from "../learn/checkpoint.js";
import { EventFile } from "./tfevents.js";

/** Metrics of update or epoch `at`: numbers by name, possibly nested; a list of two is an interval. */
export type MetricLine = JsonObject & { readonly at: number };

/** Metrics of a run, in two formats: `metrics.jsonl`, one line per update or epoch, and TensorBoard event files. */
export class Metrics {
  private readonly file: string;
  private readonly events: EventFile;

  constructor(folder: string) {
    this.file = join(folder, "metrics.jsonl");
    this.events = new EventFile(folder);
  }

  /** @throws KesselError `bad-config` when the line cannot be written */
  log(line: MetricLine): void {
    try {
      appendFileSync(this.file, `${JSON.stringify(line)}\n`);
      this.events.log(line.at, scalarsOf(line));
    } catch (e) {
      throw new KesselError(
        "bad-config",
        `cannot write metrics of the run: ${(e as Error).message}; the last checkpoint is intact; --resume continues from it`,
      );
    }
  }

  /**
   * All lines, in order. Text after the last line feed is an incomplete line and is ignored.
   *
   * @throws KesselError `bad-config` for a line that is damaged
   */
  read(): MetricLine[] {
    if (!existsSync(this.file)) return [];
    const lines = readFileSync(this.file, "utf8").split("\n").slice(0, -1);
    return lines.map((text, i) => {
      const line = parsed(text);
      const at = line?.["at"];
      if (typeof at !== "number" || !Number.isSafeInteger(at) || at < 0)
        throw new KesselError("bad-config", `${this.file}, line ${i + 1} is damaged; remove it, or start another run`);
      return line as MetricLine;
    });
  }

  /** Removes lines after number `last`, which the resumed run writes again. */
  truncate(last: number): void {
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
    return null; // the caller reports the line
  }
}

/** Every number of a line by its path; top-level ones are under `train`. */
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
