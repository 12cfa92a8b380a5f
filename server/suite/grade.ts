import { KesselError, shown } from "../../env/index.js";
import type { BeliefQuestion, RuleQuestion } from "./document.js";
import { TOLERANCE } from "./rule-questions.js";

/** Weight of the uniform distribution in every graded belief, so that no loss is infinite. */
const SMOOTHED = 0.01;

/** `Answer:`, also in bold. Without a colon, `=` or "is" after it, the word does not count. */
const ANSWER = /\banswer\b[\s*_]*(?:is\b|[:=])[\s*_]*/gi;
/** `40`, `-3`, `0.5`, `.5`, `1,250` */
const NUMBER = String.raw`-?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?|-?\.\d+`;
const numberOf = (text: string): number => Number(text.replaceAll(",", ""));

/** The text after the last `Answer:`, or the last line. */
function answerPart(text: string): string {
  const parts = text.trim().split(ANSWER);
  return (parts.length > 1 ? parts.at(-1)! : text.trim().split("\n").at(-1)!).trim();
}

/**
 * Reads the answer to a rule question from a text: a number, `yes` or `no`.
 *
 * @throws KesselError `bad-answer` when the text has none
 */
export function readRuleAnswer(text: string): string {
  const found = new RegExp(String.raw`\b(?:yes|no)\b|${NUMBER}`, "i").exec(answerPart(text).split("\n")[0]!);
  if (found === null)
    throw new KesselError("bad-answer", `${shown(text.slice(-80))} answers neither yes, no nor a number`);
  return found[0].toLowerCase().replaceAll(",", "");
}

/** True when an answer is right. Numbers are compared as numbers, and odds with a tolerance. */
export function isRight(given: string, { kind, answer }: Pick<RuleQuestion, "kind" | "answer">): boolean {
  if (kind === "odds") return given !== "" && Math.abs(Number(given) - Number(answer)) <= TOLERANCE;
  return given === answer || (given !== "" && Number(given) === Number(answer));
}

/**
 * Reads the probabilities of the possibilities of a belief question from a text, in their order. They sum to 1.
 *
 * @throws KesselError `bad-answer` when the text has none of them
 */
export function readBelief(text: string, possibilities: number): number[] {
  const given = Array<number>(possibilities).fill(0);
  const fits = (n: number, weight: number): boolean =>
    n >= 1 && n <= possibilities && Number.isFinite(weight) && weight >= 0;
  const pairs = answerPart(text).matchAll(new RegExp(String.raw`(?<!\d)(\d{1,9})["']?\s*[=:]\s*(${NUMBER})`, "g"));
  for (const [, number, weight] of pairs)
    if (fits(Number(number), numberOf(weight!))) given[Number(number) - 1] = numberOf(weight!);
  const sum = given.reduce((a, b) => a + b, 0);
  if (sum === 0)
    throw new KesselError("bad-answer", `${shown(text.slice(-80))} gives no percent to any of 1 to ${possibilities}`);
  return given.map((w) => w / sum);
}

/** Mean of -ln(believed probability) over the sampled states; a hundredth of each belief is spread evenly first. */
export function logLoss({ shares }: Pick<BeliefQuestion, "shares">, believed: readonly number[]): number {
  const n = shares.length;
  return shares.reduce(
    (loss, share, i) => (share === 0 ? loss : loss - share * Math.log((1 - SMOOTHED) * believed[i]! + SMOOTHED / n)),
    0,
  );
}

/** Log losses of beliefs that need no thought, and the lowest possible log loss. */
export interface LossBounds {
  /** Loss of the uniform belief. */
  readonly uniform: number;
  /** Loss of a belief that counts all face-down counters. */
  readonly pool: number;
  readonly least: number;
}

export function lossBounds(q: Pick<BeliefQuestion, "shares" | "pool">): LossBounds {
  const n = q.shares.length;
  const normal = (list: readonly number[]): number[] => {
    const sum = list.reduce((a, b) => a + b, 0); // shares are rounded
    return list.map((x) => x / sum);
  };
  const loss = (believed: readonly number[]): number => logLoss(q, believed);
  return { uniform: loss(Array<number>(n).fill(1 / n)), pool: loss(normal(q.pool)), least: loss(normal(q.shares)) };
}
