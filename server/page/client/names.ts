import type { Frame } from "../frame.js";

/** A side's name for people. */
export const nameOf = (frame: Frame, side: string): string => frame.sides.find((s) => s.id === side)?.name ?? side;

/** A unit's name for people, by its name in orders. */
export const unitName = (frame: Frame, unit: string): string => frame.called[unit] ?? unit;

/** An order with the names of its units for people. */
export const inNames = (frame: Frame, order: string): string =>
  order.replace(/[^\s,;]+/g, (word) => (Object.hasOwn(frame.called, word) ? frame.called[word]! : word));

/**
 * Who plays a side, for people: what roster and records call `onnx:game/recruit.onnx` is `recruit` here, and a net of a
 * run `net 40`.
 */
export const agentName = (who: string): string =>
  who
    .replace(/^run:.*\/0*([1-9]\d*|0)$|^onnx:.*\/models\/0*([1-9]\d*|0)\.onnx$/, "net $1$2")
    .replace(/^onnx:.*\/(\w+)\.onnx$/, "$1")
    .replace("heuristic:", "")
    .replace(/^search.*ms=(\d+)000.*/, "search, $1 s");

/** A sentence begins with it. */
export const capitalized = (text: string): string => text[0]!.toUpperCase() + text.slice(1);
