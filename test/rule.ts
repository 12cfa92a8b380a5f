import { test } from "vitest";
import type { RuleIndex } from "../env/index.js";

/**
 * Makes the `rule` function of one game's tests, which takes only ids of its rule index: a mistyped one does
 * not compile.
 *
 * @example
 * const rule = ruleTests(rules); // rules: the imported data/rules.json
 * rule("PS Area 3", "Mamayev Kurgan gives one extra CMD", () => { ... });
 */
export function ruleTests<R extends RuleIndexLike>(_rules: R) {
  return (id: keyof R & string, says: string, run: () => void | Promise<void>): void => test(`${id}: ${says}`, run);
}

/** A rule index as `import` reads it: `status` is any string there. */
type RuleIndexLike = { readonly [K in keyof RuleIndex]: { readonly says: string } };
