import { same } from "./frame.js";

/** Limit of cached drawings: some megabytes. */
const MOST = 5000;

const drawings = new Map<string, unknown>();

/**
 * A drawing, cached by everything that it is drawn from. Most counters and trays do not change from frame to frame.
 *
 * @param from everything that `draw` reads, as JSON
 */
export function cachedDrawing<T>(from: readonly unknown[], draw: () => T): T {
  const key = JSON.stringify(from);
  const known = drawings.get(key);
  if (known !== undefined) return known as T;
  if (drawings.size >= MOST) drawings.delete(drawings.keys().next().value!);
  const drawn = draw();
  drawings.set(key, drawn);
  return drawn;
}

/**
 * The parts of the last picture for one viewer. Parts that do not change are the same objects in the next picture: they
 * are not drawn again, and comparing them costs nothing.
 */
export class LastMade {
  private parts = new Map<string, { readonly from: unknown; readonly made: unknown }>();
  private next = new Map<string, { readonly from: unknown; readonly made: unknown }>();

  /** Begins the next picture, and forgets parts that the last one did not have. */
  begin(): void {
    [this.parts, this.next] = [this.next, this.parts];
    this.next.clear();
  }

  /**
   * A part of the picture. It is made again only when its inputs have changed.
   *
   * @param name unique name of the part in the picture
   * @param from everything that `make` reads and that may change, comparable as JSON
   */
  part<T>(name: string, from: unknown, make: () => T): T {
    const last = this.parts.get(name);
    const part = last !== undefined && same(last.from, from) ? last : { from, made: make() };
    this.next.set(name, part);
    return part.made as T;
  }
}
