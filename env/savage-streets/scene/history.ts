import type { JsonObject } from "../../core/game.js";

/** Most entries of the public log shown for an area. */
const SHOWN = 5;

/** Public history of the face-down counters of an area, the latest last. */
export function arrivals(ledger: readonly JsonObject[], area: string): string {
  const lines: string[] = [];
  for (const entry of ledger) {
    const line = lineOf(entry, area);
    if (line !== "") lines.push(`turn ${String(entry["t"])}: ${line}`);
  }
  return lines.slice(-SHOWN).join(", ");
}

function lineOf(e: JsonObject, area: string): string {
  switch (e["e"]) {
    case "init": {
      const n = (e["counts"] as JsonObject)[area];
      return n === undefined ? "" : `${String(n)} set up`;
    }
    case "land":
      return e["area"] === area && e["result"] === "land" ? "one landed" : "";
    case "chit":
      return e["area"] === area ? "a chit was placed" : "";
    case "move":
      return e["to"] === area
        ? `one came from ${String(e["from"])}`
        : e["from"] === area
          ? `one left for ${String(e["to"])}`
          : "";
    case "reflip":
      return e["area"] === area ? `turned down again: ${(e["ids"] as string[]).join(", ")}` : "";
    case "reveal":
      return e["area"] === area ? "all were turned up" : "";
    default:
      return "";
  }
}
