import { type Choice, KesselError, OrderRun } from "../../env/index.js";
import { readAnswer } from "../text/answer.js";
import type { LlmSettings, Tool } from "./settings.js";
import type { Known } from "./tools.js";

/** What an answer means: a question to a tool, an action, or an order with its first action. */
export type Meaning =
  | { readonly ask: Tool; readonly words: string }
  | { readonly action: number; readonly name: string }
  | { readonly action: number; readonly order: string; readonly run: OrderRun };

/** `Ask: odds 3`, `**Order:** move all to 3013`, `Action: 2`: each on a line of its own. */
const MARKED = /^[\s*_`#>-]*(ask|order|action|answer|move|choice|notes)[\s*_]*:/i;

interface Line {
  readonly mark: string;
  readonly words: string;
}

function marked(text: string): Line[] {
  return text.split("\n").flatMap((line) => {
    const found = MARKED.exec(line);
    return found === null ? [] : [{ mark: found[1]!.toLowerCase(), words: unmarked(line.slice(found[0].length)) }];
  });
}

/** Without blanks and signs around it. An order may end in `*` or `!`. */
function unmarked(words: string): string {
  let from = 0;
  let to = words.length;
  while (from < to && /[\s*_`"']/.test(words[from]!)) from++;
  while (to > from && (/[\s_`"']/.test(words[to - 1]!) || words.slice(to - 2, to) === "**")) to--;
  return words.slice(from, to);
}

/** What a model asks to be reminded of; null where it wrote no notes. */
export const notesIn = (text: string): string | null =>
  marked(text)
    .filter(({ mark }) => mark === "notes")
    .at(-1)?.words ?? null;

/**
 * Reads an answer.
 *
 * @param may which other forms than an action it may have; `asks` is how many questions are left
 * @throws KesselError `bad-answer` with what would do
 */
export function meaningOf(
  text: string,
  { game, world, viewer, choices }: Known,
  may: Pick<LlmSettings, "tools" | "form" | "memory"> & { readonly asks: number },
): Meaning {
  const lines = marked(text);
  const last = lines.filter(({ mark }) => mark !== "notes").at(-1);
  if (last?.mark === "ask" && may.tools.length > 0) return question(last.words, may.tools, may.asks);
  // a note may name actions
  const answer = may.memory === "notes" ? withoutNotes(text) : text;
  if (may.form === "actions") return taken(choices, readAnswer(names(choices), answer));
  if (last?.mark === "order") return ordered(last.words, { game, world, viewer, choices });
  try {
    return taken(choices, readAnswer(names(choices), answer));
  } catch (e) {
    if (!(e instanceof KesselError) || last === undefined) throw e;
    return ordered(last.words, { game, world, viewer, choices });
  }
}

/** @throws KesselError `bad-answer` for what is no order, or does nothing */
function ordered(order: string, { game, world, viewer }: Known): Meaning {
  try {
    const run = new OrderRun(game, world, viewer, order);
    const action = run.next(world);
    if (action !== null) return { action, order, run };
    throw new KesselError("bad-answer", `that order does nothing: ${run.stopped ?? "there is nothing to do"}`);
  } catch (e) {
    throw e instanceof KesselError ? new KesselError("bad-answer", e.message) : e;
  }
}

function question(words: string, tools: readonly Tool[], left: number): Meaning {
  if (left === 0) throw new KesselError("bad-answer", "no questions are left; answer now");
  const [head = "", ...rest] = words.split(/\s+/);
  const tool = tools.find((t) => t === head.toLowerCase());
  if (tool === undefined) throw new KesselError("bad-answer", `there is no such question; ask ${tools.join(", ")}`);
  return { ask: tool, words: rest.join(" ") };
}

const taken = (choices: readonly Choice[], name: string): Meaning => ({
  action: choices.find((c) => c.name === name)!.action,
  name,
});

const names = (choices: readonly Choice[]): string[] => choices.map((c) => c.name);

const withoutNotes = (text: string): string =>
  text
    .split("\n")
    .filter((line) => MARKED.exec(line)?.[1]!.toLowerCase() !== "notes")
    .join("\n");
