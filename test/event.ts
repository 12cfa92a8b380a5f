import { test } from "vitest";

/**
 * A test of one kind of event, for kinds that play seldom brings: test/conformance/narration.test.ts finds it by the
 * kind's name.
 *
 * @param kind a key of the game's data/events.json
 */
export function event(kind: string, says: string, run: () => void | Promise<void>): void {
  test(`event ${kind}: ${says}`, run);
}
