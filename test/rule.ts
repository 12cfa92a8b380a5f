import { test } from "vitest";
import type { RuleIndex } from "../env/index.js";

/**
 * Makes the `rule` function of one game's tests, which takes only ids that stand in its rule index: a mistyped one does
 * not compile. The id carries the game's prefix, as in code.
 *
 * @example
 * const rule = ruleTests("PS", rules); // rules: the imported data/rules.json
 * rule("PS Area 3", "Mamayev Kurgan gives one CMD more", () => { ... });
 */
export function ruleTests<P extends string, R extends RuleIndexLike>(_prefix: P, _rules: R) {
  return (id: RuleId<P, keyof R & string>, says: string, run: () => void | Promise<void>): void =>
    test(`${id}: ${says}`, run);
}

/** `PS 4.1`, whether the index calls the rule `4.1` or `PS 4.1`. */
type RuleId<P extends string, K extends string> = K extends `${P} ${string}` ? K : `${P} ${K}`;

/** A rule index as `import` reads it: `status` is any string there. */
type RuleIndexLike = { readonly [K in keyof RuleIndex]: { readonly says: string } };
