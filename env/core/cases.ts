import { z } from "zod";
import { ScriptedDice, type ScriptEntry } from "./dice/dice.js";
import { actorName, Env, stepScripted } from "./env.js";
import { KesselError } from "./errors.js";
import type { CaseComparison, Game, GameType, Json, JsonObject, Options } from "./game.js";
import { gameFor } from "./position-options.js";
import { canonical } from "./describe.js";
import { parseWith } from "./schema.js";

const expectSchema = z.strictObject({
  actor: z.string().nullable().optional(),
  legal: z
    .strictObject({
      exactly: z.array(z.string()).optional(),
      includes: z.array(z.string()).optional(),
      excludes: z.array(z.string()).optional(),
    })
    .optional(),
  position: z.record(z.string(), z.any()).optional(),
  terminal: z.boolean().optional(),
  returns: z.record(z.string(), z.number()).optional(),
  error: z.string().optional(),
});

const caseSchema = z.strictObject({
  id: z.string(),
  rule: z.string(),
  why: z.string().optional(),
  game: z.string().optional(),
  options: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).optional(),
  seed: z.union([z.string(), z.number()]).optional(),
  dice: z.array(z.union([z.number(), z.string()])).optional(),
  position: z.record(z.string(), z.any()),
  steps: z.array(
    z.strictObject({
      do: z.string().optional(),
      dice: z.array(z.union([z.number(), z.string()])).optional(),
      expect: expectSchema.optional(),
    }),
  ),
});

const querySchema = z.strictObject({
  id: z.string(),
  rule: z.string(),
  why: z.string().optional(),
  game: z.string().optional(),
  options: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).optional(),
  query: z.record(z.string(), z.any()),
  answer: z.json(),
});

/** A question about the board that needs no position, and its answer, which may be partial. */
export interface QueryCase {
  readonly id: string;
  readonly rule: string;
  readonly why?: string | undefined;
  readonly game?: string | undefined;
  readonly options?: Options | undefined;
  readonly query: JsonObject;
  readonly answer: Json;
}

export interface RuleCase {
  readonly id: string;
  readonly rule: string;
  readonly why?: string | undefined;
  readonly game?: string | undefined;
  readonly options?: Record<string, string | number | boolean> | undefined;
  readonly seed?: string | number | undefined;
  /** Dice for what runs between the loaded position and its first decision. */
  readonly dice?: readonly ScriptEntry[] | undefined;
  readonly position: JsonObject;
  readonly steps: readonly {
    do?: string | undefined;
    dice?: readonly ScriptEntry[] | undefined;
    expect?: Expectation | undefined;
  }[];
}

/** A case of either form. */
export type AnyCase = RuleCase | QueryCase;

export type Expectation = z.infer<typeof expectSchema>;

/**
 * The cases of a file: all with a position, or all questions, so that an error message is about the form that was
 * meant.
 *
 * @throws KesselError `bad-case` with path and reason
 */
export function parseCases(doc: unknown, file: string): AnyCase[] {
  const first: unknown = Array.isArray(doc) ? doc[0] : undefined;
  if (typeof first === "object" && first !== null && "query" in first)
    return parseWith(z.array(querySchema), doc, "bad-case", file) as QueryCase[];
  return parseWith(z.array(caseSchema), doc, "bad-case", file) as RuleCase[];
}

/**
 * Runs one rule case through position and action notation.
 *
 * @param look gets the environment at the start and after every step, as it is then; what it throws fails the case
 * @returns a line for each difference between what was expected and what came; empty when the case passes
 */
export function runCase(type: GameType, rc: AnyCase, look: (env: Env) => void = () => undefined): string[] {
  const failures: string[] = [];
  try {
    if ("query" in rc) {
      if (type.query === undefined) throw new KesselError("unsupported", `${type.id} answers no questions`);
      match(undefined, type.query(rc.query, rc.options ?? {}, type.data), rc.answer, "answer", null, failures);
      return failures;
    }
    const env = openCase(type, rc);
    look(env);
    rc.steps.forEach((step, i) => {
      const at = `step ${i + 1}${step.do ? ` (${step.do})` : ""}`;
      if (step.do !== undefined) {
        try {
          stepScripted(env, step.do, step.dice ?? []);
          if (step.expect?.error !== undefined)
            failures.push(`${at}: expected the error ${step.expect.error}, it was accepted`);
        } catch (e) {
          if (!(e instanceof KesselError) || step.expect?.error === undefined)
            throw new Error(`${at}: ${e instanceof Error ? e.message : String(e)}`, { cause: e });
          if (e.code !== step.expect.error)
            failures.push(`${at}: expected the error ${step.expect.error}, got ${e.code}: ${e.message}`);
        }
      }
      if (step.expect) for (const f of compare(env, step.expect)) failures.push(`${at}: ${f}`);
      if (step.do !== undefined) look(env);
    });
  } catch (e) {
    failures.push(e instanceof Error ? e.message : String(e));
  }
  return failures;
}

/** The environment in which a case begins. @throws KesselError when the position, options or dice don't fit the game */
export function openCase(type: GameType, rc: RuleCase): Env {
  const game = gameFor(type, rc.position, rc.options);
  const env = new Env(game);
  const dice = rc.dice ? new ScriptedDice(rc.dice) : undefined;
  env.resetTo(withOptions(game, rc.position), rc.seed ?? rc.id, dice);
  if (dice && dice.left > 0)
    throw new KesselError(
      "bad-dice",
      `${dice.left} of the ${rc.dice!.length} dice given at the start were not called for`,
    );
  return env;
}

/** A position with the options of its case in the place of its own, in `options` or in keys of their own names. */
function withOptions({ options }: Game, position: JsonObject): JsonObject {
  const named = Object.entries(options).filter(([id]) => ["string", "number", "boolean"].includes(typeof position[id]));
  return { ...position, ...Object.fromEntries(named), ...("options" in position ? { options } : {}) };
}

function compare(env: Env, expect: Expectation): string[] {
  const { game } = env;
  const failures: string[] = [];
  const actor = actorName(game, env.state);
  if (expect.actor !== undefined && expect.actor !== actor)
    failures.push(`actor: expected ${expect.actor}, got ${actor}`);
  if (expect.legal) {
    const legal = env.legal();
    const { exactly, includes, excludes } = expect.legal;
    if (exactly && [...exactly].sort().join("\n") !== [...legal].sort().join("\n"))
      failures.push(
        `legal: expected exactly [${[...exactly].sort().join(", ")}], got [${[...legal].sort().join(", ")}]`,
      );
    for (const a of includes ?? [])
      if (!legal.includes(a)) failures.push(`legal: expected ${a}, got [${legal.join(", ")}]`);
    for (const a of excludes ?? []) if (legal.includes(a)) failures.push(`legal: ${a} should not be legal`);
  }
  if (expect.terminal !== undefined && expect.terminal !== env.terminated)
    failures.push(`terminal: expected ${expect.terminal}, got ${env.terminated}`);
  if (expect.returns) {
    const out = new Float32Array(game.players.length);
    game.returns(env.state, out);
    for (const [side, value] of Object.entries(expect.returns)) {
      const i = game.players.indexOf(side);
      // a solitaire game may name the side that nobody plays: its return is the negative
      const got = i >= 0 ? out[i]! : -out[0]!;
      if (got !== value) failures.push(`returns.${side}: expected ${value}, got ${got}`);
    }
  }
  if (expect.position) match(game.cases, game.write(env.state), expect.position as JsonObject, "", null, failures);
  return failures;
}

/** Partial match: objects by the keys given; lists as the game says; `null` also matches an absent key. */
function match(
  cases: CaseComparison | undefined,
  got: Json | undefined,
  expected: Json,
  path: string,
  key: string | null,
  failures: string[],
): void {
  const fail = () =>
    failures.push(
      `${path === "" ? "position" : path}: expected ${JSON.stringify(expected)}, got ${JSON.stringify(got ?? null)}`,
    );
  if (expected === null) {
    if (got !== null && got !== undefined) fail();
  } else if (Array.isArray(expected)) {
    if (!Array.isArray(got)) fail();
    else if (!sameList(cases, got as Json[], expected as Json[], key)) fail();
  } else if (typeof expected === "object") {
    const w = expected as JsonObject;
    if (Array.isArray(got) && ("includes" in w || "excludes" in w)) {
      const texts = (got as Json[]).map((g) => canonical(g));
      for (const x of (w["includes"] ?? []) as Json[])
        if (!texts.includes(canonical(x)))
          failures.push(`${path}: expected ${JSON.stringify(x)} among ${JSON.stringify(got)}`);
      for (const x of (w["excludes"] ?? []) as Json[])
        if (texts.includes(canonical(x)))
          failures.push(`${path}: ${JSON.stringify(x)} should not be in ${JSON.stringify(got)}`);
    } else if (got === null || got === undefined || typeof got !== "object" || Array.isArray(got)) fail();
    else
      for (const [k, v] of Object.entries(w))
        match(cases, (got as JsonObject)[k], v, path === "" ? k : `${path}.${k}`, k, failures);
  } else if (got !== expected) fail();
}

/** Equality of lists as the game defines it; in order by default. */
function sameList(cases: CaseComparison | undefined, got: Json[], expected: Json[], key: string | null): boolean {
  const comparable = (list: Json[]): readonly Json[] => cases?.comparableList(key, list) ?? list;
  return canonical(comparable(got)) === canonical(comparable(expected));
}
