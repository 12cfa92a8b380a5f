import { actionIndex, type Feature, type Game, type GameType, NO_ORDER_RULES } from "../../env/index.js";
import type { Complaints } from "./complaints.js";
import { kindsWithAnyOptions } from "./coverage.js";

/** Action strings, observation spec and statics fit together. */
export function checkStatic(game: Game, complaints: Complaints): void {
  game.actions.forEach((name, i) => {
    complaints.expect(
      /^\S(.*\S)?$/.test(name) && !name.includes("\n"),
      "action-names",
      () => `action ${i} is called ${JSON.stringify(name)}`,
    );
    complaints.expect(
      actionIndex(game, name) === i,
      "action-names",
      () => `${JSON.stringify(name)} is the name of action ${i} and of ${actionIndex(game, name)}`,
    );
  });
  const o = game.observation;
  for (const block of ["globals", "map", "units", "decision"] as const) {
    const names = new Set<string>();
    for (const f of o[block] as readonly Feature[]) {
      complaints.expect(
        !names.has(f.name) && f.name.trim() !== "",
        "spec",
        () => `${block} has the feature ${JSON.stringify(f.name)} twice or nameless`,
      );
      complaints.expect(
        Number.isFinite(f.range[0]) && Number.isFinite(f.range[1]) && f.range[0] <= f.range[1],
        "spec",
        () => `feature ${f.name} of ${block} has the range ${f.range.join("..")}`,
      );
      complaints.expect(
        f.norm.trim() !== "",
        "spec",
        () => `feature ${f.name} of ${block} does not say how it is made`,
      );
      names.add(f.name);
    }
  }
  for (const rows of ["mapRows", "unitRows"] as const)
    complaints.expect(new Set(o[rows]).size === o[rows].length, "spec", () => `${rows} names a row twice`);
  const { neighbours, points, placeNames } = game.statics;
  const n = o.mapRows.length;
  complaints.expect(
    neighbours.length === n && points.length === n && placeNames.length === n,
    "spec",
    () => `statics describe ${neighbours.length}, ${points.length}, ${placeNames.length} places; the map has ${n} rows`,
  );
  neighbours.forEach((list, i) =>
    complaints.expect(
      list.every((j) => Number.isInteger(j) && j >= 0 && j < n && j !== i),
      "spec",
      () => `place ${i} has neighbours ${list.join(", ")}`,
    ),
  );
  for (const [table, rows] of [
    ["map", o.mapRows],
    ["units", o.unitRows],
  ] as const) {
    const fixed = game.statics[table];
    if (fixed === undefined) continue;
    complaints.expect(
      fixed.values.length === rows.length,
      "spec",
      () => `statics of ${table} have ${fixed.values.length} rows of ${rows.length}`,
    );
    for (const f of fixed.features)
      complaints.expect(
        f.norm.trim() !== "" && !o[table].some((g) => g.name === f.name),
        "spec",
        () => `static feature ${f.name} of ${table} is observed too, or does not say how it is made`,
      );
    fixed.values.forEach((values, i) => {
      complaints.expect(
        values.length === fixed.features.length,
        "spec",
        () => `statics of ${table} row ${i} have ${values.length} values for ${fixed.features.length} features`,
      );
      fixed.features.forEach(({ name, range }, k) =>
        complaints.expect(
          values[k]! >= range[0] && values[k]! <= range[1],
          "spec",
          () => `static feature ${name} of ${table} row ${i} is ${values[k]}, not ${range.join("..")}`,
        ),
      );
    });
  }
  const end = game.fields.at(-1);
  complaints.expect(
    end !== undefined && end.offset + end.size === game.stateSize,
    "spec",
    () => "the named fields do not fill the state",
  );
  complaints.expect(
    Number.isInteger(game.maxDecisions) && game.maxDecisions > 0,
    "spec",
    () => `maxDecisions is ${game.maxDecisions}`,
  );
  complaints.expect(
    new Set(game.players).size === game.players.length && game.players.length > 0,
    "spec",
    () => `players are ${game.players.join(", ")}`,
  );
}

/** The rule index says something true of itself. */
export function checkRuleIndex(type: GameType, complaints: Complaints): void {
  for (const [id, rule] of Object.entries(type.rules)) {
    complaints.expect(rule.says.trim() !== "", "rules-index", () => `rule ${id} says nothing`);
    if (rule.status === "option")
      complaints.expect(
        type.options.some((o) => o.id === rule.option),
        "rules-index",
        () => `rule ${id} names the option ${JSON.stringify(rule.option)}, which ${type.id} does not have`,
      );
    else
      complaints.expect(
        rule.option === undefined,
        "rules-index",
        () => `rule ${id} is ${rule.status} and names an option`,
      );
    if (rule.status === "absent")
      complaints.expect(
        (rule.reason ?? "").trim() !== "",
        "rules-index",
        () => `rule ${id} is absent without a reason`,
      );
    complaints.expect(
      ["done", "option", "absent"].includes(rule.status),
      "rules-index",
      () => `rule ${id} has the status ${rule.status}`,
    );
  }
}

/** What orders are made of is there: kinds of decisions, actions, and actions that other words stand for. */
export function checkOrders(game: Game, complaints: Complaints): void {
  const { errands, sets, declines, words } = game.type.orders ?? NO_ORDER_RULES;
  const known = kindsWithAnyOptions(game).map((k) => k.name);
  for (const kind of [...errands.flatMap((e) => [e.choose, ...e.go]), ...sets.flat()])
    complaints.expect(known.includes(kind), "orders", () => `there is no kind of decision ${JSON.stringify(kind)}`);
  for (const name of [...errands.flatMap((e) => [e.stop, e.hold, e.all, e.via]), ...declines])
    complaints.expect(
      name === undefined || actionIndex(game, name) >= 0,
      "orders",
      () => `there is no action ${JSON.stringify(name)}`,
    );
  for (const [other, word] of Object.entries(words))
    complaints.expect(
      game.actions.some((a) => a === word || a.startsWith(`${word} `)),
      "orders",
      () => `${JSON.stringify(other)} stands for ${JSON.stringify(word)}, with which no action begins`,
    );
}
