import type { GameType, Prompt } from "../../env/index.js";
import { idAt, rulePrefix } from "../../server/cli/rule/citations.js";
import type { Complaints } from "./complaints.js";

/** Rules that a text cites in brackets, `(SS 7.1, SS 7.2)`, and what looks like a citation and is none. */
export function citedIn(type: GameType, text: string): { readonly ids: Set<string>; readonly unknown: string[] } {
  const ids = new Set<string>();
  const unknown: string[] = [];
  const rules = new Set(Object.keys(type.rules));
  for (const { index, 0: prefix } of text.matchAll(new RegExp(`\\b${rulePrefix(type.id)} `, "g"))) {
    const rest = text.slice(index);
    // toys have rules without the prefix
    const id = idAt(rest, rules) ?? idAt(rest.slice(prefix.length), rules);
    const end = id === null ? "" : rest.slice(rest.indexOf(id) + id.length)[0];
    if (id === null || !/[,)]/.test(end ?? "")) unknown.push(rest.slice(0, 30));
    else ids.add(id);
  }
  return { ids, unknown };
}

/** The guide is there, and cites rules that are built. */
export function checkGuide(type: GameType, complaints: Complaints): void {
  // a game that no compiler has seen may lack it
  const guide = type.guide as GameType["guide"] | undefined;
  if (guide === undefined) {
    complaints.add("guide", `${type.id} has no guide: write data/guide.json, and read it with readGuide`);
    return;
  }
  for (const paragraph of guide.medium) {
    const { ids, unknown } = citedIn(type, paragraph);
    for (const text of unknown) complaints.add("guide", `it cites ${JSON.stringify(text)}, which is no rule`);
    for (const id of ids)
      if (type.rules[id]!.status === "absent") complaints.add("guide", `it cites ${id}, which is not built`);
    complaints.expect(ids.size > 0, "guide", () => `${JSON.stringify(paragraph.slice(0, 40))} cites no rule`);
  }
}

/** What a game asks, its guide explains: it cites the rule of the prompt. */
export function checkGuideTells(type: GameType, prompt: Prompt, complaints: Complaints): void {
  const { ids } = citedIn(type, type.guide.medium.join(" "));
  complaints.expect(
    ids.has(prompt.rule),
    "guide",
    () => `decision ${prompt.kind} comes by ${prompt.rule}, which the medium guide does not cite`,
  );
}
