import { expect } from "vitest";
import { EventLog, type GameEvent, type JsonObject, ScriptedDice } from "../../../env/index.js";
import { ground, Table } from "./table.js";

export type Units = Record<string, string | JsonObject>;
export const [GERMAN, SOVIET] = [0, 1];
export const quiet = { opFire: false };

export const task = (kind: string, hex: string, left: number): JsonObject => ({ kind, hex, left });
export const working = (unit: string, kind: string, left: number, more: JsonObject = {}): JsonObject => {
  const [of, at] = unit.split(" ") as [string, string];
  return { type: of, at, task: task(kind, at, left), ...more };
};
export const table = (units: Units, rest: JsonObject = {}): Table => new Table(units, rest, quiet);
export const builds = (t: Table): string[] => t.legal.filter((name) => /^(build|remove)-/.test(name));
export const left = (t: Table, id: string): number | undefined =>
  (t.unit(id)["task"] as { left: number } | undefined)?.left;
export const view = (t: Table, viewer: number): JsonObject => t.env.game.view(t.env.state, viewer);

/** What a viewer reads of an action. */
export function told(t: Table, viewer: number, action: string, ...dice: number[]): GameEvent[] {
  const log = new EventLog([GERMAN, SOVIET] as const);
  t.env.step(action, new ScriptedDice(dice), log);
  return log.take(viewer);
}
/** Plays `done` and the like until another phase has come. */
export function untilPhase(t: Table, phase: number, ...dice: number[]): Table {
  for (let i = 0; i < 60 && t.position["phase"] !== phase; i++) {
    const action = ["done", "pass", "continue", "stay"].find((name) => t.legal.includes(name)) ?? t.legal[0]!;
    t.env.step(action, new ScriptedDice(dice));
  }
  expect(t.position["phase"]).toBe(phase);
  return t;
}

/** Phases that have passed since one of turn 2. */
export const passed = (t: Table, from: number): number =>
  15 * (Number(t.position["turn"]) - 2) + Number(t.position["phase"]) - from;

export const balka = ground({ "2010": "balka" });
export const forest = (...hexes: string[]): JsonObject => ground(Object.fromEntries(hexes.map((h) => [h, "forest"])));
