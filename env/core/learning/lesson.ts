/**
 * A first turn that a person plays by the hand: `data/lesson.json` of a game. It is a list of steps; a step without
 * `do` is read, one with `do` is done. Chance is that of the seed, so that what the steps say of it is true.
 */
export interface Lesson {
  readonly title: string;
  /** What one learns in it, for who chooses. */
  readonly about: string;
  /** Options that are not the defaults. */
  readonly options: Readonly<Record<string, string | number | boolean>>;
  readonly seed: string;
  /** The side that learns. Nobody plays the others: the lesson says what they do. */
  readonly seat: string;
  /** Actions from the start of the game to the position that the lesson begins in. */
  readonly opening: readonly string[];
  readonly steps: readonly LessonStep[];
}

/** Parts of the page that a step can point at. */
export const LESSON_PANELS = ["map", "decision", "dice", "standing", "log", "table"] as const;
export type LessonPanel = (typeof LESSON_PANELS)[number];

export interface LessonStep {
  readonly says: string;
  readonly panel: LessonPanel;
  /** Places that glow, as in action notation. */
  readonly places: readonly string[];
  /** Rules to look up. */
  readonly rules: readonly string[];
  /** Actions of which one is to be chosen now; absent where there is only something to read. */
  readonly do?: readonly string[] | undefined;
  /** Why other choices would be worse here, or come later. */
  readonly otherwise?: string | undefined;
  /** Actions that follow by themselves, whoever takes them, forced ones included. */
  readonly then?: readonly string[] | undefined;
  /** Words in the report of what happened after `do`: they hold the next steps' text to the dice. */
  readonly log?: readonly string[] | undefined;
}

/** A place in a lesson. */
export interface LessonPlace {
  /** Steps done so far that were to be done, and all of them. */
  readonly done: number;
  readonly of: number;
  /** What is read now; the last step has a `do` unless the lesson is over. */
  readonly pages: readonly LessonStep[];
  /** The action that follows by itself; null when it is the learner's turn. */
  readonly next: string | null;
}

/**
 * The place in a lesson.
 *
 * @param actions played since the lesson began, forced ones included
 */
export function lessonAt({ steps }: Lesson, actions: number): LessonPlace {
  const of = steps.filter((s) => s.do !== undefined).length;
  let left = actions;
  let done = 0;
  let from = 0;
  for (const [i, step] of steps.entries()) {
    if (step.do === undefined) continue;
    if (left === 0) return { done, of, pages: steps.slice(from, i + 1), next: null };
    left--;
    done++;
    from = i + 1;
    const then = step.then ?? [];
    if (left < then.length) return { done, of, pages: [], next: then[left]! };
    left -= then.length;
  }
  return { done, of, pages: steps.slice(from), next: null };
}
