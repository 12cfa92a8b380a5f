import type { GameType } from "../../env/index.js";
import type { Citation, CitationTable } from "../../server/cli/rule/citations.js";

/** Rules with status `done` or `option` that lack code, or a test or case. */
export function unproven(type: GameType, table: CitationTable): string[] {
  return [...table.rules].flatMap(([id, { code, tests, cases }]) => {
    if (type.rules[id]!.status === "absent") return [];
    const lacks = [...(code.length === 0 ? ["code"] : []), ...(tests.length + cases.length === 0 ? ["test"] : [])];
    return lacks.length === 0 ? [] : [`${id}: no ${lacks.join(" and no ")}`];
  });
}

/** The table as checked in: a rule gained, lost or cited elsewhere shows in the diff. */
export function rulesText(type: GameType, table: CitationTable): string {
  const places = (list: readonly Citation[], under: string) =>
    list.length === 0
      ? "-"
      : [...new Set(list.map((c) => c.file))]
          .map((f) => f.replace(`${under}/`, ""))
          .sort()
          .join(" ");
  const lines = [...table.rules].map(([id, { code, tests, cases }]) => {
    const rule = type.rules[id]!;
    const status =
      rule.status === "option" ? `option ${rule.option}` : rule.status === "absent" ? `absent: ${rule.reason}` : "done";
    return `${id}\n  ${status}\n  code  ${places(code, `env/${type.id}`)}\n  tests ${places([...tests, ...cases], "test")}`;
  });
  const count = (status: string) => Object.values(type.rules).filter((r) => r.status === status).length;
  return [
    `${type.title}: ${table.rules.size} rules, ${count("done")} done, ${count("option")} by option, ${count("absent")} absent`,
    ...lines,
    "",
  ].join("\n");
}
