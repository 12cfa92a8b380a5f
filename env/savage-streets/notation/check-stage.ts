import { Play } from "../../core/play.js";
import { KesselError } from "../../core/errors.js";
import type { StateView } from "../../core/layout.js";
import type { Tables } from "../data.js";
import { decisionOfKind } from "../decisions/index.js";
import { type DrawNames, run } from "../turn/run.js";
import { bad } from "./schema.js";
import { counterId } from "./write.js";
import { askedArea, askedChit, clearDecision, DECISION, DECISION_NAMES, decisionOf, L, phaseOf } from "../state.js";

/** Nothing is drawn here. */
const UNNAMED: DrawNames = { chit: () => "", startUnit: () => "", waiting: [() => "", () => ""] };

/**
 * Refuses a decision that the game does not ask in this position: the game runs on from it without the decision and
 * without dice, and must ask just that.
 */
export function checkAsked(tables: Tables, s: StateView): void {
  const { opener, unasked } = decisionOfKind(decisionOf(s));
  if (unasked === undefined || opener !== undefined) checkNext(tables, s, opener);
  const wrong = unasked?.(tables, s) ?? null;
  if (wrong !== null) throw bad(wrong.path, wrong.reason);
}

/** @param opener the decision to be asked, if it is not the one pending */
function checkNext(tables: Tables, s: StateView, opener: number | undefined): void {
  const kind = decisionOf(s);
  const now = Int32Array.from(s);
  clearDecision(now);
  try {
    run(tables, now, new Play(), UNNAMED, decisionOfKind(kind).afterPicks?.(s) ?? false);
  } catch (e) {
    if (!(e instanceof KesselError) || e.code !== "bad-dice") throw e;
    clearDecision(now); // dice fall first, so nothing is asked
  }
  const asked = decisionOf(now);
  if (asked !== (opener ?? kind) || phaseOf(now) !== phaseOf(s))
    throw bad(
      "decision.kind",
      asked === DECISION.none || phaseOf(now) !== phaseOf(s)
        ? `nothing is asked before the game goes on, so not ${stageWords(tables, s)}`
        : `the game asks ${stageWords(tables, now)} here, not ${stageWords(tables, s)}`,
    );
  if (opener !== undefined) return;
  for (const [key, at] of [
    ["unit", L.decisionUnit],
    ["area", L.decisionArea],
    ["chit", L.decisionChit],
  ] as const)
    if (s[at] !== now[at]) {
      const name = DECISION_NAMES[kind]!;
      throw bad(
        `decision.${key}`,
        `the game asks ${name} ${place(tables, now, key)} here, not ${place(tables, s, key)}`,
      );
    }
}

/** `of UNIT`, `in area AREA` or `of CHIT`, as a decision has it. */
function place(tables: Tables, s: StateView, key: "unit" | "area" | "chit"): string {
  if (key === "unit") return `of ${counterId(tables, s[L.decisionUnit]!)}`;
  if (key === "area") return `in area ${tables.data.areaIds[askedArea(s)]}`;
  return `of ${tables.data.chitIds[askedChit(s)]}`;
}

function stageWords(tables: Tables, s: StateView): string {
  const parts: string[] = [DECISION_NAMES[decisionOf(s)]!];
  if (s[L.decisionUnit] !== 0) parts.push(place(tables, s, "unit"));
  if (s[L.decisionChit] !== 0) parts.push(place(tables, s, "chit"));
  if (s[L.decisionArea] !== 0) parts.push(place(tables, s, "area"));
  return parts.join(" ");
}
