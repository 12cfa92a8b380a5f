import { same } from "./frame.js";

/** Drawings kept at once: some megabytes. */
const MOST = 5000;

const drawings = new Map<string, unknown>();

/**
 * A drawing, kept by all that it is drawn from: from one frame to the next most counters and trays stay as they are.
 *
 * @param from everything that `draw` reads, as JSON
 */
export function kept<T>(from: readonly unknown[], draw: () => T): T {
  const key = JSON.stringify(from);
  const known = drawings.get(key);
  if (known !== undefined) return known as T;
  if (drawings.size >= MOST) drawings.delete(drawings.keys().next().value!);
  const drawn = draw();
  drawings.set(key, drawn);
  return drawn;
}

/**
 * What the last picture of one viewer was made of. Parts of it that stay as they were are the same objects in the next
 * one: they are not drawn again, and finding what changed costs nothing for them.
 */
export class LastMade {
  private parts = new Map<string, { readonly from: unknown; readonly made: unknown }>();
  private next = new Map<string, { readonly from: unknown; readonly made: unknown }>();

  /** The next picture begins: what the one before the last had and the last had not is forgotten. */
  begin(): void {
    [this.parts, this.next] = [this.next, this.parts];
    this.next.clear();
  }

  /**
   * A part of the picture, made only when what it is made from is not what it was.
   *
   * @param name of the part, unlike all others of the picture
   * @param from everything that `make` reads and that may change, comparable as JSON
   */
  part<T>(name: string, from: unknown, make: () => T): T {
    const last = this.parts.get(name);
    const part = last !== undefined && same(last.from, from) ? last : { from, made: make() };
    this.next.set(name, part);
    return part.made as T;
  }
}
